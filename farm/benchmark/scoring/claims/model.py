"""Define the requirements on a text and the result of judging it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from farm.benchmark.claim_kinds import ClaimKind

# Why a text fails. missing: the value does not occur; denied, hedged, asked, rival, former, conditional, reported: it
# occurs, but with this status; other_subject: it is stated of another subject; extra: a further value of the kind is
# asserted; stale: the outdated value is asserted; altered: the text of the start is truncated, changed or doubled;
# banned: a banned word occurs; stance: the text gives another answer; undone: a claimed deed that nobody did; unread:
# the text is too long to be read.
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
    "altered",
    "banned",
    "stance",
    "undone",
    "unread",
]
# A kind of change that a trial makes. send: a row that others are notified of.
Change = Literal["create", "update", "delete", "send"]
Value = date | str | float | tuple[str, str]


@dataclass(frozen=True)
class Claim:
    """One value that a text must assert.

    Attributes:
        values: the accepted values: days, clocks ``HH:MM``, spans of two clocks, numbers, or the names of one thing.
        units: the accepted units of a number or amount (``%``, ``°C``, an ISO currency, "" for a bare count); empty:
            any but ``%``.
        of: names of the subject that the value must belong to; empty: any.
        beside: names of the thing that must occur in the same sentence or item.
        not_of: names of other subjects; a value that belongs to one of them is not the claimed one.
        rivals: the names of each thing that may not be asserted instead or in addition.
        is_former: whether it may also be given as a former value.
        is_denied: whether it must be denied instead of asserted.
        is_implied: whether the text may leave it out, as the other claims imply it.
    """

    kind: ClaimKind
    values: tuple[Value, ...]
    units: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    not_of: tuple[str, ...] = ()
    rivals: tuple[tuple[str, ...], ...] = ()
    is_former: bool = False
    is_denied: bool = False
    is_implied: bool = False

    @property
    def describe(self) -> str:
        """Return the claim in words."""
        value = self.values[0]
        text = "–".join(value) if isinstance(value, tuple) else f"{value:g}" if isinstance(value, float) else str(value)
        unit = self.units[0] if self.units else ""
        words = f"{self.kind} {text}" + (unit if unit == "%" else f" {unit}" if unit else "")
        return words + (f" of {self.of[0]}" if self.of else "")


@dataclass(frozen=True)
class Stance:
    """The required answer to a question: yes, no or neither; ``on`` holds the words of the acts in question."""

    answer: Literal["yes", "no", "neither"]
    on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Requirement:
    """All requirements on one text.

    Attributes:
        also: texts whose values may be asserted in addition.
        stale: texts whose values may only be denied or called old, even though the instruction names them.
        free: kinds of which any value may be asserted.
        keeps: the text of the start that must occur whole and once; the claims are sought in the added text.
        bans: words that may not occur at all.
    """

    claims: tuple[Claim, ...] = ()
    stance: Stance | None = None
    also: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    free: tuple[ClaimKind, ...] = ()
    keeps: str | None = None
    bans: tuple[str, ...] = ()


@dataclass(frozen=True)
class Situation:
    """The writer's situation.

    Attributes:
        now: the moment, aware, in the writer's zone.
        said: the texts that asked for this one.
        done: the kinds of changes that the trial made besides writing this text; None: unknown.
        samples: right texts; what is said in their words is no addition of the writer's own.
    """

    now: datetime
    said: tuple[str, ...] = ()
    done: frozenset[Change] | None = None
    samples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reason:
    """One fault of a text.

    Attributes:
        claim: the index in ``Requirement.claims`` of the claim that fails; None: the fault concerns the whole text.
        words: one phrase, with the piece of the text if there is one.
    """

    code: Code
    words: str
    claim: int | None = None


@dataclass(frozen=True)
class Judgement:
    """The result of judging a text.

    Attributes:
        reasons: the faults of the text, by best guess; empty: the text meets its requirements.
        doubts: what the grammar could not read and why the guess may be wrong, one phrase each.
        is_close: whether it is an acceptance about which a judge should be asked if there is one.
    """

    reasons: tuple[Reason, ...] = ()
    doubts: tuple[str, ...] = field(default=())
    is_close: bool = False

    @property
    def ok(self) -> bool:
        """Whether the text meets its requirements, by best guess."""
        return not self.reasons

    @property
    def sure(self) -> bool:
        """Whether the judgement is certain, not only a best guess."""
        return not self.doubts
