"""Which values of a world may belong to no fact: ``[[noise]]`` in ``facts/*.toml``, by place and kind."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from farm.appkit.world_spec.facts.entries import FOLDER, ledger_files
from farm.appkit.world_spec.facts.model import FactError
from farm.world.facts.literals import KINDS


@dataclass(frozen=True)
class Noise:
    """Values of some kinds in some files.

    Attributes:
        files: a pattern of files below ``spec/``: ``APP/talk/*``.
        kinds: the kinds of values.
        place: file and number of the entry, for messages.
    """

    files: str
    kinds: tuple[str, ...]
    place: str

    def covers(self, file: str, kind: str) -> bool:
        """Return whether values of a kind may belong to no fact in a file."""
        return kind in self.kinds and self.covers_some(file)

    def covers_some(self, file: str) -> bool:
        """Return whether values of any kind may belong to no fact in a file."""
        return fnmatchcase(file, self.files)


def read_noise(folders: Iterable[Path]) -> tuple[Noise, ...]:
    """Return the entries of a world's ledger.

    Raises:
        FactError: an entry is invalid.
    """
    return tuple(each for path in ledger_files(folders) for each in _of(path))


def _of(path: Path) -> Iterator[Noise]:
    for number, entry in enumerate(tomllib.loads(path.read_text("utf-8")).get("noise", ()), start=1):
        place = f"{FOLDER}/{path.name}: noise {number}"
        files, kinds = entry.get("files"), entry.get("kinds")
        if entry.keys() != {"files", "kinds"} or not isinstance(files, str) or not isinstance(kinds, list):
            raise FactError(f"{place}: has the keys 'files', a pattern such as 'APP/talk/*', and 'kinds', a list")
        if odd := next((kind for kind in kinds if kind not in KINDS), None):
            raise FactError(f"{place}: no kind '{odd}'; have {', '.join(KINDS)}")
        yield Noise(files, tuple(kinds), place)
