"""Farms that are none, are of another version, or go away: one clear line each, by a server in their place."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from mcp_farm_client import McpFarmError, Play, __version__

CARD = {
    "task": "own/one",
    "title": "One",
    "category": "own",
    "system": "You help.",
    "instruction": "Do it.",
    "answers": "prose",
    "world": "mini",
    "apps": ["slack"],
    "me": None,
    "now": "2026-03-09T09:00:00+08:00",
    "calls_max": 3,
    "episode": {"world": "mini", "apps": ["slack"]},
}


class StandIn:
    """Answers like a farm with one task; ``answers`` replaces an answer by status and body.

    Attributes:
        asked: method and path of each request.
        connections: the number of connections that were opened.
    """

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_port}"
        self.asked: list[str] = []
        self.connections = 0
        self.closes_after: tuple[str, ...] = ()
        self.is_gone = False
        self.answers: dict[str, tuple[int, Any]] = {
            "GET /v1/farm": (200, {"version": __version__}),
            "GET /v1/tasks/own/one": (200, CARD),
            "POST /v1/episodes": (
                201,
                {
                    "id": "ep",
                    "token": "t",
                    "me": None,
                    "now": CARD["now"],
                    "apps": ["slack"],
                    "mcp": {"slack": f"{self.url}/mcp/ep/slack"},
                    "mcp_all": f"{self.url}/mcp/ep",
                },
            ),
            "POST /v1/episodes/ep/check": (200, {"acc": 1.0}),
            "DELETE /v1/episodes/ep": (200, {"id": "ep"}),
        }

    def play(self) -> Play:
        return Play("own/one", url=self.url, token="t")


@contextmanager
def stand_in() -> Iterator[StandIn]:
    made: list[StandIn] = []

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            made[0].connections += 1
            super().setup()

        def answer(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            self.rfile.read(length)
            if made[0].is_gone:
                self.close_connection = True
                return
            name = f"{self.command} {self.path.partition('?')[0]}"
            made[0].asked.append(name)
            status, body = made[0].answers.get(name, (404, {"error": {"code": "not_found", "message": "no such"}}))
            raw = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)
            # Without the header that announces it, as a proxy does that drops idle connections.
            self.close_connection = name in made[0].closes_after

        do_GET = do_POST = do_DELETE = answer

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        made.append(StandIn(server))
        try:
            yield made[0]
        finally:
            made[0].is_gone = True
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("path", "status", "body", "said"),
    [
        (
            "GET /v1/farm",
            200,
            {"version": "9.1.0"},
            r"is of version 9\.1\.0.*install both from one checkout of mcp-farm",
        ),
        ("GET /v1/farm", 200, {"name": "a shop"}, "is no farm; give its operators' URL, such as http://127.0.0.1:8701"),
        ("GET /v1/farm", 200, [], "is no farm; give its operators' URL"),
        ("GET /v1/farm", 200, b"<html>", r"is no farm \(it answered 200 without JSON\)"),
        ("GET /v1/farm", 404, {"detail": "Not Found"}, "404 {'detail': 'Not Found'}"),
        (
            "GET /v1/farm",
            404,
            {"error": {"code": "not_found", "message": "nothing at /v1/farm; agents call /mcp/…"}},
            "is where agents call; give the operators' URL",
        ),
        ("POST /v1/episodes", 507, {"error": {"message": "no room for more episodes"}}, "^no room for more episodes$"),
    ],
)
def test_what_is_no_fitting_farm_is_told_in_one_line(path: str, status: int, body: Any, said: str) -> None:
    with stand_in() as farm:
        farm.answers[path] = (status, body)
        with pytest.raises(McpFarmError, match=said) as refused:
            farm.play()

    assert "\n" not in str(refused.value)


def test_a_farm_that_goes_away_is_told_and_a_play_is_finished_when_it_is_back() -> None:
    with stand_in() as farm, farm.play() as play:
        farm.answers["POST /v1/episodes/ep/check"] = (502, b"Bad Gateway")
        with pytest.raises(McpFarmError, match=r"no farm answers at .* \(502 Bad Gateway\); is it running"):
            play.finish("done")
        farm.answers["POST /v1/episodes/ep/check"] = (200, {"acc": 1.0})

        assert play.finish("done")["acc"] == 1.0

    with stand_in() as farm:
        play = farm.play()
    for late in (play.tools, lambda: play.finish("done"), play.close):
        with pytest.raises(McpFarmError, match=rf"no farm answers at {farm.url} .*'farm status'"):
            late()


def test_a_farm_that_is_gone_does_not_hide_what_went_wrong_before() -> None:
    async def hold(play: Play) -> None:
        async with play:
            _ = 1 / 0

    with stand_in() as farm:
        one, other = farm.play(), farm.play()

    with pytest.raises(ZeroDivisionError), one:
        _ = 1 / 0
    with pytest.raises(ZeroDivisionError):
        asyncio.run(hold(other))


def test_a_verdict_is_not_lost_if_its_episode_cannot_be_removed() -> None:
    with stand_in() as farm, farm.play() as play:
        del farm.answers["DELETE /v1/episodes/ep"]

        assert play.finish("done")["acc"] == 1.0


def test_a_request_finds_another_connection_if_its_own_was_closed_meanwhile() -> None:
    with stand_in() as farm:
        farm.closes_after = ("POST /v1/episodes",)
        with farm.play() as play:
            # The end of a thread of the server is the end of its connection.
            for thread in threading.enumerate():
                if "process_request_thread" in thread.name:
                    thread.join(10)
            assert play.finish("done")["acc"] == 1.0

    assert farm.connections == 2
    assert farm.asked.count("POST /v1/episodes/ep/check") == 1


def test_plays_held_at_once_share_connections_and_the_last_one_closes_them() -> None:
    with stand_in() as farm:
        plays = [farm.play() for _ in range(20)]
        for play in plays:
            play.close()
        shared = farm.connections
        farm.play().close()

    assert shared == 1
    assert farm.connections == 2
    assert farm.asked.count("GET /v1/farm") == 2
