"""Checks a client's entry: asks the server for its tools, as the client would."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from typing import Any

import orjson

from farm.client import mcp_tools
from farm.connect.files import url_of
from farm.errors import FarmError

_ANSWER_S_MAX = 60.0
_LIST = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'


def check_server(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the number of ``tools`` that a client's server lists, or the ``problem``."""
    try:
        url = url_of(entry)
        return {"tools": _over_stdio(entry) if url is None else len(mcp_tools(url, _bearer(entry)))}
    except FarmError as problem:
        return {"problem": str(problem)}


def _bearer(entry: Mapping[str, Any]) -> str | None:
    """Return the bearer in an entry: in a table of headers, or among the arguments of mcp-remote."""
    headers: Mapping[str, Any] = next(
        (entry[key] for key in ("headers", "http_headers") if isinstance(entry.get(key), dict)), {}
    )
    told = [str(headers.get("Authorization", "")), *map(str, entry.get("args") or ())]
    found = [match[1] for each in told if (match := re.search(r"Bearer (\S+)", each))]
    return found[0] if found else None


def _over_stdio(entry: Mapping[str, Any]) -> int:
    command = [str(entry.get("command")), *map(str, entry.get("args") or ())]
    try:
        done = subprocess.run(
            command,
            input=_LIST,
            capture_output=True,
            timeout=_ANSWER_S_MAX,
            env={**os.environ, **(entry.get("env") or {})},
            check=False,
        )
    except FileNotFoundError:
        raise FarmError(f"{command[0]} is not there; write the file again with 'farm connect … --write'") from None
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise FarmError(f"{command[0]} does not answer: {problem}") from None
    try:
        return len(orjson.loads(done.stdout.splitlines()[0])["result"]["tools"])
    except (orjson.JSONDecodeError, LookupError, TypeError):
        said = (done.stdout or done.stderr).decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise FarmError(said.removeprefix("farm: ")[:300] or f"{command[0]} ended without an answer") from None
