"""Learns the weights of ``farm/benchmark/scoring/claims/sureness.py``: ``python -m tests.claims.train``.

It learns from all labelled texts and probes, and from what the demo tasks' oracles write, which are right texts.
With ``--folds`` it writes nothing and prints how sure and how right verdicts are on texts of an author, and of tasks,
that the weights were not learned from. Needs scikit-learn (``pip install mcp-farm[train]``).
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from unittest.mock import patch

import typer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from farm._util.json_io import dumps
from farm.benchmark.audit.attacks import AttackScript
from farm.benchmark.audit.audit import Auditor
from farm.benchmark.scoring import claims
from farm.benchmark.scoring.claims import Judgement, Requirement, Situation, judge, sureness
from farm.benchmark.scoring.claims.verdict import tokens_of
from farm.benchmark.tasks.load import load_suite
from tests.claims.labelled_texts import Exam, exam_texts, labelled, probes
from tests.claims.measure import PROBES, judge_all

TASKS_MIN = 10  # tasks in whose texts a sequence occurs
ORACLE_WEIGHT = 10  # a near miss is an oracle's text with one change, so oracles would look wrong
FOLDS = 5
_REGULARIZATION = 0.3  # scikit-learn's C


@dataclass(frozen=True)
class Example:
    """A text as its sequences of tokens."""

    task: str
    author: str
    is_right: bool
    found: frozenset[str]
    weight: float = 1.0


def of_labelled() -> Iterator[tuple[Exam, list[Example]]]:
    """Yield each labelled text with its examples, one for each requirement that reads it."""
    for exam in chain(labelled("tune"), labelled("held"), *map(probes, PROBES.values()), exam_texts()):
        text = exam.labelled
        found = [frozenset(sureness.sequences(tokens_of(wanted, text.text, exam.situation))) for wanted in exam.wanted]
        task = text.place.split()[0]
        yield exam, [Example(task, text.author, text.is_right, each) for each in found]


def of_oracles() -> Iterator[Example]:
    """Yield the texts that the demo tasks' oracles write."""
    read: list[Example] = []
    task_id = ""

    def listen(wanted: Requirement, text: str, situation: Situation) -> Judgement:
        verdict = judge(wanted, text, situation)
        if verdict.ok:
            found = frozenset(sureness.sequences(tokens_of(wanted, text, situation)))
            read.append(Example(task_id, "oracle", True, found, ORACLE_WEIGHT))
        return verdict

    with tempfile.TemporaryDirectory() as folder, patch.object(claims, "judge", listen):
        auditor = Auditor(Path(folder))
        for task in load_suite("demo").tasks:
            task_id = task.id
            auditor.play(task, AttackScript("oracle", "the oracle", True, task.oracle, task.oracle_answer))
        auditor.close()
    yield from dict.fromkeys(read)


Weights = dict[str, float]


def learn(examples: Sequence[Example]) -> Weights:
    """Return the weights that examples teach."""
    tasks = defaultdict(set)
    for each in examples:
        for sequence in each.found:
            tasks[sequence].add(each.task)
    names = sorted(sequence for sequence, seen in tasks.items() if len(seen) >= TASKS_MIN)
    counter = CountVectorizer(analyzer=sorted, vocabulary=names)
    matrix = counter.transform([each.found for each in examples])
    model = LogisticRegression(
        C=_REGULARIZATION, max_iter=300, solver="liblinear", class_weight="balanced", fit_intercept=False
    )
    model.fit(matrix, [each.is_right for each in examples], [each.weight for each in examples])
    return dict(zip(names, map(float, model.coef_[0]), strict=True))


def write(weights: Weights) -> None:
    """Write the weights, rounded; those that round to zero are left out."""
    rounded = {name: round(value, 2) for name, value in weights.items() if abs(value) >= 0.005}
    sureness.WEIGHTS.write_bytes(dumps(rounded) + b"\n")
    typer.echo(f"{len(rounded)} weights, {sureness.WEIGHTS.stat().st_size // 1024} KB")


def fold_of(task: str) -> int:
    """Return the fold of a task."""
    return hashlib.sha1(task.encode()).digest()[0] % FOLDS


def judged_with(weights: Weights, exams: Sequence[Exam]) -> list[bool | None]:
    """Return for each text whether it was judged rightly, None if unsure."""
    with patch.object(sureness, "_weights", lambda: weights):
        return [each.is_hit if each.judgement.sure else None for each in judge_all(exams)]


def report(name: str, exams: Sequence[Exam], hits: Sequence[bool | None], told: Callable[[Exam], bool]) -> None:
    """Print the shares of sure and right, sure and wrong, and unsure verdicts."""
    mine = [hit for exam, hit in zip(exams, hits, strict=True) if told(exam)]
    counts = [mine.count(each) for each in (True, False, None)]
    shares = " / ".join(f"{100 * count / max(1, len(mine)):.1f}" for count in counts)
    typer.echo(f"{name:<34} {len(mine):>5} texts: sure and right / sure and wrong / unsure {shares} %")


def across_folds(given: Sequence[tuple[Exam, list[Example]]], oracles: Sequence[Example]) -> None:
    """Print figures on texts by unseen authors, and on texts of unseen tasks by unseen authors."""
    authors = sorted({exam.labelled.author for exam, _ in given})
    for is_new, name in ((False, "unseen author"), (True, "unseen author, unseen task")):
        exams: list[Exam] = []
        hits: list[bool | None] = []
        for author in authors:
            others = [*(each for exam, own in given if exam.labelled.author != author for each in own), *oracles]
            for fold in range(FOLDS) if is_new else (None,):
                mine = [
                    exam
                    for exam, _ in given
                    if exam.labelled.author == author and fold in (None, fold_of(exam.labelled.place.split()[0]))
                ]
                known = [each for each in others if fold is None or fold_of(each.task) != fold]
                exams += mine
                hits += judged_with(learn(known), mine)
        report(name, exams, hits, lambda exam: True)
        report(f"{name}, above 140 characters", exams, hits, lambda exam: len(exam.labelled.text) > 140)
        for author in authors:
            report(f"  {author}", exams, hits, partial(_is_by, author))


def _is_by(author: str, exam: Exam) -> bool:
    return exam.labelled.author == author


def main() -> None:
    """Learn the weights, or measure how well unseen texts are judged with weights learned so."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", action="store_true", help="measure, and write nothing")
    arguments = parser.parse_args()
    given, oracles = list(of_labelled()), list(of_oracles())
    if arguments.folds:
        across_folds(given, oracles)
        return
    write(learn([*(each for _, own in given for each in own), *oracles]))


if __name__ == "__main__":
    main()
