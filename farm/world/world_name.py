"""What a world may be called: its name is a folder's, an address's and part of the names of suites."""

from __future__ import annotations

import re

from farm import content
from farm.errors import FarmError

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")


def require_new(name: str) -> None:
    """Refuse a name that no world can have, and one that a world has.

    Raises:
        FarmError: one line with the way out.
    """
    if not _NAME.fullmatch(name):
        said = "1 to 64 of a-z, 0-9, '-' and '_', a letter first, such as 'pier-7'"
        raise FarmError(f"{name[:80]!r} is no name of a world; write {said}")
    if name in content.world_names():
        raise FarmError(f"there is a world '{name}'; choose another name")
