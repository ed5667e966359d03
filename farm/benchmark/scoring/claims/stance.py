"""Read the answer that a text gives to a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.mentions import same_value
from farm.benchmark.scoring.claims.question import Question, is_given, sets_condition
from farm.benchmark.scoring.claims.reading import Mention, Reading, Segment, blank, find

_ATTRIBUTE = re.compile("[^\\W的]{0,3}的(?!是)")
REACH = 14  # maximum characters between a negator and the act that it denies


@dataclass
class StanceAnswer:
    """A text's answer; ``opens``: whether its first words are a yes."""

    yes: bool = False
    no: bool = False
    opens: bool = False
    undecided: bool = False  # the writer is not sure, or offers another way
    yes_to_day: bool = False  # a yes is beside the day that was asked about


def read_answer(
    reading: Reading, acts: Sequence[str], question: Question, held: Sequence[Mention] = ()
) -> StanceAnswer:
    """Return the answer of a text.

    Args:
        reading: the text.
        acts: the words of the acts in question.
        question: the texts that asked.
        held: the mentions that belong to a claim; a clause that only dismisses others is not an answer.
    """
    answer = StanceAnswer()
    reported = -1  # the sentence that reports somebody else's words
    for segment in reading.segments:
        tail = reading.tails[segment.sentence]
        if lexicon.UNDECIDED.search(segment.text) or (lexicon.OR_OPENS.search(segment.text) and answer.yes):
            answer.undecided = True
        if _is_about_another(segment, question) or lexicon.FORMER.search(segment.text):
            continue
        depends = sets_condition(segment.text, question) and not is_given(segment, question)
        if depends and find(segment.text, acts):
            answer.undecided = True
        hedged = lexicon.HEDGE.search(segment.text)
        if hedged and lexicon.NO.search(segment.text):
            answer.undecided = True
        if "?" in tail or lexicon.ASKING.search(segment.text) or hedged or depends:
            continue
        raw = reading.raw(segment)  # "no problem" is a yes
        if _is_reported(segment):
            reported = segment.sentence
        if segment.sentence == reported:
            continue
        refuses = bool(lexicon.NO.search(segment.text) or lexicon.BUSY.search(raw)) or _denies_act(segment, acts)
        named = find(blank(segment.text, lexicon.COMPOUND), acts)
        says_yes = bool(lexicon.YES.search(raw)) and not lexicon.NEGATION.search(segment.text[: _first_yes(raw)])
        agrees = says_yes or any(not lexicon.NEGATION.search(segment.text[:at]) for at, _ in named)
        answer.no |= refuses
        if agrees and not refuses:
            answer.yes = True
            answer.yes_to_day |= says_yes and _names_asked_day(segment, question)
            if segment is reading.segments[0]:
                answer.opens = says_yes
    answer.no |= lexicon.NO_SIGNS.search(reading.text) is not None
    answer.yes |= lexicon.YES_SIGNS.search(reading.text) is not None
    return answer


def _is_reported(segment: Segment) -> bool:
    """Whether a clause reports somebody else's answer: "李想说同意"."""
    says = lexicon.SAYS.search(segment.text)
    if says is None or not says.start() or lexicon.OWN_PERSON.search(segment.text[: says.start()]):
        return False
    return lexicon.NEGATION.search(segment.text[: says.start()]) is None  # "还没跟她说"


def _first_yes(text: str) -> int:
    found = lexicon.YES.search(text)
    return found.start() if found else len(text)


def _names_asked_day(segment: Segment, question: Question) -> bool:
    days = [each.value for each in segment.mentions if each.value and each.sort == "date"]
    return any(same_value(day, value) for day in days for value in question.values if value.kind == "date")


def _is_about_another(segment: Segment, question: Question) -> bool:
    """Whether a clause answers another question: for another day, or for a rival only."""
    days = [each.value for each in segment.mentions if each.value and each.sort == "date"]
    known = [value for value in question.values if value.kind == "date"]
    if days and known and not any(same_value(day, each) for day in days for each in known):
        return True
    choices = [each for each in segment.said if each.sort == "choice"]
    return bool(choices) and all(each.key.startswith("r") for each in choices)


def _denies_act(segment: Segment, acts: Sequence[str]) -> bool:
    """Whether the act in question is denied ("do not move it"), not just an alternative to it."""
    for cue in lexicon.NEGATION.finditer(segment.text):
        behind = segment.text[max(cue.end() - 1, cue.start()) : cue.end() + REACH]
        denied = [each for each in segment.mentions if each.sort == "choice" and each.status == "denied"]
        if _ATTRIBUTE.match(segment.text, cue.end()):
            continue  # 退不了的机票
        if find(behind, acts) and not any(each.start - segment.start >= cue.end() - 1 for each in denied):
            return True
    return False
