"""The mailbox that the tests start on, and how a search is read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.testing import LocalApp
from tests.apps.gmail.mailbox import NOW, ROWS


@pytest.fixture
def gmail(start: Callable[..., LocalApp]) -> LocalApp:
    return start("gmail", rows=ROWS, me="mira", now=NOW)


@pytest.fixture
def say(gmail: LocalApp) -> Callable[..., str]:
    """Call a tool and return its text, whether it succeeds or refuses."""

    def call(tool: str, **arguments: object) -> str:
        result = gmail.result(tool, **arguments)
        assert set(result) == {"content"}, "a refusal looks like a success"
        return str(result["content"][0]["text"])

    return call


@pytest.fixture
def find(say: Callable[..., str]) -> Callable[[str], list[str]]:
    """Search and return the ids that are found, newest first."""

    def search(query: str) -> list[str]:
        text = say("search_emails", query=query, maxResults=100)
        return [line.removeprefix("ID: ") for line in text.split("\n") if line.startswith("ID: ")]

    return search
