"""Compares a value with a task's expectation: a plain value, or a table of operators.

Comparison of texts ignores case, width, spacing and emphasis. Time columns are compared as points in time, in any zone.
JSON columns are compared by the texts inside them, or by one value at a dotted path (``content.text``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, date, datetime
from typing import Any

import orjson

from farm._util.json_io import dumps, loads
from farm.appkit.formats.unicode import nfkc
from farm.appkit.schema import TimeForm
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.findings import Finding
from farm.benchmark.scoring.reading_budget import UnreadError, read_within
from farm.benchmark.scoring.texts import judge_text
from farm.benchmark.tasks.text_rules import TEXT_KEYS

_MS_FROM = 100_000_000_000  # larger than any plausible seconds
DEPTH_MAX = 100  # levels of JSON inside a text
_MARKUP = re.compile(r"[*_`~]+")
_SPACE = re.compile(r"\s+")


def instant(value: Any, form: TimeForm | None) -> datetime | date | None:
    """Parse a stored or written time into an aware datetime (a date for ``date``), or None if it is not a time."""
    try:
        if form == "date":
            return date.fromisoformat(str(value)[:10])
        if isinstance(value, str) and not re.fullmatch(r"-?\d+(\.\d+)?", value):
            parsed = datetime.fromisoformat(value)
            return parsed if parsed.tzinfo else None
        number = float(value)
        match form:
            case "s" | "s_text" | "ts":
                return datetime.fromtimestamp(number, UTC)
            case "ms" | "ms_text":
                return datetime.fromtimestamp(number / 1e3, UTC)
            case "us":
                return datetime.fromtimestamp(number / 1e6, UTC)
        return datetime.fromtimestamp(number / (1e3 if abs(number) >= _MS_FROM else 1), UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def normalize(text: str) -> str:
    """Normalize a text for comparison: one width and case, no emphasis marks, single white space."""
    folded = nfkc(text).casefold()
    return _SPACE.sub(" ", _MARKUP.sub("", folded)).strip()


def _parsed(value: Any) -> Any:
    """Parse a text that is a JSON object or list; return any other value unchanged."""
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    try:
        parsed = loads(value)
    except orjson.JSONDecodeError:
        return value
    return value if _is_deep(value, parsed) else parsed


def _is_deep(text: str, parsed: Any) -> bool:
    """Return whether JSON is nested so deeply that walking it could exhaust the stack."""
    if text.count("[") + text.count("{") <= DEPTH_MAX:
        return False
    level = [parsed]
    for _ in range(DEPTH_MAX):
        level = [
            inner
            for each in level
            if isinstance(each, (list, dict))
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return any(isinstance(each, (list, dict)) for each in level)


def texts_in(value: Any) -> str:
    """Return all texts inside a JSON value, one per line."""
    lines: list[str] = []
    todo = [value]
    while todo:
        each = _parsed(todo.pop())
        if isinstance(each, Mapping):
            each = list(each.values())
        if isinstance(each, list):
            todo += reversed(each or [None])
        else:
            lines.append("" if each is None else str(each))
    return "\n".join(lines)


def seen(value: Any, keys: Collection[str]) -> Any:
    """Return only the parts of a JSON value, or of its text, under the given keys; all of it if nested too deeply."""
    try:
        return _seen(value, keys)
    except RecursionError:
        return value


def _seen(value: Any, keys: Collection[str]) -> Any:
    match value:
        case str():
            parsed = _parsed(value)
            return value if parsed is value else dumps(_seen(parsed, keys)).decode()
        case Mapping():
            return {
                key: each if isinstance(each, str) else _seen(each, keys) for key, each in value.items() if key in keys
            }
        case list():
            return [each if isinstance(each, str) else _seen(each, keys) for each in value]
        case _:
            return value


def equal(wanted: Any, found: Any, form: TimeForm | None = None) -> bool:
    """Return whether two plain values are equal."""
    if form is not None and isinstance(wanted, str):
        return _same_time(wanted, found, form)
    match wanted, found:
        case int() | float(), str():
            return _number(found) == wanted
        case str(), str():
            return normalize(wanted) == normalize(found)
        case str(), int() | float():
            return not isinstance(found, bool) and _number(wanted) == found
        case Mapping(), Mapping():
            return all(name in found and equal(value, found[name]) for name, value in wanted.items())
        case list(), list():
            return len(wanted) == len(found) and all(equal(a, b) for a, b in zip(wanted, found, strict=True))
        case _:
            return bool(wanted == found)


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _ordered(wanted: Any, found: Any, form: TimeForm | None, sign: int) -> bool:
    if isinstance(wanted, str):
        a, b = instant(wanted, form), instant(found, form)
        return a is not None and b is not None and (b >= a if sign > 0 else b <= a)
    try:
        return sign * (float(found) - float(wanted)) >= 0
    except (TypeError, ValueError):
        return False


def _contains(wanted: Any, found: Any) -> bool:
    return normalize(str(wanted)) in normalize(texts_in(found))


def _has(wanted: Any, found: Any) -> bool:
    """Return whether a list contains an element; of objects only the named keys are compared."""
    elements = _parsed(found)
    return isinstance(elements, list) and any(equal(wanted, each) for each in elements)


def _same_time(wanted: str, found: Any, form: TimeForm | None) -> bool:
    at = instant(wanted, form)
    if form in ("s", "s_text") and isinstance(at, datetime):
        at = at.replace(microsecond=0)  # the other side has only whole seconds
    return at is not None and at == instant(found, form)


# Operator, each of farm.benchmark.tasks.value_syntax.OPERATORS → a function of (one wanted value, found value, time
# form). Lists are taken element by element, and every element must hold unless the operator is one of ``_ANY``.
_EACH: dict[str, Callable[[Any, Any, TimeForm | None], bool]] = {
    "equals": lambda w, f, form: equal(w, f, form),
    "exactly": lambda w, f, form: bool(w == f),
    "not": lambda w, f, form: not equal(w, f, form),
    "contains": lambda w, f, form: _contains(w, f),
    "contains_all": lambda w, f, form: _contains(w, f),
    "contains_any": lambda w, f, form: _contains(w, f),
    "not_contains": lambda w, f, form: not _contains(w, f),
    "prefix": lambda w, f, form: normalize(str(f)).startswith(normalize(str(w))),
    "suffix": lambda w, f, form: normalize(str(f)).endswith(normalize(str(w))),
    "regex": lambda w, f, form: re.search(w, texts_in(f), re.IGNORECASE) is not None,
    "in": lambda w, f, form: equal(w, f, form),
    "one_of": lambda w, f, form: equal(w, f, form),
    "min": lambda w, f, form: _ordered(w, f, form, 1),
    "max": lambda w, f, form: _ordered(w, f, form, -1),
    "time": lambda w, f, form: _same_time(w, f, form),
    "has": lambda w, f, form: _has(w, f),
    "null": lambda w, f, form: (f is None or f == "") == w,
}
IMPLEMENTED = _EACH.keys()
_KNOWN = IMPLEMENTED | TEXT_KEYS
_ANY = {"contains_any", "in", "one_of"}
_BANS = {"not", "not_contains"}
_PATTERN = "regex"  # the only operator that may need more than linear time
_WORDS = {"contains_all": "contains", "contains_any": "contains one of", "not_contains": "does not contain"}
_WORDS |= {"in": "one of", "one_of": "one of", "min": "at least", "max": "at most"}


def _quote(value: Any) -> str:
    text = value if isinstance(value, str) else dumps(value).decode()
    return f"'{text}'" if isinstance(value, str) else text


def check(
    wanted: Any, found: Any, clock_context: ClockContext, form: TimeForm | None = None, before: Any = None
) -> list[Finding]:
    """Return the findings about one value.

    Args:
        wanted: a plain value, or a table of operators and of conditions for a text.
        found: the value as stored or written.
        clock_context: the context of the comparison.
        form: how the column stores a time, if it is one.
        before: the value at the start.
    """
    if not isinstance(wanted, Mapping) or not wanted.keys() <= _KNOWN:
        return [Finding(equal(wanted, found, form), _quote(wanted))]
    findings: list[Finding] = []
    if not TEXT_KEYS.isdisjoint(wanted):
        findings += judge_text(wanted, texts_in(found), texts_in(before), clock_context)
    for operator, values in wanted.items():
        if operator in TEXT_KEYS:
            continue
        holds = _EACH[operator]
        word = _WORDS.get(operator, operator)
        if operator == _PATTERN:
            findings += (_matched(pattern, found, clock_context) for pattern in _list(values))
            continue
        if operator in _ANY:
            ok = any(holds(value, found, form) for value in _list(values))
            findings.append(Finding(ok, f"{word} {_quote(values)}"))
            continue
        each = [values] if operator in ("equals", "not", "exactly", "has") else _list(values)
        findings += [Finding(holds(value, found, form), f"{word} {_quote(value)}", operator in _BANS) for value in each]
    return findings


def _matched(pattern: str, found: Any, clock_context: ClockContext) -> Finding:
    text, wanted = texts_in(found), f"{_PATTERN} {_quote(pattern)}"
    try:
        ok = read_within(clock_context.budget, text, lambda: _EACH[_PATTERN](pattern, text, None), is_timed=True)
        return Finding(ok, wanted)
    except UnreadError as problem:
        return Finding.unread(wanted, str(problem))


def at_path(row: Mapping[str, Any], key: str) -> Any:
    """Return a column, or the value at a dotted path inside a JSON column; None if the path does not exist."""
    name, _, path = key.partition(".")
    value = row.get(name)
    for part in path.split(".") if path else ():
        value = _parsed(value)
        if isinstance(value, list) and part.lstrip("-").isdigit():
            value = value[int(part)] if -len(value) <= int(part) < len(value) else None
        else:
            value = value.get(part) if isinstance(value, Mapping) else None
    return value
