"""Two answers side by side: in what they differ, where, and which values that change from run to run were masked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from farm.traverse.calls import Recorded, is_refusal, kind_of, text_of

_BEFORE, _AFTER = 40, 120


@dataclass(frozen=True)
class Mask:
    """A value of the real server that no replay can hit, and why.

    Attributes:
        pattern: what is masked on both sides: its group ``value``, or all of it.
        only_without_at: leave it as it is where the recording says when it was made: the clock stands there then.
    """

    name: str
    pattern: re.Pattern[str]
    reason: str
    only_without_at: bool = False

    def apply(self, text: str) -> str:
        """Return the text with the value's name in its place."""
        return self.pattern.sub(self._hidden, text)

    def values(self, text: str) -> list[str]:
        """Return the values that stand in a text, in their order."""
        group = "value" if "value" in self.pattern.groupindex else 0
        return [found[group] for found in self.pattern.finditer(text) if found[group]]

    def _hidden(self, found: re.Match[str]) -> str:
        if "value" not in self.pattern.groupindex:
            return f"<{self.name}>"
        start, end = (at - found.start() for at in found.span("value"))
        return f"{found[0][:start]}<{self.name}>{found[0][end:]}"


@dataclass(frozen=True)
class Difference:
    """In what two answers differ, and where their first difference is.

    Attributes:
        parts: the parts that differ, as ``_parts`` names them.
        shown: the one of them that is shown.
        position: where in it they part, in characters.
        recorded: the recorded one around there, masks applied.
        ours: ours around there.
    """

    parts: tuple[str, ...]
    shown: str
    position: int
    recorded: str
    ours: str


@dataclass(frozen=True)
class Compared:
    """One call and both answers to it.

    Attributes:
        masks: names of the masks without which they would differ in more.
        difference: in what they differ all the same, or None.
        leaves: the share of both bodies' values that are the same, from 0 to 1; None unless both succeed.
    """

    recorded: Recorded
    ours: dict[str, Any]
    masks: tuple[str, ...]
    difference: Difference | None
    leaves: float | None = None

    @property
    def is_crash(self) -> bool:
        """Whether our server broke instead of answering."""
        return "crash" in self.ours

    @property
    def is_exact(self) -> bool:
        """Whether the answers are the same in every part."""
        return self.difference is None

    @property
    def agrees(self) -> bool:
        """Whether both refuse, or neither does. A crash agrees with nothing."""
        return not self.is_crash and is_refusal(self.recorded.result) == is_refusal(self.ours)


def compare(recorded: Recorded, ours: dict[str, Any], masks: Iterable[Mask] = ()) -> Compared:
    """Set a recorded answer and ours side by side."""
    left, right = _parts(recorded.result), _parts(ours)
    used = []
    for mask in masks:
        differing = _differing(left, right)
        if not differing or (mask.only_without_at and recorded.at is not None):
            continue
        shown = left, right
        left, right = ({name: mask.apply(text) for name, text in side.items()} for side in shown)
        if any(left[name] != shown[0][name] or right[name] != shown[1][name] for name in differing):
            used.append(mask.name)
    both = kind_of(recorded.result) == kind_of(ours) == "success"
    leaves = equal_leaves(left["text"], right["text"]) if both else None
    return Compared(recorded, ours, tuple(used), _difference(left, right), leaves)


def equal_leaves(left: str, right: str) -> float:
    """Return the share of values that are the same at the same place in two bodies; of texts, of lines."""
    mine, theirs = _leaves(left), _leaves(right)
    places = mine.keys() | theirs.keys()
    same = sum(place in mine and place in theirs and mine[place] == theirs[place] for place in places)
    return same / len(places) if places else 1.0


def _leaves(text: str) -> dict[tuple[Any, ...], str]:
    try:
        body = json.loads(text)
    except ValueError:
        body = text.splitlines()
    return dict(_walk(body, ()))


def _walk(value: Any, place: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], str]]:
    match value:
        case dict() if value:
            for key, each in value.items():
                yield from _walk(each, (*place, key))
        case list() if value:
            for at, each in enumerate(value):
                yield from _walk(each, (*place, at))
        case _:
            yield place, _json(value)


def _parts(answer: Mapping[str, Any]) -> dict[str, str]:
    """Return every part of an answer that a client can tell, as a text, the telling ones first."""
    content = answer.get("content", [])
    bare = [{key: value for key, value in item.items() if key != "text"} for item in content]
    return {
        "kind": kind_of(answer),
        "code": _json(answer["error"]["code"]) if "error" in answer else "absent",
        "text": text_of(answer),
        "isError": _json(answer["isError"]) if "isError" in answer else "absent",
        "content": _json(bare),
        "structuredContent": _json(answer["structuredContent"]) if "structuredContent" in answer else "absent",
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _differing(left: Mapping[str, str], right: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(name for name in left if left[name] != right[name])


def _difference(left: Mapping[str, str], right: Mapping[str, str]) -> Difference | None:
    parts = _differing(left, right)
    if not parts:
        return None
    # What differs in kind is seen best in what was said.
    shown = "text" if "text" in parts else parts[0]
    at = first_difference(left[shown], right[shown])
    return Difference(parts, shown, at, around(left[shown], at), around(right[shown], at))


def first_difference(left: str, right: str) -> int:
    """Return the position of the first character in which two texts differ, or the length of the shorter one."""
    pairs = zip(left, right, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(left), len(right)))


def around(text: str, at: int) -> str:
    """Return the text before and after a position on one line, ``▸`` at the position."""
    start, end = max(0, at - _BEFORE), at + _AFTER
    before, after = ("…" if start else "") + text[start:at], text[at:end] + ("…" if end < len(text) else "")
    return (before + "▸" + after).replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t")
