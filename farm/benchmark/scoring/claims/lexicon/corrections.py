"""Words that correct or contrast: corrections, contrasts, comments that take everything back."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lazy import LazyPattern as _Lazy
from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# Between two things of one kind: the second replaces the first.
CORRECTION = re.compile(
    r"^(?=\W*\w)(?:oh|ah|er|uh|um|no|wait|sorry|hold on|well|i mean|i meant|make that|correction|scratch that|my bad"
    r"|oops|actually|or rather|nope|pardon|typo|slip|wrong (?:line|row|one|day|number|cell|date|time)|\W)+$"
    r"|^\W*(?:哦|啊|呃|哎)?(?:不|不对|不是|错了|说错了|写错了|打错了|手滑|笔误|看错了|看串了|口误|更正|纠正"
    r"|抱歉|等等|等下|我是说"
    r"|应该是|更正一下)\W*$"
)
BUT = _words(
    en=r"but|instead(?! of)",
    zh=r"但是?|应该?是|改成|改为|改到|换到|换成|只要|要的?是",
)
TAKING_BACK = _Lazy(
    r"^\W*(?:我|我们|这|那|这些|那些|两个|两者|它们?)?(?:都|也|全|一概)?(?:已经?|又|还|统统|并)?(?:不|没|取消"
    r"|作废|改期|停用|错|免谈)"
    r"|^\W*(?:both|all|these|those|they|that|it|neither)\b|^\W*(?:is |are )?(?:wrong|cancel\w*|off|not)\b"
    r"|^\W*(?:i|we) (?:can't|cannot|won't|couldn't)(?: (?:make|do|manage) (?:it|that))?\W*$"
)
