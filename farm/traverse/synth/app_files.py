"""Put an app together: the files that rules write, around those of a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from farm.traverse.scaffold import function_names, signature
from farm.traverse.synth.answer import SCHEMA, AnswerError, Written
from farm.traverse.synth.answer_form import OWN, AnswerForm
from farm.traverse.synth.evidence import Evidence
from farm.traverse.synth.recognise import build
from farm.traverse.synth.written_tables import commits_on_error, module_of, table_names, written_tables

_EMPTY_SCHEMA = '''"""The app keeps nothing between calls."""

from farm.appkit.schema import MetaData

METADATA = MetaData()
'''
_LINE_MAX = 120


@dataclass(frozen=True)
class Plan:
    """What rules decide about an app.

    Attributes:
        app: the app's name, which is also its folder's.
        dialect: as Python source.
        form: the form of answers.
        hidden: whether ``farm up`` leaves it out: arms of a comparison.
    """

    app: str
    title: str
    evidence: Evidence
    dialect: str
    form: AnswerForm
    hidden: bool = False

    @property
    def handlers(self) -> dict[str, str]:
        """Tool → the name of its handler."""
        tools = self.evidence.tools
        return dict(zip((str(tool["name"]) for tool in tools), function_names(self.app, tools), strict=True))

    def signatures(self, *tools: str) -> str:
        """Return the first lines of handlers, all of them without names of tools."""
        is_checked = build(self.dialect).checks_arguments
        return "\n".join(
            signature(self.handlers[str(tool["name"])], tool, is_checked)
            for tool in self.evidence.tools
            if not tools or tool["name"] in tools
        )


def render(plan: Plan, written: Written) -> dict[str, str]:
    """Return path → text of the kernel and the schema, below a content folder.

    Raises:
        AnswerError: a tool has no handler.
    """
    modules = {name: text for name, text in written.files.items() if name != SCHEMA}
    schema = written.files.get(SCHEMA, _EMPTY_SCHEMA)
    kernel = f"kernels/{plan.app}"
    return {
        f"{kernel}/tools.json": tools_json(plan.evidence),
        f"{kernel}/__init__.py": _init(plan, written.ids),
        f"{kernel}/tools.py": _tools(plan, modules, table_names(schema)),
        **{f"{kernel}/{name}": text for name, text in modules.items()},
        f"contexts/{plan.app}/schema.py": schema,
    }


def write(files: Mapping[str, str], folder: Path) -> None:
    """Write files below a folder."""
    for relative, text in files.items():
        path = folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def tools_json(evidence: Evidence) -> str:
    """Return tools.json with what the server says of itself and of its tools."""
    wire = evidence.wire
    said: dict[str, Any] = {"server": wire.get("server") or {"name": "unknown", "version": "0"}}
    if wire.get("protocol"):
        said["protocol"] = wire["protocol"]
    tools_capability = (wire.get("capabilities") or {}).get("tools")
    if tools_capability is not None:
        said["capabilities"] = {"tools": tools_capability}
    if wire.get("instructions"):
        said["instructions"] = wire["instructions"]
    said["tools"] = wire["tools"]
    return json.dumps(said, ensure_ascii=False, indent=2) + "\n"


def _init(plan: Plan, ids: Mapping[str, str]) -> str:
    names = ", ".join(sorted({"App", *plan.form.imports}))
    dialect = plan.dialect.partition("(")[0]
    lines = [
        f'"""{_plain(plan.title)}: written by farm synth from recorded calls; read it before you rely on it."""',
        "",
        f"from farm.appkit import {names}",
        f"from farm.appkit.dialects import {dialect}",
        "",
        "from .tools import TOOLS",
        "",
        "APP = App(",
        f"    name={json.dumps(plan.app)},",
        f"    title={json.dumps(_plain(plan.title), ensure_ascii=False)},",
        '    category="other",',
        f"    dialect={plan.dialect},",
        "    tools=TOOLS,",
        *([f"    ids={json.dumps(dict(ids), ensure_ascii=False)},"] if ids else []),
        f"    envelope={plan.form.source},",
        *(["    hidden=True,"] if plan.hidden else []),
        ")",
        "",
    ]
    return "\n".join(lines)


def _plain(text: str) -> str:
    return " ".join(text.replace('"', "'").replace("\\", "/").split())


def _tools(plan: Plan, modules: Mapping[str, str], tables: tuple[str, ...]) -> str:
    where, written, commits = module_of(modules), written_tables(modules, tables), commits_on_error(modules)
    rows, used = [], set()
    has_beside = False
    for tool, handler in plan.handlers.items():
        if handler not in where:
            raise AnswerError(f"no file defines {handler}(), the handler of the tool {tool}")
        module = where[handler]
        used.add(module)
        parts = [json.dumps(tool), f"{module}.{handler}"]
        if names := written[handler]:
            parts.append(f"writes=({_tuple(names)})")
        if tool in commits and names:
            parts.append("commits_on_error=True")
        if (beside := plan.form.beside.get(tool, OWN)) != OWN:
            has_beside = True
            parts.append(f"structured={beside}")
        row = f"    Tool({', '.join(parts)}),"
        rows.append(
            row if len(row) <= _LINE_MAX else "\n".join(["    Tool(", *(f"        {p}," for p in parts), "    ),"])
        )
    imported = "Beside, Tool" if has_beside else "Tool"
    head = [
        '"""Every tool of the server, in its order, with the tables a call may change."""',
        "",
        f"from farm.appkit import {imported}",
        "",
        f"from . import {', '.join(sorted(used))}",
        "",
        "TOOLS = (",
    ]
    return "\n".join([*head, *rows, ")", ""])


def _tuple(names: tuple[str, ...]) -> str:
    listed = ", ".join(map(json.dumps, names))
    return f"{listed}," if len(names) == 1 else listed
