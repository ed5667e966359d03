"""A world's ledger: ``facts/*.toml``, checked, with its derived values; it renders references in texts."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from farm.appkit.world_spec.facts.entries import ledger_files, read_facts
from farm.appkit.world_spec.facts.forms import TYPED, write
from farm.appkit.world_spec.facts.formula import Quantity, evaluate
from farm.appkit.world_spec.facts.measures import CLOCKS, TIMES, is_formula, measure, require_value, unmeasure
from farm.appkit.world_spec.facts.model import MEASURED, Fact, FactError, Value
from farm.appkit.world_spec.facts.trace import NOISE, marked
from farm.appkit.world_spec.problems import report

_REFERENCE = re.compile(r'("?)\{\{(?:fact:([^{}#\s]*)(?:#([^{}\s]*))?(?: ([^{}]*))?|noise:([^{}]*))\}\}("?)')
_COUNTS = ("amount", "number")
_DATE = re.compile(r"[+-][0-9]+ [a-z_]+")
_NAMED_DAY = re.compile(r"\{\{(?:noise|date):([+-]\d{1,5})(?: (\d{1,2}:\d\d))?(?: [^{}]*)?\}\}")
_KEY = re.compile(r"^\s*key\s*=\s*[\"']([\w.]+)", re.MULTILINE)
_ORDER = re.compile(r"\s*([\w.]+)\s*(<=|<)\s*([\w.]+)\s*")


class Ledger(Mapping[str, Fact]):
    """Key → fact, with values calculated.

    Attributes:
        traced: whether ``render`` puts marks round values (``farm.appkit.world_spec.facts.trace``).
        formulas: key of a fact, or ``KEY#VERSION``, → its formula, for derived values.
    """

    def __init__(
        self,
        facts: Iterable[Fact],
        *,
        traced: bool = False,
        checked: bool = True,
        left_out: Iterable[str] = (),
    ) -> None:
        """Calculate derived values.

        Args:
            facts: as ``read_facts`` yields them.
            traced: see the class.
            checked: whether facts whose conditions do not hold are refused.
            left_out: keys of facts that cannot be read, while problems are collected; references to them are valid.
        """
        self.traced = traced
        self._facts: dict[str, Fact] = {}
        self._left_out = set(left_out)
        for fact in facts:
            if fact.key in self._facts:
                other = self._facts[fact.key].place.partition(":")[0]
                report(FactError(f"{fact.place} stands in {other}, too; give one of them another key"))
            self._facts[fact.key] = fact
        self.formulas: dict[str, str] = {}
        self._derive()
        if checked:
            self._check_conditions()

    @classmethod
    def load(cls, folders: Iterable[Path], *, traced: bool = False) -> Ledger:
        """Load ``facts/*.toml`` of a world's folders.

        Raises:
            FactError: files are invalid; one line for each mistake, with file, entry and the way out.
        """
        facts: list[Fact] = []
        wrong, left_out = list[str](), set[str]()
        for path in ledger_files(folders):
            try:
                facts.extend(read_facts(path))
            except FactError as problem:
                wrong += str(problem).splitlines()
                left_out.update(_KEY.findall(path.read_text("utf-8", "replace")))
        if wrong:
            report(FactError("\n".join(wrong)))
        return cls(facts, traced=traced, left_out=left_out - {fact.key for fact in facts})

    def __getitem__(self, key: str) -> Fact:
        return self._facts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def require(self, key: str) -> Fact:
        """Return the fact of a key.

        Raises:
            ValueError: there is none; the message names the nearest.
        """
        if key in self._facts:
            return self._facts[key]
        near = difflib.get_close_matches(key, self._facts, n=3, cutoff=0.4) or sorted(self._facts)[:5]
        raise ValueError(f"no fact '{key}'; nearest: {', '.join(near) or 'none, as the world has no facts/'}")

    def write(self, key: str, version: str = "", form: str = "") -> Value:
        """Return a fact's value, or that of a version, in a form.

        Raises:
            ValueError: there is no such fact, version or form.
        """
        fact = self.require(key)
        if not version:
            return write(fact, fact.value, fact.forms, form)
        found = fact.version(version)
        if found is None:
            have = ", ".join(each.key for each in fact.versions) or "none"
            raise ValueError(f"'{key}' has no former or wrong value '{version}'; have {have}")
        return write(fact, found.value, found.forms, form)

    def render(self, text: str, where: str) -> str:
        """Return the text of a file with its references to facts replaced.

        ``"{{fact:price number}}"`` in quotes becomes a number of TOML. ``{{noise:14:00}}`` and
        ``{{noise:+3 zh_week}}`` are values that belong to no fact.

        Raises:
            FactError: references are invalid; each line of the message has the file's line.
        """
        if "{{fact:" not in text and "{{noise:" not in text:
            return text
        wrong: list[str] = []

        def put(found: re.Match[str]) -> str:
            before, key, version, form, noise, after = found.groups()
            form = (form or "").strip()
            if noise is not None:
                value = f"{{{{date:{noise}}}}}" if _DATE.fullmatch(noise) else noise
                return before + (marked(NOISE, "", value) if self.traced else value) + after
            try:
                made = self.write(key, version or "", form)
            except ValueError as problem:
                line = text.count("\n", 0, found.start()) + 1
                if key not in self._left_out:
                    wrong.append(f"{where}:{line}: {problem}")
                made = _stand_in(form, is_quoted=bool(before and after))
            if not isinstance(made, str):
                return str(made) if before and after else f"{before}{made}{after}"
            return before + (marked(key, version or "", made) if self.traced and form not in TYPED else made) + after

        rendered = _REFERENCE.sub(put, text)
        if wrong:
            report(FactError("\n".join(wrong)))
        return rendered

    def since_in(self, text: str) -> Iterator[str]:
        """Yield from when each present value is true to which a text refers, as ``+3 14:05``; always: nothing."""
        for found in _REFERENCE.finditer(text):
            fact = self._facts.get(found[2] or "")
            if fact is not None and fact.since and not found[3]:
                yield fact.since if " " in fact.since else f"{fact.since} 00:00"

    def until_in(self, text: str) -> Iterator[str]:
        """Yield until when each former value was true to which a text refers, if it tells no present one beside it."""
        told = [(found[2] or "", found[3] or "") for found in _REFERENCE.finditer(text)]
        for key, version in told:
            former = self._facts[key].version(version) if version and key in self._facts else None
            if former is not None and former.until and (key, "") not in told:
                yield former.until if " " in former.until else f"{former.until} 00:00"

    def moments_in(self, text: str) -> Iterator[str]:
        """Yield the days and moments that a text names, as ``+3 14:05``: of facts, of noise and of dates."""
        for key, version in ((found[2] or "", found[3] or "") for found in _REFERENCE.finditer(text)):
            fact = self._facts.get(key)
            named = fact and (fact.version(version) if version else fact)
            if fact is not None and named and fact.kind in ("moment", "day"):
                yield str(named.value) if " " in str(named.value) else f"{named.value} 00:00"
        for day, clock in _NAMED_DAY.findall(text):
            yield f"{day} {clock or '00:00'}"

    # -- derived values ------------------------------------------------------------------------------------------------

    def _derive(self) -> None:
        """Replace formulas by their values; parts are derived first."""
        wrong: list[str] = []
        for key in [*self._facts]:
            try:
                self._derived(key, ())
            except RecursionError:
                problem = "is derived through too many other facts; give one of them a value"
                wrong.append(f"{self._facts[key].place} {problem}")
            except FactError as problem:
                wrong.append(str(problem))
        for key, fact in [*self._facts.items()] if wrong else ():
            if any(map(is_formula, (fact.value, *(each.value for each in fact.versions)))):
                self._left_out.add(key)
                del self._facts[key]
        if wrong:
            # One mistake breaks every fact that is derived from it, in the same words.
            report(FactError("\n".join(dict.fromkeys(wrong))))

    def _derived(self, key: str, path: tuple[str, ...]) -> Fact:
        fact = self._facts[key]
        if key in path:
            raise FactError(
                f"{fact.place} is derived from itself: {' → '.join((*path, key))}; give one of them a value"
            )
        if not any(is_formula(each) for each in (fact.value, *(version.value for version in fact.versions))):
            return fact
        value = self._calculated(fact, "", fact.value, (*path, key))
        # Its own versions may be calculated from its present value.
        self._facts[key] = fact = replace(fact, value=value)
        former, wrong = (
            tuple(replace(each, value=self._calculated(fact, each.key, each.value, (*path, key))) for each in versions)
            for versions in (fact.former, fact.wrong)
        )
        self._facts[key] = fact = replace(fact, former=former, wrong=wrong)
        return fact

    def _calculated(self, fact: Fact, version: str, value: Value, path: tuple[str, ...]) -> Value:
        if not is_formula(value):
            return value
        self.formulas[f"{fact.key}#{version}" if version else fact.key] = str(value)
        if fact.kind not in MEASURED:
            raise FactError(
                f"{fact.place}: the kind {fact.kind} cannot be calculated; kinds that can: {', '.join(MEASURED)}"
            )

        def value_of(name: str) -> Quantity:
            key, _, last = name.rpartition(".")
            part = name if name in self._facts or key not in self._facts else key
            if part not in self._facts:
                self.require(name)
            # A version of the fact itself may be calculated from its present value, which is known by then.
            found = self._facts[part] if version and part == fact.key else self._derived(part, path)
            if part == name:
                return Quantity(measure(found.kind, found.value), found.kind in TIMES)
            if (other := found.version(last)) is None:
                raise ValueError(f"no fact '{name}', and '{part}' has no former or wrong value '{last}'")
            return Quantity(measure(found.kind, other.value), found.kind in TIMES)

        try:
            made = evaluate(str(value)[1:], value_of)
            if made.is_time != (fact.kind in TIMES):
                raise ValueError(f"'{value}' is a {'time' if made.is_time else 'number'}, and the kind is {fact.kind}")
            return unmeasure(fact.kind, made.number)
        except (ValueError, OverflowError) as problem:
            raise FactError(f"{fact.place}: {problem}") from None

    # -- conditions ----------------------------------------------------------------------------------------------------

    def _check_conditions(self) -> None:
        if problems := [problem for _, problem in self.broken_conditions()]:
            report(FactError("\n".join(problems)))
        for fact in [*self._facts.values()] if problems else ():
            try:
                self._check_values(fact)
            except ValueError:
                self._left_out.add(fact.key)
                del self._facts[fact.key]

    def broken_conditions(self) -> Iterator[tuple[set[str], str]]:
        """Yield what is wrong with the values: not of their kind, not distinct, or out of order.

        Yields:
            the keys of the facts that are concerned, and one line.
        """
        for fact in self._facts.values():
            try:
                self._check_values(fact)
                yield from self._negative(fact)
                yield from self._not_distinct(fact)
                for condition in fact.order:
                    yield from self._out_of_order(fact, condition)
            except ValueError as problem:
                yield {fact.key}, f"{fact.place}: {problem}"

    def _check_values(self, fact: Fact) -> None:
        for value in (fact.value, *(each.value for each in fact.versions)):
            require_value(fact.kind, value)

    def _negative(self, fact: Fact) -> Iterator[tuple[set[str], str]]:
        """Yield a calculated count or amount below zero: nobody has -8 seats left."""
        if fact.key in self.formulas and fact.kind in _COUNTS and measure(fact.kind, fact.value) < 0:
            formula = self.formulas[fact.key]
            yield {fact.key}, f"{fact.place}: '{formula}' is {fact.value}, and no {fact.kind} is negative; mend a part"

    def _not_distinct(self, fact: Fact) -> Iterator[tuple[set[str], str]]:
        for version in fact.versions:
            if version.value == fact.value:
                problem = f"the version '{version.key}' has the present value, {fact.value}; it must differ"
                yield {fact.key}, f"{fact.place}: {problem}"
        for key in fact.distinct:
            other = self.require(key)
            if _same(fact, other):
                yield {fact.key, key}, f"{fact.place}: 'distinct' names '{key}', and both are {fact.value}"

    def _out_of_order(self, fact: Fact, condition: str) -> Iterator[tuple[set[str], str]]:
        found = _ORDER.fullmatch(condition)
        if not found:
            raise ValueError(f"'{condition}' is no order; write 'setup.at < launch.at'")
        low, high = self.require(found[1]), self.require(found[3])
        if _sort(low) != _sort(high):
            raise ValueError(f"'{condition}' compares the kinds {low.kind} and {high.kind}, which have no order")
        below, above = measure(low.kind, low.value), measure(high.kind, high.value)
        if below > above or (below == above and found[2] == "<"):
            yield {low.key, high.key}, f"{fact.place}: not {condition.strip()}: {low.value} and {high.value}"


def _stand_in(form: str, *, is_quoted: bool) -> Value:
    """Return what stands for an invalid reference, while problems are collected."""
    if form not in TYPED:
        return "…"
    return "-1 12:00" if form in ("at", "offset", "day_at") else 1 if is_quoted else "1"


def _sort(fact: Fact) -> str:
    """Return what a fact can be compared with: days and moments, times of day, spans, or numbers."""
    if fact.kind in CLOCKS:
        return fact.kind
    return "time" if fact.kind in TIMES else "number" if fact.kind in MEASURED else "text"


def _same(one: Fact, other: Fact) -> bool:
    if one.kind in MEASURED and other.kind in MEASURED:
        return measure(one.kind, one.value) == measure(other.kind, other.value)
    return one.value == other.value
