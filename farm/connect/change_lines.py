"""Tells a changed row in one line: what it is, where, what was changed, and by which call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from farm.connect.call_summary import differences, placed
from farm.connect.display_names import DisplayNames

_SIGNS = {"insert": "+", "update": "~", "delete": "-"}
_APP_WIDTH = 8


def change_line(app: str, table: str, change: Mapping[str, Any], names: DisplayNames) -> str:
    """Return ``slack    + message in #general: "hello" (call 3)``.

    Args:
        change: a row of a diff, with ``op``, ``key``, ``old``, ``new`` and ``call``.
    """
    row = change["new"] or change["old"]
    known = names.told(table, row) or names.person_of(table, row) or names.other_of(table, row)
    known = known or orjson.dumps(change["key"]).decode()
    said = f'{app:<{_APP_WIDTH}} {_SIGNS[change["op"]]} {names.one(table)}{placed(table, row, names)}: "{known}"'
    if change["op"] == "update":
        said += differences(table, change, names)
    elif change["op"] == "insert" and (at := names.starts(table, row)):
        said += f", {at}"
    return said + (f" (call {change['call']})" if change.get("call") else "")


def reverted_line(app: str, table: str, reverted: Mapping[str, Any]) -> str:
    """Return a line for a row that was changed and is as it was: its key, and the calls."""
    steps = ", ".join(f"{step['op']} by call {step['call']}" for step in reverted["steps"])
    columns = f"{', '.join(reverted['columns'])}: " if reverted["columns"] else ""
    return f"{app:<{_APP_WIDTH}} = {table} {orjson.dumps(reverted['key']).decode()} reverted; {columns}{steps}"
