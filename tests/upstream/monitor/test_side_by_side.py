"""The real system monitor beside ours: the same calls, over a machine made of the same rows.

No registry has it: where ``FARM_REAL_SERVERS`` names a folder, ``mcp-monitor@003a328`` in it is a binary of that commit
of seekrays/mcp-monitor, linked statically. It runs in namespaces and a root of its own, in which ``machine.py`` has
written what Linux would show of the rows; all that it sees of the machine it is on are the kernel's name, the uptime
and the swap.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.context import reference
from farm.context.template import read_rows
from farm.traverse.fidelity.compare import Mask
from farm.traverse.fidelity.fidelity import measure
from farm.traverse.fidelity.replay import Start
from farm.traverse.fidelity.side_by_side import ask, read_questions
from farm.traverse.transport.source import Source
from tests.upstream.real import install_folder

Rows = dict[str, list[dict[str, Any]]]

MACHINE = Path(__file__).with_name("machine.py")
HOST, UP_S, WEEK_S, MONDAY_S, FILLED_BYTES = "log-sg-1", 449_400, 7 * 86_400, 4 * 86_400, 3 << 20
ALONE = ("unshare", "--mount", "--net", "--uts")

MASKS = [
    Mask(name, re.compile(pattern), reason)
    for name, pattern, reason in [
        (
            "usage",
            r"(?m)^    (?P<value>[\d.]+)(?=,?$)",
            "since the last call; in files that stand still that is nothing",
        ),
        ("share", r'"cpu_percent": (?P<value>[\d.]+)', "of the time since a process began, by the real clock"),
        ("up", r'"uptime(_formatted)?": (?P<value>[^,\n]+)', "the kernel's own, which nobody can set"),
    ]
]

DISKS: list[dict[str, Any]] = [
    *(
        {"path": path}
        for path in ("/", "/var/log", "/var/log/", "var/log", "/var/log/nginx", "/dev/shm", "/run", "/boot/efi")
    ),
    *({"path": path} for path in ("/etc/hostname", "/var/./log/../log", "/usr/bin", "/home", "/var/log/syslog")),
    {"path": "/var/log", "all_partitions": True},
    {"path": "/", "all_partitions": "yes"},
    *(
        {"path": path}
        for path in ("", "/nowhere", "/etc/hostname/", "/etc/hostname/deeper", "/nowhere/x", 5, None, ["/"])
    ),
    *({}, {"path": "/" + "a" * 256}, {"path": "/a\0b"}, {"path": "/" + "a/" * 2100}, {"all_partitions": True}),
]
PROCESSES: list[dict[str, Any]] = [
    *({}, {"limit": 3}, {"limit": 1.9}, {"limit": 0.5}, {"limit": 0}, {"limit": -2}, {"limit": "4"}, {"limit": None}),
    *({"sort_by": by} for by in ("cpu", "memory", "pid", "name", "threads", "CPU", "", 3, None)),
    *({"sort_by": "pid", "limit": 100}, {"sort_by": "memory", "limit": 15}),
    *({"pid": pid} for pid in (1, 2, 410, 655, 700, 812, 903, 18264, 18264.9)),
    *({"pid": pid} for pid in (0, -5, -0.5, 99, 3_000_000_000, 1e12, 1e300, None, "1", True, [1], {"a": 1})),
]
ASKED: dict[str, list[dict[str, Any]]] = {
    "get_cpu_info": [{}, {"per_cpu": True}, {"per_cpu": False}, {"per_cpu": "true"}, {"per_cpu": 1}],
    "get_memory_info": [{}, {"unit": "MB"}, {"a": None}, {"path": 3}, {"limit": []}],
    "get_host_info": [{}, {"a": 1}, {"host": "x"}, {"pid": 1}, {"x": {}}],
    "get_network_info": [
        {},
        *({"interface": name} for name in ("lo", "eth0", "eth1", "", 7, None, "eth9", "LO", "eth0 ", "é")),
    ],
    "get_disk_info": DISKS,
    "get_process_info": PROCESSES,
    **{name: [{}] for name in ("get_gpu_info", "getCpuInfo", "get_cpu", "")},
}
CALLS = [(tool, arguments) for tool, given in ASKED.items() for arguments in given]


def _can_be_alone() -> bool:
    return shutil.which("unshare") is not None and subprocess.run([*ALONE, "true"], check=False).returncode == 0


pytestmark = pytest.mark.skipif(not _can_be_alone(), reason="no namespaces can be made here")


def _rows(at_s: int) -> Rows:
    """Return one machine of the cluster, with what the real one takes from where it runs."""
    folder = content.reference_dir("cluster")
    rows = {path.stem: [*read_rows(path)] for path in sorted(folder.glob("*.jsonl"))}
    rows = {name: [row for row in each if row.get("hostname", HOST) == HOST] for name, each in rows.items()}
    swap = dict(re.findall(r"(?m)^(Swap\w+):\s+(\d+) kB", Path("/proc/meminfo").read_text()))
    total, free = int(swap["SwapTotal"]) * 1024, int(swap["SwapFree"]) * 1024
    (host,) = rows["hosts"]
    host |= {"boots_s": (at_s - UP_S - MONDAY_S) % WEEK_S, "kernel_version": os.uname().release, "has_logind": 0}
    # So few that none of them come and go.
    host |= {"swap_bytes": total, "swap_used_bytes": total - free, "connections": 9}
    for mount in rows["mounts"]:
        if mount["mountpoint"] not in ("/proc", "/sys"):
            mount |= {"family": "tmpfs", "reserved_bytes": 0, "inodes": 1000}
    return rows


def _write(rows: Rows, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name, each in rows.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in each))


@pytest.fixture
def play_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[Rows], None]]:
    """Play on these rows instead of the cluster's."""

    def play(rows: Rows) -> None:
        _write(rows, tmp_path / "cluster")
        monkeypatch.setattr(content, "reference_dir", lambda name: tmp_path / name)
        reference.forget()

    yield play
    monkeypatch.undo()
    reference.forget()


def test_ours_says_what_the_real_one_says(play_on: Callable[[Rows], None], tmp_path: Path) -> None:
    binary = install_folder() / "mcp-monitor@003a328"
    if not binary.is_file():
        pytest.skip(f"there is no {binary}")
    at = datetime.now(UTC).replace(microsecond=0)
    rows, description = _rows(int(at.timestamp())), tmp_path / "machine.json"
    names = sorted({each["username"] for each in rows["processes"]} - {"root"})
    uids = {"root": 0, **{name: uid for uid, name in enumerate(names, start=101)}}
    told = {**rows, "at_s": int(at.timestamp()), "up_s": UP_S, "uids": uids, "filled_bytes": FILLED_BYTES}
    description.write_text(json.dumps(told))
    questions = tmp_path / "calls.jsonl"
    asked = ({"tool": tool, "arguments": arguments, "result": {"content": []}} for tool, arguments in CALLS)
    questions.write_text("".join(json.dumps(each) + "\n" for each in asked))
    command = (*ALONE, sys.executable, str(MACHINE), str(description), str(binary))
    source = Source("mcp-monitor", command, environment=dict(os.environ))

    real = asyncio.run(ask(source, read_questions(questions, None)))

    disks = json.loads(description.with_suffix(".disks").read_text())
    for mount in rows["mounts"]:
        said = disks.get(mount["mountpoint"], {"used_bytes": 0})
        mount |= {key: value for key, value in said.items() if key != "used_bytes"}
        level = {"hostname": HOST, "mountpoint": mount["mountpoint"], "used_bytes": said["used_bytes"]}
        rows["levels"] = [each for each in rows["levels"] if each["mountpoint"] != mount["mountpoint"]]
        rows["levels"] += [{**level, "at_s": 0}, {**level, "at_s": WEEK_S}]
    play_on(rows)
    real = [replace(each, at=at) for each in real]
    found = measure(content.load_app("monitor"), real, Start(), tmp_path / "ours", masks=MASKS, is_sequence=False)

    successes = sum("error" not in each.result and not each.result.get("isError") for each in real)
    assert len(CALLS) >= 60
    assert 2 * successes >= len(CALLS)
    assert found["agreement"] >= 0.98, found["differences"]
    assert found["bodies"]["leaf_equal"] >= 0.95, found["differences"]
