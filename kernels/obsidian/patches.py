"""Patches: a text put in by heading, block or frontmatter field, as the plugin's library markdown-patch 0.2.2 does."""

from __future__ import annotations

import re
from typing import Any

from farm.appkit import Episode, Result
from farm.appkit.formats.javascript import OBJECT_MEMBERS
from farm.appkit.formats.utf16 import to_units

from . import errors
from .files import read_text
from .markdown import TooDeepError
from .targets import Document, read_document
from .units import as_written
from .vaults import body_of, connect_to, require_file_path, text_of
from .yaml_errors import YamlError
from .yaml_output import stringify

_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.+?)\s*$")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_CLOSING = re.compile(r"\s+#+\s*$")
_DELIMITER = "::"
_NO_START = "Cannot read properties of undefined (reading 'start')"


def patch_content(ep: Episode, *, filepath: str, operation: str, target_type: str, target: str, content: str) -> Result:
    """Put a text before, behind or in place of what a target covers.

    A heading's name alone is tried as a path first; where that fails and one heading of the note is called so, its path
    is tried.

    Raises:
        PatchFailed: no such target, or it holds the text already.
        NotFound: no such note, or Obsidian does not show it.
        RequestMethodValidOnlyForFiles: the path is a folder's.
        InternalServerError: the frontmatter is no YAML, or the field is no text that could be added to.
        ServerError: several headings are called so.

    Source: mcp-obsidian 0.2.3; markdown-patch 0.2.2
    """
    try:
        _patch(ep, filepath, operation, target_type, target, content)
    except errors.PatchFailed:
        if target_type != "heading" or _DELIMITER in target:
            raise
        paths = _heading_paths(read_text(ep, filepath), target)
        if not paths:
            raise
        if len(paths) > 1:
            raise errors.ServerError(
                f"Ambiguous heading '{target}'. Candidates: {', '.join(paths)}. "
                f"Specify the qualified path with '{_DELIMITER}' delimiter."
            ) from None
        _patch(ep, filepath, operation, target_type, paths[0], content)
    return f"Successfully patched content in {filepath}"


def _heading_paths(text: str, name: str) -> list[str]:
    """Return the paths of the headings of a name, whatever its case; the server's own way of reading a note."""
    is_fenced = False
    above: list[tuple[int, str]] = []
    paths: list[str] = []
    for line in text.split("\n"):
        if _FENCE.match(line):
            is_fenced = not is_fenced
            continue
        heading = None if is_fenced else _HEADING.match(line)
        if heading is None:
            continue
        level, words = len(heading[1]), _CLOSING.sub("", heading[2]).strip()
        while above and above[-1][0] >= level:
            above.pop()
        above.append((level, words))
        if words.lower() == name.lower():
            paths.append(_DELIMITER.join(each for _, each in above))
    return paths


def _patch(ep: Episode, filepath: str, operation: str, target_type: str, target: str, content: str) -> None:
    body = body_of(content)
    vault, path = connect_to(ep, filepath)
    require_file_path(path)
    file = vault.find_indexed(path)
    if file is None:
        raise errors.NotFound
    units = to_units(text_of(file))
    try:
        document = read_document(units)
    except YamlError as error:
        raise errors.InternalServerError(str(error)) from None
    except TooDeepError:
        raise errors.InternalServerError("Maximum call stack size exceeded") from None
    if target_type == "frontmatter":
        patched = _with_field(units, document, operation, target, body)
    else:
        patched = _spliced(units, document, operation, target_type, target, to_units(body))
    vault.write(path, as_written(patched))


def _spliced(text: str, document: Document, operation: str, target_type: str, target: str, content: str) -> str:
    """Return the note with a text put in; no line end is ever added."""
    if target_type == "heading":
        span = document.headings.get(tuple(to_units(target).split(_DELIMITER)))
    else:
        span = document.blocks.get(to_units(target))
    if span is None:
        if target in OBJECT_MEMBERS:  # the lookup finds something that is no target
            raise errors.InternalServerError(_NO_START)
        raise errors.PatchFailed("invalid-target")
    if content.strip() in text[span.start : span.end]:
        raise errors.PatchFailed("content-already-preexists-in-target")
    before_until = span.end if operation == "append" else span.start
    after_from = span.start if operation == "prepend" else span.end
    return f"{text[:before_until]}{content}{text[after_from:]}"


def _with_field(text: str, document: Document, operation: str, field: str, content: str) -> str:
    """Return the note with its frontmatter written anew."""
    if document.frontmatter is None:
        # Two lines of dashes with nothing between them but comments.
        raise errors.InternalServerError(f"Cannot read properties of null (reading '{field}')")
    values: dict[str, Any] = dict(document.frontmatter) if isinstance(document.frontmatter, dict) else {}
    if field not in values:
        raise errors.PatchFailed("invalid-target")
    match operation:
        case "append":
            values[field] = _joined(values[field], content)
        case "prepend":
            values[field] = _joined(content, values[field])
        case _:
            values[field] = content
    head = f"---\n{stringify(values)}\n---\n"
    if "\r\n" in text:
        head = head.replace("\n", "\r\n")
    return to_units(head) + text[document.body_at :]


def _joined(before: Any, after: Any) -> str:
    if not isinstance(before, str) or not isinstance(after, str):
        kinds = f"{_type_of(before)} and {_type_of(after)}"
        raise errors.InternalServerError(f"Cannot merge objects of different types or unsupported types: {kinds}")
    return before + after


def _type_of(value: Any) -> str:
    match value:
        case str():
            return "string"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case _:
            return "object"
