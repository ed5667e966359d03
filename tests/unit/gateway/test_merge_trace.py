"""The trace of an episode as the gateway reads it: whole where it is short, the page alone where it is long."""

from __future__ import annotations

import asyncio
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from farm.context.trace import Call
from gateway.app_client import AppClient
from gateway.merge_trace import PAGE_BYTES_MAX, Orders, trace


class Apps:
    """Two apps whose calls came in turn; remembers what was asked."""

    def __init__(self, count: int, *, size_bytes: int = 0, first_at: int = 0) -> None:
        """Have so many calls each, with lines so long: of these a page has as many as the real one."""
        self.asked: list[dict[str, Any]] = []
        self._size_bytes = size_bytes
        self._at_a_time = max(1, PAGE_BYTES_MAX // size_bytes) if size_bytes else count
        self._entries = {
            app: [_entry(n, first_at + 2 * n + offset) for n in range(1, count + 1)] for app, offset in _OFFSETS
        }

    async def ask(self, app: str, _method: str, _path: str, **query: Any) -> dict[str, Any]:
        """Answer as an app's control endpoint does."""
        self.asked.append(query)
        found = [each for each in self._entries[app] if each["n"] > query["after"]]
        found = found[: min(query["limit"], self._at_a_time)]
        if query["results"] == "times":
            found = [{"size_bytes": self._size_bytes, **each} for each in found]
        hidden = {0: {"result"}, 1: set(), "times": {"result", "tool", "arguments"}}[query["results"]]
        found = [{name: value for name, value in each.items() if name not in hidden} for each in found]
        return {"calls": found, "last": len(self._entries[app])}


_OFFSETS = (("lark", 0), ("slack", 1))


def _entry(n: int, at: int) -> dict[str, Any]:
    times = {"started_ns": at * 1_000_000, "ended_ns": at * 1_000_000 + 1, "at_ms": at, "now_ms": at}
    return {"n": n, "tool": "look", "arguments": {}, "result": {"number": n}, **times}


def read(
    apps: Apps, *, after: int = 0, limit: int = 10_000, results: bool = True, orders: Orders | None = None
) -> list[Call]:
    asked = trace(
        cast("AppClient", apps),
        ["lark", "slack"],
        "e",
        ZoneInfo("UTC"),
        orders or Orders(),
        after=after,
        limit=limit,
        results=results,
    )
    return asyncio.run(asked)


def test_a_short_trace_is_read_in_one_go() -> None:
    apps = Apps(3)

    found = read(apps)

    assert [(call["n"], call["app"], call["result"]["number"]) for call in found] == [
        (1, "lark", 1),
        (2, "slack", 1),
        (3, "lark", 2),
        (4, "slack", 2),
        (5, "lark", 3),
        (6, "slack", 3),
    ]
    assert len(apps.asked) == 2


@pytest.mark.parametrize("limit", [1, 5, 7, 10_000])
def test_a_page_of_a_long_trace_is_the_beginning_of_the_whole(limit: int) -> None:
    found = read(Apps(150), limit=limit)

    assert [(call["n"], call["app"], call["result"]["number"]) for call in found] == [
        (n, ("lark", "slack")[(n - 1) % 2], (n + 1) // 2) for n in range(1, min(limit, 300) + 1)
    ]


def test_results_are_not_read_where_nobody_asked_for_them() -> None:
    apps = Apps(2)

    assert all("result" not in call for call in read(apps, results=False))
    assert {query["results"] for query in apps.asked} == {0}


def test_a_page_further_on_reads_the_results_of_its_own_calls_and_no_others() -> None:
    apps = Apps(300)

    found = read(apps, after=401, limit=4)

    assert [(call["n"], call["app"], call["result"]["number"]) for call in found] == [
        (402, "slack", 201),
        (403, "lark", 202),
        (404, "slack", 202),
        (405, "lark", 203),
    ]
    with_results = sorted((query["after"], query["limit"]) for query in apps.asked if query["results"] == 1)
    assert with_results == [(200, 2), (201, 2)]


def test_a_page_of_one_app_reads_nothing_of_the_other() -> None:
    apps = Apps(300)

    (call,) = read(apps, after=10, limit=1)

    assert (call["app"], call["n"], call["result"]) == ("lark", 11, {"number": 6})
    assert [query for query in apps.asked if query["results"] == 1] == [{"after": 5, "limit": 1, "results": 1}]


def test_a_log_longer_than_one_answer_is_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.merge_trace.PAGE", 100)
    apps = Apps(250)

    found = read(apps, after=1)

    assert [call["n"] for call in found] == list(range(2, 501))
    assert [query["after"] for query in apps.asked if query["results"] == "times"] == [0, 100, 200] * 2
    assert all(query["limit"] <= 100 for query in apps.asked)


def test_a_log_that_is_exactly_as_long_as_one_answer_is_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.merge_trace.PAGE", 100)

    assert len(read(Apps(100), after=1)) == 199


def test_a_page_of_long_calls_has_few_and_the_next_ones_follow_it(monkeypatch: pytest.MonkeyPatch) -> None:
    apps = Apps(5, size_bytes=PAGE_BYTES_MAX // 2)

    first = read(apps)

    assert [(call["n"], call["app"]) for call in first] == [(1, "lark"), (2, "slack")]
    assert sum(query["limit"] for query in apps.asked if query["results"] == 1 and query["limit"] < 10) == 2
    assert [call["n"] for call in read(apps, after=2)] == [3, 4]
    assert [call["n"] for call in read(apps, after=9)] == [10]
    assert read(apps, after=10) == []


def test_the_order_of_a_long_trace_is_found_out_once_and_anew_after_a_reset() -> None:
    orders, apps, others = Orders(), Apps(150), Apps(149, first_at=1000)

    def asked_after(of: Apps, after: int) -> list[int]:
        of.asked.clear()
        assert [call["n"] for call in read(of, after=after, limit=1, orders=orders)] == [after + 1]
        return [query["after"] for query in of.asked if query["results"] == "times"]

    assert asked_after(apps, 10) == [0, 0]
    assert asked_after(apps, 20) == [149, 149]
    assert asked_after(others, 20) == [149, 0, 149, 0]
    assert asked_after(others, 30) == [148, 148]


def test_a_call_longer_than_a_page_is_one_of_its_own() -> None:
    apps = Apps(2, size_bytes=2 * PAGE_BYTES_MAX)

    assert [[call["n"] for call in read(apps, after=n)] for n in range(5)] == [[1], [2], [3], [4], []]


def test_a_call_that_went_between_the_two_readings_is_left_out() -> None:
    apps = Apps(150)
    ask = apps.ask

    async def ask_again(*place: str, **query: Any) -> dict[str, Any]:
        answer = await ask(*place, **query)
        return answer if query["results"] == "times" or query["after"] == 0 else {"calls": []}

    apps.ask = ask_again  # type: ignore[method-assign]

    assert read(apps, after=250, limit=2) == []


@pytest.mark.parametrize(("count", "readings"), [(100, 2), (101, 6)])
def test_a_trace_of_two_hundred_calls_is_read_in_one_go_and_a_longer_one_is_not(count: int, readings: int) -> None:
    apps = Apps(count)

    assert len(read(apps)) == 2 * count
    assert len(apps.asked) == readings
