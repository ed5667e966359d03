"""Posting, threads and reading back."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from farm.kernel import VendorError
from farm.testing import LocalApp

ME, BO = "U0123ABCD", "U0123ABCE"
GENERAL, LOUD, SECRET, OLD, DM = "C0123ABCD", "C0123ABCE", "C0123ABCF", "C0123ABCG", "D0123ABCD"
PARENT = "1700000002.000100"


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
def test_a_channel_can_be_named_with_a_hash(slack: LocalApp) -> None:
    assert slack.call("slack_post_message", channel_id="#general", text="hi")["channel"] == GENERAL


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

    assert len(answer["message"]["text"]) == 40_000
    assert "message_truncated" in answer["response_metadata"]["warnings"]


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
def test_a_reply_to_a_reply_joins_the_same_thread(slack: LocalApp) -> None:
    answer = slack.call("slack_reply_to_thread", channel_id=GENERAL, thread_ts="1700000003.000100", text="x")

    assert answer["message"]["thread_ts"] == PARENT


@pytest.mark.fact("thread-gone")
def test_a_reply_to_a_message_that_is_gone_becomes_an_ordinary_message(slack: LocalApp) -> None:
    answer = slack.call("slack_reply_to_thread", channel_id=GENERAL, thread_ts="1700009999.000100", text="x")

    assert "thread_ts" not in answer["message"]


@pytest.mark.fact("thread-bad-ts")
@pytest.mark.parametrize("ts", ["", "1700000002", "17000000020001000", "now"])
def test_a_malformed_thread_ts_is_refused(slack: LocalApp, ts: str) -> None:
    assert refusal(slack, "slack_reply_to_thread", channel_id=GENERAL, thread_ts=ts, text="x") == "invalid_thread_ts"


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

    assert list(join) == ["type", "subtype", "ts", "user", "text"]


@pytest.mark.fact("history-refusals")
@pytest.mark.parametrize(
    ("channel_id", "limit", "code"),
    [
        ("C0NOTHERE1", 10, "channel_not_found"),
        (SECRET, 10, "channel_not_found"),
        (LOUD, 10, "not_in_channel"),
        (GENERAL, 0, "invalid_limit"),
        (GENERAL, 1000, "invalid_limit"),
        (GENERAL, math.inf, "invalid_limit"),
        (GENERAL, math.nan, "invalid_limit"),
    ],
)
def test_history_one_may_not_read_is_refused(slack: LocalApp, channel_id: str, limit: float, code: str) -> None:
    assert refusal(slack, "slack_get_channel_history", channel_id=channel_id, limit=limit) == code


@pytest.mark.fact("replies")
def test_a_message_without_replies_is_its_own_thread(slack: LocalApp) -> None:
    body = slack.call("slack_get_thread_replies", channel_id=GENERAL, thread_ts="1700000001.000100")

    assert [each["text"] for each in body["messages"]] == ["hello"]
    assert body["has_more"] is False


@pytest.mark.fact("replies-missing")
@pytest.mark.parametrize("ts", ["1700009999.000100", "nonsense"])
def test_a_thread_that_is_not_there_is_refused(slack: LocalApp, ts: str) -> None:
    assert refusal(slack, "slack_get_thread_replies", channel_id=GENERAL, thread_ts=ts) == "thread_not_found"


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
def test_a_reply_shown_to_the_channel_names_a_parent_that_is_on_no_page(slack: LocalApp) -> None:
    reply = {"channel_id": GENERAL, "ts": "1700000009.000100", "thread_ts": PARENT, "user_id": ME, "text": "all of you"}
    slack.episode.db.insert("messages", **reply, subtype="thread_broadcast")

    (newest,) = slack.call("slack_get_channel_history", channel_id=GENERAL, limit=1)["messages"]

    assert (newest["ts"], newest["thread_ts"], newest["parent_user_id"]) == (reply["ts"], PARENT, BO)
    assert "reply_count" not in newest


@pytest.mark.fact("leave")
def test_a_leave_has_the_keys_of_a_join(slack: LocalApp) -> None:
    text = f"<@{BO}> has left the channel"
    row = {"channel_id": GENERAL, "ts": "1700000010.000100", "user_id": BO, "text": text, "subtype": "channel_leave"}
    slack.episode.db.insert("messages", **row)

    (leave,) = slack.call("slack_get_channel_history", channel_id=GENERAL, limit=1)["messages"]

    assert list(leave.items()) == [
        ("type", "message"),
        ("subtype", "channel_leave"),
        ("ts", row["ts"]),
        ("user", BO),
        ("text", text),
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

    assert list(message) == ["type", "subtype", "text", "ts", "username", "icons", "bot_id"]
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
