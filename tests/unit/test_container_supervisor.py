"""What `farm up --launcher docker` refuses before it has an engine; the rest is `make docker-test`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from farm.cli import main
from farm.supervisor.containers import label_of, sweep
from farm.supervisor.state import MARK


def said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    return line


def up(data: Path, *options: str) -> list[str]:
    return ["up", "--data", str(data), "--apps", "slack", "--port=0", "--operator-port=0", *options]


def test_an_unknown_launcher_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = said(up(tmp_path, "--launcher=podman"), capsys)

    assert line == "farm: --launcher is processes or docker, not 'podman'"


def test_containers_have_no_workers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = said(up(tmp_path, "--launcher=docker", "--workers=2"), capsys)

    assert line == "farm: --launcher docker runs one process of each app; leave --workers out"


def test_without_an_engine_it_is_one_line_that_says_so(tmp_path: Path) -> None:
    nowhere = {**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/nowhere.sock"}

    # A process of its own: the library leaves the socket open that it could not connect.
    ended = subprocess.run(
        [sys.executable, "-m", "farm", *up(tmp_path, "--launcher=docker")],
        env=nowhere,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    (line,) = ended.stderr.splitlines()
    assert ended.returncode == 1
    assert line.startswith("farm: no Docker engine answers (")
    assert line.endswith("; start one, or set DOCKER_HOST")


def test_without_the_library_it_is_one_line_that_names_the_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "docker", None)

    line = said(up(tmp_path, "--launcher=docker"), capsys)

    assert line == "farm: --launcher docker needs a library; install it with: pip install 'mcp-farm[docker]'"


def test_a_folder_that_never_had_containers_asks_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docker", None)

    assert sweep(tmp_path) == 0


def test_farm_down_on_what_containers_may_be_left_of_does_not_pass_over_a_missing_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "docker", None)
    (tmp_path / MARK).touch()

    assert "needs a library" in said(["down", "--data", str(tmp_path)], capsys)
    assert (tmp_path / MARK).exists()


def test_farms_on_two_folders_have_two_labels(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a")

    assert label_of(tmp_path / "a") != label_of(tmp_path / "b")
    assert label_of(tmp_path / "a") == label_of(tmp_path / "link")
