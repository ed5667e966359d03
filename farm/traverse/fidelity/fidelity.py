"""Measure how far our answers to recorded calls agree with the real server's.

This module selects the lines and makes one report. Its shares are over the lines that are compared in every part. It
reports two groups separately: lines of a stand-in backend, compared by form, and lines that the real server never
answered.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from farm.content import LoadedApp
from farm.traverse.fidelity.compare import Compared, Mask, compare
from farm.traverse.fidelity.replay import Condition, Start, replay
from farm.traverse.fidelity.similarity import mean_similarity
from farm.traverse.recordings.calls import Recorded, kind_of, parsed_text, text_of

_DIFFERENCES_MAX = 50


@dataclass(frozen=True)
class ChosenCalls:
    """The lines of a file, selected by profile.

    Attributes:
        taken: the lines to replay.
        other_servers: the number of lines that another server, or another version, answered.
        not_served: the number of lines whose tool the profile lacks, although the server had it.
    """

    taken: tuple[Recorded, ...]
    other_servers: int
    not_served: int


def choose(loaded: LoadedApp, calls: Sequence[Recorded]) -> ChosenCalls:
    """Return the lines that the imitated version of the server answered."""
    own = [each for each in calls if each.is_version_of(loaded)]
    taken = tuple(each for each in own if each.is_served(loaded))
    return ChosenCalls(taken, len(calls) - len(own), len(own) - len(taken))


def measure(
    loaded: LoadedApp,
    calls: Sequence[Recorded],
    start: Start,
    data: Path,
    *,
    masks: Sequence[Mask] = (),
    conditions: Sequence[Condition] = (),
    is_sequence: bool | None = None,
) -> dict[str, Any]:
    """Replay the calls over the wire and return the report.

    Args:
        data: an empty folder to work in.
        masks: values that change from run to run.
        conditions: unusual states of the server during some calls.
        is_sequence: whether the calls are one session on one state; None: yes if every line has its number.
    """
    lines = choose(loaded, calls)
    taken, in_order = lines.taken, all(each.sequence is not None for each in calls)
    is_sequence = in_order if is_sequence is None else is_sequence
    if is_sequence and in_order:
        taken = tuple(sorted(taken, key=lambda each: each.sequence or 0))
    answers = replay(loaded, taken, start, data, masks=masks, conditions=conditions, is_sequence=is_sequence)
    compared = [compare(each, ours, masks) for each, ours in zip(taken, answers, strict=True)]
    return {
        "app": loaded.app.name,
        "profile": loaded.profile,
        "lines": len(calls),
        "sequence": is_sequence,
        "other_servers": lines.other_servers,
        "not_served": lines.not_served,
        **_report(compared, masks),
    }


def _report(compared: Sequence[Compared], masks: Sequence[Mask]) -> dict[str, Any]:
    """Return the figures: shares from 0 to 1 over the calls that are compared in every part."""
    silent = [each for each in compared if "silence" in each.recorded.result]
    by_form = [each for each in compared if each.recorded.is_shape and "silence" not in each.recorded.result]
    whole = [each for each in compared if not each.recorded.is_shape and "silence" not in each.recorded.result]
    pairs = [(text_of(each.recorded.result), text_of(each.ours)) for each in whole]
    differing = [_difference_json(each) for each in whole if not each.is_exact]
    return {
        "compared": len(whole),
        "derived": sum(each.recorded.is_derived for each in whole),
        **_shares(whole),
        "bodies": _bodies(whole),
        "crashes": sum(each.is_crash for each in compared),
        "masked": sum(each.is_exact and bool(each.masks) for each in whole),
        "masks": _masks(whole, masks),
        **_confusion(whole),
        "similarity": mean_similarity(pairs),
        "by_class": _by_class(whole),
        "unanswered": {"lines": len(silent), "refused": sum(each.agrees for each in silent)},
        "shape": _form_report(by_form),
        "differing": len(differing),
        "differences": differing[:_DIFFERENCES_MAX],
    }


def _masks(compared: Sequence[Compared], masks: Sequence[Mask]) -> list[dict[str, Any]]:
    counts = Counter(name for each in compared for name in each.masks)
    return [{"name": each.name, "reason": each.reason, "lines": counts[each.name]} for each in masks]


def _shares(compared: Sequence[Compared]) -> dict[str, Any]:
    return {
        "agreement": _share(sum(each.agrees for each in compared), len(compared)),
        "exact": _share(sum(each.is_exact for each in compared), len(compared)),
    }


def _bodies(compared: Sequence[Compared]) -> dict[str, Any]:
    """Return the numbers of equal bodies and of equal values in them, over the calls that succeeded on both sides."""
    leaves = [each.leaves for each in compared if each.leaves is not None]
    mean = round(sum(leaves) / len(leaves), 4) if leaves else None
    return {"lines": len(leaves), "leaf_equal": _share(sum(each == 1 for each in leaves), len(leaves)), "leaves": mean}


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


def _difference_json(compared: Compared) -> dict[str, Any]:
    recorded, difference = compared.recorded, compared.difference
    sides = {"recorded": recorded.result, "ours": compared.ours}
    shown: dict[str, Any] = {"line": recorded.line, "tool": recorded.tool}
    if recorded.condition is not None:
        shown["condition"] = recorded.condition
    if difference is not None:
        shown |= {"differs": difference.parts, "part": difference.part, "position": difference.position}
    for who, answer in sides.items():
        shown[who] = {"kind": kind_of(answer), "text": text_of(answer)}
        if difference is not None:
            shown[who]["around"] = difference.recorded if who == "recorded" else difference.ours
    return shown


# -- forms ------------------------------------------------------------------------------------------------------------


def _form_report(compared: Sequence[Compared]) -> dict[str, Any]:
    """Compare forms of answers that have the same kind on both sides.

    The backend behind the real server was a stand-in with arbitrary values; if our state gives another kind of answer,
    the two are not comparable.
    """
    alike = [each for each in compared if kind_of(each.recorded.result) == kind_of(each.ours)]
    differing = [each for each in alike if not _same_form(each.recorded.result, each.ours)]
    return {
        "lines": len(compared),
        "same_outcome": len(alike),
        "same_form": len(alike) - len(differing),
        "differences": [_difference_json(each) for each in differing][:_DIFFERENCES_MAX],
    }


def _same_form(recorded: dict[str, Any], ours: dict[str, Any]) -> bool:
    if "error" in recorded:
        return bool(recorded["error"]["code"] == ours["error"]["code"])
    beside = ("isError", "structuredContent")
    return (
        fits(parsed_text(recorded), parsed_text(ours))
        and all((key in recorded) == (key in ours) for key in beside)
        and fits(recorded.get("structuredContent"), ours.get("structuredContent"))
    )


def fits(recorded: Any, ours: Any) -> bool:
    """Return whether our value has the recorded form: every recorded key, with the same type; more keys are allowed."""
    match recorded, ours:
        case dict(), dict():
            return all(key in ours and fits(value, ours[key]) for key, value in recorded.items())
        case list(), list():
            return not recorded or not ours or fits(recorded[0], ours[0])
        case _:
            return _type(recorded) == _type(ours)


def _type(value: Any) -> str:
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__
