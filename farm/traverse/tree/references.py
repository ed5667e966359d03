"""Find the fields that hold keys of other kinds, by shared values and rarely by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from farm.traverse.tree.row_kinds import singular
from farm.traverse.tree.rows import is_scalar

_SHARE_MIN = 0.6
_SHORT = 3
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[^\W_\dA-Za-z]+")


@dataclass(frozen=True)
class Keyed:
    """A kind with a key of one field of its own.

    Attributes:
        name: the kind's name.
        field: the key's field.
        values: every value of the key that was shown.
    """

    name: str
    field: str
    values: frozenset[str]

    @property
    def prefix(self) -> str:
        """The common prefix of all values, for ids that begin with their kind, as ``U`` in ``U0G9QF9C6``."""
        if len(self.values) < 2 or not all(re.fullmatch(r"[A-Z][A-Z0-9]{7,}", each) for each in self.values):
            return ""
        first = {each[0] for each in self.values}
        return first.pop() if len(first) == 1 else ""


@dataclass(frozen=True)
class Reference:
    """The kind that a field refers to, the confidence, and a value that no read shows, if there is one."""

    target: str
    share: float
    why: str
    unknown: str | None


def refer(name: str, values: Iterable[Any], targets: Sequence[Keyed], kind: str | None = None) -> Reference | None:
    """Return the kind that a field with these values refers to, or None.

    Args:
        kind: the field's own kind.
    """
    shown = sorted({str(each) for each in flat(values) if each not in (None, "", 0)})
    if not shown:
        return None
    best: tuple[tuple[bool, bool, float, bool, int], Reference] | None = None
    for target in targets:
        known = [each for each in shown if each in target.values]
        share = len(known) / len(shown)
        why = f"{len(known)} of {len(shown)} values are keys of {target.name}"
        is_named = is_called_after(name, target)
        if any(len(each) <= _SHORT or (each.isdecimal() and len(each) < 6) for each in shown) and not is_named:
            continue  # small numbers are equal by chance
        if share < _SHARE_MIN:
            if target.prefix and all(re.fullmatch(rf"{target.prefix}[A-Z0-9]{{7,}}", each) for each in shown):
                share, why = _SHARE_MIN, f"all values have the form of {target.name}'s keys ({target.prefix}…)"
            elif is_named and _are_uuids(shown) and _are_uuids(target.values):
                share, why = _SHARE_MIN, f"called after {target.name}, and of the form of its keys; {why}"
            else:
                continue
        # Of two equally likely kinds, prefer the one in the field's name, then any but the field's own.
        rank = (is_named, share > _SHARE_MIN, share, target.name != kind, len(target.values))
        if best is None or rank > best[0]:
            best = (rank, Reference(target.name, share, why, unknown_value(shown, target)))
    return best[1] if best else None


def unknown_value(values: Iterable[Any], target: Keyed) -> str | None:
    """Return a value that is not among the keys, or None."""
    shown = sorted({str(each) for each in flat(values) if each not in (None, "", 0)})
    return next((each for each in shown if each not in target.values), None)


def flat(values: Iterable[Any]) -> Iterable[Any]:
    """Yield the texts and integers among values and in their lists."""
    for each in values:
        if isinstance(each, list):
            yield from (inner for inner in each if isinstance(inner, str | int) and not isinstance(inner, bool))
        elif isinstance(each, str | int) and not isinstance(each, bool):
            yield each


def is_called_after(name: str, target: Keyed) -> bool:
    """Return whether a field is named after a kind: ``user_id`` after a user, ``uid`` after a kind with a uid."""
    words = [singular(word.lower()) for word in _WORDS.findall(name)]
    wanted = [singular(word.lower()) for word in _WORDS.findall(target.name)]
    runs = range(len(words) - len(wanted) + 1)
    last = target.field.rpartition(".")[2].lower()
    is_so = any(words[at : at + len(wanted)] == wanted for at in runs)
    return is_so or (last not in ("id", "key", "name") and name.rpartition(".")[2].lower() == last)


def _are_uuids(values: Iterable[str]) -> bool:
    return all(
        re.fullmatch(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}", each) for each in values
    )


def around_names(rows: Iterable[Any]) -> Mapping[str, list[Any]]:
    """Return the scalars around rows, by name."""
    found: dict[str, list[Any]] = {}
    for row in rows:
        for name, value in row.around.items():
            if is_scalar(value) and not isinstance(value, bool | float) and value not in (None, ""):
                found.setdefault(name, []).append(value)
    return found
