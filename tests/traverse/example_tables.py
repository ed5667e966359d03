"""The tables of docs/traverse.md on the pools of examples/traverse, made of their manifests and lines alone.

    python -m tests.traverse.example_tables

puts them into the page.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from farm.traverse.fidelity.page import HEADS, PARTS, cells

ROOT = Path(__file__).resolve().parents[2]
POOLS = ROOT / "examples" / "traverse"
PAGE = ROOT / "docs" / "traverse.md"
SERVERS = ("memory", "filesystem", "sqlite", "time", "slack")
# Recorded for farm synth alone; they are not in the tables.
MORE = ("taskflow", "twisted", "discord")
# What stands between them in the page is made here.
POOLS_MARKS = ("<!-- pools -->", "<!-- end of pools -->")
SLACK_MARKS = ("<!-- slack -->", "<!-- end of slack -->")

CLASSES = {
    "type_mismatch": "type",
    "schema_violation": "schema",
    "boundary": "boundary",
    "semantic_conflict": "conflict",
}


def manifest(server: str) -> dict[str, Any]:
    """Return a pool's manifest."""
    said: dict[str, Any] = json.loads((POOLS / server / "pool" / "manifest.json").read_bytes())
    return said


def lines(server: str) -> list[dict[str, Any]]:
    """Return a pool's lines."""
    return [json.loads(line) for line in (POOLS / server / "pool" / "pool.jsonl").read_bytes().splitlines()]


def tables() -> str:
    """Return both tables."""
    made = {server: (manifest(server), lines(server)) for server in SERVERS}
    covered = [
        (
            f"[{server}](../examples/traverse/{server})",
            f"`{said['package']['name']}` {said['package']['version']}",
            str(len(said["coverage"])),
            str(sum(side["traces"] for side in said["sides"].values())),
            str(said["lines"]),
            *(_reached(said["coverage"], name) for name in CLASSES),
            f"{_seconds(own):.0f} s",
        )
        for server, (said, own) in made.items()
    ]
    refused = [
        (
            server,
            *(_share(said["by_class"].get(name, {})) for name in ("success", *CLASSES)),
            str(sum(said["rejected"].values())),
            _held(said["sides"]["held"]),
        )
        for server, (said, _) in made.items()
    ]
    return "\n".join(
        (
            *markdown_table(
                ("server", "package", "tools", "traces", "calls", *CLASSES.values(), "recorded in"), covered
            ),
            "",
            *markdown_table(("refused of", "seeds", *CLASSES.values(), "kept apart", "held back"), refused),
        )
    )


def slack_table(report: Mapping[str, Any]) -> str:
    """Return the figures of a report on one arm, as its JSON has them."""
    (arm,) = report["arms"]
    rows = [(head, *cells(arm[part])) for part, head in PARTS.items()]
    return "\n".join(markdown_table(("", *HEADS), rows))


def slack_report() -> dict[str, Any]:
    """Return the report of the farm's Slack over the held calls of the pool."""
    pool = str(POOLS / "slack" / "pool")
    command = ["-m", "farm", "traverse", "report", pool, "--arm", "farm=slack", "--world", "mini", "--json"]
    done = subprocess.run([sys.executable, *command], capture_output=True, check=True)
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def between(page: str, marks: tuple[str, str]) -> str:
    """Return what stands between marks."""
    return page.split(marks[0])[1].split(marks[1])[0].strip()


def put(page: str, marks: tuple[str, str], text: str) -> str:
    before, _, rest = page.partition(marks[0])
    return f"{before}{marks[0]}\n{text}\n{marks[1]}{rest.partition(marks[1])[2]}"


def _reached(coverage: Mapping[str, Mapping[str, Mapping[str, int]]], name: str) -> str:
    """Return how many arguments of all tools had calls of a class; the arguments as a whole count as one."""
    arguments = [classes for tool in coverage.values() for classes in tool.values()]
    return f"{sum(name in classes for classes in arguments)} of {len(arguments)}"


def _seconds(own: Sequence[Mapping[str, Any]]) -> float:
    times = [datetime.fromisoformat(line["at"]) for line in own]
    return (max(times) - min(times)).total_seconds()


def _share(verdicts: Mapping[str, int]) -> str:
    count = sum(verdicts.values())
    return f"{verdicts.get('refused', 0) / count:.0%} of {count}" if count else "–"


def _held(side: Mapping[str, int]) -> str:
    return f"{side['lines']}, {side['scored']} count"


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


if __name__ == "__main__":
    page = put(PAGE.read_text("utf-8"), POOLS_MARKS, tables())
    PAGE.write_text(put(page, SLACK_MARKS, slack_table(slack_report())), "utf-8")
