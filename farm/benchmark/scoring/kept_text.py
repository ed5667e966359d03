"""Separate what was added to a text from the text of the start, which must be kept."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass

LINE_MIN = 8  # characters of a line that nobody adds twice on purpose

_STOPS = " .。"  # may end the start's last line, or be missing there


@dataclass(frozen=True)
class Addition:
    """What was added to a text.

    Attributes:
        text: the added text; the whole text if the start is not kept.
        fault: what is wrong with the kept text; empty if nothing is.
    """

    text: str
    fault: str = ""


def addition_to(start: str, body: str, headings: Set[str]) -> Addition:
    """Return what a text adds to the text of the start: before it, behind it, or at the end of one of its sections.

    Args:
        start: the text of the start, folded.
        body: the text, folded.
        headings: the lines of the start that open a section.
    """
    pieces = body.split(start)
    if len(pieces) == 1:
        return _in_sections(start, body, headings)
    added = "\n".join(pieces)
    if len(pieces) > 2:
        return Addition(added, f"the text of the start stands {len(pieces) - 1} times")
    # "… 无关吗？": the characters that directly follow change the kept text.
    if re.match(r"\w*[吗呢?]|[\u4e00-\u9fff]", pieces[1]):
        return Addition(added, "the text of the start goes on into another")
    return _unless_doubled(added, frozenset())


def _in_sections(start: str, body: str, headings: Set[str]) -> Addition:
    """Return the lines before the headings of the start, and behind its last line."""
    kept, added = [line.strip(_STOPS) for line in start.splitlines() if line.strip()][::-1], list[str]()
    start_lines = frozenset(kept)
    for line in map(str.strip, body.splitlines()):
        if kept and line.strip(_STOPS) == kept[-1]:
            kept.pop()
        elif line and kept and kept[-1] not in headings:
            break
        else:
            added.append(line)
    if kept:
        return Addition(body, "the text of the start does not stand whole")
    return _unless_doubled("\n".join(added), start_lines)


def _unless_doubled(added: str, start_lines: frozenset[str]) -> Addition:
    lines = [line.strip() for line in added.splitlines()]
    is_doubled = any(
        len(line) >= LINE_MIN and (lines.count(line) > 1 or line.strip(_STOPS) in start_lines) for line in lines
    )
    return Addition(added, "a line stands there twice" if is_doubled else "")
