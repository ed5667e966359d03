"""``farm tasks import`` as a person types it, and a run of what it imported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.benchmark.imports.checkout import write_checkout

from .conftest import farm_command

pytestmark = [pytest.mark.slow, pytest.mark.e2e, pytest.mark.xdist_group("run")]


def test_a_checkout_is_imported_and_run_with_its_hint_and_its_cap(tmp_path: Path) -> None:
    checkout, folder = write_checkout(tmp_path / "checkout"), tmp_path / "content"

    made = farm_command("tasks", "import", "mcpagentbench", checkout, "--content", folder, "--json")
    options = ("--menu", "k=3:own", "--prompt", "counted", "--calls-max", "oracle")
    run = farm_command(
        *("run", "mcpagentbench", "--agent", "oracle", "--content", folder, "--out", tmp_path / "run", "--json"),
        *options,
    )
    table = farm_command("paper", "tfs", tmp_path / "run", "--content", folder, "--format", "csv")

    assert made.returncode == 0, made.stderr
    told = json.loads(made.stdout)
    assert (told["tools"], told["tasks"], told["tfs"], told["tefs"]) == (5, 5, 100.0, 100.0)
    assert told["left_out"] == {"protask_1_tool_2": "there is no mock 'fly'"}
    assert told["refused"].keys() == {"protask_1_tool_1", "protask_3_tools_1"}
    assert run.returncode == 0, run.stderr
    outcomes = {name: count for name, count in json.loads(run.stdout)["outcomes"].items() if count}
    assert outcomes == {"pass": 3, "fail": 2}
    trials = [json.loads(line) for line in (tmp_path / "run" / "trials.jsonl").read_text().splitlines()]
    assert {each["menu_tools"] for each in trials} == {3}
    assert all(each["tfs_exact"] and each["tefs"] and each["over_limit"] == 0 for each in trials)
    assert "100.00" in table.stdout.splitlines()[-1]


def test_a_folder_that_is_no_checkout_is_refused_in_a_line(tmp_path: Path) -> None:
    refused = farm_command("tasks", "import", "mcpagentbench", tmp_path, "--content", tmp_path / "content")
    unknown = farm_command("tasks", "import", "other", tmp_path)

    assert (refused.returncode, unknown.returncode) == (1, 1)
    assert "PATH is a checkout of MCPAgentBench, with data/ and servers/" in refused.stderr
    assert unknown.stderr == "farm: no format 'other'; have mcpagentbench\n"
    assert refused.stderr.count("\n") == 1
