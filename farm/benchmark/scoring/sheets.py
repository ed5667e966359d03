"""Reads the answer sheet at the end of an answer, and compares its values by their types.

A sheet is a JSON object with names of the task's fields. Reading is lenient about form: fences, a wrapper, trailing
commas, numbers with units, dates and clocks in words, every name of a person. Comparison is strict about content: a
field with two different values, or with candidates, is wrong.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, timezone
from typing import Any

from farm.appkit.formats.unicode import nfkc
from farm.benchmark.scoring.claims.normalize import fold
from farm.benchmark.scoring.claims.values import Value, read
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.findings import Finding, all_hold, doubts_of
from farm.benchmark.scoring.people import names_of
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.value_check import check
from farm.benchmark.tasks.sheet_fields import items_of, kind_of_field
from farm.context.operators import texts_in

# A sheet is sought at the end of an answer only, so that no answer takes long to read.
TAIL_MAX = 20_000
_OPENINGS_MAX = 200
_VALUE_MAX = 300  # characters of a typed value
_UNKNOWN = frozenset({"", "null", "none", "unknown", "n/a", "?", "-", "未知", "不详"})


@dataclass(frozen=True)
class Sheet:
    """The sheet of an answer.

    Attributes:
        values: field → the different values given for it, without null.
        prose: the answer without its sheets.
    """

    values: Mapping[str, Sequence[Any]]
    prose: str


class _Twice(list[Any]):
    """The different values of a key that one object holds several times."""


def find_sheet(answer: str, names: Iterable[str]) -> Sheet | None:
    """Return the sheet of an answer: all JSON objects in it with names of fields; None if there is none."""
    wanted = frozenset(names)
    head, tail = answer[:-TAIL_MAX], answer[-TAIL_MAX:]
    values: dict[str, list[Any]] = {}
    prose, place = [head], 0
    for start, end, found in _objects(tail, wanted):
        prose.append(_FENCE_BEFORE.sub("", tail[place:start]))
        place = end
        for name, value in found.items():
            for each in value if isinstance(value, _Twice) else [value]:
                if each is not None and not any(_same(each, other) for other in values.setdefault(name, [])):
                    values[name].append(each)
    if not place:
        return None
    prose.append(tail[place:])
    return Sheet(
        values, "".join(_FENCE_AFTER.sub("", piece) if number > 1 else piece for number, piece in enumerate(prose))
    )


_FENCE_BEFORE = re.compile(r"[ \t]*(?:```|~~~)[ \t]*\w*[ \t]*\n?\s*$")
_FENCE_AFTER = re.compile(r"^\s*(?:```|~~~)[ \t]*\n?")


def _same(a: Any, b: Any) -> bool:
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


def _objects(text: str, names: frozenset[str]) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Yield the place and the named values of every JSON object with names of fields, the outermost first."""
    openings = [place for place, sign in enumerate(text) if sign == "{"]
    end = 0
    for start in openings[-_OPENINGS_MAX:]:
        if start < end:
            continue
        parsed = _parsed(text, start)
        if parsed is None:
            continue
        found = {_key(name): value for name, value in parsed[0].items() if _key(name) in names}
        if found:
            end = parsed[1]
            yield start, end, found


def _key(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().casefold())


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; a key that occurs twice keeps its different values, for none of them is the last word."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found and not _same(found[name], value):
            before = found[name] if isinstance(found[name], _Twice) else [found[name]]
            value = _Twice([*before, value])
        found[name] = value
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_CURLY = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})


def _parsed(text: str, start: int) -> tuple[dict[str, Any], int] | None:
    """Return the JSON object that begins at a place, and its end; None if there is none, even after mending."""
    try:
        found, end = _DECODER.raw_decode(text, start)
        return (found, end) if isinstance(found, dict) else None
    except (ValueError, RecursionError):
        pass
    end = text.find("}", start) + 1  # a sheet to mend is flat
    if not end:
        return None
    mended = _TRAILING_COMMA.sub(r"\1", text[start:end].translate(_CURLY))
    if '"' not in mended:
        mended = mended.replace("'", '"')
    try:
        found = json.loads(mended, object_pairs_hook=_pairs)
    except (ValueError, RecursionError):
        return None
    return (found, end) if isinstance(found, dict) else None


# -- comparison --------------------------------------------------------------------------------------------------------


def judge_fields(fields: Mapping[str, Mapping[str, Any]], sheet: Sheet, values: ValueResolver) -> list[Finding]:
    """Return one finding for each field of a checkpoint."""
    return [_judge_field(name, raw, sheet.values.get(name, ()), values) for name, raw in fields.items()]


def _judge_field(name: str, raw: Mapping[str, Any], given: Sequence[Any], values: ValueResolver) -> Finding:
    kind = kind_of_field(raw)
    assert kind is not None  # the loader has checked it
    wanted = f"'{name}' to be {describe(raw, values.clock_context)}"
    given = [each for each in given if not (isinstance(each, str) and each.strip().casefold() in _UNKNOWN)]
    if not given:
        return Finding(False, wanted, why="left open")
    if len(given) > 1:
        return Finding(False, wanted, why=f"given {len(given)} times with different values")
    if kind == "text":
        findings = check(values.resolve(raw["text"], ""), texts_in(given[0]), values.clock_context)
        why = "; ".join(each.describe for each in findings if not each.ok)
        wanted = f"'{name}' {' and '.join(each.wanted for each in findings)}"
        return Finding(all_hold(findings, "guess"), wanted, doubts=doubts_of(findings), why=why)
    holds = _COMPARE[kind]
    if raw.get("all"):
        ok = _has_all(raw, given[0], lambda item, found: holds(raw, item, found, values.clock_context))
    else:
        found = given[0][0] if isinstance(given[0], list) and len(given[0]) == 1 else given[0]
        ok = any(holds(raw, item, found, values.clock_context) for item in _alternatives(raw))
    return Finding(ok, wanted, why="" if ok else f"found {_short(given[0])}")


def _alternatives(raw: Mapping[str, Any]) -> list[Any]:
    # Without ``all``, the items of a choice are the names of one thing, which may stand side by side.
    return [items_of(raw)] if kind_of_field(raw) == "choice" else items_of(raw)


_LIST_SIGNS = re.compile(r"\s*(?:[,;、，；\n]|\band\b|和)\s*")


def _has_all(raw: Mapping[str, Any], found: Any, holds: Callable[[Any, Any], bool]) -> bool:
    """Return whether a list has exactly the items of a field, in any order."""
    given = found if isinstance(found, list) else [each for each in _LIST_SIGNS.split(str(found)) if each]
    left = items_of(raw)
    if len(given) != len(left):
        return False
    for each in given:
        match = next((item for item in left if holds(item, each)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _number(raw: Mapping[str, Any], wanted: Any, found: Any, context: ClockContext) -> bool:
    if isinstance(found, Mapping) and "value" in found:
        found = f"{found['value']} {found.get('unit') or ''}".strip()
    if isinstance(found, (int, float)) and not isinstance(found, bool):
        return math.isclose(found, float(wanted), rel_tol=1e-9)
    value, rest = _only(found, ("number", "amount"), context)
    if value is None or not math.isclose(value.number, float(wanted), rel_tol=1e-9):
        return False
    units = raw.get("unit")
    accepted = {each.casefold() for each in ([units] if isinstance(units, str) else units or ())}
    if not accepted:
        return value.unit != "%"
    return value.unit.casefold() in accepted or (not value.unit and _bare(rest) in {"", *accepted})


def _date(_: Mapping[str, Any], wanted: Any, found: Any, context: ClockContext) -> bool:
    day = context.day(wanted)
    if moment := _moment(found, context):
        return moment.date() == day
    value, _rest = _only(found, ("date",), context, besides=("clock",))
    return value is not None and day.isoformat() in value.options


def _clock(_: Mapping[str, Any], wanted: Any, found: Any, context: ClockContext) -> bool:
    if moment := _moment(found, context):
        return moment.strftime("%H:%M") == str(wanted)
    if isinstance(found, str) and (digits := re.fullmatch(r"([01]\d|2[0-3])([0-5]\d)", found.strip())):
        found = f"{digits[1]}:{digits[2]}"
    value, rest = _only(found, ("clock",), context, besides=("date", "number"))
    if value is None:
        return False
    zone = _OTHER_ZONE.search(rest)
    return any(_in_zone(option, zone, context) == wanted for option in value.options)


# 03:00 UTC, 11:00 (UTC+8), 4:30 GMT+01:30
_OTHER_ZONE = re.compile(r"\b(?:utc|gmt)\b\s*(?:([+-])\s*(\d{1,2})(?::?(\d\d))?)?")


def _in_zone(clock: str, zone: re.Match[str] | None, context: ClockContext) -> str:
    if zone is None or clock == "24:00":
        return clock
    minutes = int(zone[2] or 0) * 60 + int(zone[3] or 0)
    offset = timezone(timedelta(minutes=min(minutes, 14 * 60)) * (-1 if zone[1] == "-" else 1)) if minutes else UTC
    at = datetime.combine(context.now.date(), time.fromisoformat(clock), offset)
    return f"{at.astimezone(context.world.zone):%H:%M}"


def _moment(found: Any, context: ClockContext) -> datetime | None:
    """Return a date and time in one ISO text, in the world's zone."""
    if not isinstance(found, str) or not re.match(r"\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d", found):
        return None
    try:
        at = datetime.fromisoformat(found.strip())
    except ValueError:
        return None
    return at.astimezone(context.world.zone) if at.tzinfo else at


def _id(_: Mapping[str, Any], wanted: Any, found: Any, __: ClockContext) -> bool:
    return isinstance(found, (str, int)) and not isinstance(found, bool) and _bare(str(found)) == _bare(wanted)


def _person(_: Mapping[str, Any], wanted: Any, found: Any, context: ClockContext) -> bool:
    return isinstance(found, str) and _is_only(found, names_of(wanted, context.world.people))


def _choice(_: Mapping[str, Any], wanted: Any, found: Any, __: ClockContext) -> bool:
    if isinstance(found, bool):
        found = "yes" if found else "no"
    names = [wanted] if isinstance(wanted, str) else wanted
    return isinstance(found, (str, int)) and _is_only(str(found), names)


_COMPARE: Mapping[str, Callable[[Mapping[str, Any], Any, Any, ClockContext], bool]] = {
    "number": _number,
    "date": _date,
    "clock": _clock,
    "id": _id,
    "person": _person,
    "choice": _choice,
}
# A typed value is no sentence: one that denies, doubts, asks or offers another is no value.
_HEDGES = re.compile(
    r"\b(?:not|no|never|or|maybe|perhaps|probably|possibly|either|except|instead)\b|n't\b|\?"
    r"|[不没非或否未]|可能|大概"
)


def _only(
    found: Any, kinds: Sequence[str], context: ClockContext, besides: Sequence[str] = ()
) -> tuple[Value | None, str]:
    """Return the only value of a text, and the text around it; None if there is none, or further ones."""
    if isinstance(found, (int, float)) and not isinstance(found, bool):
        found = str(found)
    if not isinstance(found, str) or len(found) > _VALUE_MAX:
        return None, ""
    text = fold(found)
    values = read(text, context.now)
    own = [each for each in values if each.kind in kinds]
    if len(own) != 1 or any(each.kind not in (*kinds, *besides) for each in values):
        return None, ""
    rest = text[: own[0].start] + " " + text[own[0].end :]
    return (None, "") if _HEDGES.search(rest) else (own[0], rest)


def _bare(text: str) -> str:
    """Return a text without case, blanks and marks."""
    return "".join(sign for sign in nfkc(text).casefold() if sign.isalnum() or sign == "%")


def _is_only(found: str, names: Iterable[str]) -> bool:
    """Return whether a text consists of names of one thing and nothing else: 'Cove (小湾)'."""
    if len(found) > _VALUE_MAX:
        return False
    rest = " ".join(nfkc(found).casefold().split())
    for name in sorted((" ".join(nfkc(each).casefold().split()) for each in names), key=len, reverse=True):
        rest = re.sub(rf"(?<![a-z\d]){re.escape(name)}(?![a-z\d])" if name.isascii() else re.escape(name), "\0", rest)
    return "\0" in rest and not any(sign.isalnum() for sign in re.sub(r"\b(?:the|a|an)\b", "", rest))


def describe(raw: Mapping[str, Any], context: ClockContext) -> str:
    """Return the value of a field in words."""
    if kind_of_field(raw) == "text":
        return "as the task asks"
    shown = [text_of(raw, item, context) for item in items_of(raw)]
    return f"{' and '.join(shown)}" if raw.get("all") else shown[0]


def text_of(raw: Mapping[str, Any], item: Any, context: ClockContext) -> str:
    """Return one value of a field, as an agent could write it."""
    match kind_of_field(raw):
        case "number":
            units = raw.get("unit") or ""
            return f"{item:.15g} {units if isinstance(units, str) else units[0]}".strip()
        case "date":
            return context.day(item).isoformat()
        case "person":
            return str(context.world.people[item]["name_en"])
        case _:
            return str(item if isinstance(item, str) else item[0])


def right_value(raw: Mapping[str, Any], context: ClockContext, text: str) -> Any:
    """Return a right value of a field, as an agent could write it.

    Args:
        raw: the field.
        context: the world.
        text: the value of a field that is a text, unless it has an example.
    """
    kind = kind_of_field(raw)
    if kind == "text":
        return raw.get("example", text)
    items = [item if kind == "number" else text_of(raw, item, context) for item in items_of(raw)]
    return items if raw.get("all") else items[0]


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 90 else f"{text[:87]}…"
