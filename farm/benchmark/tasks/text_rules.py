"""The syntax of a task file's conditions for an agent's text: claims, a stance, further statements, kept text.

``farm.benchmark.scoring.texts`` converts them to the input of ``farm.benchmark.scoring.claims``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from farm.benchmark.claim_kinds import KINDS, ClaimKind
from farm.benchmark.tasks.toml_schema import key, keys_of, table

Words = str | tuple[str, ...]


@table
class ClaimForm:
    """One value that must be asserted: its kind and its subject."""

    date: Words | None = key(
        "an offset of days from the world's first Monday, such as ``+17``, or any of several", default=None
    )
    clock: Words | None = key("a time of day such as ``15:00``, or any of several", default=None)
    span: tuple[str, ...] | None = key("from one time of day to another: ``['10:00', '11:00']``", default=None)
    number: float | None = key("a count or a measure", default=None)
    amount: str | None = key("a sum with its currency, such as ``MYR 395``", default=None)
    name: str | None = key("a person's key; a text may use any name that no other person has", default=None)
    choice: Words | None = key("one thing, by any of its names", default=None)
    id: str | None = key("an identifier of a numbered series, such as ``EMB-424``", default=None)
    says: Words | None = key("a statement, in any of these wordings", default=None)
    unit: Words | None = key(
        "the number's unit, or a list of accepted units (``''``: no unit); if absent, any unit but ``%``",
        default=None,
    )
    of: Words | None = key("the subject that the value must belong to, by any of its names", default=None)
    not_of: Any = key("subjects that must not get the value: names, or ``{ table, column, all = true }``", default=None)
    beside: Words | None = key("what must stand in the same sentence or item", default=None)
    rivals: Any = key(
        "other values, which may not be asserted: texts, lists of synonyms, or ``{ table, column, all = true }``",
        default=None,
    )
    former: bool = key("it may also be given as a former value", default=False)
    denied: bool = key("it must be denied, not asserted", default=False)


@table
class StanceForm:
    """The answer to the question."""

    answer: Literal["yes", "no", "neither"] = key("the reply that the text must give", name="is")
    on: Words = key("words for what is asked; a negation of anything else is not a refusal", default=())


@table
class OnlyForm:
    """Which further values of the claimed kinds may be asserted."""

    also: Words = key("texts; the text may also assert values that occur in them", default=())
    stale: Words = key(
        "texts whose values may only be denied or called outdated, even if the instruction names them", default=()
    )
    free: tuple[ClaimKind, ...] = key("kinds of which anything may be said", default=())


@table
class TextForm:
    """The conditions for one text."""

    claims: tuple[Mapping[str, Any], ...] = key("what must be asserted", default=())
    stance: Mapping[str, Any] | None = key("the answer to what was asked: ``{ is = 'yes', on = [...] }``", default=None)
    only: Mapping[str, Any] | None = key("what else may be said: ``{ also, stale, free }``", default=None)
    keeps: Any = key("the text that must stand whole; ``true``: what the column held at the start", default=None)
    bans: Words = key("words that may not occur", default=())
    judge: str | None = key("the question for the model of ``--judge`` if the checkpoint is unsure", default=None)


TEXT_KEYS = frozenset(keys_of(TextForm))
CLAIM_KINDS = (*KINDS[:-1], "name", KINDS[-1])


def kind_of(claim: Mapping[str, Any]) -> str | None:
    """Return the kind of value in a claim's table; None unless it has exactly one."""
    found = [kind for kind in CLAIM_KINDS if kind in claim]
    return found[0] if len(found) == 1 else None


def wants_text(value: Any) -> bool:
    """Return whether an expected value has conditions about the assertions of a text."""
    return isinstance(value, Mapping) and not TEXT_KEYS.isdisjoint(value)
