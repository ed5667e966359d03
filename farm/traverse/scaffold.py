"""Write a new app's folders: the app serves at once, refuses every call, and passes ``tests/contract``.

ARCHITECTURE.md, "A new app", lists what a person has to write next.
"""

from __future__ import annotations

import ast
import json
import keyword
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Any

import orjson

from farm import content
from farm.appkit.tool_schemas import ToolSchemas, quoted, structure
from farm.errors import ConflictError, FarmError

_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
# Keys of a schema that hold sentences; a property with one of these names does not.
_SENTENCES = ("description", "$comment")
# The error code of a handler that is not written yet.
STUB_REFUSAL = "NotSimulated"
_LINE_MAX = 120
_FUNCTION_MAX = 60
_TITLE_MAX = 60
# Names that handlers.py itself uses: a handler of the same name would hide them.
_USED = frozenset({"annotations", "errors", "list", "dict", *_TYPES.values()})
# The parser that must accept every written file of a kind.
_READERS: Mapping[str, Callable[[str], Any]] = {".py": ast.parse, ".toml": tomllib.loads}
# The signature of a handler that takes all arguments as a dictionary.
_ALL = ["**arguments: Any"]
# Arguments of these names cannot be parameters, or would hide names that the handler uses.
_NO_PARAMETERS = frozenset({"ep", "errors", "__debug__"})


def example_tool_schemas(app: str) -> ToolSchemas:
    """Return placeholder tool schemas with one tool, for an app whose server was not captured."""
    schema = {
        "type": "object",
        "properties": {"limit": {"type": "integer", "minimum": 1, "maximum": 100}},
        "additionalProperties": False,
    }
    return ToolSchemas({"name": app, "version": "0"}, None, ({"name": f"{app}_list_items", "inputSchema": schema},))


def default_folder() -> Path:
    """Return the default folder for a new app: this checkout, or the current folder if the farm is installed."""
    root = content.roots()[0].folder
    return root if (root / "pyproject.toml").is_file() else Path.cwd()


def new_app(
    name: str, folder: Path, tool_schemas: ToolSchemas, *, dialect: str, title: str, category: str
) -> list[Path]:
    """Write an app's folders below a content folder and return the files, in the order they should be read.

    Args:
        name: short lower-case name.
        folder: a content folder; it need not exist.
        dialect: a class of ``farm.appkit.dialects`` with its parameters, such as ``Zod3()``.
        title: name for people.
        category: the kind of service, for reports.

    Raises:
        FarmError: the name or the dialect is invalid, or a tool cannot be written as Python.
        ConflictError: the app, or one of its files, exists already.
    """
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise FarmError(f"an app's name is lower-case letters, digits and '_', not '{name}'")
    if name in content.app_names(hidden=True) or (folder / "kernels" / name).exists():
        raise ConflictError(f"there is an app '{name}' already; choose another name")
    files = _files(name, tool_schemas, require_dialect(dialect), title, category)
    for relative, text in files.items():
        if (folder / relative).exists():
            raise ConflictError(f"there is {folder / relative} already; choose another name")
        if (read := _READERS.get(Path(relative).suffix)) is not None:
            _require_readable(read, text, relative)
    paths = []
    for relative, text in files.items():
        path = folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        paths.append(path)
    return paths


def require_dialect(text: str) -> str:
    """Return a dialect as Python source: a class of ``farm.appkit.dialects``, called with constants.

    Raises:
        FarmError: there is no such class, or it takes other parameters.
    """
    from farm.appkit import dialects

    classes = [each for each in dialects.__all__ if hasattr(getattr(dialects, each), "compile") and each != "Dialect"]
    hint = f"a dialect is one of {', '.join(classes)}, with parameters if need be: 'Pydantic(sdk=\"1.8.1\")'"
    try:
        tree = ast.parse(text if text.endswith(")") else f"{text}()", mode="eval").body
    except SyntaxError:
        raise FarmError(f"--dialect '{text}': {hint}") from None
    match tree:
        case ast.Call(func=ast.Name(id=name), args=[], keywords=given) if name in classes:
            try:
                getattr(dialects, name)(**{str(each.arg): ast.literal_eval(each.value) for each in given})
            except (TypeError, ValueError, FarmError) as problem:
                raise FarmError(f"--dialect '{text}': {problem}") from None
            # With the quotes that the formatter uses.
            return source if '"' in (source := ast.unparse(tree)) else source.replace("'", '"')
    raise FarmError(f"--dialect '{text}': {hint}")


def _checks_arguments(dialect: str) -> bool:
    from farm.appkit import dialects

    return bool(getattr(dialects, dialect.partition("(")[0])().checks_arguments)


def _files(name: str, tool_schemas: ToolSchemas, dialect: str, title: str, category: str) -> dict[str, str]:
    kernel, tests = f"kernels/{name}", f"tests/apps/{name}"
    handlers = dict(zip(function_names(name, tool_schemas.tools), tool_schemas.tools, strict=True))
    listed = [f"| `{_line(tool['name'])}` | nothing yet | `not_simulated` |" for tool in tool_schemas.tools]
    is_checked = _checks_arguments(dialect)
    written = [_handler(function, tool, is_checked) for function, tool in handlers.items()]
    rows = [_row(function, tool) for function, tool in handlers.items()]
    for tool, row, handler in zip(tool_schemas.tools, rows, written, strict=True):
        _require_readable(ast.parse, f"{row}\n{handler}\n", f"tool {quoted(tool['name'])}")
    told = {
        "name": name,
        "title": _line(title)[:_TITLE_MAX].strip() or name,
        "spoken": _spoken(title)[:_TITLE_MAX].strip() or name,
        "title_literal": _literal(title),
        "category_literal": _literal(category),
        "dialect": dialect,
        "dialect_class": dialect.partition("(")[0],
        "table": _table(rows),
        "typing": "from typing import Any\n\n" if _uses("Any", "\n".join(written)) else "",
        "handlers": "\n\n\n".join(written),
        "server": _line(tool_schemas.server["name"]),
        "version": _line(tool_schemas.server["version"]),
        "server_toml": _toml(tool_schemas.server["name"]),
        "version_toml": _toml(tool_schemas.server["version"]),
        "listed": "\n".join(listed),
    }
    texts = {
        f"{kernel}/__init__.py": _INIT,
        f"{kernel}/tools.py": _TOOLS,
        f"{kernel}/errors.py": _ERRORS,
        f"{kernel}/handlers.py": _HANDLERS,
        f"{kernel}/FIDELITY.md": _FIDELITY,
        f"{kernel}/PROVENANCE.toml": _PROVENANCE,
        f"contexts/{name}/schema.py": _SCHEMA,
        f"{tests}/facts.py": _FACTS,
        f"{tests}/test_handlers.py": _TESTS,
    }
    files = {path: Template(text).substitute(told).lstrip("\n") for path, text in texts.items()}
    return {f"{kernel}/tools.json": _tools_json(tool_schemas), **files}


def _literal(text: str) -> str:
    """Return a text as Python source, with the quotes that the formatter uses."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    escaped = (
        f"\\{each}" if each in ("\\", quote) else each if each.isprintable() else ascii(each)[1:-1] for each in text
    )
    return f"{quote}{''.join(escaped)}{quote}"


def _toml(text: str) -> str:
    """Return a text as TOML: the JSON form, with one character escaped in addition."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _line(text: str) -> str:
    """Return a text for Markdown: one line of printable characters."""
    return "".join(each for each in " ".join(text.split()) if each.isprintable())


def _spoken(text: str) -> str:
    """Return a text for a docstring: one line without quotes that end it or escapes."""
    return _line(text).replace('"', "'").replace("\\", "/")


def _require_readable(read: Callable[[str], Any], text: str, name: str) -> None:
    try:
        read(text)
    except (SyntaxError, ValueError) as problem:
        raise FarmError(f"{name} cannot be written: {problem}") from None


def _uses(name: str, code: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(ast.parse(code)))


def _tools_json(tool_schemas: ToolSchemas) -> str:
    """Render tools.json with the real server's structure but without its sentences."""
    wire: dict[str, Any] = {"server": dict(tool_schemas.server), **tool_schemas.handshake}
    if tool_schemas.instructions:
        wire["instructions"] = "To be written: what the server tells a client that connects."
    wire["tools"] = [_tool(tool) for tool in tool_schemas.tools]
    return orjson.dumps(wire, option=orjson.OPT_INDENT_2).decode() + "\n"


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    entry = {key: value if key == "_meta" else structure(value, _SENTENCES) for key, value in tool.items()}
    entry["description"] = f"To be written: what {tool['name']} does, what it answers, and when it refuses."
    return entry


def function_names(app: str, tools: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a handler's name for each tool: the tool's name in snake case, without the app's name."""
    taken: set[str] = set()
    for tool in tools:
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", tool["name"])
        name = re.sub(r"\W+", "_", words, flags=re.ASCII).strip("_").lower().removeprefix(f"{app}_")
        name = name[:_FUNCTION_MAX].strip("_") or "tool"
        if name[0].isdigit():
            name = f"tool_{name}"
        while name in taken or name in _USED or keyword.iskeyword(name):
            name += "_"
        taken.add(name)
        yield name


def _row(function: str, tool: Mapping[str, Any]) -> str:
    parts = [_literal(tool["name"]), f"handlers.{function}"]
    if tool.get("annotations", {}).get("readOnlyHint") is False:
        # A writing tool must name a table; this one exists until a person names the right ones.
        parts.append('writes=("accounts",)')
    row = f"Tool({', '.join(parts)})"
    return row if _fits(f"    {row},") else "".join(["Tool(", *(f"\n        {part}," for part in parts), "\n    )"])


def _table(rows: list[str]) -> str:
    if len(rows) == 1 and "\n" not in rows[0] and _fits(table := f"TOOLS = ({rows[0]},)"):
        return table
    return "TOOLS = (\n" + "".join(f"    {row},\n" for row in rows) + ")"


def signature(function: str, tool: Mapping[str, Any], is_checked: bool) -> str:
    """Return the first line, or lines, of a tool's handler."""
    parameters = _parameters(tool["inputSchema"], is_checked)
    mark = [] if not parameters else ["/"] if parameters == _ALL else ["*"]
    every = ["ep: Episode", *mark, *parameters]
    line = f"def {function}({', '.join(every)}) -> Result:"
    return (
        line if _fits(line) else "".join([f"def {function}(", *(f"\n    {each}," for each in every), "\n) -> Result:"])
    )


def _handler(function: str, tool: Mapping[str, Any], is_checked: bool) -> str:
    line = signature(function, tool, is_checked)
    doc = '"""Refuse.\n\n    Not simulated: everything.\n    """'
    refusal = f"    raise errors.{STUB_REFUSAL}({_literal(tool['name'])})"
    if not _fits(refusal):
        refusal = f"    raise errors.{STUB_REFUSAL}(\n        {_literal(tool['name'])}\n    )"
    return f"{line}\n    {doc}\n{refusal}"


def _fits(line: str) -> bool:
    return len(line) <= _LINE_MAX


def _parameters(schema: Mapping[str, Any], is_checked: bool) -> list[str]:
    """Return a handler's keyword parameters: the required ones first, then the others with their defaults."""
    properties = schema.get("properties", {})
    if not all(_is_parameter(each) for each in properties):
        # The handler reads these from the dictionary.
        return _ALL
    required = [each for each in properties if is_checked and each in schema.get("required", ())]
    optional = [each for each in properties if each not in required]
    parameters = [f"{each}: {_type(properties[each])}" for each in required]
    parameters += [_optional(each, properties[each]) for each in optional]
    return parameters if all(_fits(f"    {each},") for each in parameters) else _ALL


def _is_parameter(name: str) -> bool:
    # Python normalizes an identifier, but callers send the name unchanged.
    is_normal = unicodedata.normalize("NFKC", name) == name
    return is_normal and name.isidentifier() and not keyword.iskeyword(name) and name not in _NO_PARAMETERS


def _optional(name: str, schema: Any) -> str:
    default = schema.get("default") if isinstance(schema, dict) else None
    if isinstance(default, str | int | float | bool) and _type(schema) != "Any":
        # The formatter writes 1e16 where Python prints 1e+16.
        written = _literal(default) if isinstance(default, str) else repr(default).replace("e+", "e")
        return f"{name}: {_type(schema)} = {written}"
    kind = _type(schema)
    return f"{name}: {kind} = None" if kind == "Any" else f"{name}: {kind} | None = None"


def _type(schema: Any) -> str:
    kind = schema.get("type") if isinstance(schema, dict) else None
    if kind == "array":
        return "list[Any]"
    if kind == "object":
        return "dict[str, Any]"
    return _TYPES.get(kind, "Any") if isinstance(kind, str) else "Any"


_INIT = '''
"""$spoken: nothing is simulated yet, every tool refuses."""

from farm.appkit import App
from farm.appkit.dialects import $dialect_class

from .tools import TOOLS

APP = App(
    name="$name",
    title=$title_literal,
    category=$category_literal,
    dialect=$dialect,
    tools=TOOLS,
)
'''

_TOOLS = '''
"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import handlers

$table
'''

_ERRORS = '''
"""What the service refuses with: one class per vendor code, whose docstring is the vendor's message."""

from __future__ import annotations

from farm.appkit import VendorError


class NotSimulated(VendorError):
    """The simulation does not have this tool yet."""

    code = "not_simulated"

    def __init__(self, tool: str) -> None:
        super().__init__(f"{tool} is not simulated yet")
'''

_HANDLERS = '''
"""The tools, none of them written yet; each resource gets a file of its own as it is written."""

from __future__ import annotations

${typing}from farm.appkit import Episode, Result

from . import errors


$handlers
'''

_FIDELITY = """
# $title: what is simulated

The server imitated is `$server` $version. Nothing of it is simulated yet: every tool refuses.

| tool | simulated | refuses with |
|---|---|---|
$listed

## Knowing differences
- Everything.
"""

_PROVENANCE = """
# What this kernel was written from.
server = $server_toml
version = $version_toml
# The day on which this version was read or recorded; and the newest version that was found, with the day of that:
# read = "2026-01-31"
# newest = ""
# looked = "2026-01-31"
sources = []

# For each file of recorded calls, measured with `farm fidelity` (docs/fidelity.md):
# [[calls]]
# file = "validation.jsonl"
# world = "WORLD"
# count = 0
# sha256 = ""
# expected = { compared = 0, agreement = 1.0, exact = 1.0 }
"""

_SCHEMA = '''
"""$spoken's context tree: the account, and what it owns."""

from farm.appkit.schema import MetaData, column, person, table

METADATA = MetaData()

accounts = table(
    "accounts",
    METADATA,
    column("account_id", generation="random", primary_key=True),
    person(),
    column("name", role="title", generation="authentic", nullable=False),
    view="people",
)
'''

_FACTS = '''
"""What the real $spoken does."""

from farm.testing import Fact

FACTS = {
    "refuses": Fact("nobody yet", "Every tool refuses.", differs="The real tools do something."),
}
'''

_TESTS = '''
"""What is not simulated refuses and changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm import content
from farm.testing import LocalApp


@pytest.mark.fact("refuses")
@pytest.mark.parametrize("tool", [tool.name for tool in content.load_app("$name").app.tools])
def test_a_tool_that_nobody_has_written_refuses(tool: str, tmp_path: Path) -> None:
    app = LocalApp("$name", tmp_path)

    outcome = app.outcome(tool, {})

    assert outcome.refused
    assert app.changes() == {}
    app.close()
'''
