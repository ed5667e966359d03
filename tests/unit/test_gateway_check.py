"""What the gateway judges an episode by."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from farm.context.settings import Settings
from farm.score import expectations
from gateway.episodes import Episodes


class LongCalls(Episodes):
    """An episode whose calls are so long that a page ends after two, whatever limit was asked for."""

    def __init__(self, calls: list[Any]) -> None:
        self._every = calls

    def settings(self, episode_id: str) -> Settings:
        """Return those of an episode without a world."""
        return Settings(episode_id, None, ("slack",), seed=0, now="2026-03-09T09:00:00+08:00")

    async def diff(self, *_: Any, **__: Any) -> dict[str, Any]:
        """Nothing changed."""
        return {"apps": {}, "churn": {}}

    async def calls(self, *_: Any, after: int, **__: Any) -> list[Any]:
        """Return the next two."""
        return self._every[after:][:2]


def test_a_check_looks_at_all_calls_also_where_they_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[Any] = []

    def check(body: Any, settings: Any, changes: Any, calls: list[Any]) -> dict[str, Any]:
        looked_at.extend(calls)
        return {}

    monkeypatch.setattr(expectations, "check", check)
    calls = [{"n": number} for number in range(1, 6)]

    asyncio.run(LongCalls(calls).check("ep", {"checkpoints": []}))

    assert looked_at == calls
