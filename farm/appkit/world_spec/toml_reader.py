"""Reads a specification's files; error messages name the file and the key."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar

from farm.appkit.world_spec.problems import collected, report
from farm.errors import FarmError

T = TypeVar("T")

# Keys that identify an entry in messages.
_NAMES = ("key", "person", "organisation")


class WorldError(FarmError):
    """A specification is invalid; the message names the place, the mistake and the valid alternatives."""


@contextmanager
def errors_at(where: str) -> Iterator[None]:
    """Turn a ``ValueError`` or an overflow in the block into a ``WorldError`` that begins with ``where``."""
    try:
        yield
    except (ValueError, OverflowError) as problem:
        raise WorldError(f"{where}: {problem}") from problem


def nearest(key: str, have: Iterable[str]) -> str:
    """Return the names most similar to ``key``, or the first few if none is similar."""
    names = sorted(have)
    return ", ".join(difflib.get_close_matches(key, names, n=3, cutoff=0.5) or names[:5]) or "none"


def require(what: str, key: str, have: Mapping[str, T], where: str) -> T:
    """Return ``have[key]``.

    Raises:
        WorldError: the key does not exist; the message proposes the nearest ones. While problems are collected, the
            nearest one stands in for it.
    """
    if not isinstance(key, str):
        raise WorldError(f"{where}: a {what} is named by a text, not {key!r}")
    if key in have:
        return have[key]
    problem = WorldError(f"{where}: no {what} '{key}'; nearest: {nearest(key, have)}")
    if not have:
        raise problem
    report(problem)
    return have[(difflib.get_close_matches(key, have, n=1, cutoff=0.0) or [*have])[0]]


def require_texts(entry: Mapping[str, Any], where: str) -> None:
    """Raise WorldError if a value of the entry is not a text."""
    odd = next((name for name, value in entry.items() if not isinstance(value, str)), None)
    if odd is not None:
        raise WorldError(f"{where}: '{odd}' must be a text, not {entry[odd]!r}")


def read_toml(path: Path, where: str, render: Callable[[str, str], str]) -> dict[str, Any]:
    """Return a TOML file; ``where`` is its name in messages, ``render`` replaces its references to facts.

    Raises:
        WorldError: the file is missing or is not TOML.
    """
    try:
        return tomllib.loads(render(path.read_text("utf-8"), where))
    except FileNotFoundError as missing:
        raise WorldError(f"{where}: no such file; a world needs '{path}'") from missing
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise WorldError(f"{where}: {problem}") from problem


def read_page(path: Path, where: str, render: Callable[[str, str], str]) -> tuple[dict[str, Any], str]:
    """Return the front matter of a page (TOML between ``+++`` lines) and the text below it.

    Raises:
        WorldError: the page has no front matter, or an invalid one.
    """
    parts = render(path.read_text("utf-8"), where).split("+++\n", 2)
    if len(parts) != 3 or parts[0].strip():
        raise WorldError(f"{where}: begins with no front matter; put TOML between two lines '+++'")
    try:
        said = tomllib.loads(parts[1])
    except tomllib.TOMLDecodeError as problem:
        raise WorldError(f"{where}: {problem}") from problem
    return said, parts[2]


def check_keys(entry: Mapping[str, Any], keys: str, where: str) -> None:
    """Raise WorldError with every key that an entry lacks, and every unknown one.

    Args:
        entry: the entry.
        keys: the allowed names in one text; optional ones end in ``?``.
        where: the entry's name in messages.
    """
    if problems := [*key_problems(entry, keys, where)]:
        raise WorldError("\n".join(problems))


def key_problems(entry: Mapping[str, Any], keys: str, where: str) -> Iterator[str]:
    """Yield the unknown keys of an entry and those that it lacks, one line each; arguments as of ``check_keys``."""
    names = {name.rstrip("?"): name.endswith("?") for name in keys.split()}
    for key in entry:
        if key not in names:
            yield f"{where}: no key '{key}'; nearest: {nearest(key, names)}"
    for name, may_lack in names.items():
        if not may_lack and name not in entry:
            yield f"{where}: lacks '{name}'"


def tables_of(read: Mapping[str, Any], where: str, kinds: Mapping[str, str]) -> dict[str, list[dict[str, Any]]]:
    """Return kind → entries of a file that contains only arrays of tables, ``[[kind]]``.

    Args:
        read: the parsed file.
        where: its name in messages.
        kinds: kind → the keys of its entries, in the form of ``check_keys``.
    """
    found: dict[str, list[dict[str, Any]]] = {kind: [] for kind in kinds}
    for kind, entries in read.items():
        if kind not in kinds:
            report(WorldError(f"{where}: no kind of entry '{kind}'; nearest: {nearest(kind, kinds)}"))
        elif not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
            report(WorldError(f"{where}: '{kind}' is no array of tables; write [[{kind}]]"))
        else:
            for number, each in enumerate(entries, start=1):
                place = f"{where}: {kind} {name_of_entry(each, number)}"
                try:
                    found[kind].append(_with_known_keys(each, kinds[kind], place))
                except WorldError as problem:
                    leave_out(problem, each)
    return found


def _with_known_keys(entry: dict[str, Any], keys: str, where: str) -> dict[str, Any]:
    """Return an entry without unknown keys, which are reported; raises ``WorldError`` if it cannot be used."""
    problems = [*key_problems(entry, keys, where)]
    known = {name.rstrip("?") for name in keys.split()}
    usable = {name: value for name, value in entry.items() if name in known}
    require_texts({name: usable[name] for name in _NAMES if name in usable}, where)
    if [*key_problems(usable, keys, where)]:
        raise WorldError("\n".join(problems))
    if problems:
        report(WorldError("\n".join(problems)))
    return usable


def leave_out(problem: FarmError, entry: Mapping[str, Any], app: str = "") -> None:
    """Record a problem for which an entry cannot be used, if problems are collected, and raise it otherwise.

    Args:
        problem: the problem.
        entry: the entry.
        app: the only app that can refer to it; empty for all.
    """
    report(problem)
    if problems := collected():
        problems.left_out.update((app, value) for name in _NAMES if isinstance(value := entry.get(name), str))
        problems.unread += 1


def name_of_entry(entry: Mapping[str, Any], number: int) -> str:
    """Return an entry's name in messages."""
    given = next((entry[key] for key in ("key", "person", "organisation", "title", "name") if key in entry), None)
    return str(number) if given is None else f"'{given}'"


def keys_of(kind: type[Any]) -> str:
    """Return the keys of a dataclass's table, in the form of ``check_keys``."""
    return " ".join(
        f"{each.name}{'' if each.default is MISSING and each.default_factory is MISSING else '?'}"
        for each in fields(kind)
    )


def by_key(entries: Iterable[dict[str, Any]], what: str, where: str) -> dict[str, dict[str, Any]]:
    """Return key → entry.

    Raises:
        WorldError: two entries have the same key.
    """
    found: dict[str, dict[str, Any]] = {}
    for each in entries:
        if each["key"] in found:
            raise WorldError(f"{where}: {what} '{each['key']}' stands there twice")
        found[each["key"]] = each
    return found
