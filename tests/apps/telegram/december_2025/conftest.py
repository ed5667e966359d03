"""Telegram on Ada's account."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.rows import rows

Says = Callable[..., str]


@pytest.fixture
def telegram(start: Callable[..., LocalApp]) -> LocalApp:
    return start("telegram", profile="paper-2025", rows=rows(), me="ada")


@pytest.fixture
def says(telegram: LocalApp) -> Says:
    """Make a call and return the text that comes back: a success and a refusal look the same."""

    def make(tool: str, **arguments: Any) -> str:
        result = telegram.result(tool, **arguments)
        text = str(result["content"][0]["text"])
        assert result == {
            "content": [{"type": "text", "text": text}],
            "structuredContent": {"result": text},
            "isError": False,
        }
        return text

    return make


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
