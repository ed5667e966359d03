"""Every episode's context of one app: created, opened, reset, snapshotted, restored, forked, compared and dropped.

One store in one process owns the files of its app. Open contexts are kept in a pool, the least recently used is closed
first, so that ten thousand episodes fit one machine. Nothing here waits: the caller runs it on the app's main thread
between calls, which is the lock.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from farm.content import LoadedApp
from farm.context import diff, limits
from farm.context.broken import WAY_OUT, Broken
from farm.context.context import Context
from farm.context.diff import Changes, Churn
from farm.context.files import EpisodeFiles, checksum, copy_checked, copy_new, write_new
from farm.context.log import Part, Sealed, lines_after, read_lines, read_parts
from farm.context.settings import Settings
from farm.context.template import Starts
from farm.errors import Conflict, NotFound
from farm.upkeep.work_folder import EXPORTS

OPEN_MAX = 256
ROWS_MAX = 1000
_KNOWN_MAX = 16_384
_NO_CALLS_BYTES = len(Sealed().dump())  # of a log that has none, and stands on none


@dataclass(slots=True)
class _Known:
    """What is known of an episode's folder once it was found in order: nobody else changes it while this process runs.

    Attributes:
        settings: what the episode was created with.
        generation: the one that holds.
        logs: names of the app's logs there; None as long as nobody asked.
        saved: those of them that hold calls of a snapshot.
        is_lost: whether the context of that generation is gone, and only its log tells of it.
    """

    settings: Settings
    generation: int
    logs: set[str] | None = None
    saved: set[str] = field(default_factory=set)
    is_lost: bool = False


class Store:
    """The contexts of one app below ``DATA/episodes``."""

    def __init__(self, loaded: LoadedApp, data: Path, *, open_max: int = OPEN_MAX) -> None:
        self.loaded = loaded
        self.episodes = data / "episodes"
        self._folder = str(self.episodes)
        self.starts = Starts(loaded, data / "starts")
        self._open: OrderedDict[str, Context] = OrderedDict()
        self._open_max = open_max
        self._known: dict[str, _Known] = {}
        self._broken: set[str] = set()  # episodes that could not be opened when last tried
        self._spares: dict[str, None] = {}  # episodes with a file that the next reset may write on, oldest first

    def files(self, episode_id: str) -> EpisodeFiles:
        """Return the files of this app in an episode."""
        return EpisodeFiles(f"{self._folder}/{episode_id}", self.loaded.app.name)

    def settings(self, episode_id: str) -> Settings:
        """Return what the episode was created with."""
        known = self._known.get(episode_id)
        return known.settings if known else Settings.load(f"{self._folder}/{episode_id}")

    def require(self, episode_id: str) -> Settings:
        """Return what an episode that has this app was created with.

        Raises:
            NotFound: no such episode, or it was created without this app.
        """
        return (self._known.get(episode_id) or self._look_at(episode_id)).settings

    def open(self, episode_id: str) -> Context:
        """Return the open context, opening it first when need be.

        Raises:
            NotFound: no such episode, or it was created without this app.
        """
        context = self._open.get(episode_id)
        if context is not None:
            self._open.move_to_end(episode_id)
            return context
        while len(self._open) >= self._open_max:
            self.close(next(iter(self._open)))
        try:
            try:
                context = self._opened(episode_id, self._known.get(episode_id) or self._look_at(episode_id))
            except FileNotFoundError:
                context = self._opened(episode_id, self._look_at(episode_id))
        except Broken:
            self._broken.add(episode_id)
            raise
        self._open[episode_id] = context
        self._broken.discard(episode_id)  # somebody has mended it
        return context

    def _opened(self, episode_id: str, known: _Known) -> Context:
        if known.is_lost:
            known = self._look_at(episode_id)  # somebody may have put it back
        files, settings, generation = self.files(episode_id), known.settings, known.generation
        if known.is_lost:
            raise Broken(f"{files.db(generation)} is missing; {WAY_OUT}")
        shared = self.starts.shared(settings.world, settings.shift_days, files.at(files.db_name(generation)))
        return Context(self.loaded.in_profile(settings.profile), files, settings, generation, shared)

    def _look_at(self, episode_id: str) -> _Known:
        """Bring an episode's folder in order and return what is known of it from then on."""
        self._known.pop(episode_id, None)
        settings, files = Settings.load(f"{self._folder}/{episode_id}"), self.files(episode_id)
        newest = files.clean(but_spare=episode_id in self._spares)
        generation = files.last_logged() if newest is None else newest
        if generation is None:
            raise NotFound(
                f"episode '{episode_id}' has no app '{files.app}'; it has {', '.join(settings.apps) or 'none'}"
            )
        return self._know(episode_id, _Known(settings, generation, is_lost=newest is None))

    def _know(self, episode_id: str, known: _Known) -> _Known:
        if len(self._known) >= _KNOWN_MAX:
            self._known.clear()
        self._known[episode_id] = known
        return known

    @property
    def open_count(self) -> int:
        """How many contexts are open."""
        return len(self._open)

    def close(self, episode_id: str) -> None:
        """Close the context if it is open."""
        context = self._open.pop(episode_id, None)
        if context:
            context.close()
        self._drop_spare(episode_id)

    def _drop_spare(self, episode_id: str) -> None:
        if episode_id in self._spares:
            del self._spares[episode_id]
            files = self.files(episode_id)
            files.unlink(files.spare_name)

    def close_all(self) -> None:
        """Close every open context and forget what is known of the others."""
        for episode_id in [*self._open, *self._spares]:
            self.close(episode_id)
        self._known.clear()

    def create(self, episode_id: str, start: bytes | None = None) -> None:
        """Write the start of an episode whose ``episode.json`` is there. Creating twice is the same as once.

        Args:
            start: another start than the world's; a reset goes back to the world's all the same.
        """
        settings = Settings.load(f"{self._folder}/{episode_id}")
        files = self.files(episode_id)
        if files.clean() is None and not _has_lines(files):
            # Empty as yet; here and not with the first call, which is waited for.
            os.close(os.open(files.at(files.log_name(0)), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
            limits.begin_anew(files, settings, 0)
            write_new(files.at(files.db_name(0)), start or self.starts.get(settings.world, settings.shift_days))
            self._know(episode_id, _Known(settings, 0))

    def reset(self, episode_id: str) -> None:
        """Go back to the start: no rows changed, no calls made. Snapshots stay."""
        settings = self.settings(episode_id)
        start = self.starts.get(settings.world, settings.shift_days)
        self._swap(episode_id, lambda path, spare: write_new(path, start, spare), Sealed())

    def snapshot(self, episode_id: str, name: str) -> None:
        """Save the context and where its log stands under a name.

        Raises:
            Conflict: the name is taken.
        """
        files = self.files(episode_id)
        path = files.at(files.saved_name(name))
        if os.path.exists(path):
            raise Conflict(f"episode '{episode_id}' has a snapshot '{name}' already")
        context = self.open(episode_id)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        sealed = context.sealed()
        if known := self._known.get(episode_id):
            known.saved.update(part for part, _ in sealed.parts)

        def write_list(copied: str) -> None:
            # Parts without a context are no snapshot, so the order of the two makes it whole or not there.
            with open(files.at(files.parts_name(name)), "wb", buffering=0) as parts:
                parts.write(sealed.dump(checksum=copied))

        context.copy_to(path, write_list)

    def prove(self, episode_id: str, name: str) -> tuple[str, Sealed]:
        """Return a snapshot's context and where its log stood, both as they were saved.

        Raises:
            NotFound: no such snapshot.
            Broken: it is not what was saved, or calls of it are missing; what is broken is set aside.
        """
        path, sealed, saved = self._listed(episode_id, name)
        files = self.files(episode_id)
        with open(path, "rb") as file:
            self._require_same(files, name, checksum(file.fileno()), saved)
        files.require_parts(sealed)
        return path, sealed

    def _listed(self, episode_id: str, name: str) -> tuple[str, Sealed, str]:
        """Return a snapshot's context, where its log stood, and the checksum that the context was saved with."""
        path, files = self._snapshot(episode_id, name), self.files(episode_id)
        try:
            with open(files.at(files.parts_name(name)), "rb", buffering=0) as parts:
                raw = parts.read()
            return path, Sealed.load(raw), orjson.loads(raw)["checksum"]
        except (FileNotFoundError, ValueError, TypeError, KeyError) as problem:
            raise self._lost(files, name, f"its list of calls cannot be read ({problem})") from problem

    def _require_same(self, files: EpisodeFiles, name: str, found: str, saved: str) -> None:
        if found != saved:
            raise self._lost(files, name, "its context is not what was saved")

    @staticmethod
    def _lost(files: EpisodeFiles, name: str, why: str) -> Broken:
        saved = files.saved_name(name)
        try:
            kept = files.set_aside(saved)
        except OSError:
            kept = files.at(saved)
        return Broken(f"snapshot '{name}' of {files.app} is broken: {why}; kept as {kept}, and nothing has changed")

    def restore(self, episode_id: str, name: str) -> None:
        """Bring the context and its calls back to a snapshot."""
        path, sealed, saved = self._listed(episode_id, name)
        files = self.files(episode_id)
        files.require_parts(sealed)

        def write(target: str, spare: str | None) -> None:
            with open(path, "rb", buffering=0) as source:
                # Proven as it is copied: until then the copy has no name, and nothing else is touched.
                check = partial(self._require_same, files, name, saved=saved)
                copy_checked(target, source.fileno(), check, spare)

        self._swap(episode_id, write, sealed)

    def fork(self, episode_id: str, target_id: str, snapshot: str | None = None) -> None:
        """Make the target's context a copy of this one, as it stands or as it was at a snapshot.

        The target's folder and ``episode.json`` must be there.
        """
        target = self.files(target_id)
        if target.newest() is not None:
            raise Conflict(f"episode '{target_id}' has a context of '{target.app}' already")
        limits.begin_anew(target, self.settings(target_id), self._copy(episode_id, target, snapshot))

    def export(self, episode_id: str, folder: str, snapshot: str | None = None) -> None:
        """Copy the context and its calls, as they stand or as they were at a snapshot, into a folder of ``exports``.

        Raises:
            NotFound: no such folder.
        """
        path = self.episodes.parent / EXPORTS / folder
        if not path.is_dir():
            raise NotFound(f"no folder {path}")
        self._copy(episode_id, EpisodeFiles(str(path), self.loaded.app.name), snapshot)

    def _copy(self, episode_id: str, target: EpisodeFiles, snapshot: str | None) -> int:
        """Copy an episode, as it stands or as it was at a snapshot; return how many calls it has."""
        source = self.files(episode_id)
        if snapshot is None:
            context = self.open(episode_id)
            sealed = context.sealed()
            self._carry_log(source, target, sealed)
            context.copy_to(target.db(0))
        else:
            saved, sealed = self.prove(episode_id, snapshot)
            self._carry_log(source, target, sealed)
            _copy_file(saved, target.at(target.db_name(0)))
        return sealed.calls

    def _carry_log(self, source: EpisodeFiles, target: EpisodeFiles, sealed: Sealed) -> None:
        parts = tuple(self._carry(source, target, index, part) for index, part in enumerate(sealed.parts))
        target.log(0).write_bytes(Sealed(parts, sealed.calls).dump())

    @staticmethod
    def _carry(source: EpisodeFiles, target: EpisodeFiles, index: int, part: Part) -> Part:
        """Bring a sealed part into another episode's folder, as a second name of the same bytes where that works."""
        name, size = part
        carried = f"{target.app}.part{index}.log"
        try:
            os.link(source.folder / name, target.folder / carried)
        except OSError:
            shutil.copyfile(source.folder / name, target.folder / carried)
        return carried, size

    def drop(self, episode_id: str) -> None:
        """Close the context and remove this app's files; the folder goes with its last app."""
        self.close(episode_id)
        self._known.pop(episode_id, None)
        self._broken.discard(episode_id)
        folder = self.episodes / episode_id
        for path in folder.glob(f"{self.loaded.app.name}.*"):
            path.unlink(missing_ok=True)
        for path in folder.glob(f"snapshots/*/{self.loaded.app.name}.*"):
            path.unlink(missing_ok=True)

    def diff(self, episode_id: str, since: str = "start") -> diff.Changes:
        """Return what changed since the start or since a snapshot."""
        context = self.open(episode_id)
        if since == "start":
            return diff.since_start(context.reader, self.loaded.schema)
        saved, _ = self.prove(episode_id, since)
        return diff.since_copy(context.connection, self.loaded.schema, saved)

    def churn(self, episode_id: str, since: str = "start") -> Churn:
        """Return what was done since the start or since a snapshot, and undone."""
        after = -1 if since == "start" else self._listed(episode_id, since)[1].calls
        return diff.churn(self.open(episode_id).reader, self.loaded.schema, after)

    def changes_by_call(self, episode_id: str, after: int = 0) -> dict[int, Changes]:
        """Return what each call later than ``after`` changed, by the call's number."""
        return diff.by_call(self.open(episode_id).reader, self.loaded.schema, after)

    def calls(self, episode_id: str) -> list[dict[str, Any]]:
        """Return every logged call in order, moves of the clock left out."""
        return list(self.each_call(episode_id))

    def each_call(self, episode_id: str) -> Iterator[dict[str, Any]]:
        """Yield what ``calls`` returns, a call at a time."""
        context = self.open(episode_id)
        sealed = read_parts(context.files.folder, context.log.sealed.parts)
        return (entry for entry in chain(sealed, read_lines(context.log.path)) if "n" in entry)

    def read_calls(self, episode_id: str, sealed: Sealed) -> None:
        """See to it that sealed calls can be read.

        Raises:
            Broken: a line of them is no JSON.
        """
        for _ in read_parts(self.files(episode_id).folder, sealed.parts):
            pass

    def call_lines(self, episode_id: str, after: int = 0) -> Iterator[bytes]:
        """Yield the JSON of every logged call numbered above ``after``, in order."""
        log = self.open(episode_id).log
        if after < log.sealed.calls:
            folder = log.path.parent
            for name, size in log.sealed.parts:
                yield from lines_after(folder / name, after, size)
        yield from lines_after(log.path, after)

    def rows(
        self, episode_id: str, table: str, *, at: str | None = None, after: int = 0, limit: int = 100
    ) -> dict[str, Any]:
        """Return rows of one table by key, from the ``after``-th on: ``{"rows", "total", "next"}``."""
        shape = self.loaded.schema.shapes.get(table)
        if shape is None:
            raise NotFound(
                f"no table '{table}' in {self.loaded.app.name}; have {', '.join(sorted(self.loaded.schema.shapes))}"
            )
        order = ", ".join(f'"{key}"' for key in shape.key)
        page = f'SELECT * FROM "{table}" ORDER BY {order} LIMIT ? OFFSET ?'
        limit, after = min(max(limit, 1), ROWS_MAX), max(after, 0)
        saved = None if at is None else _read_only(self.prove(episode_id, at)[0])
        db = saved or self.open(episode_id).reader
        try:
            total = db.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
            rows = [dict(row) for row in db.execute(page, (limit, after))]
        finally:
            if saved:
                saved.close()
        following = after + len(rows)
        return {"rows": rows, "total": total, "next": following if following < total else None}

    def clock_ms(self, episode_id: str) -> int:
        """Return the simulated time now, in milliseconds since 1970."""
        return self.open(episode_id).now_ms(False)

    def set_clock(self, episode_id: str, to_ms: int) -> None:
        """Move the clock forward."""
        self.open(episode_id).set_clock(to_ms)

    def snapshots(self, episode_id: str) -> list[str]:
        """Return the names of this app's snapshots, sorted."""
        return sorted(
            path.parent.name for path in self.files(episode_id).folder.glob(f"snapshots/*/{self.loaded.app.name}.db")
        )

    def _snapshot(self, episode_id: str, name: str) -> str:
        files = self.files(episode_id)
        path = files.at(files.saved_name(name))
        if os.path.isfile(f"{path}.broken"):
            raise Broken(f"snapshot '{name}' of {files.app} is broken, and kept as {path}.broken")
        if not os.path.isfile(path):
            have = ", ".join(self.snapshots(episode_id)) or "none"
            raise NotFound(f"no snapshot '{name}' of episode '{episode_id}'; have {have}")
        return path

    def _swap(self, episode_id: str, write: Callable[[str, str | None], None], sealed: Sealed) -> None:
        """Write a new state as the next generation, then let the old one go, with its log where nothing names that.

        The file of the generation that goes is kept as a spare for the next swap: to write on a file that nobody uses
        takes half the time of making one, and leaves nothing to remove.
        """
        opened = self._open.get(episode_id)
        known = self._known.get(episode_id) or self._look_at(episode_id)
        # Until all is done: what breaks off is found and put in order by the next who looks.
        del self._known[episode_id]
        files, old, new = self.files(episode_id), known.generation, known.generation + 1
        is_broken = opened is None and self._is_broken(episode_id, files, known)
        if known.logs is None:
            known.logs = self._logs(files, known)
        # Before the context that it belongs to: a log that is missing then is a loss, and not one that nobody began.
        with open(files.at(files.log_name(new)), "wb", buffering=0) as log:
            if sealed.parts:
                log.write(sealed.dump())
        spare = files.at(files.spare_name) if episode_id in self._spares else None
        try:
            write(files.at(files.db_name(new)), spare)
        except Broken:
            self._spares.pop(episode_id, None)
            files.unlink(files.log_name(new))
            raise
        self._spares.pop(episode_id, None)
        if opened:
            del self._open[episode_id]
            opened.close()
            self._keep_spare(episode_id, files, old)
        elif is_broken:
            files.set_aside(files.db_name(old))
        else:
            files.unlink(files.db_name(old))
        limits.begin_anew(files, known.settings, sealed.calls)
        files.unlink(files.journal_name(old))
        kept = {files.log_name(new), *(name for name, _ in sealed.parts)} | known.saved
        if is_broken and files.log_name(old) in kept:
            # The calls of a snapshot stay where it looks for them, whatever became of those that came after.
            files.keep_too(files.log_name(old))
        for name in known.logs - kept:
            if is_broken:
                files.set_aside(name)
            else:
                files.unlink(name)
        known.logs = (known.logs & kept) | {files.log_name(new)}
        known.generation, known.is_lost = new, False
        self._broken.discard(episode_id)
        self._know(episode_id, known)

    def _is_broken(self, episode_id: str, files: EpisodeFiles, known: _Known) -> bool:
        """Say whether what holds now cannot be opened, as is proved by trying: then it is kept, whatever comes next."""
        if known.is_lost:
            return True
        if episode_id not in self._broken and _has_no_calls(files.at(files.log_name(known.generation))):
            return False  # a start, and nothing would be lost with it
        try:
            Context(self.loaded.in_profile(known.settings.profile), files, known.settings, known.generation).close()
        except Broken:
            return True
        return False

    @staticmethod
    def _logs(files: EpisodeFiles, known: _Known) -> set[str]:
        """Return the logs there are, those of a swap that was killed removed, and take note of those of snapshots."""
        names = files.names()
        if "snapshots" in names:
            known.saved |= files.named_by_snapshots()
        killed = files.of_generation(names, known.generation + 1)
        for name in killed:
            files.unlink(name)
        return files.logs(names) - killed

    def _keep_spare(self, episode_id: str, files: EpisodeFiles, old: int) -> None:
        """Keep the file of a generation that was open; what nobody has open is not likely to be swapped again soon."""
        try:
            os.rename(files.at(files.db_name(old)), files.at(files.spare_name))
        except FileNotFoundError:
            return  # somebody removed it while it was open
        self._spares[episode_id] = None
        if len(self._spares) > self._open_max:
            self._drop_spare(next(iter(self._spares)))


def _has_lines(files: EpisodeFiles) -> bool:
    """Say whether an app without a context had one that was used: its log has more than the line that opens it."""
    generation = files.last_logged()
    if generation is None:
        return False
    with files.log(generation).open("rb") as log:
        return bool(log.readline() and log.readline())


def _has_no_calls(log: str) -> bool:
    try:
        return os.path.getsize(log) <= _NO_CALLS_BYTES
    except FileNotFoundError:
        return False


def _copy_file(source: str, target: str) -> None:
    descriptor = os.open(source, os.O_RDONLY)
    try:
        copy_new(target, descriptor)
    finally:
        os.close(descriptor)


def _read_only(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    db.row_factory = sqlite3.Row
    return db
