"""Find which tables each handler writes, from the code alone: the tool table declares them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_STATEMENT = re.compile(
    r"\b(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+[\"`\[]?(\w+)",
    re.IGNORECASE,
)
_SHORTHANDS = frozenset({"insert", "update", "delete"})
_ALL = "*"
COMMITS = "COMMITS_ON_ERROR"


@dataclass
class _Function:
    """What one function does itself, and which names it calls."""

    tables: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)


def written_tables(files: Mapping[str, str], tables: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return function → the tables that it, or a function that it calls, changes, in the order of ``tables``."""
    functions: dict[str, _Function] = {}
    for text in files.values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                found = functions.setdefault(node.name, _Function())
                found.tables |= set(_own_tables(node))
                found.calls |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
                found.calls |= {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
    written = {}
    for name in functions:
        reached = _reachable(name, functions)
        changed = set().union(*(functions[each].tables for each in reached))
        written[name] = tuple(each for each in tables if each in changed or _ALL in changed)
    return written


def _reachable(name: str, functions: Mapping[str, _Function]) -> set[str]:
    reached, pending = {name}, [name]
    while pending:
        for called in functions[pending.pop()].calls & functions.keys():
            if called not in reached:
                reached.add(called)
                pending.append(called)
    return reached


def _own_tables(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Attribute(attr=attr, value=ast.Attribute(attr="db")), args=[first, *_]):
                if attr in _SHORTHANDS:
                    yield first.value if _is_text(first) else _ALL  # type: ignore[attr-defined] # a text's constant
                elif attr == "execute" and not _is_text(first) and not isinstance(first, ast.JoinedStr):
                    yield _ALL
            case ast.Constant(value=str() as text):
                yield from _STATEMENT.findall(text)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def commits_on_error(files: Mapping[str, str]) -> frozenset[str]:
    """Return the tools whose refused calls keep what they wrote, as a module's constant names them."""
    found: set[str] = set()
    for text in files.values():
        for node in ast.parse(text).body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple(elts=parts)) if name == COMMITS:
                    found |= {str(each.value) for each in parts if isinstance(each, ast.Constant)}
    return frozenset(found)


def module_of(files: Mapping[str, str]) -> dict[str, str]:
    """Return function → the module at whose top it is defined, without the suffix."""
    return {
        node.name: file.removesuffix(".py")
        for file, text in files.items()
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    }


def table_names(schema: str) -> tuple[str, ...]:
    """Return the names of the tables that a schema declares."""
    return tuple(
        str(node.args[0].value)
        for node in ast.walk(ast.parse(schema))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "table"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    )
