"""Derived values: ``= paper.total - paper.deposit``, ``= launch.at - 7 * day``."""

from __future__ import annotations

import ast
import keyword
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from farm.appkit.world_spec.facts.measures import DAY, HOUR

_OPERATORS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_UNITS = {
    "day": Fraction(DAY),
    "days": Fraction(DAY),
    "hour": Fraction(HOUR),
    "hours": Fraction(HOUR),
    "minutes": Fraction(1),
}
# Keys are names of Python, so a part such as ``raise`` cannot be parsed.
_KEY = re.compile(r"[a-z]\w*(?:\.\w+)+")


def evaluate(formula: str, value_of: Callable[[str], Fraction]) -> Fraction:
    """Return the value of a formula.

    Args:
        formula: numbers, keys of facts, ``day``, ``hour``, ``minutes``, ``+ - * /``, brackets, and
            ``round(…, step)`` or ``floor(…, step)``; without the ``=``.
        value_of: key of a fact, or ``KEY.VERSION``, → its value.

    Raises:
        ValueError: the formula is invalid.
    """
    try:
        tree = ast.parse(formula.strip(), mode="eval")
    except SyntaxError:
        for key in _KEY.findall(formula):
            if word := next(filter(keyword.iskeyword, key.split(".")), None):
                problem = f"'{key}' cannot stand in a formula, as '{word}' is a keyword of Python; rename the fact"
                raise ValueError(problem) from None
        raise ValueError(f"'{formula.strip()}' is no formula; write keys of facts, numbers and + - * / ( )") from None
    try:
        return _value(tree.body, value_of)
    except ZeroDivisionError:
        raise ValueError(f"'{formula.strip()}' divides by zero") from None


def _value(node: ast.expr, value_of: Callable[[str], Fraction]) -> Fraction:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return Fraction(str(number))
        case ast.Name() | ast.Attribute():
            name = ast.unparse(node)
            return _UNITS[name] if name in _UNITS else value_of(name)
        case ast.UnaryOp(op=ast.USub(), operand=below):
            return -_value(below, value_of)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(left, value_of), _value(right, value_of))
        case ast.Call(func=ast.Name(id="round" | "floor" as name), args=[number, step], keywords=[]):
            parts = _value(number, value_of) / (size := _value(step, value_of))
            return size * (parts.__floor__() if name == "floor" else round(parts))
    raise ValueError(
        f"'{ast.unparse(node)}' is not allowed in a formula; have keys, numbers, + - * / ( ), round, floor"
    )
