"""Replays recorded calls of a real server on our app and says how far the answers agree.

Every call starts from the same state (a world's, or given rows), with its ``pre`` calls made first and the clock at its
``at``. Where a call has no ``at``, times in both texts are masked before they are compared, and counted.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from farm.content import LoadedApp
from farm.context.settings import Settings
from farm.context.store import Store
from farm.context.template import build, load_world
from farm.pipeline import call
from farm.traverse.calls import Recorded, body_of, is_refusal, kind_of, text_of
from farm.traverse.similarity import mean_similarity

_NOW = "2026-03-09T09:00:00+08:00"
_EPISODE = "line"
_DIFFERENCES_MAX = 50
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?")


@dataclass(frozen=True)
class Start:
    """Where every call starts: a world, or rows of one app played as ``me``."""

    world: str | None = None
    rows: tuple[Mapping[str, Any], ...] = ()
    me: str | None = None


@dataclass(frozen=True)
class Compared:
    """One call and both answers to it.

    Attributes:
        is_masked: whether times had to be masked for the texts to agree.
    """

    recorded: Recorded
    ours: dict[str, Any]
    is_exact: bool
    is_masked: bool

    @property
    def agrees(self) -> bool:
        """Whether both refuse, or neither does."""
        return is_refusal(self.recorded.result) == is_refusal(self.ours)


class Replay:
    """An app in process, brought back to its start before every call."""

    def __init__(self, loaded: LoadedApp, start: Start, data: Path) -> None:
        self._loaded = loaded
        self._start = start
        self._store = Store(loaded, data)
        if start.world is None:
            self._store.starts.keep(None, 0, build(loaded.schema, start.rows))

    def compare(self, recorded: Recorded) -> Compared:
        """Make one recorded call and set the answers side by side."""
        folder = self._store.episodes / _EPISODE
        folder.mkdir(parents=True)
        try:
            self._settings(recorded.at).save(folder)
            self._store.create(_EPISODE)
            for tool, arguments in recorded.pre:
                self._call(tool, arguments)
            ours = self._call(recorded.tool, recorded.arguments)
        finally:
            self._store.close(_EPISODE)
            shutil.rmtree(folder)
        is_exact, is_masked = _same_text(recorded, ours)
        return Compared(recorded, ours, is_exact, is_masked)

    def _settings(self, at: datetime | None) -> Settings:
        world = load_world(self._start.world) if self._start.world else None
        now = at.isoformat() if at else world.starts_at.isoformat() if world else _NOW
        me = self._start.me or (world.protagonist if world else None)
        return Settings(_EPISODE, self._start.world, (self._loaded.app.name,), now=now, me=me)

    def _call(self, tool: str, arguments: Any) -> dict[str, Any]:
        outcome = call(self._store.open(_EPISODE), tool, arguments)
        parsed: dict[str, Any] = orjson.loads(outcome.result)
        return {"error": parsed} if outcome.is_protocol_error else parsed

    def close(self) -> None:
        """Close what is open."""
        self._store.close_all()


def _same_text(recorded: Recorded, ours: dict[str, Any]) -> tuple[bool, bool]:
    """Return whether the answers are equal, envelope and all, and whether times had to be masked for that."""
    theirs = recorded.result
    same_envelope = kind_of(theirs) == kind_of(ours) and _code(theirs) == _code(ours)
    left, right = text_of(theirs), text_of(ours)
    if not same_envelope or left == right:
        return same_envelope and left == right, False
    is_masked = recorded.at is None and _TIME.sub("<time>", left) == _TIME.sub("<time>", right)
    return is_masked, is_masked


def _code(result: Mapping[str, Any]) -> Any:
    return result["error"]["code"] if "error" in result else None


def replay(loaded: LoadedApp, calls: Iterable[Recorded], start: Start, data: Path) -> list[Compared]:
    """Make every call that the imitated server answered and return the answers side by side.

    Args:
        data: an empty folder to work in.
    """
    player = Replay(loaded, start, data)
    try:
        return [player.compare(each) for each in calls if each.is_of(loaded)]
    finally:
        player.close()


# -- what comes of it -------------------------------------------------------------------------------------------------


def report(app: str, calls: Sequence[Recorded], compared: Sequence[Compared]) -> dict[str, Any]:
    """Return the figures: shares from 0 to 1 over the calls compared by text, and those compared by form apart."""
    by_text = [each for each in compared if not each.recorded.is_shape]
    by_shape = [each for each in compared if each.recorded.is_shape]
    pairs = [(text_of(each.recorded.result), text_of(each.ours)) for each in by_text]
    return {
        "app": app,
        "lines": len(calls),
        "compared": len(by_text),
        "other_servers": len(calls) - len(compared),
        **_shares(by_text),
        "masked": sum(each.is_masked for each in by_text),
        **_confusion(by_text),
        "similarity": mean_similarity(pairs),
        "by_class": _by_class(by_text),
        "shape": _shape_report(by_shape),
        "differences": [_difference(each) for each in by_text if not each.is_exact][:_DIFFERENCES_MAX],
    }


def _shares(compared: Sequence[Compared]) -> dict[str, Any]:
    return {
        "agreement": _share(sum(each.agrees for each in compared), len(compared)),
        "exact": _share(sum(each.is_exact for each in compared), len(compared)),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _by_class(compared: Sequence[Compared]) -> dict[str, Any]:
    classes: defaultdict[str, list[Compared]] = defaultdict(list)
    for each in compared:
        classes[each.recorded.error_class].append(each)
    return {name: {"lines": len(each), **_shares(each)} for name, each in sorted(classes.items())}


def _confusion(compared: Sequence[Compared]) -> dict[str, Any]:
    """Return recorded kind → our kind → count, and precision, recall and F1 of each kind; ``f1`` is their mean."""
    counts = Counter((kind_of(each.recorded.result), kind_of(each.ours)) for each in compared)
    kinds = sorted({kind for pair in counts for kind in pair})
    table = {kind: {ours: counts[kind, ours] for ours in kinds if counts[kind, ours]} for kind in kinds}
    scores = {}
    for kind in kinds:
        hits = counts[kind, kind]
        said, was = sum(counts[other, kind] for other in kinds), sum(counts[kind, other] for other in kinds)
        scores[kind] = {
            "precision": _share(hits, said) or 0.0,
            "recall": _share(hits, was) or 0.0,
            "f1": _share(2 * hits, said + was) or 0.0,
        }
    f1 = round(sum(each["f1"] for each in scores.values()) / len(scores), 4) if scores else None
    return {"confusion": table, "by_kind": scores, "f1": f1}


def _difference(compared: Compared) -> dict[str, Any]:
    recorded = compared.recorded
    return {
        "line": recorded.line,
        "tool": recorded.tool,
        "recorded": {"kind": kind_of(recorded.result), "text": text_of(recorded.result)},
        "ours": {"kind": kind_of(compared.ours), "text": text_of(compared.ours)},
    }


# -- forms ------------------------------------------------------------------------------------------------------------


def _shape_report(compared: Sequence[Compared]) -> dict[str, Any]:
    """Compare forms where both ends came to the same kind of answer.

    A stand-in behind the real server says whatever it was told to; our state may say otherwise, and then there is
    nothing to compare.
    """
    alike = [each for each in compared if kind_of(each.recorded.result) == kind_of(each.ours)]
    differing = [each for each in alike if not fits(body_of(each.recorded.result), body_of(each.ours))]
    return {
        "lines": len(compared),
        "same_outcome": len(alike),
        "same_form": len(alike) - len(differing),
        "differences": [_difference(each) for each in differing][:_DIFFERENCES_MAX],
    }


def fits(recorded: Any, ours: Any) -> bool:
    """Whether our value has the recorded form: every recorded key, each of the same type; more keys do no harm."""
    match recorded, ours:
        case dict(), dict():
            return all(key in ours and fits(value, ours[key]) for key, value in recorded.items())
        case list(), list():
            return not recorded or not ours or fits(recorded[0], ours[0])
        case _:
            return _type(recorded) == _type(ours)


def _type(value: Any) -> str:
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__
