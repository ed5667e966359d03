"""Searching by patterns."""

from typing import Any

from farm.appkit import Episode, Result, VendorError

from . import context


class SearchFilesRefused(VendorError):
    """{message}"""

    code = "search_files_refused"


def search_files(ep: Episode, *, path: str, pattern: str, excludePatterns: list[Any] | None = None) -> Result:
    """List the paths below a directory that match a pattern.

    Raises:
        SearchFilesRefused: the path is refused or is no directory.
    """
    valid, refusal = context.checked(ep, path)
    if refusal:
        raise SearchFilesRefused(message=refusal)
    refusal = context.scanned(ep, valid)[1]
    if refusal:
        raise SearchFilesRefused(message=refusal)
    found: list[str] = []
    _search(ep, valid, valid, pattern, excludePatterns or [], found)
    return "\n".join(found) if found else "No matches found"


def _search(ep: Episode, top: str, current: str, pattern: str, excluded: list[Any], found: list[str]) -> None:
    for node in context.children(ep, current):
        relative = node["path"][len(top) + 1 :]
        if any(context.glob_matches(relative, one) for one in excluded):
            continue
        if context.glob_matches(relative, pattern):
            found.append(node["path"])
        if context.is_directory(node):
            _search(ep, top, node["path"], pattern, excluded, found)
