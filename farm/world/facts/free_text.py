"""Read typed values near a fact's name and compare them with the fact.

It explains which fact a typed value contradicts, and finds contradictions in texts that tell nothing by reference. It
is no proof: free text is read rightly about half the time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import ahocorasick  # type: ignore[import-not-found]  # a compiled module without types

from farm.appkit.world_spec.days import Days
from farm.appkit.world_spec.facts import Fact, FactError, Ledger
from farm.appkit.world_spec.facts.model import Value
from farm.appkit.world_spec.placeholders import render_dates
from farm.benchmark.scoring.claims.modality import judge_status
from farm.benchmark.scoring.claims.question import Question
from farm.benchmark.scoring.claims.reading import Mention, Reading, SearchTerm, find, read_text
from farm.benchmark.scoring.claims.subjects import pair
from farm.benchmark.scoring.claims.values import fold
from farm.world.facts.literals import BOUND
from farm.world.facts.spec_texts import SpecText

TEXT_MAX = 4000
_NEAR = 24  # letters between a name and its value
_OTHER = re.compile(r"\{\{(?!date:)\w+:([^{}]*)\}\}")
_SORTS = {"moment": ("date", "clock"), "day": ("date",), "clock": ("clock",)}
_PASSING = re.compile(r"今天|今晚|昨天|昨晚|明天|today|tonight|yesterday|tomorrow|刚才")
_CHANGED_TO = re.compile(r"\s*[,，]?\s*(?:改成|改为|改到|改|→|->|instead|to\b)")


@dataclass(frozen=True)
class Contradiction:
    """A typed value that is not a fact's.

    Attributes:
        fact: the fact.
        place: file and line.
        written: the value.
        around: the words round it.
    """

    fact: Fact
    place: str
    written: str
    around: str

    def __str__(self) -> str:
        return (
            f"{self.place}: '{self.written}' contradicts '{self.fact.key}', {self.fact.value}, in '…{self.around}…'; "
            f"refer to the fact, or write {{{{noise:{self.written}}}}} if it is something else"
        )


class FreeTextReader:
    """Compares texts with the facts of a ledger."""

    def __init__(self, ledger: Ledger, days: Days, starts_at: datetime) -> None:
        self._days, self._starts_at = days, starts_at
        self._facts = {fact.key: fact for fact in ledger.values() if fact.names}
        terms = [SearchTerm("subject", fact.key, tuple(map(fold, fact.names))) for fact in self._facts.values()]
        # One pass over a text finds the names in it; most texts have none.
        self._names = ahocorasick.Automaton()
        for term in terms:
            for name in term.names:
                self._names.add_word(name, [*self._names.get(name, ()), term])
        if terms:
            self._names.make_automaton()

    def contradictions(self, text: SpecText) -> Iterator[Contradiction]:
        """Yield the typed values of a text that belong to a fact and are none of its values.

        Raises:
            FactError: a date in the text is invalid.
        """
        plain = _OTHER.sub(r"\1", BOUND.sub("某某", text.text))[:TEXT_MAX]
        try:
            body = fold(render_dates(plain, self._days.monday, self._days.zone))
        except ValueError as problem:
            raise FactError(f"{text.place}: {problem}") from None
        terms = [term for term in self._named(body) if find(body, term.names)]
        if not terms:
            return
        reading = read_text(body, text.at or self._starts_at, terms)
        judge_status(reading, Question())
        pair(reading)
        for mention in reading.mentions:
            for key in mention.subjects:
                fact = self._facts.get(key)
                if fact and self._contradicts(fact, mention, reading, text):
                    around = body[max(0, mention.start - 24) : mention.end + 16].replace("\n", " ")
                    yield Contradiction(fact, text.place, reading.text_of(mention), around)

    def _named(self, body: str) -> list[SearchTerm]:
        """Return the facts of which a name occurs in a folded text."""
        if not self._facts:
            return []
        found = {term.key: term for _, terms in self._names.iter(body) for term in terms}
        return [found[key] for key in self._facts if key in found]

    def _contradicts(self, fact: Fact, mention: Mention, reading: Reading, text: SpecText) -> bool:
        value = mention.value
        if value is None or mention.status not in ("asserted", "reported") or not _is_near(reading, mention, fact.key):
            return False
        if mention.sort not in _SORTS.get(fact.kind, ("number",)) or not self._is_in_scope(fact, text):
            return False
        if mention.sort == "number" and not _is_of_kind(fact, mention):
            return False
        around = reading.text[max(0, mention.start - 14) : mention.end + 14]
        if mention.sort != "number" and _PASSING.search(around):
            return False
        if _CHANGED_TO.match(reading.text, mention.end):
            return False  # what was, before what is now
        return not any(self._fits(fact, each, mention) for each in (fact.value, *(v.value for v in fact.versions)))

    def _is_in_scope(self, fact: Fact, text: SpecText) -> bool:
        if not fact.scope or text.at is None:
            return True
        first, last = (self._days.day(each) for each in fact.scope)
        return first <= text.at.date() <= last

    def _fits(self, fact: Fact, value: Value, mention: Mention) -> bool:
        found = mention.value
        if found is None:
            return False
        if mention.sort == "number":
            return not isinstance(value, str) and float(value) == float(found.number)
        day, _, clock = str(value).rpartition(" ") if fact.kind == "moment" else ("", "", str(value))
        if mention.sort == "clock":
            return clock.zfill(5) in found.options
        offset = int(day or clock)
        date = self._days.monday + timedelta(days=offset)
        return date.isoformat() in found.options or date.isoformat() in found.wide


def _is_near(reading: Reading, mention: Mention, key: str) -> bool:
    """Return whether the value stands in the segment of the name, or right after it in the same line."""
    ends: Sequence[int] = [
        each.end
        for each in reading.mentions
        if each.sort == "subject" and each.key == key and each.end <= mention.start
    ]
    if not mention.is_inherited:
        return any(
            abs(mention.start - each.start) <= 2 * _NEAR
            for each in reading.mentions
            if each.sort == "subject" and each.key == key
        )
    gap = reading.text[max(ends) : mention.start] if ends else "\n"
    return len(gap) <= _NEAR and not re.search(r"[\n。；;!?！？,，]", gap)


def _is_of_kind(fact: Fact, mention: Mention) -> bool:
    value = mention.value
    if value is None or (fact.kind == "percent") != (value.unit == "%"):
        return False
    if fact.kind == "amount":
        return value.kind == "amount" and value.unit in ("", fact.unit)
    return value.kind == "number" and (not value.unit or value.unit in (fact.unit, "%"))
