"""Baidu's own server, in front of stand-in services on this machine, beside ours: the same calls to both."""

from __future__ import annotations

import asyncio
import json
import re
import venv
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.context.reference import load_reference
from farm.kernel import VendorError
from farm.testing import LocalApp
from farm.traverse.calls import Recorded, read_line
from farm.traverse.fidelity import measure
from farm.traverse.replay import Start
from farm.traverse.side_by_side import ask
from farm.traverse.source import read_source
from tests.upstream.baidu_maps.backend import KEY, Backend
from tests.upstream.baidu_maps.calls import ASKED
from tests.upstream.real import install, install_folder, stand_in

_RELEASE = ("mcp-server-baidu-maps==0.2.4", "mcp==1.30.0")
_START = Path(__file__).with_name("start.py")
_NOW = datetime.fromisoformat("2026-03-09T08:40:00+08:00")


@pytest.fixture
def python() -> Path:
    """The interpreter of an environment that has the real server."""
    folder = install_folder() / _RELEASE[0]
    found = folder / "bin" / "python"
    if not (folder / "installed").is_file():
        venv.create(folder, with_pip=True)
        install(str(found), "-m", "pip", "install", "--quiet", *_RELEASE)
        (folder / "installed").touch()
    return found


@pytest.fixture
def maps(tmp_path: Path) -> Iterator[LocalApp]:
    """Our app, asked for the ids of places and for what it draws of the traffic."""
    app = LocalApp("baidu_maps", tmp_path / "stand-in", now=_NOW.isoformat(), seed=0)
    yield app
    app.close()


def _calls(maps: LocalApp) -> list[Recorded]:
    lines: list[Recorded] = []
    for tool, asked in ASKED.items():
        for arguments in asked:
            text = json.dumps({"tool": tool, "arguments": arguments, "result": {"content": []}}, ensure_ascii=False)
            text = re.sub(r"\{uid:(.+?)\}", lambda named: _uid(maps, named[1]), text)
            lines.append(replace(read_line(text.encode(), len(lines) + 1, _START), trace=0))
    return lines


def _uid(maps: LocalApp, name: str) -> str:
    return str(maps.call("map_search_places", query=name)["results"][0]["uid"])


def _congestion(maps: LocalApp, asked: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return the roads that are asked for with their congested pieces, as our app draws them; None where it refuses."""
    try:
        roads: list[dict[str, Any]] = maps.call("map_road_traffic", **asked)["road_traffic"]
    except VendorError:
        return None
    return roads


def test_the_real_server_and_ours_answer_alike(python: Path, maps: LocalApp, tmp_path: Path) -> None:
    calls = _calls(maps)
    # The vendor's ids are the vendor's: the stand-in shows places under those that our app gives them.
    uid = import_module("farm._content.kernels.baidu_maps.places").uid_of
    api = Backend(load_reference("gazetteer"), _NOW, uid, partial(_congestion, maps))

    with stand_in(api) as url:
        source = read_source([str(python), str(_START), url], environment=[f"BAIDU_MAPS_API_KEY={KEY}"])
        answered = asyncio.run(ask(source, calls))
    found = measure(
        content.load_app("baidu_maps"),
        [replace(each, at=_NOW) for each in answered],
        Start(),
        tmp_path,
        is_sequence=True,
    )

    assert found["differences"] == []
    assert (found["compared"], found["agreement"], found["exact"]) == (len(calls), 1.0, 1.0)
    assert found["bodies"]["leaf_equal"] == 1.0
    assert found["confusion"]["success"]["success"] >= len(calls) / 2
