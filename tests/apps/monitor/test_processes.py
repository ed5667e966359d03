"""Processes: one, or a list by what they take."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp

REPLAY = 18264


def _listed(app: LocalApp, **arguments: object) -> list[int]:
    return [each["pid"] for each in app.call("get_process_info", **arguments)["processes"]]


@pytest.mark.fact("pid")
@pytest.mark.parametrize(
    ("pid", "said"),
    [
        (None, "PID must be a number"),
        ("1", "PID must be a number"),
        (False, "PID must be a number"),
        (0, "Failed to get process information: invalid pid 0"),
        (-0.5, "Failed to get process information: invalid pid 0"),
        (-7, "Failed to get process information: invalid pid -7"),
        (3_000_000_000, "Failed to get process information: invalid pid -2147483648"),
        (1e300, "Failed to get process information: invalid pid -2147483648"),
        (99, "Failed to get process information: process does not exist"),
    ],
)
def test_a_pid_that_is_no_process_is_refused(monitor: LocalApp, pid: object, said: str) -> None:
    with pytest.raises(VendorError) as refused:
        monitor.call("get_process_info", pid=pid)

    assert refused.value.message == said


@pytest.mark.fact("process")
def test_the_runaway_process_is_told_in_detail(monitor: LocalApp) -> None:
    said = monitor.call("get_process_info", pid=REPLAY + 0.9)

    assert (said["pid"], said["name"], said["username"], said["status"]) == (REPLAY, "python3", "arjun", ["running"])
    assert "replay_dead_letters.py" in said["cmdline"]
    # Saturday at 06:20.
    assert said["create_time"] == 1772835600000
    assert said["cpu_percent"] == pytest.approx(97.6)
    assert said["memory"]["rss"] < said["memory"]["vms"]
    assert [*said["io_counters"]][:2] == ["readCount", "writeCount"]


@pytest.mark.fact("process")
def test_a_process_is_not_there_before_it_begins(start: Callable[..., LocalApp]) -> None:
    early = start("monitor", now="2026-03-07T06:19:00+08:00")
    late = start("monitor", now="2026-03-07T06:21:00+08:00")

    assert REPLAY not in _listed(early, limit=1000)
    assert REPLAY in _listed(late, limit=1000)
    assert "process does not exist" in str(early.result("get_process_info", pid=REPLAY))


@pytest.mark.fact("list")
@pytest.mark.parametrize(
    ("limit", "shown"),
    [(None, 10), (0, 10), (-3, 10), ("3", 10), (True, 10), (float("nan"), 10), (3, 3), (1.9, 1), (0.5, 0), (500, 26)],
)
def test_a_limit_is_cut_or_becomes_ten(monitor: LocalApp, limit: object, shown: int) -> None:
    said = monitor.call("get_process_info", limit=limit)

    assert (len(said["processes"]), said["returned_count"], said["total_count"]) == (shown, shown, 26)


@pytest.mark.fact("sort")
def test_lists_are_sorted_as_told(monitor: LocalApp) -> None:
    by = {key: monitor.call("get_process_info", sort_by=key, limit=100) for key in ("cpu", "memory", "pid", "name")}

    def values(key: str, column: str) -> list[object]:
        return [each[column] for each in by[key]["processes"]]

    assert values("cpu", "cpu_percent") == sorted(values("cpu", "cpu_percent"), reverse=True)  # type: ignore[type-var]
    assert values("memory", "mem_percent") == sorted(values("memory", "mem_percent"), reverse=True)  # type: ignore[type-var]
    assert values("pid", "pid") == sorted(values("pid", "pid"))  # type: ignore[type-var]
    assert values("name", "name") == sorted(values("name", "name"))  # type: ignore[type-var]
    assert _listed(monitor)[0] == REPLAY


@pytest.mark.fact("sort")
@pytest.mark.parametrize(("sort_by", "told"), [("threads", "threads"), ("CPU", "CPU"), (None, ""), (3, "")])
def test_another_word_sorts_by_cpu_and_is_told_back(monitor: LocalApp, sort_by: object, told: str) -> None:
    said = monitor.call("get_process_info", sort_by=sort_by)

    assert said["sort_by"] == told
    assert said["processes"] == monitor.call("get_process_info", sort_by="cpu")["processes"]


@pytest.mark.fact("panic")
@pytest.mark.parametrize("limit", [2.0**63, 1e30])
def test_a_limit_beyond_64_bits_ends_in_the_panic_s_words(monitor: LocalApp, limit: float) -> None:
    said = monitor.result("get_process_info", limit=limit)

    assert said["error"]["code"] == -32603
    assert said["error"]["message"] == "panic: runtime error: slice bounds out of range [:-9223372036854775808]"
