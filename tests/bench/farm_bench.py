"""Rows about whole farms: the relay, starting, memory, a killed process."""

from __future__ import annotations

import os
import signal
import statistics
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from farm.client import mcp_call
from farm.content import app_names
from farm.context.template import load_world
from farm.errors import FarmError
from farm.runtime.supervisor.state import FarmState
from tests.bench.call_bench import FLOOR, FLOOR_US, loads_in_turn
from tests.bench.environment import Load, Server, Stage, load, slack_facts, tool_call
from tests.bench.measure import Measurement, Sizes, compare, exponent, pss_mib, take_turns
from tests.bench.measured_apps import APP, READ_TOOL, WORLD, WRITE_TOOL
from tests.bench.synthetic_apps import MANY_WORLD, RunningFarm, many_apps, start_farm

APPS = 21
_FASTMCP_PROCESSES = 3
_BACK_S_MAX = 30.0


def slack_calls(farm: RunningFarm, data: Path) -> tuple[str, str, list[str], tuple[str, ...]]:
    """Return an episode's id and bearer, bodies of calls, and channels to post to."""
    made = farm.client().create(apps=[APP], world=WORLD)
    context = next((data / "episodes" / made["id"]).glob(f"{APP}.*.db"))
    facts = slack_facts(context, load_world(WORLD).protagonist)
    bodies = [tool_call(READ_TOOL, {"user_id": user}) for user in facts.users]
    return made["id"], made["token"], bodies, facts.channels


def relay_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """Calls through the gateway beside the same calls at the app's own port."""
    data = stage.data("relay")
    with ExitStack() as stack:
        farm = start_farm(data, [APP], WORLD)
        stack.callback(farm.end)
        episode, token, bodies, _ = slack_calls(farm, data)
        app = farm.state.apps[0]
        agents = urlsplit(farm.state.agents_url).port or 0
        # CPU is counted where the work is done: relay and app together on the way through, the app alone beside it.
        gateway = Server("gateway", farm.state.gateway_pid, agents, farm.process)
        direct = Server(APP, app.pid, app.port, farm.process)
        bearer = {"authorization": f"Bearer {token}"}

        def through(clients: int) -> Callable[[], Load]:
            path = f"/mcp/{episode}/{APP}"
            return lambda: load(gateway, bodies, path=path, clients=clients, seconds=sizes.seconds, headers=bearer)

        def straight(clients: int) -> Callable[[], Load]:
            path = f"/mcp/{episode}"
            return lambda: load(direct, bodies, path=path, clients=clients, seconds=sizes.seconds, headers=bearer)

        floor = stage.baseline("raw")
        things = {
            "relay": through(sizes.clients),
            "direct": straight(sizes.clients),
            "relay1": through(1),
            "direct1": straight(1),
            "floor": lambda: load(floor, bodies, path="/", clients=sizes.clients, seconds=sizes.seconds),
        }
        found = loads_in_turn(sizes, things)
    against = "the app's own URL"
    waits = [a.p50_us - b.p50_us for a, b in zip(found["relay1"], found["direct1"], strict=True)]
    return [
        compare(
            "relay",
            "calls/s",
            [each.rate for each in found["relay"]],
            [each.rate for each in found["direct"]],
            against=against,
            target=0.3,
            better="higher",
        ),
        Measurement("relay_p50", "us more", statistics.median(waits), target=1000.0, bounds="value", against=against),
        compare(
            "relay_cpu",
            "us/call",
            [each.cpu_us for each in found["relay"]],
            [each.cpu_us for each in found["floor"]],
            against=f"{FLOOR}; the gateway's process alone",
            target=120.0 / FLOOR_US,
        ),
    ]


def up_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """Starting 21 apps, their memory, and how both grow with the number of apps."""
    extra = stage.folder / "content"
    most = 2 if sizes.is_quick else APPS
    names = many_apps(extra, most)
    counts = [1, most] if sizes.is_quick else [1, 3, 7, APPS]
    memory: dict[int, float] = {}

    def up(count: int) -> float:
        farm = start_farm(stage.data(f"up{count}"), names[:count], MANY_WORLD, extra)
        try:
            memory[count] = pss_mib(*farm.app_pids)
        finally:
            farm.end()
        return farm.up_s

    real = [APP] if sizes.is_quick else app_names()

    def up_real() -> float:
        farm = start_farm(stage.data("up_real"), real, WORLD)
        farm.end()
        return farm.up_s

    # The first start of a data folder also builds the starts of all contexts and compiles the kernels; both are kept.
    first_s = {count: up(count) for count in ([most] if sizes.is_quick else counts)}
    plain = _PlainFastMcp(stage)
    together = 1 if sizes.is_quick else _FASTMCP_PROCESSES
    if not sizes.is_quick:
        up_real()
        plain.start()
    things: dict[str, Callable[[], float]] = {str(count): (lambda count=count: up(count)) for count in counts}  # type: ignore[misc]
    found = take_turns(min(sizes.rounds, 3), {**things, "real": up_real, "plain": plain.start})
    one, against = plain.memory_mib(together), f"{APPS} plain FastMCP processes ({together} measured together)"
    start = "start of one plain FastMCP process"
    points = [(count, statistics.median(found[str(count)])) for count in counts]
    grown = [(count, memory[count]) for count in counts]
    last = str(most)
    return [
        compare(f"up_{APPS}_apps", "s", found[last], found["plain"], against=start, target=2.0, first_s=first_s[most]),
        compare("up_real_apps", "s", found["real"], found["plain"], against=start, apps=real),
        compare(
            f"memory_{APPS}_apps",
            "MiB PSS",
            [memory[most]],
            [one * most],
            against=against,
            target=0.3,
            one_plain_mib=one,
        ),
        Measurement(
            "growth_apps_up", "exponent", exponent(points), target=1.0, bounds="value", notes={"points": points}
        ),
        Measurement(
            "growth_apps_memory", "exponent", exponent(grown), target=1.0, bounds="value", notes={"points": grown}
        ),
    ]


class _PlainFastMcp:
    """Plain FastMCP processes."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        data = stage.data("plain")
        context = stage.episode(data, APP, "start")
        self._me = slack_facts(context, load_world(WORLD).protagonist).me
        self._context = context
        self._copies = 0

    def _server(self) -> Server:
        self._copies += 1
        copy = self._stage.folder / f"plain{self._copies}.db"
        copy.write_bytes(self._context.read_bytes())
        return self._stage.baseline("fastmcp", str(copy), self._me)

    def start(self) -> float:
        """Return the seconds until a fresh process answers."""
        started = time.perf_counter()
        server = self._server()
        took = time.perf_counter() - started
        self._stage.end(server)
        return took

    def memory_mib(self, count: int) -> float:
        """Return the memory of one of some that run at once."""
        servers = [self._server() for _ in range(count)]
        mib = pss_mib(*(server.pid for server in servers)) / len(servers)
        for server in servers:
            self._stage.end(server)
        return mib


def kill_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """Kill the app's process while several clients post: what was acknowledged must be there, and soon again."""
    data, kills = stage.data("kill"), 1 if sizes.is_quick else 8
    with ExitStack() as stack:
        farm = start_farm(data, [APP], WORLD)
        stack.callback(farm.end)
        episode, token, _, channels = slack_calls(farm, data)
        url = f"http://127.0.0.1:{farm.state.apps[0].port}/mcp/{episode}"
        posting = _Posting(url, token, channels)
        with posting:
            backs = [_kill_once(data, posting) for _ in range(kills)]
        changed = farm.client().diff(episode)[APP].get("messages", [])
    kept = {change["new"]["text"] for change in changed if change["op"] == "insert"}
    lost, twice = posting.acknowledged - kept, len(changed) - len(kept)
    return [
        Measurement(
            "kill_lost",
            "calls",
            len(lost),
            target=0.0,
            bounds="value",
            notes={"kills": kills, "acknowledged": len(posting.acknowledged), "twice": twice},
        ),
        # The supervisor lets a process that dies again and again wait longer each time; that is not what is asked here.
        Measurement(
            "kill_back",
            "s",
            max(backs[:3]),
            target=2.0,
            bounds="value",
            notes={"first_s": backs[0], "last_s": backs[-1]},
        ),
    ]


class _Posting:
    """Threads that post texts of their own and note which were acknowledged."""

    def __init__(self, url: str, token: str, channels: tuple[str, ...]) -> None:
        self._url, self._token, self._channels = url, token, channels
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._post, args=(number,)) for number in range(3)]
        self.acknowledged: set[str] = set()
        self.answered_at = 0.0

    def __enter__(self) -> _Posting:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _post(self, number: int) -> None:
        made = 0
        while not self._stop.is_set():
            made += 1
            text = f"{number}-{made}"
            arguments = {"channel_id": self._channels[made % len(self._channels)], "text": text}
            try:
                answer = mcp_call(self._url, WRITE_TOOL, arguments, self._token)
            except FarmError:
                continue  # killed before it answered; nobody was told anything
            if "content" in answer:
                self.acknowledged.add(text)
                self.answered_at = time.perf_counter()

    def wait_for_answer(self, after: float) -> float:
        """Return when the first call begun or not was answered after a moment.

        Raises:
            FarmError: none is.
        """
        while self.answered_at <= after:
            if time.perf_counter() > after + _BACK_S_MAX:
                raise FarmError(f"no call was answered for {_BACK_S_MAX:.0f} s after the app was killed")
            time.sleep(0.001)
        return self.answered_at


def _kill_once(data: Path, posting: _Posting) -> float:
    posting.wait_for_answer(time.perf_counter() + 0.05)
    dead = _app_pid(data)
    os.kill(dead, signal.SIGKILL)
    killed = time.perf_counter()
    # What the dead process answered may still arrive; count only what comes once there is a new one.
    while _app_pid(data) == dead:
        time.sleep(0.001)
    return posting.wait_for_answer(time.perf_counter()) - killed


def _app_pid(data: Path) -> int:
    state = FarmState.load(data)
    return state.apps[0].pid if state else 0
