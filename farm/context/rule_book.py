"""The rules of people who answer in one context: matched when a call commits, counted as the log says.

Rules are lines of the call log, like planned faults: ``{"person": {…}, "after": 3}``. A call's line names the rules
that it met (``people``), and a turn of the journal those that another person's act met. So the rules and their counts
are wherever the context is: in snapshots, forks, exports, and after a killed process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson

from farm._util.literals import LiteralIndex, needed_literals
from farm.appkit.acts import Acts
from farm.appkit.handler_api import Episode, Row
from farm.context.claim_reading import CLAIMS, find_reader
from farm.context.operators import OPERATORS, at_path, equal, normalize, parsed_json, satisfies, texts_in
from farm.context.person_rules import ANYONE, PersonRule, drawn
from farm.context.settled import SETTLED, is_settled

Change = tuple[str, str, Row]
"""Table, what happened (``insert``, ``update`` or ``delete``), and the row after it, or before a deletion."""
Met = list[Any]
"""A rule that a change met: its id, who, the value of ``per``, and when all that follows is done (ms), or None."""


Says = Callable[[str, str, Row, Any, int, Any], bool]
"""Returns whether a table's column of a row, with a value written at a time (ms), surely makes claims."""


class _Seen:
    """A row as rules look at it: what surrounds it is read only if a rule asks, and each text is normalized once."""

    __slots__ = ("_folded", "_listed", "_now_ms", "_read", "_settled", "_texts", "row", "table")

    def __init__(self, table: str, row: Row, read: Callable[[Row], Mapping[str, Any]] | None, now_ms: int) -> None:
        self.table, self.row, self._read, self._now_ms = table, row, read, now_ms
        self._texts: dict[str, str] = {}
        self._folded: dict[str, str] = {}
        self._listed: dict[str, frozenset[str] | None] = {}
        self._settled: dict[str, bool] = {}

    def value(self, name: str) -> Any:
        if name in self.row:
            return self.row[name]
        if self._read is not None and name.partition(".")[0] not in self.row:
            read, self._read = self._read, None
            self.row = {**self.row, **read(self.row)}
        return at_path(self.row, name)

    def whole(self) -> Row:
        """Return the row with all that surrounds it."""
        self.value("")
        return self.row

    def text(self, name: str) -> str:
        """Return all texts inside a value, as they are."""
        found = self._texts.get(name)
        if found is None:
            found = self._texts[name] = texts_in(self.value(name))
        return found

    def folded(self, name: str) -> str:
        """Return all texts inside a value, normalized."""
        found = self._folded.get(name)
        if found is None:
            found = self._folded[name] = normalize(self.text(name))
        return found

    def listed(self, name: str) -> frozenset[str] | None:
        """Return the texts of a list, normalized; None if it is no list of texts."""
        if name not in self._listed:
            value = parsed_json(self.value(name))
            is_plain = isinstance(value, list) and all(type(each) is str for each in value)
            self._listed[name] = frozenset(map(normalize, value)) if is_plain else None
        return self._listed[name]

    def says(self, says: Says, name: str, claims: Any) -> bool:
        """Return whether a column surely makes claims."""
        value = self.value(name)  # it may put what surrounds the row beside its columns
        return says(self.table, name, self.row, value, self._now_ms, claims)

    def is_settled(self, name: str) -> bool:
        """Return whether a text says that its matter is settled."""
        if name not in self._settled:
            self._settled[name] = is_settled(self.text(name))
        return self._settled[name]

    def whole_text(self, name: str) -> tuple[str] | None:
        """Return a text, normalized; None if it is no text."""
        return (self.folded(name),) if type(self.value(name)) is str else None


Condition = Callable[[_Seen], bool]


def _has_all(name: str, words: list[str]) -> Condition:
    if len(words) == 1:
        [word] = words
        return lambda seen: word in seen.folded(name)
    return lambda seen: all(word in seen.folded(name) for word in words)


def _has_any(name: str, words: list[str], found: bool = True) -> Condition:
    def holds(seen: _Seen) -> bool:
        text = seen.folded(name)
        for word in words:
            if word in text:
                return found
        return not found

    return holds


def _has_none(name: str, words: list[str]) -> Condition:
    return _has_any(name, words, found=False)


def _matches(name: str, patterns: list[str]) -> Condition:
    compiled = [re.compile(each, re.IGNORECASE) for each in patterns]
    return lambda seen: all(each.search(seen.text(name)) for each in compiled)


_WORDS: Mapping[str, Callable[[str, list[str]], Condition]] = {
    "contains": _has_all,
    "contains_all": _has_all,
    "contains_any": _has_any,
    "not_contains": _has_none,
}


def _condition(name: str, wanted: Any, says: Says) -> Condition:
    """Return whether a row's value is as wanted, as ``satisfies`` says it; words are normalized here, once."""
    if isinstance(wanted, Mapping):
        cheapest_first = sorted(wanted.items(), key=lambda each: (each[0] == CLAIMS, each[0] == SETTLED))
        parts = [_operator(name, operator, values, says) for operator, values in cheapest_first]
        return parts[0] if len(parts) == 1 else lambda seen: all(part(seen) for part in parts)
    if not isinstance(wanted, str):
        return lambda seen: equal(wanted, seen.value(name))
    plain = normalize(wanted)

    def is_equal(seen: _Seen) -> bool:
        value = seen.value(name)
        return seen.folded(name) == plain if type(value) is str else equal(wanted, value)

    return is_equal


def _operator(name: str, operator: str, values: Any, says: Says) -> Condition:
    if operator == CLAIMS:
        return lambda seen: seen.says(says, name, values)
    if operator == SETTLED:
        return lambda seen: seen.is_settled(name) is values
    if operator in _WORDS:
        return _WORDS[operator](name, _words(values))
    if operator == "regex":
        return _matches(name, _listed(values))
    if operator == "has" and isinstance(values, str):
        plain = normalize(values)

        def has(seen: _Seen) -> bool:
            texts = seen.listed(name)
            return plain in texts if texts is not None else satisfies({"has": values}, seen.value(name))

        return has
    return lambda seen: satisfies({operator: values}, seen.value(name))


def _words(values: Any) -> list[str]:
    return [normalize(str(each)) for each in _listed(values)]


def _listed(values: Any) -> list[Any]:
    return list(values) if isinstance(values, list | tuple) else [values]


def _with_accounts(wanted: Any, account_of: Callable[[str], str | None]) -> Any:
    """Return a wanted value with ``@person`` as the person's account."""
    if isinstance(wanted, str) and wanted.startswith("@"):
        return account_of(wanted[1:]) or wanted
    if isinstance(wanted, Mapping):
        return {name: _with_accounts(each, account_of) for name, each in wanted.items()}
    return [_with_accounts(each, account_of) for each in wanted] if isinstance(wanted, list) else wanted


def _places(where: Mapping[str, Any]) -> Iterator[tuple[str, bool, str]]:
    """Yield where a rule looks: a name, whether its value is a list, and the text that it equals or that is in it."""
    for name, wanted in where.items():
        if isinstance(wanted, Mapping) and list(wanted) == ["has"] and isinstance(wanted["has"], str):
            yield name, True, normalize(wanted["has"])
    for name, wanted in where.items():
        if isinstance(wanted, str):
            yield name, False, normalize(wanted)


def _cost(wanted: Any) -> int:
    """Return how dear a condition is, roughly: the cheap ones are asked first."""
    if not isinstance(wanted, Mapping):
        return 0
    if CLAIMS in wanted:
        return 3
    return max(name == SETTLED or OPERATORS[name].wants == "pattern" for name in wanted) + 1


@dataclass(frozen=True)
class _Needed:
    """Words one of which a row needs, so that a rule can match.

    Attributes:
        name: the column that has them, or what surrounds the row.
        is_folded: whether they are sought in the normalized text; otherwise in the text in lower case.
        words: the words.
    """

    name: str
    is_folded: bool
    words: frozenset[str]


def _needed(where: Mapping[str, Any]) -> _Needed | None:
    """Return the longest words that a rule needs; None if it can match without any."""
    found = (each for name, wanted in where.items() if isinstance(wanted, Mapping) for each in _needed_in(name, wanted))
    return max((each for each in found if all(each.words)), key=_selectivity, default=None)


def _selectivity(needed: _Needed) -> tuple[int, int]:
    return min(map(len, needed.words)), -len(needed.words)


def _needed_in(name: str, wanted: Mapping[str, Any]) -> Iterator[_Needed]:
    for operator, values in wanted.items():
        if operator in ("contains", "contains_all"):
            yield from (_Needed(name, True, frozenset([word])) for word in _words(values))
        elif operator == "contains_any":
            yield _Needed(name, True, frozenset(_words(values)))
        elif operator == "regex":
            for pattern in _listed(values):
                literals = needed_literals(pattern)
                if literals is not None and not any(map(_has_odd_case, literals)):
                    yield _Needed(name, False, frozenset(each.lower() for each in literals))


# Letters beside ASCII that a pattern, which ignores case, takes for one of ASCII: İ ı ſ K.
_ODD = re.compile("[İıſK]")


def _has_odd_case(literal: str) -> bool:
    """Return whether lower case may not tell all that a literal matches where case is ignored."""
    return not literal.isascii() and literal.lower() != literal.upper()


class _Bucket:
    """Rules about one place; those that need words are found by one pass over a row's text for the words of all."""

    def __init__(self) -> None:
        self._always: list[_Entry] = []
        self._by_words: dict[tuple[str, bool], tuple[LiteralIndex, list[_Entry]]] = {}

    def add(self, entry: _Entry, needed: _Needed | None) -> None:
        if needed is None:
            self._always.append(entry)
            return
        place = needed.name, needed.is_folded
        index, entries = self._by_words.setdefault(place, (LiteralIndex(texts_max=0), []))
        index.add_literals(needed.words)
        entries.append(entry)

    def candidates(self, seen: _Seen) -> Iterator[_Entry]:
        """Yield the rules that may be about a row, in no order."""
        yield from self._always
        for (name, is_folded), (index, entries) in self._by_words.items():
            text = seen.folded(name) if is_folded else seen.text(name)
            if not is_folded and _ODD.search(text):
                yield from entries
                continue
            bits = index.found_in(text if is_folded else text.lower())
            while bits:
                lowest = bits & -bits
                yield entries[lowest.bit_length() - 1]
                bits ^= lowest


class _Watch:
    """The rules about one kind of change of a table, found by the place where each looks, and by their words."""

    def __init__(self) -> None:
        self._anywhere = _Bucket()
        self._by_place: dict[tuple[str, bool], dict[str, _Bucket]] = {}
        self._count = 0

    def add(self, rule: PersonRule, conditions: tuple[Condition, ...], where: Mapping[str, Any]) -> None:
        """Add a rule under the first place where it looks."""
        self._count += 1
        bucket, place = self._anywhere, next(_places(where), None)
        if place is not None:
            name, is_list, text = place
            bucket = self._by_place.setdefault((name, is_list), {}).setdefault(text, _Bucket())
        bucket.add((self._count, rule, conditions), _needed(where))

    def candidates(self, seen: _Seen) -> list[_Entry]:
        """Return the rules that may be about a row, in order."""
        found = list(self._anywhere.candidates(seen))
        for bucket in self._buckets(seen):
            found += bucket.candidates(seen)
        return sorted(found, key=_number) if len(found) > 1 else found

    def _buckets(self, seen: _Seen) -> Iterator[_Bucket]:
        for (name, is_list), by_text in self._by_place.items():
            texts = seen.listed(name) if is_list else seen.whole_text(name)
            if texts is None:  # no list of texts, or a number, which may equal the text of any
                yield from by_text.values()
            else:
                yield from (by_text[text] for text in texts if text in by_text)


_Entry = tuple[int, PersonRule, tuple[Condition, ...]]


def _number(entry: _Entry) -> int:
    return entry[0]


class RuleBook:
    """The rules of one app in one episode, with their counts.

    Attributes:
        rules: the rules in order.
        raw: the same as they stand in the log.
        matched: (rule, value of ``per``) → how often it met.
        fired: rule → for each time that people act on it, the value of ``per`` and when all of it is done (ms).
    """

    def __init__(self, seed: int, acts: Acts | None, account_of: Callable[[str], str | None], says: Says) -> None:
        """Begin without rules.

        Args:
            seed: the episode's.
            acts: what people do in the app.
            account_of: returns a person's account in the app.
            says: reads claims.
        """
        self._seed, self._acts, self._account_of, self._says = seed, acts, account_of, says
        self.rules: list[PersonRule] = []
        self.raw: list[Mapping[str, Any]] = []
        self.matched: dict[tuple[str, str], int] = {}
        self.fired: dict[str, list[tuple[str, int]]] = {}
        self._index: dict[tuple[str, str], _Watch] = {}

    def add(self, raw: Mapping[str, Any]) -> PersonRule:
        """Add a rule that ``RuleChecker`` has checked.

        Raises:
            FarmError: it has claims, and this installation has no reader of texts.
        """
        rule = PersonRule.of(raw)
        self.rules.append(rule)
        self.raw.append(raw)
        where = {name: _with_accounts(each, self._account_of) for name, each in rule.where.items()}
        if any(isinstance(each, Mapping) and CLAIMS in each for each in where.values()):
            find_reader()  # not only when the first such text comes, in the middle of a call
        cheapest_first = sorted(where.items(), key=lambda each: _cost(each[1]))
        conditions = tuple(_condition(name, each, self._says) for name, each in cheapest_first)
        self._index.setdefault((rule.table, rule.change), _Watch()).add(rule, conditions, where)
        return rule

    def replay(self, entries: Iterable[Mapping[str, Any]]) -> None:
        """Bring rules and counts to where a log ends."""
        for entry in entries:
            if "person" in entry:
                self.add(entry["person"])
            for met in entry.get("people", ()):
                self.count(met)

    def count(self, met: Met) -> None:
        """Count a rule that a change met."""
        rule_id, _, key, done_ms = met
        self.matched[rule_id, key] = self.matched.get((rule_id, key), 0) + 1
        if done_ms is not None:
            self.fired.setdefault(rule_id, []).append((key, done_ms))

    def forget(self, met: Iterable[Met]) -> None:
        """Undo ``count`` of what did not come to a commit."""
        for rule_id, _, key, done_ms in met:
            self.matched[rule_id, key] -= 1
            if done_ms is not None:
                self.fired[rule_id].pop()

    def watches(self, table: str) -> bool:
        """Return whether a rule is about a table."""
        return any((table, change) in self._index for change in ("insert", "update", "delete"))

    def notice(
        self, changes: Iterable[Change], caller: str | None, now_ms: int, episode: Episode, *, is_agent: bool = True
    ) -> Iterator[tuple[Met, list[tuple[int, str, dict[str, Any]]]]]:
        """Yield each rule that these changes meet, already counted, with what follows: when (ms), in which app, what.

        Args:
            changes: the changes of one call, or of one person's act.
            caller: who did it; nobody answers himself.
            now_ms: when.
            episode: reads what surrounds a row.
            is_agent: whether it was a call.
        """
        for table, happened, row in changes:
            watch = self._index.get((table, happened))
            if watch is None:
                continue
            around = self._acts.around.get(table) if self._acts else None
            read = None if around is None else partial(around.read, episode)
            seen = _Seen(table, row, read, now_ms)
            for _, rule, conditions in watch.candidates(seen):
                if rule.who == caller or not (is_agent or rule.by == ANYONE):
                    continue
                for condition in conditions:
                    if not condition(seen):
                        break
                else:
                    yield self._meet(rule, seen, now_ms)

    def _meet(self, rule: PersonRule, seen: _Seen, now_ms: int) -> tuple[Met, list[tuple[int, str, dict[str, Any]]]]:
        key = str(seen.value(rule.per)) if rule.per else ""
        if not self._is_due(rule, key, now_ms):
            met: Met = [rule.id, rule.who, key, None]
            self.count(met)
            return met, []
        number = len(self.fired.get(rule.id, ()))
        follows, at_ms = [], now_ms
        for position, step in enumerate(rule.then):
            name = f"{rule.id}:{key}:{number}:{position}"
            at_ms = now_ms + step.delay_ms(drawn(self._seed, name))
            act = {"who": rule.who, "rule": rule.id, "name": name, "do": step.do, "arguments": step.arguments}
            follows.append((at_ms, step.app, {**act, "row": seen.whole()}))
        met = [rule.id, rule.who, key, max(each[0] for each in follows)]
        self.count(met)
        return met, follows

    def _is_due(self, rule: PersonRule, key: str, now_ms: int) -> bool:
        """Return whether a person acts on this match."""
        if rule.nth and self.matched.get((rule.id, key), 0) + 1 != rule.nth:
            return False
        if rule.times and (fired := self.fired.get(rule.id)) and [each for each, _ in fired].count(key) >= rule.times:
            return False
        if rule.after_rule and not self._is_over(rule.after_rule, now_ms):
            return False
        return not (rule.unless and self._is_over(rule.unless, now_ms))

    def _is_over(self, rule_id: str, now_ms: int) -> bool:
        return any(done_ms <= now_ms for _, done_ms in self.fired.get(rule_id, ()))

    def show(self) -> list[dict[str, Any]]:
        """Return the rules with their counts for an operator."""
        return [
            {
                "id": rule.id,
                "who": rule.who,
                "table": rule.table,
                "does": [step.do for step in rule.then],
                "matched": sum(count for (name, _), count in self.matched.items() if name == rule.id),
                "fired": len(self.fired.get(rule.id, ())),
            }
            for rule in self.rules
        ]


def as_line(rule: Mapping[str, Any], after: int = 0) -> bytes:
    """Return the log line of a checked rule."""
    return orjson.dumps({"person": rule, "after": after}) + b"\n"
