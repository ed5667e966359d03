"""Recompute values that follow from operands which a task names (``from``, ``how``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from farm import content
from farm.benchmark.agents.placeholders import fill
from farm.benchmark.audit.truth.passages import Passage, moment_of
from farm.benchmark.audit.truth.standing import MEASURES, SECONDS, close, ends_of, is_value, unit_of, within_last_digit
from farm.benchmark.scoring.claims import Claim
from farm.benchmark.scoring.claims.values import Value, fold, read
from farm.benchmark.scoring.initial_state import one
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.tasks.value_syntax import LOOKUP, REFERENCE, is_row
from farm.context.operators import at_path
from farm.errors import FarmError

_HALVES = ("half", "halved", "一半", "减半")


class DerivationError(FarmError):
    """A value does not follow from its operands."""


@dataclass(frozen=True)
class Operand:
    """One operand, with what it can be.

    Attributes:
        words: the operand as the task names it.
        number: a count, a measure in ``unit``, or a sum of money.
        moment: a point in time; of an operand without a day, one of today.
        has_day: whether the operand names a day.
        has_clock: whether the operand names a time of day.
        zone: a time zone.
        values: the values of a text with several.
        rows: the number of rows that it stands for.
        is_read: whether the oracle could know it.
    """

    words: str
    number: float | None = None
    unit: str = ""
    moment: datetime | None = None
    has_day: bool = False
    has_clock: bool = False
    zone: ZoneInfo | None = None
    values: tuple[Value, ...] = ()
    rows: int = 0
    is_read: bool = True


@dataclass(frozen=True)
class Operands:
    """Where the operands of one text's values are found: the start, and what the oracle had read.

    Attributes:
        results: name of a call of the oracle → the body of its result.
    """

    known: ValueResolver
    app: str
    read: Sequence[Passage]
    results: Mapping[str, Any] = field(default_factory=dict)

    def find(self, raw: Any) -> Operand:
        """Return one operand of ``from``.

        Raises:
            DerivationError: it is no value, or it is a literal that stands nowhere.
            MissingPlaceholderError: no result has what it refers to.
        """
        if isinstance(raw, str) and (lookup := LOOKUP.fullmatch(raw)):
            raw = self.known.lookups[lookup[1]]
        if is_row(raw):
            return self._of_rows(raw)
        text = self.known.text(str(raw))
        if zone := self._zone(text):
            return Operand(text, zone=zone)
        if text in _HALVES and any(text in each.text for each in self.read):
            return Operand(text, number=0.5)
        if REFERENCE.fullmatch(text):
            held = str(fill(text, self.results, str))
            return self._of_values(f"{text}, {held}", read(fold(held), self.known.clock_context.now))
        values = read(fold(text), self.known.clock_context.now)
        found = self._of_values(text, values)
        for value in values:
            if not any(_same(value, other) for passage in self.read for other in passage.values):
                raise DerivationError(f"follows from {text}, which no result and no instruction holds")
        return found

    def _zone(self, text: str) -> ZoneInfo | None:
        people = self.known.start.world.people
        name = str(people[text].get("time_zone")) if text in people else text
        try:
            return ZoneInfo(name) if "/" in name or name == "UTC" else None
        except (KeyError, ValueError, OSError):
            return None

    def _of_values(self, words: str, values: Sequence[Value]) -> Operand:
        now = self.known.clock_context.now
        days = [each for each in values if each.kind == "date"]
        clocks = [each for each in values if each.kind == "clock"]
        numbers = [each for each in values if each.kind in ("number", "amount")]
        if len(days) < 2 and len(clocks) < 2 and (days or clocks):
            day = date.fromisoformat(days[0].options[0]) if days else now.date()
            hour = clocks[0].options[0] if clocks else "00:00"
            midnight = datetime.combine(day, time(), now.tzinfo)
            moment = midnight + timedelta(hours=int(hour[:2]), minutes=int(hour[3:]))
            return Operand(words, moment=moment, has_day=bool(days), has_clock=bool(clocks))
        if len(values) == 1 and values[0].kind == "id":
            return Operand(words)
        if len(numbers) == 1:
            return Operand(words, number=numbers[0].number, unit=numbers[0].unit)
        raise DerivationError(f"follows from {words}, which is not one value")

    def _of_rows(self, raw: Mapping[str, Any]) -> Operand:
        app, table, column = raw.get("app", self.app), raw["table"], self.known.text(raw["column"])
        where = self.known.resolve(raw.get("where", {}), app)
        words = f"{app}.{table}.{column}"
        rows = self.known.start.find(app, table, where)
        if not raw.get("all"):
            rows = [one(rows, f"{app}.{table} where {dict(raw.get('where', {}))}")]
        keys = content.load_app(app).schema.shapes[table].key
        is_read = all(self._has_read(row, keys, at_path(row, column)) for row in rows)
        found = Operand(words, rows=len(rows), is_read=is_read)
        if raw.get("all"):
            return found
        value = at_path(rows[0], column)
        moment = moment_of(value, self.known.clock_context.now.tzinfo)
        if moment:
            return replace(found, moment=moment, has_day=True, has_clock=True)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return replace(found, number=float(value))
        values = read(fold(str(value)), self.known.clock_context.now)
        if len(values) != 1:
            return replace(found, values=tuple(values))
        return replace(self._of_values(words, values), rows=1, is_read=is_read)

    def _has_read(self, row: Mapping[str, Any], keys: Sequence[str], value: Any) -> bool:
        """Whether a result holds a row: its key, or the very value."""
        shown = [fold(str(each)) for each in (*(row[key] for key in keys), value) if each not in (None, "")]
        return any(each in passage.around for passage in self.read for each in shown if len(each) > 1)


def derive(claim: Claim, raw: Sequence[Any], how: str | None, operands: Operands) -> str | None:
    """Recompute a claim's value; return which operand was not read, or None.

    Raises:
        DerivationError: the value does not follow.
    """
    found = [operands.find(each) for each in raw]
    result = HOWS[how or "same"](found, claim)
    if result is not None:
        raise DerivationError(f"does not follow: the {how or 'operand'} is {result}")
    unread = [each.words for each in found if not each.is_read]
    return f"follows from {unread[0]}, which no result holds before it is asserted" if unread else None


How = Callable[[Sequence[Operand], Claim], "str | None"]


def _same_as(found: Sequence[Operand], claim: Claim) -> str | None:
    for each in found:
        if each.values or each.rows > 1:
            fits = any(is_value(claim, value) for value in each.values)
        else:
            fits = _fits(claim, each) is None
        if fits:
            return None
    return "another value"


def _sum(found: Sequence[Operand], claim: Claim, sign: int = 1) -> str | None:
    first, *rest = found
    if first.moment is not None:
        away = timedelta(seconds=sum(_seconds(each) for each in rest))
        result = replace(first, moment=first.moment + sign * away)
        if claim.kind != "span":
            return _fits(claim, result)
        ends = zip(ends_of(claim), (first, result), strict=True)
        problems = (_fits(replace(claim, kind="clock", values=(end,)), operand) for end, operand in ends)
        return next((each for each in problems if each), None)
    total, *others = _numbers(found, claim)
    total += sign * sum(others)
    return _number(claim, total if sign > 0 else abs(total))


def _difference(found: Sequence[Operand], claim: Claim) -> str | None:
    return _sum(found, claim, -1)


def _product(found: Sequence[Operand], claim: Claim) -> str | None:
    total = 1.0
    for each in found:
        total *= _a_number(each) * (0.01 if each.unit == "%" else 1.0)
    return _number(claim, total)


def _quotient(found: Sequence[Operand], claim: Claim) -> str | None:
    whole, parts = _pair(found)
    return _rounded_number(claim, whole / parts)


def _share(found: Sequence[Operand], claim: Claim) -> str | None:
    part, whole = _pair(found)
    return _rounded_number(claim, 100 * part / whole)


def _change(found: Sequence[Operand], claim: Claim) -> str | None:
    now, before = _pair(found)
    return _rounded_number(claim, abs(100 * (now - before) / before))


def _rounded(found: Sequence[Operand], claim: Claim) -> str | None:
    if len(found) != 1:
        raise DerivationError("needs one operand")
    (number,) = _numbers(found, claim)
    return None if within_last_digit(_wanted(claim), number) else f"{number:g}"


def _count(found: Sequence[Operand], claim: Claim) -> str | None:
    return _number(claim, float(sum(each.rows or 1 for each in found)))


def _zone_of(found: Sequence[Operand], claim: Claim) -> str | None:
    first, *zones = found
    named = [each.zone for each in zones if each.zone]
    if first.moment is None or len(named) != len(zones) or len(named) not in (1, 2):
        raise DerivationError('needs a time and its zone for `how = "zone"`: [time, zone] or [time, from, to]')
    moment = first.moment.replace(tzinfo=named[0]) if len(named) == 2 else first.moment
    return _fits(claim, replace(first, moment=moment.astimezone(named[-1])))


def _duration(found: Sequence[Operand], claim: Claim) -> str | None:
    moments = [each.moment for each in found if each.moment is not None]
    if len(moments) != 2 or len(found) != 2:
        raise DerivationError('needs two times for `how = "duration"`')
    away = moments[1] - moments[0]
    if not all(each.has_day for each in found) and away < timedelta(0):
        away += timedelta(days=1)
    unit = next((known for each in claim.units if (known := unit_of(each)) in SECONDS), "min")
    return _number(claim, abs(away.total_seconds()) / SECONDS[unit])


def _next(found: Sequence[Operand], claim: Claim) -> str | None:
    following = [re.sub(r"\d+$", lambda last: str(int(last[0]) + 1).zfill(len(last[0])), each.words) for each in found]
    return None if set(following) & set(map(str, claim.values)) else following[0]


HOWS: Mapping[str, How] = {
    "same": _same_as,
    "sum": _sum,
    "difference": _difference,
    "product": _product,
    "quotient": _quotient,
    "share": _share,
    "change": _change,
    "rounded": _rounded,
    "count": _count,
    "next": _next,
    "zone": _zone_of,
    "duration": _duration,
}


def _fits(claim: Claim, result: Operand) -> str | None:
    """Return None if a result is the claimed value, else the result in words."""
    if result.moment is None:
        value = Value("number", 0, 0, number=_a_number(result), unit=result.unit)
        return None if is_value(claim, value) else f"{result.number:g} {result.unit}".strip()
    day, clock = result.moment.date().isoformat(), f"{result.moment:%H:%M}"
    options = (clock, "24:00") if clock == "00:00" else (clock,)
    if claim.kind == "date" and result.has_day:
        return None if is_value(claim, Value("date", 0, 0, options=(day,))) else day
    if claim.kind == "clock" and result.has_clock:
        return None if is_value(claim, Value("clock", 0, 0, options=options)) else clock
    return f"{day} {clock}"


def _wanted(claim: Claim) -> float:
    number = claim.values[0]
    if not isinstance(number, float):
        raise DerivationError(f"is no number, but a {claim.kind}")
    return number


def _number(claim: Claim, number: float) -> str | None:
    return None if close(_wanted(claim), number) else f"{number:g}"


def _rounded_number(claim: Claim, number: float) -> str | None:
    """Compare with as many decimals as the claim has."""
    wanted = _wanted(claim)
    fits = within_last_digit(wanted, number) and abs(wanted - number) <= 0.5
    return None if fits else f"{number:.4g}"


def _numbers(found: Sequence[Operand], claim: Claim) -> list[float]:
    """Return the operands' numbers in the claim's unit."""
    unit = next((known for each in claim.units if (known := unit_of(each))), "")
    return [_in(each, unit) for each in found]


def _in(each: Operand, unit: str) -> float:
    number = _a_number(each)
    for measures in MEASURES:
        if each.unit in measures and unit in measures:
            return number * measures[each.unit] / measures[unit]
    return number


def _a_number(each: Operand) -> float:
    if each.number is None:
        raise DerivationError(f"needs a number, which {each.words} is not")
    return each.number


def _seconds(each: Operand) -> float:
    if each.unit not in SECONDS:
        raise DerivationError(f"needs a length of time such as '45 min', which {each.words} is not")
    return _a_number(each) * SECONDS[each.unit]


def _pair(found: Sequence[Operand]) -> tuple[float, float]:
    if len(found) != 2:
        raise DerivationError("needs two operands")
    first, second = _a_number(found[0]), _a_number(found[1])
    if not second:
        raise DerivationError("needs a second operand that is not 0")
    return first, second


def _same(one: Value, other: Value) -> bool:
    if one.options or other.options:
        return one.kind == other.kind and bool({*one.options} & {*other.options})
    return close(one.number, other.number) and (one.unit == other.unit or "" in (one.unit, other.unit))
