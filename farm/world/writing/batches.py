"""The batches of a world, ``write.toml`` beside world.toml: one entry is one file of ``spec/`` that somebody writes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from farm._util.names import list_names
from farm.appkit.world_spec.app_spec import AppSpec
from farm.appkit.world_spec.spec_file import SpecFile, many
from farm.appkit.world_spec.toml_reader import WorldError, nearest
from farm.world.spec import Spec

PATH = "write.toml"
FACTS_MAX, TEXTS_MIN, TEXTS_MAX = 8, 4, 24
_KINDS = ("story", "noise")
_KEY = re.compile(r"[a-z0-9][\w.-]*")
_OUTSIDER = re.compile(r"[^<>]+ <[^<>@ ]+@[^<>@ ]+>")
_CHAT = re.compile(r"#([\w.-]+)")
WRITE = SpecFile(
    PATH,
    "what is to be written, batch by batch",
    {
        "batches": many(
            "a file to write",
            """
            key: key — its name in prompts and messages
            app: text — the app
            file: text e.g. "talk/shop.md" — the file below spec/APP; an existing one is checked, and never overwritten
            place: text e.g. "#shop" — a chat as #KEY, a mailbox, a note with its comments, a page
            days: texts e.g. ["-4", "-2"] — the first and the last day
            speakers: keys — who writes: people, users and programs by key, others as `Name <address>`
            about: text — what happens
            kind?: text = "story" — story, or noise: no fact and no value
            facts?: texts — facts to tell, at most 8; KEY#VERSION for a former or wrong value
            texts?: integer = 14 — how many texts, 4 to 24
            """,
        )
    },
)


@dataclass(frozen=True)
class Batch:
    """A file that somebody writes.

    Attributes:
        path: the file.
        declared: its declaration by the app; None for conversations, which have no keys.
        facts: (key, version) of the facts to tell; the version is empty for the present value.
        first: the first day, counted from the world's first Monday; ``last`` is the last one.
        last: see ``first``.
    """

    key: str
    app: str
    file: str
    path: Path
    declared: SpecFile | None
    place: str
    first: int
    last: int
    speakers: tuple[str, ...]
    about: str
    is_noise: bool
    facts: tuple[tuple[str, str], ...]
    texts: int

    @property
    def is_talk(self) -> bool:
        """Whether the file is a list of messages."""
        return self.declared is None

    @property
    def chats(self) -> tuple[str, ...]:
        """The keys of the chats that the place names."""
        return tuple(_CHAT.findall(self.place))


def read_batches(spec: Spec) -> list[Batch]:
    """Return the batches of a world, in their order.

    Raises:
        WorldError: everything that is wrong with the file, one line each; or there is none.
    """
    path = next((folder / PATH for folder in spec.folders if (folder / PATH).is_file()), spec.folders[0] / PATH)
    read = spec.toml(path, PATH)
    problems = list(WRITE.problems(read, PATH))
    if not problems:
        entries: list[dict[str, Any]] = read.get("batches", [])
        problems = [problem for entry in entries for problem in _problems(spec, entry)]
        files = [(entry["app"], entry["file"]) for entry in entries]
        twice = sorted({f"{app}/{file}" for app, file in files if files.count((app, file)) > 1})
        problems += [f"{PATH}: {name} is written by two batches; give each a file of its own" for name in twice]
    if problems:
        raise WorldError("\n".join(problems))
    return [_batch(spec, entry) for entry in entries]


def _batch(spec: Spec, entry: Mapping[str, Any]) -> Batch:
    first, last = map(int, entry["days"])
    part = spec.app(entry["app"])
    return Batch(
        key=entry["key"],
        app=entry["app"],
        file=entry["file"],
        path=part.folder / entry["file"],
        declared=_declared(part, entry["file"]),
        place=entry["place"],
        first=first,
        last=last,
        speakers=tuple(entry["speakers"]),
        about=entry["about"],
        is_noise=entry.get("kind") == "noise",
        facts=tuple((key, version) for key, _, version in (each.partition("#") for each in entry.get("facts", ()))),
        texts=entry.get("texts", 14),
    )


def _declared(part: AppSpec, file: str) -> SpecFile | None:
    """Return the declaration that a file fits; None for messages."""
    return None if _is_talk(file) else part.declaration_of(file)


def _is_talk(file: str) -> bool:
    return file.startswith(("talk/", "scheduled/")) and file.endswith(".md")


def _problems(spec: Spec, entry: Mapping[str, Any]) -> Iterator[str]:
    where = f"{PATH}: batches '{entry['key']}'"
    if not _KEY.fullmatch(entry["key"]):
        yield f"{where}: the key is part of file names; write small letters, digits and hyphens"
    if entry["app"] not in spec.apps:
        yield f"{where}: the world has no part of '{entry['app']}'; have {list_names(spec.apps, entry['app'])}"
    else:
        yield from _problems_of_file(spec.app(entry["app"]), entry, where)
    days = entry["days"]
    if len(days) != 2 or not all(re.fullmatch(r"[+-]\d{1,5}", day) for day in days) or int(days[0]) > int(days[1]):
        yield f'{where}: \'days\' is the first and the last day, such as ["-4", "-2"], not {days!r}'
    if entry.get("kind", "story") not in _KINDS:
        yield f"{where}: 'kind' is one of {', '.join(_KINDS)}, not '{entry['kind']}'"
    if not TEXTS_MIN <= entry.get("texts", TEXTS_MIN) <= TEXTS_MAX:
        yield f"{where}: 'texts' is {TEXTS_MIN} to {TEXTS_MAX}: in longer batches voices run together"
    yield from _problems_of_facts(spec, entry, where)


def _problems_of_file(part: AppSpec, entry: Mapping[str, Any], where: str) -> Iterator[str]:
    file = entry["file"]
    if PurePosixPath(file).is_absolute() or ".." in PurePosixPath(file).parts:
        yield f"{where}: the file '{file}' is not below spec/{part.app}/"
    elif part.declaration_of(file) is None:
        paths = ", ".join(each.path for each in part.files)
        yield f"{where}: {part.app} reads no file '{file}'; have {paths}"
    have = {*part.world.people, *_keys_in(part)}
    for speaker in entry["speakers"]:
        if speaker not in have and not _OUTSIDER.fullmatch(speaker):
            yield f"{where}: no speaker '{speaker}'; nearest: {nearest(speaker, have)}"


def _keys_in(part: AppSpec) -> Iterator[str]:
    """Yield the keys of the entries of an app's own files: its users and programs, and more."""
    for path in sorted(part.folder.glob("*.toml")):
        for entries in part.world.toml(path, part.where(path.name)).values():
            for entry in entries if isinstance(entries, list) else ():
                if isinstance(entry, dict) and isinstance(entry.get("key"), str):
                    yield entry["key"]


def _problems_of_facts(spec: Spec, entry: Mapping[str, Any], where: str) -> Iterator[str]:
    facts = entry.get("facts", ())
    if facts and entry.get("kind") == "noise":
        yield f"{where}: noise tells no fact; leave 'facts' out"
    if len(facts) > FACTS_MAX:
        yield f"{where}: {len(facts)} facts are more than {FACTS_MAX}; make two batches"
    for each in facts:
        key, _, version = each.partition("#")
        if (fact := spec.facts.get(key)) is None:
            yield f"{where}: no fact '{key}'; nearest: {nearest(key, [one.key for one in spec.facts.values()])}"
        elif version and fact.version(version) is None:
            have = ", ".join(one.key for one in fact.versions) or "none"
            yield f"{where}: '{key}' has no former or wrong value '{version}'; have {have}"
