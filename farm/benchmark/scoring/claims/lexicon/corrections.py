"""Words that correct or contrast: corrections, contrasts, comments that take everything back."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import PREFILTER as _PREFILTER
from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# Between two things of one kind: the second replaces the first.
CORRECTION = re.compile(
    r"^(?=\W*\w)(?:oh|ah|er|uh|um|no|wait|sorry|hold on|well|i mean|i meant|make that|correction|scratch that|my bad"
    r"|oops|actually|or rather|nope|pardon|typo|slip|wrong (?:line|row|one|day|number|cell|date|time)|\W)+$"
    r"|^\W*(?:哦|啊|呃|哎)?(?:不|不对|不是|错了|说错了|写错了|打错了|手滑|笔误|看错了|看串了|口误|更正|纠正"
    r"|抱歉|等等|等下|我是说"
    r"|应该是|更正一下)\W*$"
)
CORRECTION_OPENS = _PREFILTER.words(
    r"^\W*(?:(?:oh|no|wait|sorry|er|uh|oops|actually) )*(?:i mean|i meant|make that|(?:or )?rather(?! than)"
    r"|correction|should be|i should say)\b"
    r"|^\W*(?:不对|错了|说错了|口误|更正|我是说|应该是|哦不)"
)
BUT = _words(en=r"but|but rather|instead(?! of)", zh=r"而是|但是?|应该?是|改成|改为|改到|换到|换成|只要|就要|要的?是")
# After a denied thing: the thing that holds follows: "不是 A 是 B", "not A it's B".
HOLDS = _words(en=r"it's|it is|use|take", zh=r"(?<![不也都还但只就可要])是|而是|用的是|改[成为到]")
BUT_OPENS = _PREFILTER.words(
    r"^\W*(?:是|就是|其实是|而是|用|要|请?[改换]|(?:it's|it is|it|use|take|rather|but|we(?:'re| are)?)\b)(?!不)"
)
NOT_WHAT = re.compile(r"\W*(?:not (?:what|as|like)\b|别(?:按|照|信|听)|不[按照])")
OLD_THING = re.compile(
    r"\b(?:old|previous|former|original|first|earlier) (?:\w+ ){0,2}\w+\W*$"
    r"|(?:旧|老|原来?|上一?版|之前)的?\w{1,5}\W*$"
)
NOT_THE = re.compile(r"\W*(?:not (?:the|in|at|on|by|for|a|an|that|this)\b|不是|并非)")
# What is no longer so makes room for what is.
NO_LONGER = _words(en=r"any ?more|no longer", zh=r"不再|不[在是][^,，]{1,12}了|已经?不是")
THAT_ONE = re.compile(
    r"[\W_～]*(?:(?:but|however)\b[\W_]*|但是?|不过|可是?)?(?:(?:that|this|it|which)\b|[那这][个间家条场]|它)"
)
CONJUNCTION = re.compile(r"[\W_]*+(?:(?:(?:but|so|and|however|well|yet|actually)\b|但是?|不过|可是?|所以)[\W_]*+)?")
CONTRAST = _PREFILTER.words(r"^\W*(?:but|however|yet|still|anyway|但|不过|可是|然而|反正|总之|可以确定)")
# A new subject, which ends the scope of a preposition.
COPULA = _words(en="is|are|was|were|becomes?|will be|'s", zh="是|为(?!了)|成")
PRONOUN = _words(en="i|we|you|they|it|he|she", zh="我|你|他|她|它|是|用|要")
TAKING_BACK = _PREFILTER.words(
    r"^\W*(?:我|我们|这|那|这些|那些|两个|两者|它们?)?(?:都|也|全|一概)?(?:已经?|又|还|统统|并)?(?:不|没|取消"
    r"|作废|改期|停用|错|免谈)"
    r"|^\W*(?:both|all|these|those|they|that|it|neither)\b|^\W*(?:is |are )?(?:wrong|cancel\w*|off|not)\b"
    r"|^\W*(?:i|we) (?:can't|cannot|won't|couldn't)(?: (?:make|do|manage) (?:it|that))?\W*$"
)
# What a comment is about: all that stands before it.
ALL_OF_IT = re.compile(r"\W*(?:\w{0,2}(?:都|全|一概)|both|all|these|those|they|neither|none|两个|两者)")
