"""``PROVENANCE.toml``: the sources of a kernel, and its measurements.

``version`` and ``read`` are the version of the real server that was read and the day of that, ``newest`` and ``looked``
the newest one that was found and the day of that. ``[[calls]]`` names a file of recorded calls: its hash, the start of
a replay, the profile that answers, and the resulting figures. ``[[conditions]]`` declares the state while some calls
were recorded. ``[[volatile]]`` names values of the real server that change from run to run, and the reason. For a pool
whose server no app imitates, ``masks.toml`` declares these.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from farm.appkit.app import LATEST
from farm.content import LoadedApp
from farm.context.template import read_rows
from farm.errors import FarmError
from farm.traverse.fidelity.compare import Mask
from farm.traverse.fidelity.replay import Condition, Start
from farm.traverse.pool.pool import MASKS

# The rows that a generated app begins with.
OWN_START = "start.jsonl"
_CALLS = frozenset({"file", "classes", "count", "sha256", "profile", "world", "state", "me", "sequence", "expected"})
_CONDITION = frozenset({"name", "table", "values"})
_MASK = frozenset({"name", "pattern", "reason", "only_without_at", "never_an_argument"})


@dataclass(frozen=True)
class Measured:
    """A file of recorded calls and its measurement.

    Attributes:
        file: its name among the app's recordings.
        count: its number of calls.
        sha256: the hash of its bytes.
        profile: the profile that is measured.
        start: the start of a replay.
        is_sequence: whether the calls are one session; None: the lines decide.
        expected: the report's keys and their earlier values.
    """

    file: str
    count: int
    sha256: str
    profile: str = LATEST
    start: Start = field(default_factory=Start)
    is_sequence: bool | None = None
    expected: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Provenance:
    """The versions and measurements in an app's ``PROVENANCE.toml``.

    Attributes:
        version: the version of the real server that was read, run or recorded.
        read_on: the day of that.
        newest: the newest version that was found.
        looked_on: the day on which it was looked for.
    """

    calls: tuple[Measured, ...] = ()
    masks: tuple[Mask, ...] = ()
    conditions: tuple[Condition, ...] = ()
    version: str | None = None
    read_on: str | None = None
    newest: str | None = None
    looked_on: str | None = None

    def find(self, name: str, sha256: str, profile: str) -> Measured | None:
        """Return the entry of a file in a profile, found by its bytes or else by its name."""
        known = [each for each in self.calls if each.profile == profile]
        same = [each for each in known if each.sha256 == sha256] or [each for each in known if each.file == name]
        return same[0] if same else None


def load_provenance(loaded: LoadedApp) -> Provenance:
    """Load ``PROVENANCE.toml`` beside the kernel; an app without the file has no measurements.

    Raises:
        FarmError: the file is invalid; the message names the place.
    """
    path = loaded.folder / "PROVENANCE.toml"
    raw = _read(path)
    return Provenance(
        tuple(_calls(each, path) for each in _tables(raw, "calls", path)),
        tuple(_mask(each, path) for each in _tables(raw, "volatile", path)),
        tuple(_condition(each, loaded, path) for each in _tables(raw, "conditions", path)),
        *(_text(raw, name, path) for name in ("version", "read", "newest", "looked")),
    )


def own_start(loaded: LoadedApp, usual: Start) -> Start:
    """Return the rows of ``start.jsonl`` beside a kernel whose server is never empty, or the usual start."""
    path = loaded.folder / OWN_START
    return Start(None, _rows(OWN_START, path), usual.me) if path.is_file() else usual


def read_masks(pool: Path) -> tuple[Mask, ...]:
    """Return the masks in a pool's ``masks.toml``; a pool without the file, or a file of calls, has none.

    Raises:
        FarmError: the file is invalid; the message names the place.
    """
    path = pool / MASKS
    raw = _read(path)
    if unknown := sorted(set(raw) - {"volatile"}):
        raise FarmError(f"{path} has an unknown key '{unknown[0]}'; it holds [[volatile]] alone")
    return tuple(_mask(each, path) for each in _tables(raw, "volatile", path))


def _text(raw: Mapping[str, Any], name: str, path: Path) -> str | None:
    found = raw.get(name)
    if found is not None and not isinstance(found, str):
        raise FarmError(f"{path}: {name} is no text")
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise FarmError(f"{path} is not TOML: {problem}") from None


def _tables(raw: Mapping[str, Any], name: str, path: Path) -> list[dict[str, Any]]:
    found = raw.get(name, [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise FarmError(f"{path}: '{name}' must be tables, each under [[{name}]]")
    return found


def _calls(raw: Mapping[str, Any], path: Path) -> Measured:
    _check_keys(raw, _CALLS, ("file", "count", "sha256"), f"{path}: [[calls]]")
    if "world" in raw and "state" in raw:
        raise FarmError(f"{path}: [[calls]] of {raw['file']} starts in a world or in a state, not in both")
    return Measured(
        file=raw["file"],
        count=raw["count"],
        sha256=raw["sha256"],
        profile=raw.get("profile", LATEST),
        start=Start(raw.get("world"), _rows(raw.get("state"), path), raw.get("me")),
        is_sequence=raw.get("sequence"),
        expected=raw.get("expected", {}),
    )


def _rows(state: str | None, path: Path) -> tuple[dict[str, Any], ...]:
    try:
        return () if state is None else tuple(read_rows(path.parent / state))
    except (OSError, ValueError) as problem:
        raise FarmError(f"{path}: the rows of '{state}' cannot be read: {problem}") from None


def _mask(raw: Mapping[str, Any], path: Path) -> Mask:
    _check_keys(raw, _MASK, ("name", "pattern", "reason"), f"{path}: [[volatile]]")
    try:
        pattern = re.compile(raw["pattern"])
    except re.error as problem:
        raise FarmError(f"{path}: [[volatile]] '{raw['name']}' is no pattern: {problem}") from None
    if pattern.search("") is not None:
        raise FarmError(f"{path}: [[volatile]] '{raw['name']}' matches nothing at all; name what changes")
    flags = {key: bool(raw.get(key)) for key in ("only_without_at", "never_an_argument")}
    return Mask(raw["name"], pattern, raw["reason"], **flags)


def _condition(raw: Mapping[str, Any], loaded: LoadedApp, path: Path) -> Condition:
    _check_keys(raw, _CONDITION, ("name", "table", "values"), f"{path}: [[conditions]]")
    shape = loaded.schema.shapes.get(raw["table"])
    if shape is None:
        raise FarmError(f"{path}: [[conditions]] '{raw['name']}' is of no table of the app, '{raw['table']}'")
    if unknown := sorted(set(raw["values"]) - set(shape.columns)):
        raise FarmError(f"{path}: [[conditions]] '{raw['name']}': {raw['table']} has no column '{unknown[0]}'")
    return Condition(raw["name"], raw["table"], raw["values"])


def _check_keys(raw: Mapping[str, Any], known: frozenset[str], needed: tuple[str, ...], where: str) -> None:
    missing = [key for key in needed if key not in raw]
    unknown = sorted(set(raw) - known)
    if missing:
        raise FarmError(f"{where} has no '{missing[0]}'")
    if unknown:
        raise FarmError(f"{where} has an unknown key '{unknown[0]}'; have {', '.join(sorted(known))}")
