"""The syntax of an answer sheet: typed fields with which an agent ends its answer, so that code decides surely.

``farm.benchmark.scoring.sheets`` reads a sheet out of an answer and compares its values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Literal, get_args

from farm.benchmark.tasks.text_rules import CLAIM_KINDS, Words
from farm.benchmark.tasks.toml_schema import key, table
from farm.context.operators import OPERATORS

# The form in which a run asks for answers: a sheet where the task has one, or prose alone.
AnswerForm = Literal["sheet", "prose"]
ANSWER_FORMS: tuple[AnswerForm, ...] = get_args(AnswerForm)


@table
class SheetField:
    """One field of an answer sheet: its type and its value."""

    number: Any = key("a number", default=None)
    date: Any = key("a day, as a number of days after the world's first Monday, such as ``+17``", default=None)
    clock: Any = key("a time of day such as ``15:00``", default=None)
    id: Any = key("an identifier such as ``EMB-424``", default=None)
    person: Any = key("a person's key; any name that belongs only to this person is right", default=None)
    choice: Any = key("a thing, by any of these names", default=None)
    text: Mapping[str, Any] | None = key(
        "the conditions on a text: operators, or keys such as ``claims``", default=None
    )
    unit: Words | None = key(
        "the number's unit, by any of these names; the agent is told the first, and may leave it out", default=None
    )
    options: tuple[str, ...] = key("the things that the agent is told it can choose from", default=())
    example: str | None = key("a right text, for the oracle; if absent, the oracle's answer", default=None)
    all: bool = key(
        "whether the value is a list of all the given values, in any order and without others; otherwise, of several "
        "values, any one is right",
        default=False,
    )


FIELD_KINDS = ("number", "date", "clock", "id", "person", "choice", "text")
# Keys under which programs print an answer: a sheet on a line of its own must not look like such an object.
RESERVED = frozenset(
    ["result", "response", "answer", "text", "content", "output", "message", "item", "msg", "part", "usage", "stats"]
)
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_NUMBER_WORDS = dict(
    enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
)


def kind_of_field(raw: Mapping[str, Any]) -> str | None:
    """Return the type of a field; None unless it has exactly one."""
    found = [kind for kind in FIELD_KINDS if kind in raw]
    return found[0] if len(found) == 1 else None


def items_of(raw: Mapping[str, Any]) -> list[Any]:
    """Return the values of a field: those that all must be given if it says ``all``, else those of which any will do.

    An item of a choice can itself be a list: the names of one thing.
    """
    kind = kind_of_field(raw)
    given = raw[kind] if kind else []
    return list(given) if isinstance(given, (list, tuple)) else [given]


def words_of(raw: Mapping[str, Any], days: Mapping[str, date], names: Mapping[str, list[str]]) -> set[str]:
    """Return the words of a field's value, in lower case: its name must hold none of them.

    Args:
        raw: the field.
        days: offset → day.
        names: person's key → names.
    """
    return {word for text in _texts_of(raw, days, names) for word in _WORD.findall(text.casefold())}


def _texts_of(raw: Mapping[str, Any], days: Mapping[str, date], names: Mapping[str, list[str]]) -> Iterator[str]:
    for item in items_of(raw):
        match kind_of_field(raw):
            case "number":
                yield f"{item:g} {_NUMBER_WORDS.get(item, '')}"
            case "date":
                yield f"{days[item]:%A %a %B %b} {days[item].day} {days[item].day:02}"
            case "clock":
                yield f"{item} {int(item[:2])} {' noon' * (item == '12:00')}{' midnight' * (item[:2] in ('00', '24'))}"
            case "person":
                yield " ".join(names[item])
            case "text":
                yield from _stated(item)
            case "choice" if item in raw.get("options", ()):
                pass  # the agent is told it
            case _:
                yield from [item] if isinstance(item, str) else item


def _stated(conditions: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts that a right text must contain or state."""
    for claim in conditions.get("claims", ()):
        for kind in CLAIM_KINDS:
            given = claim.get(kind)
            yield from [given] if isinstance(given, str) else given if isinstance(given, (list, tuple)) else ()
    for name, given in conditions.items():
        if name in OPERATORS and not OPERATORS[name].is_ban:
            yield from [given] if isinstance(given, str) else given if isinstance(given, (list, tuple)) else ()
