"""Where apps, worlds and suites are found, and which names are none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from farm import content
from farm.cli import main
from farm.errors import FarmError, NotFoundError

APPS = content.app_names()


@pytest.fixture
def extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A content folder of the test's own, with no app in it yet."""
    (tmp_path / "kernels").mkdir()
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path))
    return tmp_path


IMPORTS = "from farm.appkit.app import App, Profile\nfrom farm.appkit.dialects import GenericJsonSchema\n"
TOLD = 'name="fax", title="Fax", category="", dialect=GenericJsonSchema(), tools=()'
CONTRACT = '{"server": {}, "tools": []}'


def write_fax(extra: Path, source: str = f"{IMPORTS}APP = App({TOLD})", contract: str | None = CONTRACT) -> Path:
    """Write the smallest app there is, or one that is broken."""
    folder = extra / "kernels" / "fax"
    folder.mkdir()
    (folder / "__init__.py").write_text(source, "utf-8")
    if contract is not None:
        (folder / "tools.json").write_text(contract, "utf-8")
    return folder


def status_of(arguments: list[str]) -> int | str | None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code


def profile(given: str) -> str:
    return f"{IMPORTS}APP = App({TOLD}, profiles={{'old': Profile({given})}})"


BROKEN = {
    "not JSON": ({"contract": "{"}, "tools.json is not JSON"),
    "a list": ({"contract": "[]"}, "tools.json has no list 'tools'"),
    "no tools": ({"contract": '{"server": {}}'}, "tools.json has no list 'tools'"),
    "no server": ({"contract": '{"tools": []}'}, "tools.json has no object 'server'"),
    "no schema": ({"contract": '{"server": {}, "tools": [{"name": "a"}]}'}, "tools.json: each tool needs"),
    "no app": ({"source": ""}, "__init__.py declares no APP"),
    "not an app": ({"source": "APP = 5"}, "__init__.py: APP must be an App"),
    "a syntax error": ({"source": "APP = ("}, "kernels/fax cannot be imported: SyntaxError"),
    "an import error": ({"source": "\nimport nowhere_at_all"}, "__init__.py:2 cannot be imported: ModuleNotFoundError"),
    "another error": ({"source": f"{IMPORTS}APP = App(colour=1)"}, "__init__.py:3 cannot be imported: TypeError"),
    "two lines": ({"source": "raise OSError('one\\ntwo')"}, "__init__.py:1 cannot be imported: OSError: one two"),
    "any name": ({"source": f"{IMPORTS}APP = App({TOLD}, any_name='zz')"}, "app 'fax': any_name is 'zz'"),
    "profile: no file": ({"source": profile("tools_json='old.json'")}, "old.json cannot be read"),
    "profile: not JSON": ({"source": profile("tools_json='__init__.py'")}, "__init__.py is not JSON"),
    "profile: outside": ({"source": profile("tools_json='../../x.json'")}, "profile 'old': ../../x.json is outside"),
    "profile: any name": ({"source": profile("any_name='zz'")}, "app 'fax', profile 'old': any_name is 'zz'"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_app_is_told_in_one_line_and_the_others_are_there(
    extra: Path, capsys: pytest.CaptureFixture[str], broken: str
) -> None:
    given, said = BROKEN[broken]
    write_fax(extra, **given)
    (extra / "x.json").write_text(CONTRACT, "utf-8")

    status = status_of(["apps"])
    out, err = capsys.readouterr()

    assert status == 1
    assert [line.split()[0] for line in out.splitlines()] == APPS
    assert said in err
    assert err.count("\n") == 1
    assert "fax" in content.app_names()


def test_an_app_that_is_whole_is_listed_with_the_others(extra: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_fax(extra)

    status = status_of(["apps"])
    out, err = capsys.readouterr()

    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == sorted([*APPS, "fax"])


def test_an_app_that_has_no_file_of_tables_says_which(extra: Path) -> None:
    write_fax(extra)
    schema = extra / "contexts" / "fax" / "schema.py"

    with pytest.raises(FarmError, match=rf"app 'fax' has no {schema}"):
        _ = content.load_app("fax").schema
    schema.parent.mkdir(parents=True)
    schema.write_text("TABLES = 1", "utf-8")
    with pytest.raises(FarmError, match=f"{schema} declares no METADATA"):
        _ = content.load_app("fax").schema


def test_a_broken_list_of_tools_is_counted_by_nobody(extra: Path) -> None:
    write_fax(extra, contract="{")

    with pytest.raises(FarmError, match=r"fax/tools.json is not JSON"):
        content.tool_count("fax")


def test_a_folder_that_is_named_twice_or_by_a_link_counts_once(extra: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_fax(extra)
    link, other = extra / "link", extra / "other"
    link.symlink_to(extra)
    other.mkdir()
    monkeypatch.setenv("FARM_CONTENT", os.pathsep.join(map(str, (extra, other, f"{extra}/", link))))

    assert content.require_app("fax") == extra / "kernels" / "fax"
    assert [root.folder for root in content.roots()][1:3] == [extra, other]
    assert len(content.roots()) == len({root.folder for root in content.roots()})


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
    told = 'name="fax", title="", category="", dialect=GenericJsonSchema(), tools=()'
    imports = "from farm.appkit.app import App\nfrom farm.appkit.dialects import GenericJsonSchema"
    (extra / "kernels" / "fax" / "__init__.py").write_text(f"{imports}\n{source.format(told)}\n")

    assert "fax" not in content.app_names()
    assert "fax" in content.app_names(hidden=True)
    assert [name for name in ("fax", "slack", "nosuch") if content.has_app(name)] == ["slack"]


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

    with pytest.raises(NotFoundError, match=f"have {', '.join(APPS)}"):
        content.require_app(name)


def test_a_world_that_is_not_there_lists_those_that_are(extra: Path) -> None:
    with pytest.raises(NotFoundError, match="no world 'nowhere'; have halfday, harbor"):
        content.world_dir("nowhere")
    with pytest.raises(NotFoundError, match=r"no suite 'harbor'; have .*demo"):
        content.suite_dir("harbor")


def test_rows_of_a_live_world_in_a_folder_of_the_former_name_are_not_passed_over(extra: Path) -> None:
    world = extra / "contexts" / "worlds" / "quay"
    (world / "later").mkdir(parents=True)
    (world / "world.toml").touch()
    (world / "slack.jsonl").touch()

    with pytest.raises(FarmError, match="later is not read; 'later/' is called 'scheduled/' since"):
        content.find_scheduled_rows("quay", "slack")
