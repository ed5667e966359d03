"""Posting, threads and reading back."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp

from .conftest import TEAM, message, rows

ME, BO = "U0123ABCD", "U0123ABCE"
GENERAL, LOUD, SECRET, OLD, DM = "C0123ABCD", "C0123ABCE", "C0123ABCF", "C0123ABCG", "D0123ABCD"
EDGES = (64, 80, 160, 360, 480)
PARENT, JOINED, BOT = "1700000002.000100", "1700000004.000100", "B0123ABCD"


def refusal(slack: LocalApp, tool: str, **arguments: Any) -> str:
    with pytest.raises(VendorError) as refused:
        slack.call(tool, **arguments)
    assert slack.changes() == {}
    return str(refused.value.code)


@pytest.mark.fact("post")
def test_a_post_is_answered_as_stored_and_read_back_first(slack: LocalApp) -> None:
    answer = slack.call("slack_post_message", channel_id=GENERAL, text="morning")
    newest = slack.call("slack_get_channel_history", channel_id=GENERAL, limit=1)["messages"][0]

    assert answer["ok"] is True
    assert answer["channel"] == GENERAL
    assert answer["message"] == newest
    assert (newest["user"], newest["text"], newest["ts"]) == (ME, "morning", answer["ts"])
    assert list(answer)[-2:] == ["warning", "response_metadata"]
    assert answer["response_metadata"] == {"warnings": ["missing_charset"]}


@pytest.mark.fact("post-user")
def test_a_user_id_leads_to_the_direct_message_that_exists(slack: LocalApp) -> None:
    assert slack.call("slack_post_message", channel_id=BO, text="hi")["channel"] == DM


@pytest.mark.fact("post-user")
def test_a_user_id_opens_a_direct_message_where_there_is_none(slack: LocalApp) -> None:
    channel_id = slack.call("slack_post_message", channel_id="USLACKBOT", text="hi")["channel"]

    assert channel_id.startswith("D")
    assert set(slack.changes()) == {"channels", "members", "messages"}
    assert slack.call("slack_post_message", channel_id="USLACKBOT", text="again")["channel"] == channel_id


@pytest.mark.fact("post-name")
@pytest.mark.parametrize(("given", "channel_id"), [("#general", GENERAL), ("general", GENERAL), (f"@{BO}", DM)])
def test_a_channel_can_be_named_and_a_user_id_have_a_sign(slack: LocalApp, given: str, channel_id: str) -> None:
    assert slack.call("slack_post_message", channel_id=given, text="hi")["channel"] == channel_id


@pytest.mark.fact("post-name")
@pytest.mark.parametrize("given", [f"#{GENERAL}", "@bo", "#"])
def test_a_sign_before_something_else_finds_no_channel(slack: LocalApp, given: str) -> None:
    assert refusal(slack, "slack_post_message", channel_id=given, text="hi") == "channel_not_found"


@pytest.mark.fact("post-emoji")
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("It's Friday 🎉", "It's Friday :tada:"),
        ("好✅完成", "好:white_check_mark:完成"),
        ("👍🏽 ☝🏽 👩🏽‍💻", ":+1::skin-tone-4: :point_up::skin-tone-4: :female-technologist::skin-tone-4:"),
        ("❤️ 1️⃣ 🇸🇬", ":heart: :one: :flag-sg:"),
        ("🌧 ❤ 1 © →", ":rain_cloud: ❤ 1 © →"),
    ],
)
def test_emoji_are_kept_under_their_names(slack: LocalApp, given: str, kept: str) -> None:
    assert slack.call("slack_post_message", channel_id=GENERAL, text=given)["message"]["text"] == kept


@pytest.mark.fact("post-links")
def test_bare_addresses_are_linked_without_what_stands_behind_them(slack: LocalApp) -> None:
    text = "看 https://a.example/x?a=1&b=2。好 (https://b.example/y)."

    message = slack.call("slack_post_message", channel_id=GENERAL, text=text)["message"]

    assert message["text"] == "看 <https://a.example/x?a=1&amp;b=2>。好 (<https://b.example/y>)."
    (section,) = message["blocks"][0]["elements"]
    assert [each["url"] for each in section["elements"] if each["type"] == "link"] == [
        "https://a.example/x?a=1&b=2",
        "https://b.example/y",
    ]


@pytest.mark.fact("post-escape")
def test_markup_characters_come_back_escaped_but_mentions_stay(slack: LocalApp) -> None:
    answer = slack.call("slack_post_message", channel_id=GENERAL, text=f"a < b & <@{BO}>")

    assert answer["message"]["text"] == f"a &lt; b &amp; <@{BO}>"
    elements = answer["message"]["blocks"][0]["elements"][0]["elements"]
    assert elements == [{"type": "text", "text": "a < b & "}, {"type": "user", "user_id": BO}]


@pytest.mark.fact("post-refusals")
@pytest.mark.parametrize(
    ("channel_id", "text", "code"),
    [
        ("C0NOTHERE1", "hi", "channel_not_found"),
        (SECRET, "hi", "channel_not_found"),
        ("#secret", "hi", "channel_not_found"),
        ("U0NOTHERE1", "hi", "channel_not_found"),
        ("", "hi", "channel_not_found"),
        (LOUD, "hi", "not_in_channel"),
        (OLD, "hi", "is_archived"),
        (GENERAL, "", "no_text"),
        (GENERAL, " \n", "no_text"),
    ],
)
def test_a_post_that_cannot_be_is_refused_and_stores_nothing(
    slack: LocalApp, channel_id: str, text: str, code: str
) -> None:
    assert refusal(slack, "slack_post_message", channel_id=channel_id, text=text) == code


@pytest.mark.fact("post-refusals")
def test_a_refused_post_looks_like_slacks_own_answer(slack: LocalApp) -> None:
    result = slack.result("slack_post_message", channel_id="C0NOTHERE1", text="hi")

    # As pasted by a developer from a JSON post without charset.
    expected = '{"ok":false,"error":"channel_not_found","warning":"missing_charset",'
    expected += '"response_metadata":{"warnings":["missing_charset"]}}'
    assert result == {"content": [{"type": "text", "text": expected}]}


@pytest.mark.fact("post-long")
def test_a_text_over_the_limit_is_cut_with_a_warning(slack: LocalApp) -> None:
    answer = slack.call("slack_post_message", channel_id=GENERAL, text="x" * 40_001)

    posted = slack.call("slack_get_channel_history", channel_id=GENERAL, limit=20)["messages"][:-3]
    assert "".join(each["text"] for each in posted) == "x" * 40_000
    assert answer["response_metadata"] == {
        "messages": [
            "[WARN] Your message was truncated but still posted. The `text` field accepts up to 40,000 characters."
        ],
        "warnings": ["message_truncated", "missing_charset"],
    }


@pytest.mark.fact("post-split")
def test_a_long_text_becomes_several_messages(slack: LocalApp) -> None:
    text = "x" * 4_000 + "y" * 900

    answer = slack.call("slack_reply_to_thread", channel_id=GENERAL, thread_ts=PARENT, text=text)

    thread = slack.call("slack_get_thread_replies", channel_id=GENERAL, thread_ts=PARENT)["messages"]
    assert [each["text"] for each in thread[-2:]] == ["x" * 4_000, "y" * 900]
    assert answer["ts"] == answer["message"]["ts"] == thread[-2]["ts"]
    assert thread[0]["last_read"] == thread[-1]["ts"]


@pytest.mark.fact("extra-keys")
def test_an_argument_the_tool_does_not_know_is_dropped(slack: LocalApp) -> None:
    answer = slack.call("slack_post_message", channel_id=GENERAL, text="hi", thread_ts=PARENT)

    assert "thread_ts" not in answer["message"]


@pytest.mark.fact("thread")
def test_a_reply_names_its_parent_and_the_parent_counts_it(slack: LocalApp) -> None:
    answer = slack.call("slack_reply_to_thread", channel_id=GENERAL, thread_ts=PARENT, text="and me")
    thread = slack.call("slack_get_thread_replies", channel_id=GENERAL, thread_ts=PARENT)["messages"]

    assert (answer["message"]["thread_ts"], answer["message"]["parent_user_id"]) == (PARENT, BO)
    assert [each["text"] for each in thread] == ["who is in?", "me", "and me"]
    parent = thread[0]
    assert (parent["reply_count"], parent["latest_reply"], parent["reply_users"]) == (2, answer["ts"], [ME])
    assert (parent["subscribed"], parent["last_read"]) == (True, answer["ts"])


@pytest.mark.fact("thread-nested")
def test_a_reply_to_a_reply_leaves_the_thread(slack: LocalApp) -> None:
    answer = slack.call("slack_reply_to_thread", channel_id=GENERAL, thread_ts="1700000003.000100", text="x")

    assert "thread_ts" not in answer["message"]
    assert slack.call("slack_get_channel_history", channel_id=GENERAL, limit=1)["messages"][0]["text"] == "x"


@pytest.mark.fact("thread-gone")
@pytest.mark.parametrize("ts", ["1700009999.000100", "1700000002.0001"])
def test_a_reply_to_a_message_that_is_not_there_becomes_an_ordinary_message(slack: LocalApp, ts: str) -> None:
    answer = slack.call("slack_reply_to_thread", channel_id=GENERAL, thread_ts=ts, text="x")

    assert "thread_ts" not in answer["message"]


@pytest.mark.fact("thread-bad-ts")
@pytest.mark.parametrize("ts", ["", "1700000002", "17000000020001000", "now"])
def test_a_malformed_thread_ts_is_refused(slack: LocalApp, ts: str) -> None:
    assert refusal(slack, "slack_reply_to_thread", channel_id=GENERAL, thread_ts=ts, text="x") == "invalid_thread_ts"


@pytest.mark.fact("thread-bad-ts")
def test_a_malformed_thread_ts_is_named(slack: LocalApp) -> None:
    body = json.loads(
        slack.result("slack_reply_to_thread", channel_id=GENERAL, thread_ts="0", text="x")["content"][0]["text"]
    )

    assert body == {
        "ok": False,
        "error": "invalid_thread_ts",
        "warning": "missing_charset",
        "response_metadata": {"messages": ["[ERROR] 0 is not a valid thread_ts"], "warnings": ["missing_charset"]},
    }


@pytest.mark.fact("history")
def test_history_is_newest_first_without_replies(slack: LocalApp) -> None:
    body = slack.call("slack_get_channel_history", channel_id=GENERAL)

    assert [each["ts"] for each in body["messages"]] == ["1700000004.000100", PARENT, "1700000001.000100"]
    assert (body["has_more"], "response_metadata" in body) == (False, False)


@pytest.mark.fact("history-keys")
def test_only_a_message_with_replies_has_thread_keys(slack: LocalApp) -> None:
    body = slack.call("slack_get_channel_history", channel_id=GENERAL)

    assert [each.get("reply_count") for each in body["messages"]] == [None, 1, None]
    assert "thread_ts" not in body["messages"][2]


@pytest.mark.fact("history-keys")
def test_a_short_page_says_that_there_is_more(slack: LocalApp) -> None:
    body = slack.call("slack_get_channel_history", channel_id=GENERAL, limit=1)

    assert body["has_more"] is True
    assert list(body)[-1] == "response_metadata"


@pytest.mark.fact("join")
def test_a_join_has_exactly_five_keys(slack: LocalApp) -> None:
    join = slack.call("slack_get_channel_history", channel_id=GENERAL)["messages"][0]

    assert list(join) == ["subtype", "user", "text", "type", "ts"]


@pytest.mark.fact("tombstone")
def test_a_deleted_message_with_replies_is_slackbots_and_hidden(slack: LocalApp) -> None:
    gone = {"channel_id": GENERAL, "ts": PARENT}
    slack.episode.db.update("messages", gone, subtype="tombstone", text="This message was deleted.")

    tombstone = slack.call("slack_get_channel_history", channel_id=GENERAL)["messages"][1]

    # The members and their order, as pasted into a pull request in May 2024.
    assert list(tombstone) == [
        "subtype", "text", "user", "hidden", "type", "ts", "thread_ts", "parent_user_id", "reply_count",
        "reply_users_count", "latest_reply", "reply_users", "is_locked", "subscribed",
    ]  # fmt: skip
    assert (tombstone["user"], tombstone["hidden"], tombstone["parent_user_id"]) == ("USLACKBOT", True, "USLACKBOT")


@pytest.mark.fact("message-order")
def test_what_hangs_on_a_message_stands_before_its_blocks(slack: LocalApp) -> None:
    where = {"channel_id": GENERAL, "ts": PARENT}
    slack.episode.db.update("messages", where, client_msg_id="d0", edited_by=BO, edited_ts="1700000009.000000")
    slack.episode.db.insert("reactions", **where, name="eyes", user_id=ME)

    parent, reply = slack.call("slack_get_thread_replies", channel_id=GENERAL, thread_ts=PARENT)["messages"]

    assert list(parent) == [
        "user", "type", "ts", "edited", "client_msg_id", "text", "team", "thread_ts", "reply_count",
        "reply_users_count", "latest_reply", "reply_users", "is_locked", "subscribed", "reactions", "blocks",
    ]  # fmt: skip
    assert list(reply) == ["user", "type", "ts", "text", "team", "thread_ts", "parent_user_id", "blocks"]


@pytest.mark.fact("post-order")
def test_the_profile_of_an_app_has_another_order_in_the_answer_to_its_post(slack: LocalApp) -> None:
    slack.episode.db.update("bots", {"id": "B0123ABCD"}, is_self=1)

    posted = slack.call("slack_reply_to_thread", channel_id=GENERAL, thread_ts=PARENT, text="x")["message"]
    read = slack.call("slack_get_thread_replies", channel_id=GENERAL, thread_ts=PARENT)["messages"][-1]

    assert list(posted) == list(read) == [
        "user", "type", "ts", "bot_id", "app_id", "text", "team", "bot_profile", "thread_ts", "parent_user_id",
        "blocks",
    ]  # fmt: skip
    assert list(posted["bot_profile"]) == [
        "id", "app_id", "user_id", "name", "icons", "deleted", "updated", "team_id",
    ]  # fmt: skip
    assert list(read["bot_profile"]) == [
        "id", "deleted", "name", "updated", "app_id", "user_id", "icons", "team_id",
    ]  # fmt: skip
    assert posted == read


@pytest.mark.fact("history-refusals")
@pytest.mark.parametrize(
    ("channel_id", "limit", "code"),
    [
        ("C0NOTHERE1", 10, "channel_not_found"),
        (SECRET, 10, "channel_not_found"),
        (LOUD, 10, "not_in_channel"),
        (GENERAL, 0, "invalid_limit"),
        (GENERAL, 1001, "invalid_limit"),
        (GENERAL, math.inf, "invalid_limit"),
    ],
)
def test_history_one_may_not_read_is_refused(slack: LocalApp, channel_id: str, limit: float, code: str) -> None:
    assert refusal(slack, "slack_get_channel_history", channel_id=channel_id, limit=limit) == code


@pytest.mark.fact("history-limit")
def test_a_thousand_messages_can_be_asked_for(slack: LocalApp) -> None:
    assert len(slack.call("slack_get_channel_history", channel_id=GENERAL, limit=1000)["messages"]) == 3


@pytest.mark.fact("replies")
def test_a_message_without_replies_is_its_own_thread(slack: LocalApp) -> None:
    body = slack.call("slack_get_thread_replies", channel_id=GENERAL, thread_ts="1700000001.000100")

    assert [each["text"] for each in body["messages"]] == ["hello"]
    assert body["has_more"] is False


@pytest.mark.fact("replies-limit")
@pytest.mark.parametrize(("beyond", "more"), [(0, []), (1, ["response_metadata"])])
def test_a_thread_has_more_where_it_is_longer_than_what_is_told(slack: LocalApp, beyond: int, more: list[str]) -> None:
    for number in range(1000 + beyond - 1):
        reply = {"ts": f"1700001{number:03d}.000100", "thread_ts": PARENT, "user_id": BO, "text": "me too"}
        slack.episode.db.insert("messages", channel_id=GENERAL, **reply)

    body = slack.call("slack_get_thread_replies", channel_id=GENERAL, thread_ts=PARENT)

    assert len(body["messages"]) == 1001
    assert body["has_more"] is bool(beyond)
    assert list(body)[3:] == more


@pytest.mark.fact("replies-of-a-reply")
def test_a_replys_ts_leads_to_the_reply_alone(slack: LocalApp) -> None:
    body = slack.call("slack_get_thread_replies", channel_id=GENERAL, thread_ts="1700000003.000100")

    assert [(each["ts"], each["thread_ts"]) for each in body["messages"]] == [("1700000003.000100", PARENT)]
    assert body["has_more"] is False


@pytest.mark.fact("replies-missing")
@pytest.mark.parametrize("ts", ["1700009999.000100", "nonsense", JOINED])
def test_a_thread_that_is_not_there_is_refused(slack: LocalApp, ts: str) -> None:
    assert refusal(slack, "slack_get_thread_replies", channel_id=GENERAL, thread_ts=ts) == "thread_not_found"


@pytest.mark.fact("replies-missing")
def test_a_join_that_was_answered_is_a_thread(slack: LocalApp) -> None:
    slack.call("slack_reply_to_thread", channel_id=GENERAL, thread_ts=JOINED, text="welcome")
    slack.call("slack_add_reaction", channel_id=GENERAL, timestamp=JOINED, reaction="wave")

    joined, welcome = slack.call("slack_get_thread_replies", channel_id=GENERAL, thread_ts=JOINED)["messages"]

    assert welcome["thread_ts"] == joined["thread_ts"] == JOINED
    assert (joined["subtype"], joined["reply_count"]) == ("channel_join", 1)
    assert joined["reactions"] == [{"name": "wave", "users": [ME], "count": 1}]


@pytest.mark.fact("reply-users")
def test_an_app_without_a_user_is_told_among_those_who_replied(slack: LocalApp) -> None:
    row = {"channel_id": GENERAL, "ts": "1700000003.500000", "thread_ts": PARENT, "text": "done", "bot_id": BOT}
    slack.episode.db.insert("messages", **row, subtype="bot_message", username="Deploys")

    parent, *_ = slack.call("slack_get_thread_replies", channel_id=GENERAL, thread_ts=PARENT)["messages"]

    assert (parent["reply_users"], parent["reply_users_count"]) == ([ME, BOT], 2)


@pytest.mark.fact("post-user")
def test_my_own_id_leads_to_a_conversation_with_nobody_else(slack: LocalApp) -> None:
    alone = slack.call("slack_post_message", channel_id=ME, text="note to self")["channel"]

    assert alone != DM
    assert [row["new"]["user_id"] for row in slack.changes()["members"]] == [ME]
    assert slack.call("slack_post_message", channel_id=ME, text="again")["channel"] == alone


@pytest.mark.fact("post-ts")
def test_a_post_always_comes_after_the_last_one(slack: LocalApp) -> None:
    ahead = "1999999999.999999"
    slack.episode.db.insert("messages", channel_id=GENERAL, ts=ahead, user_id=BO, text="from the future")

    first = slack.call("slack_post_message", channel_id=GENERAL, text="next")["ts"]
    second = slack.call("slack_post_message", channel_id=GENERAL, text="and next")["ts"]

    assert (first, second) == ("2000000000.000000", "2000000000.000001")


@pytest.mark.fact("post-ts")
def test_a_post_after_a_pause_is_of_now(slack: LocalApp) -> None:
    ts = slack.call("slack_post_message", channel_id=GENERAL, text="morning")["ts"]

    assert int(ts.split(".")[0]) == slack.episode.now_ms // 1000


@pytest.mark.fact("thread-broadcast")
@pytest.mark.parametrize("tool", ["slack_get_channel_history", "slack_get_thread_replies"])
def test_a_reply_shown_to_the_channel_carries_the_first_message_of_its_thread(slack: LocalApp, tool: str) -> None:
    reply = {"channel_id": GENERAL, "ts": "1700000009.000100", "thread_ts": PARENT, "user_id": ME, "text": "all of you"}
    slack.episode.db.insert("messages", **reply, subtype="thread_broadcast", client_msg_id="d8")
    asked = {"thread_ts": PARENT} if tool == "slack_get_thread_replies" else {"limit": 3}

    listed = {each["ts"]: each for each in slack.call(tool, channel_id=GENERAL, **asked)["messages"]}
    broadcast = listed[reply["ts"]]

    assert list(broadcast) == [
        "subtype", "user", "thread_ts", "root", "type", "ts", "client_msg_id", "text", "blocks",
    ]  # fmt: skip
    assert broadcast["root"] == listed[PARENT]
    assert (broadcast["root"]["reply_count"], broadcast["root"]["latest_reply"]) == (2, reply["ts"])


def rich_text(slack: LocalApp, text: str) -> Any:
    (block,) = slack.call("slack_post_message", channel_id=GENERAL, text=text)["message"]["blocks"]
    assert block["type"] == "rich_text"
    return block["elements"]


def inline(slack: LocalApp, text: str) -> Any:
    (section,) = rich_text(slack, text)
    assert section["type"] == "rich_text_section"
    return section["elements"]


@pytest.mark.fact("blocks-styles")
def test_an_apps_bold_words_links_and_emoji_are_elements_as_recorded(slack: LocalApp) -> None:
    # The first from a post of January 2025, the second of May 2023, shortened; names are others.
    greeting = "*Ines Castro*: hola\n\n*Helper*: ¡Hola! :wave: ¿Qué tal?\n------"
    links = "*App:* \n<http://91bb.example>\n*Grafana:* \n<http://e921.example>"

    bold = {"style": {"bold": True}}
    assert inline(slack, greeting) == [
        {"type": "text", "text": "Ines Castro", **bold},
        {"type": "text", "text": ": hola\n\n"},
        {"type": "text", "text": "Helper", **bold},
        {"type": "text", "text": ": ¡Hola! "},
        {"type": "emoji", "name": "wave", "unicode": "1f44b"},
        {"type": "text", "text": " ¿Qué tal?\n------"},
    ]
    assert inline(slack, links) == [
        {"type": "text", "text": "App:", **bold},
        {"type": "text", "text": " \n"},
        {"type": "link", "url": "http://91bb.example"},
        {"type": "text", "text": "\n"},
        {"type": "text", "text": "Grafana:", **bold},
        {"type": "text", "text": " \n"},
        {"type": "link", "url": "http://e921.example"},
    ]


@pytest.mark.fact("blocks-styles")
def test_styles_add_up_and_reach_links_and_mentions(slack: LocalApp) -> None:
    # A person's message, recorded March 2022; ids are others.
    assert inline(slack, f"<@{BO}> *_help ad_*   ~_cdfad_~    `<https://www.ibm.com>`") == [
        {"type": "user", "user_id": BO},
        {"type": "text", "text": " "},
        {"type": "text", "text": "help ad", "style": {"bold": True, "italic": True}},
        {"type": "text", "text": "   "},
        {"type": "text", "text": "cdfad", "style": {"italic": True, "strike": True}},
        {"type": "text", "text": "    "},
        {"type": "link", "url": "https://www.ibm.com", "style": {"code": True}},
    ]


@pytest.mark.fact("blocks-styles")
@pytest.mark.parametrize(
    "text",
    ["snake_case_name", "2*3*4", "* not bold *", "**literal**", "*one\ntwo*", "这是*重点*吗", "~", "`", "*a"],
)
def test_a_sign_that_styles_nothing_stays_as_it_stands(slack: LocalApp, text: str) -> None:
    assert inline(slack, text) == [{"type": "text", "text": text}]


@pytest.mark.fact("blocks-code")
def test_code_and_quotes_are_blocks_of_their_own(slack: LocalApp) -> None:
    assert rich_text(slack, "look:\n```\nx = *y*\n```\n> said *twice*\n> by me\nso") == [
        {"type": "rich_text_section", "elements": [{"type": "text", "text": "look:\n"}]},
        {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "x = *y*"}], "border": 0},
        {
            "type": "rich_text_quote",
            "elements": [
                {"type": "text", "text": "said "},
                {"type": "text", "text": "twice", "style": {"bold": True}},
                {"type": "text", "text": "\nby me"},
            ],
        },
        {"type": "rich_text_section", "elements": [{"type": "text", "text": "so"}]},
    ]


@pytest.mark.fact("blocks-emoji")
def test_emoji_carry_their_code_points_and_the_workspaces_own_none(slack: LocalApp) -> None:
    slack.episode.db.insert("emoji", name="收到")

    assert inline(slack, ":heart::+1::skin-tone-2: :male-technologist: :收到:") == [
        {"type": "emoji", "name": "heart", "unicode": "2764-fe0f"},
        {"type": "emoji", "name": "+1", "unicode": "1f44d-1f3fb", "skin_tone": 2},
        {"type": "text", "text": " "},
        {"type": "emoji", "name": "male-technologist", "unicode": "1f468-200d-1f4bb"},
        {"type": "text", "text": " "},
        {"type": "emoji", "name": "收到"},
    ]


@pytest.mark.fact("blocks-emoji")
def test_a_time_of_day_is_no_emoji(slack: LocalApp) -> None:
    assert inline(slack, "10:30:45, then :nosuch: thing") == [{"type": "text", "text": "10:30:45, then :nosuch: thing"}]


@pytest.mark.fact("blocks-links")
def test_a_links_address_is_escaped_in_the_text_and_not_in_the_blocks(slack: LocalApp) -> None:
    message = slack.call("slack_post_message", channel_id=GENERAL, text="see https://x.example/?a=1&b=2")["message"]

    assert message["text"] == "see <https://x.example/?a=1&amp;b=2>"
    assert message["blocks"][0]["elements"][0]["elements"][1] == {"type": "link", "url": "https://x.example/?a=1&b=2"}


@pytest.mark.fact("leave")
def test_a_leave_has_the_keys_of_a_join(slack: LocalApp) -> None:
    text = f"<@{BO}> has left the channel"
    row = {"channel_id": GENERAL, "ts": "1700000010.000100", "user_id": BO, "text": text, "subtype": "channel_leave"}
    slack.episode.db.insert("messages", **row)

    (leave,) = slack.call("slack_get_channel_history", channel_id=GENERAL, limit=1)["messages"]

    assert list(leave.items()) == [
        ("subtype", "channel_leave"),
        ("user", BO),
        ("text", text),
        ("type", "message"),
        ("ts", row["ts"]),
    ]


def _webhook_posts(slack: LocalApp, **more: Any) -> dict[str, Any]:
    """Let a webhook post and return the message as histories show it."""
    slack.episode.db.insert("bots", id="B0123HOOK", app_id="A0123HOOK", name="CI")
    row = {"channel_id": GENERAL, "ts": "1700000011.000100", "subtype": "bot_message", "bot_id": "B0123HOOK", **more}
    slack.episode.db.insert("messages", **row)
    message: dict[str, Any] = slack.call("slack_get_channel_history", channel_id=GENERAL, limit=1)["messages"][0]
    return message


@pytest.mark.fact("bot-message")
def test_a_webhooks_post_has_a_name_and_no_user(slack: LocalApp) -> None:
    message = _webhook_posts(slack, text="build 7 failed", username="CI", icons='{"emoji":":zap:"}')

    assert list(message) == ["subtype", "text", "username", "type", "ts", "icons", "bot_id", "app_id", "blocks"]
    assert (message["username"], message["icons"], message["bot_id"]) == ("CI", {"emoji": ":zap:"}, "B0123HOOK")


@pytest.mark.fact("bot-attachments")
def test_a_card_comes_as_attachments(slack: LocalApp) -> None:
    card = {"id": 1, "color": "a30200", "fallback": "build 7 failed", "text": "2 of 90"}

    message = _webhook_posts(slack, text="", username="CI", attachments=json.dumps([card]))

    assert message["attachments"] == [card]
    assert "blocks" not in message


@pytest.mark.fact("files")
def test_an_attached_image_has_its_size_and_its_thumbnails(slack: LocalApp) -> None:
    file: dict[str, Any] = {
        "id": "F0123ABCD",
        "name": "IMG_1.jpg",
        "title": "two lamps",
        "mimetype": "image/jpeg",
        "filetype": "jpg",
        "alt_txt": "two lamps on a shelf",
    }
    file |= {"pretty_type": "JPEG", "size": 900_000, "is_public": True, "original_w": 4000, "original_h": 3000}
    row: dict[str, Any] = {
        "channel_id": GENERAL,
        "ts": "1700000012.000100",
        "user_id": BO,
        "text": "",
        "files": json.dumps([file]),
    }
    slack.episode.db.insert("messages", **row)

    (message,) = slack.call("slack_get_channel_history", channel_id=GENERAL, limit=1)["messages"]

    (shown,) = message["files"]
    assert (message["upload"], message["display_as_bot"]) == (False, False)
    assert (shown["id"], shown["title"], shown["user"], shown["created"]) == (file["id"], "two lamps", BO, 1700000012)
    assert (shown["thumb_360_w"], shown["thumb_360_h"], shown["original_w"]) == (360, 270, 4000)
    assert "blocks" not in message, "there is no text to take apart"
    own = f"{TEAM}-F0123ABCD"
    thumbnails = {f"thumb_{edge}": f"https://files.slack.example/files-tmb/{own}/IMG_1_{edge}.png" for edge in EDGES}
    assert shown == {
        **{name: file[name] for name in file if name != "size"},
        **thumbnails,
        "created": 1700000012,
        "timestamp": 1700000012,
        "user": BO,
        "user_team": TEAM,
        "editable": False,
        "size": 900_000,
        "mode": "hosted",
        "is_external": False,
        "external_type": "",
        "public_url_shared": False,
        "display_as_bot": False,
        "username": "",
        "url_private": f"https://files.slack.example/files-pri/{own}/IMG_1.jpg",
        "url_private_download": f"https://files.slack.example/files-pri/{own}/download/IMG_1.jpg",
        "media_display_type": "unknown",
        "thumb_360_w": 360,
        "thumb_360_h": 270,
        "thumb_480_w": 480,
        "thumb_480_h": 360,
        "permalink": f"https://files.slack.example/files/{BO}/F0123ABCD/IMG_1.jpg",
        "permalink_public": f"https://slack-files.example/{own}",
        "has_rich_preview": False,
        "file_access": "visible",
    }


@pytest.mark.fact("files")
@pytest.mark.parametrize(
    ("width", "height", "sizes"), [(200, 100, (200, 100, 200, 100)), (450, 90, (360, 72, 450, 90))]
)
def test_a_thumbnail_is_no_larger_than_its_image(
    slack: LocalApp, width: int, height: int, sizes: tuple[int, ...]
) -> None:
    file: dict[str, Any] = {"id": "F0123ABCD", "name": "a.b.png", "title": "", "mimetype": "image/png"}
    file |= {"filetype": "png", "pretty_type": "PNG", "size": 9, "is_public": False}
    row = {"channel_id": GENERAL, "ts": "1700000012.000100", "user_id": BO, "text": ""}
    heard = {"transcription": {"status": "complete", "preview": {"content": "two lamps", "has_more": False}}}
    files = [{**file, "original_w": width, "original_h": height}, {**file, "mimetype": "audio/mp4", **heard}]
    slack.episode.db.insert("messages", **row, files=json.dumps(files))

    (message,) = slack.call("slack_get_channel_history", channel_id=GENERAL, limit=1)["messages"]

    image, sound = message["files"]
    names = ("thumb_360_w", "thumb_360_h", "thumb_480_w", "thumb_480_h")
    assert tuple(image[name] for name in names) == sizes
    assert image["thumb_64"].endswith("/a.b_64.png")
    assert (image["media_display_type"], sound["media_display_type"]) == ("unknown", "audio")
    assert not any(name.startswith(("thumb_", "original_")) for name in sound)
    assert sound["transcription"] == heard["transcription"]
    assert {"alt_txt", "transcription"} & image.keys() == set()


@pytest.mark.fact("blocks-styles")
@pytest.mark.parametrize(
    ("text", "element"),
    [
        ("<!subteam^S0123ABCD>", {"type": "usergroup", "usergroup_id": "S0123ABCD"}),
        ("<!subteam^S0123ABCD|@team>", {"type": "usergroup", "usergroup_id": "S0123ABCD"}),
        (f"<#{GENERAL}>", {"type": "channel", "channel_id": GENERAL}),
        (f"<#{GENERAL}|general>", {"type": "channel", "channel_id": GENERAL}),
        ("<!here>", {"type": "broadcast", "range": "here"}),
        ("<!channel|x>", {"type": "broadcast", "range": "channel"}),
        ("<!date^1^{date}|May &amp; June>", {"type": "text", "text": "May & June"}),
        ("<https://a.example/?a=1&amp;b|R&amp;D>", {"type": "link", "url": "https://a.example/?a=1&b", "text": "R&D"}),
        ("<mailto:bo@acme.example|Bo>", {"type": "link", "url": "mailto:bo@acme.example", "text": "Bo"}),
    ],
)
def test_what_stands_in_angle_brackets_is_one_element(slack: LocalApp, text: str, element: dict[str, str]) -> None:
    assert inline(slack, text) == [element]
    assert inline(slack, f"*{text}*") == [{**element, "style": {"bold": True}}]


@pytest.mark.fact("post-name")
def test_the_name_of_a_private_channel_is_known_to_its_members_alone(slack: LocalApp) -> None:
    assert refusal(slack, "slack_post_message", channel_id="#secret", text="hi") == "channel_not_found"

    slack.episode.db.insert("members", channel_id=SECRET, user_id=ME)

    assert slack.call("slack_post_message", channel_id="#secret", text="hi")["channel"] == SECRET


def _steps(slack: LocalApp, tool: str, **arguments: Any) -> int:
    """Return how many thousands of SQLite's steps a call takes: those are the same on every machine."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    slack.episode.db.connection.set_progress_handler(count, 1_000)
    slack.call(tool, **arguments)
    slack.episode.db.connection.set_progress_handler(None, 0)
    return steps


@pytest.mark.fact("history")
def test_a_page_and_a_thread_take_as_many_steps_however_much_the_channel_holds(
    start: Callable[..., LocalApp],
) -> None:
    more = [message(f"{1_700_000_100 + number}.000100", "more") for number in range(2_000)]
    few, many = (start("slack", rows=[*rows(), *added], me="me") for added in (more[:20], more))

    for tool, asked in (
        ("slack_get_channel_history", {"limit": 10}),
        ("slack_get_thread_replies", {"thread_ts": PARENT}),
    ):
        taken = [_steps(slack, tool, channel_id=GENERAL, **asked) for slack in (few, many)]

        assert taken[0] == taken[1], tool
