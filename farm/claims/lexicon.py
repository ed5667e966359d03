"""The words that decide how a thing is said, grouped by what they do to the clause they stand in.

Every group is one pattern over folded text (``values.fold``): lower case, half width, straight quotes. English words
are matched whole; Chinese ones wherever they stand, as there are no blanks to go by: what must not follow or precede
them is said in the pattern. ``docs/claims.md`` tells how to add a word.
"""

from __future__ import annotations

import re

Words = re.Pattern[str]


def _words(*, en: str = "", zh: str = "", more: str = "") -> Words:
    """Return one pattern of English alternatives (whole words), Chinese ones, and what is written out in full."""
    parts = [rf"\b(?:{_join(en)})\b" if en else "", _join(zh), _join(more)]
    return re.compile("|".join(part for part in parts if part))


def _join(lines: str) -> str:
    return "|".join(line.strip() for line in lines.strip().splitlines() if line.strip())


# Phrases in which a negator denies nothing, and words that only hold its character: blanked before anything is read.
NEUTRAL = _words(
    more=r"""
    go ?/ ?no-go|no-go|no problem|no worries|no need(?: to)?|not? only|no doubt
    don't (?:forget|worry|be late)|no later than|not later than|can't wait
    couldn't (?:be better|agree more)|why not|if not|no\. ?\d|nobody has to|so (?:that )?nobody
    """,
    zh=r"""
    没问题|没事儿?|没意见|没关系|没错|没法更好|不能更好|再好不过|不好意思|不客气|不用谢|不用再?[问查找]|不用担心
    不见不散|不迟于|不晚于|别迟到|别忘了?|别客气|别担心|不会再?[变改]\w?|不再[变改]|不良率?|不变|不错
    不仅|不只|不光|不管|不论|不少|差不多|不过|不但|分别|特别|区别|个别|级别|类别|性别|告别|别人|别的|别家
    无线|无论|无痕|不会鸽\w?
    """,
)

# Negators, and verbs that take a thing back or put another in its place.
NEGATION = _words(
    en=r"""
    not|no|never|without|neither|nor|none|cannot|nobody|isn't|aren't|wasn't|don't|doesn't|didn't|won't|can't|hasn't
    haven't|shouldn't|wouldn't|no longer|instead of|in place of|rather than|replac(?:es|ing)
    net of|exclusive of|excl(?:uding|\.|\b)|before(?= tax)
    cancel(?:led|ed|s)?|called off|is off|wrong|reject\w*|declin\w*|refus\w*|disagree\w*
    unable|impossible|unaware|out of the question
    """,
    zh=r"""
    并非|绝非|而非|没有|还没|尚未|未必|从未|从没|从来没|不|没|未|别|勿|甭|无|非
    取消|作废|拒绝|反对|驳回|否决|改期(?=[了吧。，,]|$)|代替|顶替|取代|停用|免谈|搁置|再议|税另|税前
    """,
)

# The writer does not stand by it.
HEDGE = _words(
    en=r"""
    maybe|perhaps|possibly|probably|might|may be|could be|not (?:quite |really |entirely )?sure|unsure|i guess
    guess(?:ing)?|no idea|not certain|don't (?:know|remember)|not yet clear|have to check|need to check
    to be confirmed|tbc|tbd|depends|we'll see|let you know|would be nice|pencill?ed in|tentative(?:ly)?|subject to
    hard to say|only an idea
    """,
    zh=r"""
    可能|也许|或许|大概也许|好像|似乎|说不定|不一定|不确定|不清楚|不太确定|不大确定|记不清|记不得|忘了
    我猜的|瞎猜|没准|暂定|初步|看情况|再想想|再说吧|再看看|待定|拿不准|估计是|应该是[^，。]*吧
    """,
)
HEDGED_AFTER = _words(en=r"guess(?:es|ed|ing)?|mistaken\w*", zh=r"猜(?!的)|以为|误以为")

# A question, by how a clause or sentence ends.
ASKING = re.compile(r"(?:吗|呢|么|来着|是不是|对不对|好不好|行不行|是否)[\s\"”』」)]*$|\?[\s\"')”]*$")

# Alternatives.
OR = _words(en=r"or|either|versus", zh=r"或者?|还是|要么|抑或|其一")
OR_OPENS = re.compile(r"^\W*(?:or\b(?! so| later| earlier| more| less)|或者|要么|不然|否则)")

# The value of before: in front of it, or said of it behind.
FORMER = _words(
    en=r"""
    (?:was|were)(?= from an? earlier| too early)|used to be|started at|began at|previously|formerly|originally|old
    earlier plan|no longer
    """,
    zh=r"原来|以前|之前(?=[是写定说])|原定|原本|本来|旧|曾|老的|当初",
)
WAS = _words(en="was|were")
NOW = _words(en=r"now|instead|but|mov\w+|current(?:ly)?", zh="现在|如今|目前")
OUTDATED = _words(
    more=r"(?:是|为)旧|旧[价数值][^\w]*$|过时|作古",
    en=r"""
    outdated|out of date|(?:was|were) (?:from an? earlier|too early)|is (?:the )?old
    is (?:dead|gone|history|obsolete|off the table)
    """,
)
MOVING = _words(
    en=r"mov(?:e|es|ed|ing)|shift\w*|postpone\w*|chang\w*|drop\w*|lower\w*|went|go(?:es)?|rais\w*|bring\w*",
    zh="改|挪|移|降|升|调|推迟|提前|顺延|延",
)
FROM = re.compile(r"(?:\bfrom|从|由|自)$")
TOWARDS = re.compile(r"\bto\b|到|→|为|成")

# A condition; but what stands behind words of excess is the threshold of a rule and is asserted.
IF = _words(
    en="if|unless|in case|provided|assuming|as soon as",
    zh=r"如果|要是|假如|除非|(?<![一二三四五六七八九十])万一|的话|等到?[^，。]{1,12}[就再才]",
)
UNLESS = _words(en="unless", zh="除非")
THRESHOLD = re.compile(
    r"(?:exceeds?|above|over|reach(?:es)?|beyond|goes (?:above|over|past)|超过?|达到|高于|大于|过)\s*$"
)

# Turns from what is denied to what holds.
BUT = _words(en=r"but|but rather|instead(?! of)", zh=r"而是|但是?|应该?是|改成|改为|改到|只要|就要|要的?是")
BUT_OPENS = re.compile(r"^\W*(?:是|就是|其实是|it's\b|it is\b|use\b|用|要|请?[改换]|rather\b|but\b)(?!不)")

# Places a thing beside what is meant.
BESIDE_AFTER = re.compile(r"^[\s)]*(?:的?(?:隔壁|旁边|对面|楼上|楼下))|^[\s)]*(?:的)?附近")
BESIDE_BEFORE = re.compile(r"(?:挨着|靠着|紧邻|next to|beside|near|opposite|across from)\s*$")

# Fixed forms of irony.
SARCASM = _words(
    en=r"yeah,? right|as if|in your dreams|when (?:pigs|hell)",
    zh="才怪|想得美|做梦|太阳从西|呵呵|鬼才",
)

# Takes back what the clauses before it said.
TAKING_BACK = re.compile(
    r"^\W*(?:我|我们|这|那|这些|那些|两个|两者|它们?)?(?:都|也|全|一概)?(?:已经?|又|还|统统|并)?(?:不|没|取消|作废|改期|停用|错|免谈)"
    r"|^\W*(?:both|all|these|those|they|that|it|neither)\b|^\W*(?:is |are )?(?:wrong|cancel\w*|off|not)\b"
)

# Answers.
NO = _words(
    more=r"""
    ^\W*(?:no|nope|nah)\b(?! \w+ (?:needed|required))|^\W*not yet
    ^\W*(?:还)?没有?(?:呢|啊)?\W*$|^\W*(?:否|不|尚未)\W*$|还没有?(?:[，。,.]|$)|给别人
    """,
    en=r"""
    not (?:yet )?(?:final|confirmed|approved|agreed|ok|okay|possible|going|coming|yet|true|happening|informed|aware)
    (?:disagree|reject|refuse|decline|veto)\w*|(?:can't|cannot|won't|couldn't)(?! wait)|unable|impossible
    (?:is|am|i'm) out|doesn't work|i don't (?:like|agree|approve|want)|stay with|unaware
    no good|hold (?:off|on)|on hold|rewrite|redo
    """,
    zh=r"""
    不(?:太)?(?:行|可以|同意|能|成|批|准|来|去|参加|通过|赞成|干|可|方便|认可|建议)|[去来到参加赶做走定]不了
    没(?:办?法|空|时间|戏)|拒绝|反对|驳回|否决|免谈|算了吧|作罢|撤回|还没定|未定|没同意
    有冲突|有安排|有事(?!情?说)|暂缓|先等|先不|重写|重来|换换|再给.{0,2}版|差点意思
    """,
)
YES = _words(
    en=r"""
    yes|yep|yeah|yup|ok|okay|sure|agreed?|confirm(?:ed)?|approved?|go ahead|absolutely|of course|done|deal|fine|works
    go with|final|happy to
    """,
    more=r"""
    (?<![不没未])(?:可以|同意|好的|没问题|确认|确定|批准|通过|赞成|当然|就它了|就这么|定了|算我|一言为定|没意见|就按)
    ^\W*(?:行|好|对|是的?|嗯|来|去|到)\b|^\W*(?:行|好|对|是|嗯|来|去)[\W啊呀的吧]*$|^\W*(?:行|好|对|嗯)[，,。！!]
    """,
)
# Chinese words that hold the character of an asked act and mean another thing.
COMPOUND = re.compile(r"[看收听找想遇感说得达]到|知道|[起出下过本看回]来|来着|来说|过去|出去|回去|去年")
# Denials of an alternative: what they deny is not the asked act.
ALTERNATIVE = _words(en="instead of|rather than|no longer", zh="不再是?|而不是|不是")

# Where sentences end, and segments within them.
SENTENCE = re.compile(
    r"[!?。;；\n•|]+|(?<!\b[ap])(?<!\bmr)(?<!\bno(?=\.\s?\d))(?<!\bexcl)(?<!\bincl)(?<!\be\.g)(?<!\bi\.e)"
    r"\.(?=\s|$|[^\d\s\w])|\s-\s(?=\D)"
)
SEGMENT = re.compile(
    r"[\U0001F300-\U0001FAFF\u2600-\u27BF]+|[,，、:：()（）/×→=+&]|–|\.\.\.|…"
    r"|\b(?:but|however|while|whereas|instead of|rather than)\b|但是?|不过|而不是|而是|而非"
)
# What may stand in a segment that is nothing but values and goes on with the status before it.
GLUE = re.compile(
    r"^[\W\d_]*(?:(?:at|on|the|and|or|to|from|by|in|起|开始|前|后|和|或|是|即|也|then|time|clock|号|点|上午|下午|周."
    r"|about|约)[\W\d_]*)*$"
)
# What joins the members of a list, and two values to a span.
LISTED = re.compile(r"^[\s,，、/和及与&]*(?:and|及|和)?[\s,，、/\w]{0,3}$")
SPAN = re.compile(r"\s*(?:–|-|~|to|until|till|到|至)\s*")
# A number with one of these behind it counts something of its own.
OWN_NOUN = re.compile(r" ?[楼层号天台盏片条件家份批次行]| ?[a-z]{3,}")
