"""The agents by name (docs/agents.md) in trials: ``farm run`` starts each installed program, which asks the mock model.

The model makes the oracle's calls, two of them at once, and gives its answer. Every trial must pass, and the program
must tell the tokens that the model told.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from farm.benchmark.agents.scripted import rendered, with_sheet
from farm.benchmark.tasks import Task, load_suite
from tests.clients.clients import FARM

SUITE, TASK = "demo", "slack-boards-rate"
TRIALS = 3
TRIAL_S_MAX = 240
# What the docs tell to pass on: a model, and for Codex results of more than 10 KB.
OPTIONS = {
    "claude-code": "",
    "codex": "--model gpt-5 -c tool_output_token_limit=100000",
    "gemini-cli": "--model gemini-2.5-flash",
    "openclaw": "--model openai/gpt-5.6",
    "opencode": "--model openai/gpt-5",
}
_USAGE = {"input": 100, "output": 10, "cached": 40}


def oracle_turns() -> list[dict[str, Any]]:
    """Return the task's oracle as turns of the mock model: a step's calls are made at once."""
    task: Task = load_suite(SUITE).task(TASK)
    turns: list[dict[str, Any]] = [
        {
            "calls": [
                {
                    "tool": call.tool,
                    "arguments": json.loads(json.dumps(call.arguments)),
                    **({"as": call.name} if call.name else {}),
                }
                for call in step
            ]
        }
        for step in task.oracle
    ]
    answer = with_sheet(rendered(task.oracle_answer, task.world), task)
    return [{**turn, "usage": _USAGE} for turn in (*turns, {"text": answer})]


def find_problem(name: str, path: str, model: Mapping[str, str], folder: Path) -> str | None:
    """Run a program's trials and return what is wrong with them, None if nothing is.

    Args:
        name: the agent's name.
        path: the ``PATH`` with its program.
        model: the variables that lead to the mock model, with ``oracle_turns`` as its script.
        folder: the folder of the run, which must not exist.
    """
    command = [*FARM, "run", SUITE, "--tasks", TASK, "--agent", f"command:{name} {OPTIONS[name]}".strip()]
    command += ["-k", str(TRIALS), "--parallel", str(TRIALS), "--time-max", str(TRIAL_S_MAX), "--out", str(folder)]
    environment = {**os.environ, **model, "PATH": path}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1200, check=False)
    if done.returncode:
        return (done.stderr or done.stdout).strip()[-300:]
    trials = [json.loads(line) for line in (folder / "trials.jsonl").read_text("utf-8").splitlines()]
    tokens = {"prompt_tokens": 300, "completion_tokens": 30, "cached_tokens": 120}
    for trial in trials:
        if trial["outcome"] != "pass":
            return f"trial {trial['trial']}: {trial['outcome']}, {trial['ended']}: {trial['answer'][:200]}"
        if trial["usage"] != tokens:
            return f"trial {trial['trial']}: told {trial['usage']}, not {tokens}"
    return None if len(trials) == TRIALS else f"{len(trials)} trials, not {TRIALS}"
