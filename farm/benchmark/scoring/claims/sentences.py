"""Judge whole sentences: questions, stories, and comments on the sentence before."""

from __future__ import annotations

import re
from itertools import takewhile

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.mentions import give, give_asserted
from farm.benchmark.scoring.claims.question import Question, hedges, is_hearsay
from farm.benchmark.scoring.claims.reading import Reading, Segment, blank
from farm.benchmark.scoring.claims.scopes import READER, affirms, is_taking_back
from farm.benchmark.scoring.claims.words import FEW, content_words, unexplained

_OLD = re.compile(r"\W*(?:(?:the )?(?:old|previous|former|earlier) |[旧老]的?)")
_DISPENSES = re.compile("(?:不用|不必|别)[管理看]")
_HIDDEN_SUBJECT = re.compile("～{6}")  # the clause is about somebody's words in quotation marks


def judge_sentence(reading: Reading, sentence: int, question: Question) -> None:
    """Apply the effect of a whole sentence: it asks, it mocks, or it doubts or takes back the one before."""
    segments = reading.sentence(sentence)
    if not segments:
        return
    tail = reading.tails[sentence]
    whole = reading.raw(segments[0], segments[-1]) + tail
    said = [mention for segment in segments for mention in segment.said]
    is_request = lexicon.REQUEST.search(whole) is not None
    if said and not is_request and ("?" in tail or lexicon.ASKING.search(whole)):
        last = segments[-1]
        opener = reading.text[segments[-2].end : last.start] if len(segments) > 1 else ""
        if last.said or not (":" in opener or "–" in opener):
            # In "She asks: "849?"" only the quoted value is asked.
            line = reading.text.rfind("\n", 0, last.end) + 1
            is_open = reading.text.count('"', line, last.end) % 2 == 1
            opened = reading.text.rfind('"', line, last.end) if is_open else 0
            give([mention for mention in said if mention.start >= opened], "asked")
    for segment in segments:
        if segment.mentions and not is_request and lexicon.ASKING.search(segment.text):
            give(segment.mentions, "asked")
    if sentence:
        _about_the_one_before(reading, sentence, question)


def _about_the_one_before(reading: Reading, sentence: int, question: Question) -> None:
    """Apply a sentence that doubts or takes back earlier mentions."""
    segments = reading.sentence(sentence)
    earlier = [
        mention for mention in reading.mentions if mention.end <= segments[0].start and mention.sort != "subject"
    ]
    if not earlier:
        return
    text = " ".join(segment.text for segment in segments)
    nearest = [mention for mention in earlier if mention.sentence == earlier[-1].sentence]
    revokes = any(
        not segment.mentions
        and affirms(lexicon.REVOKED, segment.text)
        and content_words(blank(segment.text, lexicon.REVOKED)) < FEW
        and not _HIDDEN_SUBJECT.search(segment.text)
        and not READER.match(segment.text.strip())  # "你不用管": the reader need not
        for segment in segments
    ) and not any(segment.said for segment in segments)
    opening = takewhile(lambda segment: not _names_anything(reading, segment), segments)
    undoing = [segment for segment in opening if is_taking_back(segment.text)]
    if _OLD.match(segments[0].text):
        return  # "旧票作废。" says nothing of the new one
    if cue := _DISPENSES.search(segments[0].text):
        dispensed = unexplained(segments[0].text[: cue.start()], "")
        if any(word not in reading.text[: segments[0].start] for word in dispensed):
            return  # "甲板不用管": a thing that the text has not named yet
    if undoing:
        give_asserted(earlier, "denied")
    elif revokes:
        give_asserted(nearest, "denied")
    elif any(segment.said for segment in segments) or lexicon.IF.search(text):
        return
    elif is_hearsay(text, question) and content_words(blank(text, lexicon.HEARSAY)) < FEW:
        give_asserted(nearest, "reported")  # "26 March. Rumour has it."
    elif hedges(text, question) and not READER.search(text):
        behind = reading.text[segments[0].end : segments[0].end + 2]
        if ":" in behind and not lexicon.HEDGE.search(segments[0].text):
            return  # "others: to be confirmed"
        if content_words(blank(text, lexicon.HEDGE)) <= 2 * FEW:
            give_asserted(nearest, "hedged")


def _names_anything(reading: Reading, segment: Segment) -> bool:
    """Whether a segment has a mention other than the date of a recent act."""
    return any(mention.sort != "date" or not lexicon.LATELY.match(reading.text_of(mention)) for mention in segment.said)
