"""The plugin's errors: the farm cannot do what a test requested, or an app refused a call."""

from __future__ import annotations

from typing import Any

from pytest_mcp_farm._client.errors import McpFarmError

__all__ = ["McpFarmError", "ToolRefusedError"]

McpFarmError.__module__ = __name__  # a failed test shows the name that its author can import


class ToolRefusedError(Exception):
    """An app refused a call; the message is the vendor's.

    Attributes:
        result: the CallToolResult, or ``{"error": {"code", "message"}}`` for a JSON-RPC error.
        hint: what the farm knows beside it, such as the names of other tools; the vendor's text has none of it.
    """

    def __init__(self, app: str, tool: str, text: str, result: dict[str, Any], hint: str | None = None) -> None:
        super().__init__(f"{app} refused {tool}: {text}{f' ({hint})' if hint else ''}")
        self.app, self.tool, self.text, self.result, self.hint = app, tool, text, result, hint
