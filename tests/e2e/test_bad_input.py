"""Commands that speak to a farm: what is wrong in their words comes back as one line, whoever notices it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import RunningFarm
from tests.unit._command_lines import SHARED, WRONG, Command, commands, play
from tests.unit.cli.test_bad_input import problem_of

SPEAKING = [
    each
    for each in commands()
    # Watching and bridging go on until they are ended; a run has a farm of its own.
    if "farm" in {parameter.name for parameter in each.parameters} and each.name not in ("watch", "bridge", "run")
]

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("bad-input")]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFarm]:
    running = RunningFarm(tmp_path_factory.mktemp("spoken-to"), "--apps=slack")
    yield running
    assert running.end() == 0, running.output


@pytest.mark.parametrize("command", SPEAKING, ids=lambda command: command.name.replace(" ", "-"))
def test_a_wrong_word_is_taken_or_answered_in_one_line(
    command: Command,
    own: RunningFarm,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("FARM_DATA", str(own.data))
    (tmp_path / "folder").mkdir()
    (tmp_path / "garbage").write_bytes(b"\xff\x00{[\n")
    wrong = []

    for parameter in command.parameters:
        for value in WRONG if parameter.name not in SHARED else ():
            found = play(command.line(parameter, value), tmp_path, own.data, capsys=capsys)
            if found.errors.startswith("error -32602: MCP error -32602: Tool "):
                continue  # the app's own words for a tool that it does not have
            if (problem := problem_of(found)) is not None:
                wrong.append(f"{parameter.name}={value[:20]!r}: {problem}")

    assert wrong == []


@pytest.mark.parametrize(
    "url", ["", "nobody", "http://127.0.0.1:1", "http://127.0.0.1:x", "http://[::1", "ftp://here", "http://", "雪"]
)
def test_a_url_of_no_farm_is_one_line(
    url: str, own: RunningFarm, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    token = f"--token-file={own.data / 'operator.token'}"

    found = play(["episode", "list", f"--farm={url}", token], own.data, capsys=capsys)

    assert found.status == 1
    assert found.errors.startswith("farm: ")
    assert len(found.errors.splitlines()) == 1
