"""Processors, memory, disks and the machine: what is told, and that it fits together."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp

Start = Callable[..., LocalApp]
NOTHING_THERE = "Failed to get disk usage information: no such file or directory"


@pytest.mark.fact("envelope")
def test_a_body_is_indented_and_sorted_at_the_top(monitor: LocalApp) -> None:
    said = monitor.result("get_memory_info")

    assert said.keys() == {"content"}
    assert said["content"][0]["text"].startswith('{\n  "swap": {\n    "free": 0,\n    "total": 0,')
    assert [*monitor.call("get_host_info")] == sorted(monitor.call("get_host_info"))


@pytest.mark.fact("unknown")
def test_a_name_that_is_no_tool_s_is_a_protocol_error(monitor: LocalApp) -> None:
    assert monitor.result("get_load") == {"error": {"code": -32602, "message": "Tool not found: get_load"}}
    assert monitor.call("get_memory_info", unit="MB") == monitor.call("get_memory_info")


@pytest.mark.fact("cpu")
@pytest.mark.parametrize(("per_cpu", "numbers"), [(True, 4), (False, 1), ("true", 1), (1, 1)])
def test_usage_is_told_core_by_core_only_for_true(monitor: LocalApp, per_cpu: object, numbers: int) -> None:
    said = monitor.call("get_cpu_info", per_cpu=per_cpu)

    assert (said["core_count"], len(said["info"]), len(said["usage_percent"])) == (4, 4, numbers)
    assert [each["coreId"] for each in said["info"]] == ["0", "1", "2", "3"]


@pytest.mark.fact("cpu")
def test_usage_is_the_mean_of_the_cores_and_what_the_processes_take(monitor: LocalApp) -> None:
    (whole,) = monitor.call("get_cpu_info")["usage_percent"]
    cores = monitor.call("get_cpu_info", per_cpu=True)["usage_percent"]
    taken = sum(each["cpu_percent"] for each in monitor.call("get_process_info", limit=1000)["processes"])

    assert sum(cores) / 4 == pytest.approx(whole)
    assert taken / 4 <= whole <= taken / 4 + 2.5


@pytest.mark.fact("memory")
def test_memory_adds_up(monitor: LocalApp) -> None:
    memory = monitor.call("get_memory_info")["virtual"]
    held = sum(each["memory_bytes"]["rss"] for each in monitor.call("get_process_info", limit=1000)["processes"])

    assert memory["used_percent"] == pytest.approx(memory["used"] / memory["total"] * 100)
    assert 0 < memory["free"] <= memory["available"] <= memory["total"]
    assert held < memory["used"]


@pytest.mark.fact("disk-default")
@pytest.mark.parametrize("arguments", [{}, {"path": ""}, {"path": 5}, {"path": None}, {"path": ["/"]}])
def test_no_path_is_not_the_root(monitor: LocalApp, arguments: dict[str, object]) -> None:
    with pytest.raises(VendorError) as refused:
        monitor.call("get_disk_info", **arguments)

    assert refused.value.message == NOTHING_THERE


@pytest.mark.fact("disk-path")
@pytest.mark.parametrize(
    ("path", "mount"),
    [
        ("/", "/"),
        ("/home/", "/"),
        ("home", "/"),
        ("/var/log", "/var/log"),
        ("/var/log/syslog", "/var/log"),
        ("/var/./log/../log//nginx", "/var/log"),
        ("/var/log/..", "/"),
    ],
)
def test_a_path_gets_the_usage_of_its_mount(monitor: LocalApp, path: str, mount: str) -> None:
    said = monitor.call("get_disk_info", path=path)

    assert (said["path"], said["usage"]["path"]) == (path, path)
    assert {**said["usage"], "path": mount} == monitor.call("get_disk_info", path=mount)["usage"]


@pytest.mark.fact("disk-path")
@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("/nowhere", "no such file or directory"),
        ("/etc/hostname/", "not a directory"),
        ("/etc/hostname/deeper", "not a directory"),
        ("/nowhere/deeper", "no such file or directory"),
        ("/nowhere/../etc", "no such file or directory"),
        ("/etc/hostname/..", "not a directory"),
        ("/" + "a" * 256, "file name too long"),
        ("/a\0b", "invalid argument"),
        ("/\ud800", "no such file or directory"),
    ],
)
def test_what_is_not_there_is_refused_in_the_system_s_words(monitor: LocalApp, path: str, problem: str) -> None:
    with pytest.raises(VendorError) as refused:
        monitor.call("get_disk_info", path=path)

    assert refused.value.message == f"Failed to get disk usage information: {problem}"


@pytest.mark.fact("disk-percent")
def test_a_disk_s_share_leaves_out_what_is_reserved(monitor: LocalApp) -> None:
    usage = monitor.call("get_disk_info", path="/var/log")["usage"]

    assert usage["used"] + usage["free"] < usage["total"]
    assert usage["usedPercent"] == pytest.approx(100 * usage["used"] / (usage["used"] + usage["free"]))
    assert usage["inodesUsed"] + usage["inodesFree"] == usage["inodesTotal"]


@pytest.mark.fact("disk-percent")
def test_a_log_disk_fills_as_the_alerts_of_the_story_say(start: Start) -> None:
    # The world's alerts: 90 % on Saturday at 05:02, over at 06:13; on the other machine Tuesday, 05:07 to 05:52.
    def used(at: str, me: str | None = None) -> float:
        app = start("monitor", now=f"2026-03-{at}:00+08:00", me=me)
        return float(app.call("get_disk_info", path="/var/log")["usage"]["usedPercent"])

    assert used("07T05:01") < 90.1 < used("07T06:11") < 91
    assert used("07T06:14") < 39
    assert 83 < used("09T09:00") < 84
    assert 89.9 < used("10T05:07", "jason.ng") < 90.1
    assert used("10T05:53", "jason.ng") < 53


@pytest.mark.fact("disk-partitions")
def test_every_mount_is_listed_only_when_asked_for(monitor: LocalApp) -> None:
    alone, whole = (monitor.call("get_disk_info", path="/", all_partitions=every) for every in (False, True))

    assert "partitions" not in alone
    points = [each["mountpoint"] for each in whole["partitions"]]
    assert {"/", "/proc", "/var/log"} <= {*points}
    for point in points:
        assert monitor.call("get_disk_info", path=point)["usage"]["path"] == point
    assert {key: value for key, value in whole.items() if key != "partitions"} == alone


@pytest.mark.fact("host")
def test_uptime_is_the_clock_less_the_boot(start: Start, monitor: LocalApp) -> None:
    said = monitor.call("get_host_info")

    assert said["boot_time"] + said["uptime"] == 1773018000
    assert said["boot_time_formatted"] == "2026-03-04T04:10:00+08:00"
    assert said["uptime_formatted"] == "5 days 4 hours 50 minutes 0 seconds"
    assert said["info"]["procs"] == monitor.call("get_process_info")["total_count"]
    # Just before and at the next boot.
    assert start("monitor", now="2026-03-11T04:09:59+08:00").call("get_host_info")["uptime"] == 7 * 86_400 - 1
    assert start("monitor", now="2026-03-11T04:10:00+08:00").call("get_host_info")["uptime"] == 0


@pytest.mark.fact("users")
def test_users_have_one_of_two_shapes(start: Start, monitor: LocalApp) -> None:
    path = "/org/freedesktop/login1/user/_1004"
    assert monitor.call("get_host_info")["users"] == [{"UID": 1004, "Name": "arjun", "Path": path}]

    rig = start("monitor", now="2026-03-09T09:00:00+08:00", me="he.miao").call("get_host_info")

    assert rig["info"]["hostname"] == "rig-sz-1"
    assert [[*each] for each in rig["users"]] == [["user", "terminal", "host", "started"]] * 2


@pytest.mark.fact("network")
def test_one_interface_is_told_in_the_singular(monitor: LocalApp) -> None:
    whole = monitor.call("get_network_info", interface="")
    one = monitor.call("get_network_info", interface="eth1")

    assert whole == monitor.call("get_network_info", interface=7) == monitor.call("get_network_info")
    assert [each["name"] for each in whole["interfaces"]] == ["lo", "eth0", "eth1"]
    assert (one["interface"], one["io_counter"]) == (whole["interfaces"][2], whole["io_counters"][2])
    assert one.keys() == {"connection_count", "interface", "io_counter"}
    with pytest.raises(VendorError) as refused:
        monitor.call("get_network_info", interface="wlan0")
    assert refused.value.message == "Network interface not found: wlan0"


@pytest.mark.fact("network")
def test_counters_grow_with_the_clock_and_drops_begin_on_sunday_night(start: Start) -> None:
    def counter(at: str) -> dict[str, int]:
        app = start("monitor", now=f"2026-03-{at}:00+08:00")
        return dict(app.call("get_network_info", interface="eth1")["io_counter"])

    before, later, now = counter("08T23:00"), counter("09T08:00"), counter("09T09:00")

    assert (before["dropin"], now["dropin"] - later["dropin"]) == (0, 1260)
    assert now["bytesRecv"] - later["bytesRecv"] == 3600 * 1_840_000
