"""Propose values that may change from run to run, from repeated calls; a person declares them as masks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from farm.traverse.recordings.calls import text_of
from farm.traverse.recordings.text_difference import around, first_difference

_EXAMPLES_MAX = 3

Line = Mapping[str, Any]


def candidates(lines: Iterable[Line], tools: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return tools that answered equal calls differently without a write between, with both texts at the difference.

    A person decides whether that is a generated value: if the server does not declare its reading tools, it may be
    state.

    Args:
        lines: a pool's lines, traces in order.
        tools: the server's, as ``tools/list`` has them.
    """
    readers = {str(tool["name"]) for tool in tools if (tool.get("annotations") or {}).get("readOnlyHint") is True}
    found: dict[str, dict[str, Any]] = {}
    for _, trace in groupby(lines, key=lambda line: line["trace"]):
        answers: dict[str, str] = {}
        for line in trace:
            tool, is_success = line["tool"], line["verdict"] == "success"
            is_writer = tool not in readers
            key = json.dumps([tool, line.get("arguments")], sort_keys=True)
            text = text_of(line["result"])
            # If a server declares its reading tools, the other tools write, and their answers to equal calls may
            # differ.
            if is_success and answers.get(key, text) != text and not (readers and is_writer):
                _note(found, line, answers[key], text)
            if is_success and is_writer:
                answers.clear()
            if is_success:
                answers[key] = text
    return list(found.values())


def _note(found: dict[str, dict[str, Any]], line: Line, before: str, after: str) -> None:
    each = found.setdefault(line["tool"], {"tool": line["tool"], "calls": 0, "seen": []})
    each["calls"] += 1
    if len(each["seen"]) < _EXAMPLES_MAX:
        at = first_difference(before, after)
        place = f"{line['trace']}.{line['step']}"
        each["seen"].append({"call": place, "first": around(before, at), "then": around(after, at)})
