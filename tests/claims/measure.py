"""Measures the reading of claims on labelled texts: ``python -m tests.claims.measure tune -v``.

The half that is held back is read once per release, by whoever did not tune: ``… measure held`` prints figures, and the
misses only with ``-v``.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import typer

from farm.benchmark.scoring.claims import Judgement, Reason, judge
from farm.benchmark.scoring.metrics import wilson
from tests.claims.labelled_texts import (
    FRESH,
    Exam,
    agent_texts,
    beside_texts,
    exam_texts,
    labelled,
    probes,
    prototype,
    sat_texts,
    unseen_texts,
)

# Which reasons are right ones for each sort of wrong text, by its name in the frozen files. A text may be refused
# for several.
CODES: dict[str, set[str]] = {
    "wrong-value": {"missing", "extra", "other_subject", "stale", "rival", "stance", "banned"},
    "swap": {"missing", "other_subject", "extra", "denied", "stale", "former", "stance"},
    "opposite": {"denied", "stance", "missing", "extra"},
    "rivals": {"rival", "extra"},
    "dump": {"extra", "rival", "missing"},
    "hedge": {"hedged", "missing", "stance", "asked", "conditional", "rival"},
    "question": {"asked", "stance", "rival", "missing"},
    "extra": {"extra", "rival", "stale", "banned"},
    "partial": {"missing", "other_subject", "stance"},
    "stale": {"stale", "missing", "extra", "former"},
    "reported": {"reported", "hedged", "denied", "stance", "missing", "asked"},
    "sarcasm": {"denied", "hedged", "stance", "asked", "conditional", "reported"},
    "former": {"former", "denied", "extra", "missing", "stance", "stale"},
    "conditional": {"conditional", "hedged", "stance", "denied"},
    "other-subject": {"other_subject", "missing", "extra"},
    "kept-cut": {"altered"},
    "kept-doubled": {"altered"},
    "banned": {"banned"},
    "implied": {"denied", "stance", "former", "hedged", "conditional", "missing", "extra"},
}


RUNS = 3  # of which the fastest counts

# Texts that may be read, and are not understood: what is not among them is.
KNOWN_MISSES = Path(__file__).with_name("known_misses.txt")

PROBES = {"probes": "probes_wrong", "right": "probes_right", "untuned": "probes_untuned"}
SETS: dict[str, Callable[[], Iterator[Exam]]] = {
    "prototype": prototype,
    "exam": exam_texts,
    "beside": beside_texts,
    "unseen": unseen_texts,
    "sat": sat_texts,
    "agents": partial(agent_texts, "tune"),
    "agents-held": partial(agent_texts, "held"),
    **{name: partial(probes, file) for name, file in PROBES.items()},
}


@dataclass(frozen=True)
class Outcome:
    """How one text was judged.

    Attributes:
        seconds: how long a checkpoint took to read.
    """

    exam: Exam
    judgement: Judgement
    seconds: float

    @property
    def is_hit(self) -> bool:
        """Whether the guess is right."""
        return self.judgement.ok == self.exam.labelled.is_right

    @property
    def has_right_reason(self) -> bool:
        """Whether a refused wrong text is refused for what is wrong with it."""
        codes = CODES.get(self.exam.labelled.sort)
        return codes is None or bool(codes & {reason.code for reason in self.judgement.reasons})


def judge_all(exams: Sequence[Exam]) -> list[Outcome]:
    """Judge every text by all that is wanted of it."""
    outcomes = []
    for exam in exams:
        parts = [judge(wanted, exam.labelled.text, exam.situation) for wanted in exam.wanted]
        seconds = _seconds(exam)
        # A text that fails for sure in one part is sure, whatever is unsure in the others.
        failed = [part for part in parts if not part.ok]
        certain = [part for part in failed if part.sure]
        doubts = () if certain else tuple(doubt for part in parts for doubt in part.doubts)
        reasons = tuple(reason for part in parts for reason in part.reasons)
        if not all(is_so(exam.labelled.text) for is_so in exam.rest):
            reasons, doubts = (*reasons, Reason("missing", "something that is no claim")), ()
        outcomes.append(Outcome(exam, Judgement(reasons, doubts), seconds))
    return outcomes


def _seconds(exam: Exam) -> float:
    """Return how long it takes to read a text: the least of some runs, as a busy machine only adds to it.

    Judgements are cached by their texts, so each run has another line break at the end.
    """
    spent = []
    for run in range(RUNS):
        text = exam.labelled.text + "\n" * (run + 1)
        start = time.perf_counter()
        for wanted in exam.wanted:
            judge(wanted, text, exam.situation)
        spent.append((time.perf_counter() - start) / max(1, len(exam.wanted)))
    return min(spent)


def misses(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield a line for each text that is misjudged, refused for a wrong reason, or unsure."""
    for each in outcomes:
        labelled = each.exam.labelled
        digest = hashlib.sha256(f"{labelled.place}\0{labelled.text}".encode()).hexdigest()[:12]
        kinds = {
            "verdict": each.is_hit,
            "reason": not each.is_hit or each.has_right_reason,
            "sure": each.judgement.sure,
        }
        yield from (f"{kind} {labelled.place} {digest}" for kind, is_good in kinds.items() if not is_good)


def share(part: int, total: int) -> str:
    """Return a share in words."""
    return f"{part}/{total} = {100 * part / total:.1f} %" if total else "none"


def report(outcomes: Sequence[Outcome], *, verbose: bool, unsure: bool) -> None:
    """Print the figures, by sort, and the misses."""
    for is_right in (True, False):
        mine = [each for each in outcomes if each.exam.labelled.is_right == is_right]
        hits = sum(each.is_hit for each in mine)
        typer.echo(("accepted right " if is_right else "refused wrong  ") + share(hits, len(mine)))
        by: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for each in mine:
            by[each.exam.labelled.sort][0] += each.is_hit
            by[each.exam.labelled.sort][1] += 1
        typer.echo("    " + ", ".join(f"{sort} {a}/{b}" for sort, (a, b) in sorted(by.items())))
    refused = [each for each in outcomes if not each.exam.labelled.is_right and each.is_hit]
    typer.echo("right reason   " + share(sum(each.has_right_reason for each in refused), len(refused)))
    sure = [each for each in outcomes if each.judgement.sure]
    typer.echo("unsure         " + share(len(outcomes) - len(sure), len(outcomes)))
    typer.echo("sure and right " + share(sum(each.is_hit for each in sure), len(sure)))
    spent = sorted(each.seconds for each in outcomes)
    typer.echo(f"milliseconds   p50 {spent[len(spent) // 2] * 1e3:.2f}, p95 {spent[len(spent) * 95 // 100] * 1e3:.2f}")
    for each in outcomes if verbose else ():
        wrong_reason = not each.exam.labelled.is_right and each.is_hit and not each.has_right_reason
        if not each.is_hit or (wrong_reason and not unsure) or (unsure and not each.judgement.sure):
            typer.echo(_line(each))
    places = Counter(each.exam.labelled.place for each in outcomes if not each.is_hit)
    typer.echo("worst places   " + ", ".join(f"{place} {count}" for place, count in places.most_common(8)))


def report_sureness(outcomes: Sequence[Outcome]) -> None:
    """Print how many verdicts are sure and right, sure and wrong, and unsure, with 95 % intervals, by group."""
    groups: dict[str, Callable[[Outcome], bool]] = {
        "all": lambda each: True,
        "demo tasks": lambda each: not is_fresh(each),
        "fresh tasks": is_fresh,
        "above 140 characters": lambda each: len(each.exam.labelled.text) > 140,
        "right texts": lambda each: each.exam.labelled.is_right,
        "wrong texts": lambda each: not each.exam.labelled.is_right,
    }
    authors = sorted({each.exam.labelled.author for each in outcomes})
    groups |= {author: partial(_is_by, author) for author in authors}
    for name, belongs in groups.items():
        mine = [each for each in outcomes if belongs(each)]
        if not mine:
            continue
        right = sum(each.judgement.sure and each.is_hit for each in mine)
        wrong = sum(each.judgement.sure and not each.is_hit for each in mine)
        low, high = wilson(wrong, len(mine)) or (0.0, 1.0)
        typer.echo(
            f"{name:<21} {len(mine):>4}: sure and right {100 * right / len(mine):.1f} %, sure and wrong"
            f" {100 * wrong / len(mine):.1f} % [{100 * low:.1f} … {100 * high:.1f}],"
            f" best guess {100 * sum(each.is_hit for each in mine) / len(mine):.1f} %"
        )


def is_fresh(outcome: Outcome) -> bool:
    """Whether a text is of a task of the fresh suite."""
    return (FRESH / f"{outcome.exam.labelled.place.split()[0]}.toml").exists()


def _is_by(author: str, outcome: Outcome) -> bool:
    return outcome.exam.labelled.author == author


def _line(outcome: Outcome) -> str:
    labelled = outcome.exam.labelled
    mark = "MISS" if not outcome.is_hit else "hit "
    said = "; ".join(f"{reason.code}: {reason.words}" for reason in outcome.judgement.reasons) or "accepted"
    doubts = " ?? " + "; ".join(outcome.judgement.doubts) if outcome.judgement.doubts else ""
    text = labelled.text.replace("\n", "⏎")
    return f"{mark} {labelled.place} {'+' if labelled.is_right else '-'} {labelled.sort} | {text} | {said}{doubts}"


def main() -> None:
    """Measure one set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=[*SETS, "tune", "held"])
    parser.add_argument("-t", "--tasks", type=Path, help="a folder of task files instead of the demo suite's")
    parser.add_argument("-v", "--verbose", action="store_true", help="print the misses")
    parser.add_argument("-u", "--unsure", action="store_true", help="with -v: print what is unsure, too")
    parser.add_argument("-k", "--known", action="store_true", help=f"write the misses of tune to {KNOWN_MISSES.name}")
    arguments = parser.parse_args()
    which = arguments.which
    exams = list(SETS[which]() if which in SETS else labelled(which, arguments.tasks))
    outcomes = judge_all(exams)
    if arguments.known and which == "tune":
        KNOWN_MISSES.write_text("".join(f"{line}\n" for line in sorted(misses(outcomes))), "utf-8")
    report(outcomes, verbose=arguments.verbose, unsure=arguments.unsure)
    report_sureness(outcomes)


if __name__ == "__main__":
    main()
