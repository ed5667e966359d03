"""The plugin's interface to an episode, in this process or on another farm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from pytest_mcp_farm._client.wire import Diff


class Session(Protocol):
    """One episode. Times are RFC 3339 texts; every method may raise ``McpFarmError``."""

    id: str
    token: str | None
    me: str | None
    apps: tuple[str, ...]

    def url(self, app: str) -> str:
        """Return the URL of an app's MCP server."""

    def url_of_all(self) -> str:
        """Return the URL of one MCP server with the tools of all apps."""

    def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
        """Return a call's result, and whether it was refused."""

    def as_(self, person: str) -> Session:
        """Return the same episode as another person uses it: with their token and their apps."""

    def tools(self, app: str) -> list[dict[str, Any]]:
        """Return the app's tools as ``tools/list`` answers."""

    def diff(self, since: str) -> Diff:
        """Return the changes since the start or a snapshot."""

    def calls(self) -> list[dict[str, Any]]:
        """Return the trace."""

    def rows(self, app: str, table: str) -> list[dict[str, Any]]:
        """Return every row of a table."""

    def people(self) -> list[dict[str, Any]]:
        """Return every person of the world."""

    def check(self, expectations: Mapping[str, Any]) -> dict[str, Any]:
        """Return the verdict on checkpoints, and the other changes."""

    def now(self) -> str:
        """Return the simulated time."""

    def move(self, move: Mapping[str, Any]) -> tuple[str, list[dict[str, Any]]]:
        """Move the simulated time, as the control API takes it; return it and what arrived."""

    def answers(self) -> dict[str, Any]:
        """Return the ``rules`` of people who answer, what is ``waiting``, and what people ``acted``."""

    def add_person_rule(self, rule: Mapping[str, Any]) -> dict[str, Any]:
        """Let a person answer by a rule, and return the rule with its id."""

    def faults(self) -> list[dict[str, Any]]:
        """Return every planned fault with its counts."""

    def add_fault(self, app: str, rule: Mapping[str, Any]) -> dict[str, Any]:
        """Plan a fault and return it."""

    def heal_fault(self, app: str, fault: str) -> dict[str, Any]:
        """End a planned fault and return it."""

    def renew_token(self) -> str:
        """Issue a new bearer in place of the episode's, and return it."""

    def snapshot(self, name: str | None) -> str:
        """Save a snapshot over all apps and return its name."""

    def restore(self, name: str) -> None:
        """Restore rows, calls and clock from a snapshot."""

    def fork(self, snapshot: str | None) -> Session:
        """Return a copy of the current state or of a snapshot."""

    def close(self) -> None:
        """Drop the episode."""


class Backend(Protocol):
    """Creates episodes.

    Attributes:
        where: its description, for people.
    """

    where: str

    def create(self, wishes: Mapping[str, Any]) -> Session:
        """Create an episode; ``wishes`` are the keys of the control API's create request."""

    def task(self, name: str) -> dict[str, Any]:
        """Return a task's instruction and the episode it needs."""

    def close(self) -> None:
        """Stop everything that it started."""
