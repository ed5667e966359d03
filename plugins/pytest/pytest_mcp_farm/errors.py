"""What can go wrong in a test: the farm cannot do what was asked, or an app refused."""

from __future__ import annotations

from typing import Any


class FarmProblem(Exception):
    """What was asked of the farm cannot be done; the message is one line that names the thing and the way out."""


class ToolRefused(Exception):
    """An app refused a call; the message is what the vendor says.

    Attributes:
        result: the CallToolResult, or ``{"error": {"code", "message"}}`` for a JSON-RPC error.
    """

    def __init__(self, app: str, tool: str, text: str, result: dict[str, Any]) -> None:
        super().__init__(f"{app} refused {tool}: {text}")
        self.app, self.tool, self.text, self.result = app, tool, text, result
