"""The options of ``farm run``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from farm.benchmark.runner.trial_limits import TIME_S_MAX_MOST
from farm.cli.options import given_path

# More than any realistic run; every part of a run can handle these numbers.
_SEED_MAX = 2**62
_CALLS_MAX = 1_000_000

SuiteName = Annotated[str, typer.Argument(help="The suite.")]
AgentName = Annotated[
    str,
    typer.Option(help="oracle, null, replay:FILE, llm:MODEL, command:PROGRAM ARGUMENTS or python:MODULE:CALLABLE."),
]
Trials = Annotated[int, typer.Option("-k", min=1, max=1000, help="Trials of each task.")]
Parallel = Annotated[int, typer.Option(min=1, max=256, help="Concurrent trials.")]
MenuName = Annotated[
    str,
    typer.Option(
        help="selected (the task's apps), all, paper (a paper's apps), or k=N (N tools, the task's own among "
        "others); k=N:unrelated, k=N:confusable, k=N:mixed and k=N:own choose the others."
    ),
]
ToolsMax = Annotated[int, typer.Option(min=1, help="Maximum number of tools that the model of an llm: agent takes.")]
OnlyTasks = Annotated[
    list[str] | None, typer.Option("--tasks", help="Only these tasks: a comma-separated list; may be repeated.")
]
OnlyCategories = Annotated[
    list[str] | None, typer.Option(help="Only categories that begin with this; may be repeated.")
]
ShardName = Annotated[
    str | None,
    typer.Option(metavar="I/N", help="Only this one of N equal parts of the tasks; farm merge joins them."),
]
OutFolder = Annotated[Path | None, typer.Option(help="Folder of the run's log.", parser=given_path, metavar="<path>")]
Resume = Annotated[bool, typer.Option("--resume", help="Resume the run in --out.")]
FirstSeed = Annotated[int, typer.Option(min=0, max=_SEED_MAX, help="Seed of the first trial.")]
PromptName = Annotated[str, typer.Option(help="Name of the system prompt (person-2, plain), or its file.")]
SkillNames = Annotated[
    list[str] | None,
    typer.Option("--skill", help="Skill told after the system prompt: an app with one, or a file; may be repeated."),
]
ContextName = Annotated[
    str,
    typer.Option(
        help="Beside the instruction: necessary (facts), +named (the apps and names that it leaves out, too), "
        "+unnecessary (irrelevant facts, too), or +5 (five paragraphs on other things, too)."
    ),
]
AnswersForm = Annotated[
    str, typer.Option(help="sheet (ask for a block of typed fields where a task has them) or prose.")
]
CallsMax = Annotated[
    str | None,
    typer.Option(
        metavar="N|oracle",
        help="Maximum calls of a trial: a number, or oracle for as many as the oracle makes; default: the task's own.",
    ),
]
RoundsMax = Annotated[int, typer.Option(min=1, max=_CALLS_MAX, help="Maximum rounds of an llm: agent.")]
TimeMax = Annotated[float, typer.Option(min=1, max=TIME_S_MAX_MOST, help="Maximum seconds of a trial.")]
Temperature = Annotated[
    float | None, typer.Option(min=0, max=10, help="Temperature of an llm: agent; default: the model's own.")
]
Retries = Annotated[
    int,
    typer.Option(min=0, max=100, help="Retries of an llm: agent while its API is not ready; no call is repeated."),
]
Images = Annotated[bool, typer.Option("--images", help="Show the model of an llm: agent the images of answers.")]
AgentVariables = Annotated[list[str] | None, typer.Option(help="Variable a command: agent may see.")]
AgentImage = Annotated[
    str | None,
    typer.Option(help="Run a command: agent in containers of this image, which reach only its episode."),
]
EngineName = Annotated[
    str, typer.Option(help="threads (of this process), or ray (workers of a Ray cluster; needs the extra 'ray').")
]
ClusterAddress = Annotated[
    str | None, typer.Option(help="Address of a Ray cluster; default: one on this machine, for this run.")
]
Farms = Annotated[
    list[str] | None,
    typer.Option("--farm", envvar="FARM_URL", help="Control API of a remote farm; may be repeated."),
]
TokenFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--token-file",
        envvar="FARM_TOKEN_FILE",
        # Without a parser: the variable's files are separated as in PATH, and their names may have spaces.
        help="File with its operator token; one for all farms, or one for each.",
        metavar="<path>",
    ),
]
