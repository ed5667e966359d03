"""Find former values: by their words, beside a label, before an arrow, or by their replacement."""

from __future__ import annotations

import re
from itertools import pairwise

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.mentions import Places, give, give_asserted
from farm.benchmark.scoring.claims.reading import Mention, Reading, Segment

ASKED_WITHIN = 10  # maximum characters between "he asks" and the number that he asks about


def tell_formers(reading: Reading, segment: Segment, places: Places) -> None:
    """Mark the mentions that the text gives as former values."""
    text = segment.text
    for cue in lexicon.FORMER.finditer(text):
        stop = lexicon.BUT.search(text, cue.end()) or lexicon.BECOMES.search(text, cue.end())
        behind = [(at, mention) for at, mention in places if at >= cue.end() and not (stop and at >= stop.start())]
        first = behind[0] if behind else None
        if first and first[1].sort == "choice" and lexicon.NOW_IS.fullmatch(text[cue.start() : first[0]]):
            behind = []  # "原来的舷窗就是小湾" states what became of it
        elif lexicon.FORMER_OF.fullmatch(cue[0]):
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
    for (place, mention), (later_place, other) in pairwise(places):
        joint = text[place + mention.end - mention.start : later_place]
        if mention.sort == other.sort and lexicon.UP_FROM.search(joint) and lexicon.UP_TO.search(text[:place]):
            other.status = "former"  # "up to 3,118 likes from this morning's 2,800"
    _inherit_former(reading, segment)
    if not lexicon.MOVING.search(text):
        return
    for index, (at, mention) in enumerate(places):  # "from A to B"
        end = at + mention.end - mention.start
        later = [place for place, other in places[index + 1 :] if other.sort == mention.sort]
        if not later and lexicon.FROM.search(text[:at].rstrip(" 的")) and lexicon.MOVED_TO.match(text[end:]):
            mention.status = "former"  # the target is not a value: "从4月3日改到原日期"
        is_from = later and lexicon.FROM.search(text[:at].rstrip(" 的"))
        if is_from and lexicon.TOWARDS.search(text[end : later[0]]):
            mention.status = "former"
            _with_companions(places, index, later[0])


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


def _with_companions(places: Places, index: int, stop: int) -> None:
    """Mark the companions of a former value as former: the first hour in "from 19/3 10:00 to 26/3 10:00"."""
    later = {mention.sort for at, mention in places if at >= stop}
    for at, mention in places[index + 1 :]:
        if at < stop and mention.sort in later:
            mention.status = "former"


def tell_labelled(reading: Reading) -> None:
    """Deny a predicate that is a label followed by "no": "Arrived: no"."""
    for segment, other in pairwise(reading.segments):
        is_label = segment.sentence == other.sentence and reading.text[segment.end : other.start].strip() == ":"
        if is_label and lexicon.LABELLED_NO.fullmatch(reading.raw(other)):
            give([mention for mention in segment.said if mention.sort == "says"], "denied")


def tell_arrows(reading: Reading) -> None:
    """Mark the values before an arrow as former: "16:00 → 15:00"."""
    names = [each for each in reading.mentions if each.sort == "choice"]
    for a, b in pairwise(names):  # among names, only a rival that the claimed name replaces
        joint = reading.text[a.end : b.start]
        is_replaced = a.key.startswith("r") and b.key == "c" + a.key[1:].partition(":")[0]
        from_to = lexicon.FROM.search(reading.text[: a.start].rstrip()) and lexicon.TOWARDS.search(joint)
        if is_replaced and a.sentence == b.sentence and (from_to or lexicon.REPLACED.fullmatch(joint)):
            give_asserted([a], "former")
    for sort in ("date", "clock"):
        mentions = [each for each in reading.mentions if each.sort == sort]
        for a, b in pairwise(mentions):
            if lexicon.ARROW.fullmatch(reading.text[a.end : b.start]) and a.status == b.status == "asserted":
                a.status = "former"


def tell_replaced(reading: Reading) -> None:
    """Mark a value as former if it was changed to the next one: "v2 said 40, from v3 on cut to 32"."""
    if not lexicon.CHANGED_TO.search(reading.text):
        return
    values = [each for each in reading.mentions if each.value and each.value.kind != "ordinal"]
    for a, b in pairwise(values):
        if a.sort == b.sort and a.sentence == b.sentence and _is_changed(reading, a, b):
            give_asserted([a], "former")


def _is_changed(reading: Reading, a: Mention, b: Mention) -> bool:
    """Whether a value is changed to the next one, which is not independent: "88 degrees, the grind set to 5"."""
    joint, segment = reading.text[a.end : b.start], reading.segments[b.segment]
    cue = lexicon.CHANGED_TO.search(joint)
    grown = cue and lexicon.BY_NOW.search(joint[: cue.start()])
    if not cue or any(
        a.end + (cue.start() if grown else 0) <= each.start < b.start and each.sort == "subject"
        for each in reading.mentions
    ):
        return False
    if grown and a.segment == b.segment:
        return True  # "早上的 2,800 多赞已经涨到 3,118"
    if a.segment == b.segment:  # "above 2 it is first cut to 5" does not change the 2
        before = reading.text[segment.start : a.start].rstrip(" 的")
        return cue[0] == joint.strip() or lexicon.FROM.search(before) is not None
    head = segment.rest[: max(0, a.end + cue.start() - segment.start)]
    return not re.search(r"[a-z\u4e00-\u9fff]", lexicon.SINCE_WHEN.sub("", head))


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
