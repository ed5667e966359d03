from pathlib import Path

import pytest

from farm.errors import FarmError
from farm.runtime.data_format import DATA_FORMAT, require_format


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
