"""A person or a program plays the agent."""

from __future__ import annotations

import io
import json
import threading
import time
from pathlib import Path

import pytest

from farm.benchmark.generate.sitting import SITTINGS, Sitting, sat_line
from farm.benchmark.runner.play import Play
from farm.cli import main

TASK = ("demo", "slack-boards-rate")


def test_a_sitter_sees_instruction_and_tools_and_gets_a_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        "list slack",
        "schema slack slack_get_users",
        'slack slack_list_channels {"limit": 2}',
        "note odd",
        "answer no idea",
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))

    said = _farm(capsys, "sit", *TASK, "--out", str(tmp_path))

    (kept,) = [json.loads(line) for line in (tmp_path / SITTINGS).read_text("utf-8").splitlines()]
    assert "slack slack_list_channels: " in said
    assert '"limit"' in said
    assert '"ok":true' in said
    assert (kept["task"], kept["acc"], kept["calls_made"], kept["notes"]) == (TASK[1], 0.0, 1, ["odd"])
    assert kept["calls"] == [{"app": "slack", "tool": "slack_list_channels", "arguments": {"limit": 2}}]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("hello", "no such command"),
        ("slack slack_get_users {x", "no JSON"),
        ("slack slack_get_users [1]", "an object"),
        ("slack nope {}", "Tool nope not found"),
        ("schema slack nope", "no tool 'nope'"),
    ],
)
def test_what_a_sitter_types_wrongly_ends_nothing(line: str, shown: str) -> None:
    with Play("/".join(TASK)) as play:
        sitting = Sitting(play)

        assert shown in sitting.command(line)
        assert sitting.answer is None


def test_a_trial_given_up_before_half_its_limits_does_not_count() -> None:
    with Play("/".join(TASK)) as play:
        sitting = Sitting(play)
        sitting.command("slack slack_get_users {}")

        line = sat_line(TASK[1], sitting, sitting.finish())

    assert line["counts"] is False


def test_a_program_plays_through_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = tmp_path / "files"
    answering = threading.Thread(target=_answer, args=(files,))
    answering.start()

    said = _farm(capsys, "sit", *TASK, "--files", str(files), "--out", str(tmp_path / "out"), "--time-max", "60")

    answering.join()
    (job,) = [json.loads(path.read_text("utf-8")) for path in files.glob("*.json")]
    assert "slack-boards-rate: fail" in said
    assert job["mcp"].keys() == {"slack"}
    assert {"system", "instruction", "token", "calls_max", "time_s_max"} <= job.keys()


def _answer(folder: Path) -> None:
    until = time.monotonic() + 60
    while not (found := list(folder.glob("*.json"))) and time.monotonic() < until:
        time.sleep(0.05)
    written = folder / "answer.new"
    written.write_text("I found nothing.")
    written.replace(folder / f"{found[0].stem}.answer")


def _farm(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    said = capsys.readouterr()
    assert (ended.value.code or 0) == 0, said.err
    return said.out
