"""A world's ledger: ``facts/*.toml``, checked, with its derived values; it renders references in texts."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from farm.appkit.world_spec.facts.forms import TYPED, write
from farm.appkit.world_spec.facts.formula import evaluate
from farm.appkit.world_spec.facts.measures import measure, unmeasure
from farm.appkit.world_spec.facts.model import KINDS, MEASURED, Fact, FactError, Value, Version
from farm.appkit.world_spec.facts.trace import NOISE, marked

FOLDER = "facts"
_KEY = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")
_REFERENCE = re.compile(r'("?)\{\{(?:fact:([^{}#\s]*)(?:#([^{}\s]*))?(?: ([^{}]*))?|noise:([^{}]*))\}\}("?)')
_DATE = re.compile(r"[+-]\d+ [a-z_]+")
_ORDER = re.compile(r"\s*([\w.]+)\s*(<=|<)\s*([\w.]+)\s*")
_FACT_KEYS = {name for name in Fact.__dataclass_fields__ if name != "place"}
_VERSION_KEYS = {"former": {"key", "value", "until", "forms"}, "wrong": {"key", "value", "by", "forms"}}
_LISTS = ("names", "tell", "distinct", "order", "scope", "rows", "draw")


class Ledger(Mapping[str, Fact]):
    """Key → fact, with values calculated.

    Attributes:
        traced: whether ``render`` puts marks round values (``farm.appkit.world_spec.facts.trace``).
        formulas: key of a fact, or ``KEY#VERSION``, → its formula, for derived values.
    """

    def __init__(self, facts: Iterable[Fact], *, traced: bool = False, checked: bool = True) -> None:
        """Calculate derived values; ``checked`` refuses facts whose conditions do not hold."""
        self.traced = traced
        self._facts: dict[str, Fact] = {}
        for fact in facts:
            if fact.key in self._facts:
                other = self._facts[fact.key].place.partition(":")[0]
                raise FactError(f"{fact.place} stands in {other}, too; give one of them another key")
            self._facts[fact.key] = fact
        self.formulas: dict[str, str] = {}
        self._derive()
        if checked:
            self._check_conditions()

    @classmethod
    def load(cls, folders: Iterable[Path], *, traced: bool = False) -> Ledger:
        """Load ``facts/*.toml`` of a world's folders.

        Raises:
            FactError: a file is invalid; one line with file, entry and the way out.
        """
        paths = [path for folder in folders for path in sorted((folder / FOLDER).glob("*.toml"))]
        return cls((fact for path in paths for fact in read_facts(path)), traced=traced)

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
            FactError: a reference is invalid; the message has the file's line.
        """
        if "{{fact:" not in text and "{{noise:" not in text:
            return text

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
                raise FactError(f"{where}:{line}: {problem}") from None
            if not isinstance(made, str):
                return str(made) if before and after else f"{before}{made}{after}"
            return before + (marked(key, version or "", made) if self.traced and form not in TYPED else made) + after

        return _REFERENCE.sub(put, text)

    # -- derived values ------------------------------------------------------------------------------------------------

    def _derive(self) -> None:
        """Replace formulas by their values; parts are derived first."""
        for key in [*self._facts]:
            self._derived(key, ())

    def _derived(self, key: str, path: tuple[str, ...]) -> Fact:
        fact = self._facts[key]
        if key in path:
            raise FactError(
                f"{fact.place} is derived from itself: {' → '.join((*path, key))}; give one of them a value"
            )
        if not any(_is_formula(each) for each in (fact.value, *(version.value for version in fact.versions))):
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
        if not _is_formula(value):
            return value
        self.formulas[f"{fact.key}#{version}" if version else fact.key] = str(value)
        if fact.kind not in MEASURED:
            raise FactError(
                f"{fact.place}: the kind {fact.kind} cannot be calculated; kinds that can: {', '.join(MEASURED)}"
            )

        def value_of(name: str) -> Fraction:
            key, _, last = name.rpartition(".")
            part = name if name in self._facts or key not in self._facts else key
            if part not in self._facts:
                self.require(name)
            # A version of the fact itself may be calculated from its present value, which is known by then.
            found = self._facts[part] if version and part == fact.key else self._derived(part, path)
            if part == name:
                return measure(found.kind, found.value)
            if (other := found.version(last)) is None:
                raise ValueError(f"no fact '{name}', and '{part}' has no former or wrong value '{last}'")
            return measure(found.kind, other.value)

        try:
            return unmeasure(fact.kind, evaluate(str(value)[1:], value_of))
        except ValueError as problem:
            raise FactError(f"{fact.place}: {problem}") from None

    # -- conditions ----------------------------------------------------------------------------------------------------

    def _check_conditions(self) -> None:
        for _, problem in self.broken_conditions():
            raise FactError(problem)

    def broken_conditions(self) -> Iterator[tuple[set[str], str]]:
        """Yield what is wrong with the values: not of their kind, not distinct, or out of order.

        Yields:
            the keys of the facts that are concerned, and one line.
        """
        for fact in self._facts.values():
            try:
                self._check_values(fact)
                yield from self._not_distinct(fact)
                for condition in fact.order:
                    yield from self._out_of_order(fact, condition)
            except ValueError as problem:
                yield {fact.key}, f"{fact.place}: {problem}"

    def _check_values(self, fact: Fact) -> None:
        for value in (fact.value, *(each.value for each in fact.versions)):
            if fact.kind in MEASURED:
                measure(fact.kind, value)
            elif not isinstance(value, str) or not value or any(letter in value for letter in '"\\\n{}'):
                raise ValueError(f"{value!r} is no {fact.kind}; write a text without quotes, backslashes and braces")

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
        below, above = measure(low.kind, low.value), measure(high.kind, high.value)
        if below > above or (below == above and found[2] == "<"):
            yield {low.key, high.key}, f"{fact.place}: not {condition.strip()}: {low.value} and {high.value}"


def _same(one: Fact, other: Fact) -> bool:
    if one.kind in MEASURED and other.kind in MEASURED:
        return measure(one.kind, one.value) == measure(other.kind, other.value)
    return one.value == other.value


def _is_formula(value: Value) -> bool:
    return isinstance(value, str) and value.startswith("=")


# -- files -----------------------------------------------------------------------------------------------------------


def read_facts(path: Path) -> Iterator[Fact]:
    """Yield the facts of a file, formulas as they stand.

    Raises:
        FactError: the file or an entry is invalid.
    """
    where = f"{FOLDER}/{path.name}"
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise FactError(f"{where}: {problem}") from problem
    entries = raw.get("facts", [])
    if raw.keys() - {"facts", "noise"} or not isinstance(entries, list):
        raise FactError(f"{where}: a ledger has [[facts]] and [[noise]] only, not {', '.join(raw.keys() - {'facts'})}")
    for number, entry in enumerate(entries, start=1):
        yield _fact(entry, f"{where}: fact {number}")


def _fact(entry: Mapping[str, Any], where: str) -> Fact:
    key = entry.get("key")
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise FactError(f"{where}: 'key' must be words with dots between, such as 'launch.at', not {key!r}")
    where = f"{where.partition(':')[0]}: '{key}'"
    _require_keys(entry, _FACT_KEYS, ("kind", "value"), where)
    if entry["kind"] not in KINDS:
        raise FactError(f"{where}: no kind '{entry['kind']}'; have {', '.join(KINDS)}")
    for name in _LISTS:
        if not isinstance(entry.get(name, []), list):
            raise FactError(f"{where}: '{name}' must be a list, not {entry[name]!r}")
    versions = {name: tuple(_versions(entry.get(name, []), name, where)) for name in ("former", "wrong")}
    names = [each.key for group in versions.values() for each in group]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise FactError(f"{where}: two versions have the key '{twice}'")
    lists = {name: tuple(entry.get(name, ())) for name in _LISTS}
    return Fact(**{**entry, **lists, **versions, "place": where})


def _versions(entries: Any, name: str, where: str) -> Iterator[Version]:
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise FactError(f"{where}: '{name}' must be a list of tables such as {{ key = \"first\", value = … }}")
    for each in entries:
        _require_keys(each, _VERSION_KEYS[name], ("key", "value"), f"{where}: {name}")
        yield Version(**each)


def _require_keys(entry: Mapping[str, Any], have: set[str], needed: Iterable[str], where: str) -> None:
    if unknown := next((name for name in entry if name not in have), None):
        near = ", ".join(difflib.get_close_matches(unknown, have, n=3, cutoff=0.4) or sorted(have))
        raise FactError(f"{where}: no key '{unknown}'; nearest: {near}")
    if missing := next((name for name in needed if name not in entry), None):
        raise FactError(f"{where}: lacks '{missing}'")
