"""Judge several mentions of one kind: alternatives, and rivals that are only described."""

from __future__ import annotations

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.mentions import same
from farm.benchmark.scoring.claims.reading import Mention, Reading, blank

BETWEEN_MAX = 40  # characters


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
        if apart and alone and is_apart:
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
        if both and len(between) < BETWEEN_MAX and lexicon.OR.search(between):
            first.status = mention.status = "rival"
