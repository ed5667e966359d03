"""Runs the real server, named as the argument, with Discord's address turned to the one in STAND_IN.

Its own code stays as it is, but for one line that only Python 3.12 can read. The gateway is told no more than that the
login was accepted: the library's own state gets that event without a socket.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from discord import Client  # type: ignore[import-not-found] # in the real server's environment alone
from discord.http import Route  # type: ignore[import-not-found]
from mcp.server import Server

_NESTED = """f"Reactions: {', '.join([f'{r['emoji']}({r['count']})' for r in m['reactions']]) if m['reactions'] """
_APART = """f\"\"\"Reactions: {', '.join([f'{r["emoji"]}({r["count"]})' for r in m['reactions']]) if m['reactions'] """
_END, _END_APART = """else 'No reactions'}\"""", """else 'No reactions'}\"\"\""""
_READY_S_MAX = 20

Route.BASE = os.environ["STAND_IN"]
_run = Server.run
_served: dict[str, Any] = {"__name__": "served"}


async def _connect(client: Client, *, reconnect: bool = True) -> None:
    user = await client.http.request(Route("GET", "/users/@me"))
    client._connection.guild_ready_timeout = 0.01
    client._connection.parse_ready({"user": user, "guilds": []})
    await asyncio.Event().wait()


async def _run_when_ready(server: Server[Any], *arguments: Any, **others: Any) -> None:
    for _ in range(_READY_S_MAX * 100):
        if _served["discord_client"]:
            break
        await asyncio.sleep(0.01)
    await _run(server, *arguments, **others)


Client.connect = _connect
Server.run = _run_when_ready  # type: ignore[method-assign, assignment]
source = Path(sys.argv[1]).read_text("utf-8")
assert source.count(_NESTED) == source.count(_END) == 1
exec(compile(source.replace(_NESTED, _APART).replace(_END, _END_APART), sys.argv[1], "exec"), _served)
asyncio.run(_served["main"]())
