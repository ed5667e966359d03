"""The short way through HTTP and uvicorn's own are one server, however requests are cut, joined or mangled."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from farm.server.app import AppServer
from farm.server.fast_path.protocol import HEADS_BYTES_MAX, RequestHeads
from tests.protocol.wire import MODERN, Answer, Answers, Line, answers, connection, http_request, request, toy_server

PLAIN = http_request(*request("tools/call", {"name": "note_add", "arguments": {"text": "a"}}))
MODERN_CALL = http_request(
    *request("tools/call", {"name": "note_show", "arguments": {}}, version=MODERN, request_id="m")
)
LISTED = http_request(*request("tools/list"))
NOTIFIED = http_request({"jsonrpc": "2.0", "method": "notifications/initialized"}, request("x")[1])
OTHER_EPISODE = http_request(*request("tools/list"), path="/mcp/nobody")
BIG = http_request(*request("tools/call", {"name": "note_echo", "arguments": {"x": "y" * 70_000}}))
# Each is sent on a line that has seen the plain ones, so its head resembles a known one.
ODD = {
    "length in the middle": PLAIN.replace(b"content-length", b"x-last").replace(
        b"\r\nhost", b"\r\nContent-Length: %d\r\nhost" % len(PLAIN.partition(b"\r\n\r\n")[2]), 1
    ),
    "length twice": PLAIN.replace(b"\r\nhost", b"\r\nContent-Length: 4\r\nhost", 1),
    "length with a sign": PLAIN.replace(b"content-length: ", b"content-length: +"),
    "length with spaces": PLAIN.replace(b"content-length: ", b"content-length:    "),
    "no length": PLAIN.replace(b"content-length", b"x-length"),
    "chunked": PLAIN.partition(b"content-length")[0] + b"transfer-encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n",
    "length and chunks": PLAIN.replace(b"\r\nhost", b"\r\ntransfer-encoding: chunked\r\nhost", 1),
    "close": PLAIN.replace(b"\r\nhost", b"\r\nconnection: close\r\nhost", 1),
    "keep alive": PLAIN.replace(b"\r\nhost", b"\r\nConnection: Keep-Alive\r\nhost", 1),
    "expects": PLAIN.replace(b"\r\nhost", b"\r\nexpect: 100-continue\r\nhost", 1),
    "HTTP/1.0": PLAIN.replace(b"HTTP/1.1", b"HTTP/1.0"),
    "HTTP/2": PLAIN.replace(b"HTTP/1.1", b"HTTP/2.0"),
    "GET": PLAIN.replace(b"POST", b"GET"),
    "lower case": PLAIN.replace(b"POST", b"post"),
    "query": PLAIN.replace(b"/mcp/ep", b"/mcp/ep?a=1"),
    "escaped path": PLAIN.replace(b"/mcp/ep", b"/mcp/e%70"),
    "space in the path": PLAIN.replace(b"/mcp/ep", b"/mcp/e p"),
    "whole address": PLAIN.replace(b"POST /", b"POST http://127.0.0.1:8000/"),
    "no host": PLAIN.replace(b"host: 127.0.0.1:8000\r\n", b""),
    "other host": PLAIN.replace(b"host: 127", b"host: 128"),
    "folded": PLAIN.replace(b"accept: application/json,", b"accept: application/json,\r\n "),
    "bare newlines": PLAIN.replace(b"\r\n", b"\n"),
    "upper case": PLAIN.replace(b"content-type", b"CONTENT-TYPE"),
    "header twice": PLAIN.replace(b"\r\nhost", b"\r\naccept: text/html\r\nhost", 1),
    "control character": PLAIN.replace(b"\r\nhost", b"\r\nx: \x01\r\nhost", 1),
    "no JSON": http_request(b"{", request("x")[1]),
    "empty": http_request(b"", request("x")[1]),
}


async def _quiet(protocol: Any, line: Line) -> None:
    """Wait until the server has answered all it was asked; a request whose rest never comes has no answer."""
    while not line.is_closed and protocol.cycle is not None and not protocol.cycle.response_complete:
        if protocol.cycle.more_body and not protocol._unread:
            return
        line.moved.clear()
        await asyncio.wait_for(line.moved.wait(), 30)


async def _all_answers(server: AppServer, pieces: list[bytes]) -> tuple[list[tuple[Any, ...]], bool]:
    """Send pieces over one connection; return what came back, and whether the server closed it."""
    async with connection(server) as (protocol, line):
        for piece in pieces:
            if line.is_closed:
                break
            protocol.data_received(piece)
            await _quiet(protocol, line)
        found = Answers(line.written).complete
        return [(each.status, each.headers.get("connection"), _told(each)) for each in found], line.is_closed


def _told(answer: Answer) -> Any:
    is_json = answer.headers.get("content-type") == "application/json" and answer.body
    return answer.json if is_json else answer.body


@pytest.mark.parametrize("odd", ODD)
async def test_an_odd_request_after_plain_ones_is_answered_as_uvicorn_does(
    toy: AppServer, reference: AppServer, odd: str
) -> None:
    pieces = [PLAIN, PLAIN, ODD[odd], ODD[odd], PLAIN]

    got, expected = await _all_answers(toy, pieces), await _all_answers(reference, pieces)

    assert got == expected
    assert toy.store.calls("ep")[-1]["n"] == reference.store.calls("ep")[-1]["n"]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from([PLAIN, MODERN_CALL, LISTED, NOTIFIED, OTHER_EPISODE, BIG]), min_size=1, max_size=8),
    st.data(),
)
def test_however_requests_are_cut_and_joined_the_answers_are_the_same(
    requests: list[bytes], data: st.DataObject
) -> None:
    stream = b"".join(requests)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(stream) - 1), max_size=12)))
    pieces = [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]

    async def both() -> None:
        with tempfile.TemporaryDirectory() as folder:
            fast, slow = toy_server(Path(folder) / "a"), toy_server(Path(folder) / "b", is_fast=False)
            async with fast.running(), slow.running():
                for each in (fast, slow):
                    await _all_answers(each, [PLAIN, MODERN_CALL, LISTED])  # heads are known from here on
                got, expected = await _all_answers(fast, pieces), await _all_answers(slow, pieces)
                assert got == expected
                assert len(got[0]) == len(requests)

    asyncio.run(both())


async def test_a_known_head_meets_no_parser_and_no_task(toy: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (PLAIN, MODERN_CALL, LISTED, NOTIFIED):
        await _all_answers(toy, [data])

    def never(*_: Any) -> None:
        raise AssertionError("left to uvicorn")

    monkeypatch.setattr(HttpToolsProtocol, "data_received", never)
    for data in (PLAIN, MODERN_CALL, LISTED, NOTIFIED):
        for at in (len(data), len(data) - 1, data.index(b"\r\n\r\n") + 4):
            pieces = [part for part in (data[:at], data[at:]) if part]
            ((status, _, _),), is_closed = await _all_answers(toy, pieces)
            assert (status, is_closed) == (202 if data is NOTIFIED else 200, False)


async def test_a_request_half_sent_when_the_server_ends_is_still_answered(toy: AppServer) -> None:
    await _all_answers(toy, [PLAIN])
    async with connection(toy) as (protocol, line):
        protocol.data_received(PLAIN[:-5])
        protocol.shutdown()
        assert not line.is_closed
        protocol.data_received(PLAIN[-5:])

        (answer,) = await answers(line, 1)

    assert answer.status == 200
    assert answer.headers["connection"] == "close"
    assert line.is_closed


async def test_an_idle_connection_ends_with_the_server(toy: AppServer) -> None:
    await _all_answers(toy, [PLAIN])
    async with connection(toy) as (protocol, line):
        protocol.data_received(PLAIN)
        protocol.shutdown()

        assert line.is_closed


async def test_only_a_connection_idle_for_its_whole_time_is_closed(toy: AppServer) -> None:
    await _all_answers(toy, [PLAIN])
    async with connection(toy) as (protocol, line):
        protocol.data_received(PLAIN)
        protocol.timeout_keep_alive_handler()
        assert not line.is_closed

        protocol.timeout_keep_alive = 0
        protocol.timeout_keep_alive_handler()

        assert line.is_closed


async def test_a_bug_costs_one_connection_and_says_so(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await _all_answers(toy, [PLAIN])

    def fail(*_: Any) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(toy, "run_call", fail)
    ((status, _, _),), is_closed = await _all_answers(toy, [PLAIN])

    assert (status, is_closed) == (500, True)
    assert "/mcp/ep failed" in caplog.text


def test_heads_are_bounded_in_bytes() -> None:
    heads = RequestHeads()
    sizes = []

    for number in range(3000):
        mark = b"%d" % number * 400
        heads.learn(b"\r\nx: " + mark, [(b"content-length", b"1"), (b"x", mark)])
        sizes.append(sum(len(key) + sum(map(len, head.headers.values())) for key, head in heads.known.items()))

    assert HEADS_BYTES_MAX / 3 < max(sizes) <= HEADS_BYTES_MAX


async def test_many_different_heads_do_not_fill_the_memory(toy: AppServer) -> None:
    fields = request("x")[1]
    for number in range(3):
        await _all_answers(toy, [http_request(*request("tools/list")[:1], [*fields, ("x-run", str(number) * 5000)])])
    assert not toy.heads.known

    await _all_answers(toy, [LISTED])
    assert len(toy.heads.known) == 1
