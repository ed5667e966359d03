"""Reading, writing and editing files."""

import base64
import posixpath
import re
from typing import Any
from urllib.parse import quote

from farm.appkit import Answer, Content, Episode, Result, Row

from . import diffs, errors
from .paths import failed, row_at, validate

MEDIA = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".bmp": "image/bmp",
    ".svg": "image/svg+xml",
    ".mp3": "audio/mpeg",
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
    ".flac": "audio/flac",
}

SPACES = " \t\n\r\x0b\x0c\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def answered(text: str) -> Answer:
    """Return a text, with itself as the content of the structured form."""
    return Answer(text, structured={"content": text})


def read_file(ep: Episode, *, path: str, tail: float | None = None, head: float | None = None) -> Result:
    """Read a file as text.

    Raises:
        Refused: the path is refused or cannot be read.
    """
    return _read_text(ep, path, tail, head)


def read_text_file(ep: Episode, *, path: str, tail: float | None = None, head: float | None = None) -> Result:
    """Read a file as text.

    Raises:
        Refused: the path is refused or cannot be read.
    """
    return _read_text(ep, path, tail, head)


def read_media_file(ep: Episode, *, path: str) -> Result:
    """Read a file as base64.

    Raises:
        Refused: the path is refused or cannot be read.
    """
    valid = validate(ep, path)
    data = base64.b64encode(_text_of(ep, valid).encode("utf-8")).decode("ascii")
    mime_type = MEDIA.get(posixpath.splitext(valid)[1].lower(), "application/octet-stream")
    item: dict[str, Any]
    if mime_type.startswith(("image/", "audio/")):
        item = {"type": mime_type.split("/")[0], "data": data, "mimeType": mime_type}
    else:
        uri = "file://" + quote(valid, safe="/!$&'()*+,;=:@[]|~")
        item = {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "blob": data}}
    return Answer(Content((item,)), structured={"content": [item]})


def read_multiple_files(ep: Episode, *, paths: list[Any]) -> Result:
    """Read several files; what fails is told in its place."""
    results = []
    for path in paths:
        try:
            results.append(f"{path}:\n{_text_of(ep, validate(ep, path))}\n")
        except errors.Refused as error:
            results.append(f"{path}: Error - {error}")
    return answered("\n---\n".join(results))


def write_file(ep: Episode, *, path: str, content: str) -> Result:
    """Create or replace a file.

    Raises:
        Refused: the path is refused or is a directory.
    """
    valid = validate(ep, path)
    _store(ep, valid, content)
    return answered(f"Successfully wrote to {path}")


def edit_file(ep: Episode, *, path: str, edits: list[Any], dryRun: bool = False) -> Result:
    """Replace texts in a file and show the difference.

    Raises:
        Refused: the path is refused, or a text is not found.
    """
    valid = validate(ep, path)
    content = _unix(_text_of(ep, valid))
    modified = content
    for edit in edits:
        modified = _edited(modified, edit["oldText"], edit["newText"])
    diff = diffs.unified(valid, content, modified)
    ticks = 3
    while "`" * ticks in diff:
        ticks += 1
    fence = "`" * ticks
    if not dryRun:
        _store(ep, valid, modified)
    return answered(f"{fence}diff\n{diff}{fence}\n\n")


def _read_text(ep: Episode, path: str, tail: float | None, head: float | None) -> Answer:
    valid = validate(ep, path)
    if head and tail:
        raise errors.Refused("Cannot specify both head and tail parameters simultaneously")
    if tail:
        return answered(_tail(ep, valid, tail))
    if head:
        return answered(_head(ep, valid, head))
    return answered(_text_of(ep, valid))


def _entry(ep: Episode, valid: str, call: str) -> Row:
    row = row_at(ep, valid)
    if row is None:
        raise failed("ENOENT", call, valid)
    return row


def _text_of(ep: Episode, valid: str) -> str:
    row = _entry(ep, valid, "open")
    if row["kind"] == "directory":
        raise failed("EISDIR", "read")
    return row["content"]


def _tail(ep: Episode, valid: str, count: float) -> str:
    row = _entry(ep, valid, "stat")
    if count <= 0:
        return ""
    if row["kind"] == "directory":
        raise failed("EISDIR", "read")
    data = row["content"].encode("utf-8")
    lines: list[str] = []
    position = len(data)
    rest = ""
    while position > 0 and len(lines) < count:
        size = min(1024, position)
        position -= size
        text = _unix(data[position : position + size].decode("utf-8", "replace") + rest)
        found = text.split("\n")
        if position > 0:
            rest = found[0]
            found = found[1:]
        for line in reversed(found):
            if len(lines) >= count:
                break
            lines.insert(0, line)
    return "\n".join(lines)


def _head(ep: Episode, valid: str, count: float) -> str:
    row = _entry(ep, valid, "open")
    if count <= 0:
        return ""
    if row["kind"] == "directory":
        raise failed("EISDIR", "read")
    data = row["content"].encode("utf-8")
    lines: list[str] = []
    buffer = ""
    position = 0
    while len(lines) < count:
        piece = data[position : position + 1024]
        if not piece:
            break
        position += len(piece)
        buffer += piece.decode("utf-8", "replace")
        end = buffer.rfind("\n")
        if end >= 0:
            complete = buffer[:end].split("\n")
            buffer = buffer[end + 1 :]
            for line in complete:
                lines.append(line)
                if len(lines) >= count:
                    break
    if buffer and len(lines) < count:
        lines.append(buffer)
    return "\n".join(lines)


def _store(ep: Episode, valid: str, content: str) -> None:
    content = re.sub(r"[\ud800-\udfff]", "\ufffd", content)
    row = row_at(ep, valid)
    above = posixpath.dirname(valid)
    if row is not None:
        temporary = f"{valid}.{ep.new_id('temporary')}.tmp"
        if len(posixpath.basename(temporary).encode("utf-8")) > 255:
            raise failed("ENAMETOOLONG", "open", temporary)
        if row["kind"] == "directory":
            raise failed("EISDIR", "rename", temporary, valid)
        ep.db.update("nodes", {"path": valid}, content=content, created_ms=ep.now_ms, modified_ms=ep.now_ms)
    else:
        ep.db.insert(
            "nodes",
            path=valid,
            parent_path=above,
            name=posixpath.basename(valid),
            kind="file",
            content=content,
            created_ms=ep.now_ms,
            modified_ms=ep.now_ms,
        )
    ep.db.update("nodes", {"path": above}, modified_ms=ep.now_ms)


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n")


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(SPACES))]


def _edited(text: str, old_text: str, new_text: str) -> str:
    old, new = _unix(old_text), _unix(new_text)
    if old in text:
        return text.replace(old, new, 1)
    old_lines = old.split("\n")
    lines = text.split("\n")
    for at in range(len(lines) - len(old_lines) + 1):
        window = lines[at : at + len(old_lines)]
        if all(one.strip(SPACES) == other.strip(SPACES) for one, other in zip(old_lines, window)):
            lines[at : at + len(old_lines)] = _indented(_indent(lines[at]), old_lines, new.split("\n"))
            return "\n".join(lines)
    raise errors.Refused(f"Could not find exact match for edit:\n{old_text}")


def _indented(original: str, old_lines: list[str], new_lines: list[str]) -> list[str]:
    result = []
    for place, line in enumerate(new_lines):
        if place == 0:
            result.append(original + line.lstrip(SPACES))
            continue
        old_indent = _indent(old_lines[place]) if place < len(old_lines) else ""
        new_indent = _indent(line)
        if old_indent and new_indent:
            deeper = max(0, len(new_indent) - len(old_indent))
            result.append(original + " " * deeper + line.lstrip(SPACES))
        else:
            result.append(line)
    return result
