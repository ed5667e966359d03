"""The tasks of mcp-farm as an OpenEnv server: ``uvicorn mcp_farm_openenv.server:app``."""

import os
import random
from typing import Any

from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation, ListToolsObservation, Tool
from openenv.core.env_server.types import Observation, State

from farm.play import Play, tasks

TEXT = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
SUBMIT = Tool(name="submit", description="Give your final answer, which ends the task.", input_schema=TEXT)


class Started(Observation):
    """What the agent is told at the start of a task."""

    task: str
    system: str
    instruction: str


class FarmEnvironment(Environment):
    """One task an episode: tool calls, and ``submit`` with the answer; its reward is the mean checkpoint score."""

    SUPPORTS_CONCURRENT_SESSIONS = True
    state = State()
    _play: Play | None = None

    def reset(self, seed: int | None = None, task: str | None = None, **more: Any) -> Started:
        """Start a task, named SUITE/TASK, or one that the seed chooses."""
        self.close()
        name = task or random.Random(seed).choice(tasks(os.environ.get("FARM_SUITE", "demo"))).task
        play = self._play = Play(name, seed or 0)
        self.state = State(episode_id=more.get("episode_id") or play.trial, step_count=0)
        return Started(task=name, system=play.system, instruction=play.instruction)

    def step(self, action: Any, **_: Any) -> Observation:
        """List the tools, call one, or grade the answer."""
        if action.type == "list_tools":
            found = self._play.tools("anthropic") if self._play else []
            return ListToolsObservation(tools=[*(Tool(**each) for each in found), SUBMIT])
        if self._play is None:
            raise ValueError("no task is running; reset first")
        self.state.step_count += 1
        if action.tool_name != "submit":
            text = self._play.call(action.tool_name, action.arguments).text
            return CallToolObservation(tool_name=action.tool_name, result=text, reward=0.0)
        line = self._play.finish(str(action.arguments.get("answer", "")))
        kept = {key: line[key] for key in ("outcome", "acc", "checkpoints", "damage")}
        return CallToolObservation(tool_name="submit", result=kept, reward=line["acc"], done=True)

    def close(self) -> None:
        """Remove the episode, if there is one."""
        if self._play is not None:
            self._play.close()


app = create_app(FarmEnvironment, CallToolAction, CallToolObservation, env_name="mcp-farm", max_concurrent_envs=256)
