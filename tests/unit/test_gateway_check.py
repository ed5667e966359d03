"""What the gateway judges an episode by."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from farm.context.settings import Settings
from farm.score import expectations
from gateway.episodes import Episodes


class LongCalls(Episodes):
    """An episode whose calls are so long that a page ends after two, whatever limit was asked for.

    Attributes:
        goes_on: whether its agent makes two more while a page is read.
    """

    def __init__(self, calls: list[Any], *, goes_on: bool = False) -> None:
        self._every = calls
        self.goes_on = goes_on

    async def get(self, episode_id: str) -> dict[str, Any]:
        """Return how many calls there are."""
        return {"calls": len(self._every)}

    def settings(self, episode_id: str) -> Settings:
        """Return those of an episode without a world."""
        return Settings(episode_id, None, ("slack",), seed=0, now="2026-03-09T09:00:00+08:00")

    async def diff(self, *_: Any, **__: Any) -> dict[str, Any]:
        """Nothing changed."""
        return {"apps": {}, "churn": {}}

    async def calls(self, *_: Any, after: int, **__: Any) -> list[Any]:
        """Return the next two."""
        if self.goes_on and len(self._every) < 100:
            self._every += [{"n": len(self._every) + 1}, {"n": len(self._every) + 2}]
        return self._every[after:][:2]


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_check_looks_at_all_calls_that_there_are_when_it_begins(
    monkeypatch: pytest.MonkeyPatch, goes_on: bool
) -> None:
    looked_at: list[Any] = []

    def check(body: Any, settings: Any, changes: Any, calls: list[Any]) -> dict[str, Any]:
        looked_at.extend(calls)
        return {}

    monkeypatch.setattr(expectations, "check", check)
    calls = [{"n": number} for number in range(1, 6)]

    asyncio.run(LongCalls([*calls], goes_on=goes_on).check("ep", {"checkpoints": []}))

    assert looked_at[:5] == calls
    # What comes in while they are read may be among them, but nobody is read to the end who never ends.
    assert len(looked_at) <= 6
