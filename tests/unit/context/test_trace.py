"""The trace: in which order calls come, and the shape each of them has."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from farm.benchmark.runner.in_process_farm import LocalFarm
from farm.context.trace import Call, in_order, to_call

MS, S = 1_000_000, 1_000_000_000


def entry(n: int, started_ns: int, boot_ms: int = 0) -> dict[str, Any]:
    return {"n": n, "started_ns": started_ns, "ended_ns": started_ns + MS, "at_ms": boot_ms + started_ns // MS + 1}


def order(**entries: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(app, each["n"]) for app, each in in_order(entries)]


def test_calls_of_several_apps_are_ordered_by_their_start_then_by_app() -> None:
    assert order(b=[entry(1, 5 * S), entry(2, 9 * S)], a=[entry(1, 5 * S), entry(2, 7 * S)]) == [
        ("a", 1),
        ("b", 1),
        ("a", 2),
        ("b", 2),
    ]


def test_calls_after_a_reboot_come_after_those_before_though_the_monotonic_clock_began_anew() -> None:
    hour_ms = 3_600_000

    assert order(
        a=[entry(1, 900 * S), entry(2, 5 * S, hour_ms)],
        b=[entry(1, 901 * S), entry(2, 4 * S, hour_ms)],
    ) == [("a", 1), ("b", 1), ("b", 2), ("a", 2)]


def test_the_order_within_an_app_is_never_changed() -> None:
    assert order(a=[entry(1, 9 * S), entry(2, 3 * S)], b=[entry(1, 5 * S)]) == [("b", 1), ("a", 1), ("a", 2)]
    assert order() == []


def test_an_entry_of_the_trace_shows_all_that_the_log_has() -> None:
    logged = {
        "n": 3,
        "tool": "slack_post_message",
        "arguments": {"text": "hi"},
        "result": {"content": []},
        "started_ns": 5 * S,
        "ended_ns": 5 * S + 2 * MS,
        "at_ms": 1_772_000_000_002,
        "now_ms": 1_772_000_000_123,
        "refused": True,
        "timed_out": True,
        "wrote": True,
    }
    plain = {name: value for name, value in logged.items() if name not in ("refused", "timed_out", "wrote", "result")}

    view = to_call(7, "slack", logged, ZoneInfo("Asia/Shanghai"))

    assert view == {
        "n": 7,
        "app": "slack",
        "call": 3,
        "tool": "slack_post_message",
        "arguments": {"text": "hi"},
        "refused": True,
        "timed_out": True,
        "wrote": True,
        "started_at": "2026-02-25T06:13:20.000000+00:00",
        "ended_at": "2026-02-25T06:13:20.002000+00:00",
        "now": "2026-02-25T14:13:20.123+08:00",
        "result": {"content": []},
    }
    bare = to_call(7, "slack", plain, ZoneInfo("Asia/Shanghai"))
    assert bare == {key: False if value is True else value for key, value in view.items() if key != "result"}


def test_calls_in_this_process_have_the_shape_of_a_call(tmp_path: Path) -> None:
    farm = LocalFarm(tmp_path)
    session = farm.create("harbor", ["slack"])
    session.call("slack", "slack_list_channels", {"limit": 1})
    session.call("slack", "slack_list_channels", {"limit": "many"})
    calls = session.calls()
    farm.close()

    for call in calls:
        assert call.keys() == Call.__annotations__.keys() - {
            "by",
            "fault",
            "people",
        }  # the agent's own person, no planned fault, and nobody answers
    assert [(call["n"], call["call"], call["refused"], call["wrote"]) for call in calls] == [
        (1, 1, False, False),
        (2, 2, True, False),
    ]
    assert calls[0]["now"].startswith("2026-03-09T09:00:00.000+08:00")
    assert all(call["started_at"] <= call["ended_at"] for call in calls)
