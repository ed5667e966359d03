"""The output of a failed assertion: the calls and the rows they changed, as tables."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pytest_mcp_farm._client.wire import Diff

_CALLS_MAX = 40
_ROWS_MAX = 40
_CELL_MAX = 72
_OPS = {"insert": "created", "update": "updated", "delete": "deleted"}


def failure(why: str, calls: Sequence[Mapping[str, Any]], diff: Diff, names: Mapping[str, str] | None = None) -> str:
    """Return the reason of a failure with the calls and the changes.

    Args:
        names: id → the name of what it is, which is written behind the id.
    """
    return "\n\n".join([_named(why, names or {}), trace(calls, names or {}), changes(diff, names or {})])


def _named(text: str, names: Mapping[str, str]) -> str:
    """Return a text with the names of its ids."""
    known = [each for each in names if each in text]
    if not known:
        return text
    pattern = re.compile("|".join(map(re.escape, sorted(known, key=len, reverse=True))))
    return pattern.sub(lambda found: f"{found[0]} ({names[found[0]]})", text)


def trace(calls: Sequence[Mapping[str, Any]], names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the calls as a table; of many calls, only the latest."""
    if not calls:
        return "no tool was called"
    shown = calls[-_CALLS_MAX:]
    left = f", of which the last {len(shown)}" if len(shown) < len(calls) else ""
    rows = [
        (f"#{each['n']}", each["app"], each["tool"], _named(short(each["arguments"]), names), outcome(each))
        for each in shown
    ]
    return f"{_count(len(calls), 'tool call')}{left}:\n{_table(rows)}"


def outcome(call: Mapping[str, Any]) -> str:
    """Return a call's outcome in a few words."""
    if call["refused"]:
        planned = f" (planned: {call['fault']})" if call.get("fault") else ""
        return f"refused{planned}: {short(text_of(call.get('result', {})))}"
    return "wrote" if call["wrote"] else "read"


def changes(diff: Diff, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the changed rows as a table: the values of a created or deleted row, and the changes of an updated one."""
    every = [(f"{app}.{table}", row) for app, tables in diff.items() for table, rows in tables.items() for row in rows]
    if not every:
        return "no row changed"
    left = f", of which the first {_ROWS_MAX}" if len(every) > _ROWS_MAX else ""
    rows = [
        (name, _OPS[row["op"]], _named(_key(row["key"]), names), _named(_what(row), names))
        for name, row in every[:_ROWS_MAX]
    ]
    return f"{_count(len(every), 'row')} changed{left}:\n{_table(rows)}"


def _what(row: Mapping[str, Any]) -> str:
    old, new = row["old"] or {}, row["new"] or {}
    if row["op"] == "update":
        return ", ".join(
            f"{name}: {short(old.get(name))} → {short(new[name])}" for name in new if new[name] != old.get(name)
        )
    held = {
        name: value for name, value in (new or old).items() if value not in (None, "", 0) and name not in row["key"]
    }
    return short(", ".join(f"{name}={short(value, 40)}" for name, value in held.items()), 160)


def _key(key: Mapping[str, Any]) -> str:
    return short("/".join(str(value) for value in key.values()), 44)


def text_of(result: Mapping[str, Any]) -> str:
    """Return the text of a result."""
    if "error" in result:
        return str(result["error"].get("message", result["error"]))
    return "\n".join(str(item["text"]) for item in result.get("content", ()) if item.get("type") == "text")


def short(value: Any, most: int = _CELL_MAX) -> str:
    """Return a value on one line, truncated to ``most`` characters."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _table(rows: Iterable[Sequence[str]]) -> str:
    """Return rows in aligned columns; the last column is not padded."""
    every = list(rows)
    widths = [max(map(_width, column)) for column in zip(*every, strict=True)][:-1]
    return "\n".join("  " + "  ".join([*map(_padded, row, widths), row[-1]]) for row in every)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)
