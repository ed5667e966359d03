"""Explain why a verdict may be wrong.

A rejection is certain if one of its reasons is firm. An acceptance is certain if nothing beside the claims could
reverse them unnoticed: an addition, a value that is stated to be something else, a bare name among unread words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.model import Reason, Requirement
from farm.benchmark.scoring.claims.question import Question
from farm.benchmark.scoring.claims.reading import Mention, Reading, Segment
from farm.benchmark.scoring.claims.words import unexplained

LONG = 150  # characters
FEW = 3  # words beside a name; with more, the text itself shows what it states of the name


def doubts_of(
    wanted: Requirement, reading: Reading, reasons: Sequence[Reason], held: Sequence[Mention], question: Question
) -> tuple[str, ...]:
    """Return the doubts of a verdict, one phrase each."""
    if reasons:
        # If a long text has only one fault, that fault may be a misreading.
        codes = {reason.code for reason in reasons}
        is_tangled = len(reading.text) > LONG and len(codes) == 1 and not codes & {"missing", "altered", "banned"}
        if not is_tangled and any(_is_firm(reason, wanted, reading, reasons) for reason in reasons):
            return ()
        soft = [doubt.words for doubt in reading.doubts if doubt.guess == "no"]
        return tuple(dict.fromkeys([*soft, *(f"{reason.words}?" for reason in reasons)]))
    found = [
        doubt.words for doubt in reading.doubts if doubt.guess == "yes" and (doubt.about is None or doubt.about in held)
    ]
    return tuple(dict.fromkeys([*found, *_of_assent(wanted, reading, held, question)]))


def _is_firm(reason: Reason, wanted: Requirement, reading: Reading, reasons: Sequence[Reason]) -> bool:
    """Whether a reason is sufficient by itself."""
    claim = None if reason.claim is None else wanted.claims[reason.claim]
    match reason.code:
        case "missing":
            return claim is None or claim.kind != "says"
        case "extra":
            return len(reasons) > 1 and not any(doubt.guess == "no" for doubt in reading.doubts)
        case "stale":
            return len(reasons) > 1
        case "other_subject":
            return len(reasons) > 1 or not any(doubt.guess == "no" for doubt in reading.doubts)
        case "denied" | "hedged":
            return not any(doubt.guess == "no" for doubt in reading.doubts)
    return True


def _of_assent(wanted: Requirement, reading: Reading, held: Sequence[Mention], question: Question) -> Iterator[str]:
    """Yield the words beside the claims that may reverse them."""
    names_only = len(wanted.claims) == 1 and all(
        claim.kind in ("choice", "says") and not claim.rivals and not claim.not_of for claim in wanted.claims
    )
    if wanted.claims and names_only:
        words = [word for segment in reading.segments for word in unexplained(segment.rest, question.text)]
        if 1 <= len(words) <= FEW:
            yield f"what is said of it ({', '.join(words)})"
    first = min((mention.start for mention in held), default=0)
    behind = [each for each in reading.segments if each.start > first and not any(one in held for one in each.mentions)]
    if past := [each for each in behind if _tells_story(each)]:
        unread = [word for segment in past for word in unexplained(segment.rest, question.text)]
        if len(unread) > 1:
            yield f"what has been since ({', '.join(unread[:4])})"
    for segment in reading.segments:
        is_preamble = segment.start < first and not segment.mentions
        is_polite = is_preamble or lexicon.IF_HARMLESS.search(segment.text) or lexicon.THANKS.search(segment.text)
        if lexicon.ADDING.search(segment.text) and not is_polite and unexplained(segment.rest, question.text):
            yield f"what is added ({segment.text.strip()})"
        is_told = any(mention.start < segment.start for mention in held)
        if is_told and not segment.said and lexicon.CONTRAST.search(segment.text):
            yield f"what it is set against ({segment.text.strip()})"
    for segment in reading.segments:
        raw = reading.raw(segment)
        for signs in (lexicon.IS_OVER, lexicon.TURNS):
            cue = signs.search(raw)
            if cue and cue[0].strip() not in question.text and not lexicon.NEGATED_SHORTLY.search(raw[: cue.start()]):
                yield f"what {cue[0].strip()} does to it"
    for mention in held:
        is_something = mention.value and lexicon.IS_SOMETHING.match(reading.text[mention.end :])
        holds = lexicon.IS_RIGHT.match(reading.text[mention.end :])
        if is_something and not holds and unexplained(_rest(reading, mention), question.text):
            yield f"what {reading.text_of(mention)} is said to be"


def _tells_story(segment: Segment) -> bool:
    """Whether a segment reports the past and is not just a request to the reader."""
    told = lexicon.PAST.search(lexicon.DEADLINE.sub("", segment.rest))
    return told is not None and lexicon.DIRECTIVE.search(segment.text) is None


def _rest(reading: Reading, mention: Mention) -> str:
    segment = reading.segments[mention.segment]
    return re.sub(r"～", " ", segment.rest[mention.end - segment.start :])
