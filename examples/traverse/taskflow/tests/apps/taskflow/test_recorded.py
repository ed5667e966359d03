"""The recorded calls that Taskflow was written from are answered as the real server answered them."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm import content
from farm.traverse.fidelity.compare import compare
from farm.traverse.fidelity.provenance import load_provenance, own_start
from farm.traverse.fidelity.replay import Start, replay
from farm.traverse.recordings.calls import Recorded, read_calls

CALLS = [each for each in read_calls(Path(__file__).parent / "../../../pool/pool.jsonl") if each.side in ("train", "check")]
TRACES = sorted({each.trace or 0 for each in CALLS})
# Calls that the app answers otherwise than the real server, as [trace, step].
KNOWN = []


@pytest.mark.fact("recorded")
@pytest.mark.parametrize("trace", TRACES)
def test_a_trace_is_answered_as_recorded(trace: int, tmp_path: Path) -> None:
    loaded = content.load_app("taskflow")
    calls: list[Recorded] = [each for each in CALLS if each.trace == trace]
    masks = load_provenance(loaded).masks

    answers = replay(loaded, calls, own_start(loaded, Start()), tmp_path, masks=masks)

    compared = [compare(each, ours, masks) for each, ours in zip(calls, answers, strict=True)]
    differing = [[each.recorded.trace, each.recorded.step] for each in compared if not each.is_exact]
    assert [each for each in differing if each not in KNOWN] == []
