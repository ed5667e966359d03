"""Unified diffs as jsdiff makes them."""

from typing import Any


def unified(path: str, old: str, new: str) -> str:
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
