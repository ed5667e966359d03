"""Derived values: ``= paper.total - paper.deposit``, ``= launch.at - 7 * day``."""

from __future__ import annotations

import ast
import keyword
import math
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from farm.appkit.world_spec.facts.measures import DAY, HOUR

FORMULA_MAX = 500
_OPERATORS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class Quantity(NamedTuple):
    """A number in a formula.

    Attributes:
        number: minutes for a time, or what is written.
        is_time: whether it is a time, which is not added to a bare number.
    """

    number: Fraction
    is_time: bool


_UNITS = {
    "day": Quantity(Fraction(DAY), is_time=True),
    "days": Quantity(Fraction(DAY), is_time=True),
    "hour": Quantity(Fraction(HOUR), is_time=True),
    "hours": Quantity(Fraction(HOUR), is_time=True),
    "minutes": Quantity(Fraction(1), is_time=True),
}
# Keys are names of Python, so a part such as ``raise`` cannot be parsed.
_KEY = re.compile(r"[a-z]\w*(?:\.\w+)+")


def names_fact(formula: str, key: str) -> bool:
    """Return whether a formula names a fact, or a version of it."""
    return re.search(rf"(?<![\w.]){re.escape(key)}(?!\w)", formula) is not None


def evaluate(formula: str, value_of: Callable[[str], Quantity]) -> Quantity:
    """Return the value of a formula.

    Args:
        formula: numbers, keys of facts, ``day``, ``hour``, ``minutes``, ``+ - * /``, brackets, and
            ``round(…, step)`` or ``floor(…, step)``; without the ``=``.
        value_of: key of a fact, or ``KEY.VERSION``, → its value.

    Raises:
        ValueError: the formula is invalid.
    """
    formula = formula.strip()
    if len(formula) > FORMULA_MAX:
        raise ValueError(f"a formula has at most {FORMULA_MAX} letters, not {len(formula)}; derive its parts first")
    if "#" in formula:
        raise ValueError(f"'{formula}' is no formula; a version is written KEY.VERSION there, not KEY#VERSION")
    try:
        tree = ast.parse(formula, mode="eval")
    except (SyntaxError, RecursionError, MemoryError):
        for key in _KEY.findall(formula):
            if word := next(filter(keyword.iskeyword, key.split(".")), None):
                problem = f"'{key}' cannot stand in a formula, as '{word}' is a keyword of Python; rename the fact"
                raise ValueError(problem) from None
        raise ValueError(f"'{formula}' is no formula; write keys of facts, numbers and + - * / ( )") from None
    try:
        return _value(tree.body, value_of)
    except ZeroDivisionError:
        raise ValueError(f"'{formula}' divides by zero") from None


def _value(node: ast.expr, value_of: Callable[[str], Quantity]) -> Quantity:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool) and math.isfinite(number):
            return Quantity(Fraction(str(number)), is_time=False)
        case ast.Name() | ast.Attribute():
            name = ast.unparse(node)
            return _UNITS[name] if name in _UNITS else value_of(name)
        case ast.UnaryOp(op=ast.USub(), operand=below):
            same = _value(below, value_of)
            return Quantity(-same.number, same.is_time)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _joined(node, op, _value(left, value_of), _value(right, value_of))
        case ast.Call(func=ast.Name(id="round" | "floor" as name), args=[number, step], keywords=[]):
            whole, size = _value(number, value_of), _value(step, value_of)
            _require_alike(node, whole, size)
            parts = whole.number / size.number
            steps = math.floor(parts) if name == "floor" else round(parts)
            return Quantity(size.number * steps, whole.is_time)
    raise ValueError(
        f"'{ast.unparse(node)}' is not allowed in a formula; have keys, numbers, + - * / ( ), round, floor"
    )


def _joined(node: ast.expr, op: ast.operator, left: Quantity, right: Quantity) -> Quantity:
    if isinstance(op, ast.Add | ast.Sub):
        _require_alike(node, left, right)
        is_time = left.is_time
    else:
        is_time = left.is_time != right.is_time  # 7 * day is a time; a time by a time is a number
    return Quantity(_OPERATORS[type(op)](left.number, right.number), is_time)


def _require_alike(node: ast.expr, one: Quantity, other: Quantity) -> None:
    if one.is_time != other.is_time:
        raise ValueError(f"'{ast.unparse(node)}' mixes a time and a number; write times as 7 * day or 90 * minutes")
