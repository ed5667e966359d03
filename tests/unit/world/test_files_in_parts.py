"""Entries in a folder of their file's name: they join the file's own, once, and are checked alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm.appkit.world_spec import Row, WorldError
from farm.world import Spec
from farm.world.generate import rows_of_app
from tests.unit.world._mini_copy import copy_mini

CHANNEL = '[[channels]]\nkey = "van"\ncreator = "ada"\ncreated = "-9 10:~"\nmembers = ["ada", "gus"]\n'
MAIL = '[[mails]]\nat = "-90 09:~"\nfrom = "Old Mill <mill@flour.example>"\nsubject = "Rye"\ntext = "It is here."\n'
NOTE = '[[files]]\npath = "Van.md"\nmade = "-3 21:~"\ntext = "Mind the clutch."\n'


def rows(tmp_path: Path, app: str, file: str, text: str) -> list[Row]:
    return rows_of_app(Spec(copy_mini(tmp_path, {f"spec/{app}/{file}": text})).app(app))


@pytest.mark.parametrize(
    ("app", "file", "text", "table", "more"),
    [
        ("slack", "channels/van.toml", CHANNEL, "channels", 1),
        ("email163", "mails/old.toml", MAIL, "messages", 1),
        ("obsidian", "ada/van.toml", NOTE, "files", 1),
        # Rednote reads files of any name in any folder: they are no parts.
        ("rednote", "comments/more.toml", "", "comments", 0),
    ],
)
def test_a_part_adds_its_entries_once(app: str, file: str, text: str, table: str, more: int, tmp_path: Path) -> None:
    before = rows_of_app(Spec.load("mini").app(app))

    made = rows(tmp_path, app, file, text)

    assert sum(row["table"] == table for row in made) == sum(row["table"] == table for row in before) + more


def test_mails_of_all_parts_are_in_order_of_time(tmp_path: Path) -> None:
    made = [row for row in rows(tmp_path, "email163", "mails/old.toml", MAIL) if row["table"] == "messages"]

    assert made[0]["subject"] == "Rye"


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("channels/van.toml", CHANNEL.replace("creator", "creater"), "slack/channels/van.toml: channels 'van': no key"),
        ("channels/van.toml", '[team]\nname = "x"\n', "slack/channels/van.toml: no kind of entry 'team'"),
        ("workspace/more.toml", '[bot]\nname = "x"\n', "slack/workspace/more.toml: no kind of entry 'bot'"),
    ],
)
def test_a_mistake_in_a_part_is_told_with_its_file(file: str, text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(WorldError) as refused:
        rows(tmp_path, "slack", file, text)

    assert str(refused.value).startswith(why)


def test_a_file_in_a_folder_that_nothing_reads_has_no_declaration(tmp_path: Path) -> None:
    slack, rednote = Spec.load("mini").app("slack"), Spec.load("mini").app("rednote")

    assert slack.declaration_of("chanels/van.toml") is None
    part = slack.declaration_of("channels/van.toml")
    assert part is not None
    assert part.path == "channels.toml"
    assert rednote.declaration_of("posts/van.toml") is not None
