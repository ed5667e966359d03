"""Changing files and directories."""

import posixpath
from typing import Any

from farm.appkit import Episode, Result

from . import errors
from .diffs import unified
from .paths import SPACES, add, fault, node, touch, valid
from .reading import content_of


def write_file(ep: Episode, *, path: str, content: str) -> Result:
    """Create a file, or replace it."""
    real = valid(ep, path)
    row = node(ep, real)
    if row is None:
        if node(ep, posixpath.dirname(real)) is None:
            raise fault("ENOENT", f"open '{real}'")
        add(ep, real, "file", content)
        touch(ep, posixpath.dirname(real))
    else:
        _replace(ep, real, content)
    return f"Successfully wrote to {path}"


def edit_file(ep: Episode, *, path: str, edits: list[Any], dryRun: bool = False) -> Result:
    """Replace texts in a file and return the difference.

    Raises:
        EditNotFound: the file does not hold a text to replace.
    """
    real = valid(ep, path)
    stored, text = content_of(ep, real)
    if text is not None:
        raise errors.SystemFault(text)
    old = _unix(stored)
    new = old
    for edit in edits:
        changed = _edited(new, _unix(edit["oldText"]), _unix(edit["newText"]))
        if changed is None:
            raise errors.EditNotFound(f"Could not find exact match for edit:\n{edit['oldText']}")
        new = changed
    patch = unified(real, old, new)
    fence = "```"
    while fence in patch:
        fence += "`"
    if not dryRun:
        _replace(ep, real, new)
    return f"{fence}diff\n{patch}{fence}\n\n"


def create_directory(ep: Episode, *, path: str) -> Result:
    """Create a directory, if it is not there yet."""
    real = valid(ep, path)
    row = node(ep, real)
    if row is None:
        if len(real.encode("utf-8")) >= 4096:
            raise fault("ENAMETOOLONG", f"mkdir '{real}'")
        reached = ""
        for part in real.split("/")[1:]:
            parent = reached or "/"
            reached = f"{reached}/{part}"
            if node(ep, reached) is not None:
                continue
            if len(part.encode("utf-8")) > 255:
                raise fault("ENAMETOOLONG", f"mkdir '{reached}'")
            add(ep, reached, "directory", "")
            touch(ep, parent)
    elif row["kind"] != "directory":
        raise fault("EEXIST", f"mkdir '{real}'")
    return f"Successfully created directory {path}"


def move_file(ep: Episode, *, source: str, destination: str) -> Result:
    """Move a file or a directory to a path where nothing is.

    Raises:
        DestinationExists: something is there.
    """
    start = valid(ep, source)
    end = valid(ep, destination)
    if node(ep, end) is not None:
        raise errors.DestinationExists(f"Destination already exists: {end}")
    row = node(ep, start)
    if row is None or node(ep, posixpath.dirname(end)) is None:
        raise fault("ENOENT", f"rename '{start}' -> '{end}'")
    if end.startswith(start + "/"):
        raise fault("EINVAL", f"rename '{start}' -> '{end}'")
    for item in ep.db.all("SELECT * FROM nodes"):
        if item["path"] == start or item["path"].startswith(start + "/"):
            path = end + item["path"][len(start) :]
            ep.db.delete("nodes", path=item["path"])
            ep.db.insert(
                "nodes",
                path=path,
                parent_path=posixpath.dirname(path),
                name=posixpath.basename(path),
                kind=item["kind"],
                content=item["content"],
                created_ms=item["created_ms"],
                modified_ms=item["modified_ms"],
                changed_ms=ep.now_ms if item["path"] == start else item["changed_ms"],
                accessed_ms=item["accessed_ms"],
            )
    touch(ep, posixpath.dirname(start))
    touch(ep, posixpath.dirname(end))
    return f"Successfully moved {source} to {destination}"


def _replace(ep: Episode, path: str, content: str) -> None:
    """Put a new file in the place of another, by way of a temporary one."""
    temporary = f"{path}.{ep.new_id('temporary')}.tmp"
    if len(posixpath.basename(temporary).encode("utf-8")) > 255:
        raise fault("ENAMETOOLONG", f"open '{temporary}'")
    row = node(ep, path)
    if row is not None and row["kind"] == "directory":
        raise fault("EISDIR", f"rename '{temporary}' -> '{path}'")
    ep.db.update(
        "nodes",
        {"path": path},
        content=content,
        created_ms=ep.now_ms,
        modified_ms=ep.now_ms,
        changed_ms=ep.now_ms,
        accessed_ms=ep.now_ms,
    )
    touch(ep, posixpath.dirname(path))


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n")


def _edited(text: str, old: str, new: str) -> str | None:
    if old in text:
        return text.replace(old, new, 1)
    old_lines = old.split("\n")
    lines = text.split("\n")
    for at in range(len(lines) - len(old_lines) + 1):
        if all(line.strip(SPACES) == lines[at + nth].strip(SPACES) for nth, line in enumerate(old_lines)):
            indent = _indent(lines[at])
            new_lines = []
            for nth, line in enumerate(new.split("\n")):
                if nth == 0:
                    new_lines.append(indent + line.lstrip(SPACES))
                    continue
                old_indent = _indent(old_lines[nth]) if nth < len(old_lines) else ""
                new_indent = _indent(line)
                if old_indent and new_indent:
                    more = max(0, len(new_indent) - len(old_indent))
                    new_lines.append(indent + " " * more + line.lstrip(SPACES))
                else:
                    new_lines.append(line)
            return "\n".join(lines[:at] + new_lines + lines[at + len(old_lines) :])
    return None


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(SPACES))]
