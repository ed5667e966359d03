"""mcp-discord, in front of a stand-in for Discord on this machine, beside ours: the same calls to both.

The stand-in's rows are those of our own tests. Ids hold times, so the messages of those rows are as old as their ids.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from farm.testing import LocalApp
from farm.traverse.fidelity.compare import Mask
from farm.traverse.fidelity.replay import Start
from tests.apps.discord.conftest import rows
from tests.upstream.discord.backend import backend
from tests.upstream.discord.calls import CALLS, ODD_CALLS
from tests.upstream.real import git_checkout, python_with, side_by_side, stand_in

_REPOSITORY, _COMMIT = "https://github.com/hanweg/mcp-discord", "65d089ed46b088acc7f3507cba10c6ca893d0f97"
_NEEDS = {
    "latest": ("mcp==1.1.2", "discord.py==2.4.0", "pydantic==2.10.4", "aiohttp==3.11.11", "anyio==4.7.0"),
    "unpinned": ("mcp==1.30.0", "discord.py==2.4.0", "aiohttp==3.11.11"),
}
_LAUNCH = Path(__file__).with_name("launch.py")
_NOW = datetime(2026, 3, 9, 1, tzinfo=UTC)
_MOMENT = Mask(
    "moment",
    re.compile(r"\(2026-03-09T01:00:00(?P<value>[.\d]*)\+00:00\): "),
    "the stand-in's clock stands still, ours goes on with every call that writes",
)


def _rows() -> tuple[dict[str, Any], ...]:
    def as_old_as_its_id(row: dict[str, Any]) -> dict[str, Any]:
        made_ms = (int(row["message_id"]) >> 22) + 1_420_070_400_000
        return {**row, "sent_ms": made_ms}

    return tuple(as_old_as_its_id(row) if row["table"] == "messages" else row for row in rows())


@pytest.mark.parametrize("profile", _NEEDS)
@pytest.mark.parametrize("calls", [pytest.param(CALLS, id="used"), pytest.param(ODD_CALLS, id="misused")])
def test_the_real_server_and_ours_answer_alike(
    start: Callable[..., LocalApp], tmp_path: Path, calls: list[tuple[str, Any]], profile: str
) -> None:
    checkout, python = git_checkout(_REPOSITORY, _COMMIT), python_with(*_NEEDS[profile])
    given = _rows()

    with stand_in(backend(start("discord", rows=given, me="ada"), _NOW)) as url:
        command = [str(python), str(_LAUNCH), str(checkout / "src" / "discord_mcp" / "server.py")]
        environment = {"STAND_IN": url, "DISCORD_TOKEN": "none", "NO_PROXY": "127.0.0.1", "HOME": str(tmp_path)}
        began = Start(rows=given, me="ada")
        found = side_by_side(
            "discord",
            calls,
            command,
            tmp_path / "ours",
            environment=environment,
            start=began,
            profile=profile,
            at=_NOW,
            masks=[_MOMENT],
        )

    assert found["differences"] == []
    assert (found["compared"], found["agreement"], found["exact"]) == (len(calls), 1.0, 1.0)
    bodies = found["bodies"]
    assert bodies["leaf_equal"] == 1.0 or bodies["lines"] == 0
    # An SDK that checks lets fewer calls through.
    assert (calls, profile) != (CALLS, "latest") or 2 * bodies["lines"] >= len(calls)
