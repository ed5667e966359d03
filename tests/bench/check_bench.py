"""Rows about judging: how long a check takes, and what it costs an agent who calls an app meanwhile."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from urllib.parse import urlsplit

import orjson

from farm.client import mcp_call
from farm.play import card_of
from tests.bench.environment import Load, Server, Stage, drive, http_request, tool_call
from tests.bench.measure import Measurement, Sizes
from tests.bench.measured_apps import (
    APP,
    HOSTILE_APP,
    HOSTILE_TASK,
    HOSTILE_TEXT,
    HOSTILE_TOOL,
    JUDGED_TASK,
    PAGE_TOOL,
    WORLD,
)
from tests.bench.synthetic_apps import RunningFarm, start_farm

_CHECK_MS_MAX, _BESIDE_MAX, _LONGEST_MS_MAX = 5.0, 2.0, 100.0
_PAUSE_S = 0.002  # an agent's calls do not follow each other at once
# One a second: without a pause both cores are busy with texts of megabytes, and a call waits for its turn on them.
_HOSTILE_PAUSE_S = 1.0
# Checks without end, by a process of its own: an interpreter that also times would hold up what it times.
_AGAIN = """
import http.client, sys, time
host, path, token, pause_s = sys.argv[1:]
link, body = http.client.HTTPConnection(host), sys.stdin.buffer.read()
while True:
    link.request("POST", path, body, {"authorization": f"Bearer {token}", "content-type": "application/json"})
    answer = link.getresponse()
    assert answer.status == 200, answer.read()
    answer.read()
    print(flush=True)
    time.sleep(float(pause_s))
"""


def check_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """The wait for a verdict on a task, and what a neighbour waits beside such checks without a pause, and beside one a
    second of the worst text there is."""
    with ExitStack() as stack:
        farm = start_farm(stage.data("checks"), sorted({APP, HOSTILE_APP, *card_of(JUDGED_TASK).apps}), WORLD)
        stack.callback(farm.end)
        plain, hostile = _Judged(farm, JUDGED_TASK), _Judged(farm, HOSTILE_TASK)
        mcp_call(hostile.urls[HOSTILE_APP], HOSTILE_TOOL, HOSTILE_TEXT, hostile.token)
        neighbour = _Neighbour(farm, sizes)
        waits_ms = plain.waits_ms(20 if sizes.is_quick else 200)
        rounds: list[tuple[Load, Load, Load]] = []
        for _ in range(sizes.rounds):
            alone = neighbour.load()
            with plain.again(0):
                beside = neighbour.load()
            with hostile.again(_HOSTILE_PAUSE_S):
                rounds.append((alone, beside, neighbour.load()))
    task = [b.p95_us / a.p95_us for a, b, _ in rounds]
    text = [c.p99_us / a.p99_us for a, _, c in rounds]
    longest_ms = max(c.longest_us for _, _, c in rounds) / 1000
    return [
        Measurement(
            "check_task",
            "ms",
            statistics.median(waits_ms),
            target=_CHECK_MS_MAX,
            bounds="value",
            notes={"p95_ms": sorted(waits_ms)[len(waits_ms) * 95 // 100]},
        ),
        _beside("check_beside", task, alone_us=[a.p95_us for a, _, _ in rounds], percentile="p95"),
        _beside(
            "hostile_beside", text, alone_us=[a.p99_us for a, _, _ in rounds], percentile="p99", longest_ms=longest_ms
        ),
        Measurement("hostile_longest", "ms", longest_ms, target=_LONGEST_MS_MAX, bounds="value"),
    ]


def _beside(name: str, ratios: list[float], **notes: object) -> Measurement:
    middle = statistics.median(ratios)
    return Measurement(
        name, "x alone", middle, low=min(ratios), high=max(ratios), target=_BESIDE_MAX, bounds="value", notes=notes
    )


class _Judged:
    """An episode of a task, and its check."""

    def __init__(self, farm: RunningFarm, task: str) -> None:
        asked = asdict(card_of(task))
        self._farm = farm
        made = farm.client().create(**{name: asked[name] for name in ("world", "apps", "me", "now") if asked.get(name)})
        self.urls, self.token = made["direct"], made["token"]
        self._path = f"/v1/episodes/{made['id']}/check"
        self._body = {"task": task, "answer": ""}

    def waits_ms(self, count: int) -> list[float]:
        """Return how long checks took, one after the other, after the first ones."""
        client, found = self._farm.client(), []
        for _ in range(count + 3):
            started = time.perf_counter_ns()
            client.request("POST", self._path, self._body)
            found.append((time.perf_counter_ns() - started) / 1e6)
        return found[3:]

    @contextmanager
    def again(self, pause_s: float) -> Iterator[None]:
        """Check it again and again meanwhile."""
        host = urlsplit(self._farm.state.operators_url).netloc
        command = [sys.executable, "-c", _AGAIN, host, self._path, self._farm.operator_token(), str(pause_s)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin
            assert process.stdout
            process.stdin.write(orjson.dumps(self._body))
            process.stdin.close()
            process.stdout.readline()  # the first verdict is there
            yield
            process.kill()


class _Neighbour:
    """An agent in another episode, that calls through the gateway."""

    def __init__(self, farm: RunningFarm, sizes: Sizes) -> None:
        made = farm.client().create(apps=[APP], world=WORLD)
        port = urlsplit(farm.state.agents_url).port or 0
        self._server = Server("gateway", farm.state.gateway_pid, port, farm.process)
        channel = farm.client().rows(made["id"], APP, "channels")["rows"][0]["id"]
        call = tool_call(PAGE_TOOL, {"channel_id": channel, "limit": 10})
        self._request = http_request(
            f"/mcp/{made['id']}/{APP}", call, port, {"authorization": f"Bearer {made['token']}"}
        )
        self._seconds = sizes.seconds * 2

    def load(self) -> Load:
        """Return how long its calls took."""
        return drive(
            self._server,
            [self._request],
            clients=1,
            seconds=self._seconds,
            port=self._server.port,
            pause_s=_PAUSE_S,
        )
