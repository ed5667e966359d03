"""What a negator reaches, before it and behind it, and what is revoked."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

from farm.claims import lexicon
from farm.claims.mentions import Places, give, same
from farm.claims.reading import Reading, Segment, Status, blank
from farm.claims.words import FEW, content_words


def deny_negated(reading: Reading, segment: Segment, places: Places) -> Status | None:
    """Deny what stands behind a negator; where nothing does, what stands before it: "26 March does not work"."""
    text = segment.text
    goes_on: Status | None = None
    for cue in lexicon.NEGATION.finditer(text):
        if any(at <= cue.start() and cue.end() <= at + mention.end - mention.start for at, mention in places):
            continue  # part of what is looked for: 不含税
        ahead = [(at, mention) for at, mention in places if at >= max(cue.end() - 1, cue.start())]
        # "We never hit the 0.3 % line" leaves the line where it is.
        limits = [
            mention
            for at, mention in ahead
            if mention.sort == "number" and lexicon.NOT_REACHED.search(text[cue.start() : at])
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
            continue  # part of what is looked for: no power
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
    """Deny what stands before a negator with nothing behind it; a number is not denied by what it does not do."""
    holds = lexicon.HOLDING.search(segment.text[cue.end() :])
    for at, mention in places:
        if at > cue.start() or (mention.sort == "says" and at + mention.end - mention.start < cue.start() - 6):
            continue
        if mention.sort == "says" and lexicon.FORBIDS.match(segment.text[cue.start() :]):
            continue  # 拔下来不要再用: what follows is forbidden, and nothing is denied of what was told to do
        is_report = mention.sort == "choice" and any(sign.isdigit() for sign in reading.shown(mention))
        if lexicon.AND_DO_NOT.search(segment.text[: cue.start()]) and lexicon.PROHIBITS.match(
            segment.text, cue.start()
        ):
            continue  # "keep a seat and don't be late"
        names = [reading.shown(each) for _, each in places if each.sort == "choice"]
        is_report |= mention.sort == "choice" and any(sign.isdigit() for name in names for sign in name)
        if is_report and not cue[0].startswith("不") and lexicon.NOT_HERE.match(segment.text[cue.end() :]):
            continue
        if not holds:
            of: Literal["yes", "no"] = "yes" if mention.sort == "number" else "no"
            reading.doubt(segment.sentence, f"what '{cue[0]}' denies", of=of, about=mention)
        if holds or mention.sort != "number":
            mention.status = "denied"


def _is_far(gap: str) -> bool:
    """Whether a clause of its own stands between a preposition and what it would reach: "without a script and …"."""
    told = lexicon.COPULA.search(gap)
    if told and content_words(gap[: told.start()]):
        return True  # "the room that replaces Porthole is Cove"
    return content_words(gap) > FEW or (" and " in gap and content_words(gap) > 1)


def _is_taken(reading: Reading, ahead: Places, gap: str) -> bool:
    """Whether a preposition has its own word already: "Marcus instead of Daniel tomorrow at 15:00" leaves the hour."""
    mention = ahead[0][1]
    if mention.sort == "choice" or not content_words(blank(gap, lexicon.FORMER_OF)):
        return False
    mates = [each for part in reading.sentence(mention.sentence) for each in part.said]
    return not any(each.sort == one.sort and not same(each, one) for _, one in ahead for each in mates)


def _listed(places: Places, text: str) -> Places:
    """Return the first mention and those that follow it in one list: "instead of A and B we take C" denies two."""
    kept = places[:1]
    for (at, mention), (behind, other) in pairwise(places):
        between = text[at + mention.end - mention.start : behind]
        if content_words(between) or lexicon.PRONOUN.search(between) or lexicon.COPULA.search(between):
            break
        kept.append((behind, other))
    return kept


def _deny(places: Places, stop: int, text: str) -> None:
    for at, mention in places:
        behind = text[at + mention.end - mention.start :]
        is_each = lexicon.EACH_BEFORE.search(text[:at]) or lexicon.EACH_AFTER.match(behind)
        if at < stop and mention.sort == "number" and is_each:
            mention.status = "beside"
        elif at < stop:
            mention.status = "denied"


def deny_revoked(reading: Reading, segment: Segment, places: Places) -> None:
    """Deny what a predicate behind it takes back; where nothing stands before it, what it opens: "cancelled: …"."""
    text = segment.text
    for cue in lexicon.REVOKED.finditer(text):
        start, end = segment.start + cue.start(), segment.start + cue.end()
        if any(each.start < end and start < each.end for each in segment.mentions if each.sort in ("subject", "says")):
            continue  # what is asked for: the rate at which it is called off
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
