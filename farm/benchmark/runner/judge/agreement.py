"""How far code, judge and people agree on texts: the share of equal labels, and Cohen's kappa, by kind of checkpoint.

A label says whether the texts of one checkpoint of one trial say what they should. ``code`` has those that code is
sure of, ``guess`` also its best guesses, ``judge`` those of models in ``judge.jsonl``, ``people`` those of a file.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import orjson

from farm.benchmark.runner.judge import CACHE, JudgeModel, texts_of
from farm.benchmark.runner.log import RunLog
from farm.errors import FarmError

COLUMNS = ("trial", "checkpoint", "label")
_LABELS = {"yes": True, "no": False, "1": True, "0": False, "true": True, "false": False}
Pair = tuple[bool, bool]


@dataclass
class Item:
    """The labels of one checkpoint of one trial; several people may have labelled it."""

    kind: str
    labels: dict[str, list[bool]] = field(default_factory=dict)

    def add(self, rater: str, label: bool | None) -> None:
        """Add a label, if there is one."""
        if label is not None:
            self.labels.setdefault(rater, []).append(label)


def cohens_kappa(pairs: Sequence[Pair]) -> float | None:
    """Return the agreement of two raters beyond chance; None if chance alone explains every agreement."""
    count = len(pairs)
    if not count:
        return None
    observed = sum(a == b for a, b in pairs) / count
    first, second = sum(a for a, _ in pairs) / count, sum(b for _, b in pairs) / count
    by_chance = first * second + (1 - first) * (1 - second)
    return None if by_chance == 1 else (observed - by_chance) / (1 - by_chance)


def measure(
    logs: Sequence[RunLog],
    said: Mapping[str, Mapping[str, str]],
    human: Path | None = None,
    *,
    unknown_is_error: bool = True,
) -> dict[str, Any]:
    """Return the agreement of every two raters, in total and by kind of checkpoint.

    Args:
        logs: the runs.
        said: suite → task → the instruction of the agent.
        human: a CSV file of people's labels.
        unknown_is_error: whether a label of a checkpoint that the runs lack is an error; otherwise it is ignored.

    Raises:
        FarmError: the file cannot be read, or a line of it names no checkpoint with a text.
    """
    items: dict[tuple[str, str], Item] = {}
    for log in logs:
        items |= _items_of(log, said[log.manifest["suite"]])
    if human is not None:
        _add_people(human, items, unknown_is_error=unknown_is_error)
    every = list({id(item): item for item in items.values()}.values())
    kinds = sorted({item.kind for item in every})
    return {
        "checkpoints": len(every),
        "pairs": _pairs(every),
        "by_kind": {kind: _pairs([item for item in every if item.kind == kind]) for kind in kinds},
    }


def _items_of(log: RunLog, said: Mapping[str, str]) -> dict[tuple[str, str], Item]:
    """Return the checkpoints with texts, each under the trial's id and under ``TASK#NUMBER``."""
    models = [JudgeModel(name, log.folder) for name in _models_in(log.folder / CACHE)]
    found = {}
    for trial in log.trials():
        for point in trial["checkpoints"]:
            texts = texts_of(point)
            if not texts:
                continue
            item = Item(point["kind"])
            guess = all(text["guess"] for text in texts)
            item.add("guess", guess)
            item.add("code", None if any(text["doubts"] for text in texts) else guess)
            for model in models:
                verdicts = [model.recorded(text, said[trial["task"]]) for text in texts]
                words = [None if each is None else each.is_said for each in verdicts]
                name = "judge" if len(models) == 1 else f"judge {model.model}"
                item.add(name, None if None in words else all(words))
            for key in (trial["id"], f"{trial['task']}#{trial['trial']}"):
                found[(key, point["id"])] = item
    return found


def _models_in(cache: Path) -> list[str]:
    lines = cache.read_bytes().splitlines() if cache.is_file() else []
    return sorted({orjson.loads(line)["model"] for line in lines})


def _add_people(path: Path, items: Mapping[tuple[str, str], Item], *, unknown_is_error: bool) -> None:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as problem:
        raise FarmError(f"{path} cannot be read ({problem.strerror}); --human names a CSV file of labels") from None
    except (UnicodeDecodeError, csv.Error) as problem:
        raise FarmError(f"{path} cannot be read as CSV: {problem}") from None
    for number, row in enumerate(rows, 2):
        if not set(COLUMNS) <= row.keys():
            raise FarmError(f"{path} has no columns {', '.join(COLUMNS)}; its first line must name them")
        label = _LABELS.get((row["label"] or "").strip().casefold())
        if label is None:
            raise FarmError(f"{path}:{number}: the label is yes or no, not {row['label']!r}")
        item = items.get(((row["trial"] or "").strip(), (row["checkpoint"] or "").strip()))
        if item is None and not unknown_is_error:
            continue
        if item is None:
            raise FarmError(
                f"{path}:{number}: no text of checkpoint {row['checkpoint']!r} in trial {row['trial']!r}; a trial is "
                "its 'id' in trials.jsonl, or TASK#NUMBER"
            )
        item.add("people", label)


def _pairs(items: Iterable[Item]) -> list[dict[str, Any]]:
    found: dict[tuple[str, str], list[Pair]] = {}
    shared: Counter[tuple[str, str]] = Counter()
    for item in items:
        for first, second in combinations(sorted(item.labels), 2):
            if {first, second} != {"code", "guess"}:
                shared[first, second] += 1
                found.setdefault((first, second), []).extend(_crossed(item.labels[first], item.labels[second]))
    return [
        {
            "raters": list(raters),
            "checkpoints": shared[raters],
            "labels": len(pairs),
            "agreement": round(sum(a == b for a, b in pairs) / len(pairs), 4),
            "kappa": None if (kappa := cohens_kappa(pairs)) is None else round(kappa, 4),
        }
        for raters, pairs in sorted(found.items())
    ]


def _crossed(first: Sequence[bool], second: Sequence[bool]) -> Iterator[Pair]:
    for a in first:
        for b in second:
            yield a, b
