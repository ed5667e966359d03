"""Collect the texts in which a value can stand: rows of the start, results of calls, the instruction.

A passage is one text with the object that it stands in, and the moments from which its days count: "tomorrow" in a
message means the day after the message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cached_property, lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from farm import content
from farm.benchmark.audit.attacks.script import leaves
from farm.benchmark.scoring.claims.values import Value, fold, read
from farm.benchmark.scoring.initial_state import Start, form_of
from farm.context.operators import parsed_json, unquoted

_EPOCH = re.compile(r"1[4-9]\d{8}(?:\d{3}|\d{6})?(?:\.\d{1,6})?")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)")
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ZONE = re.compile(r"[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+")
# When a row was written says nothing about what it tells, and thousands of rows cover every hour of the day.
_STAMP = re.compile(
    r"^(?:(?:.*_)?ts|date|time|date_?time|timestamp|internal_?date|.*(?:creat|updat|modif|edit|sent|post|publish|receiv|join|read|"
    r"reply|last|latest|open|ship|expire).*)$",
    re.IGNORECASE,
)
# Keys that name no kind of time; the key of the object around them does.
_PLAIN = frozenset({"timestamp", "time", "date", "date_time", "dateTime"})
_OWN_MIN = 3  # characters of an argument that a result can repeat


@dataclass(frozen=True)
class Passage:
    """A folded text, the texts of the object around it, and the moments from which its days count.

    Attributes:
        times: points in time that the text is, or holds.
        number: the number that it is, if it is one.
    """

    text: str
    around: str
    moments: tuple[datetime, ...]
    times: tuple[datetime, ...] = ()
    number: float | None = None

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Every typed value of the text, in every meaning."""
        if self.number is not None:
            return (Value("number", 0, len(self.text), number=self.number),)
        found = _read(self.text, self.moments[0])
        if any(each.kind == "date" for each in found):
            found = tuple(value for moment in self.moments for value in _read(self.text, moment))
        return (*found, *(value for moment in self.times for value in _values_of_time(moment)))


# Cached: the tasks of a world read the same rows, and the rows of an app take a second.
@lru_cache(maxsize=1 << 16)
def _read(text: str, now: datetime) -> tuple[Value, ...]:
    return tuple(read(text, now))


def _values_of_time(moment: datetime) -> tuple[Value, Value]:
    return (
        Value("date", 0, 0, options=(moment.date().isoformat(),)),
        Value("clock", 0, 0, options=(f"{moment:%H:%M}", *(["24:00"] if f"{moment:%H:%M}" == "00:00" else []))),
    )


def passages_of_text(text: str, now: datetime) -> Passage:
    """Return one of the task's own texts as a passage."""
    return Passage(fold(text), fold(text), (now,))


def passages_of_rows(start: Start, apps: Iterable[str]) -> Iterator[Passage]:
    """Yield the texts of every row of the start."""
    for app in apps:
        yield from _rows_of(start, app)


@lru_cache(maxsize=64)
def _rows_of(start: Start, app: str) -> tuple[Passage, ...]:
    now = start.clock_context.now
    return tuple(
        passage
        for table in content.load_app(app).schema.shapes
        for row in start.rows(app, table)
        for passage in passages_of_row(start, app, table, row, now)
    )


def passages_of_row(start: Start, app: str, table: str, row: Mapping[str, Any], now: datetime) -> Iterator[Passage]:
    """Yield the texts of one row; its columns that hold a time are read in their form."""
    plain = {name: value for name, value in row.items() if form_of(app, table, name) is None or value is None}
    times = {name: moment_of(value, now.tzinfo) for name, value in row.items() if name not in plain}
    yield from _passages({**plain, **times}, now, (), OwnWords())


@dataclass(frozen=True)
class OwnWords:
    """What an agent has sent so far; a result that repeats it proves nothing.

    Attributes:
        texts: the texts of all its calls, the longest first.
        times, numbers: the points in time and the numbers of its writes; those of a read only say where it looks.
    """

    texts: tuple[str, ...] = ()
    times: frozenset[datetime] = frozenset()
    numbers: frozenset[float] = frozenset()

    def with_call(self, arguments: Any, now: datetime, *, is_write: bool) -> OwnWords:
        """Return these with what a further call sends."""
        values = [value for _, value in leaves(arguments) if not isinstance(value, bool)]
        moments = {value: moment for value in values if (moment := moment_of(value, now.tzinfo))}
        texts = {each for each in values if isinstance(each, str) and len(each) >= _OWN_MIN and each not in moments}
        words = {each for each in texts if any(map(str.isalpha, each))}
        return OwnWords(
            tuple(sorted({*self.texts, *words}, key=len, reverse=True)),
            self.times | {*moments.values()} if is_write else self.times,
            self.numbers | {float(each) for each in values if _number_of(each) is not None and is_write},
        )


def passages_of_result(body: Any, own: OwnWords, now: datetime) -> Iterator[Passage]:
    """Yield the texts of a call's result without what the agent itself had sent."""
    yield from _passages(body, now, (), own)


def _passages(
    value: Any, now: datetime, moments: tuple[datetime, ...], own: OwnWords, name: str = ""
) -> Iterator[Passage]:
    match value:
        case str() if (parsed := _parsed(value)) is not value:
            yield from _passages(parsed, now, moments, own, name)
        case Mapping():
            yield from _passages_in(value, now, moments, own, name)
        case list() | tuple():
            for each in value:
                yield from _passages(each, now, moments, own, name)
        case _:
            yield from _passages_in({"": value}, now, moments, own, name)


def _parsed(text: str) -> Any:
    """Parse a text that is a JSON object, list or text; or return it."""
    return unquoted(text) if text.startswith('"') else parsed_json(text)


def _passages_in(
    value: Mapping[str, Any], now: datetime, moments: tuple[datetime, ...], own: OwnWords, name: str = ""
) -> Iterator[Passage]:
    """Yield the texts of one object, then those of the objects in it."""
    zone = now.tzinfo or UTC
    plain = {key: each for key, each in value.items() if not isinstance(each, Mapping | list | tuple)}
    times = {key: moment for key, each in plain.items() if (moment := moment_of(each, zone))}
    here = (*moments, *times.values())[-3:]
    texts = {key: _without(str(each), own) for key, each in plain.items() if each is not None}
    around = f"{_words_of(name)} {fold(' · '.join(f'{_words_of(key)} {text}' for key, text in texts.items()))}"
    zones = [zone, *(known for text in texts.values() for found in _ZONE.findall(text) if (known := _zone(found)))]
    for key, text in texts.items():
        if key in times:
            if times[key] not in own.times and not _STAMP.match(name if key in _PLAIN and name else key):
                yield Passage("", around, (now,), tuple(times[key].astimezone(each) for each in zones))
            continue
        if len(text) > 2 and (inner := _parsed(text)) is not text:
            yield from _passages(inner, now, here, own, key)
            continue
        named = tuple(moment.astimezone(zone) for found in _MOMENT.findall(text) if (moment := moment_of(found, zone)))
        number = _number_of(value[key])
        if number in own.numbers:
            continue
        yield Passage(fold(text), around, (now, *(each.astimezone(zone) for each in here)), named, number)
    for key, each in value.items():
        if isinstance(each, Mapping | list | tuple):
            yield from _passages(each, now, here, own, key)


def moment_of(value: Any, zone: tzinfo | None) -> datetime | None:
    """Return a value that is wholly a point in time: seconds, milliseconds or microseconds since 1970, or ISO."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value)
    try:
        if _EPOCH.fullmatch(text):
            whole = text.partition(".")[0]
            return datetime.fromtimestamp(int(whole) / 10 ** (len(whole) - 10), UTC).astimezone(zone)
        if _MOMENT.fullmatch(text):
            return datetime.fromisoformat(text).astimezone(zone)
    except (ValueError, OverflowError):
        pass
    return None


def _number_of(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _words_of(key: str) -> str:
    """Return the words of a key: ``likedCount`` is "liked count"."""
    return _CAPITAL.sub(" ", key).replace("_", " ").lower()


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None


def _without(text: str, own: OwnWords) -> str:
    for each in own.texts:
        if each in text:
            text = text.replace(each, " ")
    return text
