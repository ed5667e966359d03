"""``farm paper`` in this process: what it refuses before anything runs, and what it says of runs that fail."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from farm.benchmark.papers.definition import find_tables
from farm.benchmark.runner.log import RunLog
from farm.cli import main
from farm.cli import paper as paper_module
from farm.cli.paper import _Runs, _why_failed
from farm.errors import FarmError

Say = Callable[..., str]
TRIAL = {"task": "a", "trial": 0, "outcome": "fail", "ended": "answered", "error": None, "transcript": []}


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Say:
    """Return what a command says that it refuses."""

    def say(*words: str) -> str:
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 1
        return capsys.readouterr().err

    return say


def test_an_agent_for_a_table_that_runs_none_is_refused(refused: Say) -> None:
    assert refused("paper", "figure2", "--agent", "null") == (
        "farm: figure2 runs no agent; leave --agent out, and name a suite by --suite\n"
    )
    assert refused("paper", "table7", "--agent", "null") == (
        "farm: table7 runs no agent; leave --agent out, and name the folders of finished runs\n"
    )


def test_several_tables_are_no_picture(refused: Say) -> None:
    said = refused("paper", "mcp-persona", "--format", "svg")

    assert said.startswith("farm: an SVG is one picture; name one of table3, table5")
    assert said.count("\n") == 1


def failed_run(folder: Path, **trial: object) -> Path:
    """Write a run with a trial that succeeded in nothing but is no failure, and one that failed."""
    manifest = {"suite": "demo", "agent": "x", "k": 1, "tasks": {}}
    RunLog.write(folder, manifest, [TRIAL, {**TRIAL, "task": "b", **trial}])
    return folder


def test_a_run_that_failed_names_its_first_failure(tmp_path: Path) -> None:
    endpoint = failed_run(tmp_path / "a", outcome="endpoint_failed", error="HTTP\nConnection refused")
    crashed = failed_run(tmp_path / "b", ended="failed", transcript=[{"stderr": "Traceback\nNo module x\n"}])

    assert _why_failed(endpoint, b"{}", 1) == (
        "every trial failed; the first, b #0, endpoint failed: Connection refused"
    )
    assert _why_failed(crashed, b"{}", 1) == "every trial failed; the first, b #0, the agent crashed: No module x"
    assert _why_failed(endpoint, b"", 1) == "the run ended with status 1; its reason stands above"


def runs(tmp_path: Path) -> _Runs:
    return _Runs("demo", ("null",), ["--tasks", "lark-kol-line"], tmp_path)


def held(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """Let every run of farm paper be held at once; return their folders."""
    folders = []

    def hold(self: _Runs, table: object, arm: object, agent: str, only: object) -> Path:
        folder, _ = self._command(table, arm, agent, only)  # type: ignore[arg-type]
        RunLog.write(folder, {"suite": "demo", "agent": agent, "k": 1, "tasks": {}}, [])
        folders.append(folder)
        return folder

    monkeypatch.setattr(_Runs, "_run", hold)
    return folders


def test_an_arm_of_files_that_the_user_brings_says_how_to_run_it_and_counts_once_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    held(monkeypatch, tmp_path)
    table = find_tables("table5")
    folder = tmp_path / "null-skill-openclaw-lark.md-skill-openclaw-rednote.md"

    before = runs(tmp_path).hold(table, with_all_tasks=False)
    said = capsys.readouterr().err
    RunLog.write(folder, {"suite": "demo", "agent": "null", "k": 1, "tasks": {}}, [])
    after = runs(tmp_path).hold(table, with_all_tasks=False)

    command = (
        "farm run demo --agent null --tasks lark-kol-line --skill openclaw-lark.md --skill openclaw-rednote.md --out "
        f"{folder}"
    )
    assert f"with them: {command}, and this command again\n" in said
    assert len(before["table5"]) == 2
    assert folder in [log.folder for log in after["table5"]]
    assert capsys.readouterr().err == ""


def test_breaking_off_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # The run is broken off as by Ctrl-C: farm run ends with 130.
    stub = tmp_path / "python"
    stub.write_text("#!/bin/sh\nexit 130\n")
    stub.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(stub))

    with pytest.raises(KeyboardInterrupt):
        runs(tmp_path / "runs").hold(find_tables("table5"), with_all_tasks=False)

    assert capsys.readouterr().err == (
        f"broken off; finished trials are in {tmp_path / 'runs'}: the same farm paper command goes on\n"
    )


def test_a_run_that_could_not_begin_ends_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stub = tmp_path / "python"
    stub.write_text("#!/bin/sh\nexit 1\n")
    stub.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(stub))

    with pytest.raises(FarmError, match="table5, 'no skill' with null: the run ended with status 1; its reason stands"):
        runs(tmp_path / "runs").hold(find_tables("table5"), with_all_tasks=False)


def test_each_table_takes_the_runs_that_were_held_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held(monkeypatch, tmp_path)
    tables = find_tables("mcp-persona")

    found = runs(tmp_path).hold(tables, with_all_tasks=False)
    shares = {each.name: paper_module._for(each, tables, [], found) for each in tables}

    assert [log.folder.name for log in shares["table3"]] == ["null"]
    assert [log.folder.name for log in shares["table6"]] == ["null-menu-paper", "null"]
    assert len(shares["table7"]) == 5


@pytest.mark.parametrize("form", ["csv", "svg"])
def test_what_a_format_has_no_place_for_is_said_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    RunLog.write(tmp_path, {"suite": "demo", "agent": "null", "k": 1, "tasks": {"lark-kol-line": "0"}}, [])

    with pytest.raises(SystemExit) as end:
        main(["paper", "table3", str(tmp_path), "--format", form])

    printed = capsys.readouterr()
    said = f"table3: null: only 0 of 1 trial held, so it has no figures ({tmp_path})."
    assert end.value.code == 0
    assert said in printed.err.splitlines()
    assert said not in printed.out
