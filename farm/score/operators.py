"""Decides whether a value is what a task wants: a plain value, or a table of operators.

Texts are equal whatever their case, width, spacing and emphasis. A time column is compared as a point in time, so any
zone will do. JSON columns give the texts inside them, or one value by a dotted path (``content.text``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, date, datetime
from typing import Any

import orjson

from farm.context.schema import TimeForm
from farm.loose_json import parse_exact, print_exact
from farm.score.findings import Finding
from farm.score.setting import Setting
from farm.score.texts import judge_text
from farm.task.texts import TEXT_KEYS

_MS_FROM = 100_000_000_000  # larger than any plausible seconds
_MARKUP = re.compile(r"[*_`~]+")
_SPACE = re.compile(r"\s+")


def instant(value: Any, form: TimeForm | None) -> datetime | date | None:
    """Return a stored or written time as an aware datetime (a date for ``date``), or None when it is no time."""
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


def plain(text: str) -> str:
    """Return a text for comparison: one width and case, emphasis marks gone, white space single."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACE.sub(" ", _MARKUP.sub("", folded)).strip()


def _parsed(value: Any) -> Any:
    """Return the JSON object or list that a text is, and any other value as it is."""
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    try:
        return parse_exact(value)
    except orjson.JSONDecodeError:
        return value


def texts_in(value: Any) -> str:
    """Return every text inside a JSON value, one a line."""
    match value:
        case str():
            parsed = _parsed(value)
            return value if parsed is value else texts_in(parsed)
        case None:
            return ""
        case bool() | int() | float():
            return str(value)
        case list():
            return "\n".join(map(texts_in, value))
        case Mapping():
            return "\n".join(map(texts_in, value.values()))
        case _:
            return str(value)


def seen(value: Any, keys: Collection[str]) -> Any:
    """Return a JSON value, or the text of one, without what stands under any other key."""
    match value:
        case str():
            parsed = _parsed(value)
            return value if parsed is value else print_exact(seen(parsed, keys)).decode()
        case Mapping():
            return {
                key: each if isinstance(each, str) else seen(each, keys) for key, each in value.items() if key in keys
            }
        case list():
            return [each if isinstance(each, str) else seen(each, keys) for each in value]
        case _:
            return value


def equal(wanted: Any, found: Any, form: TimeForm | None = None) -> bool:
    """Whether two plain values are the same thing."""
    if form is not None and isinstance(wanted, str):
        return _same_time(wanted, found, form)
    match wanted, found:
        case int() | float(), str():
            return _number(found) == wanted
        case str(), str():
            return plain(wanted) == plain(found)
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
    return plain(str(wanted)) in plain(texts_in(found))


def _has(wanted: Any, found: Any) -> bool:
    """Whether a list has an element; elements may be objects of which only the named keys count."""
    elements = _parsed(found)
    return isinstance(elements, list) and any(equal(wanted, each) for each in elements)


def _same_time(wanted: str, found: Any, form: TimeForm | None) -> bool:
    at = instant(wanted, form)
    if form in ("s", "s_text") and isinstance(at, datetime):
        at = at.replace(microsecond=0)  # whole seconds can say of a moment only in which one it was
    return at is not None and at == instant(found, form)


# Operator, each of farm.task.forms.OPERATORS → a function of (one wanted value, found value, time form). Lists are
# taken element by element, and every element must hold unless the operator is one of ``_ANY``.
_EACH: dict[str, Callable[[Any, Any, TimeForm | None], bool]] = {
    "equals": lambda w, f, form: equal(w, f, form),
    "exactly": lambda w, f, form: bool(w == f),
    "not": lambda w, f, form: not equal(w, f, form),
    "contains": lambda w, f, form: _contains(w, f),
    "contains_all": lambda w, f, form: _contains(w, f),
    "contains_any": lambda w, f, form: _contains(w, f),
    "not_contains": lambda w, f, form: not _contains(w, f),
    "prefix": lambda w, f, form: plain(str(f)).startswith(plain(str(w))),
    "suffix": lambda w, f, form: plain(str(f)).endswith(plain(str(w))),
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
_WORDS = {"contains_all": "contains", "contains_any": "contains one of", "not_contains": "does not contain"}
_WORDS |= {"in": "one of", "one_of": "one of", "min": "at least", "max": "at most"}


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else print_exact(value).decode()
    return f"'{text}'" if isinstance(value, str) else text


def check(wanted: Any, found: Any, setting: Setting, form: TimeForm | None = None, before: Any = None) -> list[Finding]:
    """Return what was wanted of one value, each with whether it holds.

    Args:
        wanted: a plain value, or a table of operators and of what is wanted of a text.
        found: the value as stored or written.
        form: how the column stores a time, if it is one.
        before: the value that stood there at the start.
    """
    if not isinstance(wanted, Mapping) or not wanted.keys() <= _KNOWN:
        return [Finding(equal(wanted, found, form), _shown(wanted))]
    findings: list[Finding] = []
    if not TEXT_KEYS.isdisjoint(wanted):
        findings += judge_text(wanted, texts_in(found), texts_in(before), setting)
    for operator, values in wanted.items():
        if operator in TEXT_KEYS:
            continue
        holds = _EACH[operator]
        word = _WORDS.get(operator, operator)
        if operator in _ANY:
            ok = any(holds(value, found, form) for value in _list(values))
            findings.append(Finding(ok, f"{word} {_shown(values)}"))
            continue
        each = [values] if operator in ("equals", "not", "exactly", "has") else _list(values)
        findings += [Finding(holds(value, found, form), f"{word} {_shown(value)}", operator in _BANS) for value in each]
    return findings


def at_path(row: Mapping[str, Any], key: str) -> Any:
    """Return a column, or the value at a dotted path inside a JSON column; None where the path ends early."""
    name, _, path = key.partition(".")
    value = row.get(name)
    for part in path.split(".") if path else ():
        value = _parsed(value)
        if isinstance(value, list) and part.lstrip("-").isdigit():
            value = value[int(part)] if -len(value) <= int(part) < len(value) else None
        else:
            value = value.get(part) if isinstance(value, Mapping) else None
    return value
