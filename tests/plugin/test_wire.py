"""What the plugin asks of a farm's control API, answered by a list in its place."""

from __future__ import annotations

from typing import Any

from pytest_mcp_farm.wire import Farm, WireSession

MADE = {"id": "ep", "token": "t", "me": "mia", "apps": ["slack"], "mcp": {"slack": "http://127.0.0.1:1/mcp/slack"}}


class ShortPages(Farm):
    """A farm whose calls are so long that a page ends after two, whatever limit was asked for."""

    def __init__(self, calls: list[dict[str, Any]]) -> None:
        self._calls = calls

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Answer ``GET …/calls``."""
        return self._calls[query["after"] :][:2]


def test_a_trace_of_long_calls_is_read_to_its_end() -> None:
    calls = [{"n": number, "tool": "slack_post_message", "refused": False} for number in range(1, 6)]

    assert WireSession(ShortPages(calls), MADE).calls() == calls
