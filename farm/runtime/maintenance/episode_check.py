"""Checks that an episode's folder still holds what was written. Read only, even while a farm uses the folder.

Files are not opened as the app opens them: a log is not repaired, and a hot journal is replayed in a copy. A file that
changes during the check is checked again, and skipped if calls never pause: the app itself checks every file it opens.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import orjson

from farm.context.corrupt_file import CorruptFileError
from farm.context.files import EpisodeFiles, checksum
from farm.context.log import Sealed
from farm.context.settings import Settings
from farm.runtime.maintenance.finding import Finding

_TRIES = 5
_PAUSE_S = 0.05
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")  # https://www.sqlite.org/fileformat.html#the_rollback_journal
_SOUND_MAX = 4096
_sound: dict[str, list[int]] = {}  # a context's checksum → its writing calls, for contexts that SQLite has checked
_MEND = "restore a snapshot, reset the episode, or put it back from a copy"


class _DefectError(Exception):
    """A defect and the file that has it."""

    def __init__(self, path: str | Path, problem: str, *, is_log: bool = False) -> None:
        super().__init__(problem)
        self.path = str(path)
        self.is_log = is_log


@dataclass(frozen=True)
class Checked:
    """The findings in one episode's folder, and the numbers of checked things."""

    findings: tuple[Finding, ...]
    contexts: int = 0
    snapshots: int = 0


def check_episode(folder: Path, settings: Settings, stored: dict[str, str]) -> Checked:
    """Check one episode.

    Args:
        folder: its folder.
        settings: the settings that it was created with.
        stored: file name → shown name, of the snapshots that the registry lists.
    """
    findings = [found for app in settings.apps if (found := _check_context(folder, app)) is not None]
    snapshots = [path for path in (folder / "snapshots").glob("*") if path.is_dir()]
    for path in snapshots:
        findings += _check_snapshot(folder, path, settings.apps, stored.get(path.name))
    for stored_as in stored.keys() - {path.name for path in snapshots}:
        problem = f"snapshot '{stored[stored_as]}' is gone"
        findings.append(Finding("snapshot", f"{folder}/snapshots/{stored_as}", problem, "put it back from a copy"))
    return Checked(tuple(findings), len(settings.apps), len(snapshots))


def _check_context(folder: Path, app: str) -> Finding | None:
    """Check an app's context and its calls; again if they change meanwhile."""
    files = EpisodeFiles(str(folder), app)
    for _ in range(_TRIES):
        before = _standing(files)
        try:
            _require_sound(files)
            return None
        except FileNotFoundError as gone:
            wrong = _DefectError(gone.filename, "it is missing")
        except _DefectError as found:
            wrong = found
        if _standing(files) == before:
            return Finding("log" if wrong.is_log else "context", wrong.path, str(wrong), _MEND)
        time.sleep(_PAUSE_S)
    return None


def context_problem(files: EpisodeFiles) -> str | None:
    """Return the defect of an app's context and calls while no process uses them, or None."""
    try:
        _require_sound(files)
    except FileNotFoundError as gone:
        return f"{gone.filename} is missing"
    except _DefectError as wrong:
        return f"{os.path.basename(wrong.path)}: {wrong}"
    return None


def _standing(files: EpisodeFiles) -> list[tuple[str, int, int]]:
    """Return a fingerprint of an app's files, to detect changes."""
    found = []
    for name in sorted(files.names()):
        if name.startswith(f"{files.app}."):
            try:
                stat = os.stat(files.at(name))
            except FileNotFoundError:
                continue
            found.append((name, stat.st_size, stat.st_mtime_ns))
    return found


def _require_sound(files: EpisodeFiles) -> None:
    generation = files.newest()
    if generation is None:
        raise _DefectError(files.at(f"{files.app}.*.db"), f"the episode has no context of {files.app}")
    written = _written_calls(files.at(files.db_name(generation)), files.at(files.journal_name(generation)))
    log = files.log(generation)
    if not log.is_file():
        raise _DefectError(log, "it is missing, and its calls with it", is_log=True)
    _require_log_of(log, written)


def _written_calls(path: str, journal: str) -> list[int]:
    """Return the numbers of the writing calls in a context, after SQLite has checked it."""
    try:
        if not _is_hot(journal):
            # Untouched episodes are links to one file, a thousand times: it is checked once.
            digest = _digest(path)
            if digest not in _sound:
                if len(_sound) >= _SOUND_MAX:
                    _sound.clear()
                _sound[digest] = _checked(path, f"file:{quote(path)}?immutable=1")
            return _sound[digest]
        with tempfile.TemporaryDirectory(prefix="farm-doctor-") as scratch:
            # Its process was killed during a write. SQLite reverts that when the file is opened: here, in a copy.
            copy = f"{scratch}/copy.db"
            shutil.copyfile(path, copy)
            shutil.copyfile(journal, f"{copy}-journal")
            return _checked(path, f"file:{quote(copy)}?mode=rw")
    except sqlite3.DatabaseError as problem:
        raise _DefectError(path, f"SQLite cannot read it ({problem})") from problem


def _digest(path: str) -> str:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return checksum(descriptor)
    finally:
        os.close(descriptor)


def _is_hot(journal: str) -> bool:
    try:
        with open(journal, "rb") as file:
            return file.read(len(_JOURNAL_MAGIC)) == _JOURNAL_MAGIC
    except FileNotFoundError:
        return False


def _checked(path: str, uri: str) -> list[int]:
    with closing(sqlite3.connect(uri, uri=True)) as db:
        (found,) = db.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise _DefectError(path, f"SQLite's check fails ({found})")
        return [row[0] for row in db.execute("SELECT call FROM _journal WHERE call IS NOT NULL ORDER BY id")]


def _require_log_of(log: Path, written: list[int]) -> None:
    """Require that a log has every call of its context, in order, and at most one other writing call."""
    logged: dict[int, bool] = {}
    sealed, entries = _first_and_rest(log)
    for name, size in sealed.parts:
        part = log.parent / name
        if not part.is_file() or part.stat().st_size < size:
            raise _DefectError(
                part, f"it has lost some of the {size} bytes of calls that belong to {log.name}", is_log=True
            )
        _add(logged, part, _entries(part, part.read_bytes()[:size].splitlines(keepends=True), 1))
    if len(logged) != sealed.calls:
        raise _DefectError(log, f"{sealed.calls} calls were sealed, and its parts hold {len(logged)}", is_log=True)
    _add(logged, log, entries)
    last = written[-1] if written else 0
    if len(logged) < last:
        raise _DefectError(log, f"it ends with call {len(logged)}, and the context holds call {last}", is_log=True)
    not_written = {number for number, wrote in logged.items() if wrote} ^ set(written)
    # A killed process may leave one line without its commit; the app removes it when it opens the log.
    if not_written - {len(logged)} or any(number <= last for number in not_written):
        raise _DefectError(log, f"call {min(not_written)} is not the same in it and in the context", is_log=True)


def _add(logged: dict[int, bool], path: Path, entries: Iterator[tuple[int, bool]]) -> None:
    for number, wrote in entries:
        if number != len(logged) + 1:
            raise _DefectError(path, f"call {number} comes after call {len(logged)}", is_log=True)
        logged[number] = wrote


def _first_and_rest(log: Path) -> tuple[Sealed, Iterator[tuple[int, bool]]]:
    lines = log.read_bytes().splitlines(keepends=True)
    if lines and not lines[-1].endswith(b"\n"):
        lines.pop()  # incomplete, as a process was killed or is writing just now: this call was not answered
    if not lines:
        return Sealed(), iter(())
    try:
        sealed = Sealed.load(lines[0])
    except (ValueError, TypeError, KeyError) as problem:
        raise _DefectError(log, "it does not begin as a call log", is_log=True) from problem
    return sealed, _entries(log, lines[1:], 2)


def _entries(path: Path, lines: list[bytes], first: int) -> Iterator[tuple[int, bool]]:
    """Yield the number of each call and whether it wrote."""
    for line_number, line in enumerate(lines, first):
        try:
            entry = orjson.loads(line)
            if "n" in entry:
                yield entry["n"], entry.get("wrote", False)
        except (ValueError, TypeError, AttributeError) as problem:
            raise _DefectError(path, f"line {line_number} is no line of a call log", is_log=True) from problem


def _check_snapshot(folder: Path, path: Path, apps: tuple[str, ...], name: str | None) -> Iterator[Finding]:
    """Check one snapshot; ``name`` is None if the registry does not list it, or cannot be read."""
    shown = name or path.name
    for app in apps:
        files = EpisodeFiles(str(folder), app)
        db = files.snapshot_db(path.name)
        aside = Path(f"{db}.broken")
        if aside.is_file():
            way_out = "it cannot be restored; put it back from a copy, or drop the episode"
            yield Finding("quarantined", str(aside), f"snapshot '{shown}' was found broken", way_out)
            continue
        if not db.is_file():
            if name is not None:
                lacks = f"snapshot '{shown}' lacks {app}"
                yield Finding("snapshot", str(db), lacks, "put it back from a copy, or drop the episode")
            continue
        problem = _snapshot_problem(files, path.name)
        if problem is not None:
            way_out = "it is refused; --repair sets it aside, or put it back from a copy"
            told = f"snapshot '{shown}': {problem}"
            yield Finding("snapshot", str(db), told, way_out, repair=_set_aside(db, aside))
            continue
        with suppress(FileNotFoundError):  # dropped meanwhile
            lost = _lost_calls(files, path.name)
            if lost is not None:
                yield Finding("snapshot", str(db), f"snapshot '{shown}': {lost}", "put that file back from a copy")


def _snapshot_problem(files: EpisodeFiles, stored_as: str) -> str | None:
    try:
        raw = files.snapshot_log(stored_as).read_bytes()
        Sealed.load(raw)
        saved = orjson.loads(raw)["checksum"]
    except (FileNotFoundError, ValueError, TypeError, KeyError) as problem:
        return f"its list of calls cannot be read ({problem})"
    return None if _digest(str(files.snapshot_db(stored_as))) == saved else "its context is not what was saved"


def _lost_calls(files: EpisodeFiles, stored_as: str) -> str | None:
    try:
        files.require_parts(Sealed.load(files.snapshot_log(stored_as).read_bytes()))
    except CorruptFileError as problem:
        return str(problem).partition(";")[0]
    return None


def _set_aside(path: Path, aside: Path) -> Callable[[], str]:
    def repair() -> str:
        path.replace(aside)
        return f"set aside as {aside.name}"

    return repair
