"""Reading, writing, listing and moving files."""

import base64
import posixpath
import re
import unicodedata
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from urllib.parse import quote

from farm.appkit import Answer, Content, Episode, JavaScriptJson, Result, Row
from farm.appkit.formats.javascript import js_length

from . import errors
from .diffs import unified_diff
from .globs import glob_matches
from .paths import DEFAULT_ROOT, get_node, kind_of, known_root, resolve_path, valid_path

BLANK = (
    "\t\n\x0b\x0c\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
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
PUNCTUATION = "\t\n\x0b\x0c\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"
DIRECTORY_SIZE = 4096
CHUNK = 1024


def read_file(ep: Episode, *, path: str, tail: float | None = None, head: float | None = None) -> Result:
    """Return the text of a file (deprecated)."""
    return _read_text(ep, path, tail, head)


def read_text_file(ep: Episode, *, path: str, tail: float | None = None, head: float | None = None) -> Result:
    """Return the text of a file, or its first or last lines."""
    return _read_text(ep, path, tail, head)


def read_media_file(ep: Episode, *, path: str) -> Result:
    """Return a file in base64."""
    valid = valid_path(ep, path)
    extension = posixpath.splitext(valid)[1].lower()
    mime_type = MIME_TYPES.get(extension, "application/octet-stream")
    data = base64.b64encode(_read(ep, valid).encode("utf-8")).decode("ascii")
    kind = mime_type.split("/")[0]
    if kind in ("image", "audio"):
        item: Any = {"type": kind, "data": data, "mimeType": mime_type}
    else:
        uri = "file://" + quote(valid, safe="/!$&'()*+,-.:;=@_~[]|")
        item = {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "blob": data}}
    return Answer(Content((item,)), structured={"content": [item]})


def read_multiple_files(ep: Episode, *, paths: list[Any]) -> Result:
    """Return the texts of several files; what fails is told in its place."""
    parts = []
    for requested in paths:
        valid, problem = resolve_path(ep, requested)
        if problem is None:
            problem = _read_problem(ep, valid)
        if problem is None:
            parts.append(f"{requested}:\n{_content(ep, valid)}\n")
        else:
            parts.append(f"{requested}: Error - {problem}")
    return _answer("\n---\n".join(parts))


def write_file(ep: Episode, *, path: str, content: str) -> Result:
    """Create or overwrite a file."""
    valid = valid_path(ep, path)
    if kind_of(ep, valid) == "directory":
        suffix = f"{ep.hash('temporary', valid):016x}{ep.hash('file', valid):016x}"
        raise errors.SystemRefused(
            f"EISDIR: illegal operation on a directory, rename '{valid}.{suffix}.tmp' -> '{valid}'"
        )
    _store(ep, valid, content)
    return _answer(f"Successfully wrote to {path}")


def edit_file(ep: Episode, *, path: str, edits: list[Any], dryRun: bool = False) -> Result:
    """Replace texts in a file and return the diff."""
    valid = valid_path(ep, path)
    before = _normal_lines(_read(ep, valid))
    after = before
    for edit in edits:
        after = _edited(after, edit["oldText"], edit["newText"])
    diff = unified_diff(valid, before, after)
    fence = "`" * 3
    while fence in diff:
        fence += "`"
    if not dryRun:
        _store(ep, valid, after)
    return _answer(f"{fence}diff\n{diff}{fence}\n\n")


def create_directory(ep: Episode, *, path: str) -> Result:
    """Create a directory, unless it exists."""
    valid = valid_path(ep, path)
    kind = kind_of(ep, valid)
    if kind == "file":
        raise errors.SystemRefused(f"EEXIST: file already exists, mkdir '{valid}'")
    if kind is None:
        _insert(ep, valid, "directory", "")
    return _answer(f"Successfully created directory {path}")


def list_directory(ep: Episode, *, path: str) -> Result:
    """Return the names in a directory."""
    rows = _scan(ep, valid_path(ep, path))
    return _answer("\n".join(f"{_label(row)} {_name(row)}" for row in rows))


def list_directory_with_sizes(ep: Episode, *, path: str, sortBy: str = "name") -> Result:
    """Return the names and sizes in a directory."""
    rows = _scan(ep, valid_path(ep, path))
    if sortBy == "size":
        rows = sorted(rows, key=lambda row: -_size(row))
    else:
        rows = sorted(rows, key=lambda row: _collation(_name(row)))
    lines = []
    for row in rows:
        name = _name(row)
        padded = name + " " * max(0, 30 - js_length(name))
        size = "" if row["node_kind"] == "directory" else _format_size(_size(row)).rjust(10)
        lines.append(f"{_label(row)} {padded} {size}")
    files = [row for row in rows if row["node_kind"] != "directory"]
    lines.append("")
    lines.append(f"Total: {len(files)} files, {len(rows) - len(files)} directories")
    lines.append(f"Combined size: {_format_size(sum(_size(row) for row in files))}")
    return _answer("\n".join(lines))


def directory_tree(ep: Episode, *, path: str, excludePatterns: list[Any] | None = None) -> Result:
    """Return everything below a directory as JSON."""
    tree = _tree(ep, valid_path(ep, path), "", excludePatterns or [])
    return _answer(JavaScriptJson(indented=True).text(tree))


def move_file(ep: Episode, *, source: str, destination: str) -> Result:
    """Move or rename a file or directory."""
    start = valid_path(ep, source)
    end = valid_path(ep, destination)
    kind = kind_of(ep, start)
    there = kind_of(ep, end)
    problem = None
    if kind is None:
        problem = "ENOENT: no such file or directory"
    elif end.startswith(start + "/"):
        problem = "EINVAL: invalid argument"
    elif start == end:
        return _answer(f"Successfully moved {source} to {destination}")
    elif start.startswith(end + "/"):
        problem = "ENOTEMPTY: directory not empty" if kind == "directory" else "EISDIR: illegal operation on a directory"
    elif there == "directory" and kind == "file":
        problem = "EISDIR: illegal operation on a directory"
    elif there == "file" and kind == "directory":
        problem = "ENOTDIR: not a directory"
    elif there == "directory" and _children(ep, end):
        problem = "ENOTEMPTY: directory not empty"
    if problem is not None:
        raise errors.SystemRefused(f"{problem}, rename '{start}' -> '{end}'")
    if there is not None:
        ep.db.delete("nodes", path=end)
    for row in ep.db.all("SELECT * FROM nodes ORDER BY path"):
        if row["path"] == start or row["path"].startswith(start + "/"):
            ep.db.update("nodes", {"row_id": row["row_id"]}, path=end + row["path"][len(start) :])
    _touch(ep, start)
    _touch(ep, end)
    return _answer(f"Successfully moved {source} to {destination}")


def search_files(ep: Episode, *, path: str, pattern: str, excludePatterns: list[Any] | None = None) -> Result:
    """Return the paths below a directory that match a pattern."""
    valid = valid_path(ep, path)
    found: list[str] = []
    _search(ep, valid, "", pattern, excludePatterns or [], found)
    return _answer("\n".join(found) if found else "No matches found")


def get_file_info(ep: Episode, *, path: str) -> Result:
    """Return the size, times and kind of a file or directory."""
    valid = valid_path(ep, path)
    kind = kind_of(ep, valid)
    if kind is None:
        raise errors.SystemRefused(f"ENOENT: no such file or directory, stat '{valid}'")
    row = get_node(ep, valid)
    if row is None:
        below = _children(ep, valid)
        created = min([child["created_ms"] for child in below], default=ep.now_ms)
        modified = max([child["created_ms"] for child in below], default=ep.now_ms)
        accessed = created
    else:
        created, modified, accessed = row["created_ms"], row["modified_ms"], row["accessed_ms"]
    is_directory = kind == "directory"
    size = DIRECTORY_SIZE if row is None else _size(row)
    lines = [
        f"size: {size}",
        f"created: {_date(created)}",
        f"modified: {_date(modified)}",
        f"accessed: {_date(accessed)}",
        f"isDirectory: {'true' if is_directory else 'false'}",
        f"isFile: {'false' if is_directory else 'true'}",
        f"permissions: {'755' if is_directory else '644'}",
    ]
    return _answer("\n".join(lines))


def list_allowed_directories(ep: Episode) -> Result:
    """Return the allowed directories."""
    return _answer(f"Allowed directories:\n{known_root(ep) or DEFAULT_ROOT}")


def _answer(text: str) -> Result:
    return Answer(text, structured={"content": text})


def _read_text(ep: Episode, path: str, tail: float | None, head: float | None) -> Result:
    valid = valid_path(ep, path)
    if head and tail:
        raise errors.BothEnds()
    if tail:
        if kind_of(ep, valid) is None:
            raise errors.SystemRefused(f"ENOENT: no such file or directory, stat '{valid}'")
        return _answer(_tail(_read(ep, valid), tail))
    text = _read(ep, valid)
    if head:
        return _answer(_head(text, head))
    return _answer(text)


def _tail(text: str, wanted: float) -> str:
    data = text.encode("utf-8")
    lines: list[str] = []
    position = len(data)
    remaining = ""
    while position > 0 and len(lines) < wanted:
        size = min(CHUNK, position)
        position -= size
        chunk = data[position : position + size].decode("utf-8", "replace") + remaining
        pieces = _normal_lines(chunk).split("\n")
        if position > 0:
            remaining = pieces[0]
            pieces = pieces[1:]
        for piece in reversed(pieces):
            if len(lines) >= wanted:
                break
            lines.insert(0, piece)
    return "\n".join(lines)


def _head(text: str, wanted: float) -> str:
    data = text.encode("utf-8")
    lines: list[str] = []
    buffer = ""
    position = 0
    while len(lines) < wanted:
        chunk = data[position : position + CHUNK]
        if not chunk:
            break
        position += len(chunk)
        buffer += chunk.decode("utf-8", "replace")
        if "\n" in buffer:
            complete, buffer = buffer.rsplit("\n", 1)
            for line in complete.split("\n"):
                lines.append(line)
                if len(lines) >= wanted:
                    break
    if buffer and len(lines) < wanted:
        lines.append(buffer)
    return "\n".join(lines)


def _read_problem(ep: Episode, path: str) -> str | None:
    kind = kind_of(ep, path)
    if kind is None:
        return f"ENOENT: no such file or directory, open '{path}'"
    if kind == "directory":
        return "EISDIR: illegal operation on a directory, read"
    return None


def _content(ep: Episode, path: str) -> str:
    row = get_node(ep, path)
    return "" if row is None else row["content"]


def _read(ep: Episode, path: str) -> str:
    problem = _read_problem(ep, path)
    if problem is not None:
        raise errors.SystemRefused(problem)
    return _content(ep, path)


def _store(ep: Episode, path: str, content: str) -> None:
    text = re.sub(r"[\ud800-\udfff]", "\ufffd", content)
    if get_node(ep, path) is None:
        _insert(ep, path, "file", text)
        return
    now = ep.now_ms
    ep.db.update("nodes", {"path": path}, content=text, created_ms=now, modified_ms=now, accessed_ms=now)
    _touch(ep, path)


def _insert(ep: Episode, path: str, kind: str, content: str) -> None:
    now = ep.now_ms
    ep.db.insert(
        "nodes",
        row_id=ep.next_number("nodes", "row_id"),
        path=path,
        node_kind=kind,
        content=content,
        created_ms=now,
        modified_ms=now,
        accessed_ms=now,
    )
    _touch(ep, path)


def _touch(ep: Episode, path: str) -> None:
    ep.db.update("nodes", {"path": posixpath.dirname(path)}, modified_ms=ep.now_ms)


def _children(ep: Episode, path: str) -> list[Row]:
    return [
        row
        for row in ep.db.all("SELECT * FROM nodes ORDER BY path")
        if posixpath.dirname(row["path"]) == path
    ]


def _scan(ep: Episode, path: str) -> list[Row]:
    kind = kind_of(ep, path)
    if kind is None:
        raise errors.SystemRefused(f"ENOENT: no such file or directory, scandir '{path}'")
    if kind == "file":
        raise errors.SystemRefused(f"ENOTDIR: not a directory, scandir '{path}'")
    return _children(ep, path)


def _tree(ep: Episode, path: str, prefix: str, excluded: list[Any]) -> list[Any]:
    found = []
    for row in _scan(ep, path):
        name = _name(row)
        relative = prefix + name
        if any(_tree_excludes(relative, pattern) for pattern in excluded):
            continue
        if row["node_kind"] == "directory":
            children = _tree(ep, row["path"], relative + "/", excluded)
            found.append({"name": name, "type": "directory", "children": children})
        else:
            found.append({"name": name, "type": "file"})
    return found


def _tree_excludes(relative: str, pattern: str) -> bool:
    if "*" in pattern:
        return glob_matches(relative, pattern)
    return (
        glob_matches(relative, pattern)
        or glob_matches(relative, f"**/{pattern}")
        or glob_matches(relative, f"**/{pattern}/**")
    )


def _search(ep: Episode, path: str, prefix: str, pattern: str, excluded: list[Any], found: list[str]) -> None:
    for row in _scan(ep, path):
        relative = prefix + _name(row)
        if any(glob_matches(relative, exclusion) for exclusion in excluded):
            continue
        if glob_matches(relative, pattern):
            found.append(row["path"])
        if row["node_kind"] == "directory":
            _search(ep, row["path"], relative + "/", pattern, excluded, found)


def _name(row: Row) -> str:
    return posixpath.basename(row["path"])


def _label(row: Row) -> str:
    return "[DIR]" if row["node_kind"] == "directory" else "[FILE]"


def _size(row: Row) -> int:
    if row["node_kind"] == "directory":
        return DIRECTORY_SIZE
    return len(row["content"].encode("utf-8"))


def _format_size(size: int) -> str:
    units = ("B", "KB", "MB", "GB", "TB")
    if size < 1024:
        return f"{size} B"
    unit = min((size.bit_length() - 1) // 10, 4)
    amount = (Decimal(size) / Decimal(1024**unit)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return f"{amount} {units[unit]}"


def _date(milliseconds: int) -> str:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    return moment.strftime("%a %b %d %Y %H:%M:%S") + " GMT+0000 (Coordinated Universal Time)"


def _collation(name: str) -> Any:
    primary: list[Any] = []
    secondary: list[Any] = []
    tertiary: list[Any] = []
    for letter in unicodedata.normalize("NFD", name):
        if unicodedata.combining(letter):
            secondary.append((len(primary), letter))
            continue
        position = PUNCTUATION.find(letter)
        if position >= 0:
            primary.append((0, position, ""))
        elif letter.isdecimal():
            primary.append((1, int(letter), ""))
        else:
            primary.append((2, 0, letter.lower()))
        tertiary.append(1 if letter.isupper() else 0)
    return primary, secondary, tertiary


def _normal_lines(text: str) -> str:
    return text.replace("\r\n", "\n")


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(BLANK))]


def _edited(text: str, old_text: str, new_text: str) -> str:
    old = _normal_lines(old_text)
    new = _normal_lines(new_text)
    if old in text:
        return text.replace(old, new, 1)
    old_lines = old.split("\n")
    lines = text.split("\n")
    for start in range(len(lines) - len(old_lines) + 1):
        window = lines[start : start + len(old_lines)]
        if all(wanted.strip(BLANK) == line.strip(BLANK) for wanted, line in zip(old_lines, window, strict=True)):
            replaced = _reindented(_indent(lines[start]), old_lines, new.split("\n"))
            return "\n".join(lines[:start] + replaced + lines[start + len(old_lines) :])
    raise errors.NoMatch(f"Could not find exact match for edit:\n{old_text}")


def _reindented(indent: str, old_lines: list[str], new_lines: list[str]) -> list[str]:
    result = []
    for position, line in enumerate(new_lines):
        if position == 0:
            result.append(indent + line.lstrip(BLANK))
            continue
        old_indent = _indent(old_lines[position]) if position < len(old_lines) else ""
        new_indent = _indent(line)
        if old_indent and new_indent:
            relative = max(0, len(new_indent) - len(old_indent))
            result.append(indent + " " * relative + line.lstrip(BLANK))
        else:
            result.append(line)
    return result
