"""Finds what a text names only to put it away: the old date in an invite, a number that was guessed too early."""

from __future__ import annotations

import re
from collections.abc import Sequence

from farm.claims import lexicon
from farm.claims.reading import Mention, Reading, Segment

_GOES_ON = re.compile(
    r"^\W*(?:(?:that|those|these|they|it|this|both|so|please|and|just|ignore|disregard|forget|don't)\b"
    r"|[那这它都请别勿全均]|不要|两个|千万)"
)


def set_aside(reading: Reading, held: Sequence[Mention]) -> None:
    """Give values and names of no claim that are only put away the status of what stands beside.

    Args:
        reading: the text, its mentions with their status.
        held: the mentions that some claim is about; what is said of them is not told here.
    """
    places = [each for each in reading.mentions if each.sort != "subject" and each.sort != "says"]
    own = {id(each) for each in held}
    denied = [each for each in places if each.status in ("denied", "former") and id(each) not in own]
    for mention in places:
        if id(mention) in own or mention.status != "asserted":
            continue
        if _is_put_away(reading, mention, own) or any(_same(mention, each) for each in denied):
            mention.status = "beside"


def _same(mention: Mention, denied: Mention) -> bool:
    """Whether a value was denied before: "not 40, 40 is from last year"."""
    if not mention.value or not denied.value or denied.start > mention.start:
        return False
    a, b = mention.value, denied.value
    return (a.kind, a.number, a.unit, a.options) == (b.kind, b.number, b.unit, b.options)


def _is_put_away(reading: Reading, mention: Mention, own: set[int]) -> bool:
    """Whether the words beside a mention put it away."""
    sentence = reading.sentence(mention.sentence)
    segment = reading.segments[mention.segment]
    ahead, behind = _beside(reading, segment, mention, own)
    if lexicon.ASIDE_AHEAD.search(ahead) or lexicon.ASIDE_BEHIND.search(behind):
        return True
    at = sentence.index(segment)
    for other in sentence[at + 1 :]:
        if other.said:
            break
        if lexicon.ASIDE_BEHIND.search(_raw(reading, other)):
            return True
    if any(id(each) in own for part in sentence for each in part.said):
        return False
    if any(lexicon.ASIDE_AHEAD.search(_raw(reading, part)) for part in sentence[:at]):
        return True
    follower = reading.sentence(mention.sentence + 1)
    if follower and not any(part.said for part in follower) and _GOES_ON.match(_raw(reading, follower[0])):
        cues = [_raw(reading, part) for part in follower]
        return any(lexicon.ASIDE_BEHIND.search(cue) or lexicon.ASIDE_AHEAD.search(cue) for cue in cues)
    return False


def _raw(reading: Reading, segment: Segment) -> str:
    return reading.unquoted[segment.start : segment.end]


def _beside(reading: Reading, segment: Segment, mention: Mention, own: set[int]) -> tuple[str, str]:
    """Return the words of a segment before and behind a mention, as far as no claimed value stands between."""
    start, end = segment.start, segment.end
    for each in segment.said:
        if id(each) in own and each.end <= mention.start:
            start = max(start, each.end)
        if id(each) in own and each.start >= mention.end:
            end = min(end, each.start)
    return reading.unquoted[start : mention.start], reading.unquoted[mention.end : end]


def is_put_away(reading: Reading, segment: Segment) -> bool:
    """Whether a segment only tells of what is put away or denied, and so adds nothing to what is said."""
    if segment.said:
        return all(each.status in ("denied", "former", "beside") for each in segment.said)
    raw = _raw(reading, segment)
    return bool(lexicon.ASIDE_BEHIND.search(raw))
