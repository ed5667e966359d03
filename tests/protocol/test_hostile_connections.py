"""A connection takes no more than it should: heads, bodies, time, and answers that nobody reads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from farm._util.bounded_json import has_many_values
from farm.server.app import AppServer
from farm.server.http.asgi import BODY_BYTES_MAX, BODY_VALUES_MAX
from farm.server.limits import connection_limits, limited_protocol
from farm.server.limits.connection_limits import BODIES_BYTES_MAX, HELD_BYTES_MAX, SMALL_BODY_BYTES, UNREAD_BYTES_MAX
from farm.server.limits.limited_protocol import CHUNKS_MAX, HEAD_BYTES_MAX, MESSAGE_BYTES_MAX, PIECE_BYTES
from tests.protocol.wire import Line, answers, connecting, connection, connections, http_request, request, send

CALL = http_request(*request("tools/call", {"name": "note_add", "arguments": {"text": "a"}}))
HEAD = b"POST /mcp/ep HTTP/1.1\r\nhost: localhost\r\n"
CHUNKED = HEAD + b"content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
ENDLESS = {
    "a header": (HEAD + b"x: ", b"y" * 1000, 431),
    "a header's name": (HEAD, b"y" * 1000, 431),
    "headers": (HEAD, b"x: y\r\n" * 200, 431),
    "a path": (b"POST /mcp/", b"y" * 1000, 431),
    "empty lines": (b"", b"\r\n" * 500, 431),
    "trailers": (CHUNKED + b"2\r\n{}\r\n0\r\n", b"x: y\r\n" * 200, 431),
    "a trailer": (CHUNKED + b"2\r\n{}\r\n0\r\nx: ", b"y" * 1000, 431),
    "a body": (CHUNKED, b"10000\r\n" + b"y" * 65536 + b"\r\n", 413),
}


@pytest.mark.parametrize("what", ENDLESS)
async def test_what_has_no_end_is_refused_and_the_connection_closed(toy: AppServer, what: str) -> None:
    begin, more, status = ENDLESS[what]
    sent = len(begin)

    async with connection(toy) as (protocol, line):
        protocol.data_received(begin)
        while not line.is_closed:
            protocol.data_received(more)
            await asyncio.sleep(0)
            sent += len(more)
            assert sent <= MESSAGE_BYTES_MAX + 2 * len(more), "it is read without end"
        (answer,) = await answers(line, 1)

    assert answer.status == status
    if status == 431:
        assert sent <= HEAD_BYTES_MAX + PIECE_BYTES + 2 * len(more)
        assert answer.headers["connection"] == "close"
        assert b"64 KiB" in answer.body


async def test_a_head_of_ordinary_size_in_small_pieces_is_taken(toy: AppServer) -> None:
    fields = request("x")[1]
    data = http_request(request("tools/list")[0], [*fields, *((f"x-{n}", "y" * 1000) for n in range(50))])

    async with connection(toy) as (protocol, line):
        for at in range(0, len(data), 7):
            protocol.data_received(data[at : at + 7])
        (answer,) = await answers(line, 1)

        assert (answer.status, line.is_closed) == (200, False)


async def test_a_body_as_long_as_may_be_is_taken_and_one_byte_more_is_not(toy: AppServer) -> None:
    body, fields = request("tools/call", {"name": "note_echo", "arguments": {"x": ""}})
    short = len(http_request(body, fields).partition(b"\r\n\r\n")[2])
    for more, status in ((0, 200), (1, 413)):
        body["params"]["arguments"]["x"] = "y" * (BODY_BYTES_MAX - short + more)
        data = http_request(body, fields)
        async with connection(toy) as (protocol, line):
            for at in range(0, len(data), 1 << 16):
                protocol.data_received(data[at : at + (1 << 16)])
                await asyncio.sleep(0)
            (answer,) = await answers(line, 1)

        assert answer.status == status


async def test_a_body_in_as_many_chunks_as_may_be_is_taken_and_one_in_more_is_not(toy: AppServer) -> None:
    body, fields = request("tools/call", {"name": "note_add", "arguments": {"text": "a"}})
    content = http_request(body, fields).partition(b"\r\n\r\n")[2]
    content += b" " * (CHUNKS_MAX - 1 - len(content))  # the chunk that ends a body is one, too
    chunks = b"".join(b"1\r\n%c\r\n" % each for each in content)
    head = "".join(f"{name}: {value}\r\n" for name, value in (*fields, ("transfer-encoding", "chunked")))
    begin = b"POST /mcp/ep HTTP/1.1\r\n" + head.encode() + b"\r\n" + chunks

    # They are counted a piece at a time, as bytes are.
    for more, status in ((b"", 200), (b"1\r\n \r\n" * PIECE_BYTES, 413)):
        async with connection(toy) as (protocol, line):
            protocol.data_received(begin + more + b"0\r\n\r\n")
            (answer,) = await answers(line, 1)

            assert (answer.status, line.is_closed) == (status, status == 413)


@pytest.mark.parametrize(("value", "counts"), [(1, 1), ({}, 2), ([[]], 3), ({"a": 1}, 2)])
async def test_a_body_with_as_many_values_as_may_be_is_taken_and_one_with_more_is_not(
    toy: AppServer, value: Any, counts: int
) -> None:
    # Beside the list: two openings of the request, its arguments' and the list's own, and six commas, one for the text.
    for many, status in ((BODY_VALUES_MAX // counts - 20, 200), (BODY_VALUES_MAX // counts + 20, 400)):
        # A text is one value whatever stands in it.
        arguments = {"text": '\\",[{' * BODY_VALUES_MAX, "x": [value] * many}
        body, fields = request("tools/call", {"name": "note_echo", "arguments": arguments})
        answer = await send(toy, body, fields)

        assert answer.status == status
        if status == 400:
            assert answer.json["error"]["message"] == "the body has over 50,000 values; send fewer in one call"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_values_are_counted_wherever_a_string_begins_and_ends(encoding: str) -> None:
    assert has_many_values('["\\"", "\\\\", {"a": ","}, [1, 2]]'.encode(encoding), most=6)
    assert not has_many_values(b'["\\"", "\\\\", {"a": ","}, [1, 2]]', most=7)
    assert has_many_values(f'["{"," * 200_000}",1]'.encode("utf-16-le"), most=100), "where strings end there is unknown"


async def test_of_many_long_bodies_a_few_are_read_at_a_time_and_all_are_answered(toy: AppServer) -> None:
    body, fields = request("tools/call", {"name": "note_echo", "arguments": {"x": "y" * (BODY_BYTES_MAX - 1000)}})
    data = http_request(body, fields)
    end = len(data) - 1
    async with connections(toy, 5) as pairs:
        sent = dict.fromkeys(range(5), 0)
        for _ in range(3 * end // SMALL_BODY_BYTES):
            for number, (protocol, line) in enumerate(pairs):
                if line.reads and sent[number] < end:
                    upto = min(sent[number] + SMALL_BODY_BYTES, end)
                    protocol.data_received(data[sent[number] : upto])
                    sent[number] = upto
            await asyncio.sleep(0)
        assert sorted(sent.values())[-1] == end
        assert sum(sent.values()) <= BODIES_BYTES_MAX + 5 * 3 * SMALL_BODY_BYTES

        for number in sorted(sent, key=lambda each: -sent[each]):
            protocol, line = pairs[number]
            while sent[number] < len(data):
                upto = sent[number] + SMALL_BODY_BYTES
                protocol.data_received(data[sent[number] : upto])
                sent[number] = upto
                for _ in range(5):
                    await asyncio.sleep(0)
            (answer,) = await answers(line, 1)
            assert answer.status == 200


async def test_who_sends_a_long_body_slowly_makes_room_when_others_wait(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited_protocol, "LONG_BODY_S_MAX", 0.02)
    body, fields = request("tools/call", {"name": "note_echo", "arguments": {"x": "y" * (BODY_BYTES_MAX - 1000)}})
    data = http_request(body, fields)
    async with connections(toy, 2) as ((slow, slow_line), (quick, quick_line)):
        slow.data_received(data[: 2 * SMALL_BODY_BYTES])
        await asyncio.sleep(0.05)
        assert not slow_line.is_closed, "nobody waits for its room"
        quick.data_received(data)
        assert not quick_line.reads

        (given_up,) = await answers(slow_line, 1)
        slow.connection_lost(None)
        (answer,) = await answers(quick_line, 1)

    assert (given_up.status, slow_line.is_closed) == (408, True)
    assert b"others wait" in given_up.body
    assert answer.status == 200


async def test_of_many_who_hold_bytes_back_the_one_with_the_most_has_to_go(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    part, most = SMALL_BODY_BYTES - 1000, SMALL_BODY_BYTES - 500
    fields = [*request("x")[1], ("content-length", "999999")]
    count = HELD_BYTES_MAX // part + 1
    monkeypatch.setattr(
        connection_limits, "connections_max", lambda: count
    )  # however few files the system lets this process open
    async with connections(toy, count) as pairs:
        (greedy, greedy_line), *others = pairs
        greedy.data_received(http_request(b" " * most, fields))
        for protocol, _ in others:
            protocol.data_received(http_request(b" " * part, fields))

        assert greedy_line.is_closed
        assert greedy_line.written.startswith(b"HTTP/1.1 503 ")
        assert not any(line.is_closed for _, line in others)


async def test_of_many_who_read_no_answer_the_one_with_the_longest_has_to_go(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone: list[Line] = []
    monkeypatch.setattr(Line, "abort", lambda line: gone.append(line))
    size = UNREAD_BYTES_MAX // 3
    async with connections(toy, 3) as pairs:
        for number, (protocol, line) in enumerate(pairs):
            line.written = b"x" * (size + 10 - number)
            protocol.pause_writing()

        assert gone == [pairs[0][1]]


@pytest.mark.parametrize(
    ("begin", "part"),
    [(CALL[:10], "head"), (CALL[:-5], "body"), (CHUNKED, "body"), (CHUNKED + b"2\r\n{}\r\n0\r\n", "body")],
)
@pytest.mark.parametrize("is_known", [False, True])
async def test_a_request_that_does_not_come_in_time_is_given_up(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch, begin: bytes, part: str, is_known: bool
) -> None:
    monkeypatch.setattr(limited_protocol, f"{part.upper()}_S_MAX", 0.01)
    if is_known:
        async with connection(toy) as (protocol, line):
            protocol.data_received(CALL)
            await answers(line, 1)

    async with connection(toy) as (protocol, line):
        protocol.data_received(begin)
        (answer,) = await answers(line, 1)

        assert (answer.status, line.is_closed) == (408, True)
        assert part.encode() in answer.body


async def test_a_request_that_comes_in_time_is_not_given_up_after_it(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limited_protocol, "BODY_S_MAX", 0.02)
    async with connection(toy) as (protocol, line):
        for _ in range(3):
            protocol.data_received(CALL[:-5])
            protocol.data_received(CALL[-5:])
            await answers(line, 1)
        await asyncio.sleep(0.05)

        assert not line.is_closed


@pytest.mark.parametrize("is_read", [False, True])
async def test_who_never_reads_an_answer_is_left(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch, is_read: bool
) -> None:
    monkeypatch.setattr(limited_protocol, "UNREAD_S_MAX", 0.01)
    left = asyncio.Event()
    async with connection(toy) as (protocol, line):
        monkeypatch.setattr(line, "abort", left.set)
        protocol.data_received(CALL)
        await answers(line, 1)
        protocol.pause_writing()
        if is_read:
            protocol.resume_writing()
            await asyncio.sleep(0.03)
        else:
            await asyncio.wait_for(left.wait(), 30)

        assert left.is_set() is not is_read


def unread(protocol: Any, line: Line) -> Callable[[bytes], None]:
    """Let the client read nothing: the buffer of its connection is full with the first answer."""

    def write(data: bytes) -> None:
        Line.write(line, data)
        protocol.pause_writing()

    return write


@pytest.mark.parametrize("data", [CALL, b"GET / HTTP/1.1\r\n\r\n", CALL.replace(b"/mcp/ep", b"/mcp/no")])
async def test_who_pipelines_without_reading_is_not_read_either(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    async with connection(toy) as (protocol, line):
        monkeypatch.setattr(line, "write", unread(protocol, line))
        many = 600
        flood, sent = data * many, 0
        for _ in range(20):
            if not line.reads:
                break
            protocol.data_received(flood)
            sent += 1
            for _ in range(20):
                await asyncio.sleep(0)

        assert not line.reads
        assert sent <= 2
        assert len(protocol.pipeline) <= PIECE_BYTES / len(data) + 1
        assert len(protocol._unread) <= 2 * len(flood)

        monkeypatch.undo()
        protocol.resume_writing()
        assert len(await answers(line, sent * many)) == sent * many
        assert line.reads
        assert protocol._unread == b""


# -- too many connections ----------------------------------------------------------------------------------------------


@pytest.fixture
def three_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "connections_max", lambda: 3)


@pytest.mark.usefixtures("three_places")
@pytest.mark.parametrize("kept", [b"", CALL])
async def test_the_oldest_connection_that_asks_nothing_makes_place_for_a_new_one(toy: AppServer, kept: bytes) -> None:
    async with connecting(toy) as connect:
        lines = [connect() for _ in range(3)]
        for protocol, line in lines if kept else ():
            protocol.data_received(kept)
            await answers(line, 1)

        protocol, line = connect()
        protocol.data_received(CALL)

        assert [each.is_closed for _, each in lines] == [True, False, False]
        assert (await answers(line, 1))[0].json["result"]
        lines[1][0].connection_lost(None)
        connect()
        assert not lines[2][1].is_closed, "there was a place"


@pytest.mark.usefixtures("three_places")
@pytest.mark.parametrize("part", [HEAD, CALL[:-2], CHUNKED + b"2\r\n"])
async def test_the_oldest_request_that_does_not_come_makes_place_for_a_new_connection(
    toy: AppServer, part: bytes
) -> None:
    async with connecting(toy) as connect:
        first, first_line = connect()
        if part == CALL[:-2]:  # its head has been seen before, and it waits on the short way
            first.data_received(CALL)
            await answers(first_line, 1)
            first_line.written = b""
        lines = [first_line, *(connect()[1] for _ in range(2))]
        first.data_received(part)

        protocol, line = connect()
        protocol.data_received(CALL)

        (answer,) = await answers(first_line, 1)
        assert answer.status == 408
        assert b"others want to connect" in answer.body
        assert [each.is_closed for each in lines] == [True, False, False]
        assert (await answers(line, 1))[0].json["result"]


@pytest.mark.usefixtures("three_places")
async def test_who_comes_while_all_are_being_served_is_told_so_and_later_has_a_place(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = toy.gates.require("ep")
    async with connecting(toy) as connect:
        gate.hold()
        lines = [connect() for _ in range(3)]
        for protocol, _ in lines:
            protocol.data_received(CALL)

        protocol, line = connect()
        assert not line.is_closed, "it is heard first, so that it reads the answer"
        protocol.data_received(CALL)

        (answer,) = await answers(line, 1)
        assert (answer.status, answer.headers["retry-after"], answer.headers["connection"]) == (503, "1", "close")
        assert answer.body == b"Service Unavailable: too many connections are being served; try again in a moment"
        assert line.is_closed
        gate.release()
        for _, each in lines:
            assert (await answers(each, 1))[0].json["result"]
        monkeypatch.setattr(connection_limits, "_NO_SLOT_S", 0.0)
        for protocol, _ in lines:
            protocol.connection_lost(None)
        protocol, line = connect()
        protocol.data_received(CALL)
        assert (await answers(line, 1))[0].json["result"]


@pytest.mark.usefixtures("three_places")
async def test_who_is_told_that_there_is_no_place_is_waited_for_a_moment_and_only_some_are_told(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_limits, "REFUSED_MAX", 2)
    monkeypatch.setattr(limited_protocol, "_NO_SLOT_S_MAX", 0.01)
    gate = toy.gates.require("ep")
    async with connecting(toy) as connect:
        gate.hold()
        for _ in range(3):
            connect()[0].data_received(CALL)

        refused = [connect() for _ in range(3)]

        assert [line.is_closed for _, line in refused] == [False, False, True]
        for protocol, line in refused[:2]:
            await asyncio.wait_for(line.moved.wait(), 30)
            assert (line.is_closed, line.written) == (True, b"")
            protocol.connection_lost(None)
        assert not connect()[1].is_closed
        gate.release()


def test_places_are_as_many_as_the_system_gives_descriptors_for(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource", reason="limits of POSIX")
    limits: dict[str, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits["now"])
    monkeypatch.setattr(resource, "setrlimit", lambda _, asked: limits.update(now=asked))
    found = []
    for hard in (1024, 4096, 1 << 20, resource.RLIM_INFINITY):
        limits["now"] = (1024, hard)
        connection_limits.allow_descriptors()
        found.append((limits["now"], connection_limits.connections_max()))

    assert found == [
        ((1024, 1024), 64),
        ((4096, 4096), 853),
        ((65_536, 1 << 20), 2048),
        ((65_536, resource.RLIM_INFINITY), 2048),
    ]
