"""The tasks of mcp-farm as a taskset of verifiers, played on a running farm."""

import asyncio
import os
from collections.abc import Iterator

import verifiers.v1 as vf
from mcp_farm_client import Play, tasks
from verifiers.v1.tasksets.nemo_gym.toolset import NeMoGymState, NeMoGymToolset

__all__ = ["FarmTaskset"]
_plays: dict[str, Play] = {}


class FarmTaskConfig(vf.TaskConfig):
    """Where the farm is; without options, in ``FARM_URL`` and ``FARM_TOKEN``."""

    url: str = os.environ.get("FARM_URL", "http://127.0.0.1:8701")
    token: str = os.environ.get("FARM_TOKEN", "")


class FarmConfig(vf.TasksetConfig):
    """The suite, the farm, and the process that forwards calls to it."""

    suite: str = "demo"
    task: FarmTaskConfig = FarmTaskConfig()
    tools: vf.SharedToolsetConfig = vf.SharedToolsetConfig()


class FarmTask(vf.Task[vf.TaskData, NeMoGymState, FarmTaskConfig]):
    """One trial: an episode from setup to scoring; the reward is ``acc``, the mean checkpoint score."""

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Create the episode, and tell the tool server where it is."""
        farm = {"url": self.config.url, "token": self.config.token}
        play = _plays[trace.id] = await asyncio.to_thread(Play, str(self.data.name), **farm)
        trace.state.mcp_url, trace.state.mcp_headers = play.server.url, dict(play.server.headers)

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
        """Return the tool server for NeMo Gym: it adds headers, which verifiers hands no harness."""
        return [NeMoGymToolset(config.tools)]

    def load(self) -> Iterator[FarmTask]:
        """Yield the tasks."""
        for card in tasks(self.config.suite, url=self.config.task.url, token=self.config.task.token):
            told = {"prompt": card.instruction, "system_prompt": card.system, "description": card.title}
            yield FarmTask(vf.TaskData(name=card.task, **told), self.config.task)
