"""Rows and files that an episode's start has in addition to the world's."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from farm import content
from farm.appkit.start_files import GivenFile, StartFiles
from farm.content import LoadedApp
from farm.context.added_times import require_times
from farm.context.template import load_world, read_rows, shift_rows
from farm.errors import FarmError, NotFoundError

ANY_APP = "*"  # in place of an app: every app whose server reads files of its machine
Rows = dict[str, tuple[Mapping[str, Any], ...]]
_ROWS_FORM = '\'rows\' are listed by app, as {"APP": [{"table": "TABLE", …}]}'
_FILES_FORM = '\'files\' are listed by app, as {"APP": {"PATH": {"text": "…"}}}, or with {"base64": "…"}'


@dataclass(frozen=True)
class Beginning:
    """What an added file depends on: the world and its shift, the person, and when the clock starts."""

    world: str | None
    shift_days: int
    me: str | None
    now_ms: int


def added_rows(rows: Any, files: Any, apps: Mapping[str, LoadedApp], beginning: Beginning) -> Rows:
    """Return app → the rows that a create request adds, those of its files included.

    Args:
        rows: the request's ``rows``: app → rows, each with its ``table``.
        files: the request's ``files``: app or ``*`` → path → ``{"text": …}`` or ``{"base64": …}``.
        apps: the episode's apps.
        beginning: what files depend on.

    Raises:
        NotFoundError: an app is not among the episode's, or keeps no files; the message lists those that do.
        FarmError: a value has the wrong form.
    """
    found: dict[str, list[Mapping[str, Any]]] = {}
    for app, listed in _by_app(rows, _ROWS_FORM).items():
        _require_app(app, apps, "rows")
        found[app] = [_row(app, each) for each in _list(listed)]
        for row in found[app]:
            require_times(apps[app].schema, row)
    for app, path, data in _files(files, apps):
        found.setdefault(app, []).extend(_rows_of_file(apps[app], path, data, beginning))
    return {app: tuple(each) for app, each in found.items() if each}


def _by_app(given: Any, form: str) -> Mapping[str, Any]:
    if given is not None and not isinstance(given, Mapping):
        raise FarmError(form)
    return given or {}


def _require_app(app: str, apps: Mapping[str, LoadedApp], what: str) -> None:
    if app not in apps:
        raise NotFoundError(f"there are {what} for '{app}', and no such app here; it has {', '.join(apps)}")


def _list(listed: Any) -> Sequence[Any]:
    if isinstance(listed, str | Mapping) or not isinstance(listed, Sequence):
        raise FarmError(_ROWS_FORM)
    return listed


def _row(app: str, row: Any) -> Mapping[str, Any]:
    if not isinstance(row, Mapping):
        raise FarmError(_ROWS_FORM)
    for name, value in row.items():
        if not isinstance(value, str | int | float | None):
            raise FarmError(
                f"a row of {app} holds texts, numbers and null, not {value!r}, in '{name}'; a column of lists or "
                "objects holds their JSON as a text"
            )
    return dict(row)


def _files(files: Any, apps: Mapping[str, LoadedApp]) -> Iterator[tuple[str, str, bytes]]:
    """Yield app, path and bytes of each file."""
    keeping = {name: each.app.files for name, each in apps.items() if each.app.files is not None} if files else {}
    for app, listed in _by_app(files, _FILES_FORM).items():
        if app != ANY_APP:
            _require_app(app, apps, "files")
            if app not in keeping:
                raise NotFoundError(f"{app} keeps no files; {_have(keeping)}")
        if not isinstance(listed, Mapping):
            raise FarmError(_FILES_FORM)
        for path, body in listed.items():
            if not path or path.endswith("/"):
                raise FarmError(f"'{path}' names no file: a path ends in the file's name, as in '{path}note.md'")
            data = _bytes(path, body)
            yield from ((each, path, data) for each in _takers(app, keeping, path, data))


def _takers(app: str, keeping: Mapping[str, StartFiles], path: str, data: bytes) -> list[str]:
    if app != ANY_APP:
        return [app]
    takers = [name for name, each in keeping.items() if each.is_of_machine and each.takes(data)]
    if not takers:
        raise NotFoundError(f"no app here reads the file '{path}' of its machine; {_have(keeping)}: name the app")
    return takers


def _have(keeping: Mapping[str, StartFiles]) -> str:
    return f"of this episode's apps, {', '.join(keeping)} keep files" if keeping else "no app of this episode does"


def _bytes(path: str, body: Any) -> bytes:
    match body:
        case {"text": str(text), **more} if not more:
            return text.encode()
        case {"base64": str(text), **more} if not more:
            try:
                return base64.b64decode(text, validate=True)
            except binascii.Error as problem:
                raise FarmError(f"the file '{path}' is not base64: {problem}") from None
    raise FarmError(f"the file '{path}' has a wrong form; {_FILES_FORM}")


def _rows_of_file(loaded: LoadedApp, path: str, data: bytes, beginning: Beginning) -> Sequence[Mapping[str, Any]]:
    assert loaded.app.files is not None
    start = _start(loaded, beginning)
    table, key = loaded.schema.account or ("", "")
    me = next((str(row[key]) for row in start if row["table"] == table and row.get("person") == beginning.me), "")
    rows = loaded.app.files.rows_of(GivenFile(path, data, me, beginning.now_ms, start))
    keys = {name: shape.key for name, shape in loaded.schema.shapes.items()}
    there = {(row["table"], *(row.get(key) for key in keys[row["table"]])) for row in start} if start else set()
    if any((row["table"], *(row.get(key) for key in keys[row["table"]])) in there for row in rows):
        raise FarmError(f"{loaded.app.name} has a file '{path}' already; give yours another name")
    return rows


def _start(loaded: LoadedApp, beginning: Beginning) -> list[dict[str, Any]]:
    path = content.find_rows(beginning.world, loaded.app.name) if beginning.world else None
    if path is None or beginning.world is None:
        return []
    return [*shift_rows(loaded.schema, read_rows(path), load_world(beginning.world), beginning.shift_days)]
