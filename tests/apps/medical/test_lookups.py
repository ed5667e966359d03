"""The server's cache, and its answers of a session without a network."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from farm import content
from farm.appkit.schema import Schema
from farm.context import context as context_module
from farm.context.shared_start import SharedStart
from farm.context.template import build
from farm.testing import LocalApp, LocalWorld

RECORDED = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "medical" / "envelope_samples.jsonl"
FIRST, LAST = (datetime(2026, 11, 21, 1, 37, *at, tzinfo=UTC) for at in ((42, 234_000), (51, 952_000)))


@pytest.mark.fact("cache")
def test_a_repeated_lookup_tells_its_age_until_it_expires(tmp_path: Path) -> None:
    with LocalWorld("harbor", apps=["medical"], data=tmp_path) as world:
        ask = partial(world.call, "medical")
        ask("search-medical-literature", query="sleep")
        world.advance(timedelta(seconds=90))
        assert ask("search-medical-literature", query="sleep").endswith("\n\n*📦 Cached (90s old)*")
        assert ask("search-medical-literature", query="sleep", max_results=9).endswith("*🔄 Fresh API response*")
        world.advance(timedelta(hours=1) - timedelta(seconds=60))
        assert "Total Entries: 1\n" in ask("get-cache-stats")
        assert ask("search-medical-literature", query="sleep").endswith("*🔄 Fresh API response*")


@pytest.mark.fact("cache")
def test_the_oldest_tenth_goes_when_the_cache_is_full(medical: LocalApp) -> None:
    medical.text("get-drug-details", ndc="kept")
    for number in range(999):
        medical.text("get-drug-details", ndc=str(number))
    medical.text("get-drug-details", ndc="kept")
    assert "Total Entries: 1000\nCache Hits: 1\nCache Misses: 1000\nHit Rate: 0.1%\n" in medical.text("get-cache-stats")

    medical.text("get-drug-details", ndc="one more")

    assert "Total Entries: 901\n" in medical.text("get-cache-stats")
    assert "Cached" in medical.text("get-drug-details", ndc="kept")
    assert "Fresh" in medical.text("get-drug-details", ndc="0")


@pytest.mark.fact("cache")
def test_a_session_without_a_network_is_answered_to_the_letter(
    start: Callable[..., LocalApp], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No backend answered, so the reference has no rows. When is known of the first and the last."""
    if not RECORDED.is_file():
        pytest.skip("the recorded calls are not on this machine")
    schema = Schema(content.reference_metadata("medicine"))
    nothing = SharedStart(build(schema, ()), schema.searched)
    monkeypatch.setattr(context_module, "load_reference", lambda name: nothing)
    calls = [json.loads(line) for line in RECORDED.read_text("utf-8").splitlines()]
    medical = start("medical", now=FIRST.isoformat())

    answers = []
    for call in calls:
        if call["tool"] == "search-pediatric-guidelines":
            # From here on the calls came close together; the fourth is the last that was no repeated one.
            context = medical.store.open(medical.id)
            context.clock_ms = int(LAST.timestamp() * 1000) - context.writes - 3
        answers.append(medical.result(call["tool"], **call["arguments"]))

    assert answers == [call["result"] for call in calls]
