"""Merges runs that were held in parts, such as the shards of one run, into one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from farm._util.plurals import pluralize
from farm.benchmark.runner.log import RunLog
from farm.benchmark.runner.manifest import differences, joined, shards_of
from farm.benchmark.scoring.metrics import UNSCORED
from farm.benchmark.tasks.shard import parse_shard
from farm.errors import ConflictError, FarmError

Trial = Mapping[str, Any]
# What a summary reads of a manifest.
_NEEDED = frozenset({"agent", "k", "menu", "profile", "sealed", "suite", "tasks", "tools_sha256"})


def merge(parts: Sequence[RunLog], out: Path) -> RunLog:
    """Write one run with every trial of the parts, each once, and return it.

    Of several lines of a trial, a graded one counts before one that could not be graded, and a later part before an
    earlier one.

    Raises:
        FarmError: there are no parts, two runs differ in more than their tasks, or the folder holds a run.
    """
    if not parts:
        raise FarmError("name the folders of the runs to merge")
    RunLog.require_free(out, resume=False)
    for part in parts:
        if not isinstance(part.manifest, dict) or not part.manifest.keys() >= _NEEDED:
            raise FarmError(f"{part.folder} holds no manifest of a run; it needs {', '.join(sorted(_NEEDED))}")
    manifest = dict(parts[0].manifest)
    found: dict[tuple[str, int], Trial] = {}
    for part in parts:
        differing = differences(_unsharded(manifest), _unsharded(part.manifest))
        if differing:
            raise ConflictError(f"{part.folder} is another run than {parts[0].folder}: {'; '.join(differing)}")
        manifest = joined(manifest, part.manifest)
        for trial in part.trials():
            name = (trial["task"], trial["trial"])
            if name not in found or trial["outcome"] not in UNSCORED or found[name]["outcome"] in UNSCORED:
                found[name] = trial
    shards = _shards(parts)
    whole = _unsharded(manifest) | ({"shards": shards} if shards else {})
    return RunLog.write(out, whole, [found[name] for name in sorted(found)])


def _shards(parts: Sequence[RunLog]) -> list[str]:
    """Return the shards that parts consist of; none if one is no shard, as that may have the tasks of others."""
    each = [shards_of(part.manifest) for part in parts]
    return sorted(set(chain(*each)), key=parse_shard) if all(each) else []


def missing(run: RunLog) -> list[str]:
    """Return what a run lacks, one line each: shards that were not merged into it, and trials without a line."""
    lines = []
    shards = [parse_shard(each) for each in run.manifest.get("shards", ())]
    for count in sorted({count for _, count in shards}):
        absent = sorted(set(range(1, count + 1)) - {number for number, of in shards if of == count})
        if absent:
            lines.append(f"no run of shard {', '.join(f'{number}/{count}' for number in absent)} was given")
    held = {(trial["task"], trial["trial"]) for trial in run.trials()}
    k = run.manifest["k"]
    left = [(task, number) for task in run.manifest["tasks"] for number in range(k) if (task, number) not in held]
    if left:
        task, number = left[0]
        verb = "was" if len(left) == 1 else "were"
        lines.append(f"{pluralize(len(left), 'trial')} of its tasks {verb} not held, such as {task} #{number}")
    return lines


def _unsharded(manifest: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in manifest.items() if key != "shards"} | {"shard": None}
