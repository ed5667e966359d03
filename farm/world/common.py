"""What a world's specification says for every app: who is in it, when it is, and what is drawn by lot."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from farm.ids import make_id
from farm.world.days import Days, zone_of
from farm.world.people import Organisation, Person
from farm.world.read import WorldError, by_key, check_keys, keys_of, read_toml, require, require_texts, tables_of, told
from farm.world.text import Resolve, resolve
from farm.world.voices import Voice

_KEYS = (
    "title protagonist starts_at time_zone seed name? summary? languages? departments? organisations people relations?"
)
VOICES = "voices.toml"
_KINDS = {"organisations": keys_of(Organisation), "people": keys_of(Person), "relations": "kind people"}


class Common:
    """What a world's specification says for every app.

    Attributes:
        name: the world's name.
        folders: ``contexts/worlds/<name>`` of every content root that has one; world.toml is in the first.
        seed: drives every id and every number nobody wrote down.
        starts_at: what the clock says when an episode begins.
        protagonist: the key of the person an episode is played as.
    """

    def __init__(self, folder: Path, *more: Path) -> None:
        self.folders = (folder, *more)
        self.name = folder.name
        raw = read_toml(folder / "world.toml", "world.toml")
        check_keys(raw, _KEYS, "world.toml")
        self.seed: int = raw["seed"]
        if type(self.seed) is not int:
            raise WorldError(f"world.toml: 'seed' must be an integer, not {self.seed!r}")
        with told("world.toml"):
            self.zone = zone_of(raw["time_zone"])
            self.starts_at = datetime.fromisoformat(str(raw["starts_at"])).astimezone(self.zone)
        self.protagonist: str = raw["protagonist"]
        start = self.starts_at.date()
        self.days = Days(start.fromordinal(start.toordinal() - start.weekday()), self.zone)
        # File → what it says of people; what is outside the company is in files of its own.
        self._said = {"world.toml": raw} | {
            f"outsiders/{path.name}": read_toml(path, f"outsiders/{path.name}")
            for each in self.folders
            for path in sorted((each / "outsiders").glob("*.toml"))
        }

    def _entries(self, kind: str) -> dict[str, tuple[str, dict[str, Any]]]:
        """Return key → file and entry of this kind over every file, in the order of the files."""
        found: dict[str, tuple[str, dict[str, Any]]] = {}
        for file, raw in self._said.items():
            shown = {name: value for name, value in raw.items() if name in _KINDS}
            if file != "world.toml":
                check_keys(raw, "departments? organisations? people? relations?", file)
            for key, entry in by_key(tables_of(shown, file, _KINDS)[kind], kind, file).items():
                if key in found:
                    raise WorldError(f"{file}: {kind} '{key}' stands in {found[key][0]}, too")
                require_texts(entry, f"{file}: {kind} '{key}'")
                found[key] = file, entry
        return found

    @cached_property
    def organisations(self) -> dict[str, Organisation]:
        """Key → organisation: the company, then those of outsiders."""
        return {key: Organisation(**entry) for key, (_, entry) in self._entries("organisations").items()}

    @cached_property
    def people(self) -> dict[str, Person]:
        """Key → person: the company's in the order of world.toml, then outsiders."""
        entries = self._entries("people")
        found = {key: Person(**entry) for key, (_, entry) in entries.items()}
        for key, person in found.items():
            where = f"{entries[key][0]}: '{key}'"
            require("organisation", person.organisation, self.organisations, where)
            if person.manager:
                require("person", person.manager, found, f"{where}: manager")
            if person.department:
                require("department", person.department, self.departments, where)
            with told(where):
                zone_of(person.time_zone)
        require("person", self.protagonist, found, "world.toml: protagonist")
        return found

    @cached_property
    def voices(self) -> dict[str, Voice]:
        """Key of a person → how they write, for those voices.toml knows; it stands beside world.toml."""
        found: dict[str, Voice] = {}
        for path in (folder / VOICES for folder in self.folders):
            if not path.is_file():
                continue
            for entry in tables_of(read_toml(path, VOICES), VOICES, {"voices": keys_of(Voice)})["voices"]:
                key = self.person(entry["person"], VOICES).key
                if key in found:
                    raise WorldError(f"{VOICES}: '{key}' stands there twice")
                found[key] = Voice.read(entry, f"{VOICES}: '{key}'")
        return found

    @cached_property
    def departments(self) -> dict[str, str]:
        """English name of a department, as people carry it → its Chinese name."""
        found: dict[str, str] = {}
        for file, raw in self._said.items():
            said = raw.get("departments", {})
            if not isinstance(said, dict):
                raise WorldError(f"{file}: 'departments' is no table; write [departments]")
            require_texts(said, f"{file}: departments")
            found |= said
        return found

    def check_people(self) -> None:
        """Refuse what is wrong with people before any app has asked for it."""
        for file, raw in self._said.items():
            for each in tables_of({"relations": raw.get("relations", [])}, file, _KINDS)["relations"]:
                where = f"{file}: relation '{each['kind']}'"
                if not isinstance(each["people"], list):
                    raise WorldError(f"{where}: 'people' must be a list, not {each['people']!r}")
                for key in each["people"]:
                    self.person(key, where)

    def person(self, key: str, where: str) -> Person:
        """Return the person; ``where`` begins the message if there is none."""
        return require("person", key, self.people, where)

    @property
    def week_ends_at(self) -> datetime:
        """The end of the week after the clock's start: a live world that is made anew is moved then."""
        return self.starts_at + timedelta(weeks=1)

    @property
    def home(self) -> Organisation:
        """The organisation of the protagonist."""
        return self.organisations[self.people[self.protagonist].organisation]

    def at(self, text: str, where: str) -> datetime:
        """Return the point in time of an offset; ``where`` begins the message if it can't be read."""
        with told(where):
            return self.days.at(text)

    def text(self, raw: str, references: Mapping[str, Resolve], where: str) -> str:
        """Return a text with its references resolved; ``where`` begins the message if one can't be."""
        with told(where):
            return resolve(raw, references)

    def id(self, form: str, app: str, kind: str, *parts: object) -> str:
        """Return the id of this form for something of an app, always the same."""
        return make_id(form, self.seed, app, kind, *parts)

    def number(self, low: int, high: int, *parts: object) -> int:
        """Return a number from ``low`` to ``high``, both included, that looks random and is always the same."""
        digest = hashlib.blake2b(":".join(map(str, (self.seed, *parts))).encode(), digest_size=8).digest()
        return low + int.from_bytes(digest, "big") % (high - low + 1)
