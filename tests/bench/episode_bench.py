"""Many episodes on one disk, a few of them hot: what a call costs as their number grows, and what memory it takes.

Contexts nobody has written to are read from one copy in memory. Of ten thousand, one in ten was written to before the
measurement; ``ratio_of_used`` has all its cold calls there, where each has to open a file.

``python -m tests.bench.episode_bench`` runs alone, so that its memory is that of the contexts and nothing else.
"""

from __future__ import annotations

import itertools
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from farm.content import load_app
from farm.context.settings import Settings
from farm.context.store import Store
from farm.context.template import load_world
from farm.server.pipeline import call
from tests.bench.environment import Stage, slack_facts
from tests.bench.measure import Measurement, Sizes, compare, exponent, pss_mib, take_turns
from tests.bench.measured_apps import APP, PAGE_TOOL, READ_TOOL, WORLD, WRITE_TOOL

HOT = 64
_HOT_SHARE = 0.9
_CALLS_A_ROUND = 2_000
_CALLS_A_VISIT = 20
# A round is cut into as many turns, so that a machine that becomes slower or faster does so for all alike.
_TURNS_A_ROUND = 8
_USED = 1_000


class Crowd:
    """A store whose episodes are made as they are wanted."""

    def __init__(self, data: Path) -> None:
        self.store = Store(load_app(APP), data)
        self._data = data
        self._world = load_world(WORLD)
        self.count = 0
        self.grow(1)
        facts = slack_facts(self.store.files("ep0").db(0), self._world.protagonist)
        self._requests = _requests(facts.users, facts.channels)

    def grow(self, count: int) -> float:
        """Make episodes until there are so many; return the microseconds each took."""
        started, made = time.perf_counter(), count - self.count
        for number in range(self.count, count):
            name = f"ep{number}"
            folder = self._data / "episodes" / name
            folder.mkdir()
            now = self._world.starts_at.isoformat()
            Settings(name, WORLD, (APP,), seed=number, now=now, me=self._world.protagonist).save(folder)
            self.store.create(name)
        self.count = max(count, self.count)
        return (time.perf_counter() - started) / max(made, 1) * 1e6

    def use(self, numbers: Iterable[int]) -> None:
        """Write in some episodes, whose contexts are their own from then on."""
        tool, arguments = next(each for each in self._requests if each[0] == WRITE_TOOL)
        for number in numbers:
            call(self.store.open(f"ep{number}"), tool, arguments)

    def rate(self, choose: Callable[[], int], calls: int) -> float:
        """Return calls a second in episodes that ``choose`` names."""
        started = time.perf_counter()
        for tool, arguments in itertools.islice(self._requests, calls):
            call(self.store.open(f"ep{choose()}"), tool, arguments)
        return calls / (time.perf_counter() - started)


def _requests(users: tuple[str, ...], channels: tuple[str, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield calls for ever: reads by key, pages, and one post in four."""
    for user, each in zip(itertools.cycle(users), itertools.cycle(channels), strict=True):
        yield READ_TOOL, {"user_id": user}
        yield PAGE_TOOL, {"channel_id": each, "limit": 10}
        yield READ_TOOL, {"user_id": user}
        yield WRITE_TOOL, {"channel_id": each, "text": "Release notes are up."}


def _some(cold: Sequence[int], dice: random.Random) -> Callable[[], int]:
    """Choose among the hot episodes, the first ones, nine times out of ten, otherwise among these."""
    hot = min(HOT, max(cold) + 1)
    return lambda: dice.randrange(hot) if dice.random() < _HOT_SHARE else dice.choice(cold)


def _visits(count: int, dice: random.Random) -> Iterator[int]:
    """Yield episodes as agents come to them: any of all, for twenty calls each."""
    while True:
        yield from itertools.repeat(dice.randrange(count), _CALLS_A_VISIT)


def drive(data: Path, counts: list[int], rounds: int, calls: int) -> dict[str, Any]:
    """Grow through ``counts`` and return rates, costs and memory."""
    crowd, dice = Crowd(data), random.Random(3)
    hot_us, create_us = [], []
    for count in counts:
        create_us.append(crowd.grow(count) if count > 1 else 0.0)
        hot = min(HOT, count)
        turn = itertools.cycle(range(hot))
        crowd.rate(turn.__next__, 4 * hot)
        hot_us.append(1e6 / max(crowd.rate(turn.__next__, calls) for _ in range(rounds)))
    # The disk still takes in the gigabytes that were made; calls are measured, not that.
    os.sync()
    used = range(crowd.count - min(_USED, crowd.count // 2), crowd.count)
    crowd.use(used)
    turn = itertools.cycle(range(HOT))
    visit = _visits(crowd.count, dice)
    some, written = _some(range(crowd.count), dice), _some(used, dice)
    each = max(calls // _TURNS_A_ROUND, 1)
    things = {
        "open": lambda: crowd.rate(turn.__next__, each),
        "crowd": lambda: crowd.rate(some, each),
        "used": lambda: crowd.rate(written, each),
        "visits": lambda: crowd.rate(visit.__next__, each),
    }
    found = take_turns(rounds * _TURNS_A_ROUND, things)
    memory = pss_mib(os.getpid())
    crowd.store.close_all()
    return {"counts": counts, "hot_us": hot_us, "create_us": create_us, "memory_mib": memory, **found}


def _ratio(ours: list[float], theirs: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def crowd_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """The row of ten thousand episodes, and how a call's cost grows with their number."""
    counts = [1, HOT, 100] if sizes.is_quick else [1, 10, 100, 1_000, 10_000]
    calls = 200 if sizes.is_quick else _CALLS_A_ROUND
    order = {"data": str(stage.data("crowd")), "counts": counts, "rounds": sizes.rounds, "calls": calls}
    command = [sys.executable, "-m", "tests.bench.episode_bench"]
    done = subprocess.run(command, input=orjson.dumps(order), stdout=subprocess.PIPE, check=True)
    found = orjson.loads(done.stdout)
    against = f"the same calls in {HOT} episodes, all open"
    rate = compare(
        "episodes_on_disk",
        "calls/s",
        found["crowd"],
        found["open"],
        against=against,
        target=0.7,
        better="higher",
        episodes=counts[-1],
        ratio_of_visits=_ratio(found["visits"], found["open"]),
        ratio_of_used=_ratio(found["used"], found["open"]),
    )
    points = list(zip(found["counts"], found["hot_us"], strict=True))
    return [
        rate,
        Measurement(
            "episodes_memory", "MiB", found["memory_mib"], target=256.0, bounds="value", notes={"episodes": counts[-1]}
        ),
        Measurement(
            "growth_episodes",
            "exponent",
            exponent(points),
            target=0.1,
            bounds="value",
            against="wall time a call, hot episodes in turn",
            notes={"points": points, "create_us": found["create_us"]},
        ),
    ]


def main() -> None:
    """Drive one order from standard input."""
    order = orjson.loads(sys.stdin.buffer.read())
    result = drive(Path(order["data"]), order["counts"], order["rounds"], order["calls"])
    sys.stdout.buffer.write(orjson.dumps(result))


if __name__ == "__main__":
    main()
