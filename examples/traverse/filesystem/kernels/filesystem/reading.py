"""Reading files, one or several."""

import base64
import posixpath
import string
from typing import Any

from farm.appkit import Answer, Content, Episode, Result

from . import errors
from .paths import access, check, fault, fault_text, node, valid

CHUNK = 1024
MIME_TYPES = {
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


def read_file(ep: Episode, *, path: str, tail: float | None = None, head: float | None = None) -> Result:
    """Return a file's text, or its first or last lines."""
    return _text(ep, path, tail, head)


def read_text_file(ep: Episode, *, path: str, tail: float | None = None, head: float | None = None) -> Result:
    """Return a file's text, or its first or last lines."""
    return _text(ep, path, tail, head)


def read_media_file(ep: Episode, *, path: str) -> Result:
    """Return a file as a block of content in base64."""
    real = valid(ep, path)
    content, text = content_of(ep, real)
    if text is not None:
        raise errors.SystemFault(text)
    mime_type = MIME_TYPES.get(_extension(real), "application/octet-stream")
    data = base64.b64encode(content.encode("utf-8")).decode("ascii")
    if mime_type.startswith("image/"):
        return _block({"type": "image", "data": data, "mimeType": mime_type})
    if mime_type.startswith("audio/"):
        return _block({"type": "audio", "data": data, "mimeType": mime_type})
    return _block({"type": "resource", "resource": {"uri": _url(real), "mimeType": mime_type, "blob": data}})


def read_multiple_files(ep: Episode, *, paths: list[Any]) -> Result:
    """Return the texts of several files, or what is wrong with each."""
    out = []
    for path in paths:
        real, text = check(ep, path)
        content = ""
        if text is None:
            content, text = content_of(ep, real)
        out.append(f"{path}:\n{content}\n" if text is None else f"{path}: Error - {text}")
    return "\n---\n".join(out)


def content_of(ep: Episode, path: str) -> tuple[str, str | None]:
    """Return the text at a path, and what hinders reading it."""
    row = node(ep, path)
    if row is None:
        return "", fault_text("ENOENT", f"open '{path}'")
    if row["kind"] == "directory":
        return "", fault_text("EISDIR", "read")
    access(ep, row)
    return row["content"], None


def _block(item: dict[str, Any]) -> Result:
    return Answer(Content((item,)), structured={"content": [item]})


def _text(ep: Episode, path: str, tail: float | None, head: float | None) -> str:
    real = valid(ep, path)
    if head and tail:
        raise errors.HeadAndTail
    row = node(ep, real)
    if row is None:
        raise fault("ENOENT", f"stat '{real}'" if tail else f"open '{real}'")
    wanted = tail or head
    if row["kind"] == "directory":
        if wanted and wanted <= 0:
            return ""
        raise fault("EISDIR", "read")
    access(ep, row)
    if tail:
        return _tail(row["content"].encode("utf-8"), tail)
    if head:
        return _head(row["content"].encode("utf-8"), head)
    return row["content"]


def _tail(data: bytes, count: float) -> str:
    at = len(data)
    while at > 0 and data[at:].count(b"\n") <= count:
        at -= min(CHUNK, at)
    lines = data[at:].decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    # as lines.slice(-count) of JavaScript
    return "\n".join(lines[int(max(-count, -len(lines))) :])


def _head(data: bytes, count: float) -> str:
    lines: list[str] = []
    rest = ""
    at = 0
    while len(lines) < count and at < len(data):
        rest += data[at : at + CHUNK].decode("utf-8", "replace")
        at += CHUNK
        end = rest.rfind("\n")
        if end != -1:
            complete = rest[:end].split("\n")
            rest = rest[end + 1 :]
            for line in complete:
                lines.append(line)
                if len(lines) >= count:
                    break
    if rest and len(lines) < count:
        lines.append(rest)
    return "\n".join(lines)


def _extension(path: str) -> str:
    name = posixpath.basename(path)
    at = name.rfind(".")
    return name[at:].lower() if at > 0 else ""


def _url(path: str) -> str:
    plain = string.ascii_letters + string.digits + "/-._!$&'()*+,;=:@"
    out = ["file://"]
    for char in path:
        if char in plain:
            out.append(char)
        else:
            out.extend(f"%{number:02X}" for number in char.encode("utf-8"))
    return "".join(out)
