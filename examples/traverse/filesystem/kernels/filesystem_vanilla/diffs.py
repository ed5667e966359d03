"""Unified diffs as the library diff prints them."""

from typing import Any

CONTEXT = 4


def unified_diff(path: str, before: str, after: str) -> str:
    """Return createTwoFilesPatch(path, path, before, after, "original", "modified")."""
    lines = [
        f"Index: {path}",
        "===================================================================",
        f"--- {path}\toriginal",
        f"+++ {path}\tmodified",
    ]
    for hunk in _hunks(_parts(_lines(before), _lines(after))):
        old_start = hunk["old_start"] - (1 if hunk["old_lines"] == 0 else 0)
        new_start = hunk["new_start"] - (1 if hunk["new_lines"] == 0 else 0)
        lines.append(f"@@ -{old_start},{hunk['old_lines']} +{new_start},{hunk['new_lines']} @@")
        for line in hunk["lines"]:
            if line.endswith("\n"):
                lines.append(line[:-1])
            else:
                lines.append(line)
                lines.append("\\ No newline at end of file")
    return "\n".join(lines) + "\n"


def _lines(text: str) -> list[str]:
    pieces = text.split("\n")
    found = [piece + "\n" for piece in pieces[:-1]]
    if pieces[-1] != "":
        found.append(pieces[-1])
    return found


def _common(path: list[Any], old: list[str], new: list[str], diagonal: int) -> int:
    old_pos = path[0]
    new_pos = old_pos - diagonal
    count = 0
    while new_pos + 1 < len(new) and old_pos + 1 < len(old) and old[old_pos + 1] == new[new_pos + 1]:
        new_pos += 1
        old_pos += 1
        count += 1
    if count:
        path[1] = (count, " ", path[1])
    path[0] = old_pos
    return new_pos


def _extended(path: list[Any], sign: str) -> list[Any]:
    last = path[1]
    old_pos = path[0] + (1 if sign == "-" else 0)
    if last is not None and last[1] == sign:
        return [old_pos, (last[0] + 1, sign, last[2])]
    return [old_pos, (1, sign, last)]


def _last_component(old: list[str], new: list[str]) -> Any:
    start: list[Any] = [-1, None]
    new_pos = _common(start, old, new, 0)
    if start[0] + 1 >= len(old) and new_pos + 1 >= len(new):
        return start[1]
    best: dict[int, Any] = {0: start}
    bound = len(old) + len(new) + 1
    lowest, highest = -bound, bound
    for length in range(1, bound):
        diagonal = max(lowest, -length)
        while diagonal <= min(highest, length):
            remove = best.get(diagonal - 1)
            add = best.get(diagonal + 1)
            if remove is not None:
                best[diagonal - 1] = None
            can_add = add is not None and 0 <= add[0] - diagonal < len(new)
            can_remove = remove is not None and remove[0] + 1 < len(old)
            if not can_add and not can_remove:
                best[diagonal] = None
                diagonal += 2
                continue
            if not can_remove or (can_add and remove[0] < add[0]):
                path = _extended(add, "+")
            else:
                path = _extended(remove, "-")
            new_pos = _common(path, old, new, diagonal)
            if path[0] + 1 >= len(old) and new_pos + 1 >= len(new):
                return path[1]
            best[diagonal] = path
            if path[0] + 1 >= len(old):
                highest = min(highest, diagonal - 1)
            if new_pos + 1 >= len(new):
                lowest = max(lowest, diagonal + 1)
            diagonal += 2
    return None


def _parts(old: list[str], new: list[str]) -> list[Any]:
    components = []
    component = _last_component(old, new)
    while component is not None:
        components.append(component)
        component = component[2]
    components.reverse()
    parts: list[Any] = []
    old_pos = 0
    new_pos = 0
    for count, sign, earlier in components:
        if sign == "-":
            parts.append((sign, old[old_pos : old_pos + count]))
            old_pos += count
        else:
            parts.append((sign, new[new_pos : new_pos + count]))
            new_pos += count
            if sign == " ":
                old_pos += count
    return parts


def _hunks(parts: list[Any]) -> list[Any]:
    everything = [*parts, (" ", [])]
    hunks: list[Any] = []
    old_start = 0
    new_start = 0
    current: list[str] = []
    old_line = 1
    new_line = 1
    for position, (sign, lines) in enumerate(everything):
        if sign != " ":
            if not old_start:
                old_start = old_line
                new_start = new_line
                if position > 0:
                    current = [" " + line for line in everything[position - 1][1][-CONTEXT:]]
                    old_start -= len(current)
                    new_start -= len(current)
            current.extend(sign + line for line in lines)
            if sign == "+":
                new_line += len(lines)
            else:
                old_line += len(lines)
        else:
            if old_start:
                if len(lines) <= CONTEXT * 2 and position < len(everything) - 2:
                    current.extend(" " + line for line in lines)
                else:
                    size = min(len(lines), CONTEXT)
                    current.extend(" " + line for line in lines[:size])
                    hunks.append(
                        {
                            "old_start": old_start,
                            "old_lines": old_line - old_start + size,
                            "new_start": new_start,
                            "new_lines": new_line - new_start + size,
                            "lines": current,
                        }
                    )
                    old_start = 0
                    new_start = 0
                    current = []
            old_line += len(lines)
            new_line += len(lines)
    return hunks
