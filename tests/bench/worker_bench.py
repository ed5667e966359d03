"""What a second worker process of an app is worth, on calls that keep it busy."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tests.bench.context_rows import COMMON_WORD, world_of_notes
from tests.bench.environment import Server, Stage, load, tool_call
from tests.bench.measure import Measurement, Sizes, compare, take_turns
from tests.bench.measured_apps import SEARCHED
from tests.bench.synthetic_apps import start_farm

_CLIENTS = 2  # on each episode
_WORLD = "notes"
_NOTES = 3_000
_SPIN = """
import sys, time
rounds, until = 0, time.perf_counter() + float(sys.argv[1])
while time.perf_counter() < until:
    rounds += len([str(number) for number in range(200)]) > 0
print(rounds)
"""


def worker_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """Calls a second in two episodes, each with a worker of its own, beside the same two in one process.

    On two cores the second worker can only have what the load clients leave. So the calls are long ones, searches that
    look at thousands of notes, beside which a client's part is small; ``client_busy`` says how small.
    """
    content = stage.folder / "content"
    world_of_notes(content, _WORLD, 200 if sizes.is_quick else _NOTES)
    with ExitStack() as stack:
        pairs = {workers: _start(stage, stack, content, workers) for workers in (1, 2)}
        things: dict[str, Callable[[], float]] = {
            str(workers): (lambda episodes=episodes: _rate(episodes, sizes))  # type: ignore[misc]
            for workers, episodes in pairs.items()
        }
        for count in (1, 2):
            things[f"spin{count}"] = lambda count=count: _spin(count, sizes.seconds)  # type: ignore[misc]
        found = take_turns(sizes.rounds, things)
    return [
        compare(
            "workers_2",
            "calls/s",
            found["2"],
            found["1"],
            against="the same app with one worker",
            target=1.8,
            better="higher",
            # What two processes that only count are worth beside one, on this machine and in these minutes.
            machine=statistics.median(two / one for one, two in zip(found["spin1"], found["spin2"], strict=True)),
            client_busy=max(each.client_busy for episodes in pairs.values() for each in episodes),
        )
    ]


def _start(stage: Stage, stack: ExitStack, content: Path, workers: int) -> list[_Episode]:
    """Start a farm and return two episodes of it, in different workers where there are two."""
    data = stage.data(f"workers{workers}")
    farm = start_farm(data, [SEARCHED], _WORLD, content, "--workers", str(workers))
    stack.callback(farm.end)
    server = Server(SEARCHED, farm.state.apps[0].pid, 0, farm.process)
    found: list[_Episode] = []
    while len(found) < 2:
        made = farm.client().create(apps=[SEARCHED], world=_WORLD)
        url = urlsplit(made["direct"][SEARCHED])
        if workers == 1 or url.port not in [each.port for each in found]:
            found.append(_Episode(server, url.port or 0, url.path, made["token"]))
    return found


def _rate(episodes: Sequence[_Episode], sizes: Sizes) -> float:
    with ThreadPoolExecutor(len(episodes)) as pool:
        rates: list[float] = list(pool.map(lambda each: each.rate(sizes), episodes))
    return sum(rates)


def _spin(count: int, seconds: float) -> float:
    command = [sys.executable, "-c", _SPIN, str(seconds)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(count)]
    return sum(int(process.communicate()[0]) for process in processes)


@dataclass
class _Episode:
    server: Server
    port: int
    path: str
    token: str
    client_busy: float = 0.0

    def rate(self, sizes: Sizes) -> float:
        bodies = [tool_call("search_feeds", {"keyword": COMMON_WORD})]
        bearer = {"authorization": f"Bearer {self.token}"}
        done = load(
            self.server,
            bodies,
            path=self.path,
            clients=_CLIENTS,
            seconds=sizes.seconds,
            port=self.port,
            headers=bearer,
        )
        self.client_busy = max(self.client_busy, done.client_busy)
        return done.rate
