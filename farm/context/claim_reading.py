"""Claims in rules of people: what a text says, as a context asks it.

Texts are read by the benchmark, which stands above this room. It is found by its entry point, ``reader`` of
``farm.claims``, when the first rule asks: contexts without such rules load nothing of it.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Protocol

from farm.context.operators import OPERATORS, find_problem, satisfies, texts_in
from farm.context.settled import SETTLED, is_settled
from farm.errors import FarmError

CLAIMS = "claims"
_GROUP, _NAME = "farm.claims", "reader"


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A text in a column of a row, and when and where it was written.

    Attributes:
        app, table, column: the place, which says in what format it is.
        row: the row, as a mail has several parts.
        value: the text as stored.
        at: the simulated time.
        world: the world, which has people and days.
        shift_days: days by which the world is shifted.
    """

    app: str
    table: str
    column: str
    row: Mapping[str, Any]
    value: Any
    at: datetime
    world: str
    shift_days: int = 0


class ClaimReader(Protocol):
    """Reads texts."""

    def find_problem(self, claims: Any, world: str) -> str | None:
        """Return why these are no claims about a text in this world, or None."""

    def says(self, claims: Any, written: WrittenText) -> bool:
        """Return whether a text surely makes claims that ``find_problem`` has checked."""


@cache
def find_reader() -> importlib.metadata.EntryPoint:
    """Return where the reader of texts is, without loading it.

    Raises:
        FarmError: this installation does not tell.
    """
    for entry in importlib.metadata.entry_points(group=_GROUP, name=_NAME):
        return entry
    told = f"claims in a rule need the entry point '{_NAME}' of '{_GROUP}'"
    raise FarmError(f"{told}; install the farm again (make setup)")


@cache
def claim_reader() -> ClaimReader:
    """Return the reader of texts.

    Raises:
        FarmError: as ``find_reader``.
    """
    made: ClaimReader = find_reader().load()()
    return made


def claims_of(wanted: Any) -> tuple[Any, Any]:
    """Return the claims of a wanted value, None if it has none, and the wanted value without them."""
    if not isinstance(wanted, Mapping):
        return None, wanted
    return wanted.get(CLAIMS), {name: each for name, each in wanted.items() if name != CLAIMS}


def find_problem_in(wanted: Any, world: str | None) -> str | None:
    """Return why a value is nothing that a rule's column can be compared with, or None.

    Args:
        wanted: a plain value, or a table of operators and ``claims``.
        world: the world of the episode, if it has one.
    """
    claims, rest = claims_of(wanted)
    settled = rest.pop(SETTLED, None) if isinstance(rest, dict) else None
    if settled is not None and not isinstance(settled, bool):
        return f"'{SETTLED}' must be true or false, not {settled!r}"
    if settled is not None and claims is None and not rest:
        return None
    if isinstance(wanted, Mapping) and (unknown := [name for name in rest if name not in OPERATORS]):
        have = ", ".join([*OPERATORS, CLAIMS, SETTLED])
        return f"no operator '{unknown[0]}'; have {have} (an object is compared by {{ equals = … }})"
    if claims is None:
        return find_problem(rest)
    if world is None:
        return "claims need a world, whose days and people they name; this episode has none"
    return claim_reader().find_problem(claims, world) or (find_problem(rest) if rest else None)


def says_and_satisfies(wanted: Any, written: WrittenText) -> bool:
    """Return whether a text makes a wanted value's claims, is settled or not, and is as the rest of it wants."""
    claims, rest = claims_of(wanted)
    if isinstance(rest, dict) and SETTLED in rest and is_settled(texts_in(written.value)) is not rest.pop(SETTLED):
        return False
    return (claims is None or claim_reader().says(claims, written)) and (rest == {} or satisfies(rest, written.value))
