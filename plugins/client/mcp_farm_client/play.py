"""A play: one trial of a task without an agent, on a farm, for whoever holds the model's loop."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, is_dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, Literal

from .errors import McpFarmError
from .shared_farms import SharedFarm
from .task_cards import AnswerForm, read_card
from .tools import ModelTools, ToolForm, ToolText
from .wire import WireSession

# Why an agent stopped: by itself, or at a limit; "failed" if its program failed, "length" and "content_filter" if the
# model's provider truncated its reply, "context" if the conversation exceeded the model's context.
Ended = Literal["answered", "rounds", "calls", "time", "failed", "length", "content_filter", "context"]
Turn = Sequence[tuple[str, str, Mapping[str, Any]]]

__tracebackhide__ = True  # pytest shows a problem at the test's own line


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
    bytes. Plays of one farm share its connections; any number may be held, on any threads.

    Attributes:
        task: the task's name, ``SUITE/TASK``.
        seed: the seed of the episode's ids.
        trial: an id of this play that reveals nothing about the task.
        card: what the task asks.
        session: the episode.
    """

    def __init__(
        self,
        task: str,
        seed: int = 0,
        *,
        url: str,
        token: str,
        menu: str = "selected",
        menu_seed: int | None = None,
        profile: str | None = None,
        prompt: str | None = None,
        answers: AnswerForm = "sheet",
        calls_max: int | None = None,
        time_s_max: float = 600.0,
        label: str = "play",
    ) -> None:
        """Start an episode of a task on a farm.

        Args:
            task: the task's name, ``SUITE/TASK``.
            seed: the seed of the episode's ids.
            url: the operators' URL of the farm.
            token: its operator token.
            menu: the tools: ``selected`` (the task's apps), ``all`` or ``k=N``.
            menu_seed: the seed of the other tools in a menu ``k=N``; None for ``seed``.
            profile: the version of the apps; None for the latest.
            prompt: the name of the system prompt; None for the farm's default.
            answers: whether the instruction asks for an answer sheet, if the task has one.
            calls_max: replaces the task's own limit of calls.
            time_s_max: seconds of wall time that the prompt allows; the farm refuses calls after that.
            label: a label of the episode, for operators.

        Raises:
            McpFarmError: the farm does not answer, has another version, or does not have the task or an option.
        """
        self.task, self.seed = task, _seed("seed", seed)
        self.trial = secrets.token_hex(8)
        seed_of_menu = self.seed if menu_seed is None else _seed("menu_seed", menu_seed)
        options = {"answers": answers, "prompt": prompt, "profile": profile, "menu": menu, "menu_seed": seed_of_menu}
        deadline = _deadline(time_s_max)
        self._is_closed = False
        self._started = time.monotonic()
        self._use = SharedFarm(url, token)
        try:
            asked = self._use.farm.task(task, **options, calls_max=calls_max, time_s_max=time_s_max)
            self.card = read_card(asked)
            more = {"seed": self.seed, "label": label, "expires_at": deadline.isoformat(timespec="milliseconds")}
            self.session: WireSession = self._use.farm.create(asked["episode"] | more)
        except BaseException:
            self._use.close()
            raise

    @property
    def now(self) -> str:
        """The simulated time of the start, RFC 3339."""
        return self.session.starts_at

    @property
    def system(self) -> str:
        """The system prompt, with date, time zone and user."""
        return self.card.system

    @property
    def instruction(self) -> str:
        """The user's instruction."""
        return self.card.instruction

    @property
    def calls_max(self) -> int:
        """The limit of calls; the farm refuses those beyond it."""
        return self.card.calls_max

    @property
    def servers(self) -> dict[str, Server]:
        """App → its MCP server."""
        headers = {"Authorization": f"Bearer {self.session.token}"} if self.session.token else {}
        return {app: Server(url, headers) for app, url in self.session.urls.items()}

    @property
    def server(self) -> Server:
        """The MCP server of all apps, whose tools have the names of ``tools``."""
        one = next(iter(self.servers.values()))
        return Server(one.url.rpartition("/")[0], one.headers)

    @cached_property
    def _tools(self) -> ModelTools:
        return ModelTools(self.session)

    def tools(self, form: ToolForm = "openai") -> list[dict[str, Any]]:
        """Return the tools, named ``APP__TOOL`` in at most 64 letters.

        Args:
            form: the form of an entry: ``openai`` and ``anthropic`` as in their APIs, ``mcp`` as in ``tools/list``.
        """
        self._require_open()
        return self._tools.listed(form)

    def call(self, name: str, arguments: Mapping[str, Any] | str | None = None) -> ToolText:
        """Call a tool and return its outcome; what a model writes wrongly is refused, not raised.

        Args:
            name: the tool's name in ``tools``.
            arguments: an object, or its JSON.

        Raises:
            McpFarmError: the play is over, or the farm does not answer.
        """
        self._require_open()
        return self._tools.call(name, arguments)

    async def acall(self, name: str, arguments: Mapping[str, Any] | str | None = None) -> ToolText:
        """Call a tool as ``call`` does, on another thread."""
        return await asyncio.to_thread(self.call, name, arguments)

    def fork(self) -> Play:
        """Return an independent copy with the calls made so far, such as for a group of continuations."""
        self._require_open()
        copy: Play = object.__new__(Play)
        copy.__dict__.update({name: value for name, value in self.__dict__.items() if name != "_tools"})
        copy.trial = secrets.token_hex(8)
        copy._use = self._use.again()
        try:
            copy.session = self.session.fork()
        except BaseException:
            copy._use.close()
            raise
        return copy

    def finish(
        self,
        answer: str,
        *,
        ended: Ended = "answered",
        turns: Sequence[Turn] | None = None,
        usage: Any = None,
        transcript: Sequence[Mapping[str, Any]] = (),
    ) -> dict[str, Any]:
        """Grade the play, remove its episode and return the trial's line: ``outcome``, ``acc``, ``checkpoints``, ….

        Args:
            answer: the agent's last text.
            ended: why the agent stopped.
            turns: for TEFS: app, tool and arguments of each call of each turn; None if they are unknown.
            usage: the model's tokens: a mapping of ``prompt_tokens``, ``completion_tokens`` and ``cached_tokens``, or a
                dataclass of them.
            transcript: the messages, for human readers.

        Raises:
            McpFarmError: the play is over, an argument has the wrong form, or the farm does not answer. If it was the
                farm, the play may be finished again.
        """
        self._require_open()
        if not isinstance(answer, str):
            raise McpFarmError(f"the answer must be a text, not {answer!r}")
        time_s = time.monotonic() - self._started
        asked = {"task": self.task, "answer": answer, "answers": self.card.answers, "ended": ended, "evidence": True}
        known = {"turns": _plain_turns(turns), "usage": _plain_usage(usage)}
        line = self.session.check(asked | {name: value for name, value in known.items() if value is not None})
        with suppress(McpFarmError):  # the verdict counts; the farm removes the episode after its deadline
            self.close()
        return line | {"transcript": list(transcript), "id": self.trial, "time_s": round(time_s, 3)}

    def _require_open(self) -> None:
        if self._is_closed:
            raise McpFarmError("this play is over: it was finished or closed; start another")

    def close(self) -> None:
        """Remove the episode without a verdict; a second time, nothing happens."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self.session.close()
        finally:
            self._use.close()

    def __enter__(self) -> Play:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self.close()
        except McpFarmError:
            if kind is None:
                raise
            # What went wrong before says more than that the farm is gone.

    async def __aenter__(self) -> Play:
        return self

    async def __aexit__(self, kind: object, *_: object) -> None:
        await asyncio.to_thread(self.__exit__, kind)


def _seed(name: str, value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        raise McpFarmError(f"'{name}' must be an integer from 0 to 2**63 - 1, not {value!r}")
    return value


def _deadline(time_s_max: float) -> datetime:
    try:
        return datetime.now(UTC) + timedelta(seconds=time_s_max)
    except (TypeError, ValueError, OverflowError):
        raise McpFarmError(f"'time_s_max' must be a number of seconds, not {time_s_max!r}") from None


def _plain_turns(turns: Sequence[Turn] | None) -> list[list[list[Any]]] | None:
    try:
        return None if turns is None else [[list(call) for call in turn] for turn in turns]
    except TypeError:
        raise McpFarmError("'turns' must be a list of turns, each a list of [app, tool, arguments]") from None


def _plain_usage(usage: Any) -> dict[str, Any] | None:
    if usage is None:
        return None
    if is_dataclass(usage) and not isinstance(usage, type):
        return asdict(usage)
    if isinstance(usage, Mapping):
        return dict(usage)
    raise McpFarmError(f"'usage' must be a mapping of counts of tokens, not {usage!r}")
