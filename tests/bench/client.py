"""The load client, a process of its own: raw sockets, requests made beforehand, one in flight on each connection.

``python -m tests.bench.client`` reads one JSON order from standard input, prints one JSON line of results and ends.
An HTTP or MCP library would spend more time on a call than the server it measures.
"""

from __future__ import annotations

import select
import socket
import sys
import time
from dataclasses import dataclass

import orjson

from tests.bench.measure import pin

_HEADERS_END = b"\r\n\r\n"
_LENGTH = b"content-length: "
CLIENT_CORE = 1


@dataclass
class _Connection:
    socket: socket.socket
    requests: list[bytes]
    turn: int
    sent_ns: int = 0
    got: bytes = b""

    def send(self) -> None:
        self.turn = (self.turn + 1) % len(self.requests)
        self.sent_ns = time.perf_counter_ns()
        self.socket.sendall(self.requests[self.turn])

    def receive(self) -> bytes | None:
        """Return a whole answer once it is there."""
        part = self.socket.recv(1 << 17)
        if not part:
            raise ConnectionError("the server closed the connection")
        self.got = self.got + part if self.got else part
        head = self.got.find(_HEADERS_END)
        if head < 0:
            return None
        fields = self.got[: head + 2].lower()
        at = fields.find(_LENGTH) + len(_LENGTH)
        length = int(fields[at : fields.find(b"\r", at)])
        if len(self.got) < head + 4 + length:
            return None
        answer, self.got = self.got, b""
        return answer


def _connect(order: dict[str, object]) -> list[_Connection]:
    clients = int(str(order["clients"]))
    requests = [str(each).encode() for each in order["requests"]]  # type: ignore[attr-defined]
    made = []
    for number in range(clients):
        link = socket.create_connection((str(order["host"]), int(str(order["port"]))), timeout=30)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Each connection begins elsewhere, so that at any moment the server sees the mixture and not one kind of call.
        made.append(_Connection(link, requests, number * len(requests) // clients))
    return made


def drive(order: dict[str, object]) -> dict[str, object]:
    """Send requests until the time is over, take in the last answers, and return what was measured."""
    connections = _connect(order)
    by_descriptor = {each.socket.fileno(): each for each in connections}
    poll = select.epoll()
    for descriptor in by_descriptor:
        poll.register(descriptor, select.EPOLLIN)
    waits_ns: list[int] = []
    strange = b""
    started_ns, cpu_ns = time.perf_counter_ns(), time.process_time_ns()
    until_ns = started_ns + int(float(str(order["seconds"])) * 1e9)
    pause_s = float(str(order["pause_s"]))
    for each in connections:
        each.send()
    open_count = len(connections)
    while open_count:
        for descriptor, _ in poll.poll(30) or _silent():
            connection = by_descriptor[descriptor]
            answer = connection.receive()
            if answer is None:
                continue
            now_ns = time.perf_counter_ns()
            waits_ns.append(now_ns - connection.sent_ns)
            if answer[9:12] != b"200" and not strange:
                strange = answer[:400]
            if now_ns < until_ns:
                time.sleep(pause_s)
                connection.send()
            else:
                open_count -= 1
                poll.unregister(descriptor)
    seconds = (time.perf_counter_ns() - started_ns) / 1e9
    for each in connections:
        each.socket.close()
    waits_ns.sort()
    count = len(waits_ns)
    return {
        "count": count,
        "seconds": seconds,
        "busy": (time.process_time_ns() - cpu_ns) / 1e9 / seconds,
        "p50_us": waits_ns[count // 2] / 1000,
        "p95_us": waits_ns[count * 95 // 100] / 1000,
        "p99_us": waits_ns[count * 99 // 100] / 1000,
        "longest_us": waits_ns[-1] / 1000,
        "strange": strange.decode("latin-1"),
    }


def _silent() -> list[tuple[int, int]]:
    raise TimeoutError("the server did not answer for 30 s")


def main() -> None:
    """Drive one load and print what was measured."""
    order = orjson.loads(sys.stdin.buffer.read())
    pin(CLIENT_CORE)
    sys.stdout.buffer.write(orjson.dumps(drive(order)))


if __name__ == "__main__":
    main()
