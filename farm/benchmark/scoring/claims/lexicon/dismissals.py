"""Words that keep a mention from being misread: what is still asserted, and what is only asked of the reader."""

from __future__ import annotations

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# What follows "used to be" and holds: "used to be 16:00 and becomes 15:00".
BECOMES = _words(
    en=r"and becomes?|now (?:is|starts|begins)|turned into",
    zh=r"现在|变成|如今|目前|改成|改为",
)
