"""Collects what is wrong with a specification, so that one run of ``farm world check`` names all of it.

Outside of ``collecting``, the first problem is raised. Within it, a problem is recorded, and reading goes on with a
stand-in: the entry without the key, the text as it stands, the nearest name.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from farm.errors import FarmError


@dataclass
class Problems:
    """What was found so far.

    Attributes:
        lines: one line for each problem, in the order in which they were found.
        left_out: app (empty for all) and name of entries that could not be read; who refers to one has made no mistake.
        unread: the number of lines and entries that were passed over.
    """

    lines: list[str] = field(default_factory=list)
    left_out: set[tuple[str, str]] = field(default_factory=set)
    unread: int = 0

    def add(self, problem: FarmError) -> None:
        """Record the lines of a problem that are new, and do not follow from an entry that was left out."""
        for line in str(problem).splitlines():
            if line not in self.lines and not self._follows(line):
                self.lines.append(line)

    def _follows(self, line: str) -> bool:
        return any(line.startswith(app) and f"'{name}'" in line for app, name in self.left_out)

    @contextmanager
    def added(self) -> Iterator[None]:
        """Record an error of the block, which ends there."""
        try:
            yield
        except FarmError as problem:
            self.add(problem)


_FOUND: ContextVar[Problems | None] = ContextVar("_FOUND", default=None)


@contextmanager
def collecting() -> Iterator[Problems]:
    """Collect the problems of the block instead of raising the first."""
    problems = Problems()
    token = _FOUND.set(problems)
    try:
        yield problems
    finally:
        _FOUND.reset(token)


def collected() -> Problems | None:
    """Return the problems that are being collected; None if the first one is to be raised."""
    return _FOUND.get()


def report(problem: FarmError, cause: BaseException | None = None) -> None:
    """Record a problem if problems are collected, and raise it otherwise."""
    problems = _FOUND.get()
    if problems is None:
        raise problem from cause
    problems.add(problem)
