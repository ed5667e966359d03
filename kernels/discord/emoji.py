"""The emoji that every server has: ``emoji.json`` lists those of Unicode 15.1, skin tones and all.

Discord has 26 more, the letters of which flags are made, each by itself.
"""

from __future__ import annotations

import json
from pathlib import Path

_VARIATION = "\ufe0f"
_LISTED: str = json.loads(Path(__file__).with_name("emoji.json").read_text("utf-8"))["emoji"]
_LETTERS = [chr(each) for each in range(ord("\N{REGIONAL INDICATOR SYMBOL LETTER A}"), 0x1F200)]
# Without their variation signs → as Discord keeps them.
_KNOWN = {each.replace(_VARIATION, ""): each for each in [*_LISTED.split(), *_LETTERS]}


def find(text: str) -> str | None:
    """Return an emoji as Discord keeps it, or None for a text that is none; variation signs may be left out."""
    return _KNOWN.get(text.replace(_VARIATION, ""))
