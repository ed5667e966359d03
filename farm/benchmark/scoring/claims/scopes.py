"""Apply words beyond their own segment: a frame before it, and a comment or a correction after it."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.lazy import LazyPattern
from farm.benchmark.scoring.claims.mentions import same
from farm.benchmark.scoring.claims.question import Question, hedges, is_given, is_hearsay, sets_condition
from farm.benchmark.scoring.claims.reading import Mention, Reading, Segment, Status, blank
from farm.benchmark.scoring.claims.words import FEW, content_words

CORRECTED = 6  # how many segments back a correction reaches
_AFAR = re.compile("[一-鿿]{2}那[个条些]|\\b(?:one|figure|price|number)s? (?:in|on|of) ")  # "正文那个是旧的"
READER = re.compile("[您你]")  # whose doubts are not the writer's: "哪一条不清楚，您给我打电话"
DISPENSES = "～" * 6  # a blanked phrase at least as long as "no need"; shorter ones, such as 别人, do not count


def frame_of(reading: Reading, index: int, question: Question) -> Status | None:
    """Return the status that a segment gives to its sentence's rest: "I heard that, as of …", "if she signs, …"."""
    segment = reading.segments[index]
    if sets_condition(segment.text, question) and not is_given(segment, question):
        return "conditional"
    if is_hearsay(segment.text, question):
        # "5 % is gossip: 38 of 600": it concerns the words before it.
        is_of_one = any(lexicon.IS_SOMETHING.match(reading.text[each.end :]) for each in segment.said)
        return None if is_of_one else "reported"
    mates = reading.sentence(segment.sentence)
    behind = reading.text[segment.end : segment.end + 2]
    is_head = not segment.mentions and (":" in behind or "–" in behind)
    if is_head and lexicon.REVOKED.search(segment.text) and not content_words(blank(segment.text, lexicon.REVOKED)):
        return "denied"
    opens = not any(other.said for other in mates if other.start < segment.start)
    if opens and not segment.said and _is_doubt(segment, question) and _is_only(segment, lexicon.HEDGE):
        return "hedged"
    raw = reading.raw(segment)
    if not segment.said and lexicon.ASKING_INSIDE.search(raw):
        return "asked"
    return None


def _is_doubt(segment: Segment, question: Question) -> bool:
    """Whether a clause doubts what follows; not what its reader thinks: "你可能记混了"."""
    if READER.match(segment.text.strip()) or not hedges(segment.text, question):
        return False
    # Asked whether a copy is certain, "不敢说一定：预约的有 143 个" denies that, and no more.
    denied = [segment.text[cue.end() :].strip() for cue in lexicon.HEDGE.finditer(segment.text) if cue[0][0] == "不"]
    return not any(len(words) >= 2 and words in question.text for words in denied)


def _is_only(segment: Segment, cue: LazyPattern) -> bool:
    """Whether a segment contains hardly more than a cue."""
    return content_words(blank(segment.text, cue)) <= FEW


def apply_comment(reading: Reading, index: int, last: Segment, before: list[Mention], question: Question) -> None:
    """Apply a segment without mentions to the mentions before it: "…, I am not sure", "…，我都不同意"."""
    segment = reading.segments[index]
    text = segment.text
    if any(mention.value for mention in last.mentions):  # "Ann says 849, wrong": the value is wrong, not the speaker
        before = [mention for mention in before if mention.value]
    status: Status | None = None
    revokes = None if READER.match(text.strip()) else lexicon.REVOKED.search(text)
    denials = [cue for cue in lexicon.NEGATION.finditer(text) if lexicon.HOLDING.search(text[cue.end() :])]
    takes_back = bool(lexicon.TAKING_BACK.search(text) and (revokes or denials))
    if hedges(text, question) and _is_only(segment, lexicon.HEDGE):
        status = "hedged"
    elif is_taking_back(text) or (revokes and content_words(blank(text, lexicon.REVOKED)) < FEW):
        before = [mention for mention in before if mention.segment == before[-1].segment]
        status = "denied"
    elif takes_back:
        if any(mention.value for mention in last.said) and content_words(last.rest):
            before = [mention for mention in before if mention in last.said]  # "6,000, the 20,000 is in v3, not here"
        status = "denied"
    elif lexicon.ONE_OF.search(text):
        status = "rival"
    elif (old := lexicon.OUTDATED.search(text)) and not _AFAR.search(text[: old.start()]):
        before = [mention for mention in before if mention.value][-1:]
        status = "former"
    elif sets_condition(text, question) and not is_given(segment, question):
        status = "conditional"
    elif is_hearsay(text, question):
        status = "reported"
    elif hedges(text, question) or ((guess := lexicon.HEDGED_AFTER.search(text)) and guess[0][:5] not in question.text):
        status = "hedged"
    for mention in before:
        if status and mention.status == "asserted":
            mention.status = status


def apply_correction(reading: Reading, index: int) -> None:
    """Deny the mentions before a self-correction: "A — sorry, B", "A，不对，是 B"."""
    segment = reading.segments[index]
    if segment.said or index + 1 == len(reading.segments) or not lexicon.CORRECTION.search(segment.text):
        return
    later = reading.segments[index + 1].said
    for mention in later:
        earlier = [
            each
            for other in reading.segments[max(0, index - CORRECTED) : index]
            for each in other.said
            if each.sort == mention.sort
        ]
        if not earlier or any(same(earlier[-1], each) for each in later):
            earlier = [each for each in earlier[:-1] if each.segment == earlier[-1].segment]
        for each in earlier:
            if each.segment == earlier[-1].segment and not any(same(each, other) for other in later):
                each.status = "denied" if each.status == "asserted" else each.status


def is_taking_back(text: str) -> bool:
    """Whether a clause without names takes back an earlier statement."""
    return affirms(lexicon.TAKE_BACK, text) or affirms(lexicon.UNDOING, text)


def affirms(pattern: LazyPattern, text: str) -> bool:
    """Whether a text contains a cue without denying it: "they cancelled it", not "nobody cancelled it"."""
    starts = (text[: cue.start()].rstrip() for cue in pattern.finditer(text))
    return any(not lexicon.NEGATION.search(before) and not before.endswith(DISPENSES) for before in starts)
