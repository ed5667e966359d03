"""Reads which answer a text gives to what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from farm.claims import lexicon
from farm.claims.reading import Reading, Segment, blank, find

REACH = 14  # how many characters behind a negator the act that it denies may stand


@dataclass
class Answer:
    """What a text answers; ``opens`` says that its first words are a yes."""

    yes: bool = False
    no: bool = False
    opens: bool = False


def read_answer(reading: Reading, acts: Sequence[str]) -> Answer:
    """Return the answer of a text; ``acts`` are the words of what was asked."""
    answer = Answer()
    for segment in reading.segments:
        if lexicon.SARCASM.search(segment.text):
            answer.no = True
            continue
        tail = reading.tails[segment.sentence]
        doubted = lexicon.HEDGE.search(segment.text) or lexicon.IF.search(segment.text)
        if "?" in tail or lexicon.ASKING.search(segment.text) or doubted:
            continue
        plain = blank(segment.text, lexicon.ALTERNATIVE)
        refuses = bool(lexicon.NO.search(plain)) or _denies_act(segment, plain, acts)
        named = find(blank(segment.text, lexicon.COMPOUND), acts)
        agrees = bool(lexicon.YES.search(plain)) or any(not lexicon.NEGATION.search(plain[:at]) for at, _ in named)
        answer.no |= refuses
        if agrees and not refuses:
            answer.yes = True
            if segment is reading.segments[0]:
                answer.opens = bool(lexicon.YES.search(plain))
    return answer


def _denies_act(segment: Segment, plain: str, acts: Sequence[str]) -> bool:
    """Whether an asked act is denied ("do not move it"), and not just an alternative of what is to be done."""
    for cue in lexicon.NEGATION.finditer(plain):
        behind = plain[max(cue.end() - 1, cue.start()) : cue.end() + REACH]
        denied = [each for each in segment.mentions if each.sort == "choice" and each.status == "denied"]
        if find(behind, acts) and not any(each.start - segment.start >= cue.end() - 1 for each in denied):
            return True
    return False
