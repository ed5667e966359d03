"""The tables of docs/synth.md on the apps of examples/traverse, made of their reports and kept answers.

    python -m tests.traverse.synth_tables

puts them into the page.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from farm.traverse.fidelity.page import HEADS
from tests.traverse.example_tables import POOLS, ROOT, markdown_table, put

PAGE = ROOT / "docs" / "synth.md"
MARKS = ("<!-- arms -->", "<!-- end of arms -->")
# Server → the name of its app.
APPS = {
    "filesystem": "filesystem",
    "memory": "memory",
    "sqlite": "sqlite",
    "time": "time",
    "taskflow": "taskflow",
    "twisted": "twisted",
    "discord": "guild",
}
ARMS = ("none", "vanilla", "paper", "traversed")
_OUTCOME, _EXACT = HEADS.index("accuracy"), HEADS.index("exact text")
_ALLOWED = "Those that the input schema allows"


def tables() -> str:
    """Return both tables."""
    figures = [(f"[{server}](../examples/traverse/{server})", *_figures(server)) for server in APPS]
    efforts = [(server, *(_effort(server, arm) for arm in ARMS[1:])) for server in APPS]
    head = ("server", "calls", *ARMS, "traversed, allowed by the schema")
    return "\n".join([*markdown_table(head, figures), "", *markdown_table(("server", *ARMS[1:]), efforts)])


def _figures(server: str) -> Iterator[str]:
    report = (POOLS / server / "report.txt").read_text("utf-8")
    counted = _rows(report.partition("\nAll calls")[0])
    yield counted["traversed"][0]
    for arm in ARMS:
        yield _agreement(counted[arm]) if arm in counted else "–"
    yield _agreement(_rows(report.partition(f"{_ALLOWED}\n")[2])["traversed"])


def _rows(part: str) -> dict[str, list[str]]:
    """Return arm → the cells after its name, of one table of a report."""
    cells = [[cell.strip() for cell in line.strip("│").split("│")] for line in part.splitlines() if line[:1] == "│"]
    return {row[0]: row[1:] for row in cells}


def _agreement(row: list[str]) -> str:
    """Return a row's agreement in the outcome and its share of exact texts."""
    return f"{float(row[_OUTCOME]):.1%} · {float(row[_EXACT]):.1%}"


def _effort(server: str, arm: str) -> str:
    name = APPS[server] if arm == "traversed" else f"{APPS[server]}_{arm}"
    provenance = POOLS / server / "kernels" / name / "PROVENANCE.toml"
    if not provenance.is_file():
        return "–"
    said = tomllib.loads(provenance.read_text("utf-8"))["synthesis"]
    return f"{said['prompts']} · {said['tokens']:,} · {_minutes(POOLS / server / 'synth' / name)}"


def _minutes(folder: Path) -> str:
    """Return the minutes from the first answer to the last; of one answer nobody knows."""
    lines = (folder / "completions.jsonl").read_bytes().splitlines()
    times = [datetime.fromisoformat(json.loads(line)["at"]) for line in lines]
    return f"{(max(times) - min(times)).total_seconds() / 60:.0f} min" if len(times) > 1 else "–"


if __name__ == "__main__":
    PAGE.write_text(put(PAGE.read_text("utf-8"), MARKS, tables()), "utf-8")
