"""Tokens, estimated: what a list of tools or an answer costs in a model's context.

A token is taken as four bytes of UTF-8, which fits English and JSON well and Chinese within a third. What a client
sends its model differs from client to client, and so do tokenizers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

_BYTES_PER_TOKEN = 4
# What a model is told of a tool.
_TOLD = ("name", "description", "inputSchema")


def estimate(data: bytes) -> int:
    """Return about how many tokens some text or JSON is."""
    return len(data) // _BYTES_PER_TOKEN


def estimate_tools(tools: Iterable[Mapping[str, Any]]) -> int:
    """Return about how many tokens a tool list costs in every request."""
    return estimate(orjson.dumps([{key: tool[key] for key in _TOLD if key in tool} for tool in tools]))
