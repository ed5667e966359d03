"""The short runs of make fuzz and make chaos, and that they would notice."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from farm.runtime.supervisor.state import FarmState
from tests.e2e.conftest import RunningFarm
from tests.protocol.wire import CONTENT
from tests.stress.chaos import VICTIMS, Chaos
from tests.stress.findings import Finding, shrunk
from tests.stress.fuzz import Again, complaints, fuzz, where_of
from tests.stress.soak import Held, grown

pytestmark = [pytest.mark.slow, pytest.mark.e2e, pytest.mark.xdist_group("stress")]
SEED, SCENES, KILLS = 9, 5, 5


def test_generated_calls_and_mutated_requests_find_nothing(
    start_farm: Callable[..., RunningFarm], tmp_path: Path
) -> None:
    report = fuzz(start_farm(), seed=SEED, numbers=range(SCENES), clients=1, saved=tmp_path)

    assert [f"{each.kind}: {each.detail[:1000]}; {each.command}" for each in report.findings] == []
    assert report.tally.scenes == SCENES
    assert report.tally.kinds["done"] > 300
    assert report.tally.kinds["calls found in traces"] > 1000
    assert report.tally.kinds["mutated: 200"] > 40


def test_a_tool_that_breaks_is_found_and_its_request_made_short(
    start_farm: Callable[..., RunningFarm], tmp_path: Path
) -> None:
    farm = start_farm("--apps=toy", FARM_CONTENT=str(CONTENT))

    report = fuzz(farm, seed=SEED, numbers=range(1), clients=1, saved=tmp_path)

    (found,) = report.findings
    assert (found.kind, "internal error in note_fail" in found.detail) == ("unhandled", True)
    (path,) = tmp_path.glob("unhandled-*.json")
    saved = Finding.load(path)
    assert saved == found
    assert len(saved.request) < 500
    with Again(where_of(farm), saved) as again:
        assert again.shows()
        assert not again.shows(saved.request.replace("note_fail", "note_show").encode("latin-1"))


def test_a_request_is_made_as_short_as_still_shows_it() -> None:
    body = b'{"a": [1, 2, 3], "b": "boom"}'
    data = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)

    short = shrunk(
        data, lambda each: b"boom" in each and b"content-length: %d\r\n" % len(each.split(b"\r\n\r\n")[1]) in each
    )

    assert short.split(b"\r\n\r\n") == [b"content-length: 4", b"boom"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks its apps")
def test_nothing_acknowledged_is_lost_or_doubled_whatever_is_killed(tmp_path: Path) -> None:
    chaos = Chaos(tmp_path, SEED)
    try:
        count = chaos.run(KILLS, VICTIMS)
    finally:
        chaos.end()

    assert (count.lost, count.doubled, count.strange) == (0, 0, [])
    assert count.kills == {"app": 2, "gateway": 1, "starter": 1, "supervisor": 1}
    assert count.acknowledged > 50
    assert FarmState.load(tmp_path) is None


def test_what_grows_is_said() -> None:
    old = {"gateway": Held(100.0, 20, 2), "data folder": Held(files=10, disk_mib=5.0)}

    assert grown(old, old) == []
    assert grown(old, {**old, "gateway": Held(116.0, 28, 4)}) == []
    assert grown(old, {**old, "gateway": Held(117.0, 29, 5)}) == [
        "gateway: descriptors 20.0 -> 29.0, over 28.0",
        "gateway: memory_mib 100.0 -> 117.0, over 116.0",
        "gateway: threads 2.0 -> 5.0, over 4.0",
    ]
    assert grown(old, {**old, "data folder": Held(files=19, disk_mib=7.0)}) == [
        "data folder: disk_mib 5.0 -> 7.0, over 6.0",
        "data folder: files 10.0 -> 19.0, over 18.0",
    ]
    assert grown(old, {"data folder": old["data folder"]}) == ["gateway is another process"]


def test_requests_that_are_none_are_no_complaint_however_often_they_are_told() -> None:
    said = (
        "ready: 1 app",
        "Invalid HTTP request received.",
        "2026-11-22 18:04:15,237 uvicorn.error Invalid HTTP request received. (295 more since this was last said)",
        "tool note_fail failed on {} (3 more since this was last said)",
    )
    farm = cast(RunningFarm, SimpleNamespace(output="\n".join(said)))

    assert complaints(farm) == said[-1]
