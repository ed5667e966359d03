"""A fast test that a value fits a schema, for dialects whose validator is slow; it builds no messages and no copy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from farm.appkit.dialects._values import is_number

Fits = Callable[[Any], bool]

_NOTES = {"title", "description", "default", "examples", "deprecated", "format", "$schema", "$id", "$comment"}
_TYPES: dict[str, Fits] = {
    "string": lambda value: type(value) is str,
    "boolean": lambda value: type(value) is bool,
    "integer": lambda value: type(value) is int or (type(value) is float and value.is_integer()),
    "number": is_number,
    "array": lambda value: type(value) is list,
    "object": lambda value: type(value) is dict,
    "null": lambda value: value is None,
}
_BOUNDS: dict[str, Callable[[Any, Any], bool]] = {
    "minimum": lambda value, limit: value >= limit,
    "maximum": lambda value, limit: value <= limit,
    "exclusiveMinimum": lambda value, limit: value > limit,
    "exclusiveMaximum": lambda value, limit: value < limit,
}
_LENGTHS: dict[str, tuple[type[str] | type[list[Any]], Callable[[Any, Any], bool]]] = {
    "minLength": (str, _BOUNDS["minimum"]),
    "maxLength": (str, _BOUNDS["maximum"]),
    "minItems": (list, _BOUNDS["minimum"]),
    "maxItems": (list, _BOUNDS["maximum"]),
}


def fits(schema: Any) -> Fits:
    """Build the test. False means that the full validator must decide, as for keywords that are unknown here."""
    tests = _tests(schema)
    return (lambda _value: False) if tests is None else _all(tests)


def _all(tests: list[Fits]) -> Fits:
    if len(tests) == 1:
        return tests[0]

    def test(value: Any) -> bool:
        for each in tests:  # noqa: SIM110 - a generator for all() takes three times as long
            if not each(value):
                return False
        return True

    return test


def _tests(schema: Any) -> list[Fits] | None:
    if not isinstance(schema, Mapping):
        return [] if schema is True else None
    tests: list[Fits] = []
    for keyword, limit in schema.items():
        if keyword in _NOTES or keyword in _WITH_PROPERTIES:
            continue
        test = _test(keyword, limit)
        if test is None:
            return None
        tests.append(test)
    if not _WITH_PROPERTIES.isdisjoint(schema):
        test = _object(schema)
        if test is None:
            return None
        tests.append(test)
    return tests


def _test(keyword: str, limit: Any) -> Fits | None:
    if keyword == "type" and isinstance(limit, str):
        return _TYPES.get(limit)
    if keyword == "type" and isinstance(limit, list) and all(name in _TYPES for name in limit):
        return lambda value: any(_TYPES[name](value) for name in limit)
    if keyword == "enum" and isinstance(limit, list):
        texts = frozenset(option for option in limit if type(option) is str)
        return lambda value: type(value) is str and value in texts
    if keyword == "items":
        inner = _tests(limit)
        each = None if inner is None else _all(inner)
        return each and (lambda value: type(value) is not list or all(map(each, value)))
    if keyword in _BOUNDS and is_number(limit):
        is_within = _BOUNDS[keyword]
        return lambda value: not is_number(value) or is_within(value, limit)
    if keyword in _LENGTHS and is_number(limit):
        kind, is_long_enough = _LENGTHS[keyword]
        return lambda value: type(value) is not kind or is_long_enough(len(value), limit)
    if keyword == "anyOf" and isinstance(limit, list):
        branches = [fits(branch) for branch in limit]
        return lambda value: any(branch(value) for branch in branches)
    return None


_WITH_PROPERTIES = {"properties", "required", "additionalProperties"}


def _object(schema: Mapping[str, Any]) -> Fits | None:
    """Combine the keywords about keys into one pass over the given keys, which are usually few."""
    properties, required = schema.get("properties", {}), schema.get("required", [])
    rest = schema.get("additionalProperties", True)
    if rest not in (True, False, {}) or not isinstance(properties, Mapping) or not isinstance(required, list):
        return None
    parts = {name: fits(part) for name, part in properties.items()}
    needed, is_open = frozenset(required), rest is not False

    def test(value: Any) -> bool:
        if type(value) is not dict:
            return True
        if not value.keys() >= needed:
            return False
        for name, item in value.items():
            part = parts.get(name)
            if not (is_open if part is None else part(item)):
                return False
        return True

    return test
