"""Read the question, which changes the effect of an answer's words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.mentions import same_value
from farm.benchmark.scoring.claims.reading import Segment, blank
from farm.benchmark.scoring.claims.values import Value
from farm.benchmark.scoring.claims.words import unexplained


@dataclass
class Question:
    """The texts that asked, folded, and their values."""

    text: str = ""
    values: tuple[Value, ...] = ()
    today: str = ""

    @cached_property
    def under_condition(self) -> bool:
        """Whether the texts ask under a condition."""
        return bool(lexicon.ASKED_IF.search(self.text))

    @cached_property
    def for_estimate(self) -> bool:
        """Whether the texts ask what somebody estimates, so that an answer given as an estimate may be certain."""
        return bool(lexicon.ASKED_ESTIMATE.search(self.text))

    @cached_property
    def what_is_said(self) -> bool:
        """Whether the texts ask for what somebody says."""
        return bool(lexicon.ASKED_SAYS.search(self.text))


def hedges(text: str, question: Question) -> bool:
    """Whether a clause expresses its writer's uncertainty."""
    text = blank(text, lexicon.ESTIMATES) if question.for_estimate else text
    return lexicon.HEDGE.search(text) is not None


def is_hearsay(text: str, question: Question) -> bool:
    """Whether a clause reports what others say, although that was not asked for."""
    return bool((lexicon.ALLEGED if question.what_is_said else lexicon.HEARSAY).search(text))


def condition_in(text: str) -> re.Match[str] | None:
    """Return the words with which a clause sets a condition: "if you like" is courtesy, "only if you pay" is not."""
    return lexicon.IF.search(text if "only if" in text else blank(text, lexicon.IF_HARMLESS))


def sets_condition(text: str, question: Question) -> bool:
    """Whether a clause makes the rest depend on a condition that is not mere courtesy."""
    return bool(condition_in(text)) and (not question.under_condition or bool(lexicon.ONLY_IF.search(text)))


def is_given(segment: Segment, question: Question) -> bool:
    """Whether a condition is the condition of the question: "if it slips to Sunday, …"."""
    if lexicon.CONSENT.search(segment.text):
        return False
    valued = [mention for mention in segment.mentions if mention.value]
    condition = lexicon.IF.search(segment.text)
    head = segment.text[: condition.start()] if condition and condition[0] == "的话" else ""
    for each in segment.mentions if head else ():
        before, behind = head[: each.start - segment.start], head[each.end - segment.start :]
        if each.key[:1] == "s" and each.end <= segment.start + len(head) and len((before + behind).strip()) <= 1:
            return True  # "要退的话周六前都可以" names the topic, the refund, of which the day is asked
    if valued:
        # 若雨顺延周日: if the question is for a day, the words before the first value are its condition.
        head = segment.text[condition.end() : valued[0].start - segment.start] if condition else ""
        if re.search("[一-鿿]{2}", head) and not unexplained(head, question.text):
            return True
        values = [mention.value for mention in valued if mention.value]
        return all(any(same_value(value, each) for each in question.values) for value in values)
    # Only the condition's own words count, not those of its consequence.
    words = [re.split("[就便则那]", words)[0] for words in lexicon.IF.split(segment.text) if words]
    pieces = [piece for each in words for piece in re.findall("[一-鿿]{2,}", each)]
    return any(piece[at : at + 2] in question.text for piece in pieces for at in range(len(piece) - 1))
