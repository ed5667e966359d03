"""What a task file may want of a text that an agent writes: claims, a stance, what else may be said, what is kept.

This module says what can be written; ``farm.score.texts`` turns it into what ``farm.claims`` judges by.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from farm.claims.model import KINDS, Kind
from farm.task.keys import key, keys_of, table

Words = str | tuple[str, ...]


@table
class ClaimForm:
    """One value that must be asserted: one of the kinds, and what it belongs to."""

    date: Words | None = key(
        "an offset of days from the world's first Monday, such as ``+17``, or any of several", default=None
    )
    clock: Words | None = key("a time of day such as ``15:00``, or any of several", default=None)
    span: tuple[str, ...] | None = key("from one time of day to another: ``['10:00', '11:00']``", default=None)
    number: float | None = key("a count or a measure", default=None)
    amount: str | None = key("a sum with its currency, such as ``MYR 395``", default=None)
    name: str | None = key("a person by key, by any name only they have", default=None)
    choice: Words | None = key("one thing, by any of its names", default=None)
    id: str | None = key("one of a numbered kind, such as ``EMB-424``", default=None)
    says: Words | None = key("a predicate, by any of its wordings", default=None)
    unit: Words | None = key(
        "the number's unit, or any of several: ``%``, ``cm`` …, ``''`` in a list for none; any but ``%`` if left out",
        default=None,
    )
    of: Words | None = key("the subject that the value must belong to, by any of its names", default=None)
    not_of: Any = key(
        "other subjects, of which the value may not be said: names, or ``{ table, column, all = true }``", default=None
    )
    beside: Words | None = key("what must stand in the same sentence or item", default=None)
    rivals: Any = key(
        "what may not be asserted instead: texts, lists of one thing's names, or ``{ table, column, all = true }``",
        default=None,
    )
    former: bool = key("it may also be told as the value of before", default=False)
    denied: bool = key("it must be denied, not asserted", default=False)


@table
class StanceForm:
    """The answer to what was asked."""

    answer: Literal["yes", "no", "neither"] = key("what the text must say to it", name="is")
    on: Words = key("words of the asked acts, so that a *not* elsewhere is no *no*", default=())


@table
class OnlyForm:
    """What else of the claimed kinds may be asserted."""

    also: Words = key("texts whose values may be said besides", default=())
    stale: Words = key(
        "texts whose values may only be denied or called old, though the instruction names them", default=()
    )
    free: tuple[Kind, ...] = key("kinds of which anything may be said", default=())


@table
class TextForm:
    """What is wanted of one text."""

    claims: tuple[Mapping[str, Any], ...] = key("what must be asserted", default=())
    stance: Mapping[str, Any] | None = key("the answer to what was asked: ``{ is = 'yes', on = [...] }``", default=None)
    only: Mapping[str, Any] | None = key("what else may be said: ``{ also, stale, free }``", default=None)
    keeps: Any = key("the text that must stand whole; ``true``: what the column held at the start", default=None)
    bans: Words = key("words that may not occur", default=())
    judge: str | None = key("a question for a judge, where reading leaves a doubt", default=None)


TEXT_KEYS = frozenset(keys_of(TextForm))
CLAIM_KINDS = (*KINDS[:-1], "name", KINDS[-1])


def kind_of(claim: Mapping[str, Any]) -> str | None:
    """Return which kind of value a claim's table names; None when it names none or several."""
    found = [kind for kind in CLAIM_KINDS if kind in claim]
    return found[0] if len(found) == 1 else None


def wants_text(value: Any) -> bool:
    """Whether a wanted value is (also) about what a text asserts."""
    return isinstance(value, Mapping) and not TEXT_KEYS.isdisjoint(value)
