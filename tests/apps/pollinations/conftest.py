"""The server on an empty disk, on a Monday at nine in Shanghai."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.testing import LocalApp


@pytest.fixture
def pollinations(start: Callable[..., LocalApp]) -> LocalApp:
    return start("pollinations", now="2026-03-09T09:00:00+08:00")
