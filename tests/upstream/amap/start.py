"""Starts the real server on another address than its own: ``python start.py URL``."""

import sys
from typing import Any

from amap_mcp_server import server  # type: ignore[import-not-found]  # it is installed elsewhere

_URL = sys.argv.pop()
_get = server.requests.get


def get_here(url: str, params: Any = None) -> Any:
    """Ask the stand-in instead of the vendor."""
    return _get(url.replace("https://restapi.amap.com", _URL), params=params, timeout=10)


def say_nothing(*_: Any) -> None:
    """Leave out what 0.1.11 prints of each transit route: over stdio that breaks the protocol."""


server.requests.get = get_here
server.print = say_nothing
server.mcp.run()
