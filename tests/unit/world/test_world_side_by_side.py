"""Apps of one world beside each other: who joins one, or edits one, touches nothing of the others."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from farm import content
from farm.appkit.world_spec import Voice, WorldError
from farm.appkit.world_spec.people import Organisation, Person
from farm.appkit.world_spec.realism import measure
from farm.context.template import InitialStates, account_holders, load_world
from farm.errors import FarmError
from farm.world import Spec, audit_privacy, check, generate, write
from farm.world.generate import as_lines
from farm.world.generators import generators
from tests.conftest import Start
from tests.protocol.wire import CONTENT

pytestmark = pytest.mark.slow

WORLDS = content.world_names()
OUTSIDERS = """
[[organisations]]
key = "neighbours"
name_en = "Neighbours"
domain = "mailbox.example"

[[people]]
key = "mo.lan"
name_en = "Lan Mo"
email = "mo.lan@mailbox.example"
organisation = "neighbours"
city = "Shanghai"
time_zone = "Asia/Shanghai"
language = "zh"
"""
PAGE = (Path(__file__).resolve().parents[3] / "docs" / "worlds.md").read_text("utf-8")
# A world begins, and the toy app joins it, as the page on worlds says.
PIER, CIRCLE, ACCOUNTS, _, VOICE, PRIVACY, LIFE = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
FILES, GENERATE = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
NOTES = """
notes = [{ text = "Back on {{date:+1 en}}", at = "-1 20:00" }]
"""
PEOPLE = """
people = table(
    "people",
    METADATA,
    column("id", generation="random", primary_key=True),
    person(),
    column("name", generation="authentic", nullable=False),
    column("address", generation="authentic", nullable=False),
)
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Return a function that joins the toy app to a world from a content folder of its own, and gives that folder."""
    root = tmp_path / "content"
    shutil.copytree(CONTENT, root, ignore=shutil.ignore_patterns("__pycache__"))
    schema = root / "contexts" / "toy" / "schema.py"
    schema.write_text(
        schema.read_text("utf-8").replace("MetaData, column", "MetaData, column, person") + PEOPLE, "utf-8"
    )
    (root / "contexts" / "toy" / "files.py").write_text(FILES, "utf-8")
    (root / "contexts" / "toy" / "generate.py").write_text(GENERATE, "utf-8")

    def join(world: str) -> Path:
        folder = root / "contexts" / "worlds" / world
        part = folder / "spec" / "toy"
        part.mkdir(parents=True)
        home = Spec.load(world)
        accounts = ACCOUNTS.replace("lin.wan", home.protagonist).replace('"harborlight"', f'"{home.home.key}"')
        (part / "accounts.toml").write_text(accounts, "utf-8")
        (part / "notes.toml").write_text(NOTES, "utf-8")
        (folder / "outsiders").mkdir()
        (folder / "outsiders" / "neighbours.toml").write_text(OUTSIDERS, "utf-8")
        monkeypatch.setenv("FARM_CONTENT", str(root))
        return folder

    return join


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Return a function that copies a world under another name and gives the copy's folder."""
    root = tmp_path / "copies"
    root.mkdir()
    monkeypatch.setenv("FARM_CONTENT", str(root))

    def copy(world: str, name: str) -> Path:
        folder = root / "contexts" / "worlds" / name
        shutil.copytree(content.world_dir(world), folder)
        return folder

    return copy


def _starts(world: str, cache: Path, *, shift_days: int = 0) -> dict[str, tuple[str, bytes]]:
    """Return app → the name of its cached start, and the start's bytes."""
    found = {}
    for app in content.world_apps(world):
        folder = cache / app
        shutil.rmtree(folder, ignore_errors=True)
        start = InitialStates(content.load_app(app), folder).get(world, shift_days)
        (cached,) = folder.iterdir()
        found[app] = (cached.name, start)
    return found


@pytest.mark.parametrize("world", WORLDS)
def test_an_app_joins_a_world_from_a_folder_of_its_own(toy: Callable[[str], Path], world: str, start: Start) -> None:
    before = {app: as_lines(rows) for app, rows in generate(world).items()}

    folder = toy(world)
    made = write(world)

    assert made == {"toy": folder / "toy.jsonl"}
    assert {app: as_lines(rows) for app, rows in generate(world).items() if app != "toy"} == before
    assert check(world).counts["toy"] == {"notes": 1, "people": 3}
    assert account_holders(world, "toy") == {"mo.lan", load_world(world).protagonist}
    assert load_world(world).people["mo.lan"]["name_en"] == "Lan Mo"
    said = start("toy", world=world).call("note_show")["notes"]
    assert len(said) == 1
    assert "{{" not in said[0]


def test_a_world_of_ones_own_begins_with_the_file_that_the_page_shows(
    toy: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: Start
) -> None:
    folder = tmp_path / "content" / "contexts" / "worlds" / "pier"
    folder.mkdir(parents=True)
    (folder / "world.toml").write_text(PIER.replace("[departments]", f"{PRIVACY}\n[departments]", 1), "utf-8")
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path / "content"))

    toy("pier")
    write("pier")

    assert check("pier").counts == {"toy": {"notes": 1, "people": 3}}
    assert audit_privacy(Spec.load("pier")) == []
    assert load_world("pier").people["lin.wan"]["name_en"] == "Wan Lin"
    assert len(start("toy", world="pier").call("note_show")["notes"]) == 1


@pytest.mark.parametrize("world", WORLDS)
def test_an_app_that_joins_leaves_the_starts_of_the_others(
    toy: Callable[[str], Path], world: str, tmp_path: Path
) -> None:
    before = _starts(world, tmp_path / "starts")

    toy(world)
    write(world)
    after = _starts(world, tmp_path / "starts")

    assert set(after) - set(before) == {"toy"}
    assert {app: after[app] for app in before} == before


@pytest.mark.parametrize("world", WORLDS)
def test_editing_an_app_leaves_the_starts_of_the_others(
    copies: Callable[[str, str], Path], world: str, tmp_path: Path
) -> None:
    folder = copies(world, "edited")
    before = _starts(world, tmp_path / "starts", shift_days=7)

    with_accounts = [app for app in content.world_apps(world) if (folder / "spec" / app / "accounts.toml").is_file()]
    assert len(with_accounts) > 3
    for app in with_accounts:
        rows, accounts = folder / f"{app}.jsonl", folder / "spec" / app / "accounts.toml"
        was, said = rows.read_bytes(), accounts.read_bytes()
        rows.write_bytes(was[: was.rstrip().rindex(b"\n") + 1])
        accounts.write_bytes(said + b"# edited\n")
        after = _starts("edited", tmp_path / "starts", shift_days=7)
        rows.write_bytes(was)
        accounts.write_bytes(said)

        assert after[app] != before[app]
        assert {each: after[each] for each in after if each != app} == {
            each: before[each] for each in before if each != app
        }


@pytest.mark.parametrize("world", WORLDS)
def test_a_person_who_is_edited_renames_no_start_and_another_clock_renames_every_one(
    copies: Callable[[str, str], Path], world: str, tmp_path: Path
) -> None:
    before = _starts(world, tmp_path / "starts")
    monday = load_world(world).monday.isoformat()

    described = copies(world, "described") / "world.toml"
    described.write_text(re.sub(r'city = "\w+"', 'city = "Wuhan"', described.read_text("utf-8"), count=1), "utf-8")
    moved = copies(world, "moved") / "world.toml"
    moved.write_text(moved.read_text("utf-8").replace(f'"{monday}', '"2027-01-04', 1), "utf-8")

    assert load_world("described").people != load_world(world).people
    assert _starts("described", tmp_path / "starts") == before
    later = _starts("moved", tmp_path / "starts")
    assert all(later[app][0] != before[app][0] for app in before)


def test_rows_of_one_app_in_two_folders_are_refused(toy: Callable[[str], Path]) -> None:
    world = WORLDS[0]
    app = content.world_apps(world)[0]
    (toy(world) / f"{app}.jsonl").write_bytes(b"")

    with pytest.raises(FarmError, match=rf"rows of '{app}' in world '{world}' are in .* and in .*; remove one"):
        content.find_rows(world, app)


def test_the_parts_of_one_app_in_two_folders_are_refused(toy: Callable[[str], Path]) -> None:
    world = WORLDS[0]
    app = content.world_apps(world)[0]
    (toy(world) / "spec" / app).mkdir()

    with pytest.raises(WorldError, match=rf"'{app}' has a part in .* and in .*; remove one"):
        _ = Spec.load(world).apps


def test_a_folder_beside_a_world_s_own_is_no_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "contexts" / "worlds" / "nowhere" / "spec").mkdir(parents=True)
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path))

    assert content.world_names() == WORLDS


@pytest.mark.parametrize("app", sorted(generators()))
def test_a_generator_names_nobody_of_any_world(app: str) -> None:
    folder = next(root.folder for root in content.roots() if (root.folder / "contexts" / app).is_dir())
    code = "".join(path.read_text("utf-8") for path in sorted((folder / "contexts" / app).glob("*generate*.py")))

    named = [key for world in WORLDS for key in (*load_world(world).people, Spec.load(world).home.key)]

    assert [key for key in named if f'"{key}"' in code] == []


def test_the_pages_voice_and_ranges_are_such_as_are_read() -> None:
    (entry,) = tomllib.loads(VOICE)["voices"]
    ranges = tomllib.loads(LIFE)

    assert Voice.read(entry, "docs/worlds.md").person == "xu.ran"
    assert [each.measure for each in measure("toy", [], ranges, "docs/worlds.md")] == ["full_stops"]


def test_the_pages_people_outside_are_such_as_are_read() -> None:
    circle = tomllib.loads(CIRCLE)

    assert [Organisation(**each).key for each in circle["organisations"]] == ["mill"]
    assert [Person(**each).organisation for each in circle["people"]] == ["mill"]
