"""The request for an answer sheet, which follows the instruction of a task that has one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import Any

from farm.benchmark.tasks import Task
from farm.benchmark.tasks.sheet_fields import kind_of_field

REQUEST = "sheet-1"
_FORMS = {
    "number": ("0", "a number"),
    "date": ("YYYY-MM-DD", "a date"),
    "clock": ("HH:MM", "a local time of day, from 00:00 to 23:59"),
    "id": ("…", "an identifier, as it is written"),
    "person": ("…", "a person's full name"),
    "choice": ("…", "a name, and nothing else"),
    "text": ("…", "a text"),
}


def _template() -> str:
    return files(__name__).joinpath(f"{REQUEST}.md").read_text("utf-8").strip()


def fingerprint() -> str:
    """Return a hash of the request's text, for a run's manifest."""
    return hashlib.sha256(_template().encode()).hexdigest()[:16]


def request_for(task: Task) -> str:
    """Return the request for the answer sheet of a task: names and types of its fields; empty if it has none."""
    if not task.sheet:
        return ""
    example = {name: _example(raw) for name, raw in task.sheet.items()}
    fields = [f"- `{name}`: {_form(raw)}" for name, raw in task.sheet.items()]
    return Template(_template()).substitute(
        example=json.dumps(example, ensure_ascii=False, indent=2), fields="\n".join(fields)
    )


def _example(raw: Mapping[str, Any]) -> Any:
    kind = str(kind_of_field(raw))
    shown: Any = 0 if kind == "number" else _FORMS[kind][0]
    # Two items, whatever the number of values: the example gives nothing away.
    return [shown, shown] if raw.get("all") else shown


def _form(raw: Mapping[str, Any]) -> str:
    words = _FORMS[str(kind_of_field(raw))][1]
    units = raw.get("unit") or ""
    unit = units if isinstance(units, str) else units[0]
    if unit:
        words += f", in {unit}"
    if "options" in raw:
        words = f"one of {', '.join(json.dumps(each, ensure_ascii=False) for each in raw['options'])}"
    return f"a list, of any length; each item is {words}" if raw.get("all") else words
