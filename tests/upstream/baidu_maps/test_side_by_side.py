"""Baidu's own server, in front of stand-in services on this machine, beside ours: the same calls to both."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from farm.appkit.handler_api import VendorError
from farm.content import kernel_module
from farm.context.reference import load_reference
from farm.testing import LocalApp
from tests.upstream.baidu_maps.backend import KEY, Backend
from tests.upstream.baidu_maps.calls import ASKED
from tests.upstream.real import assert_alike, calls_with_ids, python_with, side_by_side, stand_in

_RELEASE = ("mcp-server-baidu-maps==0.2.4", "mcp==1.30.0")
_START = Path(__file__).with_name("start.py")
_NOW = datetime.fromisoformat("2026-03-09T08:40:00+08:00")


def _congestion(maps: LocalApp, asked: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return the roads that are asked for with their congested pieces, as our app draws them; None where it refuses."""
    try:
        roads: list[dict[str, Any]] = maps.call("map_road_traffic", **asked)["road_traffic"]
    except VendorError:
        return None
    return roads


def test_the_real_server_and_ours_answer_alike(tmp_path: Path) -> None:
    python = python_with(*_RELEASE)
    # The vendor's ids are the vendor's: the stand-in shows places under those that our app gives them.
    uid = kernel_module("baidu_maps", "places").uid_of

    with LocalApp("baidu_maps", tmp_path / "stand-in", now=_NOW.isoformat(), seed=0) as maps:
        calls = calls_with_ids(ASKED, lambda name: str(maps.call("map_search_places", query=name)["results"][0]["uid"]))
        api = Backend(load_reference("gazetteer"), _NOW, uid, partial(_congestion, maps))
        with stand_in(api) as url:
            command, environment = [str(python), str(_START), url], {"BAIDU_MAPS_API_KEY": KEY}
            found = side_by_side("baidu_maps", calls, command, tmp_path / "ours", environment=environment, at=_NOW)

    assert_alike(found, len(calls))
    assert found["confusion"]["success"]["success"] >= len(calls) / 2
