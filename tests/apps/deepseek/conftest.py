"""An account with a full balance, on a Monday at nine in Shanghai."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.testing import LocalApp


@pytest.fixture
def deepseek(start: Callable[..., LocalApp]) -> LocalApp:
    return start("deepseek", now="2026-03-09T09:00:00+08:00")
