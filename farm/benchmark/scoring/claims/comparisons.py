"""Find whose lead a number is: "A beat B by 47", "B had 47 fewer than A", "A 211, B 164: 领先 47"; and over what."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.reading import Mention, Reading

# "Above 0.3 %" is a threshold.
_AHEAD = re.compile(
    r"\b(?:ahead|leads?|led|beats?|outsold|(?:over|above)(?! ?\d)|(?:more|higher|better)(?: [a-z]+)? than(?! ?\d))\b"
    r"|领先|超[过出](?! ?\d)|[多高](?!于? ?\d+ ?%)|赢|>"
)
_BEHIND = re.compile(
    r"\b(?:behind|trails?|trailed|below(?! ?\d)|(?:fewer|less|lower)(?: [a-z]+)? than(?! ?\d))\b|落后|[少低]|输|<"
)


def leads(mention: Mention, own: str, other: str, reading: Reading) -> bool:
    """Whether a number is stated as the lead of one subject over another.

    Args:
        own: the key of the subject that should lead.
        other: the key of the subjects that it should lead over.
    """
    sentence = reading.sentence(mention.sentence)
    text = " ".join(reading.raw(reading.segments[at]) for at in (mention.segment - 1, mention.segment) if at >= 0)
    is_ahead, is_behind = _AHEAD.search(text), _BEHIND.search(text)
    if bool(is_ahead) == bool(is_behind):
        return False
    named = [each for part in sentence for each in part.mentions if each.key in (own, other)]
    near = [each for each in named if each.segment == mention.segment]
    if len({each.key for each in near}) == 2:
        named = near
    if not named or len({each.key for each in named}) < 2:
        return False
    return (named[0].key == own) == bool(is_ahead)


def is_measured_from(mention: Mention, reading: Reading) -> bool:
    """Whether another number is counted from a number: "比早上的 2,800 又多了 318"."""
    segment = reading.segments[mention.segment]
    later = [each for each in segment.said if each.sort == mention.sort and each.start > mention.end]
    between = reading.text[mention.end : later[0].start] if later else ""
    return "比" in reading.text[segment.start : mention.start] and re.search("[多少高低涨降增减]", between) is not None
