"""What stands beside the farm in the table: the floor, a plain web framework, and plain FastMCP with the same tools.

``python -m tests.bench.baselines KIND DESCRIPTOR CORE [CONTEXT]`` serves one of them on a listening socket.
"""

from __future__ import annotations

import asyncio
import inspect
import socket
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import uvicorn
import uvloop
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.bench.measure import pin
from tests.bench.measured_apps import APP

# As long as a short answer of Slack's.
_CANNED = {"content": [{"type": "text", "text": '{"ok":true,"note":"' + "x" * 200 + '"}'}]}


async def raw(scope: Scope, receive: Receive, send: Send) -> None:
    """The floor: parse the request, write a canned answer; no protocol, no state."""
    message = await receive()
    request = orjson.loads(message["body"])
    body = orjson.dumps({"jsonrpc": "2.0", "id": request["id"], "result": _CANNED})
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def starlette() -> ASGIApp:
    """Return the same canned answer from an endpoint of Starlette's."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def answer(request: Request) -> JSONResponse:
        asked = await request.json()
        return JSONResponse({"jsonrpc": "2.0", "id": asked["id"], "result": _CANNED})

    return Starlette(routes=[Route("/mcp", answer, methods=["POST"])])


def fastmcp(context: Path, me: str) -> ASGIApp:
    """Return a plain FastMCP server whose tools call the farm's own Slack handlers on the same rows.

    It is what one writes in an afternoon: typed functions, one SQLite file, commit after each call. It has no episodes,
    no trace and no journal, answers in JSON without sessions (its fastest setting), and its tools are coroutines, so
    that no call pays for a thread.
    """
    from fastmcp import FastMCP

    from farm.appkit.handler_api import Database, Episode, VendorError
    from farm.content import load_app

    app = load_app(APP).app
    text_of = app.envelope.text_of
    db = sqlite3.connect(context, isolation_level=None)
    db.row_factory = sqlite3.Row
    for pragma in ("journal_mode=WAL", "synchronous=OFF", "foreign_keys=ON"):
        db.execute(f"PRAGMA {pragma}").fetchall()
    for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f'DROP TRIGGER "{trigger}"')
    now_ms = int(db.execute("SELECT max(ts) FROM messages").fetchone()[0].split(".")[0]) * 1000
    episode = Episode(Database(db), app=APP, me=me, seed=7, forms=app.ids)
    made = 0

    def run(handler: Callable[..., Any], writes: bool, arguments: dict[str, Any]) -> str:
        nonlocal made
        made += writes
        episode.start_call(now_ms + made, made)
        if not writes:
            return text_of(handler(episode, **arguments))
        db.execute("BEGIN")
        try:
            body = handler(episode, **arguments)
        except VendorError:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")
        return text_of(body)

    server: Any = FastMCP(APP)
    for tool in app.tools:
        server.tool(_typed(tool.handler, bool(tool.writes), run), name=tool.name)
    served: ASGIApp = server.http_app(path="/mcp", json_response=True, stateless_http=True)
    return served


def _typed(handler: Callable[..., Any], writes: bool, run: Callable[..., str]) -> Callable[..., Any]:
    """Return a function with the handler's own parameters, as FastMCP reads its schemas from signatures."""
    signature = inspect.signature(handler, eval_str=True)
    parameters = [each for name, each in signature.parameters.items() if name != "ep"]

    async def tool(**arguments: Any) -> str:
        return run(handler, writes, arguments)

    tool.__signature__ = inspect.Signature(parameters, return_annotation=str)  # type: ignore[attr-defined]
    tool.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": str}
    tool.__doc__ = inspect.getdoc(handler)
    return tool


def main() -> None:
    """Serve one baseline until killed."""
    kind, descriptor, core = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    pin(core)
    app: ASGIApp = raw
    if kind == "starlette":
        app = starlette()
    elif kind == "fastmcp":
        app = fastmcp(Path(sys.argv[4]), sys.argv[5])
    lifespan: Any = "on" if kind == "fastmcp" else "off"
    config = uvicorn.Config(
        app, http="httptools", ws="none", lifespan=lifespan, log_config=None, access_log=False, timeout_keep_alive=600
    )
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(uvicorn.Server(config).serve([socket.socket(fileno=descriptor)]))


if __name__ == "__main__":
    main()
