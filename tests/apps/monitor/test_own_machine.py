"""Whole answers on a machine of our own, half past one hour after its boot; what they are made of is in its rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from farm import content
from farm.appkit import VendorError
from farm.appkit.schema import Schema
from farm.context.shared_start import SharedStart
from farm.context.template import build
from farm.testing import LocalApp

# On Monday at 00:00 UTC it boots; now it is 01:30.
NOW = "2026-03-09T09:30:00+08:00"
BOOT = 1773014400
Box = Callable[..., LocalApp]


def of(table: str, **row: Any) -> dict[str, Any]:
    return {"table": table, "hostname": "box", **row}


def host(**more: Any) -> dict[str, Any]:
    row = {"position": 1, "host_id": "id-1", "platform": "debian", "platform_family": "deb", "platform_version": "12.9"}
    row |= {"kernel_version": "6.1", "kernel_arch": "x86_64", "virtualization_system": "kvm", "boots_s": 0}
    row |= {"virtualization_role": "guest", "has_logind": 0, "memory_bytes": 1_048_576, "kernel_bytes": 100_000}
    row |= {"cached_bytes": 200_000, "swap_bytes": 1000, "swap_used_bytes": 250, "connections": 9}
    return of("hosts", **{**row, **more})


def processor(cores: int) -> dict[str, Any]:
    row = {"vendor": "Acme", "family": "6", "model": "106", "stepping": 4, "model_name": "Acme 1", "mhz": 2900.0}
    return of("processors", cores=cores, cache_kb=512, microcode="0xd", flags='["fpu", "vme"]', **row)


def process(pid: int, name: str, cpu_percent: float = 0, **more: Any) -> dict[str, Any]:
    row = {"cmdline": f"/bin/{name}", "username": "root", "status": "sleep", "threads": 1, "started_s": 0}
    row |= {"resident_bytes": 0, "grows_bytes_h": 0, "virtual_bytes": 0, "reads_h": 0, "writes_h": 0}
    return of(
        "processes", pid=pid, name=name, cpu_percent=cpu_percent, **{**row, "read_bytes": 0, "write_bytes": 0, **more}
    )


def mount(mountpoint: str, position: int, **more: Any) -> dict[str, Any]:
    row = {"device": "/dev/a", "fstype": "ext4", "family": "ext2/ext3", "options": '["rw"]', "size_bytes": 0}
    row |= {"reserved_bytes": 0, "inodes": 0, "inodes_used": 0}
    return of("mounts", mountpoint=mountpoint, position=position, **{**row, **more})


def interface(name: str, position: int, **more: Any) -> dict[str, Any]:
    row = {"mtu": 1500, "hardware_address": "02:00", "flags": '["up"]', "addresses": '["10.0.0.1/24", "::2/64"]'}
    row |= {"received_bytes_s": 21, "sent_bytes_s": 10, "packet_bytes": 100, "errors_h": 7, "drops_h": 8}
    return of("interfaces", name=name, position=position, **{**row, "drops_from_s": 3600, **more})


WORK = {
    "started_s": 3600, "resident_bytes": 40_960, "grows_bytes_h": 20_000, "virtual_bytes": 90_000, "threads": 3,
    "reads_h": 100, "writes_h": 50, "read_bytes": 10_000, "write_bytes": 1000, "username": "me", "status": "running",
}  # fmt: skip
PROCESSES = [
    process(1, "init", 10, resident_bytes=8192, virtual_bytes=16_384),
    process(7, "work", 1.5, **WORK),
    process(8, "ended", 50, ended_s=5400),
    process(9, "ending", 0.5, ended_s=5401),
    process(10, "new", 5, started_s=5400),
    process(11, "later", 5, started_s=5401),
]


@pytest.fixture
def box(start: Callable[..., LocalApp], monkeypatch: pytest.MonkeyPatch) -> Box:
    """Start the server on a cluster of these rows."""

    def make(rows: Iterable[Mapping[str, Any]], now: str = NOW, me: str | None = None) -> LocalApp:
        schema = Schema(content.reference_metadata("cluster"))
        only = SharedStart(build(schema, rows), schema.searched)
        monkeypatch.setattr("farm.context.context.load_reference", lambda name: only)
        return start("monitor", now=now, me=me)

    return make


@pytest.mark.fact("host")
def test_a_host_tells_its_system_and_who_is_at_its_terminals(box: Box) -> None:
    logins = [
        of("logins", terminal="tty2", name="rig", uid=1000, origin="", started_s=41),
        of("logins", terminal="pts/1", name="miao", uid=1011, origin="10.0.0.2", started_s=5400),
        of("logins", terminal="pts/2", name="late", uid=1012, origin="10.0.0.3", started_s=5401),
    ]

    assert box([host(), *PROCESSES, *logins]).call("get_host_info") == {
        "boot_time": BOOT,
        "boot_time_formatted": "2026-03-09T08:00:00+08:00",
        "info": {
            "hostname": "box",
            "uptime": 5400,
            "bootTime": BOOT,
            "procs": 4,
            "os": "linux",
            "platform": "debian",
            "platformFamily": "deb",
            "platformVersion": "12.9",
            "kernelVersion": "6.1",
            "kernelArch": "x86_64",
            "virtualizationSystem": "kvm",
            "virtualizationRole": "guest",
            "hostId": "id-1",
        },
        "uptime": 5400,
        "uptime_formatted": "0 days 1 hours 30 minutes 0 seconds",
        "users": [
            {"user": "rig", "terminal": "tty2", "host": "", "started": BOOT + 41},
            {"user": "miao", "terminal": "pts/1", "host": "10.0.0.2", "started": BOOT + 5400},
        ],
    }


@pytest.mark.fact("host")
@pytest.mark.parametrize(
    ("now", "told"),
    [
        ("2026-03-09T08:00:00+08:00", "0 days 0 hours 0 minutes 0 seconds"),
        ("2026-03-10T09:01:59+08:00", "1 days 1 hours 1 minutes 59 seconds"),
        ("2026-03-15T23:59:59+08:00", "6 days 15 hours 59 minutes 59 seconds"),
        ("2026-03-16T07:59:59.999+08:00", "6 days 23 hours 59 minutes 59 seconds"),
        ("2026-03-16T08:00:00+08:00", "0 days 0 hours 0 minutes 0 seconds"),
    ],
)
def test_uptime_is_told_in_days_hours_minutes_and_seconds(box: Box, now: str, told: str) -> None:
    assert box([host()], now=now).call("get_host_info")["uptime_formatted"] == told


@pytest.mark.fact("users")
def test_logind_counts_people_and_not_their_terminals(box: Box) -> None:
    logins = [
        of("logins", terminal="pts/9", name="miao", uid=1011, origin="", started_s=10),
        of("logins", terminal="pts/1", name="rig", uid=1000, origin="", started_s=20),
        of("logins", terminal="pts/2", name="miao", uid=1011, origin="", started_s=30),
    ]

    assert box([host(has_logind=1), *logins]).call("get_host_info")["users"] == [
        {"UID": 1011, "Name": "miao", "Path": "/org/freedesktop/login1/user/_1011"},
        {"UID": 1000, "Name": "rig", "Path": "/org/freedesktop/login1/user/_1000"},
    ]


@pytest.mark.fact("host")
def test_the_machine_is_the_caller_s_or_else_the_first(box: Box) -> None:
    second = {**host(position=0, watched_by="me"), "hostname": "second"}
    third = {**host(position=2, watched_by="you"), "hostname": "third"}

    def name(me: str | None) -> str:
        return str(box([host(), third, second], me=me).call("get_host_info")["info"]["hostname"])

    assert [name(me) for me in (None, "nobody", "you")] == ["second", "second", "third"]


@pytest.mark.fact("memory")
def test_memory_is_what_processes_and_the_kernel_hold(box: Box) -> None:
    used = 100_000 + 8192 + 49_152

    assert box([host(), *PROCESSES]).call("get_memory_info") == {
        "swap": {"free": 750, "total": 1000, "used": 250, "used_percent": 25},
        "virtual": {
            # Nine tenths of the cache, in whole KiB.
            "available": 1_048_576 - 200_000 - used + 175 * 1024,
            "free": 1_048_576 - 200_000 - used,
            "total": 1_048_576,
            "used": used,
            "used_percent": used / 1_048_576 * 100,
        },
    }
    # Bytes are whole, and printed so.
    assert "." not in box([host()]).text("get_memory_info").partition("used_percent")[0]
    assert ".0" not in box([host()]).text("get_memory_info")
    none = box([host(swap_bytes=0, swap_used_bytes=0)]).call("get_memory_info")["swap"]
    assert none == {"free": 0, "total": 0, "used": 0, "used_percent": 0}


@pytest.mark.fact("process")
def test_a_process_is_told_whole(box: Box) -> None:
    app = box([host(), *PROCESSES])

    assert app.call("get_process_info", pid=7) == {
        "cmdline": "/bin/work",
        "cpu_percent": 1.5,
        "create_time": (BOOT + 3600) * 1000,
        # Half an hour of them; an eighth of what was read came from a disk, in whole pages.
        "io_counters": {
            "readCount": 50,
            "writeCount": 25,
            "readBytes": 500_000,
            "writeBytes": 25_000,
            "diskReadBytes": 15 * 4096,
            "diskWriteBytes": 6 * 4096,
        },
        "memory": {"rss": 49_152, "swap": 0, "vms": 90_000},
        "name": "work",
        "num_threads": 3,
        "pid": 7,
        "status": ["running"],
        "username": "me",
    }
    assert app.text("get_process_info", pid=1).count('"cpu_percent": 10,') == 1
    for gone in (8, 11, 1e9):
        with pytest.raises(VendorError) as refused:
            app.call("get_process_info", pid=gone)
        assert refused.value.message == "Failed to get process information: process does not exist"
    assert app.call("get_process_info", pid=10)["cpu_percent"] == 0


def summary(pid: int, name: str, cpu: float, memory: float, rss: int = 0, vms: int = 0) -> dict[str, Any]:
    unknown = {"hwm": 0, "data": 0, "stack": 0, "locked": 0, "swap": 0}
    return {
        "cpu_percent": cpu,
        "mem_percent": memory,
        "memory_bytes": {"rss": rss, "vms": vms, **unknown},
        "name": name,
        "pid": pid,
    }


@pytest.mark.fact("list")
def test_a_list_tells_of_each_process_what_it_takes(box: Box) -> None:
    first = summary(1, "init", 10, 0.78125, 8192, 16_384)
    work, ending, new = (
        summary(7, "work", 1.5, 4.6875, 49_152, 90_000), summary(9, "ending", 0.5, 0), summary(10, "new", 0, 0)
    )  # fmt: skip
    app = box([host(), *PROCESSES])

    by_cpu = {"processes": [first, work, ending, new], "returned_count": 4, "sort_by": "", "total_count": 4}
    assert app.call("get_process_info") == by_cpu
    by_memory = {**by_cpu, "processes": [work, first, ending, new], "sort_by": "memory"}
    assert app.call("get_process_info", sort_by="memory") == by_memory
    by_name = {**by_cpu, "processes": [ending, first, new, work], "sort_by": "name"}
    assert app.call("get_process_info", sort_by="name") == by_name
    by_pid = {**by_cpu, "processes": [first], "returned_count": 1, "sort_by": "pid"}
    assert app.call("get_process_info", sort_by="pid", limit=1.99) == by_pid
    assert app.call("get_process_info", sort_by="cpu", limit=2**62)["returned_count"] == 4


@pytest.mark.fact("process")
def test_a_share_of_a_core_is_of_the_milliseconds_since_the_start_in_whole_ticks(box: Box) -> None:
    app = box(
        [host(), process(1, "init", 10.009), process(2, "new", 3, started_s=5400)], now="2026-03-09T09:30:00.500+08:00"
    )

    # 54,048 ticks of a hundredth of a second.
    assert app.call("get_process_info", pid=1)["cpu_percent"] == pytest.approx(100 * 540.48 / 5400.5, rel=1e-12)
    assert app.call("get_process_info", pid=2)["cpu_percent"] == 0


@pytest.mark.fact("cpu")
def test_processors_are_told_core_by_core(box: Box) -> None:
    app = box([host(), processor(2), process(1, "much", 250)])
    chip = {
        "vendorId": "Acme", "family": "6", "model": "106", "stepping": 4, "physicalId": "0", "cores": 1,
        "modelName": "Acme 1", "mhz": 2900, "cacheSize": 512, "flags": ["fpu", "vme"], "microcode": "0xd",
    }  # fmt: skip

    said = app.call("get_cpu_info", per_cpu=True)

    idle = said["usage_percent"][1]
    assert said == {
        "core_count": 2,
        "info": [{**chip, "cpu": number, "coreId": str(number)} for number in (0, 1)],
        # No core is busier than wholly; what the system takes is under two and a half per cent.
        "usage_percent": [100, idle],
    }
    assert 0 <= idle < 2.5
    assert '"mhz": 2900,' in app.text("get_cpu_info")
    assert app.call("get_cpu_info")["usage_percent"] == [pytest.approx((100 + idle) / 2)]


@pytest.mark.fact("cpu")
def test_each_process_goes_to_the_core_that_has_least_to_do(box: Box) -> None:
    rows = [host(), processor(3), *(process(pid, "p", cpu) for pid, cpu in ((1, 20), (2, 30), (3, 25), (4, 1), (5, 1)))]

    cores = box(rows).call("get_cpu_info", per_cpu=True)["usage_percent"]

    assert [whole <= core < whole + 2.5 for whole, core in zip((30, 25, 22), cores, strict=True)] == [True] * 3
    # It is measured anew each minute.
    within, later = (
        box(rows, now=f"2026-03-09T09:{at}+08:00").call("get_cpu_info", per_cpu=True)["usage_percent"]
        for at in ("30:59", "31:00")
    )
    assert within == cores != later


ROOT = mount("/", 2, size_bytes=10_000_000, reserved_bytes=180_800, inodes=1000, inodes_used=250)
LEVELS = [
    of("levels", mountpoint="/", at_s=0, used_bytes=409_600),
    of("levels", mountpoint="/", at_s=10_800, used_bytes=1_233_896),
]
DISK = of("disks", name="vda", serial="s-1", label="root", reads_h=81, writes_h=41, read_bytes=512, write_bytes=1024)
PATHS = [{"table": "paths", "path": "/var", "is_folder": 1}, {"table": "paths", "path": "/var/a", "is_folder": 1}]


@pytest.mark.fact("disk-partitions")
def test_a_disk_is_told_whole(box: Box) -> None:
    proc = mount("/proc", 1, device="proc", fstype="proc", family="proc", options='["rw", "nosuid"]')
    app = box([host(), ROOT, proc, *LEVELS, DISK, *PATHS])
    counters = {
        # 121 and 61 operations in an hour and a half; a read takes one millisecond, a write two.
        "vda": {
            "readCount": 121, "mergedReadCount": 15, "writeCount": 61, "mergedWriteCount": 7, "readBytes": 121 * 512,
            "writeBytes": 61 * 1024, "readTime": 121, "writeTime": 122, "iopsInProgress": 0, "ioTime": 243,
            "weightedIO": 243, "name": "vda", "serialNumber": "s-1", "label": "root",
        }
    }  # fmt: skip
    # Half way between the two levels, in whole blocks.
    usage = {
        "path": "/var", "fstype": "ext2/ext3", "total": 10_000_000, "free": 9_000_000, "used": 200 * 4096,
        "usedPercent": 819_200 / 9_819_200 * 100.0, "inodesTotal": 1000, "inodesUsed": 250, "inodesFree": 750,
        "inodesUsedPercent": 25,
    }  # fmt: skip

    assert app.call("get_disk_info", path="/var") == {"io_counters": counters, "path": "/var", "usage": usage}
    for yes in (1, "true", None):
        assert "partitions" not in app.call("get_disk_info", path="/var", all_partitions=yes)
    whole = app.call("get_disk_info", path="/proc", all_partitions=True)
    assert whole["partitions"] == [
        {"device": "proc", "mountpoint": "/proc", "fstype": "proc", "opts": ["rw", "nosuid"]},
        {"device": "/dev/a", "mountpoint": "/", "fstype": "ext4", "opts": ["rw"]},
    ]
    assert whole["usage"] == {
        "path": "/proc", "fstype": "proc", "total": 0, "free": 0, "used": 0, "usedPercent": 0, "inodesTotal": 0,
        "inodesUsed": 0, "inodesFree": 0, "inodesUsedPercent": 0,
    }  # fmt: skip


@pytest.mark.fact("disk-percent")
@pytest.mark.parametrize(
    ("points", "blocks"),
    [
        ([(0, 5), (5400, 9)], 9),
        ([(5400, 5), (5401, 9)], 5),
        ([(0, 5), (100, 9), (200, 7)], 7),
        ([(0, 9), (10_800, 5)], 7),
        ([(0, 3), (5000, 4), (5800, 8), (9000, 20)], 6),
        ([], 0),
    ],
)
def test_a_level_is_on_the_line_between_two_points(box: Box, points: list[tuple[int, int]], blocks: int) -> None:
    levels = [of("levels", mountpoint="/", at_s=at, used_bytes=4096 * used) for at, used in points]

    used = box([host(), ROOT, *levels]).call("get_disk_info", path="/")["usage"]["used"]

    assert used == 4096 * blocks


@pytest.mark.fact("disk-path")
@pytest.mark.parametrize(
    ("path", "family"),
    [
        ("/", "root"),
        ("//var", "var"),
        ("/var/a", "a"),
        ("/var/a/", "a"),
        ("/var/a/.", "a"),
        ("/var/a/b", "a"),
        ("/var/a/b/..", "a"),
        ("/var/ab", "var"),
        ("var/a/..", "var"),
        ("/../var", "var"),
    ],
)
def test_a_path_is_on_the_deepest_mount_above_it(box: Box, path: str, family: str) -> None:
    mounts = [
        mount(point, n, family=name)
        for n, (point, name) in enumerate((("/", "root"), ("/var", "var"), ("/var/a", "a")))
    ]
    there = [{"table": "paths", "path": each, "is_folder": 1} for each in ("/var/a/b", "/var/ab")]

    assert box([host(), *mounts, *there]).call("get_disk_info", path=path)["usage"]["fstype"] == family


@pytest.mark.fact("disk-path")
@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("/" + "a" * 255, "no such file or directory"),
        ("/" + "é" * 128, "file name too long"),
        ("/a" * 2047, "no such file or directory"),
        ("/a" * 2048, "file name too long"),
        ("/var/f/.", "not a directory"),
        ("/var/f/x/y/z", "not a directory"),
        ("/var/a/x/y", "no such file or directory"),
        ("/var/f/../a", "not a directory"),
        ("/var/none/..", "no such file or directory"),
    ],
)
def test_what_linux_does_not_find_is_refused(box: Box, path: str, problem: str) -> None:
    file = {"table": "paths", "path": "/var/f", "is_folder": 0}
    app = box([host(), ROOT, *PATHS, file])

    assert app.call("get_disk_info", path="/var/f")["usage"]["fstype"] == "ext2/ext3"
    assert app.result("get_disk_info", path=path) == {
        "content": [{"type": "text", "text": f"Failed to get disk usage information: {problem}"}],
        "isError": True,
    }


@pytest.mark.fact("network")
def test_interfaces_and_their_counters_are_told_whole(box: Box) -> None:
    app = box([host(), interface("eth1", 2, mtu=9001, drops_from_s=6000), interface("eth0", 1)])

    def shown(name: str, index: int, mtu: int) -> dict[str, Any]:
        addresses = [{"addr": "10.0.0.1/24"}, {"addr": "::2/64"}]
        return {
            "index": index, "mtu": mtu, "name": name, "hardwareAddr": "02:00", "flags": ["up"], "addrs": addresses,
        }  # fmt: skip

    def counter(name: str, dropped: int) -> dict[str, Any]:
        return {
            "name": name, "bytesSent": 54_000, "bytesRecv": 113_400, "packetsSent": 540, "packetsRecv": 1134,
            "errin": 10, "errout": 0, "dropin": dropped, "dropout": 0, "fifoin": 0, "fifoout": 0,
        }  # fmt: skip

    assert app.call("get_network_info") == {
        "connection_count": 9,
        "interfaces": [shown("eth0", 1, 1500), shown("eth1", 2, 9001)],
        "io_counters": [counter("eth0", 4), counter("eth1", 0)],
    }
    assert app.call("get_network_info", interface="eth1") == {
        "connection_count": 9, "interface": shown("eth1", 2, 9001), "io_counter": counter("eth1", 0),
    }  # fmt: skip


@pytest.mark.fact("network")
def test_up_to_a_tenth_of_the_connections_come_and_go_by_the_minute(box: Box) -> None:
    def count(at: str) -> int:
        return int(
            box([host(connections=100)], now=f"2026-03-09T09:{at}+08:00").call("get_network_info")["connection_count"]
        )

    counts = [count(f"{minute:02}:00") for minute in range(40)]

    assert (min(counts), max(counts)) == (90, 100)
    assert len({*counts}) > 7
    assert count("07:59") == counts[7]


@pytest.mark.fact("envelope")
def test_flags_and_bodies_are_printed_as_go_prints_them(box: Box) -> None:
    text = box([host()]).result("get_memory_info")["content"][0]["text"]

    swap = {"free": 750, "total": 1000, "used": 250, "used_percent": 25}
    assert text.startswith('{\n  "swap": ' + json.dumps(swap, indent=2).replace("\n", "\n  "))
