"""What an attacker makes: another way through a task, from the calls of its oracle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from farm import content
from farm.agents.scripted import Position, Twist
from farm.task import OracleCall, Steps

# A piece of a call's arguments: keys and places in lists, and IN_JSON where a text is itself JSON.
Path = tuple[str | int, ...]
IN_JSON = "\0json"


@dataclass(frozen=True)
class Script:
    """A way through a task.

    Attributes:
        kind: which attacker made it, such as ``dropped``.
        why: what is different, one phrase.
        is_right: whether it deserves full marks.
        text: what is said instead, where that is what is different.
        may_break: a derived script that cannot be played is left out; one that a person wrote must work.
        must_differ: it is no attack unless it leaves other rows than the oracle, or did and undid something.
        is_limited: only so many calls are taken as the task allows, as is always so of right ways.
    """

    kind: str
    why: str
    is_right: bool
    steps: Steps
    answer: str
    twists: Mapping[Position, Twist] = field(default_factory=dict)
    may_break: bool = False
    must_differ: bool = False
    is_limited: bool = False
    text: str | None = None


def writes(call: OracleCall) -> bool:
    """Whether a call is of a tool that changes rows."""
    loaded = content.load_app(call.app)
    return bool(loaded.tables_of(loaded.bound[call.tool].tool))


def positions(steps: Steps) -> Iterator[tuple[Position, OracleCall]]:
    """Yield every call of a script with its position."""
    for number, step in enumerate(steps):
        for index, call in enumerate(step):
            yield (number, index), call


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every plain value inside arguments or a result with where it stands, also inside a text that is JSON."""
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
    """Return arguments with something else in one place."""
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
    """Return a change of arguments that puts a text in one place."""
    return lambda _, sent: replaced_at(sent, path, text)
