"""Merges servers into a client's own file, or takes them out, without changing the rest of the file."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson

from farm.connect.clients import Client
from farm.connect.jsonc import delete, insert, strip_comments
from farm.connect.yaml_blocks import YamlTable
from farm.errors import ConflictError, FarmError

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_MARK = b"\xef\xbb\xbf"  # the byte order mark with which some editors begin a file
_BY_HAND = "change its servers by hand; 'farm connect' without --write shows them"
_HEADER = re.compile(r"^\s*\[")
_URL_KEYS = ("url", "httpUrl", "serverUrl", "uri")


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


def merge(client: Client, config: Mapping[str, Any], file: Path, hosts: Collection[str] = ()) -> Written:
    """Enter the servers of ``config`` into the client's file and keep a backup.

    Args:
        hosts: hosts of farms besides this machine; an entry that leads to one may be replaced.

    Raises:
        ConflictError: the file has a server of that name that is not a farm's.
        FarmError: the file has another format than the client reads, or cannot be written; it is unchanged.
    """
    return _change(file, lambda before, where: render(client, before, config, where, hosts))


def remove(client: Client, names: Collection[str], file: Path) -> Written:
    """Take servers out of the client's file and keep a backup.

    Raises:
        FarmError: the file has another format than the client reads, or cannot be written; it is unchanged.
    """
    return _change(file, lambda before, where: _render_without(client, before or b"", names, where))


def our_servers(client: Client, file: Path, hosts: Collection[str] = ()) -> dict[str, Mapping[str, Any]]:
    """Return the farms' servers in the client's file.

    Raises:
        FarmError: the file cannot be read, or has another format than the client reads.
    """
    file = file.expanduser()
    try:
        raw = file.read_bytes() if file.exists() else b""
    except OSError as problem:
        raise FarmError(f"{file} cannot be read: {problem.strerror}") from None
    return {name: entry for name, entry in _read_servers(client, raw, str(file)).items() if is_ours(entry, hosts)}


def _read_servers(client: Client, raw: bytes, where: str) -> Mapping[str, Any]:
    if client.form == "yaml":
        return YamlTable(raw.decode("utf-8", "surrogateescape"), client.place[0], where).entries()
    known = (
        _parse_toml(raw.decode("utf-8", "surrogateescape"), where)
        if client.form == "toml"
        else _parse_json(raw, where)[0]
    )
    for key in client.place:
        known = known.get(key, {})
        if not isinstance(known, dict):
            return {}
    return known


def _change(file: Path, change: Callable[[bytes | None, str], bytes]) -> Written:
    # The file may be a link into a person's dotfiles; the link stays.
    file = Path(os.path.realpath(file.expanduser()))
    try:
        before = file.read_bytes() if file.exists() else None
        after = change(before, str(file))
        if after == (before or b"") or after == before:
            return Written(file, None, False)
        file.parent.mkdir(parents=True, exist_ok=True)
        backup = None if before is None else _back_up(file)
        _replace(file, after)
    except OSError as problem:
        raise FarmError(f"{file} cannot be written: {problem.strerror}") from None
    return Written(file, backup, True)


def _render_without(client: Client, before: bytes, names: Collection[str], where: str) -> bytes:
    """Return the file's new bytes without some servers."""
    text = before.decode("utf-8", "surrogateescape")
    if not names:
        return before
    if client.form == "yaml":
        table = YamlTable(text, client.place[0], where)
        table.drop(names)
        return table.text().encode("utf-8", "surrogateescape")
    if client.form == "toml":
        known = _parse_toml(text, where)
        for name in names:
            text = _without(text, (*client.place, name))
        text = text.rstrip("\n") + "\n" if text.strip() else ""
        # A table whose last entry is gone is gone itself, unless it has a header of its own.
        wanted, found = _dropped(known, client.place, names), _read_toml(text) or {}
        if found != wanted and found != {key: value for key, value in wanted.items() if value != {}}:
            raise FarmError(f"{where} writes its servers in a way that cannot be edited, so it is left as it is")
        return text.encode("utf-8", "surrogateescape")
    known, has_comments = _parse_json(before, where)
    wanted = _dropped(known, client.place, names)
    if not has_comments:
        return orjson.dumps(wanted, option=orjson.OPT_INDENT_2) + b"\n"
    for name in names:
        text = delete(text, (*client.place, name))
    if _read_jsonc(text) != wanted:
        raise FarmError(
            f"{where} has comments where they cannot be kept, so it is left as it is; remove {', '.join(names)}"
        )
    return text.encode("utf-8", "surrogateescape")


def _dropped(known: Mapping[str, Any], place: tuple[str, ...], names: Collection[str]) -> dict[str, Any]:
    if not place:
        return {name: entry for name, entry in known.items() if name not in names}
    key, *rest = place
    inner = _dropped(known[key], tuple(rest), names)
    return {**known, key: inner}


def render(
    client: Client, before: bytes | None, config: Mapping[str, Any], where: str, hosts: Collection[str] = ()
) -> bytes:
    """Return the file's new bytes; ``before`` None: there is no file yet."""
    text = (before or b"").decode("utf-8", "surrogateescape")
    if client.form == "toml":
        return _render_toml(client, text, config, where, hosts)
    if client.form == "yaml":
        return _render_yaml(client, text, config, where, hosts)
    known, has_comments = _parse_json(before, where)
    servers = _table(config, client.place)
    merged = _merged(known, client.place, servers, where, hosts)
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
            raise FarmError(f"{where} is not JSON ({problem}), so it is left as it is; mend it first") from None
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


def _render_yaml(client: Client, text: str, config: Mapping[str, Any], where: str, hosts: Collection[str]) -> bytes:
    table, servers = YamlTable(text, client.place[0], where), _table(config, client.place)
    known = table.entries()
    _merged(known, (), servers, where, hosts)
    if any(known.get(name) != entry for name, entry in servers.items()):
        table.put(servers)
        text = table.text()
    return text.encode("utf-8", "surrogateescape")


def _merged(
    known: Mapping[str, Any], place: tuple[str, ...], servers: Mapping[str, Any], where: str, hosts: Collection[str]
) -> dict[str, Any]:
    if not place:
        for name in servers:
            if name in known and not is_ours(known[name], hosts):
                raise ConflictError(
                    f"{where} has a server '{name}' that is not a farm's; choose other names with --prefix farm-"
                )
        return {**known, **servers}
    key, *rest = place
    inner = known.get(key, {})
    if not isinstance(inner, dict):
        raise FarmError(f"'{key}' in {where} is not a table of servers, so the file is left as it is")
    return {**known, key: _merged(inner, tuple(rest), servers, where, hosts)}


def is_ours(entry: Any, hosts: Collection[str] = ()) -> bool:
    """Return whether a client's entry was made by ``farm connect``, so that it may be replaced or removed.

    Args:
        hosts: hosts of farms besides this machine.
    """
    if not isinstance(entry, dict):
        return False
    words = [str(entry.get("command", "")), *map(str, entry.get("args") or ())]
    url = url_of(entry)
    if url is not None:
        parts = urlsplit(url)
        is_here = parts.hostname in ("127.0.0.1", "localhost", "::1", *hosts)
        return is_here and re.fullmatch(r"/mcp(/[^/]+){0,2}/?", parts.path) is not None
    program = Path(words[0].replace("\\", "/")).stem
    return (program == "farm" and words[1:2] == ["bridge"]) or words[1:4] == ["-m", "farm", "bridge"]


def url_of(entry: Mapping[str, Any]) -> str | None:
    """Return the address in a client's entry, or None for a program."""
    found = next((entry[key] for key in _URL_KEYS if isinstance(entry.get(key), str)), None)
    words = list(map(str, entry.get("args") or ()))
    if found is None and "mcp-remote" in words:
        found = next((word for word in words if "://" in word), None)
    return found


# -- TOML: the standard library only reads it, so our tables are replaced as text and the result is parsed as a check --


def _parse_toml(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise FarmError(f"{where} is not valid TOML ({problem}), so it is left as it is; mend it first") from None


def _render_toml(client: Client, text: str, config: Mapping[str, Any], where: str, hosts: Collection[str]) -> bytes:
    known = _parse_toml(text, where)
    servers = _table(config, client.place)
    wanted = _merged(known, client.place, servers, where, hosts)
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
