"""Telegram on Ada's account, as the server of August 2026 shows it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.rows import rows_of_2026

Says = Callable[..., str]
Told = Callable[..., Any]
After = Callable[[str], list[dict[str, Any]]]


@pytest.fixture
def telegram(start: Callable[..., LocalApp]) -> LocalApp:
    return start("telegram", rows=rows_of_2026(), me="ada")


@pytest.fixture
def says(telegram: LocalApp) -> Says:
    """Make a call and return the text that comes back: a success and a refusal look the same."""

    def make(tool: str, **arguments: Any) -> str:
        result = telegram.result(tool, **arguments)
        text = str(result["content"][0]["text"])
        assert result == {
            "content": [{"type": "text", "text": text, "annotations": {"audience": ["user"]}}],
            "structuredContent": {"result": text},
            "isError": False,
        }
        return text

    return make


@pytest.fixture
def told(says: Says) -> Told:
    """Make a call and return the JSON that comes back."""

    def make(tool: str, **arguments: Any) -> Any:
        return json.loads(says(tool, **arguments))

    return make


@pytest.fixture
def after(telegram: LocalApp) -> After:
    """Return the changed rows of a table as they are now, in the order of their keys."""

    def find(table: str) -> list[dict[str, Any]]:
        keys = [each["key"] for each in telegram.changes().get(table, [])]
        keys.sort(key=lambda key: [str(value).zfill(20) for value in key.values()])
        where = " AND ".join(f"{name} = ?" for name in keys[0]) if keys else ""
        db = telegram.episode.db
        return [row for key in keys for row in db.all(f"SELECT * FROM {table} WHERE {where}", *key.values())]

    return find


@pytest.fixture
def fails(telegram: LocalApp, says: Says) -> Callable[..., None]:
    """Make a call that must end in the tool's code and change nothing."""

    def make(tool: str, **arguments: Any) -> None:
        before = telegram.changes()
        text = says(tool, **arguments)
        assert text.startswith("An error occurred (code: "), text
        assert text.endswith("). Check mcp_errors.log for details.")
        assert telegram.changes() == before

    return make
