"""The part of a world's specification that all apps share: people, dates and pseudo-random values."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property
from pathlib import Path
from typing import Any

from farm.appkit.ids import make_id
from farm.appkit.world_spec.days import Days, zone_of
from farm.appkit.world_spec.draws import T, pick
from farm.appkit.world_spec.facts import Ledger
from farm.appkit.world_spec.own_values import OwnValues
from farm.appkit.world_spec.people import Organisation, Person
from farm.appkit.world_spec.problems import report
from farm.appkit.world_spec.text import Resolve, resolve
from farm.appkit.world_spec.toml_reader import (
    WorldError,
    by_key,
    errors_at,
    key_problems,
    keys_of,
    leave_out,
    read_toml,
    require,
    require_texts,
    tables_of,
)
from farm.appkit.world_spec.voices import Voice

_KEYS = (
    "title protagonist starts_at time_zone seed name? summary? languages? first_apps? departments? organisations "
    "people relations? privacy?"
)
VOICES = "voices.toml"
_KINDS = {"organisations": keys_of(Organisation), "people": keys_of(Person), "relations": "kind people"}


class Common:
    """The part of a world's specification that all apps share.

    Attributes:
        name: the world's name.
        folders: ``contexts/worlds/<name>`` of every content root that has one; world.toml is in the first.
        facts: the ledger, ``facts/*.toml``; it renders every file of the specification.
        seed: determines every generated id and number.
        starts_at: the simulated time at the start of an episode.
        protagonist: the key of the person whose accounts the agent uses.
        own_values: phone numbers, mail domains, names and other values that look private and are the world's own.
    """

    def __init__(self, folder: Path, *more: Path, traced: bool = False) -> None:
        """Load it; ``traced`` marks in every text which fact each rendered value tells."""
        self.folders = (folder, *more)
        self.name = folder.name
        self.facts = Ledger.load(self.folders, traced=traced)
        raw = self.toml(folder / "world.toml", "world.toml")
        if problems := [*key_problems(raw, _KEYS, "world.toml"), *_value_problems(raw)]:
            report(WorldError("\n".join(problems)))
            if not {"starts_at", "time_zone", "protagonist"} <= raw.keys() or [*_value_problems(raw)]:
                raise WorldError("\n".join(problems))
            raw = {"seed": 0, **raw}
        self.seed: int = raw["seed"]
        self.zone = zone_of(raw["time_zone"])
        self.starts_at = datetime.fromisoformat(str(raw["starts_at"])).astimezone(self.zone)
        self.protagonist: str = raw["protagonist"]
        self.own_values = OwnValues.read(raw.get("privacy", {}), "world.toml: privacy")
        start = self.starts_at.date()
        self.days = Days(start.fromordinal(start.toordinal() - start.weekday()), self.zone)
        # File → its contents about people; outsiders are in separate files.
        self._said = {"world.toml": raw} | {
            f"outsiders/{path.name}": self.toml(path, f"outsiders/{path.name}")
            for each in self.folders
            for path in sorted((each / "outsiders").glob("*.toml"))
        }

    def toml(self, path: Path, where: str) -> dict[str, Any]:
        """Return a TOML file of the specification with its facts rendered; ``where`` is its name in messages."""
        return read_toml(path, where, self.facts.render)

    def _entries(self, kind: str) -> dict[str, tuple[str, dict[str, Any]]]:
        """Return key → file and entry of this kind over every file, in the order of the files."""
        found: dict[str, tuple[str, dict[str, Any]]] = {}
        for file, raw in self._said.items():
            shown = {name: value for name, value in raw.items() if name in _KINDS}
            if file != "world.toml":
                for problem in key_problems(raw, "departments? organisations? people? relations?", file):
                    report(WorldError(problem))
            for key, entry in by_key(tables_of(shown, file, _KINDS)[kind], kind, file).items():
                if key in found:
                    report(WorldError(f"{file}: {kind} '{key}' stands in {found[key][0]}, too"))
                try:
                    require_texts(entry, f"{file}: {kind} '{key}'")
                except WorldError as problem:
                    leave_out(problem, entry)
                else:
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
            try:
                with errors_at(where):
                    zone_of(person.time_zone)
            except WorldError as problem:
                report(problem)
        require("person", self.protagonist, found, "world.toml: protagonist")
        return found

    @cached_property
    def voices(self) -> dict[str, Voice]:
        """Key of a person → their voice, for the people in voices.toml (beside world.toml)."""
        found: dict[str, Voice] = {}
        for path in (folder / VOICES for folder in self.folders):
            if not path.is_file():
                continue
            for entry in tables_of(self.toml(path, VOICES), VOICES, {"voices": keys_of(Voice)})["voices"]:
                key = self.person(entry["person"], VOICES).key
                if key in found:
                    report(WorldError(f"{VOICES}: '{key}' stands there twice"))
                try:
                    found[key] = Voice.read(entry, f"{VOICES}: '{key}'")
                except WorldError as problem:
                    report(problem)
        return found

    @cached_property
    def departments(self) -> dict[str, str]:
        """English name of a department, as in people's entries → its Chinese name."""
        found: dict[str, str] = {}
        for file, raw in self._said.items():
            said = raw.get("departments", {})
            if not isinstance(said, dict):
                raise WorldError(f"{file}: 'departments' is no table; write [departments]")
            require_texts(said, f"{file}: departments")
            found |= said
        return found

    def check_people(self) -> None:
        """Raise an error for invalid people before any app uses them."""
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
        """The end of the week after the clock's start: a live world created later is shifted."""
        return self.starts_at + timedelta(weeks=1)

    @property
    def home(self) -> Organisation:
        """The organisation of the protagonist."""
        return self.organisations[self.people[self.protagonist].organisation]

    def at(self, text: str, where: str) -> datetime:
        """Return the point in time of an offset; ``where`` begins the message if it can't be read."""
        try:
            return self.days.at(text)
        except (ValueError, OverflowError) as problem:
            report(WorldError(f"{where}: {problem}"), problem)
            return self.starts_at - timedelta(minutes=1)

    def text(self, raw: str, references: Mapping[str, Resolve], where: str) -> str:
        """Return a text with its references resolved; ``where`` begins the message if one can't be."""
        try:
            return resolve(raw, references)
        except (ValueError, OverflowError) as problem:
            report(WorldError(f"{where}: {problem}"), problem)
            return raw

    def id(self, form: str, app: str, kind: str, *parts: object) -> str:
        """Return the id of this form for something of an app, always the same."""
        return make_id(form, self.seed, app, kind, *parts)

    def number(self, low: int, high: int, *parts: object) -> int:
        """Return a number from ``low`` to ``high``, both included, that looks random and is always the same."""
        digest = hashlib.blake2b(":".join(map(str, (self.seed, *parts))).encode(), digest_size=8).digest()
        return low + int.from_bytes(digest, "big") % (high - low + 1)

    def pick(self, weights: Mapping[T, int], *parts: object) -> T:
        """Return one of several values, drawn by their weights, always the same for the same ``parts``."""
        return pick(self.number, weights, *parts)


def _value_problems(raw: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the values of world.toml without which nothing else can be read."""
    if "seed" in raw and type(raw["seed"]) is not int:
        yield f"world.toml: 'seed' must be an integer, not {raw['seed']!r}"
    zone: tzinfo = UTC
    try:
        zone = zone_of(raw.get("time_zone", "UTC"))
    except ValueError as problem:
        yield f"world.toml: {problem}"
    try:
        datetime.fromisoformat(str(raw.get("starts_at", "2026-01-05"))).astimezone(zone)
    except (ValueError, OverflowError) as problem:
        yield f"world.toml: {problem}"
