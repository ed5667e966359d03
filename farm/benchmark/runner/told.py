"""What an agent tells of itself, held against the trace: its turns, its calls and its tokens.

The farm's trace has every call. Told turns only group them: their arguments are taken from the trace, and if they leave
out a call, invent one, or have them in another order, every call of the trace counts as a turn of its own.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from farm._util.json_io import dumps
from farm._util.json_strings import strings_in
from farm.benchmark.agents.base import Result
from farm.context.trace import Call

# Far more than any tokenizer packs into one, so that no honest count is doubted.
_BYTES_A_TOKEN_MAX = 8

Turns = list[list[tuple[str, Mapping[str, Any]]]]


@dataclass(frozen=True)
class HeldTurns:
    """The turns of a trial as the trace has them: ``app.tool`` and arguments of each call.

    Attributes:
        problem: how the told turns differ from the trace; empty if they do not.
    """

    turns: Turns
    problem: str = ""


def hold_turns(told: Sequence[Sequence[tuple[str, str, Mapping[str, Any]]]], calls: Sequence[Call]) -> HeldTurns:
    """Return the turns that an agent told, with the calls of the trace."""
    left: dict[str, deque[Call]] = {}
    for call in calls:
        left.setdefault(_name(call), deque()).append(call)
    names = [[f"{app}.{tool}" for app, tool, _ in turn] for turn in told if turn]
    each_alone = [[(_name(call), call["arguments"] or {})] for call in calls]
    if Counter(name for turn in names for name in turn) != Counter(map(_name, calls)):
        count = sum(map(len, names))
        others = f"{count} calls" if count != len(calls) else "other calls"
        return HeldTurns(each_alone, f"told {others} in its turns; the trace has {len(calls)}, which count")
    held = [[left[name].popleft() for name in turn] for turn in names]
    ends = [(min(call["n"] for call in turn), max(call["n"] for call in turn)) for turn in held]
    if any(last > first for (_, last), (first, _) in pairwise(ends)):
        return HeldTurns(each_alone, "told its calls in another order than the trace's, which counts")
    return HeldTurns([[use_of(call) for call in turn] for turn in held])


def use_of(call: Call) -> tuple[str, Mapping[str, Any]]:
    """Return a call of the trace as turns have it."""
    return _name(call), call["arguments"] or {}


def find_token_problem(result: Result, calls: Iterable[Call]) -> str:
    """Return how the tokens that an agent told contradict the trace; empty if they do not."""
    if result.usage is None:
        return ""
    written = {result.answer, *(text for call in calls for text in strings_in(call["arguments"]))}
    least = sum(len(dumps(text)) for text in written if text) // _BYTES_A_TOKEN_MAX
    if result.usage.completion_tokens >= least:
        return ""
    told = result.usage.completion_tokens
    return f"told {told} completion tokens; its answer and the texts of its calls take at least {least}"


def _name(call: Call) -> str:
    return f"{call['app']}.{call['tool']}"
