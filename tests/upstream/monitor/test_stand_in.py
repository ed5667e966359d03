"""The stand-in for a machine, written down without a monitor: it reads the cluster's rows, which change unseen."""

from __future__ import annotations

from pathlib import Path

from farm import content
from farm.context.template import read_rows
from tests.upstream.monitor.machine import _proc


def test_its_proc_says_what_the_rows_say(tmp_path: Path) -> None:
    rows = {path.stem: read_rows(path) for path in content.reference_dir("cluster").glob("*.jsonl")}
    host = {**rows["hosts"][0], "connections": 9}
    told = {name: [row for row in each if row.get("hostname") == host["hostname"]] for name, each in rows.items()}
    uids = {row["username"]: number for number, row in enumerate(told["processes"])}
    up_s = 400_000

    _proc(tmp_path, {**told, "uids": uids, "at_s": 1_773_018_000}, host, up_s)

    process = next(row for row in told["processes"] if row["started_s"] <= up_s and row["cmdline"])
    assert (tmp_path / "cpuinfo").read_text().count("processor\t:") == told["processors"][0]["cores"]
    assert f"MemTotal: {host['memory_bytes'] // 1024} kB\n" in (tmp_path / "meminfo").read_text()
    assert (tmp_path / str(process["pid"]) / "cmdline").read_text().split("\0")[:-1] == process["cmdline"].split(" ")
    assert f"btime {1_773_018_000 - up_s}\n" in (tmp_path / "stat").read_text()
    assert len((tmp_path / "diskstats").read_text().splitlines()) == len(told["disks"]) > 0
