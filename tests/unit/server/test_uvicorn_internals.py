"""What the fast path borrows of uvicorn's insides: watched, and done without where it is not there."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from farm.server.app import AppServer
from farm.server.fast_path.protocol import AppProtocol
from farm.server.http import uvicorn_internals
from farm.server.http.uvicorn_internals import ATTRIBUTES, METHODS, RELEASE, find_problem, list_differences
from farm.server.listener import http_server
from tests.protocol.wire import CONTENT, LEGACY, MODERN, Answer, answers, connection, http_request, request, toy_server

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _look_again() -> Iterator[None]:
    find_problem.cache_clear()
    yield
    find_problem.cache_clear()


def test_the_uvicorn_here_has_all_that_the_fast_path_uses() -> None:
    assert list_differences(HttpToolsProtocol) == []
    assert find_problem() is None


def test_the_project_asks_for_the_release_that_was_tried() -> None:
    low, high = re.findall(r'"uvicorn>=([\d.]+),<([\d.]+)"', (ROOT / "pyproject.toml").read_text())[0]

    assert low == RELEASE
    assert high == f"0.{int(RELEASE.split('.')[1]) + 1}"


def test_nothing_but_that_module_names_uvicorns_http_insides() -> None:
    files = [*(ROOT / "farm").rglob("*.py"), *(ROOT / "gateway").rglob("*.py")]

    naming = [path.relative_to(ROOT).as_posix() for path in files if "uvicorn.protocols" in path.read_text("utf-8")]

    assert naming == ["farm/server/http/uvicorn_internals.py"]


@pytest.mark.parametrize("name", METHODS)
def test_a_method_that_is_gone_or_takes_something_else_is_named(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    takes = ", ".join(METHODS[name])

    monkeypatch.setattr(HttpToolsProtocol, name, lambda self, what, more: None)
    assert list_differences(HttpToolsProtocol) == [f"no {name}({takes})"]
    monkeypatch.delattr(HttpToolsProtocol, name)
    assert list_differences(HttpToolsProtocol) == [f"no {name}({takes})"]


@pytest.mark.parametrize("path", ATTRIBUTES)
def test_an_attribute_of_another_kind_is_named(path: str) -> None:
    class Changed(HttpToolsProtocol):
        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            *owners, name = path.split(".")
            owner: Any = self
            for each in owners:
                owner = getattr(owner, each)
            if ATTRIBUTES[path] is object:
                delattr(owner, name)
            else:
                setattr(owner, name, "something else")

    assert list_differences(Changed) == [f"no {path}"]


def test_a_parser_that_tells_no_longer_where_a_request_ends_is_noticed() -> None:
    class Changed(HttpToolsProtocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.on_message_complete = lambda: None  # type: ignore[method-assign]

        def data_received(self, data: bytes) -> None:
            super().data_received(data[:-1])

    assert list_differences(Changed)


def test_headers_in_another_form_are_noticed() -> None:
    class Changed(HttpToolsProtocol):
        def on_header(self, name: bytes, value: bytes) -> None:
            self.headers.append((name, value))

    assert list_differences(Changed) == ["no headers as pairs with names in lower case"]


def test_a_protocol_that_is_gone_altogether_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uvicorn_internals, "MODULE", "uvicorn.protocols.http.elsewhere")
    find_problem.cache_clear()

    assert (
        find_problem()
        == f"uvicorn {uvicorn.__version__} differs: no uvicorn.protocols.http.elsewhere.HttpToolsProtocol"
    )


async def _all_answers(server: AppServer, requests: list[bytes]) -> list[tuple[Any, ...]]:
    async with connection(server) as (protocol, line):
        found: list[Answer] = []
        for count, each in enumerate(requests, 1):
            protocol.data_received(each)
            found = await answers(line, count)
        return [(each.status, each.headers, each.body) for each in found]


async def test_without_the_fast_path_every_request_is_answered_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("FARM_CONTENT", str(CONTENT))
    requests = _requests() * 2
    fast, plain = toy_server(tmp_path / "fast"), toy_server(tmp_path / "plain")
    async with fast.running(), plain.running():
        expected = await _all_answers(fast, requests)
        assert http_server(fast).config.http is AppProtocol
        monkeypatch.setattr(uvicorn, "__version__", "0.99.0")
        find_problem.cache_clear()
        with caplog.at_level(logging.WARNING, "farm.server"):
            got = await _all_answers(plain, requests)

    assert got == expected
    assert not plain.heads.known
    assert caplog.messages == [
        "the fast path was made for uvicorn 0.54, and this is 0.99.0; "
        "every call takes the long way through uvicorn, without limits to a connection"
    ]


def _requests() -> list[bytes]:
    found = []
    for version in (LEGACY, MODERN):
        for name, arguments in (("note_add", {"text": "a"}), ("note_add", {"text": 5}), ("no_such_tool", {})):
            found.append(http_request(*request("tools/call", {"name": name, "arguments": arguments}, version=version)))
        found.append(http_request(*request("tools/list", version=version)))
        found.append(http_request(*request("tools/list", version=version), path="/mcp/nobody"))
    return found
