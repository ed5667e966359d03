"""What is asked of a farm in containers, however it was started."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from farm.client import FarmClient, mcp_call
from farm.errors import FarmError
from tests.docker.engine import docker, expect, kill_inside, run, say, until
from tests.people_rules import APPS, RULES, ask, state

APP, LIST, POST = "slack", "slack_list_channels", "slack_post_message"
CALLS_MAX = 25
CALLERS = 4
LOAD_S = 6.0


@dataclass(frozen=True)
class Farm:
    """A farm that runs in containers.

    Attributes:
        operators_url: its control API.
        token_file: the file with its operator token.
        containers: service → the container's id.
    """

    operators_url: str
    token_file: Path
    containers: Callable[[], dict[str, str]]

    def client(self) -> FarmClient:
        """Return a client of its control API."""
        return FarmClient(self.operators_url, self.token_file.read_text("ascii").strip())

    def command(self, *arguments: str) -> str:
        """Run a command of the farm's against it, as somebody on another machine would."""
        return run(
            [sys.executable, "-m", "farm", *arguments],
            {"FARM_URL": self.operators_url, "FARM_TOKEN_FILE": str(self.token_file)},
        )


def the_commands_work(farm: Farm) -> None:
    """Run the commands of the README against it."""
    shown = json.loads(farm.command("status", "--json"))
    expect(all(each["ready"] for each in shown["apps"]), f"not every app is ready: {shown}")
    said = farm.command("call", APP, LIST, '{"limit": 2}')
    expect('"ok":true' in said, said)
    farm.command("episode", "snapshot", "default", "--name", "before")
    farm.command("call", APP, POST, '{"channel_id": "#general", "text": "hello"}')
    changed = farm.command("episode", "diff", "default", "--since", "before")
    expect("hello" in changed, changed)
    farm.command("episode", "restore", "default", "before")
    expect(
        "hello" not in farm.command("episode", "diff", "default", "--since", "before"), "restore brought nothing back"
    )
    expect("mcpServers" in farm.command("connect", "cursor", "--apps", APP), "connect printed no servers")
    say("the README's commands work")


def the_oracle_is_perfect(farm: Farm, folder: Path) -> None:
    """Play the demo suite through it."""
    began = time.monotonic()
    printed = farm.command("run", "demo", "--agent", "oracle", "--parallel", "4", "--out", str(folder), "--json")
    score = json.loads(printed)["acc"]
    expect(score == 1.0, f"the oracle scores {score}")
    say(f"the oracle scores {score:.2f} over demo in {time.monotonic() - began:.0f} s")


def the_limit_holds(farm: Farm) -> None:
    """Call two apps at once, which count in one file of the shared folder: exactly as many as the limit says."""
    tools = {APP: (LIST, {"limit": 1}), "rednote": ("check_login_status", {})}
    with farm.client() as client:
        made = client.create(apps=list(tools), calls_max=CALLS_MAX)

        def call(number: int) -> bool:
            app = list(tools)[number % 2]
            answer = mcp_call(made["mcp"][app], *tools[app], made["token"])
            return "limit of" not in answer["content"][0]["text"]

        with ThreadPoolExecutor(8) as pool:
            taken = sum(pool.map(call, range(4 * CALLS_MAX)))
        now = client.episode(made["id"])
        counts = (taken, now["calls"], now["over_limit"])
        expect(counts == (CALLS_MAX, CALLS_MAX, 3 * CALLS_MAX), f"calls_max={CALLS_MAX}, but {counts}")
        client.drop(made["id"])
    say(f"calls_max={CALLS_MAX} over two containers: {taken} calls made, {3 * CALLS_MAX} refused")


def people_answer_alike(farm: Farm) -> None:
    """Let people answer across five containers, twice: the same rows, and nothing that is the agent's."""
    began = time.monotonic()
    with farm.client() as client:
        runs = [client.create(world="mini", apps=[*APPS], people=RULES) for _ in range(2)]
        for made in runs:
            ask(client, made)
        own = client.diff(runs[0]["id"])
        came = client.set_clock(runs[0]["id"], quiet=True)["came"]
        for _ in range(3):
            client.set_clock(runs[1]["id"], advance_s=150)
        client.set_clock(runs[1]["id"], advance_s=7 * 86_400)
        acted = {each["rule"] for each in came if "rule" in each}
        expect(acted == {each["id"] for each in RULES}, f"only {', '.join(sorted(acted))} acted")
        expect(not any(each.get("dropped") for each in came), f"refused: {came}")
        first, second = (json.dumps(state(client, made), sort_keys=True) for made in runs)
        expect(first == second, "two runs differ")
        expect(client.diff(runs[0]["id"]) == own, "what others did is told as the agent's")
        for made in runs:
            client.drop(made["id"])
    say(
        f"{len(RULES)} rules over {len(APPS)} containers: {len(came)} things came, two runs are equal to the byte "
        f"({time.monotonic() - began:.1f} s)"
    )


@dataclass
class _Load:
    """Calls that write, from several callers at once, until told to end.

    Attributes:
        acknowledged: texts whose posting was answered.
        refused: how many calls got no such answer.
    """

    episode: dict[str, Any]
    acknowledged: list[str] = field(default_factory=list)
    refused: int = 0
    slowest_s: float = 0.0
    _end: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def call_until_end(self, caller: int) -> None:
        number = 0
        while not self._end.is_set():
            number += 1
            text, began = f"message {caller}-{number}", time.monotonic()
            try:
                arguments = {"channel_id": "#general", "text": text}
                answer = mcp_call(self.episode["mcp"][APP], POST, arguments, self.episode["token"])
                is_done = '"ok":true' in answer["content"][0]["text"] if "content" in answer else False
            except FarmError:
                is_done = False
            with self._lock:
                self.slowest_s = max(self.slowest_s, time.monotonic() - began)
                if is_done:
                    self.acknowledged.append(text)
                else:
                    self.refused += 1

    def goes_on(self) -> Callable[[], bool]:
        """Return what tells whether more was acknowledged since now than was on its way."""
        before = len(self.acknowledged)
        return lambda: len(self.acknowledged) > before + CALLERS

    def end(self) -> None:
        self._end.set()


def nothing_is_lost(farm: Farm, killed: tuple[str, ...]) -> None:
    """Kill containers under load; every call that was answered must have happened, and once."""
    with farm.client() as client:
        made = client.create(apps=[APP], calls_max=1_000_000)
        load = _Load(made)
        with ThreadPoolExecutor(CALLERS) as pool:
            working = [pool.submit(load.call_until_end, caller) for caller in range(CALLERS)]
            try:
                for service in killed:
                    time.sleep(LOAD_S / (1 + len(killed)))
                    goes_on = load.goes_on()
                    kill_inside(farm.containers()[service])
                    until(goes_on, f"calls after {service} died")
                time.sleep(LOAD_S / (1 + len(killed)))
            finally:
                load.end()
            for each in working:
                each.result()
    with farm.client() as client:
        until(lambda: _answers(client), "the gateway after it was killed")
        stored = [call["arguments"]["text"] for call in client.calls(made["id"], results=False)]
        rows = client.rows(made["id"], APP, "messages", limit=1)["total"]
        client.drop(made["id"])
    lost = set(load.acknowledged) - set(stored)
    expect(not lost, f"{len(lost)} of {len(load.acknowledged)} acknowledged calls are lost")
    expect(len(stored) == len(set(stored)), "a call was made twice")
    expect(rows >= len(load.acknowledged), f"{rows} rows for {len(load.acknowledged)} acknowledged calls")
    say(
        f"killed {' and '.join(killed)} under load: {len(load.acknowledged)} calls acknowledged, 0 lost, "
        f"{load.refused} not answered, the slowest took {load.slowest_s:.1f} s"
    )


def _answers(client: FarmClient) -> bool:
    try:
        return all(each["ready"] for each in client.status()["apps"])
    except FarmError:
        return False


def containers_are_locked_in(farm: Farm) -> None:
    """Look at what a container may do: write beside its data, become more, reach what is not the farm's."""
    containers = farm.containers()
    gateway = json.loads(docker("inspect", containers["gateway"]))[0]["NetworkSettings"]["Networks"]
    address = next(each["IPAddress"] for name, each in gateway.items() if name.endswith("outside"))
    door = ("python3", "-c", f"import socket; socket.create_connection(('{address}', 8700), 2)")
    expect(_can(containers["front"], *door), "the front cannot reach the gateway")
    for service, container in containers.items():
        expect(not _can(container, "touch", "/written"), f"{service} writes to its root")
        told = json.loads(docker("inspect", container))[0]
        host = told["HostConfig"]
        expect(host["CapDrop"] in (["ALL"], ["CAP_ALL"]), f"{service} keeps capabilities")
        expect(host["Memory"] > 0 and host["PidsLimit"] > 0, f"{service} has no limits")
        networks = told["NetworkSettings"]["Networks"]
        if service in ("gateway", "front"):
            continue
        expect(len(networks) == 1, f"{service} is on {sorted(networks)}")
        expect(json.loads(docker("network", "inspect", *networks))[0]["Internal"], f"{service} can reach outside")
        expect(not _can(container, *door), f"{service} can reach the network that has published ports")
        expect(not told["HostConfig"]["PortBindings"], f"{service} publishes a port")
    say("containers write nowhere but to their data, have limits, and apps reach nothing but the farm")


def _can(container: str, *command: str) -> bool:
    done = subprocess.run(["docker", "exec", container, *command], capture_output=True, timeout=60, check=False)
    return done.returncode == 0
