"""The syntax of values in task files: references, placeholders and predicates.

``farm.context.operators`` declares the operators; ``farm.benchmark.scoring`` implements the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from farm.benchmark.tasks.toml_schema import WholeFromZero, key, keys_of, table

# A reference in an oracle's text: a name, then a path. JSON in a text begins with a quote and never matches.
REFERENCE = re.compile(r"\{([a-z_][a-z0-9_]*)((?:\.[\w-]+|\[[^\]]*\])*)\}")
# An entry of [lookups] in a text.
LOOKUP = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}")
# The person the agent works for, wherever a person may be named.
ME = "me"


@table
class AccountOf:
    """The id of a person's account."""

    person: str = key("a key of the world's people, or ``me``")
    app: str | None = key("where it is not the app that the value is compared in", default=None)


@table
class ValueOf:
    """A column of the matching row (with ``all``, of every matching row) of the start."""

    table: str = key("the table")
    column: str = key("which column of the row")
    where: Mapping[str, Any] = key("what the row holds", default={})
    app: str | None = key("where it is not the app that the value is compared in", default=None)
    all: bool = key("any of the rows that fit, not the only one", default=False)


@table
class MatchedBy:
    """A column of the rows that satisfy another checkpoint."""

    checkpoint: str = key("the id of an ``operate`` checkpoint")
    column: str = key("which column of its rows")


def is_person(value: Any) -> bool:
    """Whether a value is the account of a person."""
    return _is_form(value, AccountOf)


def is_row(value: Any) -> bool:
    """Whether a value is a column of a row of the start."""
    return _is_form(value, ValueOf)


def is_checkpoint(value: Any) -> bool:
    """Whether a value is a column of another checkpoint's rows."""
    return _is_form(value, MatchedBy)


def _is_form(value: Any, form: type) -> bool:
    if not isinstance(value, Mapping):
        return False
    required, known = _names_of(form)
    return required <= value.keys() <= known


@lru_cache(maxsize=16)
def _names_of(form: type) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of the required keys of a form, and of all."""
    known = keys_of(form)
    return frozenset(name for name, each in known.items() if each.is_required), frozenset(known)


def references_in(value: Any) -> Iterator[str]:
    """Yield the names of the calls that a value of an oracle refers to."""
    match value:
        case str():
            yield from (found[1] for found in REFERENCE.finditer(value))
        case Mapping():
            for each in value.values():
                yield from references_in(each)
        case list():
            for each in value:
                yield from references_in(each)


def checkpoints_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the references to other checkpoints' rows in a value, at any depth."""
    match value:
        case Mapping() if is_checkpoint(value):
            yield value
        case Mapping():
            for each in value.values():
                yield from checkpoints_in(each)
        case list() | tuple():
            for each in value:
                yield from checkpoints_in(each)


@table
class CallPattern:
    """A description of calls; a matching call satisfies all of it."""

    app: str | None = key("the app", default=None)
    tool: str | tuple[str, ...] | None = key("the tool, or one of these", default=None)
    arguments: Mapping[str, Any] = key("dotted path → what is sent there", default={})
    contains: Any = key("a text that its result shows; a refused call shows nothing", default=None)


@table
class Called(CallPattern):
    """A number of matching calls was made."""

    min: WholeFromZero = key("at least so many", default=1)
    max: WholeFromZero | None = key("at most so many", default=None)


@table
class Order:
    """The first call of one kind came before the first of another."""

    first: Mapping[str, Any] = key("describes a call")
    then: Mapping[str, Any] = key("describes a call")


@table
class CallsMax:
    """At least one call was made, and at most a given number."""

    max: int = key("how many calls")


@table
class NoRefusals:
    """At least one call was made, and none was refused."""

    app: str | None = key("in this app; in any when left out", default=None)


@table
class Recovered:
    """A planned fault struck; every call that it kept from being done was done later, and no call was done twice."""

    app: str | None = key("in this app; in any when left out", default=None)


@table
class BackedOff:
    """A planned fault struck, and no call that failed by it was made again too soon."""

    app: str | None = key("in this app; in any when left out", default=None)
    wait_s: WholeFromZero | None = key(
        "seconds of simulated time; when left out, the fault's ``retry_after``", default=None
    )


@table
class OracleCalls:
    """The oracle's calls were made, in any order, with no call of another kind, and none of them was refused."""


# Predicate of an ``other`` checkpoint → the options beside it.
PREDICATES: Mapping[str, type] = {
    "called": Called,
    "not_called": CallPattern,
    "order": Order,
    "calls_max": CallsMax,
    "no_refusals": NoRefusals,
    "recovered": Recovered,
    "backed_off": BackedOff,
    "oracle_calls": OracleCalls,
}
