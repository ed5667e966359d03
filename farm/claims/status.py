"""Says how each thing in a text is said: asserted, denied, hedged, asked, one of two, former, conditional."""

from __future__ import annotations

import re
from itertools import pairwise

from farm.claims import lexicon
from farm.claims.reading import Mention, Reading, Segment, Status, blank
from farm.claims.values import Value


def judge_status(reading: Reading, *, condition_given: bool = False) -> None:
    """Give every mention its status.

    Args:
        reading: the text.
        condition_given: whether those who asked did so under a condition themselves ("if it goes like last time").
    """
    carried: Status | None = None
    for index, segment in enumerate(reading.segments):
        last = reading.segments[index - 1] if index else None
        if last and last.sentence != segment.sentence:
            last = None
        carried = _segment(reading, index, segment, last, carried, condition_given)
    for sentence in range(len(reading.tails)):
        _sentence(reading, sentence)
    _alternatives(reading)


def same(a: Mention, b: Mention) -> bool:
    """Whether two mentions say the same thing."""
    if a.value and b.value:
        return a.sort == b.sort and same_value(a.value, b.value)
    return a.key == b.key


def same_value(a: Value, b: Value) -> bool:
    """Whether two values may be the same; a bare number may be an amount of money."""
    if a.options or b.options:
        return bool(set(a.options) & set(b.options))
    return a.number == b.number and (a.unit == b.unit or {"", a.unit, b.unit} <= {"", *MONEY})


MONEY = ("CNY", "MYR", "SGD", "USD", "EUR", "GBP")


def _segment(
    reading: Reading,
    index: int,
    segment: Segment,
    last: Segment | None,
    carried: Status | None,
    condition_given: bool,
) -> Status | None:
    """Give one segment's mentions their status; return what goes on into bare segments behind it."""
    said = segment.said
    bare = _is_bare(segment)
    opener = reading.text[last.end : segment.start] if last else ""
    answers_last = ":" in opener and carried == "denied" and last is not None
    if answers_last and last and not {m.sort for m in said} & {m.sort for m in last.mentions}:
        answers_last = False
    if not (last and bare) or "–" in opener or answers_last:
        carried = None
    status = _within(reading, segment, said, condition_given)
    turns = lexicon.BUT.search(segment.text) or lexicon.BUT_OPENS.search(segment.text)
    if carried and bare and not turns and all(m.status == "asserted" for m in said):
        for mention in said:
            mention.status = carried
    before = [
        mention for other in reading.segments[:index] if other.sentence == segment.sentence for mention in other.said
    ]
    if said:
        if status == "denied" and any(m.sort == said[0].sort and m.status == "asserted" for m in before):
            carried = None  # a denied alternative of what has been said: "A rather than B, and C"
        elif status in ("denied", "hedged", "conditional"):
            carried = status
        elif not bare:
            carried = None
        if last and lexicon.OR_OPENS.search(segment.text):
            for mention in last.said:
                mention.status = "rival" if mention.status == "asserted" else mention.status
        return carried
    if last:
        _comment(segment, last, before)
    return None if not bare else carried


def _comment(segment: Segment, last: Segment, before: list[Mention]) -> None:
    """Apply a segment that names nothing itself to what came before it: "…, I am not sure", "…，我都不同意"."""
    if any(mention.value for mention in last.mentions):  # "Ann says 849, wrong": the value is, not who says it
        before = [mention for mention in before if mention.value]
    status: Status | None = None
    if lexicon.HEDGE.search(segment.text) or lexicon.UNLESS.search(segment.text):
        status = "hedged"
    elif lexicon.TAKING_BACK.search(segment.text) and lexicon.NEGATION.search(segment.text):
        status = "denied"
    for mention in before:
        if status and mention.status == "asserted":
            mention.status = status


def _is_bare(segment: Segment) -> bool:
    """Whether a segment is nothing but values, so that it goes on with what the one before says."""
    if not segment.mentions:
        return False
    rest = list(segment.text)
    for mention in segment.mentions:
        start, end = max(0, mention.start - segment.start), mention.end - segment.start
        rest[start:end] = " " * (end - start)
    return lexicon.GLUE.match("".join(rest).strip()) is not None


def _within(reading: Reading, segment: Segment, said: list[Mention], condition_given: bool) -> Status | None:
    """Judge the mentions of one segment by its own words."""
    text = segment.text
    places = [(mention.start - segment.start, mention) for mention in said]
    if lexicon.SARCASM.search(text):
        return _all(said, "denied")
    condition = lexicon.IF.search(text)
    if condition and not (condition_given and any(at < condition.start() for at, _ in places)):
        _all(said, "conditional")
        for at, mention in places:  # "stops if it exceeds 0.3 %" states the threshold
            if mention.sort == "number" and lexicon.THRESHOLD.search(text[:at]):
                mention.status = "asserted"
        return "conditional"
    if lexicon.HEDGE.search(text):
        return _all(said, "hedged")
    _formers(reading, segment, places)
    for at, mention in places:
        behind = text[at + mention.end - mention.start :]
        is_place = lexicon.BESIDE_AFTER.match(behind) or lexicon.BESIDE_BEFORE.search(text[:at])
        if mention.sort == "choice" and is_place:
            mention.status = "beside"
    return _negations(segment, places)


def _all(said: list[Mention], status: Status) -> Status:
    for mention in said:
        mention.status = status
    return status


def _formers(reading: Reading, segment: Segment, places: list[tuple[int, Mention]]) -> None:
    """Find what is told as the value of before."""
    text = segment.text
    for cue in lexicon.FORMER.finditer(text):
        stop = lexicon.BUT.search(text, cue.end())
        for at, mention in places:
            if at >= cue.end() and not (stop and at >= stop.start()):
                mention.status = "former"
    whole = " ".join(other.text for other in reading.segments_of(segment.sentence))
    cue_was = lexicon.WAS.search(text)
    if cue_was and lexicon.NOW.search(whole.replace(text, " ", 1)):
        for at, mention in places:
            mention.status = "former" if at >= cue_was.end() else mention.status
    if old := lexicon.OUTDATED.search(text):
        for at, mention in places:
            mention.status = "former" if mention.sort != "choice" and at < old.start() else mention.status
    if guess := lexicon.HEDGED_AFTER.search(text):
        for at, mention in places:
            mention.status = "hedged" if at >= guess.end() else mention.status
    if not lexicon.MOVING.search(whole):
        return
    for (at_a, a), (at_b, b) in pairwise(places):  # "from A to B"
        between = text[at_a + a.end - a.start : at_b]
        if a.sort == b.sort and lexicon.TOWARDS.search(between) and lexicon.FROM.search(text[:at_a].rstrip(" 的")):
            a.status = "former"


def _negations(segment: Segment, places: list[tuple[int, Mention]]) -> Status | None:
    """Deny what stands behind a negator; where nothing does, what stands before it: "26 March is cancelled"."""
    text = segment.text
    goes_on: Status | None = None
    for cue in lexicon.NEGATION.finditer(text):
        ahead = [(at, mention) for at, mention in places if at >= max(cue.end() - 1, cue.start())]
        stop = lexicon.BUT.search(text, cue.end())
        if ahead and not (stop and stop.start() < ahead[0][0]):
            for at, mention in ahead:
                if not stop or at < stop.start():
                    mention.status = "denied"
            goes_on = None if stop else "denied"
        elif not ahead:
            for at, mention in places:
                end = at + mention.end - mention.start
                if at <= cue.start() and (mention.sort != "says" or end >= cue.start() - 6):
                    mention.status = "denied"
    return goes_on


def _sentence(reading: Reading, sentence: int) -> None:
    """Apply what a sentence as a whole does: it asks, doubts the one before, or mocks."""
    segments = reading.segments_of(sentence)
    if not segments:
        return
    tail = reading.tails[sentence]
    whole = reading.text[segments[0].start : segments[-1].end] + tail
    said = [mention for segment in segments for mention in segment.said]
    if "?" in tail or lexicon.ASKING.search(whole):
        _all(said, "asked")
    plain = blank(whole, lexicon.NEUTRAL)
    doubts = lexicon.HEDGE.search(plain) or lexicon.SARCASM.search(plain)
    if not said and sentence and doubts and not re.search(r"\bif\b", whole):
        for mention in reading.mentions:
            if mention.sentence == sentence - 1 and mention.status == "asserted":
                mention.status = "hedged"
    for segment in segments:
        if segment.mentions and lexicon.ASKING.search(segment.text):
            _all(segment.mentions, "asked")
    if lexicon.SARCASM.search(whole):
        _all(said, "denied")


def _alternatives(reading: Reading) -> None:
    """Find what is offered as one of two: "A or B"."""
    last: dict[str, Mention] = {}
    for mention in reading.mentions:
        if mention.sort == "subject":
            continue
        first = last.get(mention.sort)
        last[mention.sort] = mention
        if not first or first.sentence != mention.sentence or mention.start < first.end:
            continue
        between = blank(reading.text[first.end : mention.start], lexicon.NEUTRAL)
        both = first.status in ("asserted", "rival") and mention.status == "asserted" and not same(first, mention)
        if both and len(between) < 40 and lexicon.OR.search(between):
            first.status = mention.status = "rival"
