"""Fixtures every test may use."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import junkdrawer

from farm.testing import LocalApp

pytest_plugins = ["pytester"]  # for tests of the pytest plugin; it may be named here alone

# Hypothesis would time every collection from Python, only to take it off its deadlines. A call's timeout may fall into
# that, where what it raises is swallowed and reported against whichever test runs.
junkdrawer._gc_initialized = True

# The same examples in every run, however long the machine takes for one: what fails here fails everywhere.
settings.register_profile("farm", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("farm")

# A shell that has us run in the background has us ignore SIGINT, and with us all that a test starts and breaks off.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

Start = Callable[..., LocalApp]


def pytest_collectstart() -> None:
    """Look for no garbage while tests are collected: there is hardly any, and each look walks all that was imported."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave what collecting made out of later full collections, which would outlast a timeout on a slow machine."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let pytest-xdist 3.8 keep the tests of a group on one worker.

    It writes the group behind the id of a test, where pytest 9.2 no longer looks, and then deals the tests out as if
    there were no groups. Source: https://github.com/pytest-dev/pytest-xdist/issues/1386
    """
    if not getattr(config.option, "loadgroup", False):
        return
    for item in items:
        groups = {str(mark.args[0]) for mark in item.iter_markers("xdist_group")}
        suffix = f"@{'_'.join(sorted(groups))}"
        if groups and not item.nodeid.endswith(suffix):
            item._id = type(item._id).parse(item.nodeid + suffix)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """Put back after each test what the whole process has but once and a farm takes for itself when it serves."""
    mask = os.umask(0o022)
    os.umask(mask)
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        return (yield)
    finally:
        os.umask(mask)
        for each, handler in handlers.items():
            signal.signal(each, handler)


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
