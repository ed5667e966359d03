"""The stored file system: nodes below the allowed directory, how paths are checked, and what the tools share.

Functions that may fail return what was asked for and the text of a refusal, which is empty on success.
"""

import posixpath
import re
from typing import Any

from farm.appkit import Episode, Row

ROOT = "/tmp/farm-traverse/files"
HOME = "/root"
DIRECTORY_SIZE = 4096

MEANINGS = {
    "ENOENT": "no such file or directory",
    "ENOTDIR": "not a directory",
    "EISDIR": "illegal operation on a directory",
    "EEXIST": "file already exists",
    "EINVAL": "invalid argument",
    "ENOTEMPTY": "directory not empty",
    "ENAMETOOLONG": "name too long",
}


def failure(code: str, call: str, path: str | None = None, destination: str | None = None) -> str:
    """Return an error of the system in Node's words."""
    text = f"{code}: {MEANINGS[code]}, {call}"
    if path is not None:
        text += f" '{path}'"
    if destination is not None:
        text += f" -> '{destination}'"
    return text


def checked(ep: Episode, requested: str) -> tuple[str, str]:
    """Return the absolute path of a requested one, or why it is refused."""
    requested = clean(requested)
    expanded = requested
    if requested == "~" or requested.startswith("~/"):
        expanded = posixpath.normpath(HOME + "/" + requested[1:])
    absolute = resolved(expanded) if expanded.startswith("/") else resolved(ROOT, expanded)
    if not _is_inside(_normalized(absolute)):
        return "", f"Access denied - path outside allowed directories: {absolute} not in {ROOT}"
    code = _realpath_code(ep, absolute)
    if code == "":
        return absolute, ""
    if code != "ENOENT":
        return "", failure(code, "realpath", absolute)
    above = posixpath.dirname(absolute)
    if not _is_inside(above) or _realpath_code(ep, above) != "":
        return "", f"Parent directory does not exist: {above}"
    return absolute, ""


def clean(text: str) -> str:
    """Return a text as UTF-8 keeps it."""
    return re.sub(r"[\ud800-\udfff]", "\ufffd", text)


def resolved(*parts: str) -> str:
    """Join and normalise as path.resolve does."""
    path = posixpath.normpath(posixpath.join("/", *parts))
    return "/" + path.lstrip("/")


def _normalized(path: str) -> str:
    path = re.sub(r"^[\"']|[\"']$", "", path.strip())
    return re.sub(r"(?<!^)/$", "", re.sub(r"/+", "/", path))


def _is_inside(path: str) -> bool:
    if "\x00" in path or not path:
        return False
    path = resolved(path)
    return path == ROOT or path.startswith(ROOT + "/")


def _realpath_code(ep: Episode, absolute: str) -> str:
    if len(absolute.encode("utf-8")) >= 4096:
        return "ENAMETOOLONG"
    if absolute == ROOT:
        return ""
    if not absolute.startswith(ROOT + "/"):
        return "ENOENT"
    current = ROOT
    for name in absolute[len(ROOT) + 1 :].split("/"):
        here = node_at(ep, current)
        if here is None:
            return "ENOENT"
        if not is_directory(here):
            return "ENOTDIR"
        if len(name.encode("utf-8")) > 255:
            return "ENAMETOOLONG"
        current = current + "/" + name
    return "" if node_at(ep, current) is not None else "ENOENT"


def node_at(ep: Episode, path: str) -> Row | None:
    """Return the file or directory at an absolute path."""
    return ep.db.one("SELECT * FROM nodes WHERE path = ?", path)


def is_directory(node: Row) -> bool:
    """Tell whether a node is a directory."""
    return node["kind"] == "directory"


def size_of(node: Row) -> int:
    """Return the size of a node in bytes."""
    return DIRECTORY_SIZE if is_directory(node) else len(node["content"].encode("utf-8"))


def children(ep: Episode, path: str) -> list[Row]:
    """Return the entries of a directory in the order of their bytes."""
    rows = ep.db.all("SELECT * FROM nodes WHERE parent_path = ?", path)
    return sorted(rows, key=lambda row: row["name"].encode("utf-8"))


def scanned(ep: Episode, valid: str) -> tuple[list[Row], str]:
    """Return the entries of a directory, or why it cannot be listed."""
    node = node_at(ep, valid)
    if node is None:
        return [], failure("ENOENT", "scandir", valid)
    if not is_directory(node):
        return [], failure("ENOTDIR", "scandir", valid)
    return children(ep, valid), ""


def read_whole(ep: Episode, valid: str) -> tuple[str, str]:
    """Return the text of a file, or why it cannot be read."""
    node = node_at(ep, valid)
    if node is None:
        return "", failure("ENOENT", "open", valid)
    if is_directory(node):
        return "", failure("EISDIR", "read")
    return node["content"], ""


def read_part(ep: Episode, valid: str, tail: float | None, head: float | None) -> tuple[str, str]:
    """Return the text of a file, its last or its first lines, or why it cannot be read."""
    if head and tail:
        return "", "Cannot specify both head and tail parameters simultaneously"
    if not tail and not head:
        return read_whole(ep, valid)
    node = node_at(ep, valid)
    if node is None:
        return "", failure("ENOENT", "stat" if tail else "open", valid)
    if (tail or head or 0) <= 0:
        return "", ""
    if is_directory(node):
        return "", failure("EISDIR", "read")
    data = node["content"].encode("utf-8")
    return (_tail(data, tail) if tail else _head(data, head or 0)), ""


def _tail(data: bytes, count: float) -> str:
    lines: list[str] = []
    position = len(data)
    rest = ""
    while position > 0 and len(lines) < count:
        size = min(1024, position)
        position -= size
        text = unix(data[position : position + size].decode("utf-8", "replace") + rest)
        found = text.split("\n")
        if position > 0:
            rest = found[0]
            found = found[1:]
        for line in reversed(found):
            if len(lines) >= count:
                break
            lines.insert(0, line)
    return "\n".join(lines)


def _head(data: bytes, count: float) -> str:
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


def unix(text: str) -> str:
    """Return a text with plain line ends."""
    return text.replace("\r\n", "\n")


def store_file(ep: Episode, valid: str, content: str) -> str:
    """Make or replace a file; return why it cannot be written, else nothing."""
    content = clean(content)
    node = node_at(ep, valid)
    if node is None:
        _add_node(ep, valid, "file", content)
        return ""
    temporary = f"{valid}.{ep.new_id('temporary')}.tmp"
    if len(posixpath.basename(temporary).encode("utf-8")) > 255:
        return failure("ENAMETOOLONG", "open", temporary)
    if is_directory(node):
        return failure("EISDIR", "rename", temporary, valid)
    ep.db.update("nodes", {"path": valid}, content=content, created_ms=ep.now_ms, modified_ms=ep.now_ms)
    _touch(ep, posixpath.dirname(valid))
    return ""


def store_directory(ep: Episode, valid: str) -> str:
    """Make a directory, if there is none; return why it cannot be made, else nothing."""
    node = node_at(ep, valid)
    if node is None:
        _add_node(ep, valid, "directory", None)
    elif not is_directory(node):
        return failure("EEXIST", "mkdir", valid)
    return ""


def move_node(ep: Episode, origin: str, target: str) -> str:
    """Rename a node to a path where nothing stands; return why it cannot be moved, else nothing."""
    node = node_at(ep, origin)
    if node is None:
        return failure("ENOENT", "rename", origin, target)
    if len(posixpath.basename(target).encode("utf-8")) > 255:
        return failure("ENAMETOOLONG", "rename", origin, target)
    if target.startswith(origin + "/"):
        return failure("EINVAL", "rename", origin, target)
    for below in ep.db.all("SELECT * FROM nodes"):
        if below["path"].startswith(origin + "/"):
            _replant(
                ep,
                below,
                path=target + below["path"][len(origin) :],
                parent_path=target + below["parent_path"][len(origin) :],
                name=below["name"],
            )
    above = posixpath.dirname(target)
    _replant(ep, node, path=target, parent_path=above, name=posixpath.basename(target))
    _touch(ep, posixpath.dirname(origin))
    _touch(ep, above)
    return ""


def _replant(ep: Episode, node: Row, *, path: str, parent_path: str, name: str) -> None:
    """Put a node at another path; its key never changes, so it is made anew."""
    ep.db.delete("nodes", path=node["path"])
    ep.db.insert(
        "nodes",
        path=path,
        parent_path=parent_path,
        name=name,
        kind=node["kind"],
        content=node["content"],
        created_ms=node["created_ms"],
        modified_ms=node["modified_ms"],
    )


def _add_node(ep: Episode, path: str, kind: str, content: str | None) -> None:
    ep.db.insert(
        "nodes",
        path=path,
        parent_path=posixpath.dirname(path),
        name=posixpath.basename(path),
        kind=kind,
        content=content,
        created_ms=ep.now_ms,
        modified_ms=ep.now_ms,
    )
    _touch(ep, posixpath.dirname(path))


def _touch(ep: Episode, path: str) -> None:
    ep.db.update("nodes", {"path": path}, modified_ms=ep.now_ms)


def glob_matches(path: str, pattern: str) -> bool:
    """Tell whether a relative path matches a pattern."""
    if pattern.startswith("#"):
        return False
    negated = False
    while pattern.startswith("!") and not pattern.startswith("!("):
        negated = not negated
        pattern = pattern[1:]
    if pattern == "":
        return (path == "") != negated
    parts = path.split("/")
    found = any(_match_parts(parts, _pattern_parts(one)) for one in _braces(pattern))
    return found != negated


def _pattern_parts(pattern: str) -> list[str]:
    parts: list[str] = []
    pieces = re.sub(r"/+", "/", pattern).split("/")
    for piece in pieces:
        if piece == "**" and parts and parts[-1] == "**":
            continue
        if piece == "." and parts:
            continue
        if piece == ".." and parts and parts[-1] not in ("", ".", "..", "**"):
            parts.pop()
            continue
        parts.append(piece)
    return parts


def _match_parts(path: list[str], pattern: list[str]) -> bool:
    if not pattern:
        return not path
    first = pattern[0]
    if first == "**":
        if len(pattern) == 1:
            return len(path) > 0
        return any(_match_parts(path[skipped:], pattern[1:]) for skipped in range(len(path) + 1))
    if not path:
        return False
    if not _match_part(path[0], first):
        return False
    return _match_parts(path[1:], pattern[1:])


def _match_part(name: str, pattern: str) -> bool:
    if pattern == name:
        return True
    if not re.search(r"[*?\[\\]|[+@!]\(", pattern):
        return False
    text = _translated(pattern, 0, "")[0]
    if pattern[:1] in "*?" or re.match(r"[+@!]\(", pattern):
        text = "(?!\\.{1,2}$)(?=.)" + text
    try:
        return re.fullmatch(text, name, re.DOTALL) is not None
    except re.error:
        return False


def _translated(pattern: str, at: int, closing: str) -> tuple[str, int]:
    """Translate from a place up to the end, or up to the parenthesis that closes."""
    text = ""
    while at < len(pattern):
        sign = pattern[at]
        if closing and sign == ")":
            return text, at + 1
        if closing and sign == "|":
            text += "|"
            at += 1
        elif sign in "?*+@!" and pattern[at + 1 : at + 2] == "(" and ")" in pattern[at:]:
            inner, at = _translated(pattern, at + 2, ")")
            if sign == "!":
                text += f"(?!(?:{inner})$)[^/]*?"
            else:
                text += f"(?:{inner})" + {"?": "?", "*": "*", "+": "+", "@": ""}[sign]
        elif sign == "*":
            while pattern[at + 1 : at + 2] == "*":
                at += 1
            text += "[^/]*?"
            at += 1
        elif sign == "?":
            text += "[^/]"
            at += 1
        elif sign == "[":
            ranges, at = _class(pattern, at)
            text += ranges
        elif sign == "\\" and at + 1 < len(pattern):
            text += re.escape(pattern[at + 1])
            at += 2
        else:
            text += re.escape(sign)
            at += 1
    return text, at


def _class(pattern: str, at: int) -> tuple[str, int]:
    start = at + 1
    inverted = pattern[start : start + 1] in ("!", "^")
    if inverted:
        start += 1
    end = pattern.find("]", start + 1)
    if end < 0:
        return re.escape("["), at + 1
    inner = pattern[start:end]
    if "[:" in inner and pattern[end + 1 : end + 2] == "]":
        inner = inner + "]"
        end += 1
    posix = {
        "[:alnum:]": "a-zA-Z0-9",
        "[:alpha:]": "a-zA-Z",
        "[:digit:]": "0-9",
        "[:lower:]": "a-z",
        "[:upper:]": "A-Z",
        "[:space:]": " \\t\\r\\n\\v\\f",
        "[:xdigit:]": "A-Fa-f0-9",
        "[:word:]": "a-zA-Z0-9_",
    }
    if inner in posix:
        body = posix[inner]
    else:
        body = re.sub(r"([\[\]&~|^])", r"\\\1", inner)
    return f"[{'^' if inverted else ''}{body}]", end + 1


def _braces(pattern: str) -> list[str]:
    """Expand the first pair of braces that has alternatives, and what follows."""
    at = 0
    while at < len(pattern):
        if pattern[at] == "\\":
            at += 2
            continue
        if pattern[at] == "{":
            parts, end = _alternatives(pattern, at)
            if parts:
                return [
                    pattern[:at] + one + rest for part in parts for one in _braces(part) for rest in _braces(pattern[end:])
                ]
        at += 1
    return [pattern]


def _alternatives(pattern: str, at: int) -> tuple[list[str], int]:
    depth = 0
    parts = [""]
    for place in range(at, len(pattern)):
        sign = pattern[place]
        if sign == "{":
            depth += 1
            if depth == 1:
                continue
        elif sign == "}":
            depth -= 1
            if depth == 0:
                if len(parts) > 1:
                    return parts, place + 1
                span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", parts[0])
                if span is not None:
                    low, high = int(span.group(1)), int(span.group(2))
                    step = 1 if low <= high else -1
                    if abs(high - low) <= 10000:
                        return [str(number) for number in range(low, high + step, step)], place + 1
                return [], place + 1
        elif sign == "," and depth == 1:
            parts.append("")
            continue
        parts[-1] += sign
    return [], len(pattern)


def unified_diff(path: str, old: str, new: str) -> str:
    """Return createTwoFilesPatch(path, path, old, new, "original", "modified")."""
    out = [f"Index: {path}", "=" * 67, f"--- {path}\toriginal", f"+++ {path}\tmodified"]
    for hunk in _hunks(_components(_lines(old), _lines(new))):
        old_start, old_lines, new_start, new_lines, lines = hunk
        if old_lines == 0:
            old_start -= 1
        if new_lines == 0:
            new_start -= 1
        out.append(f"@@ -{old_start},{old_lines} +{new_start},{new_lines} @@")
        for line in lines:
            if line.endswith("\n"):
                out.append(line[:-1])
            else:
                out.append(line)
                out.append("\\ No newline at end of file")
    return "\n".join(out) + "\n"


def _lines(text: str) -> list[str]:
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return [line for line in lines if line]


def _components(old: list[str], new: list[str]) -> list[tuple[str, list[str]]]:
    """Return the runs of ' ', '-' and '+' lines, by Myers' algorithm as jsdiff has it."""
    old_len, new_len = len(old), len(new)

    def common(place: int, last: Any, diagonal: int) -> tuple[int, Any, int]:
        old_at, new_at, count = place, place - diagonal, 0
        while new_at + 1 < new_len and old_at + 1 < old_len and old[old_at + 1] == new[new_at + 1]:
            old_at += 1
            new_at += 1
            count += 1
        if count:
            last = (count, " ", last)
        return old_at, last, new_at

    def added(path: tuple[int, Any], sign: str, step: int) -> tuple[int, Any]:
        place, last = path
        if last is not None and last[1] == sign:
            return place + step, (last[0] + 1, sign, last[2])
        return place + step, (1, sign, last)

    place, last, new_at = common(-1, None, 0)
    if place + 1 >= old_len and new_at + 1 >= new_len:
        return _built(last, old, new)
    best: dict[int, Any] = {0: (place, last)}
    lowest, highest = -(old_len + new_len + 1), old_len + new_len + 1
    length = 1
    while length <= old_len + new_len:
        diagonal = max(lowest, -length)
        while diagonal <= min(highest, length):
            remove, add = best.get(diagonal - 1), best.get(diagonal + 1)
            if remove is not None:
                best[diagonal - 1] = None
            can_add = add is not None and 0 <= add[0] - diagonal < new_len
            can_remove = remove is not None and remove[0] + 1 < old_len
            if not can_add and not can_remove:
                best[diagonal] = None
                diagonal += 2
                continue
            if not can_remove or (can_add and remove[0] < add[0]):
                path = added(add, "+", 0)
            else:
                path = added(remove, "-", 1)
            place, last, new_at = common(path[0], path[1], diagonal)
            if place + 1 >= old_len and new_at + 1 >= new_len:
                return _built(last, old, new)
            best[diagonal] = (place, last)
            if place + 1 >= old_len:
                highest = min(highest, diagonal - 1)
            if new_at + 1 >= new_len:
                lowest = max(lowest, diagonal + 1)
            diagonal += 2
        length += 1
    return []


def _built(last: Any, old: list[str], new: list[str]) -> list[tuple[str, list[str]]]:
    chain = []
    while last is not None:
        chain.append(last)
        last = last[2]
    result = []
    old_at = new_at = 0
    for count, sign in [(one[0], one[1]) for one in reversed(chain)]:
        if sign == "-":
            result.append((sign, old[old_at : old_at + count]))
            old_at += count
        else:
            result.append((sign, new[new_at : new_at + count]))
            new_at += count
            if sign == " ":
                old_at += count
    return result


def _hunks(runs: list[tuple[str, list[str]]], context: int = 4) -> list[Any]:
    runs = [*runs, (" ", [])]
    hunks = []
    old_start = new_start = 0
    current: list[str] = []
    old_line = new_line = 1
    for place, (sign, lines) in enumerate(runs):
        if sign != " ":
            if not old_start:
                old_start, new_start = old_line, new_line
                if place > 0:
                    current = [" " + line for line in runs[place - 1][1][-context:]]
                    old_start -= len(current)
                    new_start -= len(current)
            current.extend(sign + line for line in lines)
            if sign == "+":
                new_line += len(lines)
            else:
                old_line += len(lines)
            continue
        if old_start:
            if len(lines) <= context * 2 and place < len(runs) - 2:
                current.extend(" " + line for line in lines)
            else:
                size = min(len(lines), context)
                current.extend(" " + line for line in lines[:size])
                hunks.append((old_start, old_line - old_start + size, new_start, new_line - new_start + size, current))
                old_start = new_start = 0
                current = []
        old_line += len(lines)
        new_line += len(lines)
    return hunks
