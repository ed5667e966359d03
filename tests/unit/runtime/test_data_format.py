from pathlib import Path

import pytest

from farm.cli import main
from farm.errors import FarmError
from farm.runtime.data_format import DATA_FORMAT, require_format
from farm.runtime.supervisor.state import default_data


def test_a_new_folder_gets_the_format_number_and_is_taken_again(tmp_path: Path) -> None:
    (tmp_path / "episodes").mkdir()

    require_format(tmp_path)
    (tmp_path / "registry.db").touch()
    require_format(tmp_path)

    assert (tmp_path / "format").read_text() == f"{DATA_FORMAT}\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["episodes", "format", "registry.db"]


@pytest.mark.parametrize("used", ["registry.db", "episodes/default"])
def test_a_folder_that_a_farm_used_before_there_was_a_number_is_refused_and_left_as_it_is(
    tmp_path: Path, used: str
) -> None:
    (tmp_path / used).mkdir(parents=True)

    with pytest.raises(FarmError, match=r"has data format '1', .* --data"):
        require_format(tmp_path)

    assert not (tmp_path / "format").exists()


@pytest.mark.parametrize("number", ["3", "x" * 10_000, "²"])
def test_a_folder_of_another_format_is_refused_in_one_line(tmp_path: Path, number: str) -> None:
    (tmp_path / "format").write_text(number, "utf-8")

    with pytest.raises(FarmError) as refused:
        require_format(tmp_path)

    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 500


def test_an_empty_number_in_an_unused_folder_is_written_again(tmp_path: Path) -> None:
    (tmp_path / "format").touch()

    require_format(tmp_path)

    assert (tmp_path / "format").read_text() == f"{DATA_FORMAT}\n"


@pytest.mark.parametrize(
    "command",
    [
        ["up", "--apps", "slack"],
        ["up", "--apps", "slack", "--detach"],
        ["serve", "slack", "--port", "0"],
        ["serve", "slack", "--port", "0", "--member", "--control-token-file", "control.token"],
        ["doctor"],
        ["doctor", "--repair"],
        ["gc", "--older-than", "0s"],
    ],
    ids=" ".join,
)
def test_every_command_that_opens_a_data_folder_refuses_another_format_and_changes_nothing(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "format").write_text("1\n")
    (tmp_path / "episodes").mkdir()
    (tmp_path / "farm.log").write_text("of an earlier farm\n")
    (tmp_path / "episodes" / "left.tmp").touch()
    found = files_of(tmp_path)

    with pytest.raises(SystemExit) as ended:
        main([*command, "--data", str(tmp_path)])

    (line,) = capsys.readouterr().err.splitlines()
    assert ended.value.code == 1
    assert "has data format '1', and this mcp-farm reads and writes 2" in line
    assert {name: text for name, text in files_of(tmp_path).items() if name != "farm.lock"} == found


def test_an_app_that_is_served_alone_writes_the_number_for_the_farm_that_comes_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farm.server.serve.run", lambda *_, **__: None)

    with pytest.raises(SystemExit) as ended:
        main(["serve", "slack", "--port", "0", "--data", str(tmp_path)])
    require_format(tmp_path)

    assert not ended.value.code
    assert (tmp_path / "episodes" / "default" / "episode.json").exists()
    assert (tmp_path / "format").read_text() == f"{DATA_FORMAT}\n"


def files_of(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("text", [None, ""])
def test_who_has_lost_the_file_is_told_how_to_write_it_again(tmp_path: Path, text: str | None) -> None:
    (tmp_path / "registry.db").touch()
    if text is not None:
        (tmp_path / "format").write_text(text)

    with pytest.raises(FarmError) as refused:
        require_format(tmp_path)

    assert str(refused.value).endswith(f"; if only the file was lost, write 2 into {tmp_path}/format")


def test_the_default_folder_is_the_one_that_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.delenv("FARM_DATA", raising=False)
    assert default_data() == tmp_path / "share" / "mcp-farm"

    monkeypatch.setenv("FARM_DATA", str(tmp_path / "data"))
    assert default_data() == tmp_path / "data"
