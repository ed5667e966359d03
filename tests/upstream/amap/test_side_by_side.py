"""The real Amap server, in front of a stand-in of the REST API, beside ours: the same calls to both."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from farm.content import kernel_module
from farm.context.reference import load_reference
from farm.testing import LocalApp
from tests.upstream.amap.backend import KEY, backend
from tests.upstream.amap.calls import ASKED
from tests.upstream.real import assert_alike, calls_with_ids, python_with, side_by_side, stand_in

_RELEASE = ("amap-mcp-server==0.1.11", "mcp==1.8.1", "pydantic==2.11.10")
_START = Path(__file__).with_name("start.py")
_NOW = datetime.fromisoformat("2026-03-09T08:40:00+08:00")


def test_the_real_server_and_ours_answer_alike(tmp_path: Path) -> None:
    python = python_with(*_RELEASE)
    # The vendor's ids are the vendor's: the stand-in shows places under those that our app gives them.
    formats = kernel_module("amap", "formats")
    api = backend(load_reference("gazetteer"), _NOW, formats.place_key, formats.read_place_key)

    with LocalApp("amap", tmp_path / "ids", now=_NOW.isoformat(), seed=0) as amap:
        calls = calls_with_ids(ASKED, lambda name: str(amap.call("maps_text_search", keywords=name)["pois"][0]["id"]))
        answers = [amap.result(tool, **arguments) for tool, arguments in calls]
    with stand_in(api) as url:
        command, environment = [str(python), str(_START), url], {"AMAP_MAPS_API_KEY": KEY}
        found = side_by_side("amap", calls, command, tmp_path / "ours", environment=environment, at=_NOW)

    assert_alike(found, len(calls))
    assert len(calls) >= 60
    assert sum(map(_is_success, answers)) >= len(calls) / 2


def _is_success(result: Any) -> bool:
    """Return whether it was done what was asked: the API's refusals are no errors of the protocol."""
    return not result["isError"] and list(json.loads(result["content"][0]["text"])) != ["error"]
