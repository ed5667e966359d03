"""Fixtures of the protocol tests: the toy app, served in process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from farm.server.app import AppServer
from tests.protocol.wire import CONTENT, toy_server


@pytest.fixture(autouse=True)
def _toy_content(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARM_CONTENT", str(CONTENT))


@pytest_asyncio.fixture
async def toy(tmp_path: Path) -> AsyncIterator[AppServer]:
    """A running server of the toy app with one empty episode, ``ep``."""
    server = toy_server(tmp_path)
    async with server.running():
        yield server


@pytest_asyncio.fixture
async def reference(tmp_path: Path) -> AsyncIterator[AppServer]:
    """The same, with every request left to the SDK."""
    server = toy_server(tmp_path / "reference", is_fast=False)
    async with server.running():
        yield server
