"""Tells each value its subjects: the clock its city, the number what it counts."""

from __future__ import annotations

from farm.claims import lexicon
from farm.claims.reading import Mention, Reading, Segment

NOBODY: frozenset[str] = frozenset()


def pair(reading: Reading) -> None:
    """Give each value the subjects of its segment, else of its neighbours, else of the line above."""
    for index, segment in enumerate(reading.segments):
        subjects = [mention for mention in segment.mentions if mention.sort == "subject"]
        for sort in {mention.sort for mention in segment.mentions} - {"subject"}:
            values = [mention for mention in segment.mentions if mention.sort == sort]
            for mention in values:
                if subjects:
                    mention.subjects = _beside(mention, values, subjects)
                else:
                    mention.subjects = _inherited(reading, index, segment, mention)
    for sentence in range(len(reading.tails)):
        _respectively(reading, sentence)


def _beside(mention: Mention, values: list[Mention], subjects: list[Mention]) -> frozenset[str]:
    """Return the subject before or behind a value, by the order in which the segment puts them."""
    if len({subject.key for subject in subjects}) == 1:
        return frozenset({subjects[0].key})
    behind = [subject for subject in subjects if subject.start >= mention.start]
    before = [subject for subject in subjects if subject.end <= mention.start + 1]
    values_first = values[0].start < subjects[0].start
    chosen = (behind[:1] or before[-1:]) if values_first else (before[-1:] or behind[:1])
    return frozenset(subject.key for subject in chosen)


def _inherited(reading: Reading, index: int, segment: Segment, mention: Mention) -> frozenset[str]:
    """Return the subjects of a value whose segment names none."""
    if mention.sort == "number" and lexicon.OWN_NOUN.match(reading.text[mention.end : mention.end + 8]):
        return NOBODY
    mates = [each for part in reading.segments_of(segment.sentence) for each in part.mentions]
    first = next((each for each in mates if each.sort in ("subject", mention.sort)), mention)
    neighbours = reading.segments[max(0, index - 1) : index] + reading.segments[index + 1 : index + 2]
    # Where the sentence opens with a subject, values follow theirs; where it opens with a value, they precede them.
    for other in neighbours if first.sort == "subject" else reversed(neighbours):
        if other.sentence != segment.sentence or any(each.sort == mention.sort for each in other.mentions):
            continue
        if keys := frozenset(each.key for each in other.mentions if each.sort == "subject"):
            return keys
    for other in reversed(reading.segments[:index]):
        if other.sentence < segment.sentence - 1:
            break
        if other.sentence < segment.sentence and _has(reading, other.sentence, mention.sort):
            break
        if names := [each.key for each in other.mentions if each.sort == "subject"]:
            return frozenset(names[-1:] if other.sentence == segment.sentence else names)
    return NOBODY


def _has(reading: Reading, sentence: int, sort: str) -> bool:
    return any(each.sort == sort for part in reading.segments_of(sentence) for each in part.mentions)


def _respectively(reading: Reading, sentence: int) -> None:
    """Pair subjects and values that stand in two rows, in order: "A and B: 1 and 2", "A、B 分别是 1、2"."""
    mentions = [each for part in reading.segments_of(sentence) for each in part.mentions]
    subjects = [each for each in mentions if each.sort == "subject"]
    names = list(dict.fromkeys(each.key for each in subjects))
    if len(names) < 2 or len(names) != len(subjects):
        return
    last = max(each.end for each in subjects)
    for sort in ("clock", "number", "date"):
        values = [each for each in mentions if each.sort == sort]
        if len(names) <= len(values) and last <= min(each.start for each in values):
            for name, value in zip(names, values, strict=False):
                value.subjects = frozenset({name})
