"""Whatever a command is given, it does what it can or says in one line what is wrong."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from farm import content
from farm.cli import main
from tests.unit._command_lines import SHARED, WRONG, Command, Outcome, commands, play

EVERY = commands()
LINE_MAX = 1200  # a list of what there is may be long


def problem_of(found: Outcome) -> str | None:
    """Return what is wrong with how a command ended."""
    if found.status in (None, 0):
        return None
    lines = found.errors.splitlines()
    if found.status == 1 and not lines and found.output:
        return None  # its answer is no, as a doctor's may be
    if found.status not in (1, 2):
        return f"status {found.status}"
    if len(lines) != 1:
        return f"{len(lines)} lines: {found.errors[:400]}"
    if not lines[0].startswith("farm: ") or len(lines[0]) > LINE_MAX:
        return f"a line of {len(lines[0])} characters: {lines[0][:200]}"
    return None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder of somebody without a farm, with something wrong to name in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("FARM_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "folder").mkdir()
    (tmp_path / "garbage").write_bytes(b"\xff\x00{[\n")
    _suite_of_one_task(tmp_path / "content" / "tasks" / "one")
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path / "content"))
    return tmp_path


def _suite_of_one_task(folder: Path) -> None:
    """Make a suite that is read in no time, as commands that want one are played hundreds of times."""
    folder.mkdir(parents=True)
    (folder / "suite.toml").write_text('title = "One"\n', "utf-8")
    shutil.copy(content.suite_dir("demo") / "slack-boards-rate.toml", folder)


def test_the_parser_tells_of_commands_below_commands_and_of_options() -> None:
    named = {each.name: {parameter.name for parameter in each.parameters} for each in EVERY}

    assert {"id_", "snapshot", "count"} <= named["episode fork"]
    assert {"app", "arguments", "episode"} <= named["call"]


@pytest.mark.parametrize("command", EVERY, ids=lambda command: command.name.replace(" ", "-"))
@pytest.mark.parametrize("one_in", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_a_wrong_word_is_taken_or_answered_in_one_line(
    command: Command, one_in: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = []
    for number, parameter in enumerate(command.parameters):
        values = WRONG if parameter.name not in SHARED else WRONG[-2:]
        # One parameter after the other gets the next of them, so that all are tried on most commands.
        for value in values[number % min(one_in, len(values)) :: one_in]:
            found = play(command.line(parameter, value), folder, capsys=capsys)
            if (problem := problem_of(found)) is not None:
                wrong.append(f"{parameter.name}={value[:20]!r}: {problem}")

    assert wrong == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (["status", "--data="], "'--data' (env var: 'FARM_DATA'): it is empty"),
        (["report", ""], "'DIR...': it is empty"),
        (["apps", "--content=\udcff"], "argument '--content=\\udcff' is not UTF-8"),
        (["tool", "slack"], "No such command 'tool'"),
        (["tools"], "Missing argument 'app'"),
        (["serve", "slack"], "Missing option '--port'"),
        (["run", "demo", "--agent=oracle", "--seed=99999999999999999999"], "'--seed'"),
        (["run", "demo", "--agent=oracle", "--parallel=99999999999999999999"], "'--parallel'"),
        (["run", "demo", "--agent=oracle", "--time-max=inf"], "'--time-max'"),
        (["audit", "demo", "--parallel=100000"], "'--parallel'"),
    ],
)
def test_what_the_parser_refuses_is_one_line_with_status_2_that_names_it(
    line: list[str], told: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = play(line, folder, capsys=capsys)

    assert found.status == 2
    assert told in found.errors
    assert len(found.errors.splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (["run", "demo", "--agent=oracle", "--menu=small"], "no menu 'small'"),
        (["run", "demo", "--agent=oracle", "--prompt=small"], "no prompt 'small'"),
        (["run", "demo", "--agent=oracle", "--out=garbage"], "garbage is a file"),
        (["up", "--host="], "--host names no address"),
        (["up", "--allow-host=https://farm.example.org"], "--allow-host takes a name"),
        (["serve", "slack", "--port=0", "--control-token-file=garbage"], "token file garbage cannot be read"),
        (["tasks", "validate", ""], "no suite ''"),
    ],
)
def test_what_can_be_known_to_be_wrong_is_said_before_anything_is_started(
    line: list[str], told: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = play(line, folder, capsys=capsys)

    assert found.status == 1
    assert told in found.errors


def test_no_folder_is_left_of_an_app_whose_name_is_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = play(["new", "app", "A", "--content=mine"], folder, capsys=capsys)

    assert found.status == 1
    assert not (folder / "mine").exists()


def test_a_reader_who_leaves_is_no_failure() -> None:
    command = [sys.executable, "-m", "farm", "tables", "lark"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()

        assert process.stderr.read() == b""
        assert process.wait(60) == 0


def test_a_command_without_words_prints_its_help_and_no_mistake(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = play(["episode"], folder, capsys=capsys)

    assert found.status == 2
    assert "snapshot" in found.output
    assert found.errors == ""


def test_a_message_that_quotes_control_characters_shows_them_and_leaves_the_terminal_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["tools", "\x1b]0;window\x07"])

    assert capsys.readouterr().err.startswith("farm: no app '\\x1b]0;window\\x07'; have ")
