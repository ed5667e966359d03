"""The oracle of a task, played by the client's play on a farm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from mcp_farm_client import Play

from farm._util.json_io import dumps, loads
from farm.benchmark.agents.base import Session
from farm.benchmark.agents.scripted import rendered, run_script, with_sheet
from farm.benchmark.scoring.expectations import require_task
from farm.play import joint_name


@dataclass
class _ByName:
    """Makes a script's calls as a model makes them: by joint name."""

    play: Play

    def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.play.call(joint_name(app, tool), arguments).result


def finish_by_oracle(play: Play) -> dict[str, Any]:
    """Make the calls of the task's script and return the trial's line."""
    task = require_task(play.task)
    turns = run_script(task.oracle, cast(Session, _ByName(play)), task.world)
    answer = rendered(task.oracle_answer, task.world)
    return play.finish(with_sheet(answer, task) if play.card.answers == "sheet" else answer, turns=turns)


def comparable(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return a line as JSON, without what differs between two trials of the same calls: ids and wall times."""
    kept: dict[str, Any] = loads(dumps({name: value for name, value in line.items() if name not in ("id", "time_s")}))
    for call in kept["calls"]:
        del call["started_at"], call["ended_at"]
    return kept
