"""Kills processes of a farm with SIGKILL while it is written to, and counts what was acknowledged, lost and doubled.

``make chaos KILLS=100``. Apps, gateway, starter and supervisor take turns. Every text that is written is written once;
a call whose answer did not come may or may not have been made; every other one stands in log and state, once.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from farm.client import McpCaller
from farm.errors import FarmError
from tests.e2e.conftest import RunningFarm, until

VICTIMS = ("app", "gateway", "starter", "supervisor")
_WRITERS, _EPISODES, _KILLS_A_ROUND = 6, 3, 10
_BACK_S_MAX, _PAUSE_S_MAX = 60.0, 0.8


@dataclass(frozen=True)
class _Writing:
    """A tool that writes a text, where the row with it is found, and how it is asked."""

    tool: str
    table: str
    column: str

    def arguments(self, text: str) -> dict[str, Any]:
        return {"channel_id": "#general", "text": text} if self.column == "text" else {"data": {"summary": text}}

    def text_of(self, arguments: Any) -> str:
        return str(arguments["text"] if self.column == "text" else arguments["data"]["summary"])


_WRITES = {
    "slack": _Writing("slack_post_message", "messages", "text"),
    "lark": _Writing("task_v2_task_create", "tasks", "summary"),
}


@dataclass
class Count:
    """What came of a run."""

    kills: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    unanswered: int = 0
    made: int = 0
    lost: int = 0
    doubled: int = 0
    strange: list[str] = field(default_factory=list)
    longest_s: float = 0.0
    seconds: float = 0.0

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing, doubled or strange."""
        return not (self.lost or self.doubled or self.strange)

    def lines(self) -> Iterator[str]:
        """Yield it as it is printed."""
        killed = ", ".join(f"{name} {count}" for name, count in sorted(self.kills.items()))
        yield f"{self.kills.total()} kills ({killed}), {self.seconds:.0f} s; back after at most {self.longest_s:.1f} s"
        yield f"  {self.acknowledged:,} writes acknowledged; {self.unanswered:,} without an answer, of which"
        yield f"  {self.made - self.acknowledged + self.lost:,} were made; lost {self.lost}, doubled {self.doubled}"
        yield from (f"  {each}" for each in self.strange)


class _Writer(threading.Thread):
    """Writes one text after another into episodes, by every door, whatever happens to the farm."""

    def __init__(self, name: str, seed: str, episodes: list[dict[str, Any]]) -> None:
        super().__init__(name=name, daemon=True)
        self.episodes = episodes
        self.acknowledged: dict[tuple[str, str], Counter[str]] = {}
        self.unanswered: dict[tuple[str, str], Counter[str]] = {}
        self.ends = threading.Event()
        self._rng = random.Random(seed)

    def run(self) -> None:
        """Write until told to end."""
        caller, number = McpCaller(), 0
        while not self.ends.is_set():
            number += 1
            episode, app = self._rng.choice(self.episodes), self._rng.choice(list(_WRITES))
            writing, text = _WRITES[app], f"{self.name}-{number}"
            door = self._rng.choice(("mcp", "direct", "mcp_all"))
            url = episode["mcp_all"] if door == "mcp_all" else episode[door][app]
            tool = f"{app}__{writing.tool}" if door == "mcp_all" else writing.tool
            kept = self.unanswered
            with suppress(FarmError, OSError):
                answer = caller.call(url, tool, writing.arguments(text), episode["token"])
                if "error" not in answer and not answer.get("isError"):
                    kept = self.acknowledged
            kept.setdefault((episode["id"], app), Counter())[text] += 1
            if kept is self.unanswered:
                self.ends.wait(0.05)
        caller.close()


class Chaos:
    """A farm, those who write to it, and who kills it."""

    def __init__(self, data: Path, seed: int, *options: str) -> None:
        self._data, self._options, self._rng = data, options, random.Random(seed)
        self.farm = self._start()
        self._episodes: list[dict[str, Any]] = []
        self.count = Count()

    def _start(self) -> RunningFarm:
        return RunningFarm(self._data, f"--apps={','.join(_WRITES)}", *self._options)

    def run(self, kills: int, victims: Sequence[str] = VICTIMS) -> Count:
        """Kill so many times, in rounds with episodes of their own, and count."""
        started, left = time.monotonic(), [victims[number % len(victims)] for number in range(kills)]
        while left:
            self._round(left[:_KILLS_A_ROUND])
            del left[:_KILLS_A_ROUND]
        self._look_at_output()
        self.count.seconds = time.monotonic() - started
        return self.count

    def _round(self, victims: Sequence[str]) -> None:
        # A connection of its own: a killed gateway has taken the others along.
        client = self.farm.connect()
        self._episodes = [client.create(seed=self._rng.randrange(1000)) for _ in range(_EPISODES)]
        writers = [_Writer(f"w{n}", f"{self._rng.random()}", self._episodes) for n in range(_WRITERS)]
        for each in writers:
            each.start()
        for victim in victims:
            time.sleep(self._rng.random() * _PAUSE_S_MAX)
            self._kill(victim)
        for each in writers:
            each.ends.set()
        for each in writers:
            each.join(_BACK_S_MAX)
        self._compare(writers)

    def _kill(self, victim: str) -> None:
        """Kill one process and wait until what it did is done by another."""
        state, started = self.farm.state, time.monotonic()
        if victim == "app":
            app = self._rng.choice(state.apps)
            os.kill(app.pid, signal.SIGKILL)
            until(lambda: self._has_app_beside(app.pid, app.app), "another app process", _BACK_S_MAX)
        elif victim == "gateway":
            os.kill(state.gateway_pid, signal.SIGKILL)
            until(lambda: self.farm.state.gateway_pid not in (0, state.gateway_pid), "another gateway", _BACK_S_MAX)
        elif victim == "starter":
            os.kill(_parent(state.gateway_pid), signal.SIGKILL)
            until(lambda: self._is_all_new({state.gateway_pid, *(each.pid for each in state.apps)}), "all", _BACK_S_MAX)
        else:
            self._look_at_output()
            self.farm.end(signal.SIGKILL)
            # The old one's processes still hold the ports for a moment; the new one has others.
            self.farm = self._start()
            for each in self._episodes:
                each.update(self.farm.client.episode(each["id"]))
        self._until_it_answers()
        self.count.kills[victim] += 1
        self.count.longest_s = max(self.count.longest_s, time.monotonic() - started)

    def _has_app_beside(self, pid: int, name: str) -> bool:
        return any(each.app == name and each.pid not in (0, pid) for each in self.farm.state.apps)

    def _is_all_new(self, old: set[int]) -> bool:
        state = self.farm.state
        return not {0, *old} & {state.gateway_pid, *(each.pid for each in state.apps)}

    def _until_it_answers(self) -> None:
        def answers() -> bool:
            client = self.farm.connect()
            try:
                return all(each["ready"] for each in client.status()["apps"])
            except FarmError:
                return False
            finally:
                client.close()

        until(answers, "a farm that is ready", _BACK_S_MAX)

    def _compare(self, writers: Sequence[_Writer]) -> None:
        """Hold what was acknowledged against the log, and the log against the state; remove the episodes."""
        client = self.farm.connect()
        for episode in self._episodes:
            name = episode["id"]
            calls, changed = client.calls(name, results=False), client.diff(name)
            for app, writing in _WRITES.items():
                logged = Counter(
                    writing.text_of(call["arguments"]) for call in calls if call["app"] == app and not call["refused"]
                )
                rows = Counter(str(row["new"][writing.column]) for row in changed[app].get(writing.table, ()))
                acknowledged, unanswered = (
                    sum((each.get((name, app), Counter()) for each in kept), Counter[str]())
                    for kept in zip(*((writer.acknowledged, writer.unanswered) for writer in writers), strict=True)
                )
                self._hold(f"{app} of {name}", acknowledged, unanswered, logged, rows)
            if client.episode(name)["calls"] != len(calls):
                self.count.strange.append(f"{name} counts {client.episode(name)['calls']} calls and logs {len(calls)}")
            client.drop(name)

    def _hold(
        self, what: str, acknowledged: Counter[str], unanswered: Counter[str], logged: Counter[str], rows: Counter[str]
    ) -> None:
        self.count.acknowledged += acknowledged.total()
        self.count.unanswered += unanswered.total()
        self.count.made += logged.total()
        self.count.lost += (acknowledged - logged).total() + (acknowledged - rows).total()
        self.count.doubled += sum(number - 1 for kept in (logged, rows) for number in kept.values() if number > 1)
        if logged != rows:
            self.count.strange.append(f"{what}: the log and the state differ by {(logged - rows) + (rows - logged)}")
        if nobody := logged - acknowledged - unanswered:
            self.count.strange.append(f"{what}: nobody asked for {nobody}")

    def _look_at_output(self) -> None:
        if "Traceback" in (said := self.farm.output):
            self.count.strange.append(f"a traceback in the log: {said[said.index('Traceback') - 500 :][:2000]}")

    def end(self) -> None:
        """End the farm."""
        self.farm.end()


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill, count, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.stress.chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="how many; %(default)s")
    parser.add_argument("--seed", type=int, help="whom to kill when; chosen and printed when absent")
    parser.add_argument("--victims", default=",".join(VICTIMS), help="in turn; %(default)s")
    given = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(1 << 31) if given.seed is None else given.seed
    sys.stdout.write(f"seed {seed}\n")
    sys.stdout.flush()
    folder = Path(tempfile.mkdtemp(prefix="farm-chaos-"))
    chaos = Chaos(folder / "data", seed)
    try:
        count = chaos.run(given.kills, given.victims.split(","))
    finally:
        chaos.end()
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write("\n".join(count.lines()) + "\n")
    return int(not count.is_whole)


if __name__ == "__main__":
    sys.exit(main())
