"""Draw the minutes that a specification leaves open: ``17:~``, ``17:4~`` and, in talk, ``~`` (docs/worlds.md).

A minute is drawn from the world's seed and from what was written, with its references as they stand: not from the
number of its line. Another line moves only minutes of its own hour and place, and a redrawn fact moves none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from farm.appkit.world_spec.draws import Number, pick
from farm.appkit.world_spec.talk import HEADING, ScriptError

_HOUR, _DAY = 60, 1440
# Minutes after the line above → weight: most answers come at once, and few after minutes.
_SOON = {0: 3, 1: 4, 2: 3, 3: 2, 4: 1, 5: 1, 6: 1}
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>[0-5]\d|[0-5]?~)"
_TOP = re.compile(rf"- (?P<time>(?P<day>[+-]\d{{1,5}}) {_CLOCK}|~)(?= [\w.]+[^\n]*:)")
_REPLY = re.compile(rf"  - (?P<time>(?:\+(?P<day>\d{{1,4}}) )?{_CLOCK}|~)(?= [\w.]+[^\n]*:)")
# An offset in quotes, or at the head of a turn of a conversation.
_VALUE = re.compile(rf"(?<=[\"'])(?P<time>(?P<day>[+-]\d{{1,5}}) {_CLOCK})(?=[\"']| [<>] )")


@dataclass
class _Point:
    """A point in time, in minutes from the world's first Monday.

    Attributes:
        line: the line in which it is written, from 0; ``found`` is its place there.
        found: see ``line``.
        parts: what a draw depends on.
        low: the first minute that it may be; ``high`` is the last one.
        high: see ``low``.
        replies: the answers in its thread, as they are written.
    """

    line: int
    found: re.Match[str]
    parts: tuple[str, ...]
    low: int = 0
    high: int = 0
    replies: list[tuple[int, re.Match[str]]] = field(default_factory=list)

    @property
    def is_soon(self) -> bool:
        """Whether it is only said to be soon after the point before it."""
        return self.found["time"] == "~"

    @property
    def is_open(self) -> bool:
        """Whether its minute is drawn."""
        return self.found["time"].endswith("~")


def _point(line: int, found: re.Match[str], day: int, *parts: str) -> _Point:
    point = _Point(line, found, parts)
    if not point.is_soon:
        tens = found["minute"].removesuffix("~")
        hour = (day + int(found["day"] or 0)) * _DAY + int(found["hour"]) * _HOUR
        point.low = hour + (int(tens or 0) * (10 if point.is_open else 1))
        point.high = point.low if not point.is_open else point.low + (9 if tens else 59)
    return point


def draw_talk_minutes(text: str, where: str, number: Number) -> str:
    """Return a file of messages with all minutes; the lines of a chat, and those of a thread, keep their order.

    Raises:
        ScriptError: a line with ``~`` follows no message.
    """
    if "~" not in text:
        return text
    lines, chats = text.splitlines(keepends=True), list[list[_Point]]()
    for row, line in enumerate(lines):
        if heading := HEADING.fullmatch(line.rstrip()):
            channel = heading[1]
            chats.append([])
        elif chats and (top := _TOP.match(line)):
            if top["time"] == "~" and not chats[-1]:
                problem = "'~' follows no message; write a day and an hour: '- -3 09:~ ada: …'"
                raise ScriptError(f"{where}:{row + 1}: {problem}")
            chats[-1].append(_point(row, top, 0, channel, line.strip()))
        elif chats and chats[-1] and (reply := _REPLY.match(line)):
            chats[-1][-1].replies.append((row, reply))
    for tops in chats:
        _draw(tops, None, number)
        for each in tops:
            _draw_thread(each, lines, number)
            _write(lines, each, lambda day: f"{day:+d} ")
    return "".join(lines)


def _draw_thread(top: _Point, lines: list[str], number: Number) -> None:
    day = top.low // _DAY
    thread = [_point(row, found, day, *top.parts, lines[row].strip()) for row, found in top.replies]
    _draw(thread, top.low, number)
    for each in thread:
        _write(lines, each, lambda at: f"+{at - day} " if at > day else "")


def draw_table_minutes(text: str, where: str, number: Number) -> str:
    """Return a TOML file, or a page with front matter, with all minutes; those of one hour keep their order."""
    if ":~" not in text and not re.search(r":[0-5]~", text):
        return text
    lines = text.splitlines(keepends=True)
    points = [
        _point(row, found, 0, where, _block(lines, row), line[: found.start()])
        for row, line in enumerate(lines)
        for found in _VALUE.finditer(line)
    ]
    _draw(points, None, number)
    for point in reversed(points):
        _write(lines, point, lambda day: f"{day:+d} ")
    return "".join(lines)


def _block(lines: Sequence[str], row: int) -> str:
    """Return the entry that a line belongs to: its table, or the line itself if it is a table in braces."""
    if lines[row].strip().startswith("{"):
        return lines[row].strip()
    first = next((at for at in range(row, -1, -1) if lines[at].startswith("[")), 0)
    return "".join((lines[first], *takewhile(lambda line: not line.startswith("["), lines[first + 1 :]))).strip()


def _write(lines: list[str], point: _Point, day: Callable[[int], str]) -> None:
    """Write a drawn minute into its line; ``day`` renders the number of its day."""
    if point.is_open:
        start, end = point.found.span("time")
        minutes = point.low % _DAY
        time = f"{day(point.low // _DAY)}{minutes // _HOUR:02d}:{minutes % _HOUR:02d}"
        lines[point.line] = lines[point.line][:start] + time + lines[point.line][end:]


def _draw(points: Sequence[_Point], before: int | None, number: Number) -> None:
    """Draw the open points of a sequence, whose first one follows the minute ``before``."""
    at = 0
    while at < len(points):
        run = _run(points[at], points[at:])
        after = next((each.low for each in points[at + len(run) :] if not each.is_open), None)
        if points[at].is_soon:
            _draw_soon(points[at], before or 0, after, number)
        elif points[at].is_open:
            _draw_run(run, before, after, number)
        before = run[-1].low
        at += len(run)


def _run(first: _Point, points: Sequence[_Point]) -> list[_Point]:
    """Return the first point, with those right after it that are open in the same window."""
    if not first.is_open or first.is_soon:
        return [first]
    window = (first.low, first.high)
    return [*takewhile(lambda each: not each.is_soon and (each.low, each.high) == window, points)]


def _draw_soon(point: _Point, before: int, after: int | None, number: Number) -> None:
    at = before + pick(number, _SOON, "soon", *point.parts)
    point.low = point.high = min(at, after) if after is not None and after >= before else at


def _draw_run(run: Sequence[_Point], before: int | None, after: int | None, number: Number) -> None:
    """Draw different minutes for points of one window, in their order, between the minutes around them."""
    low, high = _between(run[0], before, after, len(run))
    drawn: list[int] = []
    for point in run:
        minute = number(low, high, "minute", *point.parts)
        while minute in drawn and len(drawn) <= high - low:
            minute = low if minute == high else minute + 1
        drawn.append(minute)
    for point, minute in zip(run, sorted(drawn), strict=True):
        point.low = point.high = minute


def _between(window: _Point, before: int | None, after: int | None, needed: int) -> tuple[int, int]:
    """Return the first and last minute that a window leaves between two others.

    The two others are shared if too few minutes are left without them. If they are not in order, none bounds it.
    """
    low, high = window.low, window.high
    is_after = before is not None and low <= before <= high
    is_before = after is not None and low <= after <= high
    for gap in (1, 0):
        first = before + gap if is_after and before is not None else low
        last = after - gap if is_before and after is not None else high
        if last - first + 1 >= (needed if gap else 1):
            return first, last
    return low, high


def written_minutes(text: str, *, is_talk: bool) -> list[int]:
    """Return the minutes that stand written in a file: those of its messages, or of its values."""
    patterns = (_TOP, _REPLY) if is_talk else (_VALUE,)
    found = (each for line in text.splitlines() for pattern in patterns for each in _points_in(pattern, line, is_talk))
    return [int(each["minute"]) for each in found if each["minute"] and not each["minute"].endswith("~")]


def _points_in(pattern: re.Pattern[str], line: str, is_talk: bool) -> list[re.Match[str]]:
    head = pattern.match(line) if is_talk else None
    return [head] if head else [] if is_talk else [*pattern.finditer(line)]
