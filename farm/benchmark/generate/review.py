"""Reviews of drafts: two people, who are not the maker, judge each by a written list before they talk.

A review is a line in the draft's history. Agreement is measured over the drafts that two reviewers have both judged.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, get_args

from farm.benchmark.generate.drafts import Draft
from farm.benchmark.generate.prove_tasks import loaded_task
from farm.benchmark.runner.judge.agreement import cohens_kappa
from farm.benchmark.tasks import TaskError, shown
from farm.errors import FarmError

Verdict = Literal["accept", "reword", "reject"]
# The written list: why a draft is not accepted.
REASONS: Mapping[str, str] = {
    "nobody": "nobody would ask this",
    "two-readings": "it can fairly be read in two ways",
    "pairing": "the fact and the place, or person, have nothing to do with each other",
    "told": "it tells what is to be found, or where",
    "trivial": "one look is enough",
    "grader": "a clause is there for the grader",
    "wrong": "the gold script does something else than what is asked",
    "unfair": "what decides cannot be found by anybody",
    "words": "a person does not write so",
}


def reviewed(draft: Draft, reviewer: str, verdict: str, reason: str = "") -> Draft:
    """Return a draft with a review in its history; the state stays until both have judged.

    Raises:
        FarmError: the verdict or the reason is not on the list, or the reviewer wrote the draft or judged it before.
    """
    if verdict not in get_args(Verdict):
        raise FarmError(f"no verdict '{verdict}'; have {', '.join(get_args(Verdict))}")
    if verdict != "accept" and reason not in REASONS:
        raise FarmError(f"'{reason}' is no reason of the list; have {', '.join(REASONS)}")
    if any(each.get("by") == reviewer for each in draft.history):
        raise FarmError(f"{reviewer} has written or judged {draft.id} already; a reviewer is somebody else")
    entry = {"state": draft.state, "by": reviewer, "verdict": verdict, **({"why": reason} if reason else {})}
    return Draft(draft.id, draft.state, draft.chain, draft.task, draft.proof, (*draft.history, entry))


def verdicts_of(draft: Draft) -> dict[str, str]:
    """Return reviewer → verdict."""
    return {str(each["by"]): str(each["verdict"]) for each in draft.history if "verdict" in each}


def agreement(drafts: Iterable[Draft]) -> list[dict[str, Any]]:
    """Return the agreement of every two reviewers on whether drafts are accepted: share of equal verdicts, and κ."""
    judged = [verdicts_of(each) for each in drafts]
    reviewers = sorted({name for each in judged for name in each})
    found = []
    for one, other in combinations(reviewers, 2):
        pairs = [(each[one] == "accept", each[other] == "accept") for each in judged if one in each and other in each]
        if pairs:
            kappa = cohens_kappa(pairs)
            same = sum(a == b for a, b in pairs) / len(pairs)
            rounded = None if kappa is None else round(kappa, 4)
            found.append(
                {"reviewers": [one, other], "drafts": len(pairs), "agreement": round(same, 4), "kappa": rounded}
            )
    return found


def reasons_of(drafts: Iterable[Draft]) -> Counter[str]:
    """Return how often each reason of the list was given."""
    return Counter(
        str(each["why"]) for draft in drafts for each in draft.history if each.get("verdict") and each.get("why")
    )


def card(draft: Draft) -> Sequence[str]:
    """Return the lines that a reviewer sees of a draft; of one whose task is not valid, its problems."""
    begin = f"{draft.id} ({draft.state}, {draft.chain['family']})"
    with tempfile.TemporaryDirectory(prefix="farm-review-") as folder:
        try:
            task = loaded_task(draft.task, Path(folder))
        except TaskError as wrong:
            return [begin, str(draft.task.get("instruction", "")), *(f"not valid: {each}" for each in wrong.problems)]
    lines = [begin, f"asked by {shown.asker(task)}", shown.filled(task, task.instruction)]
    lines += [f"told besides: {shown.filled(task, each)}" for each in task.necessary]
    for each in draft.proof.get("blanks", ()):
        path = " → ".join(str(tool) for tool in each["path"])
        lines.append(
            f"{each['blank']}: {path}; {each['candidates']} fit; {each['rival_places']} texts tell another value"
        )
    lines += [f"judged by {each}" for each in shown.judged(task)]
    lines += [f"gold: {each}" for _, each in shown.gold_calls(task)]
    if task.oracle_answer:
        lines.append(f"gold answer: {shown.filled(task, task.oracle_answer)}")
    return lines
