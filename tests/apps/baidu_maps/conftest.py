"""Baidu Maps in process, on a Monday morning in March."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from farm.appkit.handler_api import Database
from farm.context.reference import load_reference
from farm.testing import LocalApp

NOW = "2026-03-09T09:07:00+08:00"


@pytest.fixture
def maps(tmp_path: Path) -> Iterator[LocalApp]:
    """The app."""
    app = LocalApp("baidu_maps", tmp_path, now=NOW)
    yield app
    app.close()


@pytest.fixture
def gazetteer() -> Database:
    """What it looks things up in."""
    return load_reference("gazetteer")
