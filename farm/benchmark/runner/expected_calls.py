"""The expected calls of a trial: those of the task's oracle, with every id filled in.

Ids are the same for the same seed, rows and code, so the oracle is played once and its calls are cached in a file with
a hash of these inputs. If the hash differs, the file is rebuilt. A process reads a file once.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson

import farm
from farm import content
from farm._util.bounded_cache import BoundedCache
from farm._util.json_io import dumps, loads
from farm.benchmark.scoring.call_metrics import ToolUse
from farm.benchmark.tasks import Task
from farm.runtime.supervisor.state import default_data

# The form of ``Result.turns``: for each step, each call's app, tool and arguments.
Turns = Sequence[Sequence[tuple[str, str, Mapping[str, Any]]]]
_SOURCES = (".py", ".json", ".jsonl", ".toml")
# File and hash of the inputs → the calls, of files that this process has read.
_READ: BoundedCache[tuple[Path, str], list[list[ToolUse]]] = BoundedCache(4 << 20)


class ExpectedCalls:
    """The oracles' calls, cached in a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        """Cache them below ``folder``; None for the farm's cache folder."""
        self._folder = folder or default_data() / "expected"

    def calls_for(self, task: Task, *, seed: int, profile: str, play: Callable[[], Turns]) -> list[list[ToolUse]]:
        """Return the oracle's calls, step by step.

        Args:
            play: plays the oracle in an episode with this seed and profile; called only if the cache has no valid file.
        """
        made_of = _made_of(task, seed, profile)
        path = self._folder / task.suite / f"{task.id}.{profile}.{seed}.json"
        turns = _READ.known.get((path, made_of))
        if turns is None:
            turns = _load(path, made_of)
            if turns is None:
                turns = [[(f"{app}.{tool}", given) for app, tool, given in turn] for turn in play()]
                _store(path, dumps({"made_of": made_of, "turns": turns}))
        return turns


def _load(path: Path, made_of: str) -> list[list[ToolUse]] | None:
    try:
        stored = path.read_bytes()
        cached = loads(stored)
    except (OSError, orjson.JSONDecodeError):
        return None
    if cached.get("made_of") != made_of:
        return None
    turns = [[(tool, given) for tool, given in turn] for turn in cached["turns"]]
    _READ.keep((path, made_of), turns, len(stored))
    return turns


def _store(path: Path, cached: bytes) -> None:
    # If writing fails, the oracle is played again the next time. Concurrent writers write the same.
    with suppress(OSError):
        # The data folder may not exist yet: each level is private, as if a farm had created it.
        for folder in (path.parents[2], path.parents[1], path.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = path.with_suffix(f".{os.getpid()}.tmp")
        temporary.touch(mode=0o600)
        temporary.write_bytes(cached)
        temporary.replace(path)


def _made_of(task: Task, seed: int, profile: str) -> str:
    """Return the hash of all inputs of the oracle's calls."""
    played = dumps([task.oracle, task.world, task.me, task.now, seed, profile])
    parts = [played, _farm_hash(), *(_content_hash(task.world, app, content.roots()) for app in sorted(task.apps))]
    return hashlib.blake2b(b"\0".join(parts), digest_size=16).hexdigest()


@lru_cache(maxsize=1)
def _farm_hash() -> bytes:
    return _hash(_sources(Path(farm.__file__).parent))


@lru_cache(maxsize=64)
def _content_hash(world: str, app: str, _: tuple[content.Root, ...]) -> bytes:
    """Return the hash of an app's code and of its rows in a world; cached per process, as code and rows are."""
    rows = content.find_rows(world, app)
    worlds = (path for folder in content.world_dirs(world) for path in sorted(folder.glob("*.toml")))
    kernel, context = content.require_app(app), content.context_dir(app)
    return _hash([*_sources(kernel), *_sources(context), *worlds, *([rows] if rows else [])])


def _sources(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that affect its code's behaviour, in order."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in _SOURCES and "_content" not in path.parts:
            yield path


def _hash(files: Sequence[Path] | Iterator[Path]) -> bytes:
    made = hashlib.blake2b(digest_size=16)
    for path in files:
        made.update(path.read_bytes())
    return made.digest()
