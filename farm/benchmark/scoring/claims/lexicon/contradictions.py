"""Plain facts that contradict a claim, and the words that cancel such a fact."""

from __future__ import annotations

import re

NEGATED_SHORTLY = re.compile(
    r"(?:\b(?:not|n't|never|no|nobody|none|nothing|without|hardly)(?: \w+){0,2} |[没不未无别免]\w{0,2})$"
)
# A condition with what is done then in the same clause: 顺延的话你们去.
IF_THEN = re.compile(r"的话\W{0,2}(?:(?:那|就|再|才)?(?:我们?|你们?|您|他们?|她们?|咱们?)|\d|再|别)\w?")
THEN_WE = re.compile(r"\b(?:we|i|you|they|then|it'll|it's|the|that)\b(?! \w+s? like)")
SO_ANOTHER = re.compile(
    r"\W*(?:so|hence|therefore|thus) (?:the|our|this|these|all|every) "
    r"(?!(?:date|day|time|hour|room|slot|meeting|call|plan|launch|booking|number|figure"
    r"|whole|above|offer|answer)\b)\w+ "
    r"|\W*(?:所以|因此|故)(?:这|该|整|那)?(?:批|货|线|产线|仓)"
)
# A value that somebody did not say is not a former value: "he did not say 19 March".
NOT_SAID = re.compile(
    r"\b(?:not|n't|never) (?:say|said|mention\w*|name[d]?|tell|told|write|wrote"
    r"|written|claim\w*|give[n]?|gave) (?:\w+ )?$"
    r"|[没未](?:有)?(?:说|提|讲|写|透露|承诺)过?\W{0,2}(?:是)?$"
)
ANOTHER_ONE = re.compile(r"\b(?:other|another|else|different)\b|别的|另|其他")
# What is forbidden stands behind it.
FORBIDS = re.compile(r"(?:请|也|更)?(?:不要|别|勿|不可|不能|切勿|请勿)再?[\u4e00-\u9fff]")
NEEDLESS = re.compile(
    r"(?:no need to|needn't|(?:don't|doesn't|do not) (?:have|need) to|(?<!不是)(?:不用|不必|无需|用不着))\W*$"
)
IS = re.compile(r"\b(?:is|are|was|were)\b|是|叫")
# Units of things that are not alternatives to each other.
APART = frozenset(("g", "kg", "°C", "cm", "m", "mm", "ml", "l", "%", "min", "h", "d"))
