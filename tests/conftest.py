"""Fixtures every test may use."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis.internal.conjecture import junkdrawer

from farm.testing import LocalApp

pytest_plugins = ["pytester"]  # for tests of the pytest plugin; it may be named here alone

# Hypothesis would time every collection from Python, only to take it off its deadlines. The cut of a call may fall into
# that, where what it raises is swallowed and reported against whichever test runs.
junkdrawer._gc_initialized = True

Start = Callable[..., LocalApp]


def pytest_collection_finish() -> None:
    """Leave what collecting made out of every later full collection, which would outlast the cut on a slow machine."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start an app in process: ``start("slack", world=…)`` or ``start("slack", rows=[…], me="…")``."""
    started: list[LocalApp] = []

    def make(app: str, **options: Any) -> LocalApp:
        started.append(LocalApp(app, tmp_path / str(len(started)), **options))
        return started[-1]

    yield make
    for each in started:
        each.close()
