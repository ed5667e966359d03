"""How a real server is named on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farm.errors import FarmError
from farm.traverse.transport.source import read_source


def _file(folder: Path, servers: object) -> str:
    file = folder / "mcp.json"
    file.write_text(json.dumps({"mcpServers": servers}))
    return str(file)


def test_a_command_sees_what_it_was_given_and_no_secret_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("NOTES_TOKEN", "t")
    source = read_source(["npx", "-y", "pkg"], environment=["NOTES_TOKEN", "MODE=x=y"])
    assert source.command == ("npx", "-y", "pkg")
    assert "OPENAI_API_KEY" not in source.environment
    assert (source.environment["NOTES_TOKEN"], source.environment["MODE"]) == ("t", "x=y")
    assert "PATH" in source.environment


def test_a_file_with_one_server_needs_no_name(tmp_path: Path) -> None:
    entry = {"command": "node", "args": ["a.js"], "env": {"KEY": "k"}}
    source = read_source([_file(tmp_path, {"notes": entry})], environment=["KEY=mine"])
    assert (source.name, source.command, source.environment["KEY"]) == ("notes", ("node", "a.js"), "mine")


def test_a_file_s_url_keeps_its_headers(tmp_path: Path) -> None:
    file = _file(tmp_path, {"a": {"url": "https://a.example/mcp", "headers": {"X-Key": "1"}}, "b": {"command": "b"}})
    source = read_source([file], server="a", headers=["Authorization: Bearer t"])
    assert (source.url, source.headers) == ("https://a.example/mcp", {"X-Key": "1", "Authorization": "Bearer t"})


@pytest.mark.parametrize(
    ("servers", "server", "problem"),
    [
        ({}, None, "names no server; one looks like"),
        ({"a": {"command": "x"}, "b": {"command": "y"}}, None, "names 2 servers: choose one with --server, of a, b"),
        ({"a": {"command": "x"}}, "z", "names no server 'z'; it has a"),
        ({"a": {"type": "sse"}}, None, "server 'a' has neither a 'command' nor a 'url'"),
        ({"a": {"command": "x", "args": "-y"}}, None, "'args' of 'a' must be a list of texts"),
        ({"a": {"command": "x", "env": {"N": 1}}}, None, "'env' and 'headers' of 'a' must be tables of texts"),
    ],
)
def test_a_file_that_names_none(tmp_path: Path, servers: object, server: str | None, problem: str) -> None:
    with pytest.raises(FarmError, match=problem):
        read_source([_file(tmp_path, servers)], server=server)


@pytest.mark.parametrize(
    ("given", "options", "problem"),
    [
        ([], {}, "no server was named"),
        (["absent.json"], {}, "absent.json cannot be read"),
        (["http://"], {}, "'http://' is no URL of a server"),
        (["http://host:port/"], {}, "is no URL of a server"),
        (["x"], {"environment": ["NO_SUCH_VARIABLE_HERE"]}, "NO_SUCH_VARIABLE_HERE is not set here"),
        (["x"], {"environment": ["=1"]}, "'=1' is no variable"),
        (["http://h/mcp"], {"headers": ["Bearer"]}, "'Bearer' is no header"),
    ],
)
def test_what_names_no_server(given: list[str], options: dict[str, list[str]], problem: str) -> None:
    with pytest.raises(FarmError, match=problem):
        read_source(given, **options)  # type: ignore[arg-type]
