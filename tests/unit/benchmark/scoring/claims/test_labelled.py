"""The labelled texts: frozen as their authors handed them in, and the half that may be tuned on stays understood."""

from __future__ import annotations

import hashlib
from functools import lru_cache

import pytest

from tests.claims.labelled_texts import HERE, agent_texts, labelled, sat_texts
from tests.claims.measure import KNOWN_MISSES, Outcome, judge_all, misses

# Who wrote them had not seen the matcher; a text that is changed afterwards is no exam any more.
FROZEN = {
    "assistants": "2e894f204a481c4f",
    "colleagues": "a347aa9205e9331f",
    "evaluators": "153a9895f6ef1b09",
    "examiners": "77737d70194d9eec",
    "graders": "f3e9abb6f8892936",
    "models": "87581993ead8fab9",
    "natives": "9bd6259d359fe4a0",
    "newcomers": "10f8f8834a2aacc7",
    "novelists": "c135cc3bb39d3653",
    "people": "95c5fa79db6211b3",
    "sceptics": "803ae262b22e3068",
    "strangers": "c60e71f9c1e2597c",
    "testers": "508c85c2192316af",
}
# The texts of three authors who had seen instructions and worlds only; no weight was learned from them.
EXAM = {"advisers": "f4cf7236b4f9526c", "coworkers": "44665865bf876c08", "probers": "03255949c8eb3029"}

# What models wrote in trials, and what half of it teaches.
AGENTS = "cc1ed7f6a46d4f74"


def test_every_authors_texts_are_frozen() -> None:
    assert {path.stem for path in (HERE / "labelled").glob("*.txt")} == FROZEN.keys()


@pytest.mark.parametrize(("author", "digest"), FROZEN.items())
def test_no_text_was_changed_since(author: str, digest: str) -> None:
    data = (HERE / "labelled" / f"{author}.txt").read_bytes()

    assert hashlib.sha256(data).hexdigest()[:16] == digest


@pytest.mark.parametrize(("author", "digest"), EXAM.items())
def test_no_text_of_the_exam_was_changed_since(author: str, digest: str) -> None:
    data = (HERE / "exam" / f"{author}.txt").read_bytes()

    assert hashlib.sha256(data).hexdigest()[:16] == digest


def test_no_text_of_a_model_was_changed_since() -> None:
    assert hashlib.sha256((HERE / "agents.txt").read_bytes()).hexdigest()[:16] == AGENTS


@lru_cache
def tuned() -> list[Outcome]:
    return judge_all(list(labelled("tune")))


def test_a_text_that_was_understood_stays_understood() -> None:
    known = {*KNOWN_MISSES.read_text("utf-8").splitlines()}

    new = [line for line in misses(tuned()) if line not in known]
    # Where a change is worth them: python -m tests.claims.measure tune --known
    assert not new, f"{len(new)} texts more"
    assert sum(not line.startswith("sure ") for line in known) < 500
    assert len(known) < 1700


def test_the_half_that_is_tuned_on_stays_understood() -> None:
    outcomes = tuned()
    right = [each.is_hit for each in outcomes if each.exam.labelled.is_right]
    wrong = [each.is_hit for each in outcomes if not each.exam.labelled.is_right]
    sure = [each.is_hit for each in outcomes if each.judgement.sure]

    assert len(outcomes) > 6500
    assert sum(right) / len(right) >= 0.97
    assert sum(wrong) / len(wrong) >= 0.93
    assert sum(sure) / len(sure) >= 0.98
    assert len(sure) / len(outcomes) >= 0.83


def test_what_models_wrote_in_trials_is_read() -> None:
    outcomes = judge_all(list(agent_texts("tune")))
    sure = [each.is_hit for each in outcomes if each.judgement.sure]

    assert len(outcomes) == 328
    assert sum(each.is_hit for each in outcomes) / len(outcomes) >= 0.94
    assert len(sure) / len(outcomes) >= 0.87
    assert sum(not is_hit for is_hit in sure) <= 3


def test_what_sitters_wrote_is_accepted() -> None:
    assert [each.exam.labelled.place for each in judge_all(list(sat_texts())) if not each.is_hit] == []
