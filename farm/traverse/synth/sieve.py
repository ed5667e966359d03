"""Check generated code on its syntax tree, before anything of it runs.

This is a sieve and no fence: it finds careless code at once, with a line number. What stops hostile code is the process
that runs it (``fence``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from types import ModuleType

BYTES_MAX = 100 * 1024
# Module → the names that generated code may import from it.
_NAMES: Mapping[str, str] = {
    "__future__": "annotations",
    "ast": "literal_eval",
    "base64": "b64decode b64encode b32decode b32encode urlsafe_b64decode urlsafe_b64encode",
    "bisect": "bisect bisect_left bisect_right insort",
    "calendar": "monthrange isleap timegm",
    "collections": "Counter OrderedDict defaultdict deque",
    "collections.abc": "Callable Collection Iterable Iterator Mapping MutableMapping Sequence",
    "dataclasses": "asdict dataclass field replace",
    "datetime": "MAXYEAR MINYEAR UTC date datetime time timedelta timezone tzinfo",
    "decimal": "Decimal InvalidOperation ROUND_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP",
    "difflib": "SequenceMatcher ndiff unified_diff",
    "enum": "Enum IntEnum StrEnum",
    "fnmatch": "fnmatchcase translate",
    "fractions": "Fraction",
    "functools": "cmp_to_key partial reduce",
    "hashlib": "blake2b md5 sha1 sha256 sha512",
    "heapq": "heapify heappop heappush nlargest nsmallest",
    "html": "escape unescape",
    "itertools": "accumulate chain combinations count cycle dropwhile groupby islice pairwise permutations product "
    "repeat starmap takewhile zip_longest",
    "json": "JSONDecodeError dumps loads",
    "math": "ceil copysign e exp fabs floor fmod fsum gcd hypot inf isclose isfinite isinf isnan lcm log log10 log2 "
    "modf nan pi pow prod sqrt trunc sin cos tan asin acos atan atan2 radians degrees",
    "operator": "itemgetter",
    "posixpath": "basename commonpath commonprefix dirname isabs join normpath split splitext",
    "re": "A ASCII DOTALL I IGNORECASE M MULTILINE Match Pattern S U UNICODE VERBOSE X compile error escape findall "
    "finditer fullmatch match search split sub subn",
    "sqlalchemy": "Index UniqueConstraint",
    "statistics": "fmean mean median",
    "string": "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits punctuation",
    "textwrap": "dedent indent wrap",
    "typing": "Any Final Literal NamedTuple TypedDict cast",
    "unicodedata": "category combining east_asian_width name normalize",
    "urllib.parse": "parse_qs parse_qsl quote quote_plus unquote unquote_plus urlencode urljoin urlsplit urlunsplit",
    "uuid": "NAMESPACE_DNS NAMESPACE_URL UUID uuid5",
    "zlib": "adler32 crc32",
    "zoneinfo": "ZoneInfo ZoneInfoNotFoundError",
}
# Rooms of the farm from which every public name may be imported, as long as it is no module.
_ROOMS = ("farm.appkit", "farm.appkit.formats", "farm.appkit.geography", "farm.appkit.schema")
_FORBIDDEN_NAMES = frozenset(
    [
        "BaseException",
        "breakpoint",
        "compile",
        "delattr",
        "dir",
        "eval",
        "exec",
        "exit",
        "getattr",
        "globals",
        "help",
        "input",
        "locals",
        "memoryview",
        "open",
        "print",
        "quit",
        "setattr",
        "vars",
    ]
)
_SPECIAL_METHODS = frozenset(
    ["__init__", "__str__", "__eq__", "__lt__", "__hash__", "__len__", "__iter__", "__contains__", "__repr__"]
)
# They lead from an object to the interpreter, or past the context's own transaction.
_FORBIDDEN_ATTRIBUTES = frozenset(
    [
        "connection",
        "mro",
        "format_map",
        "ag_frame",
        "ag_code",
        "cr_frame",
        "cr_code",
        "gi_frame",
        "gi_code",
        "f_back",
        "f_builtins",
        "f_code",
        "f_globals",
        "f_locals",
        "tb_frame",
        "tb_next",
        "func_globals",
        "with_traceback",
        "start_call",
    ]
)
_CLOCKS = frozenset({"now", "today", "utcnow", "fromtimestamp", "utcfromtimestamp"})
_AT_TOP = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.Expr)


def find_problem(files: Mapping[str, str]) -> str | None:
    """Return the first thing in generated files that is not allowed, with its file and line, or None."""
    size = sum(len(text.encode(errors="replace")) for text in files.values())
    if size > BYTES_MAX:
        return f"the files have {size} bytes; {BYTES_MAX} are allowed"
    for name, text in files.items():
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
            line = getattr(problem, "lineno", None) or 1
            return f"{name}, line {line}: {getattr(problem, 'msg', problem)}"
        own = {each.removesuffix(".py") for each in files}
        for line, why in sorted(_problems(tree, own), key=lambda each: each[0]):
            return f"{name}, line {line}: {why}"
    return None


def _problems(tree: ast.Module, own: set[str]) -> Iterator[tuple[int, str]]:
    modules = {
        alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    of_module: set[int] = set()
    for statement in tree.body:
        if not isinstance(statement, _AT_TOP):
            yield statement.lineno, "at the top of a file stand imports, functions, classes and constants only"
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 1)
        match node:
            case ast.Import():
                yield from ((line, why) for alias in node.names if (why := _import(alias)))
            case ast.ImportFrom():
                yield from ((line, why) for alias in node.names if (why := _from(node, alias, own)))
            case ast.Attribute(value=ast.Name(id=name)) if name in modules:
                of_module.add(id(node.value))
                if node.attr not in _NAMES.get(name, "").split():
                    yield line, f"{name}.{node.attr} is not allowed"
            case ast.Attribute():
                if why := _attribute(node):
                    yield line, why
            case ast.Name():
                if node.id in _FORBIDDEN_NAMES or node.id.startswith("__"):
                    yield line, f"{node.id} is not allowed"
            case ast.FunctionDef() | ast.ClassDef():
                if node.name.startswith("__") and node.name not in _SPECIAL_METHODS:
                    yield line, f"a definition of {node.name} is not allowed"
                if isinstance(node, ast.ClassDef) and node.keywords:
                    yield line, "a class with keywords is not allowed"
            case ast.Global() | ast.Nonlocal():
                yield line, "a handler keeps nothing between calls: global and nonlocal are not allowed"
            case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
                yield line, "handlers are ordinary functions, without async"
            case ast.ExceptHandler(type=None):
                yield line, "a bare except is not allowed; name the exception"
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in modules and id(node) not in of_module:
            yield node.lineno, f"{node.id} may be used for its functions only, as in {node.id}.NAME"


def _import(alias: ast.alias) -> str | None:
    if alias.name in _NAMES and "." not in alias.name and alias.asname is None:
        return None
    if alias.name in _NAMES:
        return f"write 'from {alias.name} import NAME'"
    return f"the import of {alias.name} is not allowed"


def _from(node: ast.ImportFrom, alias: ast.alias, own: set[str]) -> str | None:
    module = node.module or ""
    if node.level == 1:
        known = alias.name in own if not module else module in own
        return None if known and not alias.name.startswith("__") else f"there is no file {module or alias.name}.py"
    allowed = names_of(module) if not node.level else frozenset[str]()
    if alias.name in allowed:
        return None
    if not allowed:
        return f"the import of {'.' * node.level}{module} is not allowed"
    return f"{module} has nothing called {alias.name} that may be imported"


@lru_cache(maxsize=64)
def names_of(module: str) -> frozenset[str]:
    """Return the names that generated code may import from a module; none if the module is not allowed."""
    if module in _NAMES:
        return frozenset(_NAMES[module].split())
    if not any(module == room or module.startswith(f"{room}.") for room in _ROOMS):
        return frozenset()
    try:
        found = import_module(module)
    except ImportError:
        return frozenset()
    listed = getattr(found, "__all__", None)
    if listed is not None:
        return frozenset(name for name in listed if not isinstance(getattr(found, name), ModuleType))
    own = {name: each for name, each in vars(found).items() if not name.startswith("_")}
    return frozenset(name for name, each in own.items() if getattr(each, "__module__", None) == module)


def _attribute(node: ast.Attribute) -> str | None:
    name = node.attr
    if name.startswith("_") and name not in _SPECIAL_METHODS:
        return f".{name} is not allowed: names that begin with '_' belong to others"
    if name in _FORBIDDEN_ATTRIBUTES:
        return f".{name} is not allowed"
    if name in _CLOCKS and not (isinstance(node.value, ast.Name) and node.value.id in ("ep", "episode")):
        return f".{name} reads a clock or a zone of this machine; ep.now is the time"
    if name == "format" and not _is_plain_template(node.value):
        return ".format on anything but a plain literal is not allowed; use an f-string"
    return None


def _is_plain_template(node: ast.expr) -> bool:
    """Return whether a text is a literal whose fields reach into no object."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return False
    fields = [part.partition("}")[0] for part in node.value.split("{")[1:]]
    return not any("." in each.partition(":")[0] or "[" in each for each in fields)
