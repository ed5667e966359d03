"""The optional judge: asked once, about texts in doubt only, shown beside the figures of code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
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


def test_the_prompt_asks_the_tasks_question_or_whether_the_text_says_it_all() -> None:
    found = prompt_for(CONTESTED | {"wanted": ["to say a", "to say b"]}, "Tell Aisha when.")

    begin, _, rest = found.partition("What was asked:\n")
    assert "You check one thing about a text" in begin
    said, _, rest = rest.partition("\n\nWhat the text must say:\n")
    wanted, _, rest = rest.partition("\n\nThe text, between the lines of equals signs:\n==========\n")
    text, _, rest = rest.partition("\n==========\n\nQuestion: ")
    question, _, rest = rest.partition("\n\n")
    assert (said, wanted, text, question) == (
        "Tell Aisha when.",
        "- to say a\n- to say b",
        "It may well be the 26th.",
        "Does the text say all of that, and nothing that contradicts it?",
    )
    assert rest.endswith("Answer with one word, yes or no.\n")


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("yes", True),
        ("Yes, it does.", True),
        ('"YES"', True),
        (" *yes*\n", True),
        ("'no'", False),
        ("No", False),
        ("no.", False),
        ("Nope", False),
        ("ye", None),
        ("", None),
        ("maybe, yes", None),
    ],
)
def test_a_verdict_is_the_first_word_of_the_answer(tmp_path: Path, answer: str, verdict: bool | None) -> None:
    assert Scripted(tmp_path, answer).decide(CONTESTED, "Say when.") is verdict


def test_a_text_that_was_not_read_is_not_judged_either(tmp_path: Path) -> None:
    judge = Scripted(tmp_path, "yes")

    assert judge.decide(CONTESTED | {"is_read": False}, "Say when.") is None
    assert judge.decide(CONTESTED | {"is_read": True}, "Say when.") is True
    assert judge.asked == 1


def test_a_kept_answer_stands_with_its_model_and_text_and_a_judge_without_answer_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Scripted(tmp_path, "yes").decide(CONTESTED, "Say when.")

    (line,) = (tmp_path / "judge.jsonl").read_bytes().splitlines()
    kept = orjson.loads(line)
    assert len(kept.pop("key")) == 64
    assert kept == {"model": "m", "text": "It may well be the 26th.", "answer": "yes"}
    nobody = JudgeModel("m", tmp_path / "elsewhere", base_url="http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8/v1")
    assert (nobody.model, nobody._base_url) == ("m", "http://127.0.0.1:9/v1")
    assert JudgeModel("m", tmp_path)._base_url == "http://127.0.0.1:8/v1"


def test_the_figures_with_a_judge_count_each_contested_text_and_say_where_it_differs_from_the_guess(
    tmp_path: Path,
) -> None:
    denied = CONTESTED | {"text": "It is not.", "guess": False}
    trials = [
        trial("x", 0.5, 0.5, 1.0, CONTESTED, denied),
        trial("y", 0.5, 0.0, 1.0, CONTESTED | {"text": "?"}),
        trial("z", 1.0, 1.0, 1.0),
    ]

    class Choosing(Scripted):
        def _ask(self, question: str) -> str:
            self.asked += 1
            if "Say when." not in question:
                return "hm"
            return "yes" if "may well" in question else "no"

    judge = Choosing(tmp_path, "")
    found = judged(trials, judge, {"x": "Say when.", "y": "Say what.", "z": "Say why."})

    told = ("model", "prompt", "contested", "decided", "agrees", "acc", "unsure", "trials")
    assert {name: found[name] for name in told} == {
        "model": "m",
        "prompt": "contested-1",
        "contested": 3,
        "decided": 2,
        "agrees": 2,
        # x falls to its low, y keeps its guess.
        "acc": round((0.5 + 0.5 + 1.0) / 3, 4),
        "unsure": 0.0,
        "trials": 3,
    }
    assert judge.asked == 3
