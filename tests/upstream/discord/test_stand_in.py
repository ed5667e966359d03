"""The stand-in for Discord's API, asked without the real server: it reads our app's rows, which change unseen by it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from farm.testing import LocalApp
from tests.apps.discord.conftest import BOT, CLUB, HELLO, HIDDEN, TALK, rows
from tests.upstream.discord.backend import backend
from tests.upstream.real import by_hand


def test_it_answers_with_the_rows_of_an_app(start: Callable[..., LocalApp]) -> None:
    api = backend(start("discord", rows=rows(), me="ada"), datetime(2026, 3, 9, 1, tzinfo=UTC))
    (hello,) = (row for row in rows() if row["table"] == "messages" and row["message_id"] == HELLO)

    guild = by_hand(api, f"GET /guilds/{CLUB}")[1]
    said = by_hand(api, f"GET /channels/{TALK}/messages/{HELLO}")[1]
    made = by_hand(api, f"POST /channels/{TALK}/messages", body={"content": "Boots on."})[1]
    listed = by_hand(api, f"GET /channels/{TALK}/messages", {"limit": "1"})[1]

    assert (guild["id"], guild["name"]) == (CLUB, "Hiking club")
    assert (said["content"], said["author"]["id"]) == (hello["content"], hello["author_id"])
    assert [(each["id"], each["content"], each["author"]["id"]) for each in listed] == [(made["id"], "Boots on.", BOT)]
    assert by_hand(api, f"GET /channels/{HIDDEN}/messages", {"limit": "1"})[0] == 403
