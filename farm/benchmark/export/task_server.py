"""One episode of a task, for one agent in a container beside it: MCP without a bearer, and a verdict for operators."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from typing import Any

import orjson
from starlette.types import Receive, Scope, Send

from farm._util.json_io import dumps
from farm._util.sockets import bind, is_beyond_loopback
from farm.appkit.app import LATEST
from farm.benchmark.runner.local_host import LocalHost
from farm.benchmark.runner.play import Play
from farm.benchmark.scoring.expectations import require_task
from farm.errors import ConflictError, FarmError, NotFoundError
from farm.server.http.answer import HttpAnswer, error_answer, json_answer
from farm.server.http.asgi import MCP_PREFIX, ClientDisconnectedError, mcp_place, read_body
from farm.server.in_process import SharedServer
from farm.server.listener import HttpServer, http_server, loop_factory, on_signals

CONTROL_HOST = "127.0.0.1"


class AgentDoor:
    """Serves each app of a play at ``/mcp/APP``, to whoever reaches the port: no request needs a bearer."""

    def __init__(self, play: Play, servers: Mapping[str, SharedServer], *, accepts_any_host: bool = False) -> None:
        """Serve a play.

        Args:
            play: the play.
            servers: app → its server.
            accepts_any_host: whether a request may name any Host and Origin, as between containers, where the network
                is the limit; otherwise only this machine's own.
        """
        self._path = f"{MCP_PREFIX}{play.session.id}"
        self._servers = servers
        self._added = [(b"authorization", f"Bearer {play.session.token}".encode())]
        self._dropped = {b"authorization"}
        if accepts_any_host:
            self._added.append((b"host", CONTROL_HOST.encode()))
            self._dropped |= {b"host", b"origin"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (ASGI)."""
        if scope["type"] != "http":
            raise ValueError(f"no answer to a {scope['type']} connection; this server speaks HTTP")
        server = self._servers.get(mcp_place(scope))
        if scope["path"] == "/healthz":
            await json_answer(200, {"ready": True}).send(send)
        elif server is None or not scope["path"].startswith(MCP_PREFIX):
            served = ", ".join(f"{MCP_PREFIX}{app}" for app in self._servers)
            await error_answer(NotFoundError(f"nothing at {scope['path']}; MCP is at {served}")).send(send)
        else:
            await server(self._as_ours(scope), receive, send)

    def _as_ours(self, scope: Scope) -> Scope:
        kept = [(name, value) for name, value in scope["headers"] if name not in self._dropped]
        return {**scope, "path": self._path, "raw_path": self._path.encode(), "headers": [*kept, *self._added]}


class Grader:
    """Serves ``POST /check``, which takes ``{"answer"}``, ends the play and answers the trial's line.

    Later requests get the same line.
    """

    def __init__(self, play: Play) -> None:
        self._play = play
        self._verdict: HttpAnswer | None = None
        self._lock = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (ASGI)."""
        try:
            answer = await self._answer(scope, receive)
        except FarmError as problem:
            answer = error_answer(problem)
        except ClientDisconnectedError:
            return
        await answer.send(send)

    async def _answer(self, scope: Scope, receive: Receive) -> HttpAnswer:
        if (scope["method"], scope["path"]) != ("POST", "/check"):
            raise NotFoundError(f"nothing at {scope['method']} {scope['path']}; have POST /check")
        answer = _answer_in(await read_body(scope, receive))
        async with self._lock:
            if self._verdict is None:
                self._verdict = await asyncio.to_thread(self._finish, answer)
        return self._verdict

    def _finish(self, answer: str) -> HttpAnswer:
        return HttpAnswer(200, dumps(self._play.finish(answer)))


def _answer_in(body: bytes) -> str:
    try:
        given: Any = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise FarmError("the body is not JSON") from None
    if not isinstance(given, dict) or given.keys() != {"answer"} or not isinstance(given["answer"], str):
        raise FarmError('the body must be {"answer": TEXT}')
    return given["answer"]


def serve_task(
    task: str,
    seed: int,
    *,
    host: str,
    port: int,
    control_port: int,
    on_ready: Callable[[int, int], None] | None = None,
) -> None:
    """Serve one episode of a task until a signal ends it.

    Args:
        task: the task's name ``SUITE/TASK``.
        seed: the seed of the episode's ids.
        host: the address to which agents connect.
        port: their port; 0 takes any free one.
        control_port: the port of ``POST /check``, on this machine's own address only.
        on_ready: called with both ports once requests are answered.

    Raises:
        NotFoundError: the task does not exist.
        FarmError: a port is taken.
    """
    if port == control_port != 0:
        raise ConflictError(f"--port and --control-port are both {port}; choose two")
    with ExitStack() as stack:
        named = require_task(task)
        control = stack.enter_context(bind(CONTROL_HOST, control_port, "--control-port"))
        listening = stack.enter_context(bind(host, port, "--port"))
        local = stack.enter_context(LocalHost())
        play = stack.enter_context(Play(named, seed, host=local))
        servers = {app: local.server(app, LATEST) for app in play.session.apps}
        pairs = [
            (http_server(AgentDoor(play, servers, accepts_any_host=is_beyond_loopback(host, ()))), listening),
            (http_server(Grader(play), for_operators=True), control),
        ]
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(_serve(servers.values(), pairs, on_ready))


async def _serve(
    apps: Iterable[SharedServer],
    pairs: Sequence[tuple[HttpServer, socket.socket]],
    on_ready: Callable[[int, int], None] | None,
) -> None:
    def end() -> None:
        for each, _ in pairs:
            each.end()

    async with AsyncExitStack() as running:
        for app in apps:
            await running.enter_async_context(app.running())
        on_signals(end)
        tasks = [asyncio.create_task(each.serve([bound])) for each, bound in pairs]
        if on_ready:
            on_ready(*(bound.getsockname()[1] for _, bound in pairs))
        await asyncio.gather(*tasks)
