"""A play: one trial of a task without an agent, for whoever holds the model's loop."""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, get_args

from farm.appkit.app import LATEST
from farm.benchmark.agents.base import Assignment, Ended, Result, Session, TrialLimits, Turn, Usage
from farm.benchmark.agents.model_tools import ModelTools, ToolForm, ToolText
from farm.benchmark.agents.scripted import Oracle
from farm.benchmark.runner import prompts
from farm.benchmark.runner.distractor_paragraphs import draw
from farm.benchmark.runner.episode_source import EpisodeSource, FarmSource, HostSource
from farm.benchmark.runner.expected_calls import ExpectedCalls, Turns
from farm.benchmark.runner.farm_address import FarmAddress
from farm.benchmark.runner.local_host import LocalHost
from farm.benchmark.runner.menus import check_menu, check_profile, chosen_tools
from farm.benchmark.runner.prompts import Prompt, Skill
from farm.benchmark.runner.task_cards import require_form
from farm.benchmark.runner.trial_card import episode_wishes
from farm.benchmark.runner.trial_limits import require_calls_max, require_time_s_max
from farm.benchmark.runner.trial_line import Conditions, Steps, Trial, trial_line, without_failed
from farm.benchmark.scoring.evidence import Evidence
from farm.benchmark.scoring.expectations import require_task
from farm.benchmark.tasks import Task
from farm.benchmark.tasks.sheet_fields import AnswerForm
from farm.errors import FarmError

TIME_S_MAX = 600.0


@dataclass(frozen=True)
class Server:
    """Where an app of a play is served over MCP.

    Attributes:
        url: the URL of its MCP server.
        headers: what every request must carry.
    """

    url: str
    headers: Mapping[str, str]


class Play:
    """One trial of a task: an episode, what the agent is told, the tools it has, and the verdict.

    Whoever holds the model's loop starts a play, makes calls or lets them be made over MCP, and finishes it once with
    the answer. The result is the line that ``farm run`` would have written. The same task and seed give the same
    bytes. Any number of plays may be held at once, on any threads, in the process that started them.

    Attributes:
        task: the task.
        seed: the seed of the episode's ids.
        trial: an id of this play that reveals nothing about the task.
        limits: the limits of calls and time.
        session: the episode.
    """

    def __init__(
        self,
        task: str | Task,
        seed: int = 0,
        *,
        host: LocalHost | None = None,
        url: str | None = None,
        token: str | None = None,
        source: EpisodeSource | None = None,
        menu: str = "selected",
        menu_seed: int | None = None,
        profile: str = LATEST,
        prompt: str = prompts.DEFAULT,
        answers: AnswerForm = "sheet",
        unnecessary: bool = False,
        named: bool = False,
        paragraphs: int = 0,
        own_prompt: Prompt | None = None,
        skills: Sequence[Skill] = (),
        calls_max: int | None = None,
        is_limited: bool = True,
        rounds_max: int = TrialLimits.rounds_max,
        time_s_max: float = TIME_S_MAX,
        label: str = "play",
    ) -> None:
        """Start an episode of a task, in this process or on a farm.

        Args:
            task: the task, or its name ``SUITE/TASK``.
            seed: the seed of the episode's ids.
            host: the host in this process; None for the one that all plays of the process share.
            url: the operators' URL of a farm; None to play in this process.
            token: the farm's operator token.
            source: creates the episode, instead of ``host`` or ``url``.
            menu: the tools: ``selected`` (the task's apps), ``all`` or ``k=N``.
            menu_seed: the seed of the other tools in a menu ``k=N``; None for ``seed``.
            profile: the version of the apps; those that do not define it fall back to ``latest``.
            prompt: the name of the system prompt.
            answers: whether the instruction asks for an answer sheet, if the task has one.
            unnecessary: whether the instruction includes irrelevant facts.
            named: whether the instruction includes the apps, names and places that it otherwise leaves out.
            paragraphs: the number of distractor paragraphs in the instruction.
            own_prompt: a system prompt in place of the named one.
            skills: texts after the system prompt.
            calls_max: replaces the task's own limit of calls.
            is_limited: whether calls beyond the limit are refused.
            rounds_max: told to agents that work in rounds.
            time_s_max: seconds of wall time; calls after that are refused.
            label: a label of the episode, for operators.

        Raises:
            NotFoundError: the task, menu, profile or prompt does not exist.
            FarmError: the farm does not answer, or an option is invalid.
        """
        self.task = task if isinstance(task, Task) else require_task(task)
        check_menu(menu, check_profile(profile))
        if own_prompt is None:
            prompts.text_of(prompt)
        require_form(answers)
        most = self.task.calls_max if calls_max is None else require_calls_max(calls_max)
        self.seed = seed
        self.trial = secrets.token_hex(8)
        deadline = datetime.now(UTC) + timedelta(seconds=require_time_s_max(time_s_max))
        self.limits = TrialLimits(most, rounds_max, time_s_max, deadline)
        self.answers, self._prompt = answers, prompt
        self._unnecessary, self._named = unnecessary, named
        self._paragraphs = draw(self.task, seed, paragraphs)
        self._own_prompt, self._skills = own_prompt, tuple(skills)
        self._menu, self._menu_seed, self._profile = menu, seed if menu_seed is None else menu_seed, profile
        self._is_limited, self._label = is_limited, label
        self._begin()
        self._started = time.monotonic()
        self._source = source or _source_of(host, url, token)
        try:
            self.session = self._open()
        except BaseException:
            self._source.close()
            raise

    def _begin(self) -> None:
        self._is_closed = False
        # Connections and files do not survive a fork of the process.
        self._pid = os.getpid()
        # Held for what belongs to one thread at a time: a farm's control API, and the end.
        self._lock = threading.RLock()

    def _open(self) -> Session:
        deadline = self.limits.deadline
        return self._source.open(
            **episode_wishes(self.task, menu=self._menu, menu_seed=self._menu_seed, profile=self._profile),
            seed=self.seed,
            label=self._label,
            calls_max=self.limits.calls_max if self._is_limited else None,
            expires_at=deadline and deadline.isoformat(),
        )

    @property
    def now(self) -> str:
        """The simulated time of the start, RFC 3339."""
        return self.session.now

    @cached_property
    def system(self) -> str:
        """The system prompt, with date, time zone and user."""
        return prompts.system_prompt(
            self._prompt, self.task, self.now, self.limits, own=self._own_prompt, skills=self._skills
        )

    @cached_property
    def instruction(self) -> str:
        """The user's instruction."""
        return prompts.instruction(
            self.task,
            with_unnecessary=self._unnecessary,
            with_named=self._named,
            paragraphs=self._paragraphs,
            answers=self.answers,
        )

    @cached_property
    def servers(self) -> dict[str, Server]:
        """App → its MCP server; in this process, each starts when this is first read."""
        headers = {"Authorization": f"Bearer {self.session.token}"}
        return {app: Server(url, headers) for app, url in self.session.urls.items()}

    @cached_property
    def _tools(self) -> ModelTools:
        return ModelTools(self.session)

    def tools(self, form: ToolForm = "openai") -> list[dict[str, Any]]:
        """Return the tools, named ``APP__TOOL`` in at most 64 letters.

        Args:
            form: the form of an entry: ``openai`` and ``anthropic`` as in their APIs, ``mcp`` as in ``tools/list``.
        """
        return self._tools.listed(form)

    def call(self, name: str, arguments: Mapping[str, Any] | str | None = None) -> ToolText:
        """Call a tool and return its outcome; what a model writes wrongly is refused, not raised.

        Args:
            name: the tool's name in ``tools``.
            arguments: an object, or its JSON.

        Raises:
            FarmError: the play is closed, or the farm does not answer.
        """
        self._require_open()
        return self._tools.call(name, arguments)

    async def acall(self, name: str, arguments: Mapping[str, Any] | str | None = None) -> ToolText:
        """Call a tool as ``call`` does, on another thread: a call takes up to 250 ms."""
        return await asyncio.to_thread(self.call, name, arguments)

    def assignment(self, **more: Any) -> Assignment:
        """Return the input of an agent; ``more`` are further fields of it."""
        return Assignment(
            self.task,
            self.system,
            self.instruction,
            self.session,
            self.limits,
            self.trial,
            answers=self.answers,
            **more,
        )

    def fork(self) -> Play:
        """Return an independent copy with the calls made so far, such as for a group of continuations."""
        self._require_open()
        copy: Play = object.__new__(Play)
        of_episode = ("servers", "_tools")
        copy.__dict__.update({name: value for name, value in self.__dict__.items() if name not in of_episode})
        copy.trial = secrets.token_hex(8)
        copy._begin()
        copy._source = self._source.again()
        try:
            with self._lock:
                self._require_open()
                copy.session = self.session.fork()
        except BaseException:
            copy._source.close()
            raise
        return copy

    def evidence(self, answer: str) -> Evidence:
        """Return what is graded: the changes and calls so far, with an answer."""
        with self._lock:
            self._require_open()
            calls, changes = self.session.calls(), self.session.changes()
        return Evidence(changes.diff, calls, answer, datetime.fromisoformat(self.now), changes.reverted, self.answers)

    def finish(
        self,
        answer: str,
        *,
        ended: Ended = "answered",
        turns: Sequence[Turn] | None = None,
        usage: Usage | None = None,
        transcript: Sequence[Mapping[str, Any]] = (),
    ) -> Trial:
        """Grade the play, remove its episode and return the trial's line: ``outcome``, ``acc``, ``checkpoints``, ….

        Args:
            answer: the agent's last text.
            ended: why the agent stopped.
            turns: for TEFS: app, tool and arguments of each call of each turn; None if they are unknown.
            usage: the model's tokens.
            transcript: the messages, for human readers.

        Raises:
            FarmError: the play is closed, or the farm does not answer.
        """
        if not isinstance(answer, str):
            raise FarmError(f"the answer must be a text, not {answer!r}")
        require_ended(ended)
        if usage is not None and not isinstance(usage, Usage):
            raise FarmError(f"'usage' must be a Usage, not {usage!r}")
        held = None if turns is None else read_turns(turns)
        return self.finish_result(Result(answer, ended, held, usage, transcript))

    def finish_result(self, result: Result) -> Trial:
        """Grade the play by an agent's result, as ``finish`` does."""
        time_s = time.monotonic() - self._started
        with self._lock:
            evidence = self.evidence(result.answer)
            menu = chosen_tools(self.task, self._menu, self._menu_seed, self._profile)
            held = Conditions(self.seed, self.now, self._profile, menu, self.session.over_limit())
            line = trial_line(self.task, evidence, result, held, self._expected_calls)
            self.close()
        told = {"paragraphs": [each.id for each in self._paragraphs]} if self._paragraphs else {}
        return line | told | {"id": self.trial, "time_s": round(time_s, 3)}

    def _expected_calls(self) -> Steps:
        return expected_calls(self.task, self.seed, self._profile, self._source)

    def _require_open(self) -> None:
        if os.getpid() != self._pid:
            raise FarmError(f"this play belongs to process {self._pid}; start one in this process")
        if self._is_closed:
            raise FarmError("this play is over: it was finished or closed; start another")

    def close(self) -> None:
        """Remove the episode without a verdict; a second time, or in a forked process, nothing happens."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            if os.getpid() != self._pid:
                return  # a forked process: episode and connections are the parent's
            try:
                self.session.close()
            finally:
                self._source.close()

    def __enter__(self) -> Play:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self.close()
        except FarmError:
            if kind is None:
                raise
            # What went wrong before says more than that the farm is gone.

    async def __aenter__(self) -> Play:
        return self

    async def __aexit__(self, kind: object, *_: object) -> None:
        self.__exit__(kind)


def _source_of(host: LocalHost | None, url: str | None, token: str | None) -> EpisodeSource:
    if url is None and token is None:
        return HostSource(host)
    if url is None or token is None:
        raise FarmError("a farm is named by its operators' URL and its operator token, both")
    if host is not None:
        raise FarmError("a play is held in this process (host) or on a farm (url), not both")
    # The file of a token ends in a line end.
    return FarmSource(FarmAddress(url, token.strip()))


def require_ended(given: Any) -> Ended:
    """Return why an agent stopped.

    Raises:
        FarmError: there is no such end.
    """
    for name in get_args(Ended):
        if name == given:
            ended: Ended = name
            return ended
    raise FarmError(f"'ended' must be one of {', '.join(get_args(Ended))}, not {given!r}")


def read_turns(given: Any) -> tuple[Turn, ...]:
    """Return turns from a list of turns, each a list of ``[app, tool, arguments]``.

    Raises:
        FarmError: it has another form.
    """
    try:
        return tuple([(str(app), str(tool), dict(arguments)) for app, tool, arguments in turn] for turn in given)
    except (TypeError, ValueError):
        raise FarmError("'turns' must be a list of turns, each a list of [app, tool, arguments]") from None


def expected_calls(task: Task, seed: int, profile: str, source: EpisodeSource | None = None) -> Steps:
    """Return the oracle's calls with every id filled in for an episode with a seed; played once, then cached.

    Args:
        source: creates the episode in which the oracle is played; None for this process.
    """

    def play() -> Turns:
        with Play(task, seed, source=source and source.again(), profile=profile, label="oracle") as own:
            turns = play_oracle(own).turns or ()
            return without_failed(
                turns, own.session.calls(), lambda call: (call["app"], call["tool"], call["arguments"])
            )

    # Made here, as the folder of the cache follows the environment.
    return ExpectedCalls().calls_for(task, seed=seed, profile=profile, play=play)


def play_oracle(play: Play) -> Result:
    """Make the calls of the task's reference script and return their result; ``answer`` is the right answer.

    Raises:
        MissingPlaceholderError: the script cannot be played, as after other calls.
    """
    return Oracle().play(play.assignment())
