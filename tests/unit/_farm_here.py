"""A farm in the process of a test, as a run meets it: its control API and its tools without a wire between."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.benchmark.agents.base import Assignment, Result
from farm.benchmark.runner import farm_address, listed_tools
from farm.benchmark.runner.in_process_farm import LocalFarm, LocalSession
from farm.context.changes import Changes
from farm.context.trace import Call


class FarmHere:
    """The address of a farm, and every client of it.

    Attributes:
        created: what each episode was asked for with, oldest first.
        sessions: id → episode, of those that were not dropped.
        clients: how many clients were not closed.
        callers: how many connections to tools were not closed.
    """

    def __init__(self, data: Path) -> None:
        self._farm = LocalFarm(data)
        self.created: list[dict[str, Any]] = []
        self.sessions: dict[str, LocalSession] = {}
        self.clients = self.callers = 0

    def stand_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Answer whoever calls tools over MCP."""
        monkeypatch.setattr(farm_address, "McpCaller", lambda: _Caller(self))
        monkeypatch.setattr(listed_tools, "mcp_tools", self.tools)
        monkeypatch.setattr(farm_address, "mcp_tools", self.tools)

    def client(self) -> Any:
        self.clients += 1
        return self

    def close(self) -> None:
        self.clients -= 1

    def end(self) -> None:
        """Close every file."""
        self._farm.close()

    def episodes(self) -> list[Any]:
        return []

    def create(self, **wishes: Any) -> dict[str, Any]:
        self.created.append(wishes)
        kept = {name: each for name, each in wishes.items() if name not in ("world", "apps", "label", "expires_at")}
        session = self._farm.create(wishes["world"], wishes.get("apps", content.app_names()), **kept)
        self.sessions[session.id] = session
        urls = {app: f"http://here/{session.id}/{app}" for app in session.settings.apps}
        return {"id": session.id, "now": session.now, "token": f"bearer of {session.id}", "mcp": urls}

    def at(self, url: str, token: str | None) -> tuple[LocalSession, str]:
        """Return episode and app of an address, which opens to its bearer alone."""
        *_, episode, app = url.split("/")
        assert token == f"bearer of {episode}"
        return self.sessions[episode], app

    def tools(self, url: str, token: str | None = None) -> list[dict[str, Any]]:
        session, app = self.at(url, token)
        return list(content.load_app(app).in_profile(session.settings.profile).tool_schemas)

    def changes(self, episode_id: str) -> Changes:
        return self.sessions[episode_id].changes()

    def calls(self, episode_id: str) -> list[Call]:
        return self.sessions[episode_id].calls()

    def episode(self, episode_id: str) -> dict[str, Any]:
        return {"over_limit": self.sessions[episode_id].over_limit()}

    def drop(self, episode_id: str) -> None:
        self.sessions.pop(episode_id).close()


class _Caller:
    def __init__(self, farm: FarmHere) -> None:
        self._farm = farm
        farm.callers += 1

    def call(self, url: str, tool: str, arguments: Mapping[str, Any], token: str | None) -> dict[str, Any]:
        session, app = self._farm.at(url, token)
        return session.call(app, tool, arguments)

    def close(self) -> None:
        self._farm.callers -= 1


class Acting:
    """An agent that does what a function does, and remembers what it was given."""

    name = "acting"
    is_sealed = False
    connects = False

    def __init__(self, act: Callable[[Assignment], Result] = lambda _: Result("")) -> None:
        self._act = act
        self.jobs: list[Assignment] = []

    def about(self) -> dict[str, Any]:
        return {"version": 7}

    def play(self, job: Assignment) -> Result:
        self.jobs.append(job)
        return self._act(job)
