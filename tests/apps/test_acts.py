"""What people do in each app: the agent makes a call, and somebody answers it by the app's own verbs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.errors import FarmError
from farm.testing.local_world import LocalWorld

Ask = Callable[[LocalWorld, Callable[[str], str]], None]


def _lark_message(world: LocalWorld, account: Callable[[str], str]) -> None:
    data = {"receive_id": account("ben"), "msg_type": "text", "content": '{"text":"Ben?"}'}
    world.call("lark", "im_v1_message_create", data=data, params={"receive_id_type": "open_id"})


def _lark_invitation(world: LocalWorld, account: Callable[[str], str]) -> None:
    calendar = world.call("lark", "calendar_v4_calendar_primary")["calendars"][0]["calendar"]["calendar_id"]
    times = {"start_time": {"timestamp": "1780390800"}, "end_time": {"timestamp": "1780394400"}}
    path = {"calendar_id": calendar}
    made = world.call("lark", "calendar_v4_calendarEvent_create", path=path, data={"summary": "Talk", **times})
    path["event_id"] = made["event"]["event_id"]
    guests = {"attendees": [{"type": "user", "user_id": account("ben")}]}
    world.call("lark", "calendar_v4_calendarEventAttendee_create", path=path, data=guests)


def _lark_task(world: LocalWorld, account: Callable[[str], str]) -> None:
    data = {"summary": "Order", "members": [{"id": account("ben"), "type": "user", "role": "assignee"}]}
    world.call("lark", "task_v2_task_create", data=data, params={"user_id_type": "open_id"})


def _gmail(world: LocalWorld, account: Callable[[str], str]) -> None:
    address = next(row["address"] for row in world.rows("gmail", "accounts") if row["account_id"] == account("ben"))
    world.call("gmail", "send_email", to=[address], subject="Lease", body="Shall I sign?")


def _email163(world: LocalWorld, account: Callable[[str], str]) -> None:
    world.call("email163", "send_email", to=[account("kim")], subject="Flour", text="How much?")


def _telegram(world: LocalWorld, account: Callable[[str], str]) -> None:
    world.call("telegram", "send_message", chat_id=int(account("ben")), message="Ben?")


def _discord(world: LocalWorld, account: Callable[[str], str]) -> None:
    channel = next(row["channel_id"] for row in world.rows("discord", "channels") if row["name"] == "counter")
    world.call("discord", "send_message", channel_id=channel, content="Anybody?")


def _wecom(world: LocalWorld, account: Callable[[str], str]) -> None:
    world.call("wecom", "send_text", content="Van is back.")


def _notion(world: LocalWorld, account: Callable[[str], str]) -> None:
    text = [{"type": "text", "text": {"content": "Is this so?"}}]
    page = world.rows("notion", "pages")[0]["id"]
    world.call("notion", "notion_create_comment", parent={"page_id": page}, rich_text=text)


def _reddit(world: LocalWorld, account: Callable[[str], str]) -> None:
    for row in world.rows("reddit", "posts"):
        try:
            world.call("reddit", "REDDIT_POST_REDDIT_COMMENT", thing_id=f"t3_{row['post_id']}", text="Try rye.")
            return
        except VendorError:  # an older or locked post
            continue


def _rednote(world: LocalWorld, account: Callable[[str], str]) -> None:
    feed = world.call("rednote", "list_feeds")["feeds"][0]
    given = {"feed_id": feed["id"], "xsec_token": feed["xsecToken"]}
    world.call("rednote", "post_comment_to_feed", **given, content="好看")


def _instagram_comment(world: LocalWorld, account: Callable[[str], str]) -> None:
    rows = world.rows("instagram", "comments")
    comment = next(row["comment_id"] for row in rows if row["user_id"] != account("ada"))
    world.call("instagram", "INSTAGRAM_REPLY_TO_COMMENT", ig_comment_id=comment, message="Thank you")


def _instagram_message(world: LocalWorld, account: Callable[[str], str]) -> None:
    other = world.rows("instagram", "conversations")[0]["user_id"]
    world.call("instagram", "INSTAGRAM_SEND_TEXT_MESSAGE", recipient_id=other, text="We have some.")


_TEXT = {"text": "Yes."}
_EMOJI = {"emoji": "👍"}
CASES: list[tuple[Ask, str, str, dict[str, Any], list[dict[str, Any]], list[str]]] = [
    (
        _lark_message,
        "ben",
        "lark.messages",
        {"to": {"has": "@ben"}, "direct": True},
        [{"do": "reply", **_TEXT}, {"do": "message", "to": "@ada", "text": "Psst."}],
        ["messages", "messages"],
    ),
    (
        _lark_invitation,
        "ben",
        "lark.attendees",
        {"open_id": "@ben", "summary": "Talk"},
        [{"do": "accept"}, {"do": "tentative", "after": "5m"}, {"do": "decline", "after": "9m"}],
        ["attendees", "attendees", "attendees"],
    ),
    (
        _lark_task,
        "ben",
        "lark.task_members",
        {"member_id": "@ben", "summary": "Order"},
        [{"do": "complete"}],
        ["tasks"],
    ),
    (
        _gmail,
        "ben",
        "gmail.messages",
        {"to": {"has": "@ben"}, "kind": "sent"},
        [{"do": "reply", **_TEXT}, {"do": "mail", "to": "@ada", "subject": "And", **_TEXT}],
        ["messages", "messages"],
    ),
    (_email163, "kim", "email163.messages", {"to": {"has": "@kim"}}, [{"do": "reply", **_TEXT}], ["messages"]),
    (
        _telegram,
        "ben",
        "telegram.messages",
        {"to": {"has": "@ben"}, "direct": True},
        [{"do": "reply", **_TEXT}, {"do": "react", **_EMOJI}, {"do": "edit", "text": "No.", "after": "9m"}],
        ["messages", "reactions", "messages"],
    ),
    (
        _discord,
        "ben",
        "discord.messages",
        {"channel": "#counter"},
        [{"do": "reply", **_TEXT}, {"do": "react", **_EMOJI}],
        ["messages", "reactions"],
    ),
    (
        _wecom,
        "ben",
        "wecom.messages",
        {"content": {"contains": "van"}},
        [{"do": "reply", **_TEXT}],
        ["member_messages"],
    ),
    (
        _notion,
        "ben",
        "notion.comments",
        {"text": {"contains": "so?"}},
        [{"do": "reply", **_TEXT}, {"do": "resolve", "after": "9m"}],
        ["comments", "comments"],
    ),
    (
        _reddit,
        "hana",
        "reddit.comments",
        {"body": {"contains": "rye"}},
        [{"do": "reply", **_TEXT}, {"do": "upvote"}, {"do": "edit", "text": "No.", "after": "9m"}],
        ["comments", "votes", "comments"],
    ),
    (
        _rednote,
        "hana",
        "rednote.comments",
        {},
        [{"do": "reply", "text": "真的吗"}, {"do": "like"}, {"do": "follow"}],
        ["comments", "comment_likes", "follows"],
    ),
    (
        _instagram_comment,
        "hana",
        "instagram.comments",
        {},
        [{"do": "reply", **_TEXT}, {"do": "like"}],
        ["comments", "comments"],
    ),
    (_instagram_message, "hana", "instagram.messages", {}, [{"do": "reply", **_TEXT}], ["messages"]),
]


@pytest.mark.parametrize(("ask", "who", "table", "where", "then", "changed"), CASES, ids=[c[0].__name__ for c in CASES])
def test_people_act_in_an_app_as_themselves_and_it_is_nobodys_damage(
    ask: Ask, who: str, table: str, where: dict[str, Any], then: list[dict[str, Any]], changed: list[str]
) -> None:
    app, _, name = table.partition(".")
    with LocalWorld("mini", apps=[app]) as world:
        accounts = {each["person"]: each["accounts"].get(app, "") for each in world.people}
        when = {"app": app, "table": name, "where": where}
        world.add_person_rule({"id": "it", "who": who, "when": when, "then": then})
        ask(world, accounts.__getitem__)
        own = world.diff()

        came = [each for each in world.move_clock(quiet=True) if "by" in each]  # not what comes due

        assert [(each["by"], each["do"]) for each in came] == [(who, step["do"]) for step in then]
        assert not any("dropped" in each for each in came), world.answers["acted"]
        tables = {each["do"]: each["table"] for each in came if each["table"]}
        assert all(
            tables[step["do"]] == table for step, table in zip(then, changed, strict=True) if step["do"] in tables
        )
        assert world.diff() == own
        with pytest.raises(FarmError, match="nothing waits"):
            world.move_clock(next=True)
