"""Rows about memory under attack: what strangers and agents can make the gateway and an app take, and keep.

Each attack has once taken a process to hundreds of megabytes. All of them run at once, for a minute.
"""

from __future__ import annotations

import itertools
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from farm.errors import FarmError
from tests.bench.environment import Server, Stage, drive, http_request, rpc, tool_call
from tests.bench.measure import Measurement, Sizes
from tests.bench.measured_apps import HEAVY_TOOL, LONGEST, SHORT_TOOL, WORLD, heavy_arguments, too_many_arguments
from tests.bench.synthetic_apps import RunningFarm, start_farm

_SECONDS = 60.0
_REST_S = 10.0
_PEAK_MIB, _AFTER = 64.0, 1.2
_HEAVY_EVERY_S = 1.0  # each leaves four megabytes in the episode's log
_UNREAD = 20
_UNREAD_S = 5.0
_UNENDED = 40
_UNENDED_S = 10.0
_CHUNK = 64 * 1024
_TIMEOUT_S = 30.0


def attack_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """The largest growth of gateway or app at its peak, and how much is left of it ten seconds later."""
    seconds, rest_s = (1.0, 0.1) if sizes.is_quick else (_SECONDS, _REST_S)
    with ExitStack() as stack:
        farm = start_farm(stage.data("attacks"), [LONGEST], WORLD)
        stack.callback(farm.end)
        pids = {"gateway": farm.state.gateway_pid, "app": farm.state.apps[0].pid}
        attacks = _Attacks(farm, 0.01 if sizes.is_quick else 1.0)
        attacks.warm(sizes)
        before = {name: _resident_mib(pid) for name, pid in pids.items()}
        for pid in pids.values():
            _forget_peak(pid)
        attacks.run(seconds)
        peaks = {name: _peak_mib(pid) for name, pid in pids.items()}
        time.sleep(rest_s)
        after = {name: _resident_mib(pid) for name, pid in pids.items()}
    more = {name: peaks[name] - before[name] for name in pids}
    left = {name: after[name] / before[name] for name in pids}
    notes = {"before_mib": before, "peak_mib": peaks, "after_mib": after, "made": attacks.made, "seconds": seconds}
    return [
        Measurement("attack_peak", "MiB more", max(more.values()), target=_PEAK_MIB, bounds="value", notes=notes),
        Measurement("attack_after", "x start", max(left.values()), target=_AFTER, bounds="value", notes=left),
    ]


def _status_mib(pid: int, name: str) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    raise FarmError(f"/proc/{pid}/status has no {name}; the bench needs a newer Linux")


def _resident_mib(pid: int) -> float:
    return _status_mib(pid, "VmRSS")


def _peak_mib(pid: int) -> float:
    return _status_mib(pid, "VmHWM")


def _forget_peak(pid: int) -> None:
    Path(f"/proc/{pid}/clear_refs").write_text("5")


class _Attacks:
    """Clients that do what nobody should, each on a thread of its own, against the gateway and the app's own port."""

    def __init__(self, farm: RunningFarm, share: float) -> None:
        self._app = Server(LONGEST, farm.state.apps[0].pid, farm.state.apps[0].port, farm.process)
        self._gateway = Server(
            "gateway", farm.state.gateway_pid, urlsplit(farm.state.agents_url).port or 0, farm.process
        )
        made = farm.client().create(apps=[LONGEST], world=WORLD)
        self._places = {self._gateway.port: f"/mcp/{made['id']}/{LONGEST}", self._app.port: f"/mcp/{made['id']}"}
        self._bearer = {"authorization": f"Bearer {made['token']}"}
        heavy = (too_many_arguments(share), heavy_arguments(share))
        self._heavy = [tool_call(HEAVY_TOOL, arguments) for arguments in heavy]
        self._numbers = itertools.count()
        self._stop = threading.Event()
        self.made: dict[str, int] = {}

    def warm(self, sizes: Sizes) -> None:
        """Make ordinary calls, so that what every farm in use has is there before the start is weighed."""
        for server in (self._gateway, self._app):
            bodies = (tool_call(SHORT_TOOL, {}), rpc("tools/list"))
            requests = [self._request(server.port, body) for body in bodies]
            drive(server, requests, clients=sizes.clients, seconds=sizes.seconds, port=server.port)

    def run(self, seconds: float) -> None:
        """Attack with everything at once."""
        ways: tuple[Callable[[int], None], ...] = (
            self._ask_heavily,
            self._vary,
            self._send_a_head,
            self._send_parts,
            self._read_nothing,
        )
        threads = [threading.Thread(target=self._again, args=(way, port)) for way in ways for port in self._places]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        self._stop.set()
        for thread in threads:
            thread.join()
        if missing := [name for name in (way.__name__ for way in ways) if not self.made.get(name)]:
            raise FarmError(f"the bench's attacks did nothing: {', '.join(missing)}")

    def _again(self, way: Callable[[int], None], port: int) -> None:
        while not self._stop.is_set():
            # Being cut off is what an attacker has to expect.
            with suppress(OSError):
                way(port)

    def _count(self, name: str) -> None:
        self.made[name] = self.made.get(name, 0) + 1

    def _request(self, port: int, body: str, **headers: str) -> str:
        return http_request(self._places[port], body, port, {**self._bearer, **headers})

    def _ask_heavily(self, port: int) -> None:
        """Send bodies of the largest size in which every item is refused."""
        for body in self._heavy:
            with _connected(port) as link:
                link.sendall(self._request(port, body).encode())
                self._count("_ask_heavily")
                _answered(link)
            self._stop.wait(_HEAVY_EVERY_S)

    def _vary(self, port: int) -> None:
        """Ask for the longest list, each time with other words that change nothing of it."""
        with _connected(port) as link:
            for number in itertools.islice(self._numbers, 100):
                body = rpc("tools/list", {"_meta": {f"example.com/{number}": "x" * 1000}})
                accept = f"application/json;q=0.{number}, text/event-stream"
                link.sendall(self._request(port, body, accept=accept, **{f"x-{number}": "y" * 1000}).encode())
                self._count("_vary")
                if not _answered(link) or self._stop.is_set():
                    return

    def _send_a_head(self, port: int) -> None:
        """Send a header that does not end, until somebody ends it."""
        with _connected(port) as link:
            link.sendall(f"POST {self._places[port]} HTTP/1.1\r\nx: ".encode())
            self._count("_send_a_head")
            while not self._stop.is_set():
                link.sendall(b"y" * _CHUNK)

    def _send_parts(self, port: int) -> None:
        """Send large bodies on many connections, all but their ends."""
        request = self._request(port, self._heavy[-1]).encode()
        with ExitStack() as stack:
            links = [stack.enter_context(_connected(port)) for _ in range(_UNENDED)]
            for link in links:
                link.setblocking(False)
            left = dict.fromkeys(links, request[:-1])
            until = time.monotonic() + _UNENDED_S
            while time.monotonic() < until and not self._stop.is_set():
                for link, rest in left.items():
                    with suppress(BlockingIOError):
                        left[link] = rest[link.send(rest[:_CHUNK]) :]
                self._count("_send_parts")
                time.sleep(0.01)

    def _read_nothing(self, port: int) -> None:
        """Send requests on many connections as long as they are taken, and read no answer."""
        request = self._request(port, rpc("tools/list")).encode()
        with ExitStack() as stack:
            links = [stack.enter_context(_connected(port)) for _ in range(_UNREAD)]
            for link in links:
                link.setblocking(False)
            until = time.monotonic() + _UNREAD_S
            waiting = dict.fromkeys(links, b"")
            while time.monotonic() < until and not self._stop.is_set():
                for link, rest in waiting.items():
                    data = rest or request * 100
                    with suppress(BlockingIOError):
                        waiting[link] = data[link.send(data) :]
                self._count("_read_nothing")
                time.sleep(0.01)


@contextmanager
def _connected(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=_TIMEOUT_S) as link:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield link


def _answered(link: socket.socket) -> bool:
    """Read one answer and say whether there was one."""
    got = b""
    while (head := got.find(b"\r\n\r\n")) < 0:
        part = link.recv(_CHUNK)
        if not part:
            return False
        got += part
    fields = got[: head + 2].lower()
    at = fields.find(b"content-length: ") + len(b"content-length: ")
    left = int(fields[at : fields.find(b"\r", at)]) + head + 4 - len(got)
    while left > 0:
        part = link.recv(_CHUNK)
        if not part:
            return False
        left -= len(part)
    return True
