"""Define the result of an attack: another way through a task, made from the calls of its oracle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from farm import content
from farm.benchmark.agents.scripted import CallOverride, Position
from farm.benchmark.tasks import OracleCall, Steps
from farm.benchmark.tasks.sheet_fields import AnswerForm

# A place in a call's arguments: keys and list indexes, and IN_JSON for a step into a text that is JSON.
Path = tuple[str | int, ...]
IN_JSON = "\0json"


@dataclass(frozen=True)
class AttackScript:
    """A way through a task.

    Attributes:
        kind: the kind of attack or variant, such as ``dropped``.
        why: the difference from the oracle, one phrase.
        is_right: whether the script deserves full marks.
        text: the replacement text, if the script replaces a text.
        may_break: whether the script is skipped if it cannot be played; a hand-written script must work.
        must_differ: whether the script counts only if it leaves other rows than the oracle or has reverted changes.
        may_rename: whether new rows with other keys than the oracle's count as the same rows: an app may make keys from
            all arguments of a call.
        asked: the form in which the answer was asked for.
        is_limited: whether the task's limit of calls applies; it always applies to right scripts.
    """

    kind: str
    why: str
    is_right: bool
    steps: Steps
    answer: str
    overrides: Mapping[Position, CallOverride] = field(default_factory=dict)
    may_break: bool = False
    must_differ: bool = False
    may_rename: bool = False
    is_limited: bool = False
    text: str | None = None
    asked: AnswerForm = "prose"


def writes(call: OracleCall) -> bool:
    """Whether a call's tool changes rows."""
    loaded = content.load_app(call.app)
    return bool(loaded.tables_of(loaded.bound[call.tool].tool))


def positions(steps: Steps) -> Iterator[tuple[Position, OracleCall]]:
    """Yield every call of a script with its position."""
    for number, step in enumerate(steps):
        for index, call in enumerate(step):
            yield (number, index), call


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the path and value of every plain value in arguments or a result, also inside texts that are JSON."""
    match value:
        case Mapping():
            for key, each in value.items():
                yield from leaves(each, (*path, key))
        case list() | tuple():
            for index, each in enumerate(value):
                yield from leaves(each, (*path, index))
        case str() if value[:1] in ("{", "["):
            try:
                yield from leaves(orjson.loads(value), (*path, IN_JSON))
            except orjson.JSONDecodeError:
                yield path, value
        case _:
            yield path, value


def replaced_at(value: Any, path: Path, other: Any) -> Any:
    """Return arguments with the value at one path replaced."""
    if not path:
        return other
    step, *rest = path
    if step == IN_JSON:
        return orjson.dumps(replaced_at(orjson.loads(value), tuple(rest), other)).decode()
    if isinstance(value, Mapping):
        return {**value, step: replaced_at(value[str(step)], tuple(rest), other)}
    assert isinstance(value, Sequence)
    return [replaced_at(each, tuple(rest), other) if index == step else each for index, each in enumerate(value)]


def saying(path: Path, text: str) -> Callable[[Any, Any], Any]:
    """Return a function that replaces the value at one path of a call's arguments by a text."""
    return lambda _, sent: replaced_at(sent, path, text)
