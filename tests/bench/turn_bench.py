"""Rows about turns: how long an episode waits while others keep the same process busy."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from urllib.parse import urlsplit

from farm.errors import FarmError
from farm.server.deadline import CALL_S_MAX
from tests.bench.environment import Load, Server, Stage, drive, http_request, tool_call
from tests.bench.measure import Measurement, Sizes, compare, take_turns
from tests.bench.measured_apps import HEAVY_TOOL, LONGEST, SHORT_TOOL, WORLD, heavy_arguments
from tests.bench.synthetic_apps import RunningFarm, start_farm

_FLOODERS = 16
_PAUSE_S = 0.005
_HEAVY_EVERY_S = 0.3


def turn_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """How long one that calls now and then waits, through the gateway, beside floods and beside one heavy call."""
    with ExitStack() as stack:
        farm = start_farm(stage.data("turns"), [LONGEST], WORLD)
        stack.callback(farm.end)
        turns = _Turns(farm, sizes)
        things: dict[str, Callable[[], float]] = {
            "one": lambda: turns.beside_flood(1).p99_us / 1000,
            "many": lambda: turns.beside_flood(_FLOODERS).p99_us / 1000,
            "heavy": lambda: turns.beside_heavy().longest_us / 1000,
            "alone": lambda: turns.probe().longest_us / 1000,
        }
        found = take_turns(sizes.rounds, things)
    return [
        compare(
            "neighbour_flood",
            "ms p99",
            found["one"],
            found["many"],
            against=f"the same {_FLOODERS} clients, an episode each",
            target=2.0,
        ),
        Measurement(
            "neighbour_heavy",
            "ms more",
            statistics.median(found["heavy"]) - statistics.median(found["alone"]),
            target=CALL_S_MAX * 1000,
            bounds="value",
            notes={"longest_ms": max(found["heavy"]), "alone_ms": statistics.median(found["alone"])},
        ),
    ]


class _Turns:
    """A farm with one episode that is watched and others that make it wait."""

    def __init__(self, farm: RunningFarm, sizes: Sizes) -> None:
        self._seconds = 3 * sizes.seconds
        self._share = 0.01 if sizes.is_quick else 1.0
        self._port = urlsplit(farm.state.agents_url).port or 0
        self._gateway = Server("gateway", farm.state.gateway_pid, self._port, farm.process)
        client, short = farm.client(), tool_call(SHORT_TOOL, {})
        self._made = [client.create(apps=[LONGEST], world=WORLD) for _ in range(_FLOODERS + 1)]
        self._watched, *self._others = [self._request(number, short) for number in range(len(self._made))]

    def _request(self, number: int, body: str) -> str:
        made = self._made[number]
        bearer = {"authorization": f"Bearer {made['token']}"}
        return http_request(f"/mcp/{made['id']}/{LONGEST}", body, self._port, bearer)

    def _drive(self, requests: Sequence[str], clients: int, pause_s: float, seconds: float) -> Load:
        return drive(self._gateway, requests, clients=clients, seconds=seconds, port=self._port, pause_s=pause_s)

    def probe(self) -> Load:
        """Return how long the watched episode waits."""
        return self._drive([self._watched], 1, _PAUSE_S, self._seconds)

    def beside_flood(self, episodes: int) -> Load:
        """Return how long it waits beside clients that call without pause, in so many episodes."""
        with ThreadPoolExecutor(1) as pool:
            # Longer than the probe, so that it is never alone.
            flood = pool.submit(self._drive, self._others[:episodes], _FLOODERS, 0.0, self._seconds + 1)
            probed = self.probe()
            if flood.done():
                raise FarmError("the bench's flood ended before what it was to hold up")
            flood.result()
        return probed

    def beside_heavy(self) -> Load:
        """Return how long it waits beside one client that makes heavy calls, one after another with pauses."""
        request = self._request(1, tool_call(HEAVY_TOOL, heavy_arguments(self._share)))
        with ThreadPoolExecutor(1) as pool:
            heavy = pool.submit(self._drive, [request], 1, _HEAVY_EVERY_S, self._seconds / 2)
            probed = self.probe()
            heavy.result()
        return probed
