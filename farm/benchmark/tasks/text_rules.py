"""The syntax of a task file's conditions for an agent's text: claims, a stance, further statements, kept text.

``farm.benchmark.scoring.texts`` converts them to the input of ``farm.benchmark.scoring.claims``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from farm.benchmark.claim_kinds import KINDS, ClaimKind
from farm.benchmark.tasks.toml_schema import key, keys_of, table

Words = str | tuple[str, ...]
# How a value follows from others; the audit recomputes it.
How = Literal[
    "sum", "difference", "product", "quotient", "share", "change", "rounded", "count", "next", "zone", "duration"
]


@table
class ClaimForm:
    """One value that must be asserted: its kind and its subject."""

    date: Words | None = key(
        "a day, as a number of days after the world's first Monday, such as ``+17``; of several days, any one is right",
        default=None,
    )
    clock: Words | None = key("a time of day such as ``15:00``; of several times, any one is right", default=None)
    span: tuple[str, ...] | None = key("from one time of day to another: ``['10:00', '11:00']``", default=None)
    number: float | None = key("a count or a measure", default=None)
    amount: str | None = key("a sum of money with its currency, such as ``MYR 395``", default=None)
    name: str | None = key("a person's key; any name that belongs only to this person is right", default=None)
    choice: Words | None = key("one thing, by any of these names", default=None)
    id: str | None = key("an identifier of a numbered series, such as ``EMB-424``", default=None)
    says: Words | None = key("a statement, in any of these wordings", default=None)
    fact: str | None = key(
        "a fact of the world instead of a value, ``KEY`` or ``KEY#VERSION``: its kind, unit and names are the claim's",
        default=None,
    )
    unit: Words | None = key(
        "the number's unit, or a list of accepted units (``''``: no unit); if absent, any unit but ``%``",
        default=None,
    )
    of: Words | None = key("the subject that the value must belong to, by any of these names", default=None)
    not_of: Any = key(
        "other subjects, by their names or as ``{ table, column, all = true }``; a value that belongs to one "
        "of them does not count",
        default=None,
    )
    beside: Words | None = key("words, of which one must occur in the same sentence or list item", default=None)
    rivals: Any = key(
        "other values, which the text must not assert: texts, lists of synonyms, or ``{ table, column, all = true }``",
        default=None,
    )
    former: bool = key("whether the value also counts if the text gives it as a former value", default=False)
    denied: bool = key("whether the text must deny the value instead of asserting it", default=False)
    implied: bool = key(
        "whether the text may leave the statement out, as the other claims imply it; its rivals may not occur",
        default=False,
    )
    operands: tuple[Any, ...] = key(
        "for the audit: what the value follows from, as texts, rows and parts of results (``{name.path}``)",
        default=(),
        name="from",
    )
    how: How | None = key("for the audit: how the value follows from ``from``", default=None)


@table
class StanceForm:
    """The answer to the question."""

    answer: Literal["yes", "no", "neither"] = key("the reply that the text must give", name="is")
    on: Words = key('words for what was asked; a "not" counts as a no only if it negates one of them', default=())


@table
class OnlyForm:
    """Which further values of the claimed kinds may be asserted."""

    also: Words = key("sample texts; the agent's text can also assert any value that occurs in one of them", default=())
    stale: Words = key(
        "sample texts with outdated values; the agent's text can deny these values or call them outdated, but not "
        "assert them, even if the instruction names them",
        default=(),
    )
    free: tuple[ClaimKind, ...] = key("kinds of values that the text can assert freely", default=())


@table
class TextForm:
    """The conditions for one text."""

    claims: tuple[Mapping[str, Any], ...] = key("the values that the text must assert", default=())
    stance: Mapping[str, Any] | None = key(
        "the reply that the text must give to a request: ``{ is = 'yes', on = [...] }``", default=None
    )
    only: Mapping[str, Any] | None = key("what else the text can assert: ``{ also, stale, free }``", default=None)
    keeps: Any = key(
        "for additions to an existing text: the old text, which must still occur, whole and exactly once; ``true``: "
        "the column's text in the start",
        default=None,
    )
    bans: Words = key("words that must not occur", default=())
    judge: str | None = key(
        "the question that ``farm run --judge`` asks a model if the rules cannot decide about the text", default=None
    )


TEXT_KEYS = frozenset(keys_of(TextForm))
CLAIM_KINDS = (*KINDS[:-1], "name", KINDS[-1])


def kind_of(claim: Mapping[str, Any]) -> str | None:
    """Return the kind of value in a claim's table; None unless it has exactly one."""
    found = [kind for kind in CLAIM_KINDS if kind in claim]
    return found[0] if len(found) == 1 else None


def wants_text(value: Any) -> bool:
    """Return whether an expected value has conditions about the assertions of a text."""
    return isinstance(value, Mapping) and not TEXT_KEYS.isdisjoint(value)
