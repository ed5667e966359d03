"""What a ledger declares: facts and the values that they had before or that some take for true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from farm.errors import FarmError

Kind = Literal[
    "moment", "day", "clock", "span", "amount", "number", "percent", "id", "person", "place", "choice", "text"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
# Kinds with a value that can be calculated with; the others are texts.
MEASURED: tuple[Kind, ...] = ("moment", "day", "clock", "span", "amount", "number", "percent")

Value = str | int | float


class FactError(FarmError):
    """A ledger or a reference to a fact is invalid; the message names file, entry and the way out."""


@dataclass(frozen=True)
class Version:
    """A value that a fact had before, or that is wrong.

    Attributes:
        key: its name in references: ``{{fact:launch.at#first}}``.
        value: as the fact's own value.
        until: until when it was true, as an offset (``-4 15:00``); empty for a wrong value.
        by: the person who says so; empty for anybody.
        forms: as those of the fact.
    """

    key: str
    value: Value
    until: str = ""
    by: str = ""
    forms: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Fact:
    """Something that is true in a world.

    Attributes:
        key: its name in references; it contains no value.
        kind: what the value is.
        value: the present value: an offset (``+17 10:00`` or ``+17``), a time of day, a duration (``90 min``), a
            number, or a text. A text that begins with ``=`` is calculated from other facts.
        unit: the unit or currency of an amount or number.
        names: the words by which texts and tasks name the subject, in all languages.
        since: from when the value is true, as an offset; empty for always.
        former: values that were true before.
        wrong: values that somebody takes for true.
        known: person → from when they know it; empty if everybody may tell it.
        tell: the apps in which a row must tell it.
        distinct: other facts that must never have the same value.
        order: conditions such as ``setup.at < launch.at``.
        scope: the days that texts about it belong to, ``[from, until]``; free-text search looks nowhere else.
        rows: typed columns that hold it, ``lark.events.start_at``.
        forms: further forms of the value: ``called``, ``family`` …
        draw: candidates of a redraw; without them, numbers and ids are drawn by shape, and other values stay.
        fixed: a redraw keeps the value.
        place: file and number of the entry, for messages.
    """

    key: str
    kind: Kind
    value: Value
    unit: str = ""
    names: tuple[str, ...] = ()
    since: str = ""
    former: tuple[Version, ...] = ()
    wrong: tuple[Version, ...] = ()
    known: Mapping[str, str] = field(default_factory=dict)
    tell: tuple[str, ...] = ()
    distinct: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    forms: Mapping[str, str] = field(default_factory=dict)
    draw: tuple[Value | Mapping[str, object], ...] = ()
    fixed: bool = False
    place: str = ""

    @property
    def versions(self) -> tuple[Version, ...]:
        """Former and wrong values."""
        return (*self.former, *self.wrong)

    def version(self, key: str) -> Version | None:
        """Return the former or wrong value of a key."""
        return next((each for each in self.versions if each.key == key), None)
