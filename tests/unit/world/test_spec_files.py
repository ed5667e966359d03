"""Declarations of a world's files: what is wrong with a file is said at once, and the docs list what is declared."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from farm import content
from farm.appkit.world_spec import SpecFile, WorldError, many, one, own
from farm.world import Spec
from farm.world.file_list import file_list, page
from farm.world.generators import files, generators

DOCS = Path(__file__).resolve().parents[3] / "docs"
SHOP = SpecFile(
    "shop.toml",
    "a shop",
    {
        "": own("name: text — its name"),
        "owner": one("whose it is", "person: person — who"),
        "goods": many(
            "what it sells",
            """
            key: key — a name
            price: number — in yuan
            since?: moment — since when
            parts?: tables — what it is made of
            """,
            parts=many("a part", "name: text — its name"),
        ),
    },
)


def test_everything_that_is_wrong_with_a_file_is_said_at_once() -> None:
    read = {
        "nam": "Plum",
        "goods": [
            {"key": "bun", "price": "two", "since": "today"},
            {"key": "bun", "price": 2, "parts": [{"nome": "plum"}]},
        ],
    }

    assert list(SHOP.problems(read, "toy/shop.toml")) == [
        "toy/shop.toml: no key 'nam'; nearest: name",
        "toy/shop.toml: lacks 'name', its name",
        "toy/shop.toml: lacks [owner], whose it is",
        "toy/shop.toml: goods 'bun': 'price' must be a number, not 'two'",
        "toy/shop.toml: goods 'bun': 'since' must be a day and a time such as -1 10:05 or -1 10:~, not 'today'",
        "toy/shop.toml: goods 'bun': parts 1: no key 'nome'; nearest: name",
        "toy/shop.toml: goods 'bun': parts 1: lacks 'name', its name",
        "toy/shop.toml: goods 'bun' stands there twice",
    ]


def test_a_file_without_mistakes_has_none() -> None:
    read = {"name": "Plum", "owner": {"person": "ada"}, "goods": [{"key": "bun", "price": 2, "since": "-1 10:05"}]}

    assert list(SHOP.problems(read, "toy/shop.toml")) == []


@pytest.mark.parametrize(
    ("lines", "problem"),
    [("name text — its name", "is no key; write"), ("name: txt — its name", "TYPE one of key, text, markup")],
)
def test_a_declaration_of_another_form_is_refused(lines: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        own(lines)


def test_a_world_whose_file_has_two_mistakes_is_refused_with_both(tmp_path: Path) -> None:
    folder = tmp_path / "mini"
    shutil.copytree(content.world_dir("mini"), folder)
    path = folder / "spec" / "slack" / "channels.toml"
    path.write_text(path.read_text("utf-8").replace("creator", "maker", 1).replace("members", "people", 1), "utf-8")

    with pytest.raises(WorldError) as refused:
        Spec(folder).app("slack").read(next(file for file in files("slack") if file.path == "channels.toml"))

    assert [line.partition("; ")[0] for line in str(refused.value).splitlines()] == [
        "slack/channels.toml: channels 'general': no key 'maker'",
        "slack/channels.toml: channels 'general': no key 'people'",
        "slack/channels.toml: channels 'general': lacks 'creator', who made it",
        "slack/channels.toml: channels 'general': lacks 'members', who is in it",
    ]


@pytest.mark.parametrize("app", sorted(generators()))
def test_every_file_of_every_world_is_declared(app: str) -> None:
    declared = files(app)

    found = [
        path.relative_to(part.folder).as_posix()
        for world in content.world_names()
        if (part := Spec.load(world).apps.get(app)) is not None
        for path in part.folder.rglob("*.*")
        if path.suffix in (".toml", ".md") and path.name != "README.md"
    ]

    # Further entries of tasks.toml may stand in tasks/*.toml.
    patterns = {file.path.removeprefix("**/") for file in declared}
    patterns |= {each.replace(".toml", "/*.toml") for each in patterns if "*" not in each}
    fits = {each for each in found if any(Path(each).match(pattern) for pattern in patterns)}
    assert set(found) - fits == set()


def test_the_list_of_files_has_types_defaults_and_meanings() -> None:
    (chats,) = (each for each in file_list("telegram") if each["file"] == "chats.toml")

    (entry,) = chats["entries"]
    assert chats["required"]
    assert (entry["entry"], entry["many"]) == ("chats", True)
    assert {"key": "unread", "type": "integer", "required": False, "default": "0"}.items() <= next(
        key for key in entry["keys"] if key["key"] == "unread"
    ).items()


def test_the_page_of_the_docs_is_made_of_the_declarations() -> None:
    written = (DOCS / "world-files.md").read_text("utf-8")

    assert written == page(), "run: python -m farm world files --markdown > docs/world-files.md"
