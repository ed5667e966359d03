"""The whole chain on a real server, the reference memory server: from nothing to a pool, a hierarchy and a report."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from farm.cli import build
from farm.traverse.pool.pool import read_pool
from tests.npm import error_of
from tests.traverse.example_tables import POOLS, manifest

pytestmark = pytest.mark.slow

_INSTALL_S_MAX = 180
SERVER = manifest("memory")["package"]


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """The server, installed for this test; what it keeps is below ``tmp_path``."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("THE CHAIN WAS NOT RUN: there is no npm here to install the memory server with")
    wanted = f"{SERVER['name']}@{SERVER['version']}"
    options = ("--prefix", str(tmp_path), "--no-audit", "--no-fund", "--fetch-retries", "1")
    try:
        done = subprocess.run(
            [npm, "install", *options, wanted], capture_output=True, text=True, timeout=_INSTALL_S_MAX, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"THE CHAIN WAS NOT RUN: npm did not install {wanted} within {_INSTALL_S_MAX} s")
    if done.returncode:
        pytest.skip(f"THE CHAIN WAS NOT RUN: npm cannot install {wanted}: {error_of(done.stderr)}")
    kept = f"MEMORY_FILE_PATH={tmp_path / 'memory.jsonl'}"
    return ["--env", kept, "--", str(tmp_path / "node_modules" / ".bin" / "mcp-server-memory")]


def _farm(*words: str | Path) -> str:
    given = [str(word) for word in words]
    done = CliRunner().invoke(build(given), given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def _sequence(folder: Path) -> list[tuple[Any, ...]]:
    """Return what was asked and what it came to, without times."""
    raw = [json.loads(line) for line in (folder / "calls.jsonl").read_bytes().splitlines()]
    return [(each["trace"], each["step"], each["tool"], each.get("arguments"), each["result"]) for each in raw]


def test_from_nothing_to_a_pool_a_hierarchy_and_a_report(
    tmp_path: Path, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded, provoked, pool, tree = (tmp_path / name for name in ("recorded", "provoked", "pool", "tree"))
    reset = ("--reset", f"rm -f {tmp_path / 'memory.jsonl'}")

    # Capture, and record real use.
    said = _farm("traverse", "capture", "--out", recorded, *command)
    assert f"({SERVER['name']} {SERVER['version']})" in said
    _farm("traverse", "seed", "--out", recorded, "--from", POOLS / "memory" / "seeds.jsonl", *reset, *command)
    seeds = len((POOLS / "memory" / "seeds.jsonl").read_bytes().splitlines())
    assert len(_sequence(recorded)) == seeds

    # Provoke: ended half-way it goes on, and comes to what one run comes to.
    given = ("traverse", "perturb", "--seeds", recorded, "--sandbox", "--per-seed", "1", *reset)
    _farm(*given, "--out", tmp_path / "in-one-run", *command)
    _farm(*given, "--out", provoked, "--calls-max", "70", *command)
    _farm(*given, "--out", provoked, *command)
    assert _sequence(provoked) == _sequence(tmp_path / "in-one-run")
    assert seeds < len(_sequence(provoked)) <= 2 * seeds

    # Discriminate, redact, and make the pool.
    _farm("traverse", "pool", provoked, "--out", pool, "--redact", tmp_path / "stand-ins.json")
    made = json.loads((pool / "manifest.json").read_bytes())
    assert made["package"] == SERVER
    assert made["by_class"]["success"] == {"success": seeds}
    assert set(made["by_class"]["type_mismatch"]) == {"refused"}
    assert made["never_called"] == []
    assert made["rejected"] == {}
    assert all(side["traces"] for side in made["sides"].values())
    assert (tmp_path / "stand-ins.json").stat().st_mode & 0o777 == 0o600

    # The hierarchy, and the state before a trace.
    said = _farm("traverse", "tree", pool, "--out", tree)
    assert "entity (" in said
    assert "relation (" in said
    trace = next(each.trace for each in read_pool(pool) if each.side == "train")
    rows = tmp_path / "start.jsonl"
    _farm("traverse", "reconstruct", pool, "--tree", tree / "tree.toml", "--trace", str(trace), "--out", rows)
    assert rows.exists()

    # Compare and report: the recording beside itself, and an app that refuses every call.
    monkeypatch.setenv("FARM_CONTENT", "")  # --content adds to it; afterwards it is as it was
    content = ("--content", str(tmp_path / "mine"))
    _farm("new", "app", "memory", "--from", recorded / "tools.json", *content)
    arms = ("--arm", f"same={pool / 'pool.jsonl'}", "--arm", "empty=memory", *content)
    told = json.loads(_farm("traverse", "report", pool, *arms, "--page", tmp_path / "report.html", "--json"))
    same, empty = (arm["scored"] for arm in told["arms"])
    assert (same["accuracy"], same["f1"], same["exact"]) == (1.0, 1.0, 1.0)
    assert (empty["tp"], empty["fn"], empty["accuracy"]) == (0, empty["n"] // 2, 0.5)
    now = tmp_path / "now.jsonl"
    asked = ("traverse", "compare", "memory", "--calls", pool, "--side", "held", *content, *reset)
    told = json.loads(_farm(*asked, "--out", now, "--json", *command))
    assert told["compared"] == made["sides"]["held"]["lines"]

    # What the server says today is what it said when it was recorded: nothing of it changes from run to run.
    told = json.loads(_farm("traverse", "report", pool, "--arm", f"again={now}", "--json"))
    assert told["arms"][0]["all"]["exact"] == 1.0
