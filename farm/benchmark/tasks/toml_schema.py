"""Declarations of the keys of a task file: each key's type, default and meaning.

A table of a file is a class under ``@table``, and a key is a field made by ``key``; its annotation is the key's type.
The loader, its messages and the tests of the documentation use the same declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from functools import lru_cache, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, dataclass_transform, get_args, get_origin, get_type_hints

from farm._util.renamed_words import TASK_KEYS, called

WholeFromZero = Annotated[int, "from 0"]
_Table = TypeVar("_Table")


@dataclass(frozen=True)
class Shape:
    """The type of a value in the file, in words and as a test."""

    words: str
    fits: Callable[[Any], bool]

    def find_problem(self, value: Any) -> str | None:
        """Return the problem of a value, or None."""
        return None if self.fits(value) else f"must be {self.words}, not {value!r}"


@dataclass(frozen=True)
class Key:
    """One key of a table.

    Attributes:
        name: the key in the file.
        attribute: the field that holds it; its name differs if the key is a Python keyword.
        is_required: whether a table without it is invalid.
    """

    name: str
    attribute: str
    shape: Shape
    help: str
    is_required: bool


def key(help: str, *, default: Any = MISSING, name: str | None = None, is_required: bool = False) -> Any:
    """Return a field that is a key of the file.

    Args:
        help: the meaning, in one phrase.
        default: the field's default; without one the key is required.
        name: the key, if it is not the field's name.
        is_required: whether the file must have the key although the field has a default.
    """
    metadata = {"help": help, "name": name, "is_required": is_required}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass_transform(frozen_default=True, field_specifiers=(key, field))
def table(declared: type[_Table]) -> type[_Table]:
    """Declare a class as a table of a task file: a frozen dataclass."""
    return dataclass(frozen=True)(declared)


def keys_of(table: type) -> Mapping[str, Key]:
    """Return the keys of a table by name, in the order of its fields."""
    return _keys_of(table)


@lru_cache(maxsize=64)
def _keys_of(table: type) -> Mapping[str, Key]:
    hints = get_type_hints(table, include_extras=True)
    found = {}
    for each in fields(table):
        if "help" not in each.metadata:
            continue
        name = each.metadata["name"] or each.name
        has_default = each.default is not MISSING or each.default_factory is not MISSING
        is_required = each.metadata["is_required"] or not has_default
        found[name] = Key(name, each.name, _shape_of(hints[each.name]), each.metadata["help"], is_required)
    return found


def problems_in(kind: type, raw: Mapping[str, Any], where: str, *, is_open: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the problems of a table's keys, each with its place.

    Args:
        kind: the class of the table.
        raw: the table.
        where: its place.
        is_open: whether undeclared keys are allowed.
    """
    dot = f"{where}." if where else ""
    keys = keys_of(kind)
    for name in raw:
        if name not in keys and not is_open:
            new = TASK_KEYS.get(name, "")
            other = called(name, new) if new in keys else near(name, keys)
            yield f"{dot}{name}", f"unknown key; have {', '.join(keys)}{other}"
    for name, each in keys.items():
        if name in raw:
            problem = each.shape.find_problem(raw[name])
            if problem:
                yield f"{dot}{name}", problem
        elif each.is_required:
            yield f"{dot}{name}", f"missing; it is {each.shape.words}"


def near(word: object, known: Iterable[str]) -> str:
    """Return ``; did you mean 'title'?`` for a word similar to a known one, else an empty text."""
    close = get_close_matches(str(word), list(known), 1)
    return f"; did you mean '{close[0]}'?" if close else ""


def _is_integer(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(each, kind) for each in value)


_TABLE = Shape("a table", lambda value: isinstance(value, dict))
_TABLES = Shape("a list of tables", lambda value: _is_list(value, dict))
_SHAPES: dict[Any, Shape] = {
    str: Shape("a text", lambda value: isinstance(value, str) and bool(value.strip())),
    tuple[str, ...]: Shape("a list of texts", lambda value: _is_list(value, str)),
    tuple[Any, ...]: Shape("a list", lambda value: isinstance(value, list) and bool(value)),
    str | tuple[str, ...]: Shape("a text or a list of texts", lambda v: isinstance(v, str) or _is_list(v, str)),
    float: Shape("a number", lambda value: isinstance(value, (int, float)) and not isinstance(value, bool)),
    int: Shape("a whole number from 1", lambda value: _is_integer(value, 1)),
    WholeFromZero: Shape("a whole number from 0", lambda value: _is_integer(value, 0)),
    bool: Shape("true or false", lambda value: isinstance(value, bool)),
    Any: Shape("a value", lambda value: True),
}


def _shape_of(hint: Any) -> Shape:
    """Return the shape of an annotation."""
    if hint in _SHAPES:
        return _SHAPES[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _shape_of(reduce(or_, (each for each in arguments if each is not type(None))))
    if origin is Literal:
        words = f"one of {', '.join(arguments)}" if len(arguments) > 1 else f"the text {arguments[0]}"
        return Shape(words, lambda value: value in arguments)
    if origin is not tuple:
        return _TABLE
    choices = get_args(arguments[0])
    if get_origin(arguments[0]) is Literal:
        words = f"a list out of {', '.join(choices)}"
        return Shape(words, lambda value: isinstance(value, list) and all(each in choices for each in value))
    return _TABLES
