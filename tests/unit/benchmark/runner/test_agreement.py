"""Agreement of code, judge and people on the texts of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from farm.benchmark.runner.judge import JudgeModel
from farm.benchmark.runner.judge.agreement import cohens_kappa, measure
from farm.benchmark.runner.log import RunLog
from farm.errors import FarmError

SAID = {"demo": {"x": "Say when.", "y": "Say what."}}


def text(words: str, guess: bool, *doubts: str) -> dict[str, Any]:
    return {"place": "text", "text": words, "wanted": ["to say a"], "guess": guess, "doubts": doubts, "question": None}


def line(task: str, number: int, *points: dict[str, Any]) -> dict[str, Any]:
    return {"task": task, "trial": number, "id": f"{task}{number}id", "checkpoints": list(points)}


def point(name: str, kind: str, *texts: dict[str, Any]) -> dict[str, Any]:
    is_open = any(each["doubts"] for each in texts)
    return {"id": name, "kind": kind, "contested": texts if is_open else (), "settled": () if is_open else texts}


TRIALS = (
    line("x", 0, point("a", "generic_search", text("yes it is", True)), point("way", "other")),
    line("x", 1, point("a", "generic_search", text("no", False))),
    line("y", 0, point("b", "operate", text("perhaps", True, "perhaps")), point("c", "operate", text("yes yes", True))),
)


def run_in(folder: Path) -> RunLog:
    log = RunLog.begin(folder, {"suite": "demo"}, resume=False)
    for each in TRIALS:
        log.append(each)
    return log


class Saying(JudgeModel):
    """Says yes to what begins with yes."""

    def _complete(self, messages: list[dict[str, str]]) -> str:
        mark = messages[0]["content"].partition('"mark": "')[2].partition('"')[0]
        asked = json.loads(messages[1]["content"].splitlines()[1])["text"]
        return json.dumps({"mark": mark, "verdict": "yes" if asked.startswith("yes") else "no", "reason": ""})


def ask_about_all(log: RunLog) -> None:
    judge = Saying("m", log.folder)
    for trial in TRIALS:
        for each in trial["checkpoints"]:
            for written in (*each["contested"], *each["settled"]):
                judge.judge(written, SAID["demo"][trial["task"]])


@pytest.mark.parametrize(
    ("both", "first", "second", "neither", "kappa"),
    [
        # The examples of Wikipedia's "Cohen's kappa" (November 2026): 50 grant proposals, and twice 100 cases with
        # the same agreement and other margins.
        (20, 5, 10, 15, 0.4),
        (45, 15, 25, 15, 0.1304),
        (25, 35, 5, 35, 0.2593),
        (5, 0, 0, 5, 1.0),
        (0, 5, 5, 0, -1.0),
    ],
)
def test_kappa_is_cohens(both: int, first: int, second: int, neither: int, kappa: float) -> None:
    pairs = [(True, True)] * both + [(True, False)] * first + [(False, True)] * second + [(False, False)] * neither

    found = cohens_kappa(pairs)

    assert found == pytest.approx(kappa, abs=0.0001)


def test_there_is_no_kappa_where_every_label_is_the_same_or_there_is_none() -> None:
    assert cohens_kappa([]) is None
    assert cohens_kappa([(True, True)] * 9) is None


def test_code_and_judge_are_compared_by_kind_of_checkpoint(tmp_path: Path) -> None:
    log = run_in(tmp_path)
    ask_about_all(log)

    found = measure([log], SAID)

    assert found["checkpoints"] == 4
    assert found["pairs"] == [
        {"raters": ["code", "judge"], "checkpoints": 3, "labels": 3, "agreement": 1.0, "kappa": 1.0},
        {"raters": ["guess", "judge"], "checkpoints": 4, "labels": 4, "agreement": 0.75, "kappa": 0.5},
    ]
    assert found["by_kind"] == {
        "generic_search": [
            {"raters": ["code", "judge"], "checkpoints": 2, "labels": 2, "agreement": 1.0, "kappa": 1.0},
            {"raters": ["guess", "judge"], "checkpoints": 2, "labels": 2, "agreement": 1.0, "kappa": 1.0},
        ],
        "operate": [
            {"raters": ["code", "judge"], "checkpoints": 1, "labels": 1, "agreement": 1.0, "kappa": None},
            {"raters": ["guess", "judge"], "checkpoints": 2, "labels": 2, "agreement": 0.5, "kappa": 0.0},
        ],
    }


def test_peoples_labels_are_named_by_trial_and_checkpoint_and_may_be_several(tmp_path: Path) -> None:
    log = run_in(tmp_path / "run")
    labels = tmp_path / "labels.csv"
    labels.write_text("label,trial,checkpoint\nyes,x0id,a\nNo,x#1,a\n1,y#0,b\n0,y0id,b\n", "utf-8-sig")

    found = measure([log], SAID, labels)

    assert found["pairs"] == [
        {"raters": ["code", "people"], "checkpoints": 2, "labels": 2, "agreement": 1.0, "kappa": 1.0},
        {"raters": ["guess", "people"], "checkpoints": 3, "labels": 4, "agreement": 0.75, "kappa": 0.5},
    ]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("trial,checkpoint\nx#0,a\n", "has no columns trial, checkpoint, label"),
        ("trial,checkpoint,label\nx#0,a,perhaps\n", "labels.csv:2: the label is yes or no, not 'perhaps'"),
        ("trial,checkpoint,label\nx#0,a,yes\nx#7,a,yes\n", "labels.csv:3: no text of checkpoint 'a' in trial 'x#7'"),
        ("trial,checkpoint,label\nx#0,way,yes\n", "no text of checkpoint 'way'"),
        ("trial,checkpoint,label\nx#0\n", "the label is yes or no, not None"),
    ],
)
def test_a_line_without_its_text_is_refused(tmp_path: Path, lines: str, said: str) -> None:
    log = run_in(tmp_path / "run")
    (tmp_path / "labels.csv").write_text(lines, "utf-8")

    with pytest.raises(FarmError, match=said):
        measure([log], SAID, tmp_path / "labels.csv")


def test_labels_that_cannot_be_read_are_refused_in_a_line(tmp_path: Path) -> None:
    log, missing = run_in(tmp_path / "run"), tmp_path / "none.csv"
    (tmp_path / "latin.csv").write_bytes(b"trial,checkpoint,label\n\xff,a,yes\n")

    with pytest.raises(FarmError) as refused:
        measure([log], SAID, missing)
    with pytest.raises(FarmError, match="cannot be read as CSV"):
        measure([log], SAID, tmp_path / "latin.csv")

    assert str(refused.value) == (
        f"{missing} cannot be read (No such file or directory); --human names a CSV file of labels"
    )
