"""Find values that a text only dismisses: the old date in an invite, a number that was guessed too early."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.mentions import same
from farm.benchmark.scoring.claims.reading import Mention, Reading, Segment
from farm.benchmark.scoring.claims.words import content_words

AT_ONCE = 12  # characters after a value that contain its predicate
OTHERS_MAX = 2  # values of other subjects; a text with more is a dump
FEW = 20  # a number below it may just count a few things
_WEEKDAY = re.compile(r"(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:周|星期|礼拜)[一二三四五六日天]")
_GOES_ON = re.compile(
    r"^\W*(?:(?:that|those|these|they|it|this|both|so|please|and|just|ignore|disregard|forget|don't)\b"
    r"|[那这它都请别勿全均]|不要|两个|千万)"
)


def mark_dismissed(reading: Reading, held: Sequence[Mention], allowed: Sequence[Mention]) -> None:
    """Give dismissed values and names that belong to no claim the status ``beside``.

    Args:
        reading: the text, its mentions with their status.
        held: the mentions that belong to a claim; they never get this status here.
        allowed: the values that may be stated in addition.
    """
    places = [each for each in reading.mentions if each.sort != "subject" and each.sort != "says"]
    own = {id(each) for each in held}
    sorts = {"choice", *(each.sort for each in held)}
    denied = [each for each in places if each.status in ("denied", "former") and id(each) not in own]
    others = [each for each in places if id(each) not in own and _is_of_another(each, reading, own)]
    listed = _listed_with(reading, places, own)
    for mention in places:
        if id(mention) in own or mention.status != "asserted" or id(mention) in listed:
            continue
        if mention in others and len(others) <= OTHERS_MAX:
            mention.status = "beside"
            continue
        if _is_dismissed(reading, mention, own) or any(_same(mention, each) for each in denied):
            mention.status = "beside"
        elif _is_mentioned_by(reading, mention, own) and not any(
            mention.sort == each.sort and same(mention, each) for each in allowed
        ):
            mention.status = "beside"
            if mention.sort in sorts and not _is_count(mention, reading.segments[mention.segment]):
                reading.doubt(mention.sentence, f"what is said of {reading.text_of(mention)}", guess="yes")
    loose = [each for each in places if each.value and id(each) not in own and each.status == "asserted"]
    for mention in held:
        rivals = [each for each in loose if each.sort == mention.sort and each.value and _is_like(each, mention)]
        behind = _behind(reading, mention)
        if rivals and mention.status == "asserted" and lexicon.ASIDE_BEHIND.search(behind[:AT_ONCE]):
            mention.status = "denied"  # "16:00, the 15:00 in the mail is void"
    for mention, other in reversed(list(pairwise(places))):  # "潮汐、锚点都比它大"
        joint = reading.text[mention.end : other.start]
        is_listed = mention.sort == other.sort == "choice" and lexicon.NAMES_JOINED.fullmatch(joint)
        if is_listed and other.status == "beside" and mention.status == "asserted" and id(mention) not in own:
            mention.status = "beside"


def _listed_with(reading: Reading, places: Sequence[Mention], own: set[int]) -> set[int]:
    """Return the names in one list with a claimed name, regardless of the list's predicate."""
    names = [each for each in places if each.sort == "choice"]
    pairs = [
        (a, b) for a, b in pairwise(names) if lexicon.NAMES_JOINED.fullmatch(reading.text[a.end : max(a.end, b.start)])
    ]
    listed = {id(each) for each in names if id(each) in own}
    for a, b in [*pairs, *reversed(pairs)]:
        if id(a) in listed or id(b) in listed:
            listed |= {id(a), id(b)}
    return listed - own


def _is_like(a: Mention, b: Mention) -> bool:
    """Whether two values have the same unit, so that one may replace the other."""
    return bool(a.value and b.value and a.value.unit == b.value.unit)


def _behind(reading: Reading, mention: Mention) -> str:
    """Return the words between a mention and the next one in its segment."""
    segment = reading.segments[mention.segment]
    end = min((each.start for each in segment.said if each.start >= mention.end), default=segment.end)
    return reading.unquoted[mention.end : end]


def _same(mention: Mention, denied: Mention) -> bool:
    """Whether a value was denied before: "not 40, 40 is from last year"."""
    if not mention.value or not denied.value or denied.start > mention.start:
        return False
    a, b = mention.value, denied.value
    return (a.kind, a.number, a.unit, a.options) == (b.kind, b.number, b.unit, b.options)


def _is_dismissed(reading: Reading, mention: Mention, own: set[int]) -> bool:
    """Whether the words around a mention dismiss it."""
    sentence = reading.sentence(mention.sentence)
    segment = reading.segments[mention.segment]
    ahead, behind = _beside(reading, segment, mention, own)
    if mention.key.startswith("r") and lexicon.LABELLED_BEFORE.search(ahead):
        return True
    if mention.sort == "clock" and lexicon.ENDS_BEFORE.search(ahead) and lexicon.ENDS.search(ahead):
        return True
    if _is_weekday_of(mention, reading, own):
        return True
    if _is_quoted(mention, reading, segment, own):
        return True
    if mention.sort == "date" and (lexicon.WISH_BEFORE.search(ahead) or lexicon.WISH_BEHIND.match(behind)):
        return True
    if lexicon.ASIDE_AHEAD.search(ahead) or lexicon.ASIDE_BEHIND.search(behind):
        return True
    at = sentence.index(segment)
    for other in sentence[at + 1 :]:
        if not _is_bare(other):
            break
        if lexicon.ASIDE_BEHIND.search(reading.raw(other)):
            return True
    if any(id(each) in own for part in sentence for each in part.said):
        return False
    if any(lexicon.ASIDE_AHEAD.search(reading.raw(part)) for part in sentence[:at]):
        return True
    if any(lexicon.ASIDE_BEHIND.search(reading.raw(part)) for part in sentence[at + 1 :] if _is_bare(part)):
        return True
    follower = reading.sentence(mention.sentence + 1)
    if follower and not any(part.said for part in follower) and _GOES_ON.match(reading.raw(follower[0])):
        cues = [reading.raw(part) for part in follower]
        return any(lexicon.ASIDE_BEHIND.search(cue) or lexicon.ASIDE_AHEAD.search(cue) for cue in cues)
    return False


def _is_quoted(mention: Mention, reading: Reading, segment: Segment, own: set[int]) -> bool:
    """Whether a value occurs only in somebody's quoted words: "his first message said "about 4 %""."""
    if not mention.value or not lexicon.SPOKEN.search(segment.text):
        return False
    quotes = [each.span() for each in lexicon.QUOTED.finditer(reading.text)]
    spans = [(start, end) for start, end in quotes if start < mention.start < end]
    return bool(spans) and not any(
        spans[0][0] < each.start < spans[0][1] for each in reading.mentions if id(each) in own
    )


def _is_weekday_of(mention: Mention, reading: Reading, own: set[int]) -> bool:
    """Whether a bare weekday is that of the claimed day: "26 March … 周四是工作日"."""
    if mention.sort != "date" or not mention.value or not _WEEKDAY.fullmatch(reading.text_of(mention)):
        return False
    days = {date.fromisoformat(day).weekday() for day in mention.value.options}
    held = [each.value.options for each in reading.mentions if id(each) in own and each.value and each.sort == "date"]
    return any(date.fromisoformat(day).weekday() in days for options in held for day in options)


def _is_of_another(mention: Mention, reading: Reading, own: set[int]) -> bool:
    """Whether a value is beside a subject that the task lists as another one: "1,108 in Shanghai"."""
    segment = reading.segments[mention.segment]
    if not mention.value or any(id(each) in own for each in segment.said):
        return False
    subjects = [each for each in segment.mentions if each.sort == "subject"]
    nearest = min(subjects, key=lambda each: max(each.start - mention.end, mention.start - each.end), default=None)
    return nearest is not None and nearest.key.startswith("n")


def _is_mentioned_by(reading: Reading, mention: Mention, own: set[int]) -> bool:
    """Whether a clause states something about an already known thing, but not that it holds."""
    segment = reading.segments[mention.segment]
    if any(id(each) in own for each in segment.said):
        return False
    text = reading.unquoted
    before, behind = text[segment.start : mention.start], text[mention.end : segment.end]
    if mention.value and (mention.value.unit in ("h", "min", "d", "w") or mention.value.kind == "ordinal"):
        return False
    if lexicon.MORE_BEFORE.search(before[-16:]):
        return False
    if mention.value and lexicon.TOLD_OF.match(behind):
        return True
    # "3,118 likes (on Saturday 2,800)": of another time.
    opened = text.rfind("(", 0, mention.start)
    is_bracketed = opened > text.rfind(")", 0, mention.start) and any(
        each.sort == "date" and opened < each.start and not any(id(one) in own and one.start > opened for one in places)
        for places in [reading.mentions]
        for each in places
        if each.start < mention.end or each in segment.said
    )
    if mention.sort == "number" and is_bracketed:
        return True
    affirmed = lexicon.AFFIRMED.search(segment.text[mention.start - segment.start :])
    if mention.sort == "choice" and lexicon.OWN_COUNT.match(behind) and not affirmed:
        return True  # "Tide has 6 and Anchor 8"
    # The words after a day or an hour name the event.
    is_thing = mention.sort in ("choice", "number")
    opens = (
        is_thing
        and not content_words(segment.rest[: mention.start - segment.start])
        and lexicon.VERB_BEHIND.match(behind)
    )
    is_head = text[segment.end : segment.end + 1] == ":"  # "the venue's 8,000: agreed"
    known = mention.value and not is_head and lexicon.KNOWN_BEFORE.search(before)
    return bool(opens or known) and not affirmed


def _is_count(mention: Mention, segment: Segment) -> bool:
    """Whether a small number only counts something: "three people"."""
    value = mention.value
    counts = lexicon.COUNTED.match(segment.text[mention.end - segment.start :])
    return bool(value and value.kind == "number" and value.number < FEW and not value.unit and counts)


def _is_bare(segment: Segment) -> bool:
    """Whether a segment names only a count: "两个都划掉"."""
    return all(each.sort == "number" for each in segment.said)


def _beside(reading: Reading, segment: Segment, mention: Mention, own: set[int]) -> tuple[str, str]:
    """Return the words of a segment before and after a mention, up to the next claimed value."""
    start, end = segment.start, segment.end
    for each in segment.said:
        if id(each) in own and each.end <= mention.start:
            start = max(start, each.end)
        if id(each) in own and each.start >= mention.end:
            end = min(end, each.start)
    return reading.unquoted[start : mention.start], reading.unquoted[mention.end : end]


def is_dismissed(reading: Reading, segment: Segment) -> bool:
    """Whether a segment contains only dismissed or denied mentions, and so adds no statement."""
    if segment.said:
        return all(each.status in ("denied", "former", "beside") for each in segment.said)
    if lexicon.ASIDE_BEHIND.search(reading.raw(segment)):
        return True
    before = reading.segments[reading.segments.index(segment) - 1]
    is_told_on = before.sentence == segment.sentence and before.said and not lexicon.CONTRAST.search(segment.text)
    return bool(is_told_on) and is_dismissed(reading, before)
