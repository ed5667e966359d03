"""Lark in process, on a small company."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.testing import LocalApp
from tests.apps.lark.company import rows


@pytest.fixture
def lark(start: Callable[..., LocalApp]) -> LocalApp:
    return start("lark", rows=rows(), me="me")
