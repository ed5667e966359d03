"""A small workspace: me, Bo and Slackbot; two public channels, a private one without me, an archived one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp

TEAM = "T0123ABCD"
ME, BO, GONE, HELPER = "U0123ABCD", "U0123ABCE", "U0123ABCF", "U0123BOT1"
GENERAL, LOUD, SECRET, OLD, DM = "C0123ABCD", "C0123ABCE", "C0123ABCF", "C0123ABCG", "D0123ABCD"


def message(ts: str, text: str, user: str = BO, channel: str = GENERAL, **more: Any) -> dict[str, Any]:
    return {"table": "messages", "channel_id": channel, "ts": ts, "user_id": user, "text": text, **more}


def rows() -> list[dict[str, Any]]:
    def user(id_: str, name: str, **more: Any) -> dict[str, Any]:
        return {"table": "users", "id": id_, "team_id": TEAM, "name": name, "real_name": name.title(), **more}

    def channel(id_: str, name: str, **more: Any) -> dict[str, Any]:
        return {
            "table": "channels",
            "id": id_,
            "team_id": TEAM,
            "name": name,
            "creator": BO,
            "created": 1700000000,
            **more,
        }

    def member(channel_id: str, user_id: str) -> dict[str, Any]:
        return {"table": "members", "channel_id": channel_id, "user_id": user_id}

    return [
        {"table": "teams", "id": TEAM, "name": "Acme", "domain": "acme"},
        user("USLACKBOT", "slackbot"),
        user(ME, "me", person="me", email="me@acme.example", title="Planner"),
        user(BO, "bo", person="bo", email="bo@acme.example"),
        user(GONE, "gone", deleted=1),
        user(HELPER, "helper", is_bot=1),
        {"table": "bots", "id": "B0123ABCD", "app_id": "A0123ABCD", "user_id": HELPER, "name": "helper"},
        channel(GENERAL, "general", is_general=1),
        channel(LOUD, "loud"),
        channel(SECRET, "secret", is_private=1),
        channel(OLD, "old", is_archived=1),
        channel(DM, "", kind="im", is_private=1, im_user_id=BO),
        member(GENERAL, ME),
        member(GENERAL, BO),
        member(SECRET, BO),
        member(OLD, ME),
        member(DM, ME),
        member(DM, BO),
        message("1700000001.000100", "hello"),
        message("1700000002.000100", "who is in?", thread_ts="1700000002.000100"),
        message("1700000003.000100", "me", user=ME, thread_ts="1700000002.000100"),
        message("1700000004.000100", f"<@{BO}> has joined the channel", subtype="channel_join"),
    ]


@pytest.fixture
def slack(start: Callable[..., LocalApp]) -> LocalApp:
    return start("slack", rows=rows(), me="me")
