"""Verdicts as lines of a log."""

from __future__ import annotations

from dataclasses import asdict

from farm.benchmark.scoring.evidence import CheckpointScore, Contested, ProseScore


def test_a_line_of_a_verdict_has_all_its_parts_as_json() -> None:
    doubtful = Contested("answer", "maybe 4", ("to say 4",), True, ("maybe?",), "Is it 4?")
    prose = ProseScore(0.5, "so it says", 0.0, 1.0, (doubtful,))
    score = CheckpointScore("a", "search", 1.0, "as asked", 0.0, 1.0, (doubtful,), (doubtful, doubtful), 1.0, prose)

    for each in (score, CheckpointScore.sure("b", "other", 0.0, "not so")):
        assert each.as_line() == asdict(each)
        assert list(each.as_line()) == list(asdict(each))
