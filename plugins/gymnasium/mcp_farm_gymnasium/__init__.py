"""The tasks of mcp-farm as a Gymnasium environment: an action is a tool call or the answer, in JSON."""

import json
from typing import Any

import gymnasium
from gymnasium import spaces

from farm.play import TaskEnvironment


class AnyText(spaces.Text):
    """Texts in any language; ``spaces.Text`` knows only the characters it lists."""

    def contains(self, x: Any) -> bool:
        """Return whether a value is a text."""
        return isinstance(x, str)


class FarmEnv(gymnasium.Env[str, str]):
    """One task an episode; the seed of a reset chooses the task and drives the episode's ids.

    An action is ``{"tool": NAME, "arguments": {…}}`` or ``{"answer": TEXT}``, which ends the episode, as the tool
    ``submit`` does. The last reward is ``acc``, the mean checkpoint score, and ``info["trial"]`` the line that ``farm
    run`` would write.
    """

    def __init__(self, suite: str = "demo", task: str | None = None, **play: Any) -> None:
        """Play one task of a suite, or any of its tasks; ``play`` are options of ``farm.play.Play``."""
        self.observation_space = self.action_space = AnyText(max_length=1_000_000, min_length=0)
        self._environment = TaskEnvironment(suite, task, **play)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start a task, or that of ``options["task"]``; ``info`` has ``task``, ``system``, ``tools``, ``calls_max``."""
        super().reset(seed=seed)
        tasks = self._environment.tasks
        task = (options or {}).get("task") or tasks[int(self.np_random.integers(len(tasks)))]
        play = self._environment.reset(seed, task)
        told = {"task": task, "system": play.system, "tools": self._environment.tools()}
        return play.instruction, told | {"calls_max": play.limits.calls_max}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Make a call, or grade the answer; an action that is neither is refused in the observation."""
        try:
            asked = dict(json.loads(action))
        except (ValueError, TypeError):
            return 'Error: an action is {"tool": …, "arguments": …} or {"answer": …}', 0.0, False, False, {}
        given = ("submit", asked) if "answer" in asked else (asked.get("tool", ""), asked.get("arguments"))
        step = self._environment.step(*given)
        return step.text, step.reward, step.is_last, False, {"trial": step.trial} if step.is_last else {}

    def close(self) -> None:
        """Remove the episode, if there is one."""
        self._environment.close()


gymnasium.register("mcp-farm/Task-v0", entry_point=FarmEnv)
