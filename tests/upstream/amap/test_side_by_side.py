"""The real Amap server, in front of a stand-in of the REST API, beside ours: the same calls to both."""

from __future__ import annotations

import asyncio
import json
import re
import venv
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from importlib import import_module
from pathlib import Path

import pytest

from farm import content
from farm.context.reference import load_reference
from farm.testing import LocalApp
from farm.traverse.calls import Recorded, read_line
from farm.traverse.fidelity import measure
from farm.traverse.replay import Start
from farm.traverse.side_by_side import ask
from farm.traverse.source import read_source
from tests.upstream.amap.backend import KEY, backend
from tests.upstream.amap.calls import ASKED
from tests.upstream.real import install, install_folder, stand_in

_RELEASE = ("amap-mcp-server==0.1.11", "mcp==1.8.1", "pydantic==2.11.10")
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
def amap(tmp_path: Path) -> Iterator[LocalApp]:
    """Our app, asked only for the ids of places."""
    with LocalApp("amap", tmp_path / "ids", now=_NOW.isoformat(), seed=0) as app:
        yield app


def _id(amap: LocalApp, name: str) -> str:
    return str(amap.call("maps_text_search", keywords=name)["pois"][0]["id"])


def _calls(amap: LocalApp) -> list[Recorded]:
    lines: list[Recorded] = []
    for tool, asked in ASKED.items():
        for arguments in asked:
            text = json.dumps({"tool": tool, "arguments": arguments, "result": {"content": []}}, ensure_ascii=False)
            text = re.sub(r"\{id:(.+?)\}", lambda named: _id(amap, named[1]), text)
            lines.append(replace(read_line(text.encode(), len(lines) + 1, _START), trace=0))
    return lines


def test_the_real_server_and_ours_answer_alike(python: Path, amap: LocalApp, tmp_path: Path) -> None:
    calls = _calls(amap)
    # The vendor's ids are the vendor's: the stand-in shows places under those that our app gives them.
    formats = import_module("farm._content.kernels.amap.formats")
    api = backend(load_reference("gazetteer"), _NOW, formats.place_key, formats.read_place_key)

    with stand_in(api) as url:
        source = read_source([str(python), str(_START), url], environment=[f"AMAP_MAPS_API_KEY={KEY}"])
        answered = asyncio.run(ask(source, calls))
    at = [replace(each, at=_NOW) for each in answered]
    found = measure(content.load_app("amap"), at, Start(), tmp_path, is_sequence=True)

    assert found["differences"] == []
    assert (found["compared"], found["agreement"], found["exact"]) == (len(calls), 1.0, 1.0)
    assert found["bodies"]["leaf_equal"] == 1.0
    assert len(calls) >= 60
    assert sum(map(_is_success, answered)) >= len(calls) / 2


def _is_success(call: Recorded) -> bool:
    """Return whether the real server did what it was asked: the API's refusals are no errors of the protocol."""
    text = call.result["content"][0]["text"]
    return not call.result["isError"] and list(json.loads(text)) != ["error"]
