"""The proof of a world: every fact is told where it must be, in time, by those who knew, and no value is typed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from farm import content
from farm._util.names import list_names
from farm.appkit.handler_api import Row
from farm.appkit.world_spec.facts import Fact
from farm.appkit.world_spec.facts.forms import forms_of
from farm.appkit.world_spec.facts.formula import names_fact
from farm.appkit.world_spec.placeholders import render_dates
from farm.benchmark.scoring.claims.values import fold
from farm.world.facts.columns import not_in_rows
from farm.world.facts.free_text import FreeTextReader
from farm.world.facts.literals import LiteralReader
from farm.world.facts.noise import Noise, read_noise
from farm.world.facts.spec_texts import SpecText, spec_texts
from farm.world.spec import Spec

FACT_REFERENCE = re.compile(r"\{\{fact:([\w.]+)(?:#(\w+))?[^{}]*\}\}")
_OF_TASK = re.compile(r"(?:\{\{fact:|fact = \")([\w.]+)")
_MENTIONS_MIN = 2
_REFERENCES_MAX = 2
_NOISE = re.compile(r"\{\{noise:")


@dataclass(frozen=True)
class FactReport:
    """What a world tells.

    Attributes:
        facts: the number of facts; ``former`` of them have a former value.
        former: see ``facts``.
        texts: the number of texts; ``telling`` of them tell a fact.
        telling: see ``texts``.
        bound: the number of values that are references to facts.
        marks: the number of single values that are declared noise.
        noise: kind → the number of values that are noise by their place.
        findings: what must be changed, one line each.
    """

    facts: int
    former: int
    texts: int
    telling: int
    bound: int
    marks: int
    noise: Mapping[str, int]
    findings: list[str]

    def __str__(self) -> str:
        values = self.bound + self.marks + sum(self.noise.values())
        share = self.bound / values if values else 0.0
        by_kind = ", ".join(f"{kind} {number}" for kind, number in sorted(self.noise.items())) or "none"
        return (
            f"facts: {self.facts}, {self.former} with a former value; {self.telling} of {self.texts} texts tell one\n"
            f"  {'bound':<24}{self.bound} of {values} values ({share:.1%}); {self.marks} marked as noise\n"
            f"  {'noise by place':<24}{by_kind}"
        )


def check_facts(spec: Spec, rows: Mapping[str, Sequence[Row]] | None = None, *, is_whole: bool = True) -> FactReport:
    """Check the texts of a specification against its ledger, and the columns that it names against the rows.

    Args:
        spec: the specification.
        rows: app → its generated rows; without them, no column is looked at.
        is_whole: whether all texts can be read; if not, what no text tells is not reported.

    Raises:
        FactError: a file cannot be read.
    """
    noise, reader = read_noise(spec.folders), FreeTextReader(spec.facts, spec.days, spec.starts_at)
    literals, written = LiteralReader(spec.facts, spec.starts_at), _Written(spec)
    findings: list[str] = []
    told: dict[str, set[str]] = {}
    mentions = Counter[str](_facts_of_tasks(spec.name))
    counts, by_place = Counter[str](), Counter[str]()
    in_noise: dict[tuple[str, str], str] = {}
    for text in spec_texts(spec):
        references = FACT_REFERENCE.findall(text.text)
        counts["texts"] += 1
        counts["telling"] += bool(references)
        counts["bound"] += len(references)
        counts["marks"] += len(_NOISE.findall(text.text))
        for key, version in references:
            fact = spec.facts.get(key)
            mentions[key] += 1
            if fact is not None:
                told.setdefault(key, set()).update([text.app] if not version else [])
                findings += told_too_early(spec, fact, version, text)
        findings += _typed(spec, text, noise, literals, by_place, written)
        for entry, problem in _told_in_noise(spec, text, noise, literals):
            in_noise.setdefault((entry, text.file), problem)
        findings += map(str, reader.contradictions(text))
    findings += in_noise.values()
    if is_whole:
        findings += _not_told(spec, told)
        findings += _unused(spec, mentions)
    findings += _unknown_people(spec)
    findings += not_in_rows(spec, rows) if rows is not None else ()
    former = sum(bool(fact.former) for fact in spec.facts.values())
    return FactReport(
        facts=len(spec.facts),
        former=former,
        texts=counts["texts"],
        telling=counts["telling"],
        bound=counts["bound"],
        marks=counts["marks"],
        noise=by_place,
        findings=findings,
    )


def told_too_early(spec: Spec, fact: Fact, version: str, text: SpecText) -> Iterator[str]:
    """Yield what is wrong with one reference: told before it was true, or by somebody who did not know."""
    if text.at is None or version:
        return
    if fact.since and text.at < spec.days.at(_moment(fact.since)):
        problem = f"tells '{fact.key}' before it is true ({fact.since}); name a former value, or mend the time"
        yield f"{text.place}: {problem}"
    if fact.known and text.author:
        since = fact.known.get(text.author)
        if since is None:
            yield f"{text.place}: {text.author} tells '{fact.key}' and is not among those who know it"
        elif text.at < spec.days.at(_moment(since)):
            yield f"{text.place}: {text.author} tells '{fact.key}' before {since}, when they learn of it"


def _moment(offset: str) -> str:
    return offset if " " in offset else f"{offset} 00:00"


def _is_closed(spec: Spec, references: list[tuple[str, str]]) -> bool:
    """Return whether a text tells a fact, so that its noise is marked value by value; a person's name is none."""
    return any(spec.facts[key].kind != "person" for key, _ in references if key in spec.facts)


class _Written:
    """Knows how the present values of facts are written, for what is typed in their place."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec

    @cached_property
    def _references(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        days = self._spec.days
        for fact in self._spec.facts.values():
            own = dict[str, str]()
            for form, value in forms_of(fact).items():
                own.setdefault(fold(render_dates(value, days.monday, days.zone)), form)
            for value, form in own.items():
                found.setdefault(value, []).append(f"{{{{fact:{fact.key}{f' {form}' if form else ''}}}}}")
        return found

    def references(self, typed: str) -> list[str]:
        """Return references that render a typed value; none if many do, as for a small number."""
        found = self._references.get(fold(typed), [])
        return found if len(found) <= _REFERENCES_MAX else []


def _typed(
    spec: Spec,
    text: SpecText,
    noise: tuple[Noise, ...],
    reader: LiteralReader,
    by_place: Counter[str],
    values: _Written,
) -> Iterator[str]:
    """Yield the typed values that are no noise; in a text that tells a fact, noise is marked value by value."""
    if not len(spec.facts):
        return
    is_closed = _is_closed(spec, FACT_REFERENCE.findall(text.text))
    for literal in reader.literals(text.text):
        if not is_closed and any(each.covers(text.file, literal.kind) for each in noise):
            by_place[literal.kind] += 1
        else:
            mark = literal.text.removeprefix("{{date:").removesuffix("}}")
            problem = f"is typed, and '{literal.fact}' has it" if literal.fact else "belongs to no fact"
            way = f"refer to {'it' if literal.fact else 'one'}, or write {{{{noise:{mark}}}}}"
            if not literal.fact and (same := values.references(literal.text)):
                way = f"write {' or '.join(same)} if it is that, or {{{{noise:{mark}}}}}"
            yield f"{text.place}: '{literal.text}' ({literal.kind}) {problem}; {way}"


def _told_in_noise(
    spec: Spec, text: SpecText, noise: tuple[Noise, ...], reader: LiteralReader
) -> Iterator[tuple[str, str]]:
    """Yield entries of noise that would excuse a fact's value if it were typed instead of referred to, and a line."""
    covering = [each for each in noise if each.covers_some(text.file)]
    for found in FACT_REFERENCE.finditer(text.text) if covering else ():
        value = spec.facts.render(found[0], text.place)
        typed = reader.literals(text.text[: found.start()] + value + text.text[found.end() :])
        for literal in Counter(typed) - Counter(reader.literals(text.text)):
            for each in covering:
                if each.covers(text.file, literal.kind):
                    problem = f"{text.file} tells '{found[1]}', so its {literal.kind}s are no noise by place"
                    yield each.place, f"{each.place}: {problem}; name other files, and mark them one by one"


def _not_told(spec: Spec, told: Mapping[str, set[str]]) -> Iterator[str]:
    for fact in spec.facts.values():
        for app in fact.tell:
            if app not in told.get(fact.key, ()):
                yield f"{fact.place}: no text of {app} tells it, and 'tell' names {app}"


def _unknown_people(spec: Spec) -> Iterator[str]:
    for fact in spec.facts.values():
        for name, people in (("known", [*fact.known]), ("wrong", [each.by for each in fact.wrong if each.by])):
            for person in people:
                if person not in spec.people:
                    have = list_names(spec.people, person)
                    yield f"{fact.place}: '{name}' names '{person}', who is nobody; have {have}"


def _facts_of_tasks(world: str) -> Iterator[str]:
    """Yield the facts that tasks of a world rest on, twice each: a task alone makes a fact count."""
    for suite in content.suite_names():
        for path in content.suite_dir(suite).glob("*.toml"):
            text = path.read_text("utf-8")
            if f'world = "{world}"' in text:
                for key in _OF_TASK.findall(text):
                    yield from (key, key)


def _unused(spec: Spec, mentions: Mapping[str, int]) -> Iterator[str]:
    """Yield facts that are told in fewer than two texts, on which neither a task nor another fact rests.

    A derived value may be told once: it proves a sum, and follows its parts.
    """
    formulas = " ".join(spec.facts.formulas.values())
    for fact in spec.facts.values():
        is_part = names_fact(formulas, fact.key)
        is_derived = fact.key in spec.facts.formulas and mentions.get(fact.key, 0)
        if mentions.get(fact.key, 0) < _MENTIONS_MIN and not (fact.rows or is_part or is_derived):
            yield f"{fact.place} is told in fewer than two texts, and no task rests on it; remove it, or tell it again"
