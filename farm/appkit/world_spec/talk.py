"""Reads talk scripts: Markdown lists of who said what, when, with replies and reactions (docs/worlds.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from farm.appkit.world_spec.days import Days
from farm.appkit.world_spec.problems import collected
from farm.errors import FarmError

HEADING = re.compile(r"## #([\w.-]+)\s*")
# What stands in a flag: it may hold references, ``{file: {{fact:case.number}}_draft.docx}``.
_WITHIN = r"(?:[^{}]|\{\{[^{}]*\}\})*"
_TOP = re.compile(rf"- ([+-]\d+ \d{{1,2}}:\d{{2}}) ([\w.]+)((?: \{{{_WITHIN}\}})*):(?: (.*))?")
_REPLY = re.compile(rf"  - (?:\+(\d+) )?(\d{{1,2}}:\d{{2}}) ([\w.]+)((?: \{{{_WITHIN}\}})*):(?: (.*))?")
_REACTION = re.compile(r"( +)- :([\w+'-]+): ([\w., ]+)")
_FLAG = re.compile(rf"\{{(\w+):? ?({_WITHIN})\}}")
FLAGS = (
    *("edited", "recalled", "pinned", "broadcast", "thread", "joins", "leaves", "renames"),
    *("post", "image", "file", "sticker", "voice", "video", "card", "color", "forward"),
)


@dataclass
class Message:
    """One message as written; ``text`` still has its placeholders."""

    place: str
    at: datetime
    author: str
    text: str
    flags: dict[str, str]
    replies: list[Message] = field(default_factory=list)
    reactions: list[tuple[str, str]] = field(default_factory=list)  # (emoji, person), in order


Talk = dict[str, list[Message]]


class ScriptError(ValueError):
    """Lines of a script are invalid; the each line of the message begins with file and line."""


def read_talk(folder: Path, where: str, days: Days, render: Callable[[str, str], str]) -> Talk:
    """Return channel → its top-level messages in order of time, from every ``*.md`` of a folder.

    Args:
        where: the folder's name in error messages.
        days: the world's calendar.
        render: replaces the references to facts in a file, given its text and name.

    Raises:
        ScriptError: every line that has an unknown form, or precedes the message it answers. While problems are
            collected, such lines are passed over.
    """
    talk: Talk = {}
    wrong: list[str] = []
    for path in sorted(folder.glob("*.md")):
        try:
            text = render(path.read_text("utf-8"), f"{where}/{path.name}")
        except (FarmError, ScriptError) as problem:
            wrong += str(problem).splitlines()
        else:
            wrong += _read_file(text, f"{where}/{path.name}", days, talk)
    if wrong and (problems := collected()) is None:
        raise ScriptError("\n".join(wrong))
    if wrong and problems:
        problems.add(FarmError("\n".join(wrong)))
        problems.unread += len(wrong)
    for messages in talk.values():
        messages.sort(key=lambda message: message.at)
    return talk


def _read_file(text: str, where: str, days: Days, talk: Talk) -> Iterator[str]:
    """Add the messages of a file, and yield what is wrong with its lines."""
    channel: list[Message] | None = None
    is_below_invalid = False  # what stands below an invalid message belongs to no other
    for number, line in enumerate(text.splitlines(), start=1):
        place = f"{where}:{number}"
        if not line.strip() or line.startswith((">", "<!--", "# ")):
            continue
        heading = HEADING.fullmatch(line)
        if heading:
            channel, is_below_invalid = talk.setdefault(heading[1], []), False
            continue
        if channel is None:
            yield f"{place}: no '## #channel' heading above this line"
            return
        is_top = not line.startswith(" ")
        if is_below_invalid and not is_top:
            continue
        try:
            _read_line(place, line.rstrip(), days, channel)
            is_below_invalid = False
        except (ValueError, OverflowError) as problem:
            is_below_invalid = is_top
            yield f"{place}: {problem}"


def _read_line(place: str, line: str, days: Days, channel: list[Message]) -> None:
    reaction = _REACTION.fullmatch(line)
    if reaction:
        _react(reaction, channel)
        return
    top = _TOP.fullmatch(line)
    if top:
        channel.append(Message(place, days.at(top[1]), top[2], _body(top[4]), _flags(top[3])))
        return
    reply = _REPLY.fullmatch(line)
    if reply is None:
        raise ValueError(
            "not a message; write '- -3 09:12 person: text', indented for a reply '  - 09:20 person: text'"
        )
    if not channel:
        raise ValueError("a reply with no message above it")
    root = channel[-1]
    hour, minute = map(int, reply[2].split(":"))
    if hour > 23 or minute > 59:
        raise ValueError(f"'{reply[2]}' is no time of day")
    at = root.at.replace(hour=hour, minute=minute) + timedelta(days=int(reply[1] or 0))
    before = root.replies[-1].at if root.replies else root.at
    if at < before:
        raise ValueError(f"this reply is earlier than what it follows ({before:%H:%M}); add '+1' if it is the next day")
    root.replies.append(Message(place, at, reply[3], _body(reply[5]), _flags(reply[4])))


def _react(match: re.Match[str], channel: list[Message]) -> None:
    if not channel:
        raise ValueError("a reaction with no message above it")
    target = channel[-1]
    if len(match[1]) > 2:
        if not target.replies:
            raise ValueError("a reaction on a reply, and there is no reply above it")
        target = target.replies[-1]
    target.reactions += [(match[2], person.strip()) for person in match[3].split(",")]


def _body(text: str | None) -> str:
    return (text or "").replace("\\n", "\n")


def _flags(text: str) -> dict[str, str]:
    flags = dict(_FLAG.findall(text))
    for flag in flags:
        if flag not in FLAGS:
            raise ValueError(f"no flag '{flag}'; have {', '.join(FLAGS)}")
    return flags
