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
_TONE_OF = {chr(int(points, 16)): tone for tone, points in _TONES.items()}
_NAME_OF = {"".join(chr(int(point, 16)) for point in points.split("-")): name for name, points in UNICODE.items()}
# The variation selector may be left out where the sign is nothing else than an emoji.
_NAME_OF |= {
    characters.replace("\ufe0f", ""): name for characters, name in _NAME_OF.items() if characters[0] >= "\U0001f000"
}
_LONGEST = max(map(len, _NAME_OF)) + 1
_OTHERS = "".join(sorted({characters[0] for characters in _NAME_OF if not characters[0].isascii()}))
# What an emoji begins with; a digit does so before the sign of a key only.
_FIRST = re.compile(rf"[#*\d](?=\ufe0f\u20e3)|[{_OTHERS}]")


def split_tone(name: str) -> tuple[str, int | None]:
    """Return an emoji's name without its skin tone, and the tone, 2 to 6, if it has one."""
    match = _TONED.fullmatch(name)
    return (match[1], int(match[2])) if match else (name, None)


def main_name(name: str) -> str:
    """Return the name Slack keeps: ``thumbsup`` is kept as ``+1``, a skin tone stays."""
    base_name, tone = split_tone(name)
    main = ALIASES.get(base_name, base_name)
    return main if tone is None else f"{main}::skin-tone-{tone}"


def named(text: str) -> str:
    """Return a text with its emoji as Slack keeps them, as names between colons."""
    if text.isascii():
        return text
    parts: list[str] = []
    done = at = 0
    while first := _FIRST.search(text, at):
        at = first.end()
        for end in range(min(first.start() + _LONGEST, len(text)), first.start(), -1):
            name = _name_of(text[first.start() : end])
            if name is not None:
                parts += (text[done : first.start()], f":{name}:")
                done = at = end
                break
    return "".join((*parts, text[done:]))


def _name_of(characters: str) -> str | None:
    tone = _TONE_OF.get(characters[1:2])
    if tone is None:
        return _NAME_OF.get(characters)
    first, rest = characters[0], characters[2:]
    name = _NAME_OF.get(first + rest) or _NAME_OF.get(f"{first}\ufe0f{rest}")
    return name and f"{name}::skin-tone-{tone}"


def is_standard(base_name: str) -> bool:
    """Whether every workspace has an emoji of this name, given without a skin tone."""
    return base_name in UNICODE or base_name in ALIASES


def unicode(base_name: str, tone: int | None) -> str:
    """Return the code points of a standard emoji; a skin tone stands behind the first, in place of a variation sign."""
    points = UNICODE[ALIASES.get(base_name, base_name)]
    if tone is None:
        return points
    first, *rest = points.split("-")
    return "-".join((first, _TONES[tone], *(rest[1:] if rest[:1] == ["fe0f"] else rest)))
