"""The gateway's client of its judging process, which starts with the first job and restarts after it ended.

Texts written by agents are judged only there, so a slow or memory-hungry text delays no call. Jobs are pickled, as only
this process writes them; answers are an HTTP status and JSON, which is passed on unparsed.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import pickle
import struct
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import orjson

from farm.context.settings import Settings
from farm.errors import FarmError, InternalError, UnavailableError
from farm.runtime.supervisor.app_process import GATEWAY

from .config import GatewayConfig

JUDGE_S_MAX = 30.0  # seconds of wall time, from when all evidence is collected
MEMORY_BYTES_MAX = 768 << 20  # the gateway's container has 1 GiB for both
FRAME = struct.Struct(">I")  # header of a job: its length
# Header of an answer: length, number of the job, and HTTP status or one of the two codes below.
ANSWER = struct.Struct(">IIH")
BEGUN, OUT_OF_MEMORY = 0, 1
_TRIES_MAX = 3
_logger = logging.getLogger("gateway")


@dataclass(frozen=True)
class CheckJob:
    """An episode to be judged.

    Attributes:
        apps: the episode's apps that this farm runs.
        since: the name that a snapshot is stored as, or ``start``.
        zone: the time zone of the episode's world.
        body: the expectations, as in the request.
        over_limit: the number of calls that the farm refused as over the limit.
        why_unread: why its texts are not judged; None: they are.
    """

    settings: Settings
    apps: tuple[str, ...]
    since: str
    zone: str
    body: dict[str, Any]
    over_limit: int = 0
    why_unread: str | None = None


class _OverrunError(Exception):
    """A job exceeded its time or memory, and its process was killed."""


class _LostError(Exception):
    """The process ended before it began to judge a job."""


@dataclass
class _Waiting:
    """A job that was sent, and the timer that limits it once it is being judged."""

    answer: asyncio.Future[bytes]
    timer: asyncio.TimerHandle | None = field(default=None)


class _Worker:
    """One judging process, from its start to its end."""

    def __init__(self, process: asyncio.subprocess.Process, judge_s_max: float) -> None:
        self.is_ended = False
        self._process = process
        self._judge_s_max = judge_s_max
        self._jobs: dict[int, _Waiting] = {}
        self._numbers = itertools.count(1)
        self._listening = asyncio.create_task(self._listen())

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, message: Any) -> None:
        """Send the process one message."""
        assert self._process.stdin is not None
        raw = pickle.dumps(message)
        self._process.stdin.write(FRAME.pack(len(raw)) + raw)

    async def ask(self, kind: str, job: Any) -> bytes:
        """Return the answer to a job."""
        number, waiting = next(self._numbers), _Waiting(asyncio.get_running_loop().create_future())
        self._jobs[number] = waiting
        self.send((number, kind, job))
        return await waiting.answer

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                size_bytes, number, status = ANSWER.unpack(await self._process.stdout.readexactly(ANSWER.size))
                self._hear(number, status, await self._process.stdout.readexactly(size_bytes))
        status = await self._process.wait()
        if not self.is_ended:
            _logger.warning(
                "the judging process %d ended with status %d; the next job starts another", self.pid, status
            )
        self.is_ended = True
        for waiting in self._jobs.values():
            if waiting.timer is not None:
                waiting.timer.cancel()
                problem = f"the judging process ended (status {status}) while it judged this; ask again"
                _fail(waiting, UnavailableError(problem))
            else:
                _fail(waiting, _LostError(f"status {status}"))

    def _hear(self, number: int, status: int, raw: bytes) -> None:
        waiting = self._jobs[number]
        if status == BEGUN:
            why = f"judging took more than {self._judge_s_max:g} s"
            waiting.timer = asyncio.get_running_loop().call_later(self._judge_s_max, self._end_over, number, why)
            return
        if status == OUT_OF_MEMORY:
            self._end_over(number, f"judging took more than {MEMORY_BYTES_MAX >> 20} MiB")
            return
        del self._jobs[number]
        if waiting.timer is not None:
            waiting.timer.cancel()
        if status == 200 and not waiting.answer.done():
            waiting.answer.set_result(raw)
        elif status != 200:
            _fail(waiting, FarmError.from_json(status, orjson.loads(raw)))

    def _end_over(self, number: int, why: str) -> None:
        _fail(self._jobs.pop(number), _OverrunError(why))
        _logger.warning("the judging process %d is ended: %s", self.pid, why)
        self.kill()

    def kill(self) -> None:
        """Kill the process."""
        self.is_ended = True
        with suppress(ProcessLookupError):
            self._process.kill()

    async def close(self) -> None:
        """Kill the process and wait for its end."""
        self.kill()
        await self._listening


def _fail(waiting: _Waiting, problem: Exception) -> None:
    if not waiting.answer.done():  # the client may be gone
        waiting.answer.set_exception(problem)


class Judging:
    """Judges episodes and reads tasks in a separate process."""

    def __init__(self, config: GatewayConfig, since_ns: int, judge_s_max: float = JUDGE_S_MAX) -> None:
        """Start nothing yet; ``since_ns`` is this gateway's start time, which apps receive, too."""
        self._config = config
        self._since_ns = since_ns
        self._judge_s_max = judge_s_max
        self._worker: _Worker | None = None
        self._starting = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The judging process's id, if there is such a process."""
        return None if self._worker is None or self._worker.is_ended else self._worker.pid

    async def check(self, job: CheckJob) -> bytes:
        """Return the verdict on an episode as JSON; a job that exceeds time or memory is judged again without texts.

        Raises:
            FarmError: the expectations cannot be judged, or an app does not answer.
            UnavailableError: the process was killed from outside.
        """
        try:
            return await self.ask("check", job)
        except _OverrunError as over:
            unread = replace(job, why_unread=str(over))
        try:
            return await self.ask("check", unread)
        except _OverrunError as over:
            what = f"what episode '{job.settings.id}' changed and was answered is too much to judge here"
            raise InternalError(f"{over}, also without reading any text: {what}") from None

    async def ask(self, kind: str, job: Any) -> bytes:
        """Return a job's answer as JSON; if the process ends before it judges the job, the next process gets it."""
        for _ in range(_TRIES_MAX):
            worker = await self._running()
            try:
                return await worker.ask(kind, job)
            except _LostError as lost:
                why = str(lost)
        raise InternalError(f"the judging process does not stay ({why}); see the farm's log")

    async def _running(self) -> _Worker:
        async with self._starting:
            if self._worker is None or self._worker.is_ended:
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", f"{GATEWAY}.judge_process"),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    start_new_session=True,  # Ctrl-C reaches the supervisor only, which ends the others in order
                )
                self._worker = _Worker(process, self._judge_s_max)
                # Tokens go through the pipe, because arguments are visible in process lists.
                self._worker.send((asdict(self._config), self._since_ns, os.getpid()))
        return self._worker

    async def close(self) -> None:
        """End the process, if there is one."""
        if self._worker is not None:
            await self._worker.close()
