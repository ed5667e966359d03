"""The emoji every workspace has: their names, other names for them, and the characters behind them.

``emoji.json`` holds the names of the emoji-data table that Slack's documentation points to, release 16.0.0.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

_TABLE = json.loads(Path(__file__).with_name("emoji.json").read_text("utf-8"))
# Name → code points in hexadecimal, with hyphens between them.
UNICODE: dict[str, str] = _TABLE["unicode"]
# Another name → the name under which Slack keeps a reaction.
ALIASES: dict[str, str] = _TABLE["aliases"]

_TONED = re.compile(r"(.*)::skin-tone-([2-6])")
# The characters of the five skin tones, which Slack counts from 2.
_TONES = {2: "1f3fb", 3: "1f3fc", 4: "1f3fd", 5: "1f3fe", 6: "1f3ff"}


def split_tone(name: str) -> tuple[str, int | None]:
    """Return an emoji's name without its skin tone, and the tone, 2 to 6, if it has one."""
    match = _TONED.fullmatch(name)
    return (match[1], int(match[2])) if match else (name, None)


def main_name(name: str) -> str:
    """Return the name Slack keeps: ``thumbsup`` is kept as ``+1``, a skin tone stays."""
    plain, tone = split_tone(name)
    main = ALIASES.get(plain, plain)
    return main if tone is None else f"{main}::skin-tone-{tone}"


def is_standard(plain: str) -> bool:
    """Whether every workspace has an emoji of this name, given without a skin tone."""
    return plain in UNICODE or plain in ALIASES


def unicode(plain: str, tone: int | None) -> str:
    """Return the code points of a standard emoji; a skin tone stands behind the first, in place of a variation sign."""
    points = UNICODE[ALIASES.get(plain, plain)]
    if tone is None:
        return points
    first, *rest = points.split("-")
    return "-".join((first, _TONES[tone], *(rest[1:] if rest[:1] == ["fe0f"] else rest)))
