"""Declarations of a specification's files: which entries they have, and the type, default and meaning of each key.

``contexts/<app>/files.py`` declares the files of an app. Its generator reads them by these declarations, and ``farm
world files`` and docs/world-files.md list them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from farm.appkit.world_spec.toml_reader import name_of_entry, nearest

# The types of keys: what a value is, how to check it, and a value for a scaffold.
_MOMENT = re.compile(r"[+-]\d{1,5} \d{1,2}:\d\d")
_DAY = re.compile(r"[+-]\d{1,5}")
_LINE = re.compile(r"(\w+)(\??): ([a-z][\w ]*?)(?: = (\S.*?))?(?: e\.g\. (\S.*?))? — (\S.*)")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_list_of(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(check, value))


@dataclass(frozen=True)
class KeyType:
    """A type of keys.

    Attributes:
        meaning: what a value is, for people.
        is_value: checks a value.
        example: a value as TOML.
    """

    meaning: str
    is_value: Callable[[Any], bool]
    example: str


TYPES: Mapping[str, KeyType] = {
    "key": KeyType("a name by which other entries refer to it", _is_text, '"example"'),
    "text": KeyType("a text", _is_text, '"…"'),
    "markup": KeyType("a text with dates and references, such as {{date:+1 en}}", _is_text, '"…"'),
    "integer": KeyType("a whole number", _is_integer, "1"),
    "number": KeyType("a number", lambda value: _is_integer(value) or isinstance(value, float), "1.5"),
    "boolean": KeyType("true or false", lambda value: isinstance(value, bool), "true"),
    "moment": KeyType(
        "a day and a time such as -1 10:05 or -1 10:~",
        lambda value: _is_text(value) and bool(_MOMENT.fullmatch(value)),
        '"-1 10:~"',
    ),
    "day": KeyType("a day such as -1", lambda value: _is_text(value) and bool(_DAY.fullmatch(value)), '"-1"'),
    "time": KeyType("a day, with or without a time", _is_text, '"-1"'),
    "person": KeyType("the key of a person", _is_text, '"PERSON"'),
    "people": KeyType("a list of keys of people", _is_list_of(_is_text), '["PERSON"]'),
    "keys": KeyType("a list of names of other entries", _is_list_of(_is_text), '["example"]'),
    "texts": KeyType("a list of texts", _is_list_of(_is_text), '["…"]'),
    "integers": KeyType("a list of whole numbers", _is_list_of(_is_integer), "[1]"),
    "list": KeyType("a list", lambda value: isinstance(value, list), "[]"),
    "table": KeyType("a table", lambda value: isinstance(value, dict), "{}"),
    "tables": KeyType("a list of tables", _is_list_of(lambda each: isinstance(each, dict)), "[]"),
    "value": KeyType("a value of any type", lambda value: True, '"…"'),
}


@dataclass(frozen=True)
class Key:
    """A key of an entry.

    Attributes:
        name: the key.
        type: one of ``TYPES``.
        is_required: whether an entry must have it.
        default: the value of an absent key, as TOML; empty if there is none.
        meaning: what it says.
        example: a value as TOML; empty for that of its type.
    """

    name: str
    type: str
    is_required: bool
    default: str
    meaning: str
    example: str = ""


@dataclass(frozen=True)
class Entry:
    """A kind of table in a file.

    Attributes:
        meaning: what one entry is.
        keys: its keys.
        is_list: whether the file has any number of them, ``[[name]]``; otherwise it has one, ``[name]``.
        is_required: whether the file must have it.
        is_open: whether it may have any keys, each a name of its author's choice.
        nested: key of the type ``tables`` → what each of these tables is.
        example: a line of TOML for a scaffold, of an entry with any keys.
    """

    meaning: str
    keys: tuple[Key, ...]
    is_list: bool = True
    is_required: bool = False
    is_open: bool = False
    nested: Mapping[str, Entry] = field(default_factory=dict)
    example: str = ""

    def without_invalid(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Return an entry without unknown keys and values of another type."""
        types = {key.name: TYPES[key.type] for key in self.keys}
        return {
            name: value
            for name, value in entry.items()
            if (types[name].is_value(value) if name in types else self.is_open)
        }

    def problems(self, entry: Mapping[str, Any], where: str) -> Iterator[str]:
        """Yield what is wrong with an entry's keys, one line each."""
        have = {key.name: key for key in self.keys}
        for name, value in entry.items():
            if name not in have and self.is_open:
                continue
            if name not in have:
                yield f"{where}: no key '{name}'; nearest: {nearest(name, have)}"
            elif not TYPES[have[name].type].is_value(value):
                yield f"{where}: '{name}' must be {TYPES[have[name].type].meaning}, not {value!r}"
        for key in self.keys:
            if key.is_required and key.name not in entry:
                yield f"{where}: lacks '{key.name}', {key.meaning}"
        for name, inner in self.nested.items():
            tables = entry.get(name)
            for number, each in enumerate(tables if isinstance(tables, list) else (), start=1):
                if isinstance(each, dict):
                    yield from inner.problems(each, f"{where}: {name} {name_of_entry(each, number)}")


@dataclass(frozen=True)
class SpecFile:
    """A file of an app's part of a world.

    Attributes:
        path: the file below ``spec/<app>``, or a pattern of files: ``mail/*.toml``, ``docs/*.md`` (pages with front
            matter, which has the keys of the one entry).
        meaning: what it holds.
        entries: name → the kind of entry; the name ``""`` has the keys of the file itself.
        is_required: whether every world must have it.
        is_of_person: whether the star of a pattern stands for the key of a person beside the protagonist.
    """

    path: str
    meaning: str
    entries: Mapping[str, Entry]
    is_required: bool = False
    is_of_person: bool = False

    @property
    def is_pattern(self) -> bool:
        """Whether there may be any number of such files."""
        return "*" in self.path

    @property
    def glob(self) -> str:
        """The path as a pattern of ``fnmatch``, in which a star also stands for folders."""
        return self.path.removeprefix("**/")

    @property
    def lists(self) -> SpecFile:
        """The declaration of a file that only adds entries to one of this kind."""
        entries = {name: replace(entry, is_required=False) for name, entry in self.entries.items() if entry.is_list}
        return SpecFile(self.path, self.meaning, entries)

    def problems(self, read: Mapping[str, Any], where: str) -> Iterator[str]:
        """Yield everything that is wrong with the entries and keys of a file, one line each."""
        own = self.entries.get("")
        top = {name: value for name, value in read.items() if name not in self.entries}
        if own is not None:
            yield from own.problems(top, where)
        for name in top if own is None else ():
            have = [each for each in self.entries if each]
            yield f"{where}: no kind of entry '{name}'; nearest: {nearest(name, have)}"
        for name, entry in self.entries.items():
            if name:
                yield from _problems(entry, name, read.get(name), where)


def _problems(entry: Entry, name: str, found: Any, where: str) -> Iterator[str]:
    if found is None:
        if entry.is_required:
            yield f"{where}: lacks {f'[[{name}]]' if entry.is_list else f'[{name}]'}, {entry.meaning}"
        return
    if not entry.is_list:
        if isinstance(found, dict):
            yield from entry.problems(found, f"{where}: {name}")
        else:
            yield f"{where}: '{name}' is no table; write [{name}]"
        return
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        yield f"{where}: '{name}' is no array of tables; write [[{name}]]"
        return
    seen: dict[str, int] = {}
    for number, each in enumerate(found, start=1):
        place = f"{where}: {name} {name_of_entry(each, number)}"
        yield from entry.problems(each, place)
        key = each.get("key")
        if isinstance(key, str) and any(own.name == "key" for own in entry.keys):
            if key in seen:
                yield f"{where}: {name} '{key}' stands there twice"
            seen[key] = number


def keys_from(lines: str) -> tuple[Key, ...]:
    """Return keys from lines such as ``unread?: integer = 0 — how many messages the holder has not read``.

    A key with ``?`` or a default may be absent. ``kind: text e.g. "group" — …`` gives an example for scaffolds.

    Raises:
        ValueError: a line is of another form, or names an unknown type.
    """
    found = []
    for line in filter(None, map(str.strip, lines.splitlines())):
        parts = _LINE.fullmatch(line)
        if parts is None or parts[3] not in TYPES:
            raise ValueError(
                f"'{line}' is no key; write 'name?: TYPE = default — meaning', TYPE one of {', '.join(TYPES)}"
            )
        name, optional, type_, default, example, meaning = parts.groups()
        found.append(Key(name, type_, not optional and default is None, default or "", meaning, example or ""))
    return tuple(found)


def own(lines: str) -> Entry:
    """Return the keys of a file itself, outside of any table; ``lines`` as in ``keys_from``."""
    return Entry("", keys_from(lines), is_list=False)


def many(meaning: str, lines: str, *, is_required: bool = False, **nested: Entry) -> Entry:
    """Return a kind of entry of which a file has any number, ``[[name]]``.

    Args:
        meaning: what an entry is.
        lines: its keys, as in ``keys_from``.
        is_required: whether the file must have one.
        nested: key of the type ``tables`` → what each of these tables is.
    """
    return Entry(meaning, keys_from(lines), is_required=is_required, nested=nested)


def one(meaning: str, lines: str, *, is_required: bool = True) -> Entry:
    """Return a kind of entry of which a file has one, ``[name]``; ``lines`` as in ``keys_from``."""
    return Entry(meaning, keys_from(lines), is_list=False, is_required=is_required)


def mapping(meaning: str, example: str, *, is_required: bool = False) -> Entry:
    """Return a kind of entry of which a file has one, with any keys; ``example`` is a line of it for scaffolds."""
    return Entry(meaning, (), is_list=False, is_required=is_required, is_open=True, example=example)


_ACCOUNT = """
person?: person — whose account it is; or organisation
organisation?: text — the key of the organisation whose account it is
name?: text — the name that the app shows; default: the person's own
address?: text — the mail address; default: the person's own
handle?: text — the account's own short name
"""


def accounts(lines: str = "", meaning: str = "who has an account in the app", *, is_required: bool = True) -> SpecFile:
    """Return the declaration of ``accounts.toml``: common keys and those of an app; ``lines`` as in ``keys_from``."""
    own = {key.name: key for key in keys_from(lines)}
    common = {key.name: key for key in keys_from(_ACCOUNT)}
    entry = Entry("an account", tuple({**common, **own}.values()))
    return SpecFile("accounts.toml", meaning, {"accounts": entry}, is_required=is_required)


PROMPTS = SpecFile(
    "prompts.toml",
    "prompts to try for somebody who has just connected the app",
    {
        "prompts": many(
            "a prompt",
            """
            text: markup — what the person types
            with?: texts — other apps that it needs
            tools?: texts — the tools that it needs; if absent, each app's menu for assistants
            me?: text — the key of the person who would type it; if absent, the world's protagonist
            """,
        )
    },
)
LIFE = SpecFile(
    "life.toml",
    "how lively the app's messages are (docs/worlds.md#life)",
    {
        "": own("binding: boolean e.g. false — whether a measure out of its range is an error"),
        "ranges": many(
            "the range of a measure",
            """
            measure: text — its name
            language?: text — zh or en; all, if absent
            from: number — the least share
            to: number — the greatest share
            source: text — where the range comes from
            """,
        ),
    },
)
TALK = SpecFile("talk/*.md", "conversations: who said what, when (docs/worlds.md#talk)", {})
SCHEDULED_TALK = SpecFile("scheduled/*.md", "conversations of the week after the start, if the clock is live", {})
