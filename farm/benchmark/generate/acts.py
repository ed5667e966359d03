"""Writing calls of a chain: a unit's example with its ids, texts and moments filled in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from farm import content
from farm.appkit.column_vocabulary import Role
from farm.benchmark.generate.answers import leaves_of, with_value
from farm.benchmark.generate.units import ID, PAYLOAD, Argument, Unit

_SENTENCE_END = re.compile(r"(?<=[.。])\s|(?<=。)")


def role_of(app: str, column: str) -> Role | None:
    """Return the declared role of a column, ``messages.text``."""
    table, _, name = column.partition(".")
    return content.load_app(app).schema.roles.get(table, {}).get(name)


def payload_of(app: str, unit: Unit, role: Role) -> Argument | None:
    """Return the argument that is stored in a column of a role, in the first table that the unit writes."""
    for argument in unit.of_role("payload"):
        if any(
            column.partition(".")[0] == unit.writes[0] and role_of(app, column) == role for column in argument.columns
        ):
            return argument
    return None


def column_of(unit: Unit, argument: Argument) -> str:
    """Return the column, in the unit's first table, where an argument arrives."""
    return next(each.partition(".")[2] for each in argument.columns if each.startswith(f"{unit.writes[0]}."))


def filled_act(
    app: str, unit: Unit, name: str, ids: Mapping[str, Any], payloads: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return a writing call.

    Args:
        name: its name, ``as``.
        ids: argument → the expression that it gets.
        payloads: argument → the text; a text inside of JSON is escaped.

    Raises:
        ValueError: an id or a payload of the example is not given.
    """
    arguments: Any = _open_items(unit.example)
    for path, value in leaves_of(arguments):
        if value == ID:
            arguments = with_value(arguments, path, ID, _given(ids, path))
        elif isinstance(value, str) and PAYLOAD in value:
            text = _given(payloads or {}, path)
            written = json.dumps(text, ensure_ascii=False)[1:-1] if value != PAYLOAD else text
            arguments = with_value(arguments, path, value, value.replace(PAYLOAD, written))
    return {"app": app, "tool": unit.tool, "arguments": arguments, "as": name}


def _open_items(value: Any) -> Any:
    """Return an example whose lists keep of their items only those with an open id, where there are any.

    The others, such as a second guest, would be told nowhere.
    """
    if isinstance(value, Mapping):
        return {name: _open_items(each) for name, each in value.items()}
    if not isinstance(value, list):
        return value
    items = [_open_items(each) for each in value]
    return [each for each in items if any(inner == ID for _, inner in leaves_of({"": each}))] or items


def _given(values: Mapping[str, Any], path: str) -> Any:
    if path not in values:
        raise ValueError(f"nothing is given for {path}")
    return values[path]


def notifying(app: str, unit: Unit) -> bool:
    """Return whether other people are told at once of what a unit writes."""
    return bool(unit.writes) and unit.writes[0] in content.load_app(app).schema.notifies


def open_ids(unit: Unit) -> Sequence[Argument]:
    """Return the ids that a writing unit's example leaves open."""
    held = {path for path, value in leaves_of(unit.example) if value == ID}
    return [each for each in unit.of_role("id") if each.path in held]


def deed_of(app: str, tool: str) -> str:
    """Return what a tool does, in the first sentence of its description: what a prototype says instead of its name."""
    schemas = content.load_app(app).tool_schemas
    described = next((each.get("description") or "" for each in schemas if each["name"] == tool), "")
    sentence = _SENTENCE_END.split(" ".join(described.split()))[0].strip().rstrip(".。")
    return sentence.replace("{", "(").replace("}", ")") or tool
