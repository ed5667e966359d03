"""What a text may be asked to say, and what comes of reading it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

# date: a day; clock: a time of day; span: from one clock to another; number, amount: a number with its unit or
# currency; choice: one of several things by its names; id: one of a numbered kind, such as EMB-424; says: a predicate.
Kind = Literal["date", "clock", "span", "number", "amount", "choice", "id", "says"]
KINDS: tuple[Kind, ...] = ("date", "clock", "span", "number", "amount", "choice", "id", "says")

# Why a text is refused. missing: the value is not there; denied, hedged, asked, rival, former, conditional, reported:
# it is there, but so said; other_subject: it is said of something else; extra: a further value of the kind is asserted;
# stale: the outdated value is asserted; kept: the text of the start is cut, changed or doubled; banned: what must not
# be named is named; stance: the answer to what was asked is another; unread: the text is too long to be read.
Code = Literal[
    "missing",
    "denied",
    "hedged",
    "asked",
    "rival",
    "former",
    "conditional",
    "reported",
    "other_subject",
    "extra",
    "stale",
    "kept",
    "banned",
    "stance",
    "unread",
]
Value = date | str | float | tuple[str, str]


@dataclass(frozen=True)
class Claim:
    """One value that a text must assert.

    Attributes:
        values: any of these will do: days, clocks ``HH:MM``, spans of two clocks, numbers, or the names of one thing.
        units: of a number or amount (``%``, ``°C``, an ISO currency, "" for a bare count), any of which will do; empty:
            any but ``%``.
        of: names of the subject it must belong to; empty: any.
        beside: names of what must stand in the same sentence or item.
        not_of: names of other subjects; said of one of them, the value is not the claimed one.
        rivals: the names of each thing that may not be asserted instead or besides.
        is_former: whether it may also be told as the value of before.
        is_denied: whether it must be denied instead of asserted.
    """

    kind: Kind
    values: tuple[Value, ...]
    units: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    not_of: tuple[str, ...] = ()
    rivals: tuple[tuple[str, ...], ...] = ()
    is_former: bool = False
    is_denied: bool = False

    @property
    def shown(self) -> str:
        """Return the claim in words."""
        value = self.values[0]
        text = "–".join(value) if isinstance(value, tuple) else f"{value:g}" if isinstance(value, float) else str(value)
        unit = self.units[0] if self.units else ""
        words = f"{self.kind} {text}" + (unit if unit == "%" else f" {unit}" if unit else "")
        return words + (f" of {self.of[0]}" if self.of else "")


@dataclass(frozen=True)
class Stance:
    """The answer to what was asked: yes, no, or neither of them; ``on`` are the words of the asked acts."""

    answer: Literal["yes", "no", "neither"]
    on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """All that is wanted of one text.

    Attributes:
        also: texts whose values may be asserted besides.
        stale: texts whose values may only be denied or called old, though the instruction names them.
        free: kinds of which anything may be asserted.
        keeps: the text of the start that must stand whole, once; the claims are looked for in what was added.
        bans: words that may not occur at all.
    """

    claims: tuple[Claim, ...] = ()
    stance: Stance | None = None
    also: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    free: tuple[Kind, ...] = ()
    keeps: str | None = None
    bans: tuple[str, ...] = ()


@dataclass(frozen=True)
class Situation:
    """What a writer knows: the moment (aware, in the writer's zone), and the texts that asked for this one."""

    now: datetime
    said: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reason:
    """One thing that is wrong with a text.

    Attributes:
        claim: the number of the claim in ``Wanted.claims`` that fails; None: it is wrong in the text as a whole.
        words: in one phrase, with the piece of the text where there is one.
    """

    code: Code
    words: str
    claim: int | None = None


@dataclass(frozen=True)
class Judgement:
    """What comes of reading a text.

    Attributes:
        reasons: what is wrong with it, by best guess; none: it says what it should.
        doubts: what the grammar could not read and on what the guess may fail, one phrase each.
    """

    reasons: tuple[Reason, ...] = ()
    doubts: tuple[str, ...] = field(default=())

    @property
    def ok(self) -> bool:
        """Whether the text says what it should, by best guess."""
        return not self.reasons

    @property
    def sure(self) -> bool:
        """Whether the guess is more than a guess."""
        return not self.doubts
