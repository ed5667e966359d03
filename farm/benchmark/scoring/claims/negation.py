"""Deny the mentions before and after a negator, and those that a predicate revokes."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.mentions import Places, give, same
from farm.benchmark.scoring.claims.reading import Mention, Reading, Segment, Status, blank
from farm.benchmark.scoring.claims.words import FEW, content_words

SHORTLY = 10  # characters before a number that show what it counts
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
        ahead = [(at, mention) for at, mention in ahead if mention not in limits]
        stop = lexicon.BUT.search(text, cue.end())
        if stop and stop.start() == cue.end():
            stop = lexicon.BUT.search(text, stop.end())  # "不改到" denies the move
        if ahead and not stop:
            stop = lexicon.HOLDS.search(text, ahead[0][0] + ahead[0][1].end - ahead[0][1].start)
        if ahead and not (stop and stop.start() < ahead[0][0]):
            _deny(ahead, stop.start() if stop else len(text), text)
            goes_on = None if stop else "denied"
        elif not ahead and not limits:
            _deny_before(reading, segment, places, cue)
    for cue in lexicon.NEGATION_AHEAD.finditer(text):
        stop = lexicon.BUT.search(text, cue.end())
        if any(at <= cue.start() and cue.end() < at + mention.end - mention.start for at, mention in places):
            continue  # part of a sought name: no power
        ahead = [(at, mention) for at, mention in places if at >= cue.end() - 1 or at == cue.start()]
        if ahead and _is_far(text[cue.end() : ahead[0][0]]):
            continue
        if ahead and lexicon.INSTEAD_OF.search(cue[0]) and lexicon.IS.search(text[cue.end() : ahead[0][0]]):
            continue  # "the room that replaces Porthole is Cove"
        if ahead and lexicon.INSTEAD_OF.search(cue[0]) and _is_taken(reading, ahead, text[cue.end() : ahead[0][0]]):
            continue
        ahead = _listed(ahead, text)
        if not ahead and lexicon.DISPENSED.match(text[cue.start() :]):
            give([mention for at, mention in places if at < cue.start() and mention.sort == "choice"], "denied")
        _deny(ahead, stop.start() if stop else len(text), text)
        if ahead and not stop and all(each.status == "denied" for at, each in places if at >= cue.end() - 1):
            goes_on = "denied"
    return goes_on


def _deny_before(reading: Reading, segment: Segment, places: Places, cue: re.Match[str]) -> None:
    """Deny the mentions before a negator with none after it; a number that does not do something is not denied."""
    before, behind = segment.text[: cue.start()], segment.text[cue.end() :]
    denied = [
        (at, mention)
        for at, mention in places
        if at <= cue.start() and (mention.sort != "says" or at + mention.end - mention.start >= cue.start() - 6)
    ]
    if not denied or (lexicon.AND_DO_NOT.search(before) and lexicon.PROHIBITS.match(segment.text, cue.start())):
        return  # "keep a seat and don't be late"
    holds = lexicon.HOLDING.search(behind)
    forbids = lexicon.FORBIDS.match(segment.text[cue.start() :])
    names = [reading.text_of(each) for _, each in places if each.sort == "choice"]
    is_report = any(sign.isdigit() for name in names for sign in name)
    is_not_here = is_report and not cue[0].startswith("不") and lexicon.NOT_HERE.match(behind)
    for _, mention in denied:
        if mention.sort == "says" and forbids:
            continue  # 拔下来不要再用: the following act is forbidden, and the instructed act is not denied
        if mention.sort == "choice" and is_not_here:
            continue
        if not holds:
            guess: Literal["yes", "no"] = "yes" if mention.sort == "number" else "no"
            reading.doubt(segment.sentence, f"what '{cue[0]}' denies", guess=guess, about=mention)
        if holds or mention.sort != "number":
            mention.status = "denied"


def _is_far(gap: str) -> bool:
    """Whether a separate clause stands between a preposition and the mention: "without a script and …"."""
    told = lexicon.COPULA.search(gap)
    if told and content_words(gap[: told.start()]):
        return True  # "the room that replaces Porthole is Cove"
    return content_words(gap) > FEW or (" and " in gap and content_words(gap) > 1)


def _is_taken(reading: Reading, ahead: Places, gap: str) -> bool:
    """Whether a preposition has its object already: "Marcus instead of Daniel tomorrow at 15:00" keeps the hour."""
    mention = ahead[0][1]
    if mention.sort == "choice" or not content_words(blank(gap, lexicon.FORMER_OF)):
        return False
    mates = [each for part in reading.sentence(mention.sentence) for each in part.said]
    return not any(each.sort == one.sort and not same(each, one) for _, one in ahead for each in mates)


def _listed(places: Places, text: str) -> Places:
    """Return the first mention and those that follow in its list: "instead of A and B we take C" denies two."""
    kept = places[:1]
    for (at, mention), (behind, other) in pairwise(places):
        between = text[at + mention.end - mention.start : behind]
        if content_words(between) or lexicon.PRONOUN.search(between) or lexicon.COPULA.search(between):
            break
        kept.append((behind, other))
    return kept


def _deny(places: Places, stop: int, text: str) -> None:
    for at, mention in places:
        if at < stop:
            mention.status = "beside" if mention.sort == "number" and _is_share(at, mention, text) else "denied"


def _is_share(at: int, mention: Mention, text: str) -> bool:
    """Whether a number is the share of each: "not 260 each"."""
    before, behind = text[max(0, at - SHORTLY) : at], text[at + mention.end - mention.start :]
    return (lexicon.EACH_BEFORE.search(before) or lexicon.EACH_AFTER.match(behind)) is not None


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
