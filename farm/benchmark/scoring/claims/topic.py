"""Find what subject a text states a value of."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.reading import Mention, Reading


def is_of(key: str, own: str, mention: Mention, reading: Reading) -> bool:
    """Whether a mention is stated of a subject, which is in its segment or before it in its sentence.

    Args:
        key: the subject.
        own: the right subject of the mention, which wins if it is nearer.
        mention: the mention.
        reading: the text.
    """
    return any(
        each.key == key
        and (_stands_by(each, mention, reading) or _goes_on(each, mention, reading))
        and not _has_own(each, own, mention, reading)
        and not _is_aside(each, reading)
        and not _is_bracketed(reading.text[each.end : mention.start])
        and not _is_overruled(each, own, mention, reading)
        for each in reading.mentions
    )


def _stands_by(subject: Mention, mention: Mention, reading: Reading) -> bool:
    """Whether a subject is in the segment of a value, before it in its sentence."""
    if subject.sentence != mention.sentence:
        return False
    return (
        subject.start < mention.start
        or subject.segment == mention.segment
        or (_is_head(mention, reading) and subject.segment == mention.segment + 1)
    )


def _goes_on(subject: Mention, mention: Mention, reading: Reading) -> bool:
    """Whether a sentence continues the one before: "Leo knows nothing. He has to …", "The rehearsal! At two."."""
    if subject.sentence != mention.sentence - 1:
        return False
    segment, behind = reading.segments[subject.segment], reading.sentence(mention.sentence)
    head = reading.text[segment.start : subject.start]
    rest = reading.text[subject.end : reading.sentence(subject.sentence)[-1].end]
    is_title = re.search(r"\w", rest) is None
    opens = re.fullmatch(r"\W*(?:(?:the|and|but|so|no)\b\W*)*", head)
    return bool(opens and (is_title or lexicon.GOES_ON.match(behind[0].text)))


def _is_bracketed(behind: str) -> bool:
    """Whether the words after a subject close a bracket that they do not open."""
    head, closes, _ = behind.partition(")")
    return bool(closes) and "(" not in head


def _has_own(subject: Mention, own: str, mention: Mention, reading: Reading) -> bool:
    """Whether one segment contains both subjects and a value for each: "against a limit of 1 % we measured 6 %"."""
    mates = reading.segments[mention.segment].mentions
    subjects = [each for each in mates if each.key in (subject.key, own)]
    values = [each for each in mates if each.sort == mention.sort and not each.is_known]
    if subject.segment != mention.segment or mention not in values or len(values) < 2:
        return False
    at = values.index(mention)
    if values[0].start < subjects[0].start:  # the words about a value follow it, up to the next value
        low, high = mention.end, values[at + 1].start if at + 1 < len(values) else len(reading.text)
    else:
        low, high = values[at - 1].end if at else 0, mention.start
    return {each.key for each in subjects if low <= each.start < high} == {own}


def _is_overruled(subject: Mention, own: str, mention: Mention, reading: Reading) -> bool:
    """Whether the right subject is nearer: "retail is 599, distributor 395"; only a heading overrules a heading."""
    if subject.sentence < mention.sentence:
        # "He has to be told": a continuing sentence has a subject already.
        opening = reading.sentence(mention.sentence)[0]
        names = [each for each in reading.mentions if each.key == own and opening.start <= each.start < mention.start]
        return bool(names) and not lexicon.GOES_ON.match(opening.text)
    if subject.segment >= mention.segment:
        # If one clause has several pairs, the pairs decide: "179 retail and 118 distributor".
        clause = reading.segments[mention.segment].mentions
        mates = [each for each in clause if each.key.startswith("s")]
        values = [each for each in clause if each.sort == mention.sort and not each.is_known]
        is_around = subject.end <= min(each.start for each in values) or subject.start >= max(
            each.end for each in (*mates, *values)
        )
        # "Lan's post has 31 likes and 4 saves": if each value has its own word, a name beside them owns them all.
        if is_around and len({each.start for each in mates}) >= len(values):
            return False
        return own in mention.subjects and not mention.is_inherited and len({each.key for each in mates}) > 1
    nearer = [
        each
        for each in reading.mentions
        if each.key == own
        and subject.segment < each.segment <= mention.segment
        and not _is_bracketed(reading.text[each.end : mention.start])
    ]
    if _is_head(subject, reading) and not _is_taken(subject, mention, reading):
        nearer = [each for each in nearer if _is_head(each, reading)]
    return bool(nearer)


def _is_taken(head: Mention, mention: Mention, reading: Reading) -> bool:
    """Whether a heading labels the one value behind it, which names nothing: "retail: 599, distributor 395"."""
    between = [each for each in reading.mentions if each.sort == mention.sort and head.end <= each.start]
    first = reading.segments[between[0].segment] if between else None
    return between[0] is not mention and first is not None and not any(m.sort == "subject" for m in first.mentions)


def _is_head(subject: Mention, reading: Reading) -> bool:
    return reading.text[reading.segments[subject.segment].end :][:1] == ":"


def _is_aside(subject: Mention, reading: Reading) -> bool:
    """Whether a subject is denied or is only a measure: "not Leo's", "like Leo's"."""
    segment = reading.segments[subject.segment]
    before = segment.text[: subject.start - segment.start]
    if lexicon.NEGATION.search(before) or lexicon.NEGATION_AHEAD.search(before):
        return True
    return bool(lexicon.MEASURED_BY.search(before) or lexicon.MEASURES.match(reading.text, subject.end))
