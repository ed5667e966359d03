"""The address of a real MCP server: a command to start, or a URL."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from farm._util.sizes import parse_size
from farm.errors import FarmError
from farm.traverse.transport.bounds import BODY_BYTES_MAX

# The variables of our own environment that a command receives; others may hold secrets that a tool would reveal.
_INHERITED = ("HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER")
_EXAMPLE = "farm traverse capture --out DIR -- npx -y PACKAGE"


@dataclass(frozen=True)
class Source:
    """A real MCP server.

    Attributes:
        name: its name in messages.
        command: the program and its arguments, for a server over stdio; empty for a server with a URL.
        environment: the program's complete environment.
        folder: the program's working directory; None: the current one.
        url: the server's address, for a server over HTTP.
        headers: sent with every HTTP request.
        body_max: the largest message that is read, in bytes.
    """

    name: str
    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: Path | None = None
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body_max: int = BODY_BYTES_MAX


def read_source(
    given: Sequence[str],
    *,
    server: str | None = None,
    environment: Sequence[str] = (),
    headers: Sequence[str] = (),
    folder: Path | None = None,
    body_max: str | None = None,
) -> Source:
    """Return the server that the user named.

    Args:
        given: one URL, one file with ``mcpServers``, or a command and its arguments.
        server: the name of a server in the file.
        environment: ``NAME=value``, or ``NAME`` for its current value; the program receives only these and a few basic
            variables.
        headers: ``Name: value``, for a URL.
        folder: the program's working directory.
        body_max: the largest message that is read, such as ``16MiB``.

    Raises:
        FarmError: the arguments do not name a server.
    """
    found = _read(given, server, environment, headers, folder)
    return found if body_max is None else replace(found, body_max=parse_size(body_max, "--body-max"))


def _read(
    given: Sequence[str],
    server: str | None,
    environment: Sequence[str],
    headers: Sequence[str],
    folder: Path | None,
) -> Source:
    named = dict(_variable(each) for each in environment)
    sent = dict(_header(each) for each in headers)
    if not given:
        raise FarmError(
            f"no server was named; give a URL, an mcpServers file, or a command after --, as in: {_EXAMPLE}"
        )
    first = given[0]
    if len(given) == 1 and urlsplit(first).scheme in ("http", "https"):
        return Source(_host(first), url=first, headers=sent)
    if len(given) == 1 and first.endswith(".json"):
        return _entry(Path(first), server, named, sent, folder)
    return Source(Path(first).name, tuple(given), {**_inherited(), **named}, folder)


def _inherited() -> dict[str, str]:
    return {name: os.environ[name] for name in _INHERITED if name in os.environ}


def _variable(given: str) -> tuple[str, str]:
    name, has_value, value = given.partition("=")
    if not name:
        raise FarmError(f"'{given}' is no variable; write NAME=value, or NAME for the value it has here")
    if not has_value and name not in os.environ:
        raise FarmError(f"{name} is not set here; write {name}=value")
    return name, value if has_value else os.environ[name]


def _header(given: str) -> tuple[str, str]:
    name, has_value, value = given.partition(":")
    if not (name.strip() and has_value):
        raise FarmError(f"'{given}' is no header; write 'Name: value'")
    return name.strip(), value.strip()


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        if parts.hostname and (parts.port is None or parts.port):
            return parts.netloc.rpartition("@")[2]
    except ValueError:
        pass
    raise FarmError(f"'{url}' is no URL of a server; it looks like https://example.com/mcp")


def _entry(
    file: Path, server: str | None, environment: Mapping[str, str], headers: Mapping[str, str], folder: Path | None
) -> Source:
    entries = _entries(file)
    if server is None and len(entries) > 1:
        raise FarmError(
            f"{file} names {len(entries)} servers: choose one with --server, of {', '.join(sorted(entries))}"
        )
    name = next(iter(entries)) if server is None else server
    if name not in entries:
        raise FarmError(f"{file} names no server '{name}'; it has {', '.join(sorted(entries))}")
    entry = entries[name]
    match entry:
        case {"url": str() as url}:
            _host(url)
            return Source(name, url=url, headers={**_texts(entry.get("headers"), file, name), **headers})
        case {"command": str() as command}:
            arguments = entry.get("args") or []
            if not isinstance(arguments, list) or not all(isinstance(each, str) for each in arguments):
                raise FarmError(f"{file}: 'args' of '{name}' must be a list of texts")
            variables = {**_inherited(), **_texts(entry.get("env"), file, name), **environment}
            return Source(name, (command, *arguments), variables, folder)
    raise FarmError(f"{file}: server '{name}' has neither a 'command' nor a 'url'")


def _entries(file: Path) -> dict[str, Any]:
    try:
        said = json.loads(file.expanduser().read_bytes())
    except OSError as problem:
        raise FarmError(f"{file} cannot be read ({problem.strerror})") from None
    except ValueError as problem:
        raise FarmError(f"{file} is not JSON: {problem}") from None
    found = said.get("mcpServers") if isinstance(said, dict) else None
    if not isinstance(found, dict) or not found:
        raise FarmError(f'{file} names no server; one looks like {{"mcpServers": {{"name": {{"command": "…"}}}}}}')
    return found


def _texts(given: Any, file: Path, name: str) -> dict[str, str]:
    if given is None:
        return {}
    if not isinstance(given, dict) or not all(isinstance(each, str) for each in given.values()):
        raise FarmError(f"{file}: 'env' and 'headers' of '{name}' must be tables of texts")
    return dict(given)
