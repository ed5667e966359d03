"""Translates a mock, which is one Python function, into a handler: by rules, and only what the rules know.

A construct, name, method or module that is not listed here is refused with its line, so that nothing of a foreign
repository reaches files, processes, the network or the interpreter. What depends on the machine, such as the time or
chance, is replaced by the episode's own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from farm.errors import FarmError


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Module → what may be used of it, as ``module.name``.
_MODULES: Mapping[str, frozenset[str]] = {
    "ast": frozenset(["literal_eval"]),
    "datetime": frozenset(["date", "datetime", "time", "timedelta", "timezone"]),
    "json": frozenset(["JSONDecodeError", "dumps", "loads"]),
    "math": frozenset(["ceil", "cos", "exp", "floor", "log", "log10", "pi", "radians", "sin", "sqrt"]),
    "posixpath": frozenset(["basename", "dirname", "join", "normpath", "split", "splitext"]),
    "re": frozenset(["IGNORECASE", "findall", "fullmatch", "match", "search", "split", "sub"]),
}
# Modules that the rules replace, so that they are never imported.
_REPLACED = frozenset(["os", "random", "typing", "uuid"])
_BUILTINS = _names(
    "abs all any bool chr dict enumerate filter float int isinstance len list map max min next ord range reversed "
    "round set sorted str sum tuple zip True False None"
)
_EXCEPTIONS = _names(
    "ArithmeticError AttributeError Exception FileNotFoundError IOError IndexError KeyError LookupError OSError "
    "RuntimeError StopIteration TypeError ValueError ZeroDivisionError"
)
# The kernel's own module beside the mocks, and its name in them, which ends like no name of theirs.
SUPPORT = "support"
_SUPPORT_NAME, _DRAWS_NAME = "support_", "draws_"
_HELPERS = frozenset(["draws", "id_of", "moment", "number_of", "power", "product"])
# Operator → the function that limits it.
_LIMITED: Mapping[type[ast.operator], str] = {ast.Pow: "power", ast.Mult: "product"}
_METHODS = _names(
    "add append capitalize casefold choice clear copy count date difference discard endswith extend find fromisoformat "
    "fromkeys get group groups index insert intersection isalnum isalpha isdigit isoformat isupper items join keys "
    "lower lstrip partition pop randint random remove replace reverse rfind rpartition rsplit rstrip sample seed "
    "setdefault shuffle sort split splitlines startswith strftime strip strptime swapcase title total_seconds uniform "
    "union update upper values zfill"
)
_FIELDS = _names("day days hour microsecond minute month second seconds weekday year")
# Classes of a module stand between it and their methods: ``datetime.datetime.strptime``.
_CLASSES = frozenset(["date", "datetime", "time", "timedelta", "timezone"])
_NODES = (
    *(ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.For, ast.While),
    *(ast.If, ast.Raise, ast.Try, ast.ExceptHandler, ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.Load, ast.Store),
    *(ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Dict, ast.Set, ast.ListComp, ast.SetComp),
    *(ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.Compare, ast.Call, ast.keyword, ast.FormattedValue),
    *(ast.JoinedStr, ast.Constant, ast.Attribute, ast.Subscript, ast.Name, ast.List, ast.Tuple, ast.Slice),
    *(ast.boolop, ast.unaryop, ast.cmpop, ast.Add, ast.Sub, ast.Div, ast.FloorDiv, ast.Mod),
)


class UntranslatableError(FarmError):
    """A mock has something that the rules do not know."""


@dataclass
class _Found:
    """What a mock uses: modules to import, and whether it draws by chance."""

    modules: set[str] = field(default_factory=set)
    draws: bool = False


def translate(function: ast.FunctionDef, imports: Mapping[str, str]) -> str:
    """Return the source of a module with the mock as a handler of the same name.

    Args:
        function: the mock.
        imports: name → what it stands for in the mock's file, such as ``datetime`` → ``datetime.datetime``.

    Raises:
        UntranslatableError: it has something that the rules do not know; the message names the line.
    """
    found = _Found()
    rewriter = _Rewriter(function.name, imports, found)
    body = [statement for each in _without_docstring(function) for statement in rewriter.statements(each)]
    handler = ast.FunctionDef(
        name=function.name,
        args=_parameters(function),
        body=[*([_draws_line(function.name)] if found.draws else []), *body],
        decorator_list=[],
        returns=None,
    )
    module = ast.fix_missing_locations(ast.Module(body=[handler], type_ignores=[]))
    _require_known(module, found)
    return _render(module, found)


def _without_docstring(function: ast.FunctionDef) -> list[ast.stmt]:
    first = function.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return function.body[1:] if is_text else function.body


def _parameters(function: ast.FunctionDef) -> ast.arguments:
    """Return the parameters of the handler: the episode by position, the mock's own by name."""
    given = function.args
    if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg:
        raise UntranslatableError(f"line {function.lineno}: only plain parameters are known")
    missing: list[ast.expr | None] = [None] * (len(given.args) - len(given.defaults))
    names = [ast.arg(arg=each.arg) for each in given.args]
    if any(each.arg == "ep" for each in names):
        raise UntranslatableError(f"line {function.lineno}: the name ep has another meaning in a handler")
    return ast.arguments(
        posonlyargs=[ast.arg(arg="ep")],
        args=[],
        kwonlyargs=names,
        kw_defaults=[*missing, *given.defaults],
        defaults=[],
    )


def _draws_line(tool: str) -> ast.stmt:
    return ast.parse(f"{_DRAWS_NAME} = {_SUPPORT_NAME}.draws(ep, {tool!r})").body[0]


class _Rewriter(ast.NodeTransformer):
    """Replaces what depends on the machine, and the idioms by which mocks keep state between calls."""

    def __init__(self, tool: str, imports: Mapping[str, str], found: _Found) -> None:
        self._tool = tool
        self._imports = dict(imports)
        self._found = found

    def statements(self, node: ast.stmt) -> list[ast.stmt]:
        """Return what replaces a statement."""
        made = self.visit(node)
        return made if isinstance(made, list) else [] if made is None else [made]

    def visit_Import(self, node: ast.Import) -> None:
        self._imports |= imported(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self._imports |= imported(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if node.decorator_list:
            raise UntranslatableError(f"line {node.lineno}: decorators are not known")
        node.returns, node.body = None, _without_docstring(node)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(arg=node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return None
        return self.visit(ast.copy_location(ast.Assign(targets=[node.target], value=node.value), node))

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.type = node.type or ast.Name("Exception", ast.Load())
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        match node.value:
            case ast.Constant():
                return None
            case ast.Call(
                func=ast.Name(id="setattr"), args=[ast.Name(id=self._tool), ast.Constant(value=str(name)), value]
            ):
                target = ast.Name(f"own_{name.strip('_')}", ast.Store())
                return self.visit(ast.copy_location(ast.Assign(targets=[target], value=value), node))
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == self._tool:
            # A function's attribute outlives a call in one process, but each call of a mock has a process of its own.
            return ast.Name(f"own_{node.attr.strip('_')}", node.ctx)
        if name := self._dotted(node):
            return self._of_module(name, node)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if isinstance(node.ctx, ast.Load) and node.id in self._imports:
            return self._of_module(self._imports[node.id], node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        # A large power or a long list takes minutes in one step of the interpreter, which no time limit can interrupt.
        name = _LIMITED.get(type(node.op))
        return self._helper(name, node.left, node.right) if name else node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        if type(node.op) in _LIMITED and isinstance(node.target, ast.Name):
            value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
            return self.visit(ast.copy_location(ast.Assign(targets=[node.target], value=value), node))
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        match node:
            case ast.Call(func=ast.Name(id="hasattr"), args=[ast.Name(id=self._tool), _]):
                return ast.Constant(False)
            case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id=self._tool), _, default]):
                return self.visit(default)
            case ast.Call(func=ast.Name(id="eval"), args=[text]):
                self._found.modules.add("ast")
                return ast.Call(_path("ast.literal_eval"), [self.visit(text)], [])
            case ast.Call(func=ast.Name(id="hash"), args=[value]):
                return self._helper("number_of", self.visit(value))
        name = self._dotted(node.func)
        if name in ("datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today") and not node.args:
            return self._helper("moment", ast.Name("ep", ast.Load()))
        if name == "datetime.date.today":
            return ast.Call(
                ast.Attribute(self._helper("moment", ast.Name("ep", ast.Load())), "date", ast.Load()), [], []
            )
        if name == "uuid.uuid4":
            return self._helper("id_of", ast.Name("ep", ast.Load()), ast.Constant(self._tool))
        if name == "os.path.abspath":
            self._found.modules.add("posixpath")
            joined = ast.Call(_path("posixpath.join"), [ast.Constant("/"), *map(self.visit, node.args)], [])
            return ast.Call(_path("posixpath.normpath"), [joined], [])
        return self.generic_visit(node)

    def _helper(self, name: str, *given: ast.expr) -> ast.Call:
        return ast.Call(_path(f"{_SUPPORT_NAME}.{name}"), list(given), [])

    def _dotted(self, node: ast.AST) -> str | None:
        """Return the full name of what is used of a module, or None if it is not of a module."""
        match node:
            case ast.Name(id=name):
                return self._imports.get(name)
            case ast.Call(func=ast.Name(id="__import__"), args=[ast.Constant(value=str(name))]):
                return name
            case ast.Attribute(value=value, attr=attribute):
                inner = self._dotted(value)
                return f"{inner}.{attribute}" if inner else None
        return None

    def _of_module(self, name: str, node: ast.expr) -> ast.expr:
        module, _, rest = name.partition(".")
        if module == "random":
            self._found.draws = True
            return ast.copy_location(_path(f"{_DRAWS_NAME}.{rest}" if rest else _DRAWS_NAME), node)
        if name.startswith("os.path."):
            module, rest = "posixpath", name.removeprefix("os.path.")
        first, *more = rest.split(".")
        if module not in _MODULES or first not in _MODULES[module]:
            raise UntranslatableError(f"line {node.lineno}: {name} is not known")
        self._found.modules.add(module)
        return ast.copy_location(_path(".".join([module, first, *more])), node)


def imported(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """Return the names that an import makes, and what they stand for.

    Raises:
        UntranslatableError: the module is not known.
    """
    names = {}
    for alias in node.names:
        full = alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"
        module = full.partition(".")[0]
        if module not in _MODULES and module not in _REPLACED:
            raise UntranslatableError(f"line {node.lineno}: the module {module} is not known")
        if module != "typing":
            names[alias.asname or alias.name] = full
    return names


def _path(dotted: str) -> ast.expr:
    return ast.parse(dotted, mode="eval").body


def _require_known(module: ast.Module, found: _Found) -> None:
    for line, why in _unknown(module, found):
        raise UntranslatableError(f"line {line}: {why}")


def _unknown(module: ast.Module, found: _Found) -> Iterator[tuple[int, str]]:
    made = {each.id for each in ast.walk(module) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    made |= {each.arg for each in ast.walk(module) if isinstance(each, ast.arg)}
    made |= {
        each.name for each in ast.walk(module) if isinstance(each, ast.FunctionDef | ast.ExceptHandler) and each.name
    }
    known = made | _BUILTINS | _EXCEPTIONS | found.modules | {_SUPPORT_NAME}
    called = {id(each.func) for each in ast.walk(module) if isinstance(each, ast.Call)}
    for node in ast.walk(module):
        line = getattr(node, "lineno", 1)
        match node:
            case ast.Name(id=name) if name not in known:
                yield line, f"the name {name} is not known"
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in found.modules - made:
                if attribute not in _MODULES[name]:
                    yield line, f"{name}.{attribute} is not known"
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == _SUPPORT_NAME:
                if attribute not in _HELPERS:
                    yield line, f".{attribute} is not known"
            case ast.Attribute(value=ast.Constant(value=str(text)), attr="format") if id(node) in called:
                if any("." in each.partition("}")[0] or "[" in each.partition("}")[0] for each in text.split("{")[1:]):
                    yield line, "a template that reaches into its values is not known"
            case ast.Attribute(attr=attribute):
                if attribute not in (_METHODS if id(node) in called else _FIELDS | _CLASSES):
                    yield line, f".{attribute} is not known"
            case _ if not isinstance(node, _NODES):
                yield line, f"{type(node).__name__} is not known"
    taken = sorted(name for name in made if name in {_SUPPORT_NAME, *found.modules} or name.startswith("__"))
    if taken:
        yield 1, f"the name {taken[0]} has another meaning in a handler"


def _render(module: ast.Module, found: _Found) -> str:
    lines = [f"import {name}" for name in sorted(found.modules)]
    lines += [*([""] if lines else []), f"from . import {SUPPORT} as {_SUPPORT_NAME}", "", ""]
    return "\n".join([*lines, ast.unparse(module), ""])
