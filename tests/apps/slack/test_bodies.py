"""What the tools answer, beside bodies of the real service (``tests.apps.real_bodies`` says how)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm.content import load_app
from farm.testing import LocalApp
from tests.apps.real_bodies import RealBodies
from tests.apps.slack.conftest import BO, GENERAL, HELPER, ME

BODIES = RealBodies(
    Path(__file__).parent / "bodies",
    {
        "ts": r"\d{10}\.\d{6}",
        "id": r"(?P<prefix>[ABCDTU])[0-9A-Z]{7,11}",
        "code points": r"[0-9a-f]{4,5}(-[0-9a-f]{4,5})*",
        "cursor": r"[0-9A-Za-z+/]{16,}={0,2}",
        "mail": r"[\w.]+@[\w.]+",
    },
)
PARENT = "1700000002.000100"
UUID = "e5a81f6d-15bb-45b8-ba90-551ec78aeae3"


def _history(slack: LocalApp, limit: int = 10) -> Any:
    return slack.call("slack_get_channel_history", channel_id=GENERAL, limit=limit)


def _typed(slack: LocalApp) -> None:
    """Let every message be one that somebody typed, but for notices."""
    slack.episode.db.execute("UPDATE messages SET client_msg_id = ? WHERE subtype IS NULL", UUID)


def _said(slack: LocalApp, seconds: int, text: str, **more: Any) -> None:
    row = {"channel_id": GENERAL, "ts": f"17000001{seconds:02}.000100", "text": text, "user_id": BO, **more}
    slack.episode.db.insert("messages", **row)


def _as_the_app(slack: LocalApp) -> None:
    slack.episode.db.update("bots", {"user_id": HELPER}, is_self=1)


def post(slack: LocalApp) -> Any:
    _as_the_app(slack)
    return slack.call("slack_post_message", channel_id=GENERAL, text="Hello team!")


def reply(slack: LocalApp) -> Any:
    _as_the_app(slack)
    return slack.call("slack_reply_to_thread", channel_id=GENERAL, thread_ts=PARENT, text="Ticket created: ID-4")


def history(slack: LocalApp) -> Any:
    _typed(slack)
    slack.episode.db.delete("messages", ts="1700000004.000100")
    slack.episode.db.insert("reactions", channel_id=GENERAL, ts="1700000001.000100", name="grin", user_id=ME)
    _said(slack, 1, "hi", client_msg_id=UUID)
    body = _history(slack, limit=3)
    body["response_metadata"] = _history(slack, limit=1)["response_metadata"]
    return body


def threads(slack: LocalApp) -> Any:
    _typed(slack)
    slack.episode.db.delete("messages", ts="1700000004.000100")
    slack.episode.db.insert("subscriptions", channel_id=GENERAL, thread_ts=PARENT, user_id=ME, last_read=PARENT)
    _said(slack, 1, "d")
    return _history(slack)


def reactions(slack: LocalApp) -> Any:
    slack.episode.db.execute("DELETE FROM messages")
    _said(slack, 1, "Wfh :male-technologist:  ", client_msg_id=UUID)
    _said(slack, 2, "still not well", client_msg_id=UUID, edited_by=BO, edited_ts="1700000199.000000")
    _said(slack, 3, f"see (_their talk_)\n<https://x.example/v?a=1&amp;b=2>\n<@{ME}>", client_msg_id=UUID)
    for seconds, name in ((1, "+1"), (2, "+1::skin-tone-2"), (2, "pill")):
        slack.call("slack_add_reaction", channel_id=GENERAL, timestamp=f"17000001{seconds:02}.000100", reaction=name)
    return _history(slack)


def broadcast(slack: LocalApp) -> Any:
    _typed(slack)
    _said(slack, 1, "hello too", client_msg_id=UUID, thread_ts=PARENT, subtype="thread_broadcast")
    slack.episode.db.insert("subscriptions", channel_id=GENERAL, thread_ts=PARENT, user_id=ME, last_read=PARENT)
    return _history(slack, limit=1)


def tombstone(slack: LocalApp) -> Any:
    gone = {"subtype": "tombstone", "text": "This message was deleted."}
    slack.episode.db.update("messages", {"ts": PARENT}, **gone)
    slack.episode.db.delete("messages", ts="1700000004.000100")
    return _history(slack, limit=1)


def app(slack: LocalApp) -> Any:
    _as_the_app(slack)
    text = "*Ines Castro*: hola\n\n*Helper*: ¡Hola! :wave: ¿Qué tal?\n------"
    slack.call("slack_post_message", channel_id=GENERAL, text=text)
    return _history(slack, limit=1)


def replies(slack: LocalApp) -> Any:
    slack.episode.db.update("messages", {"ts": PARENT}, user_id=HELPER, bot_id="B0123ABCD")
    slack.episode.db.update("messages", {"ts": "1700000003.000100"}, client_msg_id=UUID)
    return slack.call("slack_get_thread_replies", channel_id=GENERAL, thread_ts=PARENT)


def _pictured(slack: LocalApp) -> None:
    status: dict[str, Any] = {
        "status_text": "On holiday",
        "status_emoji": ":palm_tree:",
        "status_expiration": 1740178799,
    }
    slack.episode.db.update("users", {"id": ME}, **status, avatar_hash="cd41a0b1c2d3")
    slack.episode.db.update("users", {"id": HELPER}, avatar_hash="cd41a0b1c2d4")


def users(slack: LocalApp) -> Any:
    _pictured(slack)
    return slack.call("slack_get_users")


def profile(slack: LocalApp) -> Any:
    _pictured(slack)
    slack.episode.db.update("users", {"id": ME}, fields='{"Xf0DAWPUGG":{"value":"x","alt":"","label":"Handle"}}')
    return slack.call("slack_get_user_profile", user_id=ME)


def every_member(slack: LocalApp) -> Any:
    slack.episode.db.update("users", {"id": BO}, status_text="away", status_emoji=":palm_tree:")
    return slack.call("slack_get_user_profile", user_id=BO)


CALLS: dict[str, Callable[[LocalApp], Any]] = {
    "slack_list_channels": lambda slack: slack.call("slack_list_channels"),
    "slack_post_message": post,
    "slack_post_message.without_charset": post,
    "slack_reply_to_thread": reply,
    "slack_add_reaction": lambda slack: slack.call(
        "slack_add_reaction", channel_id=GENERAL, timestamp=PARENT, reaction="eyes"
    ),
    "slack_get_channel_history": history,
    "slack_get_channel_history.threads": threads,
    "slack_get_channel_history.reactions": reactions,
    "slack_get_channel_history.broadcast": broadcast,
    "slack_get_channel_history.join": lambda slack: _history(slack, limit=1),
    "slack_get_channel_history.tombstone": tombstone,
    "slack_get_channel_history.app": app,
    "slack_get_thread_replies": replies,
    "slack_get_users": users,
    "slack_get_user_profile": profile,
    "slack_get_user_profile.every_member": every_member,
}


@pytest.mark.fact("bodies")
@pytest.mark.parametrize("name", CALLS)
def test_an_answer_has_the_members_of_a_real_one_but_for_what_is_meant(slack: LocalApp, name: str) -> None:
    sample = BODIES.load(name)

    ours = CALLS[name](slack)

    assert BODIES.differences(sample, ours) == set(sample["differences"])


@pytest.mark.fact("bodies")
def test_every_tool_stands_beside_a_real_body() -> None:
    assert set(CALLS) == set(BODIES.names())
    assert {BODIES.load(name)["tool"] for name in CALLS} == {tool.name for tool in load_app("slack").app.tools}
