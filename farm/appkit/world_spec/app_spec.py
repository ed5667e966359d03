"""One app's part of a world's specification, ``spec/<app>/``: accounts, messages and the app's facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any

from farm.appkit.world_spec.common import Common
from farm.appkit.world_spec.draws import T
from farm.appkit.world_spec.links import Link
from farm.appkit.world_spec.open_minutes import draw_table_minutes, draw_talk_minutes
from farm.appkit.world_spec.people import Account, Person
from farm.appkit.world_spec.problems import collected, report
from farm.appkit.world_spec.seconds import Seconds
from farm.appkit.world_spec.spec_file import SpecFile
from farm.appkit.world_spec.talk import Message, Talk, read_talk
from farm.appkit.world_spec.text import Resolve
from farm.appkit.world_spec.toml_reader import (
    WorldError,
    leave_out,
    nearest,
    read_page,
    read_toml,
    require,
    require_texts,
)
from farm.errors import FarmError

_OF_EVERY_APP = ("person", "organisation", "name", "address", "handle")
ACCOUNTS = "accounts.toml"
# The message at the beginning of an error: "slack/talk/lunch.md:12: …".
_PLACE = re.compile(r"^([\w-]+/(?:talk|scheduled)/[^:]+\.md:\d+):")
# The entry: "rednote: post 'tart': …", "slack/channels.toml: channel 'kitchen': …".
_ENTRY = re.compile(r"^[\w./-]+: (?:[a-z ]+ )?'([^']+)'(?=:|,| (?!has no account|is not in))")


class AppSpec:
    """The specification from which a generator builds an app's rows.

    Attributes:
        world: the part that all apps share: people and days.
        app: the app's name.
        folder: ``spec/<app>``.
        link: resolves ``{{doc:KEY}}`` in any app; raises ``ValueError`` if no app has the key.
        files: the app's files, as ``contexts/<app>/files.py`` declares them.
    """

    def __init__(
        self,
        world: Common,
        app: str,
        folder: Path,
        generator: ModuleType,
        link: Callable[[str], Link],
        files: Sequence[SpecFile],
    ) -> None:
        self.world, self.app, self.folder, self.link, self.files = world, app, folder, link, tuple(files)
        self._generator = generator
        self._passed_over: set[str] = set()

    def pass_over(self, problem: FarmError) -> bool:
        """Leave out what an error names: a message by its line, or an entry by its key; return whether it is new."""
        lines = str(problem).splitlines()
        places = {found for line in lines for pattern in (_PLACE, _ENTRY) for found in pattern.findall(line)}
        is_new = not places <= self._passed_over
        self._passed_over |= places
        if problems := collected():
            problems.left_out |= {(self.app, found) for line in lines for found in _ENTRY.findall(line)}
            problems.unread += is_new
        return is_new

    def where(self, relative: str) -> str:
        """Return the name of a file of this part for messages."""
        return f"{self.app}/{relative}"

    def with_minutes(self, text: str, where: str) -> str:
        """Return the text of a TOML file or page with its open minutes drawn; ``where`` is its name."""
        return draw_table_minutes(text, where, self.number)

    def rendered_tables(self, text: str, where: str) -> str:
        """Return the text of a TOML file or page with its open minutes drawn and its facts rendered."""
        return self.world.facts.render(self.with_minutes(text, where), where)

    def rendered_talk(self, text: str, where: str) -> str:
        """Return the text of a file of messages with its open minutes drawn and its facts rendered."""
        return self.world.facts.render(draw_talk_minutes(text, where, self.number), where)

    def read(self, file: SpecFile, relative: str = "") -> dict[str, Any]:
        """Return a declared file: its own keys, and name → entries; a list of entries that it lacks is empty.

        Further entries may stand in a folder of the file's name: those of ``tasks/*.toml`` follow ``tasks.toml``.

        Args:
            file: the declaration.
            relative: the file, if the declaration is a pattern.

        Raises:
            WorldError: all that is wrong with its entries and keys, one line each; or it is missing and required.
        """
        path, read = relative or file.path, dict[str, Any]()
        if file.is_required or (self.folder / path).is_file():
            read = self._checked(file, path)
        together = {name: [] for name, entry in file.entries.items() if name and entry.is_list} | read
        for part in self._parts(path):
            for name, entries in self._checked(file.lists, part).items():
                together[name] = [*together[name], *entries]
        return together

    def true_since(self, file: SpecFile, name: str) -> list[datetime | None]:
        """Return for each entry of a declared file from when all is true that it tells: None for always.

        Only present values count: of a former one, nobody says here when it became true.
        """
        return [max(each, default=None) for each in self._moments(file, name, self.world.facts.since_in)]

    def true_until(self, file: SpecFile, name: str) -> list[datetime | None]:
        """Return for each entry of a declared file until when all was true that it tells: None for always."""
        return [min(each, default=None) for each in self._moments(file, name, self.world.facts.until_in)]

    def _moments(self, file: SpecFile, name: str, find: Callable[[str], Iterable[str]]) -> list[list[datetime]]:
        """Return for each entry of a declared file the moments that are found in it as it is written."""
        return [[self.world.days.at(each) for each in find(repr(entry))] for entry in self.as_written(file, name)]

    def as_written(self, file: SpecFile, name: str) -> list[dict[str, Any]]:
        """Return the entries of a declared file with their references as they stand, in the order of ``read``."""
        written = list[dict[str, Any]]()
        for path in (file.path, *self._parts(file.path)):
            if (self.folder / path).is_file():
                written += read_toml(self.folder / path, self.where(path), self.with_minutes).get(name, [])
        kept = self.read(file)[name]
        # While problems are collected, entries are left out, and nobody knows which these are.
        return written if len(kept) == len(written) else [{} for _ in kept]

    def told_by(self, written: Any) -> Iterator[datetime]:
        """Yield the moments before which an entry, as it is written, cannot have been written as it stands.

        These are from when its facts are true, and the days before the world's start that it names.
        """
        text, facts = repr(written), self.world.facts
        for each in (*facts.since_in(text), *facts.moments_in(text)):
            if (at := self.world.days.at(each)) < self.world.starts_at:
                yield at

    def _checked(self, file: SpecFile, path: str) -> dict[str, Any]:
        """Return a file's entries and keys, or raise everything that is wrong with them."""
        read = read_toml(self.folder / path, self.where(path), self.rendered_tables)
        if problems := list(file.problems(read, self.where(path))):
            report(WorldError("\n".join(problems)))
            read = self._without_invalid(file, read, path)
        return {name: self._without_passed_over(value) for name, value in read.items()}

    def _without_passed_over(self, value: Any) -> Any:
        if not self._passed_over or not isinstance(value, list):
            return value
        return [each for each in value if not (isinstance(each, dict) and each.get("key") in self._passed_over)]

    def _without_invalid(self, file: SpecFile, read: dict[str, Any], path: str) -> dict[str, Any]:
        """Return what can be used of an invalid file, while problems are collected.

        Raises:
            WorldError: the file itself lacks a key, or a table that it must have.
        """
        usable, where = dict(read), self.where(path)
        for name, entry in file.entries.items():
            if name and entry.is_list and isinstance(read.get(name), list):
                usable[name] = []
                for each in filter(lambda each: isinstance(each, dict), read[name]):
                    kept = entry.without_invalid(each)
                    if [*entry.problems(kept, where)]:
                        leave_out(WorldError(), each, self.app)  # its lines are reported already, with its number
                    else:
                        usable[name].append(kept)
        if problems := list(file.problems(usable, where)):
            raise WorldError("\n".join(problems))
        return usable

    def _parts(self, path: str) -> Iterator[str]:
        """Yield the files in the folder of a file's name that no declaration of the app reads by itself."""
        read = {found for each in self.files if each.is_pattern for found in self.folder.glob(each.path)}
        for found in sorted((self.folder / path).with_suffix("").glob("*.toml")):
            relative = found.relative_to(self.folder).as_posix()
            if found not in read and self.declaration_of(relative) is self.declaration_of(path):
                yield relative

    def declaration_of(self, relative: str) -> SpecFile | None:
        """Return the declaration of a file, or of the one to which it adds entries; None if the app reads neither."""
        found = next((file for file in self.files if fnmatchcase(relative, file.glob)), None)
        folder = PurePosixPath(relative).parent
        if found is None and relative.endswith(".toml") and str(folder) != ".":
            return self.declaration_of(f"{folder}.toml")
        return found

    def read_keyed(self, file: SpecFile) -> dict[str, dict[str, dict[str, Any]]]:
        """Return name → key → entry of a declared file, for its kinds of entries with a ``key``."""
        read = self.read(file)
        return {
            name: {each["key"]: each for each in read[name]}
            for name, entry in file.entries.items()
            if entry.is_list and any(key.name == "key" for key in entry.keys)
        }

    def pages(self, file: SpecFile) -> dict[str, tuple[dict[str, Any], str]]:
        """Return the name of each page of a declared pattern, without its suffix → its front matter and text."""
        found = {}
        for path in sorted(self.folder.glob(file.path)):
            relative = path.relative_to(self.folder).as_posix()
            said, text = read_page(path, self.where(relative), self.rendered_tables)
            if problems := list(file.problems(said, self.where(relative))):
                leave_out(WorldError("\n".join(problems)), {"key": path.stem}, self.app)
            else:
                found[path.stem] = said, text
        return found

    def read_every(self, files: SpecFile) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each file of a declared pattern, sorted, with its entries as ``read`` returns them.

        A file belongs to the first declaration that it fits.
        """
        for path in sorted(self.folder.glob(files.path)):
            relative = path.relative_to(self.folder).as_posix()
            if next(file for file in self.files if fnmatchcase(relative, file.glob)) is files:
                yield relative, self.read(files, relative)

    def read_together(self, files: SpecFile) -> dict[str, list[dict[str, Any]]]:
        """Return name → the entries of all files of a declared pattern, file by file."""
        together: dict[str, list[dict[str, Any]]] = {name: [] for name in files.entries}
        for _, found in self.read_every(files):
            for name, entries in found.items():
                together[name] += entries
        return together

    @cached_property
    def accounts(self) -> dict[str, Account]:
        """Key of a person or an organisation → their account, in the order of accounts.toml; none without that file."""
        where, found = self.where(ACCOUNTS), dict[str, Account]()
        if not (self.folder / ACCOUNTS).is_file():
            return found
        for said in self._accounts():
            try:
                account = self._account(said, where)
            except WorldError as problem:
                leave_out(problem, said, self.app)
                continue
            if account.key not in (said.get("person"), said.get("organisation")) and account.key in found:
                continue  # the nearest name stands in for one that is nobody's, and has an account already
            for what in ("key", "address", "handle"):
                same = [each for each in found.values() if getattr(each, what) == getattr(account, what) != ""]
                if same:
                    value = getattr(account, what)
                    report(WorldError(f"{where}: '{account.key}' and '{same[0].key}' have one {what}, '{value}'"))
            found[account.key] = account
        return found

    def _accounts(self) -> list[dict[str, Any]]:
        declared = next((file for file in self.files if file.path == ACCOUNTS), None)
        if declared is None:
            raise WorldError(f"contexts/{self.app}/files.py declares no {ACCOUNTS}, and the world has one")
        entries: list[dict[str, Any]] = self.read(declared)["accounts"]
        return entries

    def _account(self, said: Mapping[str, Any], where: str) -> Account:
        if ("person" in said) == ("organisation" in said):
            raise WorldError(f"{where}: {dict(said)} belongs to a person or to an organisation; name one of the two")
        own = {name: value for name, value in said.items() if name in ("name", "address", "handle")}
        more = {name: value for name, value in said.items() if name not in _OF_EVERY_APP}
        require_texts(own, f"{where}: '{said.get('person', said.get('organisation'))}'")
        if "organisation" in said:
            organisation = require("organisation", said["organisation"], self.world.organisations, where)
            return Account(organisation.key, None, organisation, **own, more=more)
        person = self.world.person(said["person"], where)
        organisation = self.world.organisations[person.organisation]
        return Account(person.key, person, organisation, **{"address": person.email, **own}, more=more)

    @cached_property
    def members(self) -> dict[str, Person]:
        """Key → person with an account, in the order of accounts.toml."""
        return {key: each.person for key, each in self.accounts.items() if each.person is not None}

    def talk(self, flags: Collection[str], bots: Container[str] = ()) -> Talk:
        """Return the messages of ``talk/*.md``. Each author must have an account, and each time precede the start.

        Args:
            flags: the flags that the app supports.
            bots: further authors: the app's programs.
        """
        talk = self._read_talk("talk", flags, bots)
        start = self.world.starts_at
        return self._kept(
            talk,
            lambda message: (
                () if message.at < start else (f"at {message.at:%a %H:%M}, and the world starts on {start:%a %H:%M}",)
            ),
        )

    def scheduled_talk(self, flags: Collection[str], bots: Container[str] = ()) -> Talk:
        """Return the messages of ``scheduled/*.md``, which a live clock delivers in the week after the start."""
        talk = self._read_talk("scheduled", flags, bots)
        start, end = self.world.starts_at, self.world.week_ends_at
        until = f"scheduled/ is from {start:%a %H:%M} up to {end:%a %H:%M}"
        return self._kept(
            talk,
            lambda message: () if start <= message.at < end else (f"at {message.at:%a %H:%M}, and {until}",),
        )

    def _read_talk(self, folder: str, flags: Collection[str], bots: Container[str]) -> Talk:
        try:
            talk = read_talk(self.folder / folder, self.where(folder), self.world.days, self.rendered_talk)
        except ValueError as problem:
            raise WorldError(str(problem)) from problem
        return self._kept(talk, lambda message: self._message_problems(message, flags, bots))

    def _message_problems(self, message: Message, flags: Collection[str], bots: Container[str]) -> Iterator[str]:
        """Yield what is wrong with the flags and people of a message."""
        for flag in message.flags:
            if flag not in flags:
                yield f"{self.app} has no '{flag}'; have {', '.join(sorted(flags))}"
        for person in (message.author, *(who for _, who in message.reactions)):
            if person not in bots and person not in self.world.people:
                yield f"no person '{person}'; nearest: {nearest(person, self.world.people)}"
        if (
            message.author in self.world.people
            and message.author not in (*self.members,)
            and message.author not in bots
        ):
            yield f"'{message.author}' has no account in {self.app} ({self.where(ACCOUNTS)})"

    def _kept(self, talk: Talk, problems_of: Callable[[Message], Iterable[str]]) -> Talk:
        """Return the messages that have no problem, with their replies that have none.

        Raises:
            WorldError: the problems of all messages, one line each, unless problems are collected.
        """
        lines: list[str] = []

        def is_kept(message: Message) -> bool:
            if message.place in self._passed_over:
                return False
            found = [f"{message.place}: {problem}" for problem in problems_of(message)]
            lines.extend(found)
            return not found

        for messages in talk.values():
            for message in messages:
                message.replies[:] = filter(is_kept, message.replies)
            messages[:] = filter(is_kept, messages)
        if lines:
            report(WorldError("\n".join(lines)))
            if problems := collected():
                problems.unread += len(lines)
        return talk

    def links(self) -> Mapping[str, Link]:
        """Return key → the object of this app that texts of any app may link to."""
        made: Mapping[str, Link] = self._generator.links(self) if hasattr(self._generator, "links") else {}
        return made

    def at(self, text: str, where: str) -> datetime:
        """Return the point in time of an offset; ``where`` begins the message if it can't be read."""
        return self.world.at(text, where)

    def ms(self, text: str, where: str) -> int:
        """Return ``at`` as milliseconds since 1970."""
        return int(self.at(text, where).timestamp()) * 1000

    def second_ms(self, text: str, where: str, *parts: object) -> int:
        """Return ``ms`` with a second of that minute, drawn for what the ``parts`` name."""
        return self.ms(text, where) + self.number(0, 59, self.app, "second", text, *parts) * 1000

    def seconds(self, moments: Iterable[datetime], *parts: object, step_ms: int = 1000) -> Seconds:
        """Return the times of a sequence whose members keep their order within a minute, too."""
        return Seconds(self.number, moments, self.app, *parts, step_ms=step_ms)

    def text(self, raw: str, references: Mapping[str, Resolve], where: str) -> str:
        """Return a text with its references resolved; ``where`` begins the message if one can't be."""
        return self.world.text(raw, references, where)

    def id(self, form: str, kind: str, *parts: object) -> str:
        """Return the id of this form for something of this app, always the same."""
        return self.world.id(form, self.app, kind, *parts)

    def number(self, low: int, high: int, *parts: object) -> int:
        """Return a number from ``low`` to ``high``, both included, that looks random and is always the same."""
        return self.world.number(low, high, *parts)

    def pick(self, weights: Mapping[T, int], *parts: object) -> T:
        """Return one of several values, drawn by their weights, always the same for the same ``parts``."""
        return self.world.pick(weights, *parts)
