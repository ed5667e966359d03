"""``farm run``: run an agent over a suite, and score it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from farm._util.names import split_names
from farm._util.plurals import pluralize
from farm.appkit.app import LATEST
from farm.benchmark.agents import help_text
from farm.benchmark.runner.trial_limits import TOOLS_MAX
from farm.benchmark.scoring.metrics import UNSCORED
from farm.benchmark.tasks import Suite, load_suite
from farm.cli import run_options as option
from farm.cli.judge import BaseUrl, JudgeAll, JudgeModel, judged_figures, require_judge
from farm.cli.options import (
    Content,
    Json,
    Profile,
    VendorDescriptions,
    print_json,
    read_token,
)
from farm.cli.run_figures import print_summaries
from farm.cli.tables import standard_error
from farm.errors import FarmError
from farm.runtime.supervisor.state import default_data

if TYPE_CHECKING:
    from farm.benchmark.agents.base import Agent
    from farm.benchmark.runner.engine import Engine
    from farm.benchmark.runner.options import Options

_ENGINES = ("threads", "ray")
_BREAKING_OFF_S_MAX = 0.8


def run(
    suite: option.SuiteName,
    agent: option.AgentName,
    k: option.Trials = 1,
    parallel: option.Parallel = 4,
    menu: option.MenuName = "selected",
    tasks: option.OnlyTasks = None,
    category: option.OnlyCategories = None,
    shard: option.ShardName = None,
    out: option.OutFolder = None,
    resume: option.Resume = False,
    seed: option.FirstSeed = 0,
    prompt: option.PromptName = "person-2",
    skill: option.SkillNames = None,
    context: option.ContextName = "necessary",
    profile: Profile = LATEST,
    answers: option.AnswersForm = "sheet",
    calls_max: option.CallsMax = None,
    rounds_max: option.RoundsMax = 20,
    tools_max: option.ToolsMax = TOOLS_MAX,
    time_max: option.TimeMax = 600,
    base_url: BaseUrl = None,
    temperature: option.Temperature = None,
    retries: option.Retries = 3,
    images: option.Images = False,
    judge: JudgeModel = None,
    judge_all: JudgeAll = False,
    agent_env: option.AgentVariables = None,
    agent_image: option.AgentImage = None,
    engine: option.EngineName = "threads",
    address: option.ClusterAddress = None,
    as_json: Json = False,
    farm: option.Farms = None,
    token_file: option.TokenFiles = None,
    _: Content = None,
    __: VendorDescriptions = None,
) -> None:
    with _EndAtOnce() as end:
        from farm._util import temp_folders
        from farm.benchmark.agents.factory import make_agent
        from farm.benchmark.runner.log import RunLog
        from farm.benchmark.runner.menus import check_menu, check_profile, menu_apps, playable, require_fitting
        from farm.benchmark.runner.options import Options, read_calls_max, require_context
        from farm.benchmark.runner.own_texts import read_prompt, read_skills
        from farm.benchmark.runner.run import run_suite
        from farm.benchmark.runner.task_cards import require_form
        from farm.benchmark.tasks.shard import parse_shard, shard_of

        chosen, left_out = playable(choose(load_suite(suite), tasks, category), check_profile(profile))
        if shard is not None:
            chosen = replace(chosen, tasks=shard_of(chosen.tasks, parse_shard(shard)))
        player = make_agent(
            agent,
            base_url=base_url,
            environment=agent_env or (),
            temperature=temperature,
            retries=retries,
            image=agent_image,
            images=images,
        )
        if resume and out is None:
            raise FarmError("--resume needs --out: the folder of the run to go on with")
        require_judge(judge, judge_all)
        # All errors that can be detected now are reported before a farm is started.
        check_menu(menu, profile)
        if agent.startswith("llm:"):
            require_fitting(chosen, menu, seed, profile, tools_max)
        own_prompt, skills = read_prompt(prompt), read_skills(skill or [])
        folder = end.folder = out or _new_folder(suite, player.name)
        RunLog.require_free(folder, resume=resume)
        options = Options(
            k=k,
            parallel=parallel,
            menu=menu,
            seed=seed,
            prompt=prompt if own_prompt is None else own_prompt.name,
            own_prompt=own_prompt,
            skills=skills,
            rounds_max=rounds_max,
            time_s_max=time_max,
            calls_max=read_calls_max(calls_max),
            context=require_context(context),
            profile=profile,
            answers=require_form(answers),
            shard=shard,
        )
        where = _Where(tuple(farm or ()), tuple(token_file or ()), engine, address)
        where.check()
        temp_folders.sweep()
        with ExitStack() as stack:
            held_by = where.engine_for(stack, player, options, menu_apps(chosen, menu, profile))
            on_trial = stack.enter_context(progress(player.name, len(chosen.tasks) * k))
            found = run_suite(
                chosen, player, None, options, engine=held_by, out=folder, resume=resume, on_trial=on_trial
            )
        if judge is not None:
            found |= judged_figures(RunLog(folder), judge, base_url, every=judge_all)
    if as_json:
        print_json(found | {"out": str(folder), "left_out": left_out})
    else:
        print_summaries([found])
        _print_conditions(found, folder, len(chosen.tasks), left_out)
    _end(_status(found))


def _print_conditions(found: dict[str, Any], folder: Path, count: int, left_out: list[str]) -> None:
    """Print which tasks were left out, where the log is, and what failed."""
    if left_out:
        every = pluralize(len(left_out) + count, "task")
        typer.echo(f"left out, as profile '{found['profile']}' lacks their tools: {len(left_out)} of {every}")
    typer.echo(f"log: {folder}")
    for outcome in UNSCORED:
        if failed := found["outcomes"][outcome]:
            typer.echo(f"{failed} {outcome.replace('_', ' ')}; why: farm report {folder} --failures", err=True)
    if found["crashed"]:
        is_every = found["crashed"] == found["trials"]
        which = "every trial" if is_every else f"{found['crashed']} of {pluralize(found['trials'], 'trial')}"
        typer.echo(f"the agent crashed in {which}; why: farm report {folder} --failures", err=True)


@dataclass(frozen=True)
class _Where:
    """Where a run's trials are held, as its options name it."""

    farms: tuple[str, ...]
    token_files: tuple[Path, ...]
    engine: str
    cluster: str | None

    def check(self) -> None:
        """Check what can be checked before anything is started.

        Raises:
            FarmError: the engine does not exist, or options do not fit together.
        """
        if self.engine not in _ENGINES:
            raise FarmError(f"no engine '{self.engine}'; have {', '.join(_ENGINES)}")
        if self.cluster is not None and self.engine != "ray":
            raise FarmError("--address names a Ray cluster; add --engine ray")
        if len(self.token_files) not in (0, 1, len(self.farms)):
            raise FarmError(
                f"there are {pluralize(len(self.token_files), 'token file')} for {pluralize(len(self.farms), 'farm')}; "
                "name one --token-file for all of them, or one for each"
            )
        if self.engine == "ray":
            from farm.benchmark.runner.ray_engine import require_ray

            require_ray()

    def engine_for(self, stack: ExitStack, agent: Agent, options: Options, apps: list[str]) -> Engine:
        """Return the engine; a farm of the run's own ends with ``stack``."""
        from farm.benchmark.runner.engine import FarmEngine
        from farm.benchmark.runner.farm_address import FarmAddress, own_farm

        files = self.token_files * len(self.farms) if len(self.token_files) == 1 else self.token_files
        given: list[Path | None] = [*files] or [None] * len(self.farms)
        addresses = [FarmAddress(url, read_token(file)) for url, file in zip(self.farms, given, strict=True)]
        if self.engine == "ray":
            from farm.benchmark.runner.ray_engine import RayEngine

            return RayEngine(agent, options, addresses, apps, self.cluster)
        return FarmEngine(agent, addresses or [stack.enter_context(own_farm(apps))], options)


def _status(found: dict[str, Any]) -> int:
    """Return 1 for a run without evidence about the agent: no trial could start or finish."""
    failed = sum(found["outcomes"][name] for name in UNSCORED)
    return int(failed + found["crashed"] == found["trials"])


def _end(status: int) -> NoReturn:
    """End the process at once; otherwise a hanging thread of an agent would delay it."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


class _EndAtOnce:
    """Ends a run within a second of Ctrl-C or SIGTERM, even if something hangs, and prints how to resume it.

    The next run removes what remains.
    """

    def __init__(self) -> None:
        self.folder: Path | None = None
        self._number = signal.SIGINT
        self._is_said = threading.Lock()

    def __enter__(self) -> _EndAtOnce:
        """Install the signal handlers."""
        # A shell that starts us in the background sets SIGINT to be ignored, on purpose.
        numbers = [each for each in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(each) is not signal.SIG_IGN]
        self._before = {number: signal.signal(number, self._break_off) for number in numbers}
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Remove the handlers; end if a signal came."""
        if kind is KeyboardInterrupt:
            self._end()
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _break_off(self, number: int, _: object) -> NoReturn:
        self._number = signal.Signals(number)
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)
        patience = threading.Timer(_BREAKING_OFF_S_MAX, self._end)
        patience.daemon = True
        patience.start()
        raise KeyboardInterrupt

    def _end(self) -> NoReturn:
        self._is_said.acquire()  # never released: the second caller, finished or timed out, ends with the first
        there = self.folder is not None and self.folder.exists()
        how = f"; go on with the same command and --resume --out {self.folder}" if there else ""
        typer.echo(f"broken off{how}", err=True)
        _end(128 + self._number)


def choose(suite: Suite, tasks: list[str] | None, categories: list[str] | None) -> Suite:
    """Return the suite with only the named tasks, and of these only the tasks of the categories.

    Raises:
        FarmError: a task is unknown, or none is left.
    """
    kept = tuple(suite.task(each) for each in split_names(tasks)) if tasks else suite.tasks
    if categories:
        kept = tuple(task for task in kept if task.category.startswith(tuple(categories)))
    if not kept:
        have = ", ".join(sorted({task.category for task in suite.tasks}))
        raise FarmError(f"no task is left; categories of '{suite.name}': {have or 'none'}")
    return Suite(suite.name, suite.title, kept)


def _new_folder(suite: str, agent: str) -> Path:
    """Return a new folder for a run without --out."""
    at = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    name = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in agent)
    return default_data() / "runs" / f"{suite}-{name}-{at}"


@contextmanager
def progress(agent: str, count: int) -> Iterator[Callable[[dict[str, Any], bool], None]]:
    """Show the progress of a run on standard error: a bar on a terminal, otherwise a line a trial."""
    console = standard_error()
    done = 0

    def say(trial: dict[str, Any], is_new: bool) -> None:
        nonlocal done
        done += 1
        if is_new:
            acc = "" if trial["acc"] is None else f" {trial['acc']:.2f}"
            outcome = trial["outcome"].replace("_", " ")
            where = f"{done}/{count} {trial['task']} #{trial['trial']}"
            typer.echo(
                f"{where}: {outcome}{acc}, {pluralize(len(trial['calls']), 'call')}, {trial['time_s']:.1f} s", err=True
            )

    if not console.is_terminal:
        yield say
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        counter = bar.add_task(agent, total=count)
        yield lambda trial, is_new: bar.advance(counter)


run.__doc__ = f"""Run an agent over a suite and print its score. Without --farm the run starts a farm of its own.

Example: farm run demo --agent llm:gpt-5 -k 3 --out runs/gpt-5

{help_text.COMMAND}
{help_text.PYTHON}"""

COMMANDS = {"run": run}
