"""What a second worker process of an app is worth, on calls that keep it busy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from urllib.parse import urlsplit

from farm.bench.many import start_farm
from farm.bench.measure import Row, Sizes, compare, take_turns
from farm.bench.stage import WORLD, Server, Stage, load, tool_call

_CLIENTS = 4  # on each episode


def worker_rows(stage: Stage, sizes: Sizes) -> list[Row]:
    """Calls a second in two episodes, each with a worker of its own, beside the same two in one process.

    The load clients need a core of their own, so on two cores the second worker can only have what they leave. The
    calls are long ones (all users of a workspace), so that this is most of it.
    """
    with ExitStack() as stack:
        pairs = {workers: _start(stage, stack, workers) for workers in (1, 2)}
        things: dict[str, Callable[[], float]] = {
            str(workers): (lambda episodes=episodes: _rate(episodes, sizes))  # type: ignore[misc]
            for workers, episodes in pairs.items()
        }
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
        )
    ]


def _start(stage: Stage, stack: ExitStack, workers: int) -> list[_Episode]:
    """Start a farm and return two episodes of it, in different workers where there are two."""
    farm = start_farm(stage.data(f"workers{workers}"), ["slack"], WORLD, None, "--workers", str(workers))
    stack.callback(farm.end)
    server = Server("slack", farm.state.apps[0].pid, 0, farm.process)
    found: list[_Episode] = []
    while len(found) < 2:
        made = farm.client().create(apps=["slack"], world=WORLD)
        url = urlsplit(made["direct"]["slack"])
        if workers == 1 or url.port not in [each.port for each in found]:
            found.append(_Episode(server, url.port or 0, url.path, made["token"]))
    return found


def _rate(episodes: Sequence[_Episode], sizes: Sizes) -> float:
    with ThreadPoolExecutor(len(episodes)) as pool:
        rates: list[float] = list(pool.map(lambda each: each.rate(sizes), episodes))
    return sum(rates)


@dataclass(frozen=True)
class _Episode:
    server: Server
    port: int
    path: str
    token: str

    def rate(self, sizes: Sizes) -> float:
        bodies = [tool_call("slack_get_users", {"limit": 200})]
        bearer = {"authorization": f"Bearer {self.token}"}
        return load(
            self.server,
            bodies,
            path=self.path,
            clients=_CLIENTS,
            seconds=sizes.seconds,
            port=self.port,
            headers=bearer,
        ).rate
