"""Task files as text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEAD = (
    "id",
    "title",
    "world",
    "me",
    "now",
    "apps",
    "category",
    "calls_max",
    "instruction",
    "necessary",
    "unnecessary",
    "pace",
    "arrivals",
    "turns",
    "world_people",
)
# Of these, an empty list says something else than none.
_EMPTY_TOO = ("compared_by_name",)
_TABLES = (
    "faults",
    "people",
    "rows",
    "checkpoints",
    "allow",
    "oracle",
    "near_misses",
    "variants",
    "known_survivors",
)
_LINE_MAX = 110


def task_text(task: Mapping[str, Any]) -> str:
    """Return the text of a task's file, in the order in which people read it."""
    lines = [f"{name} = {toml_value(task[name])}" for name in _HEAD if task.get(name) not in (None, [], ())]
    lines += [f"{name} = {toml_value(task[name])}" for name in _EMPTY_TOO if task.get(name) is not None]
    if task.get("oracle_answer"):
        lines.append(f"oracle_answer = {toml_value(task['oracle_answer'])}")
    for name in ("lookups", "user"):
        if task.get(name):
            lines += ["", f"[{name}]", *(f"{_key(key)} = {toml_value(each)}" for key, each in task[name].items())]
    for name in _TABLES:
        for each in task.get(name, ()):
            lines += ["", f"[[{name}]]", *_table(each)]
    return "\n".join(lines) + "\n"


def _table(table: Mapping[str, Any]) -> Iterator[str]:
    for name, value in table.items():
        line = f"{_key(name)} = {toml_value(value)}"
        if name == "calls" and len(line) > _LINE_MAX and len(value) > 1:
            yield f"{name} = ["
            yield from (f"    {toml_value(each)}," for each in value)
            yield "]"
        else:
            yield line


def toml_value(value: Any) -> str:
    """Return a value on one line of TOML.

    Raises:
        TypeError: TOML has no such value, such as None.
    """
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case Mapping():
            inner = ", ".join(f"{_key(name)} = {toml_value(each)}" for name, each in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case list() | tuple():
            return f"[{', '.join(map(toml_value, value))}]"
    raise TypeError(f"TOML has no {type(value).__name__}")


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)
