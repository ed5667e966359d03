"""Reads a mock's file: the tool as FastMCP lists it, and the function behind it. Nothing of the file is run."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path
from types import GenericAlias
from typing import Annotated, Any, Literal

from farm.benchmark.imports.mcpagentbench.translate import UntranslatableError, imported, translate
from farm.errors import FarmError

_BYTES_MAX = 256 * 1024
_TYPES: Mapping[str, Any] = {
    **{each.__name__: each for each in (str, int, float, bool, list, dict, tuple, set)},
    "Any": Any,
    "List": list,
    "Dict": dict,
    "None": None,
}


@dataclass(frozen=True)
class Mock:
    """One mock.

    Attributes:
        name: the tool's name.
        schema: the tool as its server lists it.
        untyped: its parameters without an annotation.
        code: the translated handler, a module's source.
    """

    name: str
    schema: Mapping[str, Any]
    untyped: tuple[str, ...]
    code: str


def read_mocks(folder: Path) -> list[Mock]:
    """Return the mocks of a folder ``servers``, by name.

    Raises:
        FarmError: there are none, or one cannot be read or translated; the message names file and line.
    """
    paths = sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")
    if not paths:
        raise FarmError(f"{folder} has no mocks; PATH is a checkout of MCPAgentBench, with data/ and servers/")
    return [read_mock(path) for path in paths]


def read_mock(path: Path) -> Mock:
    """Return the mock of one file.

    Raises:
        FarmError: it cannot be read or translated.
    """
    try:
        text = path.read_text("utf-8")
        if len(text) > _BYTES_MAX:
            raise UntranslatableError(f"it has more than {_BYTES_MAX} bytes")
        return _mock_of(ast.parse(text), path.stem)
    except OSError as problem:
        raise FarmError(f"{path} cannot be read ({problem.strerror})") from None
    except (SyntaxError, UnicodeDecodeError, ValueError, RecursionError) as problem:
        raise FarmError(f"{path} is not Python: {problem}") from None
    except UntranslatableError as problem:
        raise FarmError(f"{path}, {problem}; it is not translated") from None


def _mock_of(module: ast.Module, name: str) -> Mock:
    tools = [each for each in module.body if isinstance(each, ast.FunctionDef) and each.decorator_list]
    if len(tools) != 1 or not tools[0].name.isidentifier():
        raise UntranslatableError(f"line 1: a mock has one function with @mcp.tool(), not {len(tools)}")
    (tool,) = tools
    imports: dict[str, str] = {}
    for each in module.body:
        if isinstance(each, ast.Import | ast.ImportFrom) and not _is_server(each):
            imports |= imported(each)
    if tool.name != name:
        raise UntranslatableError(f"line {tool.lineno}: the function is called {tool.name}, not {name}")
    untyped = tuple(each.arg for each in tool.args.args if each.annotation is None)
    return Mock(name, _listed(tool), untyped, translate(tool, imports))


def _is_server(node: ast.Import | ast.ImportFrom) -> bool:
    return isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mcp.")


def _listed(tool: ast.FunctionDef) -> dict[str, Any]:
    """Return a tool as FastMCP lists it: pydantic makes the schema of its signature."""
    first = tool.body[0]
    described = first.value.value if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) else ""
    return {
        "name": tool.name,
        "description": str(described),
        "inputSchema": _input_schema(tool),
        "outputSchema": {
            "properties": {"result": {"title": "Result", "type": "string"}},
            "required": ["result"],
            "title": f"{tool.name}Output",
            "type": "object",
        },
    }


def _input_schema(tool: ast.FunctionDef) -> dict[str, Any]:
    from pydantic import Field, WithJsonSchema, create_model

    given, fields = tool.args, dict[str, Any]()
    for number, each in enumerate(given.args):
        place = number - (len(given.args) - len(given.defaults))
        default = ... if place < 0 else ast.literal_eval(given.defaults[place])
        free: Any = Annotated[Any, WithJsonSchema({"title": each.arg, "type": "string"})]
        kind = free if each.annotation is None else _type_of(each.annotation)
        # An argument may have a name that pydantic keeps for itself, such as ``schema``.
        title = each.arg.replace("_", " ").title() if each.annotation is not None else None
        fields[f"field_{number}"] = (kind, Field(default, alias=each.arg, title=title))
    made: Any = create_model(f"{tool.name}Arguments", **fields)
    schema: dict[str, Any] = made.model_json_schema(by_alias=True)
    return schema


def _type_of(node: ast.expr) -> Any:
    """Return the type that an annotation names.

    Raises:
        UntranslatableError: it is none that the rules know.
    """
    match node:
        case ast.Constant(value=None):
            return None
        case ast.Name(id=name) if name in _TYPES:
            return _TYPES[name]
        case ast.Attribute(value=ast.Name(id="typing"), attr=name):
            return _type_of(ast.copy_location(ast.Name(name, ast.Load()), node))
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return _type_of(left) | _type_of(right)
        case ast.Subscript(value=ast.Name(id=name), slice=inner):
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            if made := _generic(name, parts):
                return made
    raise UntranslatableError(f"line {node.lineno}: the type {ast.unparse(node)} is not known")


def _generic(name: str, parts: Sequence[ast.expr]) -> Any:
    """Return a type with parts; None if it is not known."""
    if name == "Literal":
        return Literal.__getitem__(tuple(map(ast.literal_eval, parts)))
    of: list[Any] = list(map(_type_of, parts))
    match name, of:
        case "Optional", [one]:
            return one | None
        case "Union", [*several]:
            return reduce(or_, several)
        case (("List" | "list" | "Dict" | "dict"), _):
            return GenericAlias(_TYPES[name], tuple(of))
    return None
