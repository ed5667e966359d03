"""Calls that are made once more at the end of their trace, and what a pool makes of the second answer."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from farm.cli import build
from farm.traverse.recordings.recording import AGAIN, read_again

SMALL = [sys.executable, str(Path(__file__).with_name("small_server.py"))]
FAULTY = str(Path(__file__).with_name("faulty.py"))


def _run(*words: str) -> dict[str, Any]:
    given = ["traverse", words[0], "--json", *words[1:]]
    done = CliRunner().invoke(build(given), given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def _perturb(tmp_path: Path, tools: list[str], faults: dict[str, str], *words: str) -> dict[str, Any]:
    seeds = tmp_path / "seeds.jsonl"
    given = {"read_notes": {}, "add_note": {"title": "Flour", "text": "24 bags"}}
    seeds.write_text("".join(json.dumps({"tool": tool, "arguments": given[tool]}) + "\n" for tool in tools))
    middle = [sys.executable, FAULTY, json.dumps(faults), "--", *SMALL]
    return _run(
        "perturb", "--out", str(tmp_path / "out"), "--seeds", str(seeds), "--per-seed", "1", *words, "--", *middle
    )


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_failure_is_asked_again_at_the_end_and_was_one_where_it_is_gone(tmp_path: Path) -> None:
    said = _perturb(tmp_path, ["read_notes", "read_notes"], {"0": "rpc:busy"})
    assert said["asked_again"] == 1
    assert list(read_again(tmp_path / "out")) == [(0, 0)]
    assert len(_lines(tmp_path / "out" / "calls.jsonl")) == said["calls"]

    _run("pool", str(tmp_path / "out"), "--out", str(tmp_path / "pool"))
    (rejected,) = _lines(tmp_path / "pool" / "rejected.jsonl")
    assert rejected["verdict"] == "infrastructure"
    assert rejected["rejected"].endswith("gone when asked again")
    assert set(rejected["again"]) == {"at"}


def test_the_same_words_again_are_the_server_s_own_refusal(tmp_path: Path) -> None:
    # Every call is answered so, the second time too.
    faults = {str(number): "rpc:reset" for number in range(20)} | {"1": "none"}
    _perturb(tmp_path, ["read_notes", "read_notes"], faults)
    _run("pool", str(tmp_path / "out"), "--out", str(tmp_path / "pool"))
    whys = [line["why"] for line in _lines(tmp_path / "pool" / "pool.jsonl") if line["verdict"] == "refused"]
    assert any(why.endswith("the same when asked again") for why in whys)


def test_a_call_that_may_have_changed_something_is_not_made_again(tmp_path: Path) -> None:
    said = _perturb(tmp_path, ["add_note", "read_notes"], {"0": "rpc:busy", "1": "rpc:busy"}, "--allow", "add_note")
    assert said["asked_again"] == 0
    assert not (tmp_path / "out" / AGAIN).exists()


def test_in_a_sandbox_provoked_calls_of_writing_tools_are_made_again_and_seeds_are_not(tmp_path: Path) -> None:
    _perturb(tmp_path, ["add_note", "read_notes"], {"0": "rpc:busy", "1": "rpc:busy"}, "--sandbox")
    assert list(read_again(tmp_path / "out")) == [(0, 1)]


def test_nothing_is_asked_again_where_nobody_wants_it(tmp_path: Path) -> None:
    said = _perturb(tmp_path, ["read_notes"], {"0": "rpc:busy"}, "--no-ask-again")
    assert said["asked_again"] == 0
    assert not (tmp_path / "out" / AGAIN).exists()
