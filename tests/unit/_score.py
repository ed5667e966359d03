"""What the tests of verdicts share: a world's start, changed rows, calls, and the verdict on them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from farm.benchmark.scoring.evidence import Evidence, TaskScore
from farm.benchmark.scoring.grade import grade
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.tasks import Checkpoint, Task
from farm.context.trace import Call

START = load_start("harbor")
NOW = datetime.fromisoformat("2026-03-09T09:00:00+08:00")
ME = START.account("slack", "lin.wan")
GENERAL = START.find("slack", "channels", {"name": "general"})[0]["id"]
EVENT = START.find("lark", "events", {"summary": "S2 go / no-go"})[0]


def task(*checkpoints: Checkpoint, **options: Any) -> Task:
    return Task("t", "s", "T", "harbor", ("slack", "lark"), "c", "Do it.", checkpoints, (), **options)


def message(text: str, channel: str = GENERAL, ts: str = "1773018000.000001") -> dict[str, Any]:
    row = {"channel_id": channel, "ts": ts, "thread_ts": None, "user_id": ME, "text": text}
    return {"op": "insert", "key": {"channel_id": channel, "ts": ts}, "old": None, "new": row, "call": 1}


def moved(**columns: Any) -> dict[str, Any]:
    key = {"event_id": EVENT["event_id"]}
    return {"op": "update", "key": key, "old": dict(EVENT), "new": {**EVENT, **columns}, "call": 1}


def call(n: int, tool: str, *, refused: bool = False, text: str = "", **arguments: Any) -> Call:
    at = NOW.isoformat()
    return {
        "n": n,
        "app": "slack",
        "call": n,
        "tool": tool,
        "arguments": arguments,
        "refused": refused,
        "timed_out": False,
        "wrote": False,
        "started_at": at,
        "ended_at": at,
        "now": at,
        "result": {"content": [{"type": "text", "text": text}]},
    }


def score(wanted: Task, *, answer: str = "", calls: tuple[Any, ...] = (), **tables: Any) -> TaskScore:
    diff: dict[str, dict[str, Any]] = {}
    for name, changes in tables.items():
        app, _, table = name.partition("_")
        diff.setdefault(app, {})[table] = changes
    return grade(wanted, Evidence(diff, calls, answer, NOW), START)
