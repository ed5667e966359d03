"""The texts of a specification as they stand in its files, with their authors and times where the file says so."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from farm.appkit.world_spec.app_spec import AppSpec
from farm.appkit.world_spec.facts import FactError
from farm.appkit.world_spec.open_minutes import draw_talk_minutes
from farm.appkit.world_spec.talk import Message, ScriptError, read_talk
from farm.world.spec import Spec

TALKS = ("talk", "scheduled")
# Keys of an entry that name who wrote its texts, and when.
_AUTHORS = ("by", "from", "author", "person", "who")
_TIMES = ("at", "edited", "created")
_TITLES = ("subject", "title", "name", "path", "key")  # how somebody writes is not measured by them
_TURN = re.compile(r"[+-]\d{1,5} \d{1,2}:\d{2} [<>] ")  # the head of a turn in a conversation
_CHANGED_LATER = ("topic", "description")  # a channel's, at a time that its file does not say
_OFFSET = re.compile(r"[+-]\d{1,5}(?: \d{1,2}:\d\d)?")
# A flag that names other messages by their times: "{edited: -3 10:00}", "{forward: team: -3 10:00, -3 10:02}".
_TIMED = re.compile(r"(?:[\w.\-]+: )?(?:[+-]\d{1,5}(?: \d{1,2}:\d\d)?(?:, )?)+")
# A reference before the colon of a message, outside its flags.
_REFERRED = re.compile(r"^ *- (?:[^:{}\n]*(?::\d\d[^:{}\n]*)?)(\{\{[^{}]*\}\})(?=[^\n]*:)", re.MULTILINE)
# Names, addresses, paths, rules of recurrence, pictures with their sizes, and lists of people's keys: no words.
_NO_TEXT = re.compile(r"[\w.@/#:;+&=?%~\-]*(?: \d+x\d+)?|[a-z]+\.[a-z]+\d?[?*~]?(?: [a-z]+\.[a-z]+\d?[?*~]?)+")
# An id, and a file's name with digits.
_VALUE = re.compile(r"[A-Z]+-?\d{2}|^[^/@]*\d[^/@]*\.[a-z]{3,4}$")
_NUMBER = re.compile(r"[\d.,:%]{1,7}")  # longer ones are those of accounts


@dataclass(frozen=True)
class SpecText:
    """One text of a file: a message, a line of a page, or a value of a table.

    Attributes:
        app: the app whose part it is.
        file: the file below ``spec/``.
        line: its line, counted from 1; 0 if unknown.
        text: the text with its references.
        author: the key of the person who wrote it; empty if unknown.
        at: when; None if unknown.
        said: what somebody says, without the names of attachments; empty for a subject or title.
    """

    app: str
    file: str
    line: int
    text: str
    author: str = ""
    at: datetime | None = None
    said: str | None = None

    @property
    def place(self) -> str:
        """File and line, for messages."""
        return f"{self.file}:{self.line}" if self.line else self.file


def spec_texts(spec: Spec) -> Iterator[SpecText]:
    """Yield the texts of every app's part, file by file.

    Raises:
        FactError: a file cannot be read with its references as they stand; the message has file and line.
    """
    for part in spec.apps.values():
        yield from app_texts(part)


def app_texts(part: AppSpec) -> Iterator[SpecText]:
    """Yield the texts of an app's part, file by file; raises ``FactError`` as ``spec_texts``."""
    for name in TALKS:
        yield from _talk(part, name)
    for path in sorted(part.folder.rglob("*")):
        relative = path.relative_to(part.folder)
        if path.suffix == ".toml" and path.name != "life.toml":
            yield from _tables(part, path, f"{part.app}/{relative}")
        elif path.suffix == ".md" and relative.parts[0] not in TALKS and path.stem != "README":
            yield from _page(part, path, f"{part.app}/{relative}")


def _talk(part: AppSpec, folder: str) -> Iterator[SpecText]:
    def with_heads(text: str, where: str) -> str:
        return draw_talk_minutes(_with_plain_heads(text, where), where, part.number)

    try:
        talk = read_talk(part.folder / folder, f"{part.app}/{folder}", part.world.days, with_heads)
    except ScriptError as problem:
        raise FactError(str(problem)) from None
    for messages in talk.values():
        for message in messages:
            for each in (message, *message.replies):
                yield _message(part.app, each)


def _with_plain_heads(text: str, where: str) -> str:
    """Return a file of messages as it stands; who said something and when are written out, not referred to."""
    if found := _REFERRED.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise FactError(
            f"{where}:{line}: '{found[1]}' stands for a time or an author; write it out: '- -3 09:12 ada: …'"
        )
    return text


def _message(app: str, message: Message) -> SpecText:
    file, _, line = message.place.rpartition(":")
    words = [message.text, *(value for value in message.flags.values() if not _TIMED.match(value))]
    return SpecText(app, file, int(line), "\n".join(filter(None, words)), message.author, message.at, message.text)


def _page(part: AppSpec, path: Path, file: str) -> Iterator[SpecText]:
    text = part.with_minutes(path.read_text("utf-8"), file)
    head, _, body = text.removeprefix("+++\n").partition("+++\n")
    front: Mapping[str, Any] = _parsed(head, file)
    author, at = _author(front), _at(part, front, file)
    first = text.count("\n", 0, len(text) - len(body)) + 1
    yield from _values(part, front, file, text, author, at)
    for number, line in enumerate(body.splitlines(), start=first):
        if line.strip():
            yield SpecText(part.app, file, number, line, author, at)


def _tables(part: AppSpec, path: Path, file: str) -> Iterator[SpecText]:
    text = part.with_minutes(path.read_text("utf-8"), file)
    yield from _values(part, _parsed(text, file), file, text, "", None)


def _parsed(text: str, file: str) -> Mapping[str, Any]:
    """Return TOML, with references to numbers in quotes as they stand."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise FactError(f"{file}: {problem}; a reference to a number stands in quotes, too") from None


def _values(part: AppSpec, value: Any, file: str, source: str, author: str, at: datetime | None) -> Iterator[SpecText]:
    if isinstance(value, Mapping):
        author, at = _author(value) or author, _at(part, value, file) or at
        for name, each in value.items():
            if name not in _TIMES:
                found = _values(part, each, file, source, author, None if name in _CHANGED_LATER else at)
                yield from (replace(text, said="") for text in found) if name in _TITLES else found
            # A file's name may stand in the place of a key.
            yield from _values(part, name, file, source, author, at)
    elif isinstance(value, list):
        for each in value:
            if isinstance(each, str) and _NUMBER.fullmatch(each):  # a cell; the value of a key is a setting
                yield SpecText(part.app, file, _line(source, each), each, author, at)
            # A list within a list is a row of a base or a line of a table: written later than what it stands in.
            yield from _values(part, each, file, source, author, None if isinstance(each, list) else at)
    elif isinstance(value, str) and _is_text(value):
        value = _TURN.sub("", value)
        yield SpecText(part.app, file, _line(source, value), value, author, at)


def _is_text(value: str) -> bool:
    if _OFFSET.fullmatch(value):
        return False
    return not _NO_TEXT.fullmatch(value) or not value.isascii() or bool(_VALUE.search(value))


def _line(source: str, value: str) -> int:
    """Return the line of a value: that of its longest piece without line ends and escapes."""
    piece = max(re.split(r'[\n"\\\t]', value), key=len)
    at = source.find(piece) if piece else -1
    return source.count("\n", 0, at) + 1 if at >= 0 else 0


def _author(entry: Mapping[str, Any]) -> str:
    return next((entry[key] for key in _AUTHORS if isinstance(entry.get(key), str)), "")


def _at(part: AppSpec, entry: Mapping[str, Any], file: str) -> datetime | None:
    for key in _TIMES:
        said = entry.get(key)
        if isinstance(said, str):
            rendered = part.world.facts.render(said, file)
            try:
                return part.world.days.at(rendered)
            except ValueError:
                continue
    return None
