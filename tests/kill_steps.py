"""Ends what is done just before its n-th step that changes a folder, as a kill would: for loops over all the steps."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.truncate"}


class _Armed:
    end: Callable[[], object] | None = None
    left = 0
    folder = ""
    thread = 0


_armed = _Armed()


def _step(event: str, arguments: tuple[Any, ...]) -> None:
    if _armed.end is None or threading.get_ident() != _armed.thread:
        return
    if event == "open":
        is_change = isinstance(arguments[2], int) and bool(arguments[2] & (os.O_WRONLY | os.O_RDWR))
    else:
        is_change = event in _CHANGES
    if is_change and str(arguments[0]).startswith(_armed.folder):
        step()


def step() -> None:
    """Take a step that is none of the file system's."""
    if _armed.end is not None:
        _armed.left -= 1
        if _armed.left < 0:
            end, _armed.end = _armed.end, None
            end()


@contextmanager
def killed_at(number: int, folder: Path, end: Callable[[], object]) -> Iterator[Callable[[], bool]]:
    """Do what is inside and end it before its n-th step (from 0) that changes something below a folder.

    Yields:
        Says whether it came so far.
    """
    if not _hooked:
        sys.addaudithook(_step)
        _hooked.append(True)
    _armed.end, _armed.left, _armed.folder, _armed.thread = end, number, str(folder), threading.get_ident()
    try:
        yield lambda: _armed.end is None
    finally:
        _armed.end = None


_hooked: list[bool] = []
