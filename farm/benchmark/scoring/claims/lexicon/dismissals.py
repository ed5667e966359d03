"""Words that keep a mention from being misread: what is still asserted, and what is only asked of the reader."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# "26 March is what counts": said to hold, and nothing else.
IS_RIGHT = re.compile(
    r"\s*(?:is|are|stands as|remains)\s+(?:what|it\b|the same|the (?:\w+ )?(?:one|date|day|time|number|figure|price"
    r"|right|last|latest|cut-?off|deadline|moment|point"
    r"|correct|new|current|valid|final|real|actual|latest)|right|correct|final|fixed|confirmed|set|valid|now|still)"
    r"|\s*(?:才|就)?是(?:对|准|最新|现行|正确|最终|定下|新的|没错|确定|确认|现在|当前|真的|准数|正解)"
)
# Between a value, which is blanked, and the words that make a deadline or a span of it.
DEADLINE = re.compile(r"\b(?:before|until|till|by) {2,}|(?<! ) {2,}(?:之?前|以前|(?:过)?后|之后|起)")
# What is asked of whoever reads it, and no story of what has been.
DIRECTIVE = _words(
    en=r"""
    please|thanks|thank you|sorry|let me know|don't|do not|no need|needn't|never mind|just|bring|remember|enjoy|have an?
    shout|ping|good luck|hope|wish|happy to|see you
    """,
    zh=r"""
    不用|不必|无需|别(?![人的处家])|请|麻烦|记得|可以|辛苦|谢|帮|放心|千万|务必|注意|直接|祝|久等|抱歉|不好意思
    """,
)
THANKS = _words(
    en=r"thank\w*|thanks|say hi|regards",
    zh=r"谢|感谢|辛苦|拜托",
)
COUNTED = re.compile(r" ?[楼层号天台盏片条件家份批次行个位名人遍种款处间]| ?[a-z]{3,}")
# What follows "used to be" and holds: "used to be 16:00 and becomes 15:00".
BECOMES = _words(
    en=r"and becomes?|now (?:is|starts|begins)|turned into",
    zh=r"现在|变成|如今|目前|改成|改为",
)
# A polite no is a no: "恐怕去不了".
POLITE_NO = _words(
    en=r"i'm afraid|sadly|unfortunately",
    zh=r"""
    (?:恐怕|怕是|估计|大概|看来|看样子)(?=\w{0,6}(?:[去来到赶参加]不了|不行|没法|不能|赶不上|没空|没办法|不方便))
    """,
)
