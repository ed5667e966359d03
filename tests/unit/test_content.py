"""Where apps, worlds and suites are found, and which names are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm import content
from farm.errors import FarmError, NotFound

APPS = content.app_names()


@pytest.fixture
def extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A content folder of the test's own, with no app in it yet."""
    (tmp_path / "kernels").mkdir()
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path))
    return tmp_path


def test_an_app_of_a_further_folder_is_found_beside_the_others(extra: Path) -> None:
    (extra / "kernels" / "fax").mkdir()
    (extra / "kernels" / "fax" / "tools.json").write_text('{"tools": [{}, {}]}')

    assert content.require_app("fax") == extra / "kernels" / "fax"
    assert content.require_app("slack").name == "slack"
    assert content.tool_count("fax") == 2


@pytest.mark.parametrize(
    "source",
    ["APP = App({}, hidden=True)", "HIDES = True\nAPP = App({}, hidden=HIDES)", "APP = App({}, **dict(hidden=True))"],
)
def test_an_app_that_hides_is_listed_only_when_asked_for(extra: Path, source: str) -> None:
    (extra / "kernels" / "fax").mkdir()
    (extra / "kernels" / "fax" / "tools.json").write_text('{"server": {}, "tools": []}')
    told = 'name="fax", title="", category="", dialect=Plain(), tools=()'
    imports = "from farm.app import App\nfrom farm.dialects import Plain"
    (extra / "kernels" / "fax" / "__init__.py").write_text(f"{imports}\n{source.format(told)}\n")

    assert "fax" not in content.app_names()
    assert "fax" in content.app_names(hidden=True)


def test_a_name_in_two_folders_is_refused_and_shadows_nothing(extra: Path) -> None:
    (extra / "kernels" / "slack").mkdir()
    (extra / "kernels" / "slack" / "tools.json").write_text("{}")

    for find in (lambda: content.require_app("slack"), content.app_names):
        with pytest.raises(FarmError, match=rf"app 'slack' is in .* and in {extra}; rename one"):
            find()


@pytest.mark.parametrize(
    "name", ["", "Slack", "empty", ".hidden", "_private", "../kernels/slack", "sl\0ck", "x" * 5000]
)
def test_a_folder_without_tools_and_what_is_no_name_are_no_app(extra: Path, name: str) -> None:
    for folder in ("empty", ".hidden", "_private"):
        (extra / "kernels" / folder).mkdir()
    for folder in (".hidden", "_private"):
        (extra / "kernels" / folder / "tools.json").write_text("{}")

    with pytest.raises(NotFound, match=f"have {', '.join(APPS)}"):
        content.require_app(name)


def test_a_world_that_is_not_there_lists_those_that_are(extra: Path) -> None:
    with pytest.raises(NotFound, match="no world 'nowhere'; have harbor"):
        content.world_dir("nowhere")
    with pytest.raises(NotFound, match=r"no suite 'harbor'; have .*demo"):
        content.suite_dir("harbor")
