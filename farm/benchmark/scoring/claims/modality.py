"""Give each mention a status: asserted, denied, hedged, asked, one of two, former, conditional, reported.

Three things decide: the words of the mention's segment, a frame that opened before it in its sentence ("I heard that
…", "如果…，"), and a comment after it ("…, I'm not sure", "以上作废"). If the words are ambiguous, the best guess is
used and a doubt is noted.
"""

from __future__ import annotations

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.alternatives import tell_alternatives, tell_described
from farm.benchmark.scoring.claims.mentions import give, give_asserted, same
from farm.benchmark.scoring.claims.negation import deny_negated, deny_revoked
from farm.benchmark.scoring.claims.question import Question, condition_in, hedges, is_given, is_hearsay, sets_condition
from farm.benchmark.scoring.claims.reading import Reading, Segment, Status, blank
from farm.benchmark.scoring.claims.scopes import apply_comment, apply_correction, frame_of
from farm.benchmark.scoring.claims.sentences import judge_sentence
from farm.benchmark.scoring.claims.superseded import tell_formers, tell_labelled
from farm.benchmark.scoring.claims.words import content_words


def judge_status(reading: Reading, question: Question) -> None:
    """Give every mention its status."""
    carried: Status | None = None
    frame: Status | None = None
    for index, segment in enumerate(reading.segments):
        last = reading.segments[index - 1] if index else None
        if not last or last.sentence != segment.sentence:
            last = frame = None
        carried = _segment(reading, index, last, carried, question)
        if frame:
            for mention in segment.said:
                mention.status = frame if mention.status == "asserted" else mention.status
        if segment is not reading.sentence(segment.sentence)[-1]:
            frame = frame_of(reading, index, question) or frame
    for sentence in range(len(reading.tails)):
        judge_sentence(reading, sentence, question)
    tell_alternatives(reading)
    tell_labelled(reading)
    tell_described(reading)
    for struck in lexicon.STRUCK.finditer(reading.text):
        give([each for each in reading.mentions if struck.start() < each.start < struck.end()], "former")
    denied = {each.key for each in reading.mentions if each.status == "denied" and each.key.startswith("r")}
    for mention in reading.mentions:
        if mention.key in denied and mention.status == "asserted":
            mention.status = "denied"  # "not Willow; Willow seats six"


def _segment(
    reading: Reading, index: int, last: Segment | None, carried: Status | None, question: Question
) -> Status | None:
    """Give one segment's mentions their status; return the status that carries over to bare segments after it."""
    segment = reading.segments[index]
    said, bare = segment.said, carried is not None and _is_bare(segment)
    opener = reading.text[last.end : segment.start] if last else ""
    if carried:
        answers = bool(last and ":" in opener and {m.sort for m in said} & {m.sort for m in last.mentions})
        if not (last and bare) or "–" in opener or ")" in opener or (answers and carried == "denied"):
            carried = None
    before = [
        mention for other in reading.sentence(segment.sentence) if other.start < segment.start for mention in other.said
    ]
    apply_correction(reading, index)
    if not said:
        if last and before:
            apply_comment(reading, index, last, before, question)
        return carried if bare else None
    status = _within(reading, segment, question)
    if status == "conditional" and before and sets_condition(segment.text, question):
        give_asserted(before, "conditional")
    if carried == "denied" and bare and last and _is_put_instead(reading, last, segment, opener):
        carried = None
    if carried and lexicon.BUT.search(segment.text):
        carried = None
    has_own = any(m.sort == "subject" for m in segment.mentions) and not (
        last and any(m.sort == "subject" for m in last.mentions)
    )
    if carried == "denied" and has_own:
        carried = None  # "not 400k, the line has 320k"
    if carried and bare and all(m.status == "asserted" for m in said):
        give(said, carried)
    held = [mention for mention in (*before, *said) if mention.status == "asserted"]
    denied = [mention for mention in said if mention.status == "denied"] or said[:1]
    if status == "denied" and any(m.sort == denied[0].sort and m.start < denied[-1].start for m in held):
        carried = None  # a denied alternative of an earlier mention: "A rather than B, and C"
    elif status in ("denied", "hedged", "conditional", "reported"):
        carried = status if any(mention.sort != "says" for mention in said) else None
    elif not bare:
        carried = None
    if last and lexicon.OR_OPENS.search(segment.text):
        give_asserted(last.said, "rival")
    return carried


def _is_put_instead(reading: Reading, last: Segment, segment: Segment, opener: str) -> bool:
    """Whether a bare clause contains the replacement of a denied value: "not Tide, Cove", "不是 40 万，现在 32 万"."""
    denied = [mention for mention in last.said if mention.status == "denied"]
    behind = [other for other in reading.sentence(segment.sentence) if other.start > segment.start]
    return (
        opener.strip() in (",", "，")
        and segment.said[0].sort in {mention.sort for mention in denied}
        and not content_words(blank(last.rest, lexicon.NEGATION))
        and not any(same(mention, each) for mention in segment.said for each in denied)
        and not any(mention.sort == segment.said[0].sort for other in behind for mention in other.said)
    )


def _is_bare(segment: Segment) -> bool:
    """Whether a segment consists of values only, so that it continues the segment before it."""
    return bool(segment.mentions) and lexicon.GLUE.match(segment.rest.strip()) is not None


def _within(reading: Reading, segment: Segment, question: Question) -> Status | None:
    """Judge the mentions of one segment by its own words."""
    text, said = segment.text, segment.said
    places = [(mention.start - segment.start, mention) for mention in said]
    condition = condition_in(text)
    given = question.under_condition and condition and any(at < condition.start() for at, _ in places)
    if condition and not given and not is_given(segment, question):
        give(said, "conditional")
        for at, mention in places:  # "stops if it exceeds 0.3 %" states the threshold
            if mention.sort == "number" and lexicon.THRESHOLD.search(text[:at]):
                mention.status = "asserted"
        return "conditional"
    if cue := lexicon.NOT_BEFORE.search(text):
        give([mention for at, mention in places if at >= cue.start()], "conditional")
    if is_hearsay(text, question):
        return give(said, "reported")
    if hedges(text, question) or lexicon.BA.search(text):
        return give(said, "hedged")
    tell_formers(reading, segment, places)
    for cue in lexicon.TAKE_BACK.finditer(text):
        give_asserted([mention for at, mention in places if at < cue.start()], "denied")
    raw = reading.raw(segment)
    for at, mention in places:
        if mention.sort == "says" and lexicon.NEEDLESS.search(raw[:at]):
            mention.status = "denied"  # "no need to unplug it"
    status = deny_negated(reading, segment, places)
    deny_revoked(reading, segment, places)
    inside = lexicon.ASKING_INSIDE.search(raw)
    if inside:
        give([mention for at, mention in places if at >= inside.start()], "asked")
    return status
