"""Formulas: how they are read and reckoned; what goes beyond gives nothing, as FIDELITY.md says.

Numbers are doubles throughout, as in JavaScript, so none grows beyond what can be told.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .formula_functions import FUNCTIONS, UnknownValueError, checked, number, power, weight
from .formula_values import (
    DateRange,
    Page,
    Person,
    as_day,
    first_moment,
    read_date,
    read_person,
    text,
)
from .times import read_moment

Look = Callable[[str], tuple[str, Any]]
Related = Callable[[str], Page | None]
Node = tuple[Any, ...]

# A number, a text in quotes, a name, a sign.
_TOKEN = re.compile(r'\s*(?:(\d+\.?\d*)|"((?:[^"\\]|\\.)*)"|([A-Za-z_]\w*)|(==|!=|>=|<=|&&|\|\||[-+*/%^()<>,?:!.[\]]))')
_BINARY = (("or", "||"), ("and", "&&"), ("==", "!="), (">", "<", ">=", "<="), ("+", "-"), ("*", "/", "%"), ("^",))
# What a backslash changes in a text; before anything else it stays, as patterns are full of them.
_ESCAPED = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_ESCAPE = re.compile(r'\\([nt"\\])')
_DEPTH_MAX, _STEPS_MAX = 60, 5_000
# What reckons its second argument anew for every value of a list, under the names current and index.
_FOR_EACH = ("map", "filter", "find", "findIndex", "some", "every")
# How deep what is reckoned at once may nest, all formulas together that ask for one another, and how many those may be.
NESTING_MAX, LAYERS_MAX = 200, 15
NOTHING: Mapping[str, Any] = {"type": "string", "string": None}


@dataclass(frozen=True, slots=True)
class Formula:
    """What an expression says to reckon, and how deep that nests."""

    node: Node
    depth: int


def read_formula(expression: str) -> Formula | None:
    """Return what an expression says, or None where it goes beyond what is simulated."""
    try:
        node = _parse(expression)
        return Formula(node, _depth(node))
    except (UnknownValueError, ArithmeticError, ValueError):
        return None


def evaluate(formula: Formula, page: Page, related: Related, now: datetime) -> dict[str, Any]:
    """Return what a formula's property shows.

    Args:
        page: the page that it is a property of.
        related: a page's id → that page, or None where it cannot be seen.
    """
    try:
        value = _Reckoning(page, related, now).value(formula.node)
    except (
        UnknownValueError,
        ArithmeticError,
        TypeError,
        ValueError,
        AttributeError,
    ):  # the last: a text was asked of a number
        return {**NOTHING}
    if isinstance(value, bool):
        return {"type": "boolean", "boolean": value}
    if isinstance(value, int | float):
        return {"type": "number", "number": _to_json_number(value)}
    if isinstance(value, datetime | DateRange):
        end = _shown(value.end) if isinstance(value, DateRange) else None
        return {"type": "date", "date": {"start": _shown(first_moment(value)), "end": end, "time_zone": None}}
    is_text = isinstance(value, str | list | Person | Page)
    return {"type": "string", "string": text(value)} if is_text else {**NOTHING}


def _shown(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")


def _to_json_number(number: float) -> float | None:
    """Return a number as JSON tells it: whole ones without a point, and what is no number as null."""
    if not math.isfinite(number):
        return None
    return int(number) if abs(number) < 2**53 and number == int(number) else float(number)


def _depth(node: Node) -> int:
    level: list[Node] = [node]
    depth = 0
    while level:
        depth += 1
        level = [each for parent in level for each in _below(parent)]
    return depth


def _below(node: Node) -> list[Node]:
    if node[0] == "call":
        return list(node[2])
    return [each for each in node[2:] if isinstance(each, tuple)]


def _parse(expression: str) -> Node:
    tokens: list[tuple[str, str]] = []
    at = 0
    text = expression.strip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise UnknownValueError
        kinds = ("number", "string", "name", "sign")
        tokens.append(
            next((kind, value) for kind, value in zip(kinds, found.groups(), strict=True) if value is not None)
        )
        at = found.end()
    parser = _Parser(tokens)
    node = parser.expression(0)
    if parser.at < len(tokens):
        raise UnknownValueError
    return node


class _Parser:
    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens, self.at, self.depth = tokens, 0, 0

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) and self.tokens[self.at][0] != "string" else ""

    def take(self, wanted: str) -> None:
        if self.peek() != wanted:
            raise UnknownValueError
        self.at += 1

    def expression(self, level: int) -> Node:
        self.depth += 1
        if self.depth > _DEPTH_MAX * len(_BINARY):
            raise UnknownValueError
        if level == len(_BINARY):
            node = self.unary()
        else:
            node = self.expression(level + 1)
            while self.peek() in _BINARY[level]:
                sign = self.peek()
                self.at += 1
                node = ("binary", sign, node, self.expression(level + 1))
            if level == 0 and self.peek() == "?":
                self.at += 1
                then = self.expression(0)
                self.take(":")
                node = ("call", "if", [node, then, self.expression(0)])
        self.depth -= 1
        return node

    def unary(self) -> Node:
        if self.peek() in ("-", "!", "not"):
            sign = self.peek()
            self.at += 1
            self.depth += 1
            if self.depth > _DEPTH_MAX * len(_BINARY):
                raise UnknownValueError
            node = ("unary", sign, self.unary())
            self.depth -= 1
            return node
        return self.atom()

    def atom(self) -> Node:
        if self.at >= len(self.tokens):
            raise UnknownValueError
        kind, text = self.tokens[self.at]
        self.at += 1
        node: Node
        if kind == "number":
            node = ("value", float(text))
        elif kind == "string":
            node = ("value", _ESCAPE.sub(lambda found: _ESCAPED[found[1]], text))
        elif kind == "name" and text in ("true", "false"):
            node = ("value", text == "true")
        elif kind == "name":
            node = ("call", text, self.arguments()) if self.peek() == "(" else ("name", text)
        elif text == "(":
            node = self.expression(0)
            self.take(")")
        elif text == "[":
            node = ("call", "[", self.listed("]"))
        else:
            raise UnknownValueError
        while self.peek() == ".":
            self.at += 1
            kind, name = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
            if kind != "name":
                raise UnknownValueError
            self.at += 1
            node = ("call", name, [node, *self.arguments()])
        return node

    def arguments(self) -> list[Node]:
        self.take("(")
        return self.listed(")")

    def listed(self, end: str) -> list[Node]:
        made = []
        while self.peek() != end:
            made.append(self.expression(0))
            if self.peek() == ",":
                self.at += 1
            elif self.peek() != end:
                raise UnknownValueError
        self.at += 1
        return made


class _Reckoning:
    """One formula as it is reckoned: what it may ask for, the names it has given, and how many steps it took."""

    def __init__(self, page: Page, related: Related, now: datetime) -> None:
        self.page, self.related, self.now, self.steps = page, related, now, 0
        self.names: dict[str, Any] = {}

    def value(self, node: Node) -> Any:
        value = self.reckoned(node)
        # What is long counts for more: a list of long lists would else fill the memory in few steps.
        self.steps += 1 + weight(value)
        if self.steps > _STEPS_MAX:
            raise UnknownValueError
        return value

    def reckoned(self, node: Node) -> Any:
        kind = node[0]
        if kind == "value":
            return node[1]
        if kind == "name":
            if node[1] not in self.names:
                raise UnknownValueError
            return self.names[node[1]]
        if kind == "unary":
            value = self.value(node[2])
            return -number(value) if node[1] == "-" else not value
        if kind == "binary":
            return _binary(node[1], self.value(node[2]), self.value(node[3]))
        return self.called(node[1], node[2])

    def called(self, name: str, arguments: list[Node]) -> Any:
        if name == "prop":
            return self.property(arguments)
        if name == "if" and len(arguments) != 3:
            raise UnknownValueError
        if name in ("if", "ifs"):
            return self.chosen(arguments)
        if name in ("let", "lets"):
            return self.named(arguments)
        if name in _FOR_EACH and len(arguments) == 2:
            return checked(self.for_each(name, self.value(arguments[0]), arguments[1]))
        if name == "now" and not arguments:
            return self.now
        if name == "today" and not arguments:
            return as_day(self.now)
        if name == "id" and not arguments:
            return self.page.id.replace("-", "")
        if name not in FUNCTIONS:
            raise UnknownValueError
        return checked(FUNCTIONS[name](*(self.value(each) for each in arguments)))

    def property(self, arguments: list[Node]) -> Any:
        """Return a property's value, of this page or of the one that stands before the dot."""
        *of, wanted = arguments or [("none",)]
        if wanted[0] != "value" or len(of) > 1:
            raise UnknownValueError
        page = self.value(of[0]) if of else self.page
        if not isinstance(page, Page):
            raise UnknownValueError
        kind, value = page.look(str(wanted[1]))
        if kind == "relation":
            return [found for each in value if (found := self.related(each["id"])) is not None]
        return _formula_value(kind, value)

    def chosen(self, arguments: list[Node]) -> Any:
        """Return what follows the first condition that holds; what is left over is for when none does."""
        for at in range(0, len(arguments) - 1, 2):
            if self.value(arguments[at]):
                return self.value(arguments[at + 1])
        return self.value(arguments[-1]) if len(arguments) % 2 else None

    def named(self, arguments: list[Node]) -> Any:
        """Return the last argument, reckoned with the names that those before it give to values."""
        if not arguments:
            raise UnknownValueError
        before = dict(self.names)
        *given, last = arguments
        for name, value in zip(given[::2], given[1::2], strict=True):
            if name[0] != "name":
                raise UnknownValueError
            self.names[name[1]] = self.value(value)
        made = self.value(last)
        self.names = before
        return made

    def for_each(self, name: str, values: Any, wanted: Node) -> Any:
        if not isinstance(values, list):
            raise UnknownValueError
        before = dict(self.names)
        made = []
        for index, current in enumerate(values):
            self.names |= {"current": current, "index": index}
            made.append(self.value(wanted))
        self.names = before
        if name == "map":
            return made
        if name in ("some", "every"):
            return any(made) if name == "some" else all(made)
        held = [index for index, holds in enumerate(made) if holds]
        if name == "findIndex":
            return held[0] if held else -1
        if name == "find":
            return values[held[0]] if held else None
        return [values[index] for index in held]


def _formula_value(kind: str, value: Any) -> Any:
    """Return a property's value as a formula reckons with it."""
    if kind in ("title", "rich_text"):
        return "".join(each["plain_text"] for each in value)
    if kind in ("select", "status"):
        return value["name"] if value else ""
    if kind in ("multi_select", "files"):
        return [str(each.get("name", each.get("id", ""))) for each in value]
    if kind == "people":
        return [read_person(each) for each in value]
    if kind in ("created_by", "last_edited_by"):
        return read_person(value)
    if kind == "date":
        return read_date(value)
    if kind in ("created_time", "last_edited_time"):
        return read_moment(value)
    if kind in ("rollup", "formula"):
        held = value[value["type"]]
        if value["type"] == "array":
            raise UnknownValueError
        return read_date(held) if isinstance(held, dict) else held
    if kind == "unique_id":
        return f"{value['prefix']}-{value['number']}" if value["prefix"] else value["number"]
    return value


def _binary(sign: str, left: Any, right: Any) -> Any:
    if sign == "+" and (isinstance(left, str) or isinstance(right, str)):
        return checked(text(left) + text(right))
    if isinstance(left, str) or isinstance(right, str):
        # A list, somebody or a page beside a text is what it says.
        left, right = (text(each) if isinstance(each, list | Person | Page) else each for each in (left, right))
    left, right = first_moment(left), first_moment(right)
    if sign in ("==", "!="):
        return (left == right) is (sign == "==")
    if sign in ("and", "&&"):
        return bool(left and right)
    if sign in ("or", "||"):
        return bool(left or right)
    if left is None or right is None or isinstance(left, list) or isinstance(right, list):
        raise UnknownValueError
    return checked(_ARITHMETIC[sign](left, right))


_ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: number(left) * number(right),
    "/": lambda left, right: number(left) / number(right),
    "%": lambda left, right: math.fmod(left, right),
    "^": power,
    ">": lambda left, right: left > right,
    "<": lambda left, right: left < right,
    ">=": lambda left, right: left >= right,
    "<=": lambda left, right: left <= right,
}
