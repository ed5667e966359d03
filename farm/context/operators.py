"""The operators of a task's expectation, and the comparison of plain values.

Comparison of texts ignores case, width, spacing and emphasis. Time columns are compared as points in time, in any zone.
JSON columns are compared by the texts inside them, or by one value at a dotted path (``content.text``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Literal

import orjson

from farm._util.json_io import dumps, loads
from farm.appkit.formats.unicode import nfkc

if TYPE_CHECKING:  # the declarations of tables need SQLAlchemy, and an app's process does without it
    from farm.appkit.schema import TimeForm

_MS_FROM = 100_000_000_000  # larger than any plausible seconds
DEPTH_MAX = 100  # levels of JSON inside a text
_MARKUP = re.compile(r"[*_`~]+")
_SPACE = re.compile(r"\s+")
_ADDRESS = re.compile(r"[\w.%+-]+@[\w-]+(?:\.[\w-]+)+")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
# How a point in time with its day begins, as people write it; a number beside it is one as an app stores it.
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
# The first letters of texts that may be JSON objects or lists.
_JSON_BEGINS = ("{", "[")


def instant(value: Any, form: TimeForm | None) -> datetime | date | None:
    """Parse a stored or written time into an aware datetime (a date for ``date``), or None if it is not a time."""
    try:
        if form == "date":
            return date.fromisoformat(str(value)[:10])
        if isinstance(value, str) and not _NUMBER.fullmatch(value):
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


def parsed_json(value: Any) -> Any:
    """Parse a text that is a JSON object or list; return any other value unchanged."""
    if not isinstance(value, str) or not value.startswith(_JSON_BEGINS):
        return value
    parsed = _parsed(value)
    return value if _is_deep(value, parsed) else parsed


def unquoted(text: str) -> str:
    """Return what a text says that is quoted as JSON, as some servers answer; any other text unchanged."""
    if not (len(text) > 1 and text[0] == text[-1] == '"'):
        return text
    said = _parsed(text)
    return said if isinstance(said, str) else text


def _parsed(text: str) -> Any:
    try:
        return loads(text)
    except orjson.JSONDecodeError:
        return text


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
    levels = [iter((value,))]
    while levels:
        if len(levels) > DEPTH_MAX:
            return _texts_in_deep(value)
        for each in levels[-1]:
            if isinstance(each, str):
                # Parsed without a look at its depth, which ``levels`` limits.
                each = _parsed(each) if each.startswith(_JSON_BEGINS) else each
            if isinstance(each, str):
                lines.append(each)
            elif isinstance(each, (int, float)):
                lines.append(str(each))
            elif isinstance(each, (dict, list)) or (each is not None and isinstance(each, Mapping)):
                levels.append(iter((each if isinstance(each, list) else each.values()) or (None,)))
                break
            else:
                lines.append("" if each is None else str(each))
        else:
            levels.pop()
    return "\n".join(lines)


def _texts_in_deep(value: Any) -> str:
    """Return what ``texts_in`` returns, of a value with so many levels that JSON may stay a text."""
    lines: list[str] = []
    todo = [value]
    while todo:
        each = parsed_json(todo.pop())
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
            parsed = parsed_json(value)
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
            if _DATED.match(wanted) and _NUMBER.fullmatch(found):
                return _same_time(wanted, found, form)
            return normalize(wanted) == normalize(found)
        case str(), int() | float():
            if _DATED.match(wanted):
                return _same_time(wanted, found, form)
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


def _ordered(wanted: Any, found: Any, form: TimeForm | None, sign: int) -> bool:
    if isinstance(wanted, str):
        a, b = instant(wanted, form), instant(found, form)
        return a is not None and b is not None and (b >= a if sign > 0 else b <= a)
    try:
        return sign * (float(found) - float(wanted)) >= 0
    except (TypeError, ValueError):
        return False


def _exactly(wanted: Any, found: Any) -> bool:
    """Return whether a value is the same, of a text character by character but for line ends behind its last line."""
    if isinstance(wanted, str) and isinstance(found, str):
        return wanted.rstrip("\r\n") == found.rstrip("\r\n")
    return bool(wanted == found)


def _contains(wanted: Any, found: Any) -> bool:
    """Return whether a text contains another; an e-mail address and a number as a whole, in no longer one."""
    sought, text = normalize(str(wanted)), normalize(texts_in(found))
    if sought not in text:
        return False
    if _ADDRESS.fullmatch(sought):
        return re.search(rf"(?<![\w.%+-]){re.escape(sought)}(?![\w@-]|\.\w)", text) is not None
    before = r"(?<!\d)(?<!\d,)" if sought[:1].isdigit() else ""
    behind = r"(?!\d|,\d{3}(?!\d))" if sought[-1:].isdigit() else ""
    return not (before or behind) or re.search(f"{before}{re.escape(sought)}{behind}", text) is not None


def _has(wanted: Any, found: Any) -> bool:
    """Return whether a list contains an element; of objects only the named keys are compared."""
    elements = parsed_json(found)
    return isinstance(elements, list) and any(equal(wanted, each) for each in elements)


def _same_time(wanted: str, found: Any, form: TimeForm | None) -> bool:
    at = instant(wanted, form)
    if form in ("s", "s_text") and isinstance(at, datetime):
        at = at.replace(microsecond=0)  # the other side has only whole seconds
    return at is not None and at == instant(found, form)


@dataclass(frozen=True)
class Operator:
    """One operator.

    Attributes:
        name: the key in a task file.
        holds: a function of one wanted value, the found value, and how the column stores a time.
        wants: the type of its wanted values.
        lists: whether it must hold for ``each`` element of a wanted list, for ``any``, or for the list as a ``whole``.
        is_ban: whether it requires that something is absent.
        needs_content: whether every value satisfies it if it is given an empty text or list.
        report: its name in reports, if it is not ``name``.
    """

    name: str
    holds: Callable[[Any, Any, TimeForm | None], bool]
    wants: Literal["value", "pattern"] = "value"
    lists: Literal["each", "any", "whole"] = "each"
    is_ban: bool = False
    needs_content: bool = False
    report: str = ""

    def describe(self, wanted: Any) -> str:
        """Return the condition in a report: ``at least 3``."""
        return f"{self.report or self.name} {quote(wanted)}"


_ALL = (
    Operator("equals", equal, lists="whole"),
    Operator("exactly", lambda w, f, form: _exactly(w, f), lists="whole"),
    Operator("not", lambda w, f, form: not equal(w, f, form), lists="whole", is_ban=True),
    Operator("contains", lambda w, f, form: _contains(w, f), needs_content=True),
    Operator("contains_all", lambda w, f, form: _contains(w, f), needs_content=True, report="contains"),
    Operator(
        "contains_any", lambda w, f, form: _contains(w, f), lists="any", needs_content=True, report="contains one of"
    ),
    Operator(
        "not_contains",
        lambda w, f, form: not _contains(w, f),
        is_ban=True,
        needs_content=True,
        report="does not contain",
    ),
    Operator("prefix", lambda w, f, form: normalize(str(f)).startswith(normalize(str(w))), needs_content=True),
    Operator("suffix", lambda w, f, form: normalize(str(f)).endswith(normalize(str(w))), needs_content=True),
    Operator(
        "regex",
        lambda w, f, form: re.search(w, texts_in(f), re.IGNORECASE) is not None,
        wants="pattern",
        needs_content=True,
    ),
    Operator("in", equal, lists="any", report="one of"),
    Operator("one_of", equal, lists="any", report="one of"),
    Operator("min", lambda w, f, form: _ordered(w, f, form, 1), report="at least"),
    Operator("max", lambda w, f, form: _ordered(w, f, form, -1), report="at most"),
    Operator("time", _same_time),
    Operator("has", lambda w, f, form: _has(w, f), lists="whole"),
    Operator("null", lambda w, f, form: (f is None or f == "") == w),
    Operator("null_or", lambda w, f, form: f is None or f == "" or equal(w, f, form), lists="any", report="empty or"),
)
OPERATORS: Mapping[str, Operator] = {each.name: each for each in _ALL}


def quote(value: Any) -> str:
    """Return a wanted value as reports show it."""
    text = value if isinstance(value, str) else dumps(value).decode()
    return f"'{text}'" if isinstance(value, str) else text


def at_path(row: Mapping[str, Any], key: str) -> Any:
    """Return a column, or the value at a dotted path inside a JSON column; None if the path does not exist."""
    name, _, path = key.partition(".")
    value = row.get(name)
    for part in path.split(".") if path else ():
        value = parsed_json(value)
        if isinstance(value, list) and part.lstrip("-").isdigit():
            value = value[int(part)] if -len(value) <= int(part) < len(value) else None
        else:
            value = value.get(part) if isinstance(value, Mapping) else None
    return value


def satisfies(wanted: Any, found: Any) -> bool:
    """Return whether a value is as wanted: equal to a plain value, or as all operators of a table want it."""
    if not isinstance(wanted, Mapping):
        return equal(wanted, found)
    return all(_satisfies(OPERATORS[name], values, found) for name, values in wanted.items())


def _satisfies(operator: Operator, wanted: Any, found: Any) -> bool:
    if operator.lists == "whole" or not isinstance(wanted, list | tuple):
        return operator.holds(wanted, found, None)
    return (any if operator.lists == "any" else all)(operator.holds(each, found, None) for each in wanted)


def find_problem(wanted: Any) -> str | None:
    """Return why a value is nothing that ``satisfies`` can compare with, or None."""
    if not isinstance(wanted, Mapping):
        return None
    if not wanted:
        return "an empty table asks for nothing; leave it out"
    for name, values in wanted.items():
        if name not in OPERATORS:
            return f"no operator '{name}'; have {', '.join(OPERATORS)} (an object is compared by {{ equals = … }})"
        each = values if isinstance(values, list | tuple) else [values]
        if OPERATORS[name].needs_content and (not each or "" in each):
            return f"'{name}' of nothing asks for nothing; leave it out"
        if OPERATORS[name].wants == "pattern" and (problem := _pattern_problem(each)):
            return problem
        if problem := next((found for one in each if (found := _time_problem(name, one))), None):
            return problem
    return None


def _time_problem(operator: str, wanted: Any) -> str | None:
    """Return why a text is no point in time where one is compared, so that its operator would hold always or never."""
    if not isinstance(wanted, str) or instant(wanted, None) is not None:
        return None
    if operator not in ("min", "max", "time") and not (operator == "not" and _is_dated(wanted)):
        return None
    return f"'{operator}': {wanted!r} is no point in time with a zone; write it as 2026-06-02T15:00:00+01:00"


def _is_dated(text: str) -> bool:
    """Return whether a text is a day and a time of day, and nothing else."""
    try:
        return _DATED.match(text) is not None and bool(datetime.fromisoformat(text))
    except ValueError:
        return False


def _pattern_problem(patterns: Collection[Any]) -> str | None:
    for pattern in patterns:
        try:
            re.compile(pattern)
        except (re.error, TypeError) as problem:
            return f"{pattern!r} is no regular expression: {problem}"
    return None
