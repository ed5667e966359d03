"""Amap in world harbor, on its first Monday."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from farm.testing import LocalApp


@pytest.fixture(scope="module")
def amap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalApp]:
    """Amap; nothing changes it, so a module has one."""
    folder: Path = tmp_path_factory.mktemp("amap")
    with LocalApp("amap", folder, world="harbor") as app:
        yield app


@pytest.fixture
def refused(amap: LocalApp) -> Callable[..., str]:
    """Call a tool and return the sentence of its refusal, as a client reads it."""

    def ask(tool: str, **arguments: Any) -> str:
        result = amap.result(tool, **arguments)
        assert result["isError"] is False
        body = json.loads(result["content"][0]["text"])
        assert list(body) == ["error"]
        return str(body["error"])

    return ask
