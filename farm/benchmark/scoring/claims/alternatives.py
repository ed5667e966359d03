"""Judge several mentions of one kind: alternatives, lists, and rivals that are only described."""

from __future__ import annotations

from itertools import pairwise

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.mentions import give_asserted, same
from farm.benchmark.scoring.claims.reading import Mention, Reading, blank


def is_put_otherwise(mention: Mention, said: list[Mention]) -> bool:
    """Whether "or" repeats a value in another unit: "38 of 600, or 6.3 %"."""
    values = [each.value for each in said if each.value and each.sort == "number"]
    return bool(mention.value and values and mention.value.unit == "" and values[0].unit == "%")


def open_alternatives(reading: Reading) -> None:
    """Mark as rivals the mentions with an unnamed alternative: "Cedar or some other room"."""
    for segment in reading.segments:
        for mention in segment.said:
            if mention.status != "asserted" or mention.sort not in ("choice", "date", "clock"):
                continue
            behind = segment.text[mention.end - segment.start :]
            before = segment.text[: mention.start - segment.start]
            if lexicon.OR_ELSE.match(behind) or lexicon.OR_BEFORE.search(before):
                mention.status = "rival"
                reading.doubt(segment.sentence, "an alternative that is not known")


def tell_lists(reading: Reading) -> None:
    """Deny all names of a list that a predicate takes back: "Cedar and Willow are full", "雪松、柳厅都没了"."""
    names = [each for each in reading.mentions if each.sort == "choice"]
    for mention, behind in reversed(list(pairwise(names))):
        joint = reading.text[mention.end : behind.start]
        if behind.status == "denied" and mention.sentence == behind.sentence and lexicon.NAMES_JOINED.fullmatch(joint):
            opens = reading.segments[mention.segment].mentions[:1] == [mention]
            told = reading.text[behind.end : reading.segments[behind.segment].end]
            if opens and (lexicon.REVOKED.search(told) or lexicon.ASIDE_BEHIND.search(told)):
                give_asserted([mention], "denied")


def tell_described(reading: Reading) -> None:
    """Mark the rivals that are only described beside the chosen name: "Cedar, Willow was too loud"."""
    chosen = [each for each in reading.mentions if each.key.startswith("c") and each.status == "asserted"]
    # "Bo has it, Ada only from Monday": here the claimed name is the one for another time.
    chosen = [
        each
        for each in chosen
        if not lexicon.ANOTHER_MATTER.search(reading.text[each.end : reading.segments[each.segment].end])
    ]
    for mention in reading.mentions:
        if not mention.key.startswith("r") or mention.status != "asserted":
            continue
        segment = reading.segments[mention.segment]
        apart = any(each.segment != mention.segment for each in chosen)
        alone = not any(each.segment == mention.segment for each in chosen)
        behind = reading.text[mention.end : segment.end]
        is_apart = lexicon.DESCRIBED.match(behind) or lexicon.ANOTHER_MATTER.search(behind)
        if apart and alone and is_apart and not lexicon.HOLDS_TOO.search(behind):
            mention.status = "beside"


def tell_alternatives(reading: Reading) -> None:
    """Mark the mentions that are offered as one of two: "A or B"."""
    last: dict[str, Mention] = {}
    for mention in reading.mentions:
        if mention.sort == "subject":
            continue
        # Names are alternatives only if they belong to one claim.
        kind = mention.sort + mention.key[1:].partition(":")[0] if mention.sort == "choice" else mention.sort
        first = last.get(kind)
        last[kind] = mention
        if not first or first.sentence != mention.sentence or mention.start < first.end:
            continue
        between = blank(reading.text[first.end : mention.start], lexicon.NEUTRAL)
        both = first.status in ("asserted", "rival") and mention.status == "asserted" and not same(first, mention)
        both = both and not is_put_otherwise(first, [mention])
        if first.value and mention.value and {first.value.unit, mention.value.unit} <= lexicon.APART:
            both = both and first.value.unit == mention.value.unit  # 水降到88度，粉还是15克
        if both and len(between) < 40 and (lexicon.OR.search(between) or lexicon.OR_STILL.match(between)):
            first.status = mention.status = "rival"
