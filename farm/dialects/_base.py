"""What every dialect offers, and the one exception they all raise."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

Check = Callable[[Any], dict[str, Any]]
"""Raw arguments (``None`` when the key was absent) → cleaned arguments for the handler, or raises ArgumentsRefused."""

TOO_DEEP = "Invalid arguments: nested too deeply to be checked"

_LONE_SURROGATES = re.compile("[\ud800-\udfff]")


class ArgumentsRefused(Exception):
    """Arguments, or a tool name, that the real server's SDK would not pass on.

    Attributes:
        message: the wording of the real server's SDK.
        code: None for a result with text ``message``; otherwise the code of a JSON-RPC error.
        is_error: what such a result says of ``isError``; None where it looks like a success.
    """

    def __init__(self, message: str, *, code: int | None, is_error: bool | None = True) -> None:
        # A caller's half surrogate pair can be quoted in a message, and such a string cannot be written as UTF-8.
        self.message = _LONE_SURROGATES.sub("\ufffd", message)
        self.code = code
        self.is_error = is_error
        super().__init__(self.message)


class Dialect(Protocol):
    """How one family of real servers checks arguments and words what is wrong with them."""

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool, once, from its inputSchema."""
        ...

    def unknown_tool(self, tool: str) -> ArgumentsRefused:
        """The answer to a call of a tool that does not exist."""
        ...
