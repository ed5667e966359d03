"""Find former values: by their words, beside a label, before an arrow, or by their replacement."""

from __future__ import annotations

import re
from itertools import pairwise

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.mentions import Places, give
from farm.benchmark.scoring.claims.reading import Reading, Segment

ASKED_WITHIN = 10  # maximum characters between "he asks" and the number that he asks about


def tell_formers(reading: Reading, segment: Segment, places: Places) -> None:
    """Mark the mentions that the text gives as former values."""
    text = segment.text
    for cue in lexicon.FORMER.finditer(text):
        stop = lexicon.BUT.search(text, cue.end())
        behind = [(at, mention) for at, mention in places if at >= cue.end() and not (stop and at >= stop.start())]
        if lexicon.FORMER_OF.fullmatch(cue[0]):
            behind = [(at, mention) for at, mention in behind if mention.value][:1]
        for _, mention in behind:
            mention.status = "former"
    if (cue_was := lexicon.WAS.search(text)) and _tells_of_before(reading, segment, places, cue_was):
        for at, mention in places:
            mention.status = "former" if at >= cue_was.end() else mention.status
    old = lexicon.OUTDATED.search(text)
    was_another = old and old[0].startswith("used to") and any(at >= old.end() for at, _ in places)
    if old and not was_another:
        for at, mention in places:
            is_told = mention.sort != "choice" or not text[at + mention.end - mention.start : old.start()].strip()
            mention.status = "former" if is_told and at < old.start() else mention.status
    if guess := lexicon.HEDGED_AFTER.search(text):
        for at, mention in places:
            is_told = mention.value is not None or mention.key.startswith("r")
            mention.status = "hedged" if at >= guess.end() and is_told else mention.status
    if ask := lexicon.ASKS.search(text):
        for at, mention in places:
            is_about = mention.key.startswith("r") and re.search("about|的是", text[ask.end() : at]) is not None
            is_asked = mention.sort == "number" or is_about
            if ask.end() <= at <= ask.end() + ASKED_WITHIN and is_asked:
                mention.status = "asked"
    for cue in lexicon.MOVED_FROM.finditer(text):
        give([mention for at, mention in places if at >= cue.end()][:1], "former")
    _inherit_former(reading, segment)
    if not lexicon.MOVING.search(text):
        return
    for index, (at, mention) in enumerate(places):  # "from A to B"
        end = at + mention.end - mention.start
        later = [place for place, other in places[index + 1 :] if other.sort == mention.sort]
        is_from = later and lexicon.FROM.search(text[:at].rstrip(" 的"))
        if is_from and lexicon.TOWARDS.search(text[end : later[0]]):
            mention.status = "former"


def _tells_of_before(reading: Reading, segment: Segment, places: Places, was: re.Match[str]) -> bool:
    """Whether "was" marks a former value beside a current one: "16:00, was 15:00", "it was 15:00, it is now 16:00"."""
    mates = reading.sentence(segment.sentence)
    # ", was 16:00" gives a former value only beside a current one; ", yesterday, was 0.11 %" just continues.
    told = {mention.sort for other in mates if other.start < segment.start for mention in other.said}
    is_told = any(mention.sort in told for _, mention in places)
    if is_told and not segment.text[: was.start()].strip(" ～"):
        return True
    if reading.tails[segment.sentence].strip() == ";":
        mates = mates + reading.sentence(segment.sentence + 1)
    whole = " ".join(other.text for other in mates)
    return lexicon.NOW.search(whole.replace(segment.text, " ", 1)) is not None


def _inherit_former(reading: Reading, segment: Segment) -> None:
    """Keep the values that are not replaced: in "it was 23 March, 16:00, it is now 15:00" the day holds."""
    before = [mention for mention in segment.said if mention.status == "former" and mention.value]
    if not before:
        return
    mates, behind = reading.sentence(segment.sentence), reading.sentence(segment.sentence + 1)
    if any(lexicon.NOW.search(other.text) for other in behind):
        mates = mates + behind
    later = {mention.sort for other in mates for mention in other.said if mention.start > segment.end and mention.value}
    if any(mention.sort in later for mention in before):
        for mention in before:
            mention.status = "former" if mention.sort in later else "asserted"


def tell_labelled(reading: Reading) -> None:
    """Deny a predicate that is a label followed by "no": "Arrived: no"."""
    for segment, other in pairwise(reading.segments):
        is_label = segment.sentence == other.sentence and reading.text[segment.end : other.start].strip() == ":"
        if is_label and lexicon.LABELLED_NO.fullmatch(reading.raw(other)):
            give([mention for mention in segment.said if mention.sort == "says"], "denied")
