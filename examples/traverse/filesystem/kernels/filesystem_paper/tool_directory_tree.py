"""A directory as a tree."""

from typing import Any

from farm.appkit import Episode, JavaScriptJson, Result, VendorError

from . import context


class DirectoryTreeRefused(VendorError):
    """{message}"""

    code = "directory_tree_refused"


def directory_tree(ep: Episode, *, path: str, excludePatterns: list[Any] | None = None) -> Result:
    """Show a directory as a tree, printed as JSON.

    Raises:
        DirectoryTreeRefused: the path is refused or is no directory.
    """
    valid, refusal = context.checked(ep, path)
    if refusal:
        raise DirectoryTreeRefused(message=refusal)
    refusal = context.scanned(ep, valid)[1]
    if refusal:
        raise DirectoryTreeRefused(message=refusal)
    return JavaScriptJson(indented=True).text(_tree(ep, valid, "", excludePatterns or []))


def _tree(ep: Episode, valid: str, relative: str, excluded: list[Any]) -> list[Any]:
    result = []
    for node in context.children(ep, valid):
        place = f"{relative}/{node['name']}" if relative else node["name"]
        if any(_excludes(place, pattern) for pattern in excluded):
            continue
        entry: dict[str, Any] = {"name": node["name"], "type": node["kind"]}
        if context.is_directory(node):
            entry["children"] = _tree(ep, node["path"], place, excluded)
        result.append(entry)
    return result


def _excludes(place: str, pattern: str) -> bool:
    if context.glob_matches(place, pattern):
        return True
    if "*" in pattern:
        return False
    return context.glob_matches(place, f"**/{pattern}") or context.glob_matches(place, f"**/{pattern}/**")
