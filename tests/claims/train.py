"""Learns the weights of ``farm/benchmark/scoring/claims/sureness.py``: ``python -m tests.claims.train``.

It learns from all labelled texts and probes, from half of what models wrote in trials, and from what the oracles of all
suites write, which are right texts. First the words are weighed, blind to what the rules found. Then the sum of the
words' weights and the rules' findings are weighed against each other, on texts for which the rules were not made, with
sums by weights that know neither the text's author nor its task. Last, the words are weighed again, on texts that the
rules accept: right ones, and ones that mislead by what they say beside the claims. With ``--folds`` it writes nothing
and prints how sure and how right verdicts are on texts of an author, and of tasks, that the weights were not learned
from. Needs scikit-learn: ``pip install mcp-farm[train]``.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import typer
from scipy.sparse import csr_matrix, diags
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from farm import content
from farm._util.json_io import dumps
from farm.benchmark.audit.attacks import attacks
from farm.benchmark.audit.audit import Auditor
from farm.benchmark.scoring import claims
from farm.benchmark.scoring.claims import Judgement, Requirement, Situation, judge, sureness
from farm.benchmark.scoring.claims.verdict import features_of
from farm.benchmark.tasks.load import load_suite
from tests.claims.labelled_texts import Exam, agent_texts, beside_texts, exam_texts, labelled, probes
from tests.claims.measure import PROBES, Outcome, is_fresh, judge_all

TASKS_MIN = 6  # tasks in whose texts a word occurs
ORACLE = "oracle"  # the author
ORACLE_WEIGHT = 10  # a near miss is an oracle's text with one change, so oracles would look wrong
ATTACKS = {"extra", "opposite"}  # kinds of texts that the audit makes of an oracle's
BESIDE_WEIGHT = 3  # few texts of a kind that the others hardly have; those in pairs differ in what is true alone
FOLDS = 5
# scikit-learn's C: of the words, of the findings, and of the words of accepted texts
_WORDS_REGULARIZATION, _FINDINGS_REGULARIZATION, _FAIR_REGULARIZATION = 0.1, 0.05, 0.05
_BLIND = f"{sureness.FOUND}words"  # the sum of the words' weights
_ACCEPTED = f"{sureness.FOUND}accepted"
_LEAST = 0.01  # a smaller weight is not written


@dataclass(frozen=True)
class Example:
    """A text as its words by place, and as what the rules found.

    Attributes:
        is_new: whether the rules were not made for it.
    """

    task: str
    author: str
    is_right: bool
    words: frozenset[str]
    findings: Mapping[str, float]
    is_new: bool = False
    weight: float = 1.0


def _example(task: str, author: str, found: Mapping[str, float], **more: Any) -> Example:
    words = frozenset(name for name in found if not name.startswith(sureness.FOUND))
    findings = {name: size for name, size in found.items() if name not in words}
    return Example(task, author, words=words, findings=findings, **more)


def of_labelled() -> Iterator[tuple[Exam, list[Example]]]:
    """Yield each labelled text with its examples, one for each requirement that reads it."""
    made_for = (labelled("tune"), *map(probes, PROBES.values()))
    new = (labelled("held"), exam_texts(), agent_texts("tune"))
    kinds = ((chain(*made_for), False, 1.0), (chain(*new), True, 1.0), (beside_texts(), False, BESIDE_WEIGHT))
    for exams, is_new, weight in kinds:
        for exam in exams:
            text, task = exam.labelled, exam.labelled.place.split()[0]
            found = [features_of(wanted, text.text, exam.situation) for wanted in exam.wanted]
            own = 1.0 if "pairs" in text.author else weight
            told = {"is_right": text.is_right, "is_new": is_new, "weight": own}
            yield exam, [_example(task, text.author, each, **told) for each in found if each]


def of_oracles() -> Iterator[Example]:
    """Yield the texts that the oracles of all suites write, and those that the audit makes wrong."""
    read: list[Example] = []
    task_id, is_right = "", True

    def listen(wanted: Requirement, text: str, situation: Situation) -> Judgement:
        verdict, found = judge(wanted, text, situation), features_of(wanted, text, situation)
        # A text is made wrong for one of the checkpoints that read it; the rules know best for which.
        if verdict.ok if is_right else f"{sureness.FOUND}refused" in found:
            weight = ORACLE_WEIGHT if is_right else 1.0
            read.append(_example(task_id, ORACLE, found, is_right=is_right, weight=weight))
        return verdict

    # A text that the last weights call misleading is still an oracle's.
    no_limit = patch.object(sureness, "FAIR", 0.0)
    with tempfile.TemporaryDirectory() as folder, patch.object(claims, "judge", listen), no_limit:
        auditor = Auditor(Path(folder))
        for task in (each for suite in content.suite_names() for each in load_suite(suite).tasks):
            task_id, is_right = task.id, True
            context = auditor.context(task)
            is_right = False
            for script in attacks(context) if context else ():
                if script.kind in ATTACKS:
                    auditor.play(task, script)
        auditor.close()
    yield from {(each.task, each.words): each for each in read}.values()


Weights = dict[str, float]
Both = dict[str, Weights]  # whether a text is right, and whether an accepted one is fair
Rows = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Array = npt.NDArray[np.float64]


class Learner:
    """Learns weights from some of the examples, whose words are counted once."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.examples = examples
        vectorizer = CountVectorizer(analyzer=sorted)
        self.matrix = csr_matrix(vectorizer.fit_transform([each.words for each in examples]))
        self.names = vectorizer.get_feature_names_out()
        self.tasks = np.unique([each.task for each in examples], return_inverse=True)[1]
        self.authors, numbers = np.unique([each.author for each in examples], return_inverse=True)
        is_oracle = self.authors[numbers] == ORACLE
        # An oracle's texts are held back with their tasks only.
        self.groups = np.where(is_oracle, FOLDS, numbers % FOLDS)
        self.folds = np.array([fold_of(each.task) for each in examples])
        self.is_new = np.array([each.is_new for each in examples])
        self.is_right = np.array([each.is_right for each in examples])
        self.is_oracle = is_oracle & self.is_right
        self.is_accepted = self.is_oracle | np.array([_ACCEPTED in each.findings for each in examples])
        self.weights = np.array([each.weight for each in examples])
        self._learned: dict[tuple[frozenset[int], frozenset[int]], Array] = {}

    def learn(self, group: int | None = None, fold: int | None = None) -> Both:
        """Return the weights that all examples teach but those of a group of authors and of a fold of tasks."""
        rows = (self.groups != (-1 if group is None else group)) & (self.folds != (-1 if fold is None else fold))
        # What the rules misread in an oracle's text makes it no less fair.
        return {"right": self._right(rows, group, fold), "fair": self._fair(rows & self.is_accepted)}

    def _right(self, rows: Mask, group: int | None, fold: int | None) -> Weights:
        new = np.flatnonzero(rows & self.is_new)
        blind = self._across(new, group, fold)
        found = [{**self.examples[int(row)].findings, _BLIND: odds} for row, odds in zip(new, blind, strict=True)]
        counter, scaler = DictVectorizer(sparse=False), StandardScaler()
        matrix = scaler.fit_transform(counter.fit_transform(found))
        model = LogisticRegression(C=_FINDINGS_REGULARIZATION, solver="liblinear")
        model.fit(matrix, self.is_right[new])
        sizes = model.coef_[0] / scaler.scale_
        findings = dict(zip(counter.feature_names_, map(float, sizes), strict=True))
        base = float(model.intercept_[0] - sizes @ scaler.mean_)
        for verdict in ("accepted", "refused"):  # every text has one of them
            findings[f"{sureness.FOUND}{verdict}"] += base
        words = self._words(np.flatnonzero(rows)) * findings.pop(_BLIND)
        return _named(self.names, words) | findings

    def _fair(self, rows: Mask) -> Weights:
        """Return the weights of accepted texts' words."""
        mine = np.flatnonzero(rows)
        matrix, counts = self._of_several_tasks(mine), self.weights[mine].clip(max=BESIDE_WEIGHT)
        model = _regression(_FAIR_REGULARIZATION, has_base=True).fit(matrix, self.is_right[mine], counts)
        return {**_named(self.names, model.coef_[0]), _ACCEPTED: float(model.intercept_[0])}

    def _words(self, rows: Rows) -> Array:
        """Return the weights of all words, blind to what the rules found; those of few tasks weigh nothing."""
        model = _regression(_WORDS_REGULARIZATION)
        words: Array = model.fit(self._of_several_tasks(rows), self.is_right[rows], self.weights[rows]).coef_[0]
        return words

    def _of_several_tasks(self, rows: Rows) -> csr_matrix:
        """Return the words of some examples, without those that occur in the texts of few tasks."""
        by_task = csr_matrix((np.ones(len(rows)), (self.tasks[rows], np.arange(len(rows)))))
        seen = np.asarray(((by_task @ self.matrix[rows]) > 0).sum(axis=0)).ravel()
        return self.matrix[rows] @ diags((seen >= TASKS_MIN).astype(float))

    def _across(self, new: Rows, group: int | None, fold: int | None) -> Array:
        """Return the sums of the words' weights of new examples.

        The weights are learned without the group of an example's author and the fold of its task, and without a
        further group and fold.
        """
        sums = np.zeros(len(self.examples))
        for own in sorted(set(zip(self.groups[new], self.folds[new], strict=True))):
            groups, folds = frozenset({own[0], group}) - {None}, frozenset({own[1], fold}) - {None}
            if (groups, folds) not in self._learned:
                is_known = ~np.isin(self.groups, list(groups)) & ~np.isin(self.folds, list(folds))
                self._learned[groups, folds] = self._words(np.flatnonzero(is_known))
            mine = new[(self.groups[new] == own[0]) & (self.folds[new] == own[1])]
            sums[mine] = self.matrix[mine] @ self._learned[groups, folds]
        return sums[new]


def _regression(regularization: float, *, has_base: bool = False) -> LogisticRegression:
    return LogisticRegression(
        C=regularization, max_iter=300, solver="liblinear", class_weight="balanced", fit_intercept=has_base
    )


def _named(names: npt.NDArray[np.str_], sizes: Array) -> Weights:
    return dict(zip(names, map(float, sizes), strict=True))


def write(weights: Both) -> None:
    """Write the weights, rounded; small ones are left out, as they decide nothing."""
    rounded = {
        of: {
            name: round(value, 3)
            for name, value in each.items()
            if abs(value) >= _LEAST or name.startswith(sureness.FOUND)
        }
        for of, each in weights.items()
    }
    sureness.WEIGHTS.write_bytes(dumps(rounded) + b"\n")
    typer.echo(f"{sum(map(len, rounded.values()))} weights, {sureness.WEIGHTS.stat().st_size // 1024} KB")


def fold_of(task: str) -> int:
    """Return the fold of a task."""
    return hashlib.sha1(task.encode()).digest()[0] % FOLDS


def judged_with(weights: Both, exams: Sequence[Exam]) -> list[Outcome]:
    """Return how each text is judged with these weights."""
    with patch.object(sureness, "_weights", lambda: weights):
        return judge_all(exams)


def report(name: str, outcomes: Sequence[Outcome], told: Callable[[Exam], bool]) -> None:
    """Print the shares of sure and right, and sure and wrong verdicts, and of right guesses."""
    mine = [each for each in outcomes if told(each.exam)]
    sure = [each.is_hit for each in mine if each.judgement.sure]
    counts = (sum(sure), len(sure) - sum(sure), sum(each.is_hit for each in mine))
    shares = " / ".join(f"{100 * count / max(1, len(mine)):.1f}" for count in counts)
    typer.echo(f"{name:<34} {len(mine):>5} texts: sure and right / sure and wrong / best guess right {shares} %")


def across_folds(given: Sequence[tuple[Exam, list[Example]]], oracles: Sequence[Example]) -> None:
    """Print figures on texts by unseen authors, and on texts of unseen tasks by unseen authors."""
    learner = Learner([*(each for _, own in given for each in own), *oracles])
    groups = dict(zip(learner.authors, np.arange(len(learner.authors)) % FOLDS, strict=True))
    exam_authors, cheats = ({each.labelled.author for each in texts} for texts in (exam_texts(), beside_texts()))
    for is_new, name in ((False, "unseen author"), (True, "unseen author, unseen task")):
        outcomes: list[Outcome] = []
        for group in range(FOLDS):
            for fold in range(FOLDS) if is_new else (None,):
                mine = [
                    exam
                    for exam, own in given
                    if own and groups[exam.labelled.author] == group
                    if fold in (None, fold_of(exam.labelled.place.split()[0]))
                ]
                outcomes += judged_with(learner.learn(group, fold), mine)
        texts = [each for each in outcomes if each.exam.labelled.author not in cheats]
        of_exam = [each for each in texts if each.exam.labelled.author in exam_authors and is_fresh(each) == is_new]
        for part, each in ((name, texts), (f"{name}, of the exam", of_exam)):
            report(part, each, lambda exam: True)
            report("  above 140 characters", each, lambda exam: len(exam.labelled.text) > 140)
        for author in sorted(groups.keys() - {ORACLE}):
            report(f"  {author}", outcomes, partial(_is_by, author))
            wrong = [each for each in outcomes if _is_by(author, each.exam) and not each.exam.labelled.is_right]
            full = sum(each.judgement.ok and each.judgement.sure for each in wrong)
            typer.echo(f"    surely accepted though wrong: {full} of {len(wrong)}")


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
    learner = Learner([*(each for _, own in given for each in own), *oracles])
    write(learner.learn())


if __name__ == "__main__":
    main()
