"""Find facts after the claims that contradict them: "that room has been sealed", "还没签字", "I'm ill".

Such a fact contains no grammatical denial. There are five kinds: a place is taken, a consent is missing, a person
cannot, a thing is gone, or a figure is from the wrong source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.model import Reason, Requirement
from farm.benchmark.scoring.claims.question import Question
from farm.benchmark.scoring.claims.reading import Mention, Reading, Segment
from farm.benchmark.scoring.claims.words import content_words

NEAR = 12  # characters after a cue that contain its predicate


def find_contradictions(
    wanted: Requirement, reading: Reading, held: Sequence[Mention], question: Question
) -> Iterator[Reason]:
    """Yield the reasons why a claim cannot hold, from the facts after it."""
    if not held or (wanted.stance and wanted.stance.answer == "no"):
        return  # a refusal is justified with such facts
    if any(claim.kind == "says" for claim in wanted.claims):
        return  # the text is about trouble
    first = min(mention.start for mention in held)
    for index, segment in enumerate(reading.segments):
        if segment.end <= first:
            continue
        raw = reading.raw(segment)
        if cue := _cue(segment, raw, held, question, reading):
            if _may_hold_besides(cue, raw, question):
                reading.doubt(segment.sentence, f"what has not come yet ({cue})", guess="yes")
            else:
                yield Reason("denied", f"a fact behind it tells against it ({cue})")
                return
        if index and not segment.said and segment.start > first and _is_set_against(raw):
            yield Reason("denied", f"something is set against it ({raw.strip()})")
            reading.doubt(segment.sentence, "what it is set against")
            return


def find_unendorsed(wanted: Requirement, reading: Reading, held: Sequence[Mention]) -> Iterator[Reason]:
    """Yield the reasons why the writer does not endorse a claim, or somebody contradicts it."""
    if not reading.segments or (wanted.stance and wanted.stance.answer == "no"):
        return
    first = min((mention.start for mention in held), default=0)
    for segment in reading.segments:
        raw = reading.raw(segment)
        cue = lexicon.DISOWNS.search(raw) if segment.end > first else None
        if cue and not any(each in held or each.status == "denied" for each in segment.said):
            yield Reason("reported", f"nobody stands by it ({cue[0].strip()})")
            return


def _cue(segment: Segment, raw: str, held: Sequence[Mention], question: Question, reading: Reading) -> str:
    """Return a segment's words for a hindrance; empty if it is over, denied or of something else."""
    mine = [each for each in segment.mentions if each in held]
    start = max((each.end for each in mine), default=segment.start) - segment.start
    if any(each.key.startswith(("r", "n")) for each in segment.mentions) or any(
        each.status in ("denied", "former") for each in segment.said
    ):
        return ""
    if any(each.sort == "number" or (each in mine and each.sort != "choice") for each in segment.said):
        return ""  # a segment with a value is judged by its grammar
    last = [each for each in reading.mentions if each.sort != "subject" and each.end <= segment.start][-1:]
    is_of_last = bool(last) and last[0].sentence == segment.sentence
    if is_of_last and (last[0].status in ("denied", "beside") or (last[0].value and last[0] not in held)):
        return ""  # "not 3.4.2, that one's frozen", "849, the price of the old plan"
    rest = reading.raw(segment, reading.sentence(segment.sentence)[-1])
    if lexicon.SO_ANOTHER.match(raw) or lexicon.HAPPENS_IF.search(raw) or lexicon.RESOLVED.search(rest):
        return ""
    other = lexicon.OTHER_ONE.search(raw)
    for cue in lexicon.HINDERS.finditer(raw):
        if cue.start() < start or cue[0] in question.text or lexicon.NEGATED_SHORTLY.search(raw[: cue.start()]):
            continue
        if not other or cue.start() <= other.start() < cue.end():
            return cue[0]
    return ""


def _may_hold_besides(cue: str, raw: str, question: Question) -> bool:
    """Whether a fact and a claim may both be true: something has not come yet, or the question was about consent."""
    if not lexicon.NOT_COME.match(cue):
        return False
    at = raw.index(cue)
    consent = lexicon.OF_CONSENT.search(raw[at : at + len(cue) + NEAR])
    return not consent or consent[0] in question.text


def _is_set_against(raw: str) -> bool:
    """Whether a clause opposes an earlier statement with more than practical advice."""
    return bool(lexicon.SETS_AGAINST.search(raw)) and not lexicon.PRACTICAL.search(raw) and content_words(raw) > 1
