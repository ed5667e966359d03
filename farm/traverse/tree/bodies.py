"""What an answer says, as data."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from farm.traverse.calls import text_of
from farm.traverse.tree.calls import Pool, PoolCall
from farm.traverse.tree.prose import labels_of, read_text

_WRAPPERS = ("result", "value")
# What holds an object, and what stands beside it.
_HOLD = ("data", "attributes", "node")
_LABEL = ("kind", "type", "__typename")


class Bodies:
    """The answers of a pool as values of JSON's kinds; what a tool's prose repeats is learnt once from all of it."""

    def __init__(self, pool: Pool) -> None:
        texts: defaultdict[str, list[str]] = defaultdict(list)
        for call in pool.calls:
            if call.is_success:
                texts[call.tool].append(text_of(call.result))
        self._labels = {tool: labels_of(found) for tool, found in texts.items()}
        self._read: dict[int, Any] = {}
        # Members that said of what kind the object beside them is.
        self.said_kinds: set[str] = set()

    def of(self, call: PoolCall) -> Any:
        """Return what the answer to a call says."""
        if call.line not in self._read:
            self._read[call.line] = unwrapped(self._body(call), self.said_kinds)
        return self._read[call.line]

    def _body(self, call: PoolCall) -> Any:
        structured = call.result.get("structuredContent")
        if isinstance(structured, dict) and len(structured) == 1:
            ((name, only),) = structured.items()
            # What is no object is wrapped in one, by SDKs and by hand.
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
    """Return a value without the objects that only say of what kind another one is, as ``{"kind": …, "data": {…}}``.

    Args:
        said: takes the names of the members that say so.
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
