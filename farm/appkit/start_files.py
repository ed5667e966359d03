"""Files that somebody puts into an app's start: a test, or whoever creates an episode."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from posixpath import isabs, join, normpath
from typing import Any

from farm.errors import FarmError


@dataclass(frozen=True, slots=True)
class GivenFile:
    """One file and the start that it is put into.

    Attributes:
        path: its path or address, as the creator wrote it.
        content: its bytes.
        me: the id of the account that the agent uses.
        now_ms: when the clock starts, in milliseconds since 1970.
        start: the app's rows without the file, each with its ``table``.
    """

    path: str
    content: bytes
    me: str
    now_ms: int
    start: Sequence[Mapping[str, Any]]

    def rows(self, table: str) -> list[Mapping[str, Any]]:
        """Return the rows of a table of the start."""
        return [row for row in self.start if row["table"] == table]

    def path_in(self, folder: str) -> str:
        """Return the absolute path; a relative one begins in ``folder``."""
        return normpath(join(folder, self.path))

    def unfit(self, why: str) -> FarmError:
        """Return the error for a file that the app cannot have."""
        return FarmError(f"the file '{self.path}' {why}")

    def absolute(self) -> str:
        """Return the path.

        Raises:
            FarmError: it is relative.
        """
        if not isabs(self.path):
            raise self.unfit(f"needs an absolute path, such as '/files/{self.path}'")
        return normpath(self.path)


@dataclass(frozen=True, slots=True)
class StartFiles:
    """How an app keeps files.

    Attributes:
        rows_of: returns the rows of a file, each with its ``table``. It raises ``FarmError`` for a file that the app
            cannot have.
        is_of_machine: whether the server reads files of the machine that it runs on, by their paths. Such an app takes
            files that are given for no app in particular, if ``takes`` accepts them.
        takes: whether a file given for no app in particular is of use to the app.
    """

    rows_of: Callable[[GivenFile], Sequence[Mapping[str, Any]]]
    is_of_machine: bool = False
    takes: Callable[[bytes], bool] = lambda _: True
