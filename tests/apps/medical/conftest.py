"""The server of today, and as it was in October 2025."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.testing import LocalApp

FRESH = "\n\n*🔄 Fresh API response*"
Ask = Callable[..., str]


@pytest.fixture
def medical(start: Callable[..., LocalApp]) -> LocalApp:
    return start("medical")


@pytest.fixture
def ask(medical: LocalApp) -> Ask:
    """Ask for something for the first time and return the answer without the line that says so."""

    def fresh(tool: str, **arguments: object) -> str:
        text = medical.text(tool, **arguments)
        assert text.endswith(FRESH)
        return text.removesuffix(FRESH)

    return fresh


@pytest.fixture
def autumn(start: Callable[..., LocalApp]) -> LocalApp:
    return start("medical", profile="paper-2025")
