"""The gateway's judging process: collects the evidence for a verdict from the apps, and judges it.

It ends when the gateway closes its standard input. ``judging.py`` defines the messages on the pipes.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from io import FileIO
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo

from farm._util.json_io import dumps
from farm.benchmark.runner.check import check
from farm.benchmark.runner.task_cards import suites, tasks
from farm.benchmark.runner.trial_card import trial_card, trial_options
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.people_listing import list_people
from farm.benchmark.scoring.reading_budget import ReadingBudget
from farm.context.changes import Changes
from farm.context.trace import Call
from farm.errors import FarmError, InternalError
from farm.runtime.supervisor.app_process import end_with_parent
from farm.server.limits.malloc_trim import DelayedTrim, limit_arenas

from .app_client import AppClient
from .config import GatewayConfig
from .judging import ANSWER, BEGUN, FRAME, MEMORY_BYTES_MAX, OUT_OF_MEMORY, CheckJob
from .merge_trace import Orders, trace
from .page.story import Storyteller, views

PAGE = 10_000  # calls read in one request
_NICE = 10  # agents' calls have priority
_logger = logging.getLogger("gateway")

Begun = Callable[[], None]


async def evidence(apps: AppClient, orders: Orders, job: CheckJob) -> tuple[Changes, list[Call]]:
    """Return an episode's changes, and the calls that were logged when these were read."""
    episode_id = job.settings.id
    changed = await apps.ask_all(job.apps, "GET", f"/episodes/{episode_id}/diff", since=job.since, reverted=1)
    count = sum(answer["last"] for answer in changed.values())
    calls: list[Call] = []
    zone = ZoneInfo(job.zone)
    # A page ends early if its calls are long. An agent may go on calling, so the count is fixed beforehand.
    while len(calls) < count and (
        page := await trace(apps, job.apps, episode_id, zone, orders, after=len(calls), limit=PAGE, results=True)
    ):
        calls += page
    diff = {app: answer["changes"] for app, answer in changed.items()}
    reverted = {app: answer["reverted"] for app, answer in changed.items() if answer["reverted"]}
    return Changes(diff, reverted), calls


class Judge:
    """Answers jobs. Evidence for several jobs is collected concurrently; judging is sequential."""

    def __init__(self, apps: AppClient) -> None:
        self._apps = apps
        self._orders = Orders()
        self._storyteller = Storyteller(apps)

    async def answer(self, kind: str, job: Any, begun: Begun) -> tuple[int, bytes]:
        """Return a job's answer: an HTTP status, or ``OUT_OF_MEMORY``, and JSON.

        Args:
            begun: called when all evidence is collected.
        """
        try:
            match kind:
                case "check":
                    return 200, dumps(await self._check(job, begun))
                case "suites":
                    return 200, dumps({"suites": suites()})
                case "tasks":
                    suite, query = job
                    found = tasks(suite, **trial_options(query))
                    return 200, dumps({"tasks": [asdict(card) for card in found]})
                case "task":
                    name, query = job
                    return 200, dumps(trial_card(name, **trial_options(query)))
                case "people":
                    world, shift_days, apps = job
                    return 200, dumps({"people": list_people(load_start(world, shift_days), apps)})
                case "views":
                    return 200, dumps(views(*job))
                case "sentences":
                    return 200, dumps(await self._storyteller.sentences(*job))
            raise FarmError(f"no job is called '{kind}'")
        except FarmError as problem:
            return problem.status, dumps(problem.as_json())
        except MemoryError:
            return OUT_OF_MEMORY, b""
        except Exception as problem:
            # A bug. The client understands only this form of answer.
            _logger.exception("judging failed")
            failed = InternalError(f"{type(problem).__name__}: {problem}; see the farm's log")
            return failed.status, dumps(failed.as_json())

    async def _check(self, job: CheckJob, begun: Begun) -> dict[str, Any]:
        changes, calls = await evidence(self._apps, self._orders, job)
        begun()
        budget = ReadingBudget(why_not=job.why_unread)
        return check(job.body, job.settings, changes, calls, over_limit=job.over_limit, budget=budget)


async def _serve(jobs: FileIO, answers: BinaryIO, config: GatewayConfig, since_ns: int) -> None:
    loop, apps, trim = asyncio.get_running_loop(), AppClient(config, since_ns), DelayedTrim()
    await apps.open()
    judge, tasks = Judge(apps), set[asyncio.Task[None]]()

    def send(number: int, status: int, raw: bytes = b"") -> None:
        # The gateway always reads, so a blocking write delays nothing.
        answers.write(ANSWER.pack(len(raw), number, status) + raw)
        answers.flush()

    async def serve(number: int, kind: str, job: Any) -> None:
        status, raw = await judge.answer(kind, job, lambda: send(number, BEGUN))
        send(number, status, raw)
        trim.soon(loop)

    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), jobs)
    with suppress(asyncio.IncompleteReadError):
        while True:
            (size_bytes,) = FRAME.unpack(await reader.readexactly(FRAME.size))
            task = asyncio.create_task(serve(*pickle.loads(await reader.readexactly(size_bytes))))
            tasks.add(task)
            task.add_done_callback(tasks.discard)


def _limit_memory() -> None:
    """Limit this process's memory; on Linux only, as other systems do not enforce it."""
    if sys.platform == "linux":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        limit = MEMORY_BYTES_MAX if hard == resource.RLIM_INFINITY else min(MEMORY_BYTES_MAX, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def _read(pipe: FileIO, size_bytes: int) -> bytes:
    found = b""
    while len(found) < size_bytes and (more := pipe.read(size_bytes - len(found))):
        found += more
    return found


def main() -> None:
    """Judge the jobs on standard input until it ends."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s")
    # Output of a task's own code goes to the log, not between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    # Unbuffered: bytes after the first message belong to the event loop.
    jobs = open(0, "rb", buffering=0)  # noqa: SIM115 (it stays open)
    began = _read(jobs, FRAME.size)
    if len(began) < FRAME.size:
        return  # the gateway ended before it sent the configuration
    raw, since_ns, parent = pickle.loads(_read(jobs, *FRAME.unpack(began)))
    end_with_parent(parent)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    limit_arenas()
    _limit_memory()
    gc.freeze()
    with suppress(BrokenPipeError):
        asyncio.run(_serve(jobs, answers, GatewayConfig(**raw), since_ns))


if __name__ == "__main__":
    main()
    sys.stderr.flush()
    os._exit(0)  # nothing is open; unloading every module would only delay the exit
