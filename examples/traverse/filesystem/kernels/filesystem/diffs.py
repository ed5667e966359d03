"""The unified diff of two texts, as the package diff makes it."""

from dataclasses import dataclass

CONTEXT = 4


@dataclass
class Run:
    """A run of lines of one kind, and the run before it."""

    count: int
    added: bool
    removed: bool
    before: "Run | None"


@dataclass
class Way:
    """A way through both texts."""

    old_at: int
    last: Run | None


def unified(path: str, old: str, new: str) -> str:
    """Return the patch that leads from the old to the new text."""
    out = [f"Index: {path}", "=" * 67, f"--- {path}\toriginal", f"+++ {path}\tmodified"]
    for old_start, old_count, new_start, new_count, lines in _hunks(_changes(_lines(old), _lines(new))):
        shown_old = old_start - 1 if old_count == 0 else old_start
        shown_new = new_start - 1 if new_count == 0 else new_start
        out.append(f"@@ -{shown_old},{old_count} +{shown_new},{new_count} @@")
        for line in lines:
            if line.endswith("\n"):
                out.append(line[:-1])
            else:
                out.append(line)
                out.append("\\ No newline at end of file")
    return "\n".join(out) + "\n"


def _lines(text: str) -> list[str]:
    parts = [part + "\n" for part in text.split("\n")]
    last = parts.pop()[:-1]
    if last:
        parts.append(last)
    return parts


def _hunks(changes: list[tuple[str, list[str]]]) -> list[tuple[int, int, int, int, list[str]]]:
    runs = [*changes, (" ", [])]
    hunks = []
    old_start = 0
    new_start = 0
    current: list[str] = []
    old_line = 1
    new_line = 1
    for at, (mark, lines) in enumerate(runs):
        if mark != " ":
            if not old_start:
                old_start = old_line
                new_start = new_line
                if at > 0:
                    current = [" " + line for line in runs[at - 1][1][-CONTEXT:]]
                    old_start -= len(current)
                    new_start -= len(current)
            current.extend(mark + line for line in lines)
            if mark == "+":
                new_line += len(lines)
            else:
                old_line += len(lines)
            continue
        if old_start:
            if len(lines) <= CONTEXT * 2 and at < len(runs) - 2:
                current.extend(" " + line for line in lines)
            else:
                size = min(len(lines), CONTEXT)
                current.extend(" " + line for line in lines[:size])
                hunks.append((old_start, old_line - old_start + size, new_start, new_line - new_start + size, current))
                old_start = 0
                new_start = 0
                current = []
        old_line += len(lines)
        new_line += len(lines)
    return hunks


def _changes(old: list[str], new: list[str]) -> list[tuple[str, list[str]]]:
    old_count, new_count = len(old), len(new)
    start = Way(-1, None)
    new_at = _follow(start, old, new, 0)
    if start.old_at + 1 >= old_count and new_at + 1 >= new_count:
        return _built(start.last, old, new)
    best: dict[int, Way | None] = {0: start}
    least = -(old_count + new_count) - 2
    most = old_count + new_count + 2
    length = 1
    while length <= old_count + new_count:
        diagonal = _first_diagonal(least, -length)
        while diagonal <= min(most, length):
            remove = best.get(diagonal - 1)
            insert = best.get(diagonal + 1)
            if remove is not None:
                best[diagonal - 1] = None
            can_add = insert is not None and 0 <= insert.old_at - diagonal < new_count
            can_remove = remove is not None and remove.old_at + 1 < old_count
            if not can_add and not can_remove:
                best[diagonal] = None
                diagonal += 2
                continue
            if not can_remove or (can_add and remove.old_at < insert.old_at):
                way = _longer(insert, True, False, 0)
            else:
                way = _longer(remove, False, True, 1)
            new_at = _follow(way, old, new, diagonal)
            if way.old_at + 1 >= old_count and new_at + 1 >= new_count:
                return _built(way.last, old, new)
            best[diagonal] = way
            if way.old_at + 1 >= old_count:
                most = min(most, diagonal - 1)
            if new_at + 1 >= new_count:
                least = max(least, diagonal + 1)
            diagonal += 2
        length += 1
    return []


def _first_diagonal(least: int, lowest: int) -> int:
    return max(least, lowest)


def _longer(way: Way, added: bool, removed: bool, step: int) -> Way:
    last = way.last
    if last is not None and last.added == added and last.removed == removed:
        return Way(way.old_at + step, Run(last.count + 1, added, removed, last.before))
    return Way(way.old_at + step, Run(1, added, removed, last))


def _follow(way: Way, old: list[str], new: list[str], diagonal: int) -> int:
    old_at = way.old_at
    new_at = old_at - diagonal
    common = 0
    while new_at + 1 < len(new) and old_at + 1 < len(old) and old[old_at + 1] == new[new_at + 1]:
        new_at += 1
        old_at += 1
        common += 1
    if common:
        way.last = Run(common, False, False, way.last)
    way.old_at = old_at
    return new_at


def _built(last: Run | None, old: list[str], new: list[str]) -> list[tuple[str, list[str]]]:
    runs: list[Run] = []
    while last is not None:
        runs.append(last)
        last = last.before
    runs.reverse()
    out = []
    old_at = 0
    new_at = 0
    for run in runs:
        if run.removed:
            out.append(("-", old[old_at : old_at + run.count]))
            old_at += run.count
            continue
        out.append(("+" if run.added else " ", new[new_at : new_at + run.count]))
        new_at += run.count
        if not run.added:
            old_at += run.count
    return out
