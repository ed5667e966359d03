"""The keys of a task file, each said once: what it must be, what holds when it is left out, what it means.

A table of a file is a class under ``@table``, and a key is a field made by ``key``; its annotation says what is
written. The loader, its messages and the tests of the documentation read the same declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from functools import lru_cache, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, dataclass_transform, get_args, get_origin, get_type_hints

WholeFromZero = Annotated[int, "from 0"]
_Table = TypeVar("_Table")


@dataclass(frozen=True)
class Shape:
    """What a value of the file must be, in words and as a test."""

    words: str
    fits: Callable[[Any], bool]

    def find_problem(self, value: Any) -> str | None:
        """Return what is wrong with a value, or None."""
        return None if self.fits(value) else f"must be {self.words}, not {value!r}"


@dataclass(frozen=True)
class Key:
    """One key of a table.

    Attributes:
        name: as the file has it.
        attribute: the field that holds it; another name where the file's is a word of Python.
        is_required: whether a table without it is refused.
    """

    name: str
    attribute: str
    shape: Shape
    help: str
    is_required: bool


def key(help: str, *, default: Any = MISSING, name: str | None = None) -> Any:
    """Return a field that is a key of the file.

    Args:
        help: what it means, one phrase.
        default: what holds when it is left out; without one it must be there.
        name: the key, where it is not the field's name.
    """
    metadata = {"help": help, "name": name}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass_transform(frozen_default=True, field_specifiers=(key, field))
def table(declared: type[_Table]) -> type[_Table]:
    """Make a class a table of a task file: a frozen dataclass."""
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
        is_required = each.default is MISSING and each.default_factory is MISSING
        found[name] = Key(name, each.name, _shape_of(hints[each.name]), each.metadata["help"], is_required)
    return found


def problems_in(kind: type, raw: Mapping[str, Any], where: str, *, is_open: bool = False) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the keys of a table, each with its place.

    Args:
        is_open: keys that are not declared may stand there too.
    """
    dot = f"{where}." if where else ""
    keys = keys_of(kind)
    for name in raw:
        if name not in keys and not is_open:
            yield f"{dot}{name}", f"unknown key; have {', '.join(keys)}{near(name, keys)}"
    for name, each in keys.items():
        if name in raw:
            problem = each.shape.find_problem(raw[name])
            if problem:
                yield f"{dot}{name}", problem
        elif each.is_required:
            yield f"{dot}{name}", f"missing; it is {each.shape.words}"


def near(word: object, known: Iterable[str]) -> str:
    """Return ``; did you mean 'title'?`` for a word that is nearly a known one, else nothing."""
    close = get_close_matches(str(word), list(known), 1)
    return f"; did you mean '{close[0]}'?" if close else ""


def _is_whole(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(each, kind) for each in value)


_TABLE = Shape("a table", lambda value: isinstance(value, dict))
_TABLES = Shape("a list of tables", lambda value: _is_list(value, dict))
_SHAPES: dict[Any, Shape] = {
    str: Shape("a text", lambda value: isinstance(value, str) and bool(value.strip())),
    tuple[str, ...]: Shape("a list of texts", lambda value: _is_list(value, str)),
    str | tuple[str, ...]: Shape("a text or a list of texts", lambda v: isinstance(v, str) or _is_list(v, str)),
    float: Shape("a number", lambda value: isinstance(value, (int, float)) and not isinstance(value, bool)),
    int: Shape("a whole number from 1", lambda value: _is_whole(value, 1)),
    WholeFromZero: Shape("a whole number from 0", lambda value: _is_whole(value, 0)),
    bool: Shape("true or false", lambda value: isinstance(value, bool)),
    Any: Shape("a value", lambda value: True),
}


def _shape_of(hint: Any) -> Shape:
    """Return the shape that an annotation stands for."""
    if hint in _SHAPES:
        return _SHAPES[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _shape_of(reduce(or_, (each for each in arguments if each is not type(None))))
    if origin is Literal:
        return Shape(f"one of {', '.join(arguments)}", lambda value: value in arguments)
    if origin is not tuple:
        return _TABLE
    choices = get_args(arguments[0])
    if get_origin(arguments[0]) is Literal:
        words = f"a list out of {', '.join(choices)}"
        return Shape(words, lambda value: isinstance(value, list) and all(each in choices for each in value))
    return _TABLES
