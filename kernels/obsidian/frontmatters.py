"""Frontmatter: the fields at the head of a note."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result

from . import errors
from .files import is_status_page
from .json_logic import to_json_value
from .notes import read_frontmatter
from .vaults import connect, connect_to, text_of


def get_frontmatter(ep: Episode, *, filepath: str) -> Result:
    """Return a note's frontmatter; empty where there is none, where it is no YAML, and for a folder's list.

    Raises:
        NotFound: no such file.
        ReadTimedOut: the file is no note that Obsidian shows.
    """
    if is_status_page(filepath):
        connect(ep, "/")
        return {}
    vault, path = connect_to(ep, filepath)
    if not path or path.endswith("/"):
        vault.list_folder(path)
        return {}
    if vault.find_file(path) is None:
        raise errors.NotFound
    note = vault.find_indexed(path)
    if note is None or not note["path"].endswith(".md"):
        raise errors.ReadTimedOut
    found: dict[str, Any] = to_json_value(read_frontmatter(text_of(note))[0])
    return found
