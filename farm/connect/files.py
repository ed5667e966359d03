"""Merges servers into a client's own file without changing the rest of the file."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson

from farm.connect.clients import Client
from farm.connect.jsonc import insert, strip_comments
from farm.errors import ConflictError, FarmError

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_MARK = b"\xef\xbb\xbf"  # the byte order mark with which some editors begin a file
_BY_HAND = "enter the servers by hand, as shown without --write"
_HEADER = re.compile(r"^\s*\[")


# Entries that a version control system keeps at the top of its folders.
_KEEPERS = (".git", ".hg", ".svn", ".jj")


@dataclass(frozen=True)
class Written:
    """The result of writing the file; ``backup`` is None if there was no earlier file."""

    file: Path
    backup: Path | None
    is_changed: bool


def under_version_control(file: Path) -> Path | None:
    """Return the folder under version control that contains this file, or None."""
    return next((each for each in file.parents if any((each / keeper).exists() for keeper in _KEEPERS)), None)


def merge(client: Client, config: Mapping[str, Any], file: Path) -> Written:
    """Enter the servers of ``config`` into the client's file and keep a backup.

    Raises:
        ConflictError: the file has a server of that name that is not a farm's.
        FarmError: the file has another format than the client reads, or cannot be written; it is unchanged.
    """
    # The file may be a link into a person's dotfiles; the link stays.
    file = Path(os.path.realpath(file.expanduser()))
    try:
        before = file.read_bytes() if file.exists() else None
        after = render(client, before, config, str(file))
        if after == before:
            return Written(file, None, False)
        file.parent.mkdir(parents=True, exist_ok=True)
        backup = None if before is None else _back_up(file)
        _replace(file, after)
    except OSError as problem:
        raise FarmError(f"{file} cannot be written: {problem.strerror}") from None
    return Written(file, backup, True)


def render(client: Client, before: bytes | None, config: Mapping[str, Any], where: str) -> bytes:
    """Return the file's new bytes; ``before`` None: there is no file yet."""
    if client.form == "toml":
        return _render_toml(client, (before or b"").decode("utf-8", "surrogateescape"), config, where)
    known, has_comments = _parse_json(before, where)
    servers = _table(config, client.place)
    merged = _merged(known, client.place, servers, where)
    if before is not None and merged == known:
        return before
    if before is not None and has_comments:
        return _insert_jsonc(before.decode(), client.place, servers, merged, where)
    return orjson.dumps(merged, option=orjson.OPT_INDENT_2) + b"\n"


def _parse_json(raw: bytes | None, where: str) -> tuple[dict[str, Any], bool]:
    """Return a file's contents, and whether it has comments or trailing commas, which editors accept."""
    if raw is None or not raw.strip():
        return {}, False
    raw = raw.removeprefix(_MARK)
    has_comments = False
    try:
        known = orjson.loads(raw)
    except orjson.JSONDecodeError as problem:
        try:
            known, has_comments = orjson.loads(strip_comments(raw.decode())), True
        except (UnicodeDecodeError, orjson.JSONDecodeError):
            raise FarmError(f"{where} is not JSON ({problem}), so it is left as it is; {_BY_HAND}") from None
    if not isinstance(known, dict):
        raise FarmError(f"{where} holds no JSON object, so it is left as it is")
    return known, has_comments


def _insert_jsonc(
    text: str, place: tuple[str, ...], servers: Mapping[str, Any], wanted: Mapping[str, Any], where: str
) -> bytes:
    """Return a file with comments and the servers; the result is parsed as a check."""
    made = insert(text, place, servers)
    if _read_jsonc(made) != wanted:
        raise FarmError(f"{where} has comments where they cannot be kept, so it is left as it is; {_BY_HAND}")
    return made.encode()


def _read_jsonc(text: str) -> Any:
    try:
        return orjson.loads(strip_comments(text.removeprefix(_MARK.decode())))
    except orjson.JSONDecodeError:
        return None


def _table(config: Mapping[str, Any], place: tuple[str, ...]) -> Mapping[str, Any]:
    for key in place:
        config = config[key]
    return config


def _merged(known: Mapping[str, Any], place: tuple[str, ...], servers: Mapping[str, Any], where: str) -> dict[str, Any]:
    if not place:
        for name in servers:
            if name in known and not is_ours(known[name]):
                raise ConflictError(
                    f"{where} has a server '{name}' that is not a farm's; choose other names with --prefix farm-"
                )
        return {**known, **servers}
    key, *rest = place
    inner = known.get(key, {})
    if not isinstance(inner, dict):
        raise FarmError(f"'{key}' in {where} is not a table of servers, so the file is left as it is")
    return {**known, key: _merged(inner, tuple(rest), servers, where)}


def is_ours(entry: Any) -> bool:
    """Return whether a client's entry was made by ``farm connect``, so that it may be replaced."""
    if not isinstance(entry, dict):
        return False
    if "url" in entry:
        return re.fullmatch(r"/mcp/[^/]+(/[^/]+)?", urlsplit(str(entry["url"])).path) is not None
    words = [str(entry.get("command", "")), *map(str, entry.get("args") or ())]
    program = Path(words[0].replace("\\", "/")).stem
    return (program == "farm" and words[1:2] == ["bridge"]) or words[1:4] == ["-m", "farm", "bridge"]


# -- TOML: the standard library only reads it, so our tables are replaced as text and the result is parsed as a check --


def _render_toml(client: Client, text: str, config: Mapping[str, Any], where: str) -> bytes:
    try:
        known = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise FarmError(f"{where} is not valid TOML ({problem}), so it is left as it is") from None
    servers = _table(config, client.place)
    wanted = _merged(known, client.place, servers, where)
    if wanted == known:
        return text.encode("utf-8", "surrogateescape")
    for name in servers:
        text = _without(text, (*client.place, name))
    blocks = [toml_tables((*client.place, name), entry) for name, entry in servers.items()]
    made = "\n".join([text.rstrip() + "\n" if text.strip() else "", *blocks]).lstrip("\n")
    if _read_toml(made) != wanted:
        raise FarmError(
            f"{where} writes its servers in a way that cannot be merged, so it is left as it is; {_BY_HAND}"
        )
    return made.encode("utf-8", "surrogateescape")


def _read_toml(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def toml_tables(path: tuple[str, ...], entry: Mapping[str, Any]) -> str:
    """Return one server as a TOML table."""
    lines = [f"[{'.'.join(map(_toml_key, path))}]"]
    lines += [f"{_toml_key(name)} = {_toml_value(value)}" for name, value in entry.items()]
    return "\n".join(lines) + "\n"


def _toml_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else orjson.dumps(key).decode()


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_toml_key(name)} = {_toml_value(each)}" for name, each in value.items()) + " }"
    # JSON strings, lists of strings, numbers and booleans are valid TOML, too.
    return orjson.dumps(value).decode()


def _without(text: str, path: tuple[str, ...]) -> str:
    """Return the text without the tables at and below ``path``."""
    kept, is_kept = [], True
    for line in text.splitlines(keepends=True):
        if _HEADER.match(line):
            is_kept = _header_path(line)[: len(path)] != path
        if is_kept:
            kept.append(line)
    return "".join(kept)


def _header_path(line: str) -> tuple[str, ...]:
    try:
        found: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()  # a line of a multi-line array that only looks like a table's head
    path = []
    while isinstance(found, dict) and found:
        key, found = next(iter(found.items()))
        path.append(key)
    return tuple(path)


# -- the file ---------------------------------------------------------------------------------------------------------


def _back_up(file: Path) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    backup = file.with_name(f"{file.name}.{stamp}.bak")
    shutil.copy2(file, backup)
    return backup


def _replace(file: Path, raw: bytes) -> None:
    """Replace the file by rename, so that the client never reads half of it; it may hold tokens: 0600."""
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(descriptor, "wb") as output:
        output.write(raw)
        output.flush()
        os.fsync(output.fileno())
    temporary.replace(file)
