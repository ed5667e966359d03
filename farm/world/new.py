"""Write the scaffold of a world: every file of every app with its keys as comments, and no more than a check needs."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from farm.appkit.world_spec.spec_file import LIFE, Entry, Key, SpecFile
from farm.appkit.world_spec.toml_reader import require
from farm.errors import FarmError
from farm.world.example_file import example_file, example_of, sentence
from farm.world.generators import files, generator, generators
from farm.world.world_name import require_new
from farm.world.writing.batches import PATH as WRITE_PATH
from farm.world.writing.batches import WRITE

PEOPLE_MAX = 26
_NAMES = (
    *("ada", "ben", "cleo", "dan", "eve", "finn", "gus", "hana", "ivy", "jon", "kim", "leo", "mia", "nils", "ole"),
    *("pia", "quin", "rosa", "sam", "tess", "uma", "vic", "wes", "xena", "yan", "zoe"),
)
_WORLD = """# What is common to every app: the clock, the company and its people. docs/worlds.md explains each key.

name = "{name}"
title = "{name}: …"
summary = "…"
protagonist = "{first}"
starts_at = "2026-06-01T09:00:00+00:00" # a Monday; day +0 of every offset in spec/
time_zone = "UTC"
languages = ["en"]
seed = 1

[departments] # English name, as people have it, and the Chinese name
Office = "办公室"

[[organisations]]
key = "plum"
name_zh = "…"
name_en = "Plum"
domain = "plum.example"
note = "…"
"""
_SOMEBODY = """
[[people]]
key = "{key}"
name_en = "{name}"
email = "{key}@plum.example"
phone = "+44 20 7946 {number:04}" # a block of numbers for fiction
organisation = "plum"
title_en = "…"
department = "Office"
manager = ""
city = "London"
time_zone = "UTC"
language = "en"
"""
_PRIVACY = """
# [privacy] # what looks private and is the world's own (docs/worlds.md#privacy)
# phones = ["+86 155 5550 xxxx"]
# domains = []
# names = []
# values = []
"""
_FACTS = """# What is true, each value once (docs/facts.md). Texts refer to it as {{fact:opening.at weekday_en}}.

# [[facts]]
# key = "opening.at"
# kind = "moment"
# value = "+4 10:00"
# names = ["opening"]
# former = [{ key = "first", value = "+3 10:00", until = "-3 12:00" }]
# tell = ["APP"]
"""
_VOICES = """# How people write, in every app (docs/worlds.md#voices).

# [[voices]]
# person = "ada"
# age = 31
# trade = "baker"
# tongue = "en"
# full_stops = "rarely"
# lower_case = "often"
# one_emoji = "rarely"
# habits = ["two short messages instead of one long"]
"""
_OUTSIDERS = """# People outside the company, one file per circle; any app may use them (docs/worlds.md#outsiders).

# [[organisations]]
# key = "mill"
# name_zh = "…"
# name_en = "Old Mill"
# domain = "mill.example"
# note = "…"

# [[people]]
# key = "olga"
# name_en = "Olga Mill"
# email = "olga@mill.example"
# phone = "+44 20 7946 0900"
# organisation = "mill"
# title_en = "Miller"
# department = ""
# manager = ""
# city = "London"
# time_zone = "UTC"
# language = "en"
"""
_TALK = """> Conversations (docs/worlds.md#talk). Lines that begin with > are comments.

> ## #CHANNEL
> - -1 09:~ PERSON: text, in a minute of that hour that is drawn
>   - ~ PERSON: a reply, soon after it
>   - :eyes: PERSON
"""
_OUTLINE = """# Outline

Who lives here, what happens this week, and what is open on day +0. Nobody but authors reads this page.
"""


def new_world(name: str, apps: Sequence[str], people: int, out: Path) -> Path:
    """Write a world into a content folder and return its folder.

    Args:
        name: its name.
        apps: its apps; empty for every app that can have a part.
        people: how many people there are, 2 to 26.
        out: the content folder.

    Raises:
        FarmError: the name is invalid or a world has it, an app has no part in worlds, or the number of people
            is out of range.
    """
    if not 2 <= people <= PEOPLE_MAX:
        raise FarmError(f"--people takes 2 to {PEOPLE_MAX}, not {people}")
    require_new(name)
    every = generators()
    for app in apps:
        require("app with a part in worlds", app, every, "--apps")
    folder = out / "contexts" / "worlds" / name
    if folder.exists():
        raise FarmError(f"{folder} exists; choose another name or folder")
    try:
        _write(folder, name, sorted(apps or every), _NAMES[:people])
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def _write(folder: Path, name: str, apps: Sequence[str], people: Sequence[str]) -> None:
    somebody = (
        _SOMEBODY.format(key=key, name=f"{key.capitalize()} Plum", number=number)
        for number, key in enumerate(people, start=1)
    )
    _put(folder / "world.toml", _WORLD.format(name=name, first=people[0]) + "".join(somebody) + _PRIVACY)
    _put(folder / "facts" / "story.toml", _FACTS)
    _put(folder / "voices.toml", _VOICES)
    _put(folder / "outsiders" / "friends.toml", _OUTSIDERS)
    _put(folder / "spec" / "OUTLINE.md", _OUTLINE)
    _put(folder / WRITE_PATH, example_file(WRITE, people))
    for app in apps:
        part, is_measured = folder / "spec" / app, hasattr(generator(app), "said")
        for file in files(app):
            if file is LIFE and not is_measured:
                continue
            if file.path == "accounts.toml":
                _put(part / file.path, _accounts(file, people))
            elif file.path.startswith(("talk/", "scheduled/")) and file.path.endswith(".md"):
                if file.path.startswith("talk/"):
                    _put(part / file.path.replace("*", "example"), _TALK)
            elif not file.is_pattern:
                _put(part / file.path, example_file(file, people))
            elif file.path.endswith(".toml"):
                name = people[1] if file.is_of_person else "example"
                _put(part / file.path.removeprefix("**/").replace("*", name), example_file(file, people))


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _accounts(file: SpecFile, people: Sequence[str]) -> str:
    """Return an account for each person, with the keys that the app requires."""
    entry = file.entries["accounts"]
    needed = [key for key in entry.keys if key.is_required]

    def line(person: str) -> str:
        more = "".join(f", {key.name} = {_of_person(key, person)}" for key in needed)
        return f'    {{ person = "{person}"{more} }},\n'

    return f"# {sentence(file.meaning)}\n{_comments(entry)}\naccounts = [\n{''.join(map(line, people))}]\n"


def _of_person(key: Key, person: str) -> str:
    """Return an account's own value, other than those of other accounts."""
    own = {"handle": f'"{person}"', "address": f'"{person}@plum.example"', "name": f'"{person.capitalize()}"'}
    return own.get(key.name) or example_of(key, [person])


def _comments(entry: Entry) -> str:
    return "".join(
        f"#   {key.name}{'' if key.is_required else '?'} ({key.type}): {key.meaning}\n" for key in entry.keys
    )
