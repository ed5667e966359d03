"""Trials of tasks without an agent, for harnesses: ``Play`` is one trial, ``tasks`` lists a suite's tasks."""

from farm.benchmark.agents.base import Usage
from farm.benchmark.agents.model_tools import ToolText
from farm.benchmark.runner.local_host import LocalHost
from farm.benchmark.runner.play import Play, Server, play_oracle
from farm.benchmark.runner.task_cards import TaskCard, card_of, tasks
from farm.benchmark.runner.task_environment import Step, TaskEnvironment
from farm.server.joint_names import joint_name

__all__ = [
    "LocalHost",
    "Play",
    "Server",
    "Step",
    "TaskCard",
    "TaskEnvironment",
    "ToolText",
    "Usage",
    "card_of",
    "joint_name",
    "play_oracle",
    "tasks",
]
