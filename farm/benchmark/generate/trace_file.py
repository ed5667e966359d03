"""Traces to make tasks from: a list of calls, what ``farm sit`` keeps, or what ``farm run`` writes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from farm._util.json_io import loads
from farm.errors import FarmError


@dataclass(frozen=True)
class Trace:
    """The calls of a trial and its answer."""

    calls: tuple[dict[str, Any], ...]
    answer: str = ""


def read_trace(path: Path, task: str | None = None) -> Trace:
    """Return the last trace of a file, or the last of a task.

    Raises:
        FarmError: the file cannot be read or has no such trace.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeError) as problem:
        raise FarmError(f"{path} cannot be read: {problem}") from None
    found = [each for each in _entries(path, text) if task is None or each.get("task") in (None, task)]
    if not found:
        raise FarmError(f"{path} has no trace{f' of {task}' if task else ''}")
    calls = found[-1].get("calls")
    if not isinstance(calls, list) or not all(_is_call(each) for each in calls):
        raise FarmError(f'{path}: a call is {{"app", "tool", "arguments"}}')
    return Trace(tuple(calls), str(found[-1].get("answer", "")))


def _entries(path: Path, text: str) -> list[dict[str, Any]]:
    try:
        whole = loads(text)
    except ValueError:
        try:
            lines = [loads(line) for line in text.splitlines() if line.strip()]
        except ValueError as problem:
            raise FarmError(f"{path} is no JSON: {problem}") from None
        if all(_is_call(each) for each in lines):
            return [{"calls": lines}]
        return [each for each in lines if isinstance(each, dict)]
    if isinstance(whole, list):
        return [{"calls": whole}]
    return [whole if "calls" in whole else {"calls": [whole]}] if isinstance(whole, dict) else []


def _is_call(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and {"app", "tool", "arguments"} <= value.keys()
        and isinstance(value["arguments"], dict)
    )
