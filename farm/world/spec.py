"""A world's specification as read from its folder: people, days, texts; the same for every app that is made from it."""

from __future__ import annotations

import difflib
import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from farm import content
from farm.errors import FarmError
from farm.ids import make_id
from farm.world.days import Days
from farm.world.talk import Message, Talk, read_talk
from farm.world.text import Resolve, resolve

T = TypeVar("T")
Named = TypeVar("Named", "Person", "Organisation")


class WorldError(FarmError):
    """A specification that can't be generated; the message names the line, the mistake and what there is instead."""


@dataclass(frozen=True)
class Person:
    """Someone of the world, the same in every app. ``apps`` says where they have an account."""

    key: str
    name_zh: str
    name_en: str
    email: str
    phone: str
    organisation: str
    title_en: str
    title_zh: str
    department: str
    manager: str
    city: str
    time_zone: str
    language: str
    apps: tuple[str, ...]
    note: str
    rednote: str = ""
    status: str = "active"  # active, left

    @property
    def name(self) -> str:
        """The name colleagues in China see: the Chinese one if there is one."""
        return self.name_zh or self.name_en


@dataclass(frozen=True)
class Organisation:
    """A company or circle of people."""

    key: str
    name_zh: str
    name_en: str
    domain: str
    note: str
    rednote: str = ""  # the nickname of its official account


def _made(kind: type[T], table: Mapping[str, Any], where: str) -> T:
    """Return the dataclass of a TOML table; lists become tuples."""
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]  # every T here is a dataclass
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}
    unknown = sorted(set(values) - known)
    if unknown:
        raise WorldError(f"{where}: no key '{unknown[0]}'; have {', '.join(sorted(known))}")
    try:
        return kind(**values)
    except TypeError as missing:
        raise WorldError(f"{where}: {missing}") from missing


def require(what: str, key: str, have: Mapping[str, T], where: str) -> T:
    """Return ``have[key]``.

    Raises:
        WorldError: there is no such key; the message proposes the nearest ones.
    """
    if key in have:
        return have[key]
    near = difflib.get_close_matches(key, have, n=3, cutoff=0.5) or sorted(have)[:5]
    raise WorldError(f"{where}: no {what} '{key}'; nearest: {', '.join(near)}")


class Spec:
    """The specification of one world.

    Attributes:
        name: the world's name.
        folder: ``contexts/worlds/<name>``.
        seed: drives every id and every number nobody wrote down.
        starts_at: what the clock says when an episode begins.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name
        self.raw = self._toml(folder / "world.toml")
        self.seed = int(self.raw.get("seed", 0))
        self.zone = ZoneInfo(self.raw["time_zone"])
        self.starts_at = datetime.fromisoformat(str(self.raw["starts_at"])).astimezone(self.zone)
        start = self.starts_at.date()
        self.days = Days(start.fromordinal(start.toordinal() - start.weekday()), self.zone)

    @classmethod
    def load(cls, world: str) -> Spec:
        """Return the specification of the world of this name."""
        return cls(content.world_dir(world))

    @staticmethod
    def _toml(path: Path) -> dict[str, Any]:
        try:
            return tomllib.loads(path.read_text("utf-8"))
        except FileNotFoundError as missing:
            raise WorldError(f"no file '{path}'; a world needs it") from missing
        except tomllib.TOMLDecodeError as problem:
            raise WorldError(f"{path.name}: {problem}") from problem

    def has(self, relative: str) -> bool:
        """Return whether ``spec/<relative>`` is there."""
        return (self.folder / "spec" / relative).exists()

    def toml(self, relative: str) -> dict[str, Any]:
        """Return ``spec/<relative>``, a TOML file."""
        return self._toml(self.folder / "spec" / relative)

    @cached_property
    def people(self) -> dict[str, Person]:
        """Key → person, in the order of world.toml."""
        made = [_made(Person, each, f"world.toml: person '{each.get('key')}'") for each in self.raw["people"]]
        return _by_key(made, "person")

    @cached_property
    def organisations(self) -> dict[str, Organisation]:
        """Key → organisation."""
        made = [_made(Organisation, each, f"world.toml: '{each.get('key')}'") for each in self.raw["organisations"]]
        return _by_key(made, "organisation")

    def person(self, key: str, where: str) -> Person:
        """Return the person; ``where`` begins the message if there is none."""
        return require("person", key, self.people, where)

    def members(self, app: str) -> list[Person]:
        """Return who has an account in an app, in the order of world.toml."""
        return [person for person in self.people.values() if app in person.apps]

    def talk(self, relative: str, app: str) -> Talk:
        """Return the talk of a folder, checked: who speaks has an account, and nobody speaks after the start."""
        try:
            talk = read_talk(self.folder / "spec" / relative, self.days)
        except ValueError as problem:
            raise WorldError(str(problem)) from problem
        for message in _every(talk):
            if app not in self.person(message.author, message.place).apps:
                raise WorldError(f"{message.place}: '{message.author}' has no account in {app} (apps in world.toml)")
            if message.at >= self.starts_at:
                start = f"{self.starts_at:%a %H:%M}"
                raise WorldError(f"{message.place}: at {message.at:%a %H:%M}, and the world starts on {start}")
            for _, person in message.reactions:
                self.person(person, message.place)
        return talk

    def at(self, text: str, where: str) -> datetime:
        """Return the point in time of an offset; ``where`` begins the message if it can't be read."""
        with _told(where):
            return self.days.at(text)

    def text(self, raw: str, references: Mapping[str, Resolve], where: str) -> str:
        """Return a text with its references resolved; ``where`` begins the message if one can't be."""
        with _told(where):
            return resolve(raw, references)

    def id(self, form: str, app: str, kind: str, *parts: object) -> str:
        """Return the id of this form for something of an app, always the same."""
        return make_id(form, self.seed, app, kind, *parts)

    def number(self, low: int, high: int, *parts: object) -> int:
        """Return a number from ``low`` to ``high``, both included, that looks random and is always the same."""
        digest = hashlib.blake2b(":".join(map(str, (self.seed, *parts))).encode(), digest_size=8).digest()
        return low + int.from_bytes(digest, "big") % (high - low + 1)

    @cached_property
    def links(self) -> dict[str, str]:
        """Document, base and wiki key → its address, as any app would show it."""
        base = self.raw.get("docs", "")
        found = {key: f"{base}/docx/{self.token(key)}" for key in self.documents}
        for kind, path in (("base", "bases.toml"), ("wiki", "wiki.toml")):
            if self.has(path):
                for each in self.toml(path).get("bases" if kind == "base" else "spaces", []):
                    found[each["key"]] = f"{base}/{kind}/{self.token(each['key'])}"
        return found

    def token(self, key: str) -> str:
        """Return the 27 characters that name a document, base or wiki in its address."""
        return self.id("{alnum:27}", "lark", "file", key)

    @cached_property
    def documents(self) -> dict[str, tuple[dict[str, Any], str]]:
        """Document key → the front matter (TOML between ``+++`` lines) and the Markdown of ``spec/docs/<key>.md``."""
        return {path.stem: self._document(path) for path in sorted((self.folder / "spec" / "docs").glob("*.md"))}

    @staticmethod
    def _document(path: Path) -> tuple[dict[str, Any], str]:
        parts = path.read_text("utf-8").split("+++\n", 2)
        if len(parts) != 3 or parts[0].strip():
            raise WorldError(f"docs/{path.name}: begins with no front matter; put TOML between two lines '+++'")
        try:
            return tomllib.loads(parts[1]), parts[2].strip() + "\n"
        except tomllib.TOMLDecodeError as problem:
            raise WorldError(f"docs/{path.name}: {problem}") from problem

    def link(self, key: str) -> str:
        """Return the address of a document, base or wiki.

        Raises:
            ValueError: there is none of this key.
        """
        if key not in self.links:
            near = difflib.get_close_matches(key, self.links, n=3, cutoff=0.3) or sorted(self.links)
            raise ValueError(f"no doc '{key}'; nearest: {', '.join(near)}")
        return self.links[key]


class _told:
    """Turns a ``ValueError`` inside into a ``WorldError`` that begins with where it happened."""

    def __init__(self, where: str) -> None:
        self.where = where

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if isinstance(problem, ValueError):
            raise WorldError(f"{self.where}: {problem}") from problem


def _by_key(made: Iterable[Named], what: str) -> dict[str, Named]:
    found: dict[str, Named] = {}
    for each in made:
        if each.key in found:
            raise WorldError(f"world.toml: {what} '{each.key}' stands there twice")
        found[each.key] = each
    return found


def _every(talk: Talk) -> Iterable[Message]:
    for messages in talk.values():
        for message in messages:
            yield message
            yield from message.replies
