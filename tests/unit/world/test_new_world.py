"""The scaffold of a world: its first check passes, and each of its files explains its keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm.errors import FarmError
from farm.world import Spec, check, new_world
from farm.world.generators import files, generators

BAD_NAMES = ("", ".", "..", "x/y", "../../x", "/tmp/x", 'x"y', "x'y", "Pier", "7pier", "pier\n", "p" * 65)


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path))
    return tmp_path


def test_the_first_check_of_a_scaffold_with_every_app_passes(out: Path) -> None:
    folder = new_world("pier", [], 9, out)

    report = check("pier")

    assert report.findings == []
    assert {*report.counts} == {*generators()}
    assert len(Spec(folder).people) == 9


def test_every_declared_file_is_there_with_every_key(out: Path) -> None:
    folder = new_world("pier", [], 2, out)

    texts = {
        app: "\n".join(p.read_text("utf-8") for p in (folder / "spec" / app).rglob("*.toml")) for app in generators()
    }
    missing = [
        (app, file.path, key.name)
        for app in generators()
        for file in files(app)
        if file.path.endswith(".toml") and not file.path.startswith(("scheduled/", "life", "*", "**/"))
        for entry in file.entries.values()
        for key in entry.keys
        if key.name not in texts[app]
    ]
    assert missing == []


def test_only_the_named_apps_have_a_part(out: Path) -> None:
    folder = new_world("pier", ["slack", "lark"], 3, out)

    assert sorted(path.name for path in (folder / "spec").iterdir()) == ["OUTLINE.md", "lark", "slack"]
    assert check("pier").findings == []


@pytest.mark.parametrize(
    ("name", "apps", "people", "line"),
    [
        ("mini", [], 2, "there is a world 'mini'; choose another name"),
        *((name, [], 2, f"{name!r} is no name of a world; write 1 to 64 of a-z") for name in BAD_NAMES),
        ("pier", ["slak"], 2, "--apps: no app with a part in worlds 'slak'; nearest: slack"),
        ("pier", [], 1, "--people takes 2 to 26, not 1"),
    ],
)
def test_a_scaffold_that_cannot_be_written_is_refused_in_one_line(
    out: Path, name: str, apps: list[str], people: int, line: str
) -> None:
    with pytest.raises(FarmError) as refused:
        new_world(name, apps, people, out)

    assert str(refused.value).startswith(line)
    assert not [*out.iterdir()]


def test_an_app_whose_messages_nobody_measures_is_named(out: Path) -> None:
    folder = new_world("pier", ["slack"], 3, out)
    assert "life" not in str(check("pier"))

    (folder / "spec" / "slack" / "life.toml").unlink()

    assert "not measured: no spec/slack/life.toml" in str(check("pier"))
