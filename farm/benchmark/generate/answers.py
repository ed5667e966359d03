"""The objects in a tool's answer: their fields, each with its path, and the path that a reference takes to one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from farm.context.operators import parsed_json

# ``Key: value`` in an answer that is prose.
_LINE = re.compile(r"(?:^|[\n|,;(])\s*([A-Za-z][\w ]{0,24}):\s*([^\n|,;]+)")
_PARAGRAPH = re.compile(r"\n(?=\S)|\n\n")
PROSE = "#"

Scalar = str | int | float


@dataclass(frozen=True)
class Item:
    """An object of an answer.

    Attributes:
        path: where it stands, lists without positions: ``.channels[]``. One of a text's paragraphs ends in ``#``.
        own: field → value of its scalars, those of objects inside it included; a field is a path from the root.
        above: the same of the objects around it.
    """

    path: str
    own: Mapping[str, Scalar]
    above: Mapping[str, Scalar]

    @property
    def values(self) -> Mapping[str, Scalar]:
        """Field → value, its own and those above it."""
        return {**self.above, **self.own}


def items_in(body: Any) -> Iterator[Item]:
    """Yield every object of an answer's body, outer ones first."""
    parsed = parsed_json(body) if isinstance(body, str) else body
    yield from _prose(parsed) if isinstance(parsed, str) else _below(parsed, "", {})


def _prose(text: str) -> Iterator[Item]:
    for paragraph in _PARAGRAPH.split(text):
        if pairs := {f"{PROSE}{name.strip()}": value.strip() for name, value in _LINE.findall(paragraph)}:
            yield Item(PROSE, pairs, {})


def _below(body: Any, path: str, above: Mapping[str, Scalar]) -> Iterator[Item]:
    if isinstance(body, Mapping):
        own = dict(_scalars(body, path))
        yield Item(path, own, above)
        around = {**above, **{name: each for name, each in own.items() if name.count(".") == path.count(".") + 1}}
        for name, each in body.items():
            yield from _below(_opened(each), f"{path}.{name}", around)
    elif isinstance(body, list):
        for each in map(_opened, body):
            if isinstance(each, Mapping | list):
                yield from _below(each, f"{path}[]", above)
            elif _is_scalar(each):
                yield Item(f"{path}[]", {f"{path}[]": each}, above)


def _scalars(body: Mapping[str, Any], path: str) -> Iterator[tuple[str, Scalar]]:
    for name, each in body.items():
        if _is_scalar(each):
            yield f"{path}.{name}", each
        elif isinstance(each, Mapping):
            yield from _scalars(each, f"{path}.{name}")


def _opened(value: Any) -> Any:
    return parsed_json(value) if isinstance(value, str) and value[:1] in "{[" else value


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def leaves_of(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (dotted path, value) of every scalar of a call's arguments; items of lists are ``name[]``."""
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from leaves_of(each, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for each in value:
            yield from leaves_of(each, f"{path}[]")
    else:
        yield path, value


def with_value(arguments: Any, path: str, old: Any, new: Any) -> Any:
    """Return a copy of arguments in which the value at a path is another one.

    Args:
        old: the value that it has there, which tells items of a list apart.
    """

    def put(value: Any, at: str) -> Any:
        if isinstance(value, Mapping):
            return {name: put(each, f"{at}.{name}" if at else name) for name, each in value.items()}
        if isinstance(value, list):
            return [put(each, f"{at}[]") for each in value]
        return new if at == path and value == old else value

    return put(arguments, "")


def mapped_texts(value: Any, change: Callable[[str], Any]) -> Any:
    """Return a copy of a JSON value in which each text is what a function makes of it."""
    match value:
        case str():
            return change(value)
        case Mapping():
            return {name: mapped_texts(each, change) for name, each in value.items()}
        case list():
            return [mapped_texts(each, change) for each in value]
        case _:
            return value


def set_path(arguments: dict[str, Any], path: str, value: Any) -> None:
    """Set a value at a dotted path of arguments, in new objects where there are none; ``name[]`` is a list of one."""
    *outer, last = path.split(".")
    for part in outer:
        if part.endswith("[]"):
            held = arguments.setdefault(part[:-2], [{}])
            arguments = held[0]
        else:
            arguments = arguments.setdefault(part, {})
    if last.endswith("[]"):
        arguments[last[:-2]] = [value]
    else:
        arguments[last] = value


def at_path(arguments: Any, path: str) -> Any:
    """Return the first value at a dotted path of arguments, or None."""
    return next((value for name, value in leaves_of(arguments) if name == path), None)
