"""zod's checks of strings, numbers and arrays: lengths, bounds, patterns and formats."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from farm.appkit.dialects._values import compile_pattern, is_multiple, is_number
from farm.appkit.dialects._zod_messages import Issue, Keyword, Measured, Path, Words
from farm.appkit.formats.numbers import EXACT_MAX

Test = Callable[[Any, Path], Issue | None]
"""A value of the right type and its path → what is wrong, or None."""

_BOUNDS: dict[str, Keyword] = {
    "minimum": "minimum",
    "maximum": "maximum",
    "exclusiveMinimum": "exclusiveMinimum",
    "exclusiveMaximum": "exclusiveMaximum",
}
_DATE = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d"
_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_FORMATS = {
    "email": r"(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}",
    "uri": r"[A-Za-z][A-Za-z0-9+.\-]*:(?://[^\s/?#]+|(?!//)[^\s]).*",
    "uuid": _UUID,
    "date": _DATE,
    "time": _TIME + r"(?::[0-5]\d(?:\.\d+)?)?",
    "date-time": _DATE + "T" + _TIME + r"(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)",
    "duration": r"P(?:\d+W|(?!$)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:[.,]\d+)?S)?)?)",
    "ipv4": rf"(?:{_OCTET}\.){{3}}{_OCTET}",
    "ipv6": r"(?=.*:)[0-9A-Fa-f:]{2,39}(?:%[0-9A-Za-z]+)?",
}


def string_tests(schema: Mapping[str, Any], words: Words) -> list[Test]:
    """Return the checks of a string in the order of the schema's keywords, which is the order of zod's checks."""
    tests: list[Test] = []
    for keyword, limit in schema.items():
        if keyword == "format":
            tests.extend(_format_test(words, limit, schema.get("pattern")))
        elif keyword == "pattern" and "format" not in schema:
            tests.extend(_pattern_test(words, limit))
        else:
            tests.extend(_size_test(words, "minLength", "maxLength", schema, keyword))
    return tests


def array_tests(schema: Mapping[str, Any], words: Words) -> list[Test]:
    """Return the checks of an array's length."""
    return [test for keyword in schema for test in _size_test(words, "minItems", "maxItems", schema, keyword)]


def size_tests(schema: Mapping[str, Any], words: Words) -> list[Test]:
    """Return only the checks of a string's length."""
    return [test for keyword in schema for test in _size_test(words, "minLength", "maxLength", schema, keyword)]


def number_tests(schema: Mapping[str, Any], words: Words) -> list[Test]:
    """Return the checks of a number, the one for an integer first."""
    is_integer = schema.get("type") == "integer"
    tests: list[Test] = [_integer_test(words)] if is_integer else []
    for keyword, bound in schema.items():
        if not is_number(bound) or (is_integer and words.exact_numbers and abs(bound) == EXACT_MAX - 1):
            continue  # zod 4 publishes the limits of exact integers as bounds; the integer test covers them
        if keyword in _BOUNDS:
            tests.append(_bound_test(words, _BOUNDS[keyword], bound))
        elif keyword == "multipleOf":
            tests.append(_multiple_test(words, bound))
    return tests


def first_fatal(tests: list[Test], value: Any, path: Path) -> Iterator[Issue]:
    """Run tests in order, up to and including the first whose issue is fatal."""
    for test in tests:
        issue = test(value, path)
        if issue is not None:
            yield issue
            if issue.fatal:
                return


def _size_test(words: Words, low: str, high: str, schema: Mapping[str, Any], keyword: str) -> Iterator[Test]:
    limit = schema[keyword]
    if keyword not in (low, high) or not is_number(limit):
        return
    is_exact = schema.get(low) == schema.get(high)
    if is_exact and keyword == high:
        return  # the other keyword has this check already
    is_minimum = keyword == low
    how: Keyword = "exact" if is_exact else "minimum" if is_minimum else "maximum"

    def test(value: Any, path: Path) -> Issue | None:
        measured, size = _measure(words, value)
        if size is None or size == limit or (not is_exact and (size > limit) is is_minimum):
            return None
        return words.bound(path, measured, size < limit, limit, how)

    yield test


def _measure(words: Words, value: Any) -> tuple[Measured, int | float | None]:
    if type(value) is str:
        return "string", words.length(value)
    if type(value) is list:
        return "array", len(value)
    # JavaScript reads `length` of any value, and an object may have a key of that name.
    length = value.get("length") if type(value) is dict else None
    return "unknown", length if is_number(length) else None


def _format_test(words: Words, name: Any, pattern: Any) -> Iterator[Test]:
    # zod 4 publishes its own pattern with the format; without one, ours is used.
    source = pattern if isinstance(pattern, str) else f"^(?:{_FORMATS[name]})$" if name in _FORMATS else None
    found = compile_pattern(source) if source is not None else None
    if found is not None:
        yield _search_test(found, lambda path: words.format(path, name, pattern if isinstance(pattern, str) else ""))


def _pattern_test(words: Words, pattern: Any) -> Iterator[Test]:
    found = compile_pattern(pattern) if isinstance(pattern, str) else None
    if found is not None:
        yield _search_test(found, lambda path: words.format(path, "regex", pattern))


def _search_test(pattern: re.Pattern[str], issue: Callable[[Path], Issue]) -> Test:
    return lambda value, path: None if pattern.search(value) else issue(path)


def _integer_test(words: Words) -> Test:
    def test(value: Any, path: Path) -> Issue | None:
        if type(value) is float and not value.is_integer():
            return words.integer(path)
        if words.exact_numbers and abs(value) >= EXACT_MAX:
            limit = EXACT_MAX - 1 if value > 0 else 1 - EXACT_MAX
            return words.bound(path, "int", value < 0, limit, "minimum" if value < 0 else "maximum")
        return None

    return test


def _bound_test(words: Words, keyword: Keyword, bound: Any) -> Test:
    is_minimum, is_exclusive = keyword.lower().endswith("minimum"), keyword.startswith("exclusive")

    def test(value: Any, path: Path) -> Issue | None:
        if (value != bound and (value > bound) is is_minimum) or (value == bound and not is_exclusive):
            return None
        return words.bound(path, "number", is_minimum, bound, keyword)

    return test


def _multiple_test(words: Words, divisor: Any) -> Test:
    return lambda value, path: None if is_multiple(value, divisor) else words.multiple(path, divisor)
