"""The process in which a gateway has episodes judged: started when needed, ended when it takes too long."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm.context.settings import Settings
from farm.context.trace import Call
from farm.errors import FarmError, InternalError, NotFoundError, UnavailableError
from farm.runtime.supervisor.state import is_alive
from gateway.app_client import AppClient
from gateway.config import GatewayConfig
from gateway.judge_process import Judge, evidence
from gateway.judging import MEMORY_BYTES_MAX, OUT_OF_MEMORY, CheckJob, Judging
from gateway.merge_trace import Orders

SETTINGS = Settings("ep", "mini", ("slack",), seed=0, now="2026-03-09T09:00:00+08:00")
# Matching it with this pattern takes time that doubles with each letter.
ENDLESS, ENDLESS_PATTERN = "a" * 60 + "!", "^(a+)+$"
ROW = {"channel_id": "C1", "ts": "1.0", "thread_ts": None, "user_id": "U1", "text": ENDLESS}
CHANGED = {"op": "insert", "key": {"channel_id": "C1", "ts": "1.0"}, "old": None, "new": ROW, "call": 1}
POSTED = {"kind": "operate", "change": "create", "app": "slack", "table": "messages"}
# Says that it is called, and does not end.
ENDLESS_TASK = """
from pathlib import Path

def is_polite(evidence, start):
    Path(__file__).with_name("begun").touch()
    while True:
        pass
"""


class Slack:
    """An app's control endpoints with one episode in which one message was posted."""

    def __init__(self) -> None:
        self.refuses: FarmError | None = None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        action = head.partition(b" HTTP")[0].partition(b"?")[0].rpartition(b"/")[2].decode()
        answers: dict[str, dict[str, Any]] = {
            "diff": {"changes": {"messages": [CHANGED]}, "reverted": {}, "last": 0},
            "calls": {"calls": [], "last": 0},
        }
        status, answer = 200, answers[action]
        if self.refuses is not None:
            status, answer = self.refuses.status, self.refuses.as_json()
        body = json.dumps(answer).encode()
        writer.write(b"HTTP/1.1 %d X\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % (status, len(body)) + body)
        writer.close()
        await writer.wait_closed()


@asynccontextmanager
async def judged(judge_s_max: float = 120.0, app: Slack | None = None) -> AsyncIterator[Judging]:
    """Give the judging of a farm of one app; ends it."""
    server = await asyncio.start_server((app or Slack()).serve, "127.0.0.1", 0)
    ports = {"slack": ((0, server.sockets[0].getsockname()[1]),)}
    made = Judging(GatewayConfig(Path("/nowhere"), "", "", None, "", "", "token", ports), 1, judge_s_max)
    try:
        yield made
    finally:
        await made.close()
        server.close()


def job(**body: Any) -> CheckJob:
    return CheckJob(SETTINGS, ("slack",), "start", "Asia/Shanghai", body)


async def verdict(judging: Judging, **body: Any) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(await judging.check(job(**body)))
    return found


@pytest.fixture
def endless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A task ``own/post`` whose own predicate never ends; returns the file that it makes once it is called."""
    return write_task(tmp_path, monkeypatch, ENDLESS_TASK) / "begun"


@pytest.fixture
def greedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A task ``own/post`` whose own predicate takes twice the memory that there may be."""
    code = f"def is_polite(evidence, start):\n    return len(bytearray({2 * MEMORY_BYTES_MAX})) > 0, ''\n"
    write_task(tmp_path, monkeypatch, code)


def write_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> Path:
    folder = tmp_path / "own_content" / "tasks" / "own"
    folder.mkdir(parents=True)
    monkeypatch.setenv("FARM_CONTENT", str(folder.parents[1]))
    head = (
        'id = "post"\ntitle = "T"\nworld = "mini"\napps = ["slack"]\ncategory = "c"\ninstruction = "Do."\noracle = []'
    )
    point = '[[checkpoints]]\nid = "polite"\nkind = "other"\npredicate = "is_polite"\n'
    (folder / "post.toml").write_text(f"{head}\n{point}")
    (folder / "post.py").write_text(code)
    return folder


async def test_nothing_is_started_before_something_is_asked() -> None:
    async with judged() as judging:
        assert judging.pid is None

        await judging.ask("people", ("mini", 0, ()))

        assert judging.pid is not None


async def test_a_verdict_comes_from_what_the_apps_say() -> None:
    async with judged() as judging:
        found = await verdict(judging, checkpoints=[{**POSTED, "id": "p", "after": {"text": ENDLESS}}])
        refused = await verdict(judging, checkpoints=[{**POSTED, "id": "p", "after": {"text": "Hi."}}])

    assert [(each["score"], each["found"]) for each in found["checkpoints"]] == [(1.0, 1)]
    assert [each["score"] for each in refused["checkpoints"]] == [0.5]


async def test_one_process_answers_all() -> None:
    async with judged() as judging:
        await asyncio.gather(*(judging.ask("people", ("mini", 0, ())) for _ in range(20)))
        first = judging.pid
        await verdict(judging)

        assert judging.pid == first


async def test_what_cannot_be_judged_is_said_as_by_the_gateway_itself() -> None:
    async with judged() as judging:
        with pytest.raises(NotFoundError, match="no suite 'x'"):
            await judging.ask("task", ("x/y", {}))
        with pytest.raises(FarmError, match="'answer' must be a text, not 1"):
            await verdict(judging, answer=1)


async def test_what_an_app_refuses_is_said_in_its_words() -> None:
    app = Slack()
    app.refuses = NotFoundError("no episode 'ep'")

    async with judged(app=app) as judging:
        with pytest.raises(NotFoundError, match="no episode 'ep'"):
            await verdict(judging)


async def test_texts_are_not_read_by_a_second_process_where_they_held_up_the_first() -> None:
    unread = {**POSTED, "id": "unread", "after": {"text": {"regex": ENDLESS_PATTERN}}}
    sure = {**POSTED, "id": "sure", "after": {"channel_id": "C1"}}

    async with judged(0.3) as judging:
        await judging.ask("people", ("mini", 0, ()))
        first = judging.pid
        points = (await verdict(judging, checkpoints=[unread, sure]))["checkpoints"]

        assert judging.pid != first
    assert [(each["id"], each["low"], each["high"]) for each in points] == [("unread", 0.5, 1.0), ("sure", 1.0, 1.0)]
    assert "not read: judging took more than 0.3 s" in points[0]["why"]


async def test_what_never_ends_without_texts_either_is_one_line(
    endless: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with judged(0.3) as judging:
        with pytest.raises(
            InternalError, match=r"^judging took more than 0.3 s, also without reading any text: what episode 'ep'"
        ):
            await verdict(judging, task="own/post")

        assert b"people" in await judging.ask("people", ("mini", 0, ()))
    assert caplog.text.count("is ended: judging took more than 0.3 s") == 2


async def test_a_job_in_progress_is_told_when_its_process_is_killed_and_the_next_is_judged(
    endless: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with judged() as judging:
        checking = asyncio.create_task(verdict(judging, task="own/post"))
        async with asyncio.timeout(120):
            while not endless.exists():
                await asyncio.sleep(0.01)
        assert judging.pid is not None
        os.kill(judging.pid, signal.SIGKILL)

        with pytest.raises(
            UnavailableError, match=r"^the judging process ended \(status -9\) while it judged this; ask again$"
        ):
            await checking
        assert "ended with status -9; the next job starts another" in caplog.text
        assert await verdict(judging) == {
            "checkpoints": [],
            "damage": [
                {
                    "app": "slack",
                    "table": "messages",
                    "change": "create",
                    "key": CHANGED["key"],
                    "call": 1,
                    "why": "slack.messages: a row was created that nobody asked for",
                }
            ],
        }


async def test_jobs_that_wait_when_the_process_is_killed_go_to_the_next(endless: Path) -> None:
    async with judged() as judging:
        checking = asyncio.create_task(verdict(judging, task="own/post"))
        async with asyncio.timeout(120):
            while not endless.exists():
                await asyncio.sleep(0.01)
        waiting = asyncio.create_task(judging.ask("people", ("mini", 0, ())))
        await asyncio.sleep(0)  # it is sent
        assert judging.pid is not None
        os.kill(judging.pid, signal.SIGKILL)

        assert b"people" in await waiting
        with pytest.raises(UnavailableError):
            await checking


async def test_the_process_ends_with_its_judging() -> None:
    async with judged() as judging:
        await judging.ask("people", ("mini", 0, ()))
        pid = judging.pid
        assert pid is not None

    assert not is_alive(pid)
    assert judging.pid is None


class LongCalls(AppClient):
    """An app whose calls are so long that a page ends after two, whatever limit was asked for.

    Attributes:
        goes_on: whether its agent makes two more while a page is read.
    """

    def __init__(self, count: int, *, goes_on: bool) -> None:
        super().__init__(GatewayConfig(Path("/nowhere"), "", "", None, "", "", "token", {"slack": ((0, 0),)}))
        self._count = count
        self._goes_on = goes_on

    async def ask(self, app: str, method: str, path: str, body: Any = None, **query: Any) -> dict[str, Any]:
        """Answer as the app would."""
        if path.endswith("/diff"):
            return {"changes": {}, "reverted": {}, "last": self._count}
        if self._goes_on and self._count < 100:
            self._count += 2
        first = query["after"] + 1
        page = [self._entry(n) for n in range(first, min(first + 2, self._count + 1))]
        return {"calls": page, "last": self._count}

    @staticmethod
    def _entry(n: int) -> dict[str, Any]:
        times = {"at_ms": 1000 * n, "now_ms": 0, "started_ns": n, "ended_ns": n + 1}
        return {"n": n, "tool": "t", "arguments": {}, "result": {}, "size_bytes": 1, **times}


@pytest.mark.parametrize("goes_on", [False, True])
async def test_a_check_looks_at_all_calls_that_there_are_when_it_begins(goes_on: bool) -> None:
    _, calls = await evidence(LongCalls(5, goes_on=goes_on), Orders(), job())

    found: list[Call] = calls
    assert [each["n"] for each in found[:5]] == [1, 2, 3, 4, 5]
    # What comes in while they are read may be among them, but nobody is read to the end who never ends.
    assert len(found) <= 6


async def test_what_does_not_fit_in_memory_is_told_to_the_gateway() -> None:
    class Huge(LongCalls):
        async def ask(self, app: str, method: str, path: str, body: Any = None, **query: Any) -> dict[str, Any]:
            raise MemoryError

    assert await Judge(Huge(1, goes_on=False)).answer("check", job(), lambda: None) == (OUT_OF_MEMORY, b"")


@pytest.mark.skipif(sys.platform != "linux", reason="no other system counts a process's memory")
async def test_no_more_memory_is_given_than_the_limit(greedy: None) -> None:
    async with judged() as judging:
        with pytest.raises(FarmError, match="raised MemoryError"):
            await verdict(judging, task="own/post")
