"""The tasks of mcp-farm as a taskset of verifiers, played on a running farm."""

import asyncio
import os
from collections.abc import Iterator

import verifiers.v1 as vf
from mcp_farm_client import Play, tasks

from .toolset import FarmState, FarmToolset

__all__ = ["FarmTaskset"]
_plays: dict[str, Play] = {}


class FarmConfig(vf.TasksetConfig):
    """Where the farm is; without options, in ``FARM_URL`` and ``FARM_TOKEN``."""

    suite: str = "demo"
    url: str = os.environ.get("FARM_URL", "http://127.0.0.1:8701")
    token: str = os.environ.get("FARM_TOKEN", "")
    tools: vf.SharedToolsetConfig = vf.SharedToolsetConfig()


class FarmData(vf.TaskData):
    """A task, and the farm it is played on; the token stays in the configuration."""

    farm: str


class FarmTask(vf.Task[FarmData, FarmState]):
    """One trial: an episode from setup to scoring; the reward is ``acc``, the mean checkpoint score."""

    token: str = ""

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Create the episode, and tell the tool server where it is."""
        play = await asyncio.to_thread(Play, str(self.data.name), url=self.data.farm, token=self.token)
        _plays[trace.id] = play
        trace.state.server = {"url": play.server.url, "headers": dict(play.server.headers)}

    @vf.reward(weight=1.0)
    async def acc(self, trace: vf.Trace) -> float:
        """Grade the last reply and what was changed."""
        line = await asyncio.to_thread(_plays.pop(trace.id).finish, trace.last_reply)
        trace.info["farm"] = {key: line[key] for key in ("outcome", "acc", "checkpoints", "damage")}
        return float(line["acc"])


class FarmTaskset(vf.Taskset[FarmTask, FarmConfig]):
    """Every task of a suite."""

    @classmethod
    def toolsets(cls, config: FarmConfig) -> list[vf.Toolset]:
        """Return the server that forwards calls to each trial's own episode."""
        return [FarmToolset(config.tools)]

    def load(self) -> Iterator[FarmTask]:
        """Yield the tasks."""
        for card in tasks(self.config.suite, url=self.config.url, token=self.config.token):
            told = {"prompt": card.instruction, "system_prompt": card.system, "description": card.title}
            task = FarmTask(FarmData(name=card.task, farm=self.config.url, **told), self.config.task)
            task.token = self.config.token
            yield task
