"""What servers remember of requests stays small, whatever is sent."""

from __future__ import annotations

import gc
import tracemalloc
from types import SimpleNamespace
from typing import Any, cast

import pytest

from farm._util.bounded_cache import ENTRY_BYTES, BoundedCache
from farm.server import pipeline
from farm.server.fast_path import header_template
from farm.server.fast_path.header_template import CachedResponse, HeaderTemplate, HeaderTemplates, response_key
from gateway import mcp_endpoint, upstream
from gateway.mcp_endpoint import McpEndpoint
from gateway.upstream import Connection, Pool


def test_what_is_kept_is_found_until_it_is_too_much_and_then_all_starts_again() -> None:
    kept: BoundedCache[int, str] = BoundedCache(4 * (ENTRY_BYTES + 10))

    for number in range(4):
        kept.keep(number, "x" * 10, 10)
    assert kept.known == dict.fromkeys(range(4), "x" * 10)
    kept.keep(3, "not twice", 10)
    kept.keep(4, "y", 1)

    assert kept.known == {4: "y"}
    assert kept.size_bytes == ENTRY_BYTES + 1


def test_the_gateway_remembers_few_bytes_of_whom_it_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_endpoint, "_KNOWN_BYTES_MAX", 20_000)
    nothing = cast(Any, None)
    endpoint = McpEndpoint(nothing, nothing, nothing, (), nothing, nothing)

    for number in range(100):
        for origin in (b"http://localhost:%d" % (number + 6000), b"http://localhost:" + b"1" * (5000 + number)):
            headers = {b"host": b"localhost", b"origin": origin, b"content-type": b"application/json"}
            scope = {"type": "http", "method": "POST", "path": "/mcp/ep", "headers": list(headers.items())}
            endpoint._refusal(scope, headers)

    assert 0 < len(endpoint._known) < 100
    assert sum(len(each or b"") for key in endpoint._known for each in key) <= 20_000


def test_of_many_connections_to_an_app_only_some_stay_open_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upstream, "_IDLE_MAX", 3)
    pool = Pool("127.0.0.1", 1)
    closed: list[int] = []

    def connection(number: int) -> Connection:
        return cast(Connection, SimpleNamespace(is_reusable=True, abort=lambda: closed.append(number)))

    for number in range(5):
        pool.give_back(connection(number))

    assert closed == [3, 4]


def test_what_is_known_of_requests_takes_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(header_template, "METAS_BYTES_MAX", 100_000)
    monkeypatch.setattr(header_template, "RESPONSES_BYTES_MAX", 100_000)
    templates = HeaderTemplates(cast(Any, None), json_mode=True, is_fast=True)
    template = HeaderTemplate("2025-06-18", templates._metas, is_fast=True)
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert template.accepts_meta({"first": 1})
    gc.collect()
    taken = counted = 0

    tracemalloc.start()
    try:
        for number in range(500):
            assert template.accepts_meta({"example.com/key": f"{number:050}"})
            key = response_key(template, {**request, "params": {"cursor": str(number)}}, {}, ("latest", None))
            assert key is not None
            templates.keep(key, CachedResponse(200, (), b"x" * 100))
            taken = max(taken, tracemalloc.get_traced_memory()[0])
            counted = max(counted, templates._metas.size_bytes + templates._responses.size_bytes)
    finally:
        tracemalloc.stop()

    assert 100_000 < counted <= 200_000
    assert counted / 3 < taken <= 1.1 * 200_000


def test_names_that_nobody_knows_take_what_they_are_long() -> None:
    pipeline._name.cache_clear()
    gc.collect()

    tracemalloc.start()
    try:
        for number in range(2000):
            pipeline._name(f"no_such_tool_{number}")
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        pipeline._name.cache_clear()

    assert taken <= 1024 * ENTRY_BYTES
