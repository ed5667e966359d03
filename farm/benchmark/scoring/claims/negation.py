"""Deny the mentions before and after a negator, and those that a predicate revokes."""

from __future__ import annotations

import re
from itertools import pairwise

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.mentions import Places, give
from farm.benchmark.scoring.claims.reading import Reading, Segment, Status
from farm.benchmark.scoring.claims.words import content_words

_UNTIL = re.compile(r"\b(?:until|till) (?:the )?$")
CLOSELY = 40  # characters before a number that show whether it is reached


def deny_negated(reading: Reading, segment: Segment, places: Places) -> Status | None:
    """Deny the mentions after a negator; if there are none, those before it: "26 March does not work"."""
    text = segment.text
    goes_on: Status | None = None
    for cue in lexicon.NEGATION.finditer(text):
        if any(at <= cue.start() and cue.end() <= at + mention.end - mention.start for at, mention in places):
            continue  # part of a sought name: 不含税
        ahead = [(at, mention) for at, mention in places if at >= max(cue.end() - 1, cue.start())]
        # "We never hit the 0.3 % line" does not deny the line.
        limits = [
            mention
            for at, mention in ahead
            if mention.sort == "number" and lexicon.NOT_REACHED.search(text[max(cue.start(), at - CLOSELY) : at])
        ]
        # "They talk to nobody else until 20 March": that day ends it.
        limits += [mention for at, mention in ahead if mention.sort in ("date", "clock") and _UNTIL.search(text[:at])]
        ahead = [(at, mention) for at, mention in ahead if mention not in limits]
        stop = lexicon.BUT.search(text, cue.end())
        if stop and stop.start() == cue.end():
            stop = lexicon.BUT.search(text, stop.end())  # "不改到" denies the move
        if ahead and not (stop and stop.start() < ahead[0][0]):
            _deny(ahead, stop.start() if stop else len(text))
            goes_on = None if stop else "denied"
        elif not ahead and not limits:
            _deny_before(reading, segment, places, cue)
    for cue in lexicon.NEGATION_AHEAD.finditer(text):
        stop = lexicon.BUT.search(text, cue.end())
        if any(at <= cue.start() and cue.end() < at + mention.end - mention.start for at, mention in places):
            continue  # part of a sought name: no power
        ahead = [(at, mention) for at, mention in places if at >= cue.end() - 1 or at == cue.start()]
        ahead = _listed(ahead, text)
        if not ahead and lexicon.DISPENSED.match(text[cue.start() :]):
            give([mention for at, mention in places if at < cue.start() and mention.sort == "choice"], "denied")
        _deny(ahead, stop.start() if stop else len(text))
        if ahead and not stop and all(each.status == "denied" for at, each in places if at >= cue.end() - 1):
            goes_on = "denied"
    return goes_on


def _deny_before(reading: Reading, segment: Segment, places: Places, cue: re.Match[str]) -> None:
    """Deny the mentions before a negator with none after it; a number that does not do something is not denied."""
    denied = [
        mention
        for at, mention in places
        if at <= cue.start() and (mention.sort != "says" or at + mention.end - mention.start >= cue.start() - 6)
    ]
    holds = denied and lexicon.HOLDING.search(segment.text[cue.end() :])
    clocks = [each for each in denied if each.sort == "clock"]
    is_span = len(clocks) == 2 and lexicon.SPAN.fullmatch(reading.text[clocks[0].end : clocks[1].start])
    if is_span and content_words(reading.text[clocks[1].end : segment.start + cue.start()]):
        denied = [each for each in denied if each not in clocks]  # the phone is off from 08:40 to 10:40
    last = denied[-1] if denied else None
    if last and last.value and last.value.unit in ("min", "h", "d", "w"):  # "QZ-118 前面 8 小时不能吃": not the number
        denied = [each for each in denied if not content_words(reading.text[each.end : last.start])]
    for mention in denied:
        if holds or mention.sort != "number":
            mention.status = "denied"


def _listed(places: Places, text: str) -> Places:
    """Return the first mention and those that follow in its list: "instead of A and B we take C" denies two."""
    kept = places[:1]
    for (at, mention), (behind, other) in pairwise(places):
        between = text[at + mention.end - mention.start : behind]
        if content_words(between):
            break
        kept.append((behind, other))
    return kept


def _deny(places: Places, stop: int) -> None:
    give([mention for at, mention in places if at < stop], "denied")


def deny_revoked(reading: Reading, segment: Segment, places: Places) -> None:
    """Deny the mentions before a revoking predicate; if it opens the segment, all of them: "cancelled: …"."""
    text = segment.text
    for cue in lexicon.REVOKED.finditer(text):
        start, end = segment.start + cue.start(), segment.start + cue.end()
        if any(each.start < end and start < each.end for each in segment.mentions if each.sort in ("subject", "says")):
            continue  # part of a sought name: the rate at which it is called off
        before = [mention for at, mention in places if at <= cue.start()]
        opens = not text[: cue.start()].strip(" ～")
        give(before or [mention for _, mention in places if opens], "denied")
    for cue in lexicon.MOVED_AWAY.finditer(text):
        before = [mention for at, mention in places if at < cue.start() and mention.sort in ("date", "clock")]
        later = [
            mention
            for other in reading.sentence(segment.sentence)
            for mention in other.said
            if mention.start >= segment.start + cue.end()
        ]
        for mention in before:
            mention.status = "former" if any(each.sort == mention.sort for each in later) else "denied"
