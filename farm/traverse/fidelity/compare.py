"""Compare two answers: find the differing parts and their position; mask values that change from run to run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from farm.traverse.recordings.calls import Recorded, is_refusal, kind_of, text_of
from farm.traverse.recordings.text_difference import around, first_difference

# The kind of an answer and its code are the server's decision, so no mask applies to them.
_MASKED = frozenset({"text", "content", "structuredContent"})


@dataclass(frozen=True)
class Mask:
    """A value of the real server that no replay can reproduce, and the reason.

    Attributes:
        pattern: the masked text on both sides: its group ``value``, or the whole match.
        only_without_at: do not mask recordings with a time of the call, because the replay's clock is set to it.
        never_an_argument: later calls do not name the value, so a replay leaves equal words of their arguments alone.
    """

    name: str
    pattern: re.Pattern[str]
    reason: str
    only_without_at: bool = False
    never_an_argument: bool = False

    def apply(self, text: str) -> str:
        """Return the text with the mask's name in place of each value."""
        return self.pattern.sub(self._hidden, text)

    def values(self, text: str) -> list[str]:
        """Return the masked values of a text, in order."""
        group = "value" if "value" in self.pattern.groupindex else 0
        return [found[group] for found in self.pattern.finditer(text) if found[group]]

    def _hidden(self, found: re.Match[str]) -> str:
        if "value" not in self.pattern.groupindex:
            return f"<{self.name}>"
        start, end = (at - found.start() for at in found.span("value"))
        return f"{found[0][:start]}<{self.name}>{found[0][end:]}"


@dataclass(frozen=True)
class Difference:
    """The differing parts of two answers, and their first difference.

    Attributes:
        parts: the parts that differ, as ``_parts`` names them.
        part: the part that a report quotes.
        position: the position in it of the first difference, in characters.
        recorded: the recorded text around it, masks applied.
        ours: our text around it.
    """

    parts: tuple[str, ...]
    part: str
    position: int
    recorded: str
    ours: str


@dataclass(frozen=True)
class Compared:
    """One call and both answers to it.

    Attributes:
        masks: names of the masks without which more parts would differ.
        difference: the remaining difference, or None.
        leaves: the share of equal values in both bodies, from 0 to 1; None unless both calls succeed.
    """

    recorded: Recorded
    ours: dict[str, Any]
    masks: tuple[str, ...]
    difference: Difference | None
    leaves: float | None = None

    @property
    def is_crash(self) -> bool:
        """Return whether our server failed instead of answering."""
        return "crash" in self.ours

    @property
    def is_exact(self) -> bool:
        """Return whether all parts of the answers are equal."""
        return self.difference is None

    @property
    def agrees(self) -> bool:
        """Return whether both refuse, or neither does. A crash agrees with nothing."""
        return not self.is_crash and is_refusal(self.recorded.result) == is_refusal(self.ours)


def compare(recorded: Recorded, ours: dict[str, Any], masks: Iterable[Mask] = ()) -> Compared:
    """Compare a recorded answer with ours."""
    left, right = _parts(recorded.result), _parts(ours)
    used = []
    for mask in masks:
        differing = _differing(left, right)
        if not differing or (mask.only_without_at and recorded.at is not None):
            continue
        shown = left, right
        left, right = (
            {name: mask.apply(text) if name in _MASKED else text for name, text in side.items()} for side in shown
        )
        if any(left[name] != shown[0][name] or right[name] != shown[1][name] for name in differing):
            used.append(mask.name)
    both = kind_of(recorded.result) == kind_of(ours) == "success"
    leaves = equal_leaves(_quoted(left["text"], used), _quoted(right["text"], used)) if both else None
    return Compared(recorded, ours, tuple(used), _difference(left, right), leaves)


def _quoted(text: str, masks: Iterable[str]) -> str:
    """Return a masked text with names quoted where JSON had a number, so that a body stays valid JSON."""
    for name in masks:
        text = re.sub(rf"(?<=[:,\[\s])<{re.escape(name)}>(?=\s*[,\]}}])", lambda found: json.dumps(found[0]), text)
    return text


def equal_leaves(left: str, right: str) -> float:
    """Return the share of values that are equal at the same place in two bodies; for texts, the share of lines."""
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
    """Return every part of an answer that a client can distinguish, as texts, the most informative first."""
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
    # The text shows a difference in kind best.
    shown = "text" if "text" in parts else parts[0]
    at = first_difference(left[shown], right[shown])
    return Difference(parts, shown, at, around(left[shown], at), around(right[shown], at))
