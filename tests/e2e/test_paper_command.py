"""``farm paper`` as a person types it: it runs the arms of a table, once, and lays them out."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from .conftest import farm_command

pytestmark = [pytest.mark.slow, pytest.mark.e2e, pytest.mark.xdist_group("run")]

TASKS = ("--tasks", "lark-kol-line", "--tasks", "rednote-new-water")


def test_the_arms_of_a_table_are_run_once_and_laid_out(tmp_path: Path) -> None:
    asked = ("paper", "table5", "--agent", "oracle", "--agent", "null", *TASKS, "--out", tmp_path / "runs", "--json")

    first = farm_command(*asked)
    again = farm_command(*asked)

    assert first.returncode == 0, first.stderr
    (table,) = json.loads(first.stdout)["tables"]
    rows = {row["name"]: dict(zip(table["heads"], row["values"], strict=True)) for row in table["rows"]}
    assert {row["name"]: row["source"] for row in table["rows"]} == {"oracle": "script", "null": "script"}
    shown = ("Lark: no skill", "Lark: OpenClaw", "Lark: ours", "Rednote: ours")
    assert [rows["oracle"][name] for name in shown] == [100.0, None, 100.0, 100.0]
    assert [rows["null"][name] for name in shown] == [0.0, None, 0.0, 0.0]
    assert "'OpenClaw' is not run; it needs the skill files" in first.stderr
    folders = sorted(each.name for each in (tmp_path / "runs").iterdir())
    assert folders == ["null", "null-skill-lark-skill-rednote", "oracle", "oracle-skill-lark-skill-rednote"]
    lines = [path.read_text().count("\n") for path in (tmp_path / "runs").glob("*/trials.jsonl")]
    assert lines == [2, 2, 2, 2]
    assert again.stdout == first.stdout
    assert "pass 1.00" not in again.stderr  # no trial was held again


def test_finished_runs_are_laid_out_and_told_why_they_missed(tmp_path: Path) -> None:
    done = farm_command("run", "demo", "--agent", "null", *TASKS, "--prompt", "plain", "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr

    table = farm_command("report", tmp_path / "run", "--paper", "table3", "--format", "csv")
    why = farm_command("report", tmp_path / "run", "--why", "--json")

    lines = list(csv.DictReader(io.StringIO(table.stdout)))
    assert (lines[-1]["agent"], lines[-1]["Acc"], lines[-1]["tasks"]) == ("null (prompt plain)", "0.00", "2")
    (found,) = json.loads(why.stdout)["runs"]
    assert (found["why"]["missed"], found["why"]["counts"]["stopped early"]) == (2, 2)


def test_a_run_of_no_arm_is_refused_in_a_line(tmp_path: Path) -> None:
    done = farm_command(
        "run", "demo", "--agent", "null", "--tasks", "lark-kol-line", "--menu", "k=9", "--out", tmp_path / "run"
    )
    assert done.returncode == 0, done.stderr

    refused = farm_command("paper", "table6", tmp_path / "run")

    assert refused.returncode == 1
    assert refused.stderr.startswith(
        f"farm: {tmp_path / 'run'} is of no arm of table6, which has all tools (menu paper)"
    )
    assert refused.stderr.count("\n") == 1


def test_the_tables_of_a_paper_share_the_arms_that_are_equal(tmp_path: Path) -> None:
    only = ("--agent", "null", "--tasks", "lark-kol-line", "--out", tmp_path / "runs", "--json")

    facts, categories = farm_command("paper", "table9", *only), farm_command("paper", "table3", *only)
    folders = sorted((tmp_path / "runs").iterdir())
    every = farm_command("paper", "mcp-persona", *folders, "--json")

    assert (facts.returncode, categories.returncode, every.returncode) == (0, 0, 0), every.stderr
    assert [each.name for each in folders] == ["null", "null-context-5", "null-context-unnecessary"]
    assert "#0: fail" in facts.stderr
    assert categories.stderr == ""  # its run was there
    tables = {table["table"]: table for table in json.loads(every.stdout)["tables"]}
    assert {"table3", "table5", "table6", "table7", "table9", "figure2", "figure3"} == tables.keys()
    (row,) = tables["table9"]["rows"]
    assert row["values"][:9] == [0.0] * 9


def test_a_table_shows_what_its_options_name_of_runs_that_hold_more(tmp_path: Path) -> None:
    out = ("--out", tmp_path / "runs", "--json")
    more = farm_command("paper", "table9", "--agent", "null", *TASKS, "-k", "2", *out)

    less = farm_command("paper", "table9", "--agent", "null", *TASKS[:2], *out)
    limited = farm_command("paper", "table9", *sorted((tmp_path / "runs").iterdir()), *TASKS[:2], "-k", "1", "--json")

    assert (more.returncode, less.returncode, limited.returncode) == (0, 0, 0), limited.stderr
    shown = [
        [json.loads(each.stdout)["tables"][0]["rows"][0]["values"][i] for i in (9, 10)]
        for each in (more, less, limited)
    ]
    assert shown == [[2, 2], [1, 2], [1, 1]]


def test_a_profile_runs_what_is_left_and_names_what_is_not(tmp_path: Path) -> None:
    out = ("--out", tmp_path / "runs", "--profile", "paper-2025", "--json")

    done = farm_command("paper", "table3", "--agent", "oracle", *TASKS, *out)

    assert done.returncode == 0, done.stderr
    assert "left out, as the profile lacks their tools: lark-kol-line" in done.stderr
    (table,) = json.loads(done.stdout)["tables"]
    row = dict(zip(table["heads"], table["rows"][-1]["values"], strict=True))
    assert (row["tasks"], row["Acc"]) == (1, 100.0)


def test_a_folder_that_lost_its_manifest_ends_the_command(tmp_path: Path) -> None:
    asked = ("paper", "table3", "--agent", "null", *TASKS[:2], "--out", tmp_path / "runs")
    assert farm_command(*asked).returncode == 0
    (tmp_path / "runs" / "null" / "run.json").unlink()

    refused = farm_command(*asked)

    assert refused.returncode == 1
    assert f"{tmp_path / 'runs' / 'null'} holds trials without their run.json" in refused.stderr
    assert "table3 with null: the run ended with status 1; its reason stands above" in refused.stderr
