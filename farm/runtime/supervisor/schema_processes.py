"""Derives the apps' schemas in processes that end before the apps start.

An app that derived its own would keep what that took, SQLAlchemy and 8 MiB.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from farm import content
from farm.appkit.schema_cache import is_cached
from farm.context.reference import load_reference

_MODULE = "farm.appkit.schema"  # imports SQLAlchemy


def begin(data: Path, apps: Sequence[str]) -> int | None:
    """Fork a process that caches what is not cached yet; return its id, or None if there is nothing to do."""
    stale = [app for app in apps if not is_cached(data / "starts", app)]
    if not stale:
        return None
    pid = os.fork()
    if not pid:
        try:
            _derive_all(data, stale)
        finally:
            os._exit(0)
    return pid


def _derive_all(data: Path, apps: Sequence[str]) -> None:
    """Derive each schema in a process of its own, because its cache file lists every module imported for it."""
    importlib.import_module(_MODULE)
    running = 0
    for app in apps:
        if running >= (os.cpu_count() or 1):
            os.wait()
            running -= 1
        if not os.fork():
            # The app itself reports what is wrong, when it starts.
            with suppress(Exception):
                loaded = content.load_app(app)
                loaded.remember_schema(data / "starts")
                if loaded.app.reference is not None:
                    load_reference(loaded.app.reference, data / "starts")
            os._exit(0)
        running += 1
    for _ in range(running):
        os.wait()
