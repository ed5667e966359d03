"""Parse answers into data."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from farm.traverse.recordings.calls import text_of
from farm.traverse.tree.pool_calls import PoolCall, PoolCalls
from farm.traverse.tree.prose import labels_of, read_text

_WRAPPERS = ("result", "value")
# Keys that wrap an object, and the keys beside them.
_HOLD = ("data", "attributes", "node")
_LABEL = ("kind", "type", "__typename")


class AnswerParser:
    """The answers of a pool as JSON values; the labels in a tool's prose are learnt once from all of it."""

    def __init__(self, pool: PoolCalls) -> None:
        texts: defaultdict[str, list[str]] = defaultdict(list)
        for call in pool.calls:
            if call.is_success:
                texts[call.tool].append(text_of(call.result))
        self._labels = {tool: labels_of(found) for tool, found in texts.items()}
        self._read: dict[int, Any] = {}
        # Keys that named the kind of the object beside them.
        self.said_kinds: set[str] = set()

    def parse(self, call: PoolCall) -> Any:
        """Return the data of an answer."""
        if call.line not in self._read:
            self._read[call.line] = unwrapped(self._body(call), self.said_kinds)
        return self._read[call.line]

    def _body(self, call: PoolCall) -> Any:
        structured = call.result.get("structuredContent")
        if isinstance(structured, dict) and len(structured) == 1:
            ((name, only),) = structured.items()
            # SDKs and servers wrap values that are not objects in one.
            if name in _WRAPPERS or (isinstance(only, str) and only == text_of(call.result)):
                structured = only
        if structured is not None and not isinstance(structured, str):
            return structured
        text = structured if isinstance(structured, str) else text_of(call.result)
        try:
            return json.loads(text)
        except ValueError:
            return read_text(text, self._labels.get(call.tool, frozenset()), call.named)


def unwrapped(value: Any, said: set[str]) -> Any:
    """Return a value without wrappers that only name the kind of another object, as ``{"kind": …, "data": {…}}``.

    Args:
        said: receives the keys that name a kind.
    """
    if isinstance(value, list):
        return [unwrapped(each, said) for each in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 2:
        inner = next((name for name in _HOLD if isinstance(value.get(name), dict)), None)
        label = next((name for name in _LABEL if isinstance(value.get(name), str)), None)
        if inner is not None and label is not None:
            said.add(label)
            return {label: value[label], **unwrapped(value[inner], said)}
    return {name: unwrapped(each, said) for name, each in value.items()}
