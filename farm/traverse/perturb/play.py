"""Make planned calls on a real server within limits; an interrupted recording is continued."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from farm.errors import ConflictError, FarmError
from farm.traverse.consent import Consent, ToolFilter, is_read_only
from farm.traverse.discriminate import judge_recording
from farm.traverse.perturb.names import Drawn, rename, renamed
from farm.traverse.perturb.plan import PlannedTrace, Step
from farm.traverse.recordings.calls import Recorded, Request, is_refusal
from farm.traverse.recordings.recording import Meaning, Recording
from farm.traverse.seeds.seeds import SEED
from farm.traverse.transport.connection import ANSWER_S_MAX, Connection, connect
from farm.traverse.transport.source import Source

_RESET_S_MAX = 120.0


@dataclass(frozen=True)
class Limits:
    """Limits that protect a real server.

    Attributes:
        calls_max: calls made in this run.
        time_s_max: the duration of this run, in seconds.
        calls_per_s: calls per second.
        answer_s_max: the time-out of one answer, in seconds.
    """

    calls_max: int | None = None
    time_s_max: float | None = None
    calls_per_s: float | None = None
    answer_s_max: float = ANSWER_S_MAX


@dataclass
class Played:
    """The result of a run.

    Attributes:
        calls: the number of calls made and recorded.
        stood: the number of calls that the recording held already.
        steps: the steps of both.
        ended_by: the limit that ended the run, or None if all calls were made.
        refused_seeds: seeds that were refused, as steps of their traces; later calls may be affected.
        asked_again: the number of calls repeated at the end of their traces.
    """

    calls: int = 0
    stood: int = 0
    steps: list[Step] = field(default_factory=list)
    ended_by: str | None = None
    refused_seeds: list[str] = field(default_factory=list)
    asked_again: int = 0


@dataclass(frozen=True)
class AskAgain:
    """Selects uncertain calls to repeat at the end of their trace.

    Attributes:
        tools: as the server lists them.
        is_sandbox: the server is disposable: provoked calls of writing tools may be repeated, too.
    """

    tools: Sequence[Mapping[str, Any]]
    is_sandbox: bool = False

    def choose(self, lines: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """Return the lines of a trace whose calls are worth repeating and safe to repeat."""
        read_only = {str(tool["name"]) for tool in self.tools if is_read_only(tool)}
        return [
            line
            for line, verdict in zip(lines, judge_recording(lines, self.tools), strict=True)
            if verdict.is_worth_repeating
            # A success stays one; so does a silence, which may have ended the server.
            and verdict.kind != "success"
            and verdict.cause != "silence"
            and (line["tool"] in read_only or (self.is_sandbox and line["error_class"] != SEED))
        ]


class _LimitReachedError(Exception):
    """A limit ends the run, between two calls."""


async def play(
    source: Source,
    traces: Sequence[PlannedTrace],
    recording: Recording,
    limits: Limits,
    *,
    reset: Callable[[], Awaitable[None]] | None = None,
    ask_again: AskAgain | None = None,
    may: ToolFilter | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Played:
    """Make the calls of each trace on its own start of the server.

    A trace that an interrupted run left incomplete is restored by repeating its recorded calls, and then continued.

    Args:
        reset: restores the server's start, before each trace.
        ask_again: selects the calls that are repeated at the end of their trace; None: none.
        may: decides which listed tools may be called; checked at each start of the server, and whenever its tools may
            have changed; None: all.
        say: receives progress messages for a person.

    Raises:
        ConflictError: the recording holds calls of another plan.
        FarmError: the server cannot be reached or reset, or declares a tool differently than before.
    """
    player = _Player(source, recording, limits, reset, ask_again, may)
    stood = _by_trace(recording.calls, traces)
    for number, trace in enumerate(traces):
        before = stood[number] if number < len(stood) else []
        player.played.stood += len(before)
        player.played.steps += trace[: len(before)]
        if len(before) == len(trace):
            continue
        try:
            await player.trace(number, trace, before)
        except _LimitReachedError as limit:
            player.played.ended_by = str(limit)
            break
        say(f"{number + 1} of {len(traces)} traces, {player.played.calls} calls")
    return player.played


async def run_reset(command: Sequence[str]) -> None:
    """Run the command that resets a server to its start.

    Raises:
        FarmError: the command does not exist, failed or did not end.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
    except OSError as problem:
        raise FarmError(f"--reset: {command[0]}: {problem.strerror}") from None
    try:
        said, _ = await asyncio.wait_for(process.communicate(), _RESET_S_MAX)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise FarmError(f"--reset: {command[0]} did not end within {_RESET_S_MAX:g} s") from None
    if process.returncode:
        lines = said.decode("utf-8", "replace").strip().splitlines()
        raise FarmError(f"--reset: {command[0]} ended with status {process.returncode}: {lines[-1] if lines else ''}")


class _Player:
    def __init__(
        self,
        source: Source,
        recording: Recording,
        limits: Limits,
        reset: Callable[[], Awaitable[None]] | None,
        ask_again: AskAgain | None,
        may: ToolFilter | None,
    ) -> None:
        self.played = Played()
        self._source = source
        self._recording = recording
        self._limits = limits
        self._reset = reset
        self._ask_again = ask_again
        self._consent = Consent(source.name, may)
        self._lines: list[Mapping[str, Any]] = []
        self._started = time.monotonic()
        self._next_at = 0.0

    async def trace(self, number: int, steps: PlannedTrace, before: Sequence[Recorded]) -> None:
        """Make a trace's calls; an earlier run made those in ``before``."""
        if self._reset is not None:
            await self._reset()
        self._lines = [_line(each) for each in before]
        at, is_known = 0, all("silence" not in each.result for each in before)
        while at < len(steps):
            async with connect(self._source) as connection:
                await self._consent.require(connection, {step.request.tool for step in steps})
                server = connection.server
                self._recording.resume_trace(number, server.name, server.version)
                names = await self._again(connection, steps, before) if at == 0 else {}
                at = await self._calls(connection, number, steps, max(at, len(before)), names, is_known)
                is_known = False
                is_silent = "silence" in self._lines[-1]["result"]
                if at == len(steps) and not is_silent:
                    await self._repeat(connection)
        if is_silent and self._chosen():
            async with connect(self._source) as connection:
                await self._repeat(connection)

    def _chosen(self) -> list[Mapping[str, Any]]:
        return [] if self._ask_again is None else self._ask_again.choose(self._lines)

    async def _repeat(self, connection: Connection) -> None:
        """Repeat the trace's calls whose answers are uncertain."""
        for line in self._chosen():
            await self._wait()
            await self._consent.require(connection, {line["tool"]})
            request = Request(line["tool"], line.get("arguments"), bool(line.get("arguments_omitted")))
            result = await connection.call(request, limit_s=self._limits.answer_s_max)
            self._recording.note_again(line, result)
            self.played.asked_again += 1
            if "silence" in result:
                return

    async def _again(
        self, connection: Connection, steps: PlannedTrace, before: Sequence[Recorded]
    ) -> dict[Drawn, Drawn]:
        """Repeat recorded calls without recording them, and return the values that were generated anew."""
        names: dict[Drawn, Drawn] = {}
        for step, made in zip(steps, before, strict=False):
            if "silence" not in made.result:
                await self._consent.require(connection, {made.tool})
                result = await connection.call(made.request, limit_s=self._limits.answer_s_max)
                _learn(names, step, result)
        return names

    async def _calls(
        self,
        connection: Connection,
        number: int,
        steps: PlannedTrace,
        at: int,
        names: dict[Drawn, Drawn],
        is_known: bool,
    ) -> int:
        """Make calls until one is not answered; return the next step."""
        for index in range(at, len(steps)):
            step = steps[index]
            await self._wait()
            await self._consent.require(connection, {step.request.tool})
            request = replace(step.request, arguments=rename(step.request.arguments, names))
            meaning = Meaning(step.error_class, step.operation, step.path or None, step.seed_step, step.because or None)
            begun = self._recording.begin(number, request, meaning)
            result = await connection.call(request, limit_s=self._limits.answer_s_max)
            # A call without an answer may have been executed or not; after a new session, the server's state is
            # unknown.
            is_known = is_known and connection.sessions == 1
            unsure: dict[str, Any] = {} if is_known else {"state": "unknown"}
            self._lines.append(self._recording.end(begun, result, **unsure))
            self.played.calls += 1
            self.played.steps.append(step)
            if step.error_class == SEED and is_refusal(result):
                self.played.refused_seeds.append(f"{number}.{index} {step.request.tool}")
            if "silence" in result:
                return index + 1
            _learn(names, step, result)
        return len(steps)

    async def _wait(self) -> None:
        limits, now = self._limits, time.monotonic()
        if limits.calls_max is not None and self.played.calls + self.played.asked_again >= limits.calls_max:
            raise _LimitReachedError(f"{limits.calls_max} calls")
        if limits.time_s_max is not None and now - self._started >= limits.time_s_max:
            raise _LimitReachedError(f"{limits.time_s_max:g} s")
        if limits.calls_per_s is not None:
            await asyncio.sleep(max(0.0, self._next_at - now))
            self._next_at = max(now, self._next_at) + 1 / limits.calls_per_s


def _line(made: Recorded) -> Mapping[str, Any]:
    """Return the keys of a recorded call's line that a verdict needs."""
    asked = {"arguments_omitted": True} if made.request.omits_arguments else {"arguments": made.request.arguments}
    told = {"trace": made.trace, "step": made.step, "tool": made.tool, "error_class": made.error_class}
    return {**told, **asked, "result": made.result}


def _learn(names: dict[Drawn, Drawn], step: Step, result: dict[str, Any]) -> None:
    if step.answered is not None and not is_refusal(result):
        names.update(renamed(step.answered, result))


def _by_trace(calls: Sequence[Recorded], traces: Sequence[PlannedTrace]) -> list[list[Recorded]]:
    """Return the recorded calls of each trace.

    Raises:
        ConflictError: the calls are of another plan.
    """
    found: list[list[Recorded]] = [[] for _ in traces]
    for each in calls:
        number, step = each.trace, each.step
        is_there = number is not None and step is not None and number < len(traces) and step < len(traces[number])
        if not is_there or not _is_same(each, traces[number or 0][step or 0]):
            raise ConflictError(
                "the folder holds another plan's calls: give that one's seeds and options again, or another --out"
            )
        found[number or 0].append(each)
    return found


def _is_same(made: Recorded, step: Step) -> bool:
    return (made.tool, made.error_class, made.operation, made.path or ()) == (
        step.request.tool,
        step.error_class,
        step.operation,
        step.path,
    )
