"""Words that keep a mention from being misread: what is still asserted, and what is only asked of the reader."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

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
