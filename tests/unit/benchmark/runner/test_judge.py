"""The optional judge: asked once, about texts in doubt only, shown beside the figures of code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from farm.benchmark.runner.judge import CACHE, JudgeModel, judged, prompt_for

CONTESTED = {
    "place": "text",
    "text": "It may well be the 26th.",
    "wanted": ["to say date 2026-03-26"],
    "guess": True,
    "doubts": ["'may well'"],
    "question": None,
}


def trial(task: str, score: float, low: float, high: float, *contested: dict[str, Any]) -> dict[str, Any]:
    point = {"id": "p", "kind": "operate", "score": score, "low": low, "high": high, "contested": list(contested)}
    line = {"task": task, "trial": 0, "category": "c", "outcome": "pass", "damage": [], "weight": 1}
    return line | {"acc": score, "exec_acc": float(score == 1), "tfs": True, "tefs": None, "checkpoints": [point]}


class Scripted(JudgeModel):
    """Gives one answer to everything and counts how often it is asked."""

    def __init__(self, folder: Path, answer: str) -> None:
        super().__init__("m", folder)
        self._answer = answer
        self.asked = 0

    def _ask(self, question: str) -> str:
        self.asked += 1
        return self._answer


@pytest.mark.parametrize(
    ("answer", "acc", "decided", "agrees"), [("No.", 0.5, 1, 0), ("**yes**", 1.0, 1, 1), ("Hard to say", 1.0, 0, 0)]
)
def test_the_judge_decides_what_is_in_doubt(tmp_path: Path, answer: str, acc: float, decided: int, agrees: int) -> None:
    trials = [trial("x", 1.0, 0.5, 1.0, CONTESTED)]

    found = judged(trials, Scripted(tmp_path, answer), {"x": "Say when."})

    assert (found["acc"], found["contested"], found["decided"], found["agrees"]) == (acc, 1, decided, agrees)


def test_what_code_is_sure_of_is_nobodys_question(tmp_path: Path) -> None:
    judge = Scripted(tmp_path, "no")

    found = judged([trial("x", 1.0, 1.0, 1.0)], judge, {"x": "Say when."})

    assert (found["acc"], judge.asked) == (1.0, 0)


def test_an_answer_is_kept_beside_the_run(tmp_path: Path) -> None:
    first, second = Scripted(tmp_path, "no"), Scripted(tmp_path, "yes")
    assert first.decide(CONTESTED, "Say when.") is False
    with (tmp_path / CACHE).open("ab") as file:
        file.write(b'{"key": "torn')

    second = Scripted(tmp_path, "yes")

    assert second.decide(CONTESTED, "Say when.") is False
    assert second.asked == 0
    assert second.decide(CONTESTED, "Say when it is.") is True
    assert Scripted(tmp_path, "no").decide(CONTESTED, "Say when it is.") is True


def test_the_prompt_holds_the_request_the_claims_the_text_and_the_tasks_own_question() -> None:
    found = prompt_for(CONTESTED | {"question": "Is it the 26th?"}, "Tell Aisha when.")

    for each in ("Tell Aisha when.", "- to say date 2026-03-26", "It may well be the 26th.", "Is it the 26th?"):
        assert each in found
