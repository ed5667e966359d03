"""JsonLogic as json-logic-js 2.0.5 reckons, on JavaScript's values, with the plugin's ``glob`` and ``regexp``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from farm.appkit.formats.javascript import UNDEFINED, js_number, js_string
from farm.appkit.formats.utf16 import from_units, to_units

from .regexps import glob_pattern, is_found
from .yaml_scalars import as_number

# Operations that look at what they are given as it is.
_AS_IT_IS = frozenset(("===", "!==", "!!", "!", "log", "glob", "regexp"))
# What a query may make of texts and lists, all together; V8 has room for one text of half a milliard.
_MADE_MAX = 16_000_000
# No list has more members than that many digits say.
_INDEX_DIGITS_MAX = 10
_NUMBER_AT_START = re.compile(r"\s*([+-]?(?:Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))", re.ASCII)


class LogicError(Exception):
    """A query cannot be worked out; the text is JavaScript's or the library's."""


class Budget:
    """How much of texts and lists a query may still make: doubling one a few times would take all memory there is."""

    def __init__(self) -> None:
        self._left = _MADE_MAX

    def take(self, size: int) -> None:
        """Make a text or a list of so many members.

        Raises:
            LogicError: too much has been made.
        """
        self._left -= size
        if self._left < 0:
            raise LogicError("Invalid string length")


def apply(logic: Any, data: Any, budget: Budget) -> Any:
    """Return what a rule comes to, which is no JSON yet: ``plain`` makes it so.

    Raises:
        LogicError: an operation that there is not, or one that JavaScript would throw at.
        PatternError: a pattern that is no regular expression.
    """
    if isinstance(logic, list):
        budget.take(len(logic))
        return [apply(each, data, budget) for each in logic]
    if not isinstance(logic, dict) or len(logic) != 1:
        return logic
    (name, given), *_ = logic.items()
    values = given if isinstance(given, list) else [given]
    if name in _LAZY:
        return _LAZY[name](values, data, budget)
    reckoned = [apply(each, data, budget) for each in values]
    if name in _WITH_DATA:
        return _WITH_DATA[name](reckoned, data, budget)
    if name in _OPERATIONS:
        given = _padded(reckoned, _ARITY[name]) if name in _ARITY else reckoned
        budget.take(sum(_made(name, each) for each in given))
        return _OPERATIONS[name](*given)
    if name.find(".") > 0:
        raise LogicError(f"Unrecognized operation {name} (failed at {name.partition('.')[0]})")
    raise LogicError(f"Unrecognized operation {name}")


def _made(name: str, given: Any) -> int:
    """Return how much an operation makes at most of what it is given: most make a text of a list."""
    if isinstance(given, str):
        return len(given) if name in ("cat", "substr") else 0
    if not isinstance(given, list) or name in _AS_IT_IS:
        return 0
    return len(given) if name == "merge" else _text_size(given)


def _text_size(values: list[Any]) -> int:
    """Return how long a list is as a text, of very long ones no more than that they are."""
    size, left = 0, [values]
    while left and size <= _MADE_MAX:
        inner = left.pop()
        size += len(inner)
        for each in inner:
            if isinstance(each, list):
                left.append(each)
            elif isinstance(each, str):
                size += len(each)
    return size


def is_truthy(value: Any) -> bool:
    """Return JsonLogic's truth: JavaScript's, but for the empty list."""
    if isinstance(value, float) and math.isnan(value):
        return False
    return isinstance(value, dict) or bool(value)


def is_result(value: Any) -> bool:
    """Return whether the plugin shows a result: nothing that is false or empty."""
    return bool(value) and not (isinstance(value, float) and math.isnan(value))


def to_json_value(value: Any) -> Any:
    """Return a value as JSON has it."""
    match value:
        case bool():
            return value
        case int() | float():
            return as_number(value) if math.isfinite(js_number(value)) else None
        case list():
            return [to_json_value(each) for each in value]
        case dict():
            return {key: to_json_value(each) for key, each in value.items() if each is not UNDEFINED}
        case _:
            return None if value is UNDEFINED else value


def is_deeper(value: Any, depth: int) -> bool:
    """Return whether lists and objects stand in each other deeper than that."""
    level = [value]
    for _ in range(depth):
        level = [
            inner
            for each in level
            if isinstance(each, list | dict)
            for inner in (each if isinstance(each, list) else each.values())
        ]
        # What several hold is looked at once.
        level = list({id(each): each for each in level if isinstance(each, list | dict)}.values())
        if not level:
            return False
    return True


def _padded(values: Sequence[Any], count: int) -> list[Any]:
    return [*values[:count], *[UNDEFINED] * (count - len(values))]


# -- comparing --------------------------------------------------------------------------------------------------------


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _equals_strictly(a: Any, b: Any) -> bool:
    if isinstance(a, list | dict) or isinstance(b, list | dict):
        return a is b
    if _is_number(a) and _is_number(b):
        return bool(a == b)
    return type(a) is type(b) and bool(a == b)


def _equals(a: Any, b: Any) -> bool:
    if a is None or a is UNDEFINED or b is None or b is UNDEFINED:
        return (a is None or a is UNDEFINED) and (b is None or b is UNDEFINED)
    if isinstance(a, list | dict) and isinstance(b, list | dict):
        return a is b
    if isinstance(a, list | dict):
        return _equals(js_string(a), b)
    if isinstance(b, list | dict):
        return _equals(a, js_string(b))
    if isinstance(a, str) and isinstance(b, str):
        return a == b
    return js_number(a) == js_number(b)


def _is_less(a: Any, b: Any, *, or_equal: bool = False) -> bool:
    first, second = (js_string(each) if isinstance(each, list | dict) else each for each in (a, b))
    if isinstance(first, str) and isinstance(second, str):
        left, right = to_units(first), to_units(second)
        return left < right or (or_equal and left == right)
    low, high = js_number(first), js_number(second)
    return low < high or (or_equal and low == high)


def _less(a: Any, b: Any, c: Any) -> bool:
    return _is_less(a, b) and (c is UNDEFINED or _is_less(b, c))


def _at_most(a: Any, b: Any, c: Any) -> bool:
    return _is_less(a, b, or_equal=True) and (c is UNDEFINED or _is_less(b, c, or_equal=True))


# -- reckoning --------------------------------------------------------------------------------------------------------


def _parse_float(value: Any) -> float:
    found = _NUMBER_AT_START.match(js_string(value))
    return js_number(found[1]) if found else math.nan


def _sum(*values: Any) -> float:
    total = 0.0
    for value in values:
        total += _parse_float(value)
    return total


def _product(*values: Any) -> Any:
    if not values:
        raise LogicError("Reduce of empty array with no initial value")
    total = values[0]
    for value in values[1:]:
        total = _parse_float(total) * _parse_float(value)
    return total


def _minus(a: Any, b: Any) -> float:
    return -js_number(a) if b is UNDEFINED else js_number(a) - js_number(b)


def _divided(a: Any, b: Any) -> float:
    top, bottom = js_number(a), js_number(b)
    if bottom == 0:
        return math.nan if top == 0 or math.isnan(top) else math.copysign(math.inf, top) * math.copysign(1, bottom)
    return top / bottom


def _rest(a: Any, b: Any) -> float:
    top, bottom = js_number(a), js_number(b)
    return math.nan if bottom == 0 or math.isinf(top) else math.fmod(top, bottom)


def _least(*values: Any) -> float:
    numbers = [js_number(value) for value in values]
    return math.nan if any(map(math.isnan, numbers)) else min(numbers, default=math.inf)


def _most(*values: Any) -> float:
    numbers = [js_number(value) for value in values]
    return math.nan if any(map(math.isnan, numbers)) else max(numbers, default=-math.inf)


# -- texts and lists --------------------------------------------------------------------------------------------------


def _is_in(a: Any, b: Any) -> bool:
    if isinstance(b, str):
        return bool(b) and js_string(a) in b
    return isinstance(b, list) and any(_equals_strictly(a, each) for each in b)


def _joined(*values: Any) -> str:
    return "".join("" if value is None or value is UNDEFINED else js_string(value) for value in values)


def _substring(source: Any, start: Any, length: Any) -> str:
    units = to_units(js_string(source))
    first = _to_integer(start)
    begin = int(max(len(units) + first, 0) if first < 0 else min(first, len(units)))
    rest = units[begin:]
    if length is UNDEFINED:
        return from_units(rest)
    count = _to_integer(length)
    end = len(rest) + count if count < 0 else count
    return from_units(rest[: int(min(max(end, 0), len(rest)))])


def _to_integer(value: Any) -> float:
    number = js_number(value)
    return 0.0 if math.isnan(number) else number if math.isinf(number) else float(math.trunc(number))


def _merged(*values: Any) -> list[Any]:
    made: list[Any] = []
    for value in values:
        made.extend(value if isinstance(value, list) else [value])
    return made


def _glob(pattern: Any, text: Any) -> bool:
    return isinstance(pattern, str) and isinstance(text, str) and is_found(glob_pattern(pattern), text)


def _regexp(pattern: Any, text: Any) -> bool:
    return isinstance(pattern, str) and isinstance(text, str) and is_found(pattern, text)


# -- what looks at the data -------------------------------------------------------------------------------------------


def _variable(values: Sequence[Any], data: Any, budget: Budget) -> Any:
    name, otherwise = _padded(values, 2)
    if name is UNDEFINED or name is None or name == "":
        return data
    missing = None if otherwise is UNDEFINED else otherwise
    if isinstance(name, list):
        budget.take(_text_size(name))
    for part in js_string(name).split("."):
        if data is None or data is UNDEFINED:
            return missing
        data = _member(data, part)
        if data is UNDEFINED:
            return missing
    return data


def _member(data: Any, name: str) -> Any:
    if isinstance(data, dict):
        return data.get(name, UNDEFINED)
    if isinstance(data, str):
        data = to_units(data)
    if not isinstance(data, list | str):
        return UNDEFINED
    if name == "length":
        return len(data)
    is_index = name.isascii() and name.isdigit() and (name == "0" or name[0] != "0") and len(name) <= _INDEX_DIGITS_MAX
    return data[int(name)] if is_index and int(name) < len(data) else UNDEFINED


def _missing(values: Sequence[Any], data: Any, budget: Budget) -> list[Any]:
    keys = values[0] if values and isinstance(values[0], list) else values
    found = ((key, apply({"var": key}, data, budget)) for key in keys)
    return [key for key, value in found if value is None or value == ""]


def _missing_some(values: Sequence[Any], data: Any, budget: Budget) -> list[Any]:
    needed, options = _padded(values, 2)
    if not isinstance(options, list | str):
        if options is None or options is UNDEFINED:
            raise LogicError(f"Cannot read properties of {js_string(options)} (reading 'length')")
        return _missing([options], data, budget)
    absent = _missing([options], data, budget)
    return [] if len(options) - len(absent) >= js_number(needed) else absent


# -- what decides itself what is worked out ---------------------------------------------------------------------------


def _if(values: Sequence[Any], data: Any, budget: Budget) -> Any:
    for place in range(0, len(values) - 1, 2):
        if is_truthy(apply(values[place], data, budget)):
            return apply(values[place + 1], data, budget)
    return apply(values[-1], data, budget) if len(values) % 2 else None


def _and(values: Sequence[Any], data: Any, budget: Budget) -> Any:
    current: Any = UNDEFINED
    for value in values:
        current = apply(value, data, budget)
        if not is_truthy(current):
            break
    return current


def _or(values: Sequence[Any], data: Any, budget: Budget) -> Any:
    current: Any = UNDEFINED
    for value in values:
        current = apply(value, data, budget)
        if is_truthy(current):
            break
    return current


def _scoped(values: Sequence[Any], data: Any, budget: Budget) -> tuple[list[Any] | None, Any]:
    """Return the list that an operation goes through, None where it is none, and the rule for each member."""
    first, rule = _padded(values, 2)
    scope = apply(first, data, budget)
    return (scope if isinstance(scope, list) else None), rule


def _filter(values: Sequence[Any], data: Any, budget: Budget) -> list[Any]:
    scope, rule = _scoped(values, data, budget)
    return [each for each in scope or () if is_truthy(apply(rule, each, budget))]


def _map(values: Sequence[Any], data: Any, budget: Budget) -> list[Any]:
    scope, rule = _scoped(values, data, budget)
    return [apply(rule, each, budget) for each in scope or ()]


def _reduce(values: Sequence[Any], data: Any, budget: Budget) -> Any:
    scope, rule = _scoped(values, data, budget)
    total = apply(values[2], data, budget) if len(values) > 2 else None
    for each in scope or ():
        total = apply(rule, {"current": each, "accumulator": total}, budget)
    return total


def _all(values: Sequence[Any], data: Any, budget: Budget) -> bool:
    scope, rule = _scoped(values, data, budget)
    return bool(scope) and all(is_truthy(apply(rule, each, budget)) for each in scope or ())


def _some(values: Sequence[Any], data: Any, budget: Budget) -> bool:
    scope, rule = _scoped(values, data, budget)
    return any(is_truthy(apply(rule, each, budget)) for each in scope or ())


def _none(values: Sequence[Any], data: Any, budget: Budget) -> bool:
    return not _some(values, data, budget)


_LAZY: dict[str, Callable[[Sequence[Any], Any, Budget], Any]] = {
    "if": _if, "?:": _if, "and": _and, "or": _or, "filter": _filter, "map": _map, "reduce": _reduce, "all": _all,
    "none": _none, "some": _some,
}  # fmt: skip
_WITH_DATA: dict[str, Callable[[Sequence[Any], Any, Budget], Any]] = {
    "var": _variable, "missing": _missing, "missing_some": _missing_some,
}  # fmt: skip
_OPERATIONS: dict[str, Callable[..., Any]] = {
    "==": _equals, "===": _equals_strictly,
    "!=": lambda a, b: not _equals(a, b), "!==": lambda a, b: not _equals_strictly(a, b),
    ">": lambda a, b: _is_less(b, a), ">=": lambda a, b: _is_less(b, a, or_equal=True), "<": _less, "<=": _at_most,
    "!!": is_truthy, "!": lambda a: not is_truthy(a), "%": _rest, "log": lambda a: a, "in": _is_in, "cat": _joined,
    "substr": _substring, "+": _sum, "*": _product, "-": _minus, "/": _divided, "min": _least, "max": _most,
    "merge": _merged, "glob": _glob, "regexp": _regexp,
}  # fmt: skip
# How many arguments an operation names; those without take as many as come.
_ARITY = {
    "==": 2, "===": 2, "!=": 2, "!==": 2, ">": 2, ">=": 2, "<": 3, "<=": 3, "!!": 1, "!": 1, "%": 2, "log": 1, "in": 2,
    "substr": 3, "-": 2, "/": 2, "glob": 2, "regexp": 2,
}  # fmt: skip
