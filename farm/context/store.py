"""Every episode's context of one app: created, opened, reset, snapshotted, restored, forked, compared and dropped.

One store in one process owns the files of its app. The number of open contexts is bounded, and the least recently used
one is closed first, so that ten thousand episodes fit one machine. Stores do not lock. The caller runs them on the
app's main thread between calls, or holds the lock of all stores whose open contexts are counted together.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from farm.appkit.table_info import TableShape
from farm.content import LoadedApp
from farm.context import diff, limits, notices, person_acts, rule_book
from farm.context.clock import Motion
from farm.context.context import Context
from farm.context.corrupt_file import WAY_OUT, CorruptFileError
from farm.context.diff import Changes, Reverted
from farm.context.fault_rules import UNAUTHORIZED, Rule
from farm.context.faults import as_line
from farm.context.files import EXPORTS, EpisodeFiles, checksum, copy_checked, copy_new, write_new
from farm.context.log import FAULT, PERSON, Part, Sealed, end_of_call, lines_after, read_lines, read_parts
from farm.context.open_contexts import OpenContexts, is_exhausted
from farm.context.scheduled_rows import NEVER
from farm.context.settings import Settings
from farm.context.spare_files import SpareFiles
from farm.context.template import InitialStates
from farm.errors import ConflictError, NotFoundError

ROWS_MAX = 1000
_KNOWN_MAX = 16_384
_NO_CALLS_BYTES = len(Sealed().dump())  # of a log without calls and without sealed parts


@dataclass(slots=True)
class _Known:
    """Cached facts about an episode's folder after its recovery: no other process changes it while this one runs.

    Attributes:
        settings: the episode's settings.
        generation: the current generation.
        logs: names of the app's logs in the folder; None until they are needed.
        saved: those of them that hold calls of a snapshot.
        is_lost: whether the context of that generation is missing, and only its log remains.
    """

    settings: Settings
    generation: int
    logs: set[str] | None = None
    saved: set[str] = field(default_factory=set)
    is_lost: bool = False


class Store:
    """The contexts of one app below ``DATA/episodes``."""

    def __init__(
        self, loaded: LoadedApp, data: Path, *, contexts: OpenContexts | None = None, reuses_files: bool = False
    ) -> None:
        """Own the files of one app.

        Args:
            loaded: the app.
            data: the data folder.
            contexts: the open contexts of several stores; None to count this store's alone.
            reuses_files: whether new contexts overwrite the files of dropped ones.
        """
        self.loaded = loaded
        self.episodes = data / "episodes"
        self._folder = str(self.episodes)
        self.starts = InitialStates(loaded, data / "starts")
        self._open: dict[str, Context] = {}
        self._contexts = contexts or OpenContexts()
        self._recent = self._contexts.recent
        self._known: dict[str, _Known] = {}
        self._broken: set[str] = set()  # episodes whose last opening failed
        self._dropped = SpareFiles(data / "starts", loaded.app.name) if reuses_files else None
        self._spares: dict[str, None] = {}  # episodes with a file that the next reset may reuse, oldest first

    def files(self, episode_id: str) -> EpisodeFiles:
        """Return the files of this app in an episode."""
        return EpisodeFiles(f"{self._folder}/{episode_id}", self.loaded.app.name)

    def settings(self, episode_id: str) -> Settings:
        """Return the episode's settings."""
        known = self._known.get(episode_id)
        return known.settings if known else Settings.load(f"{self._folder}/{episode_id}")

    def read_settings_again(self, episode_id: str) -> Settings:
        """Read the settings of an episode to which a person was added, and return them."""
        settings = Settings.load(f"{self._folder}/{episode_id}")
        if known := self._known.get(episode_id):
            known.settings = settings
        if context := self._open.get(episode_id):
            context.settings = settings
        return settings

    def require(self, episode_id: str) -> Settings:
        """Return the settings of an episode that has this app.

        Raises:
            NotFoundError: the episode does not exist or does not have this app.
        """
        return (self._known.get(episode_id) or self._look_at(episode_id)).settings

    def open(self, episode_id: str) -> Context:
        """Return the context, opening it first if necessary.

        Raises:
            NotFoundError: the episode does not exist or does not have this app.
            DescriptorsExhaustedError: the process has no file descriptor left.
        """
        context = self._open.get(episode_id)
        if context is not None:
            self._recent.move_to_end(context)
            return context
        self._contexts.evict()
        try:
            try:
                context = self._open_known(episode_id)
            except OSError as problem:
                if not is_exhausted(problem):
                    raise
                self._contexts.require_descriptors()
                context = self._open_known(episode_id)
        except CorruptFileError:
            self._broken.add(episode_id)
            raise
        self._open[episode_id] = context
        self._recent[context] = partial(self.close, episode_id)
        self._broken.discard(episode_id)  # it has been repaired
        return context

    def _open_known(self, episode_id: str) -> Context:
        try:
            return self._opened(episode_id, self._known.get(episode_id) or self._look_at(episode_id))
        except FileNotFoundError:
            return self._opened(episode_id, self._look_at(episode_id))

    def _current(self, episode_id: str) -> Context:
        """Return the open context after inserting all rows that are due."""
        context = self.open(episode_id)
        context.receive_due()
        return context

    def _opened(self, episode_id: str, known: _Known) -> Context:
        if known.is_lost:
            known = self._look_at(episode_id)  # the file may have been put back
        files, settings, generation = self.files(episode_id), known.settings, known.generation
        if known.is_lost:
            raise CorruptFileError(f"{files.db(generation)} is missing; {WAY_OUT}")
        shared = self.starts.shared(settings.world, settings.shift_days, files.at(files.db_name(generation)))
        return Context(self.loaded.in_profile(settings.profile), files, settings, generation, shared, self._contexts)

    def _look_at(self, episode_id: str) -> _Known:
        """Recover an episode's folder and return its cached facts."""
        self._known.pop(episode_id, None)
        settings, files = Settings.load(f"{self._folder}/{episode_id}"), self.files(episode_id)
        newest = files.clean(but_spare=episode_id in self._spares)
        generation = files.last_logged() if newest is None else newest
        if generation is None:
            raise NotFoundError(
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
        """The number of open contexts."""
        return len(self._open)

    def close(self, episode_id: str) -> None:
        """Close the context if it is open."""
        if episode_id in self._open:
            self._close_context(episode_id)
        self._drop_spare(episode_id)

    def _close_context(self, episode_id: str) -> None:
        context = self._open.pop(episode_id)
        del self._recent[context]
        context.close()

    def _drop_spare(self, episode_id: str) -> None:
        if episode_id in self._spares:
            del self._spares[episode_id]
            files = self.files(episode_id)
            files.unlink(files.spare_name)

    def close_all(self) -> None:
        """Close every open context and drop the cached facts of the others."""
        for episode_id in [*self._open, *self._spares]:
            self.close(episode_id)
        self._known.clear()
        if self._dropped is not None:
            self._dropped.clear()

    def create(self, episode_id: str, start: bytes | None = None, settings: Settings | None = None) -> None:
        """Write the start of an episode whose ``episode.json`` exists; idempotent.

        Args:
            episode_id: the episode.
            start: its start, if the caller has built it already.
            settings: the settings in ``episode.json``; None to read them.

        Raises:
            FarmError: an additional row of its settings does not fit.
        """
        settings = settings or Settings.load(f"{self._folder}/{episode_id}")
        files = self.files(episode_id)
        if not files.own_names() or (files.clean() is None and not _has_lines(files)):
            first = start or self._start(settings)
            # The empty log is created here, so that the first call does not wait for it.
            log = os.open(files.at(files.log_name(0)), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                os.write(log, self._planned(settings))
            finally:
                os.close(log)
            limits.begin_anew(files, settings, 0)
            write_new(files.at(files.db_name(0)), first, self._dropped.take() if self._dropped else None)
            self._know(episode_id, _Known(settings, 0))

    def _start(self, settings: Settings) -> bytes:
        """Return an episode's start: the world's, with the rows that its settings add."""
        added = settings.rows.get(self.loaded.app.name)
        if added:
            return self.starts.build(settings.world, settings.shift_days, added)
        return self.starts.get(settings.world, settings.shift_days)

    def _planned(self, settings: Settings) -> bytes:
        """Return how the log of an episode's start begins: empty without planned faults and people's rules."""
        name = self.loaded.app.name
        lines = [as_line(each) for each in settings.faults if each["app"] == name]
        lines += [rule_book.as_line(each) for each in settings.people if each["when"]["app"] == name]
        return Sealed().dump() + b"".join(lines) if lines else b""

    def reset(self, episode_id: str) -> None:
        """Return to the start: discard all changes and calls. Snapshots stay."""
        start = self._start(self.settings(episode_id))
        planned = self._planned(self.settings(episode_id))
        self._swap(episode_id, lambda path, spare: write_new(path, start, spare), Sealed(), planned)

    def snapshot(self, episode_id: str, name: str) -> None:
        """Save the context, after inserting all due rows, and the position of its log under a name.

        Raises:
            ConflictError: the name is taken.
        """
        files = self.files(episode_id)
        path = files.at(files.saved_name(name))
        if os.path.exists(path):
            raise ConflictError(f"episode '{episode_id}' has a snapshot '{name}' already")
        context = self._current(episode_id)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        sealed = context.sealed()
        if known := self._known.get(episode_id):
            known.saved.update(part for part, _ in sealed.parts)

        def write_list(copied: str) -> None:
            # Parts without a context are not a snapshot, so this order makes the snapshot atomic.
            with open(files.at(files.parts_name(name)), "wb", buffering=0) as parts:
                parts.write(sealed.dump(checksum=copied))

        context.copy_to(path, write_list)

    def verify(self, episode_id: str, name: str) -> tuple[str, Sealed]:
        """Return a snapshot's context and the position of its log, after verifying both.

        Raises:
            NotFoundError: the snapshot does not exist.
            CorruptFileError: the snapshot was changed, or calls of it are missing; broken files are set aside.
        """
        path, sealed, saved = self._listed(episode_id, name)
        files = self.files(episode_id)
        with open(path, "rb") as file:
            self._require_same(files, name, checksum(file.fileno()), saved)
        files.require_parts(sealed)
        return path, sealed

    def _listed(self, episode_id: str, name: str) -> tuple[str, Sealed, str]:
        """Return a snapshot's context, the position of its log, and the saved checksum of the context."""
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
    def _lost(files: EpisodeFiles, name: str, why: str) -> CorruptFileError:
        saved = files.saved_name(name)
        try:
            kept = files.set_aside(saved)
        except OSError:
            kept = files.at(saved)
        return CorruptFileError(
            f"snapshot '{name}' of {files.app} is broken: {why}; kept as {kept}, and nothing has changed"
        )

    def restore(self, episode_id: str, name: str) -> None:
        """Restore the context and its calls from a snapshot."""
        path, sealed, saved = self._listed(episode_id, name)
        files = self.files(episode_id)
        files.require_parts(sealed)

        def write(target: str, spare: str | None) -> None:
            with open(path, "rb", buffering=0) as source:
                # Verified while it is copied: until then the copy has no name and nothing else is changed.
                check = partial(self._require_same, files, name, saved=saved)
                copy_checked(target, source.fileno(), check, spare)

        self._swap(episode_id, write, sealed)

    def rewind(self, episode_id: str, calls: int, kept: Mapping[str, int] | None = None) -> None:
        """Undo every call after a number: context, log, clock and counts are as they were after that call.

        Args:
            episode_id: the episode.
            calls: the number of the last call that stays.
            kept: the same of each app, for what people do in this app because of calls to others.

        Raises:
            NotFoundError: there are not so many calls.
        """
        context, files = self._current(episode_id), self.files(episode_id)
        if not 0 <= calls <= context.calls:
            raise NotFoundError(f"no call {calls} of {files.app} in episode '{episode_id}'; it has {context.calls}")
        sealed = Sealed(self._parts_until(context, calls), calls)
        clock = context.settings.clock_ms, context.settings.motion
        for each in read_parts(files.folder, sealed.parts):
            if "clock_ms" in each:
                clock = each["clock_ms"], Motion(each["rate"], each["offset_ms"]) if "rate" in each else clock[1]

        def write(target: str, _: str | None) -> None:
            context.copy_to(target)
            last = {**(kept or {}), files.app: calls}
            _undo_in(target, self.loaded.schema.shapes, calls, last, *clock)

        self._swap(episode_id, write, sealed)

    @staticmethod
    def _parts_until(context: Context, calls: int) -> tuple[Part, ...]:
        """Return the sealed parts of a log, the last one cut after a call."""
        found: list[Part] = []
        for name, size in context.log.seal():
            end = end_of_call(context.log.path.parent / name, calls, size)
            found.append((name, end))
            if end < size:
                break
        return tuple(found)

    def fork(self, episode_id: str, target_id: str, snapshot: str | None = None) -> None:
        """Copy the current context, or a snapshot's, to another episode.

        The target's folder and ``episode.json`` must exist.
        """
        target = self.files(target_id)
        if target.newest() is not None:
            raise ConflictError(f"episode '{target_id}' has a context of '{target.app}' already")
        limits.begin_anew(target, self.settings(target_id), self._copy(episode_id, target, snapshot))

    def export(self, episode_id: str, folder: str, snapshot: str | None = None) -> None:
        """Copy the current context and its calls, or those of a snapshot, into a folder of ``exports``.

        Raises:
            NotFoundError: the folder does not exist.
        """
        path = self.episodes.parent / EXPORTS / folder
        if not path.is_dir():
            raise NotFoundError(f"no folder {path}")
        self._copy(episode_id, EpisodeFiles(str(path), self.loaded.app.name), snapshot)

    def _copy(self, episode_id: str, target: EpisodeFiles, snapshot: str | None) -> int:
        """Copy an episode's current state or a snapshot; return its number of calls."""
        source = self.files(episode_id)
        if snapshot is None:
            context = self._current(episode_id)
            sealed = context.sealed()
            self._carry_log(source, target, sealed)
            context.copy_to(target.db(0))
        else:
            saved, sealed = self.verify(episode_id, snapshot)
            self._carry_log(source, target, sealed)
            _copy_file(saved, target.at(target.db_name(0)))
        return sealed.calls

    def _carry_log(self, source: EpisodeFiles, target: EpisodeFiles, sealed: Sealed) -> None:
        parts = tuple(self._carry(source, target, index, part) for index, part in enumerate(sealed.parts))
        target.log(0).write_bytes(Sealed(parts, sealed.calls).dump())

    @staticmethod
    def _carry(source: EpisodeFiles, target: EpisodeFiles, index: int, part: Part) -> Part:
        """Put a sealed part into another episode's folder, as a hard link if possible."""
        name, size = part
        carried = f"{target.app}.part{index}.log"
        try:
            os.link(source.folder / name, target.folder / carried)
        except OSError:
            shutil.copyfile(source.folder / name, target.folder / carried)
        return carried, size

    def drop(self, episode_id: str) -> None:
        """Close the context and remove this app's files; the last app also removes the folder."""
        self.close(episode_id)
        known = self._known.pop(episode_id, None)
        self._broken.discard(episode_id)
        files = self.files(episode_id)
        if known and self._dropped:
            self._dropped.put(files.at(files.db_name(known.generation)))
        for name in files.own_names():
            files.unlink(name)
        for path in files.folder.glob(f"snapshots/*/{files.app}.*") if os.path.isdir(files.at("snapshots")) else ():
            path.unlink(missing_ok=True)

    def diff(self, episode_id: str, since: str = "start") -> diff.Changes:
        """Return the rows that calls changed since the start or since a snapshot."""
        context = self._current(episode_id)
        if since == "start":
            return diff.since_start(context.reader, self.loaded.schema)
        saved, _ = self.verify(episode_id, since)
        return diff.since_copy(context.connection, self.loaded.schema, saved)

    def reverted(self, episode_id: str, since: str = "start") -> Reverted:
        """Return the reverted changes of calls since the start or since a snapshot."""
        after = -1 if since == "start" else self._listed(episode_id, since)[1].calls
        return diff.reverted(self._current(episode_id).reader, self.loaded.schema, after)

    def changes_by_call(self, episode_id: str, after: int = 0) -> dict[int, Changes]:
        """Return call number → its changes, for calls after ``after``."""
        return diff.by_call(self.open(episode_id).reader, self.loaded.schema, after)

    def calls(self, episode_id: str) -> list[dict[str, Any]]:
        """Return every logged call in order, without moves of the clock."""
        return list(self.each_call(episode_id))

    def each_call(self, episode_id: str) -> Iterator[dict[str, Any]]:
        """Yield the items of ``calls`` one at a time."""
        context = self.open(episode_id)
        sealed = read_parts(context.files.folder, context.log.sealed.parts)
        return (entry for entry in chain(sealed, read_lines(context.log.path)) if "n" in entry)

    def read_calls(self, episode_id: str, sealed: Sealed) -> None:
        """Verify that sealed calls can be read.

        Raises:
            CorruptFileError: a line is not JSON.
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
            raise NotFoundError(
                f"no table '{table}' in {self.loaded.app.name}; have {', '.join(sorted(self.loaded.schema.shapes))}"
            )
        order = ", ".join(f'"{key}"' for key in shape.key)
        page = f'SELECT * FROM "{table}" ORDER BY {order} LIMIT ? OFFSET ?'
        limit, after = min(max(limit, 1), ROWS_MAX), max(after, 0)
        saved = None if at is None else _read_only(self.verify(episode_id, at)[0])
        db = saved or self._current(episode_id).reader
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

    def set_clock(
        self,
        episode_id: str,
        to_ms: int,
        rate: int | None = None,
        at_ms: int | None = None,
        person: str | None = None,
    ) -> list[dict[str, Any]]:
        """Move the clock forward, and return the rows that came and what came due; see ``Context.set_clock``.

        What a person is notified of has a ``notice``; ``person`` is None for the person whom the agent works for.
        """
        context = self.open(episode_id)
        before_ms = context.now_ms(False)
        came = context.set_clock(to_ms, rate, at_ms)
        if context.loaded.schema.due:
            came = [*came, *notices.list_due(context, before_ms, to_ms)]
        return notices.add_notices(context, came, person)

    def arrived(self, episode_id: str, person: str | None = None) -> list[dict[str, Any]]:
        """Return what came and what came due since the episode began, in order; what is not told any more is left out.

        What a person is notified of has a ``notice``; ``person`` is None for the person whom the agent works for.
        """
        context = self._current(episode_id)
        came = notices.list_arrived(context)
        if context.loaded.schema.due:
            came += notices.list_due(context, context.settings.clock_ms, context.now_ms(False))
        return notices.add_notices(context, sorted(came, key=lambda each: each["at_ms"]), person)

    def due_ms(self, episode_id: str) -> tuple[int | None, int | None]:
        """Return the next and the last moment at which a row arrives or something comes due; None if nothing waits."""
        context = self.open(episode_id)
        next_ms = None if context.next_due_ms == NEVER else context.next_due_ms
        last_ms = context.last_due_ms()
        if context.loaded.schema.due and (found := notices.due_ms(context, context.now_ms(False))):
            next_ms = min(found[0], next_ms or found[0])
            last_ms = max(found[1], last_ms or found[1])
        return next_ms, last_ms

    def faults(self, episode_id: str) -> list[Rule]:
        """Return the rules of the planned faults, with their counts."""
        return self.open(episode_id).faults

    def add_fault(self, episode_id: str, rule: Mapping[str, Any]) -> Rule:
        """Plan a fault from now on; a reset forgets it."""
        return self.open(episode_id).add_fault(rule)

    def heal_fault(self, episode_id: str, rule_id: str) -> Rule:
        """End a fault."""
        return self.open(episode_id).heal_fault(rule_id)

    def end_expiry(self, episode_id: str) -> None:
        """End the faults by which the episode's bearer has expired."""
        for rule in self.faults(episode_id):
            if rule.kind == UNAUTHORIZED and rule.failed and not rule.is_healed:
                self.heal_fault(episode_id, rule.id)

    def next_act_ms(self, episode_id: str) -> int | None:
        """Return when the next of the acts that wait is due; None if none waits."""
        return self.open(episode_id).next_act_ms()

    def people(self, episode_id: str) -> dict[str, Any]:
        """Return the ``rules`` of people about this app, what is ``waiting``, and what people ``acted`` here."""
        return self._current(episode_id).show_people()

    def person_rules(self, episode_id: str) -> list[Mapping[str, Any]]:
        """Return the rules of people about this app, complete."""
        return self.open(episode_id).person_rules

    def add_person_rule(self, episode_id: str, rule: Mapping[str, Any]) -> None:
        """Let a person answer from now on, by a checked rule; a reset forgets it."""
        self.open(episode_id).add_person_rule(rule)

    def take_outgoing(self, episode_id: str) -> list[dict[str, Any]]:
        """Return the acts that wait here for other apps."""
        return self.open(episode_id).take_outgoing()

    def bring_acts(self, episode_id: str, acts: Iterable[Mapping[str, Any]]) -> None:
        """Let acts that another app caused wait here, each with ``at_ms`` and ``act``."""
        context = self.open(episode_id)
        for each in acts:
            context.bring_act(each["at_ms"], each["act"])

    def drop_outgoing(self, episode_id: str, ids: Iterable[int]) -> None:
        """Forget acts that were brought to their apps."""
        self.open(episode_id).drop_outgoing(ids)

    def snapshots(self, episode_id: str) -> list[str]:
        """Return the names of this app's snapshots, sorted."""
        return sorted(
            path.parent.name for path in self.files(episode_id).folder.glob(f"snapshots/*/{self.loaded.app.name}.db")
        )

    def _snapshot(self, episode_id: str, name: str) -> str:
        files = self.files(episode_id)
        path = files.at(files.saved_name(name))
        if os.path.isfile(f"{path}.broken"):
            raise CorruptFileError(f"snapshot '{name}' of {files.app} is broken, and kept as {path}.broken")
        if not os.path.isfile(path):
            have = ", ".join(self.snapshots(episode_id)) or "none"
            raise NotFoundError(f"no snapshot '{name}' of episode '{episode_id}'; have {have}")
        return path

    def _swap(
        self, episode_id: str, write: Callable[[str, str | None], None], sealed: Sealed, planned: bytes = b""
    ) -> None:
        """Write a new state as the next generation, then remove the old one, with its log unless a snapshot needs it.

        The old generation's file is kept as a spare for the next swap: overwriting an unused file takes half the time
        of creating one, and leaves nothing to remove.
        """
        opened = self._open.get(episode_id)
        known = self._known.get(episode_id) or self._look_at(episode_id)
        # Until the swap is complete: an interrupted one is recovered at the next access.
        del self._known[episode_id]
        files, old, new = self.files(episode_id), known.generation, known.generation + 1
        is_broken = opened is None and self._is_broken(episode_id, files, known)
        if known.logs is None:
            known.logs = self._logs(files, known)
        # Before the context it belongs to, so that a missing log is always a loss and never one not yet begun.
        with open(files.at(files.log_name(new)), "wb", buffering=0) as log:
            if sealed.parts:
                log.write(sealed.dump())
            elif planned:
                log.write(planned)
        spare = files.at(files.spare_name) if episode_id in self._spares else None
        try:
            write(files.at(files.db_name(new)), spare)
        except CorruptFileError:
            self._spares.pop(episode_id, None)
            files.unlink(files.log_name(new))
            raise
        self._spares.pop(episode_id, None)
        if opened:
            self._close_context(episode_id)
            self._keep_spare(episode_id, files, old)
        elif is_broken:
            files.set_aside(files.db_name(old))
        else:
            files.unlink(files.db_name(old))
        limits.begin_anew(files, known.settings, sealed.calls)
        files.unlink(files.journal_name(old))
        kept = {files.log_name(new), *(name for name, _ in sealed.parts)} | known.saved
        if is_broken and files.log_name(old) in kept:
            # The calls of a snapshot stay under the name it refers to, whatever happened to later calls.
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
        """Return whether the current generation cannot be opened, by trying; a broken one is kept by later swaps."""
        if known.is_lost:
            return True
        if episode_id not in self._broken and _has_no_calls(files.at(files.log_name(known.generation))):
            return False  # a start, with nothing to lose
        try:
            Context(self.loaded.in_profile(known.settings.profile), files, known.settings, known.generation).close()
        except CorruptFileError:
            return True
        return False

    @staticmethod
    def _logs(files: EpisodeFiles, known: _Known) -> set[str]:
        """Return the existing logs after removing those of an interrupted swap; remember those of snapshots."""
        names = files.names()
        if "snapshots" in names:
            known.saved |= files.named_by_snapshots()
        killed = files.of_generation(names, known.generation + 1)
        for name in killed:
            files.unlink(name)
        return files.logs(names) - killed

    def _keep_spare(self, episode_id: str, files: EpisodeFiles, old: int) -> None:
        """Keep the file of a generation that was open; a closed one is unlikely to be swapped again soon."""
        try:
            os.rename(files.at(files.db_name(old)), files.at(files.spare_name))
        except FileNotFoundError:
            return  # the file was removed while it was open
        self._spares[episode_id] = None
        if len(self._spares) > self._contexts.open_max:
            self._drop_spare(next(iter(self._spares)))


def _undo_in(
    path: str,
    shapes: Mapping[str, TableShape],
    calls: int,
    kept: Mapping[str, int],
    clock_ms: int,
    motion: Motion,
) -> None:
    """Undo in a copy what calls after a number did; its clock has the time and the motion that it had then."""
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.execute("PRAGMA foreign_keys=OFF")
        db.execute("BEGIN")
        person_acts.rewind(db, shapes, calls, kept)
        db.execute("UPDATE _meta SET clock_ms = ?, live = ?", (clock_ms, motion.pack()))
        # The search index has read the journal up to an entry that may be gone; rows changed since are looked at anew.
        if db.execute("SELECT 1 FROM sqlite_schema WHERE name = '_search_state'").fetchone():
            db.execute("UPDATE _search_state SET journal = min(journal, (SELECT coalesce(max(id), 0) FROM _journal))")
        db.execute("COMMIT")
    finally:
        db.close()


def _has_lines(files: EpisodeFiles) -> bool:
    """Return whether an app without a context had one that was used: its log has more than it began with."""
    generation = files.last_logged()
    if generation is None:
        return False
    with files.log(generation).open("rb") as log:
        log.readline()
        return any(not line.startswith((FAULT[1:], PERSON[1:])) for line in log)


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
