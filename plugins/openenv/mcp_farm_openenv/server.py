"""The tasks of mcp-farm as an OpenEnv server: ``uvicorn mcp_farm_openenv.server:app``."""

import os
from typing import Any

from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation, ListToolsObservation, Tool
from openenv.core.env_server.types import Observation, State

from farm.play import TaskEnvironment


class Started(Observation):
    """What the agent is told at the start of a task."""

    task: str
    system: str
    instruction: str


class FarmEnvironment(Environment):
    """One task an episode: tool calls, and ``submit`` with the answer; its reward is the mean checkpoint score."""

    SUPPORTS_CONCURRENT_SESSIONS = True
    state = State()

    def __init__(self) -> None:
        """Play the tasks of the suite in ``FARM_SUITE``."""
        super().__init__()
        self._tasks = TaskEnvironment(os.environ.get("FARM_SUITE", "demo"))

    def reset(self, seed: int | None = None, task: str | None = None, **more: Any) -> Started:
        """Start a task, named SUITE/TASK, or one that the seed chooses."""
        play = self._tasks.reset(seed, task)
        self.state = State(episode_id=more.get("episode_id") or play.trial, step_count=0)
        return Started(task=f"{play.task.suite}/{play.task.id}", system=play.system, instruction=play.instruction)

    def step(self, action: Any, **_: Any) -> Observation:
        """List the tools or call one."""
        if action.type == "list_tools":
            return ListToolsObservation(tools=[Tool(**tool) for tool in self._tasks.tools("anthropic")])
        self.state.step_count += 1
        step = self._tasks.step(action.tool_name, action.arguments)
        told = {"result": step.verdict or step.text, "reward": step.reward, "done": step.is_last}
        return CallToolObservation(tool_name=action.tool_name, **told)

    def close(self) -> None:
        """Remove the episode, if there is one."""
        self._tasks.close()


app = create_app(FarmEnvironment, CallToolAction, CallToolObservation, env_name="mcp-farm", max_concurrent_envs=256)
