"""Words and marks that cut a text or join its pieces: lists, spans, sums, labels."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lazy import LazyPattern as _Lazy

# Somebody's words in quotation marks: unless they hold what is claimed, they are read by nobody.
QUOTED = _Lazy(r'"[^"\n]{2,80}"|「[^」\n]{2,80}」|『[^』\n]{2,80}』')
# What may not stand before a mark or word is looked at behind it: most places begin none, and are passed at once.
SENTENCE = re.compile(
    r"[:;=](?<!\w.)[-']?[()](?!\w)|[!?。;；\n•|]+"
    r"|\.(?=\s|$|[^\d\s\w])(?<!\b[ap].)(?<!\bmr.)(?<!\bmrs.)(?<!\bms.)(?<!\bdr.)(?<!\bvs.)(?<!\bca.)(?<!\bapprox.)"
    r"(?<!\bresp.)(?<!\bno(?=\.\s?\d++(?! ?(?:%|percent))).)(?<!\bexcl.)(?<!\bincl.)(?<!\be\.g.)(?<!\bi\.e.)"
    r"|\s-\s(?=\D)"
)
_TURNS = ("but", "however", "while", "whereas", "instead of", "rather than", "vs", "versus")
# A space ends a clause behind a Chinese word ("你记错了 改到周三"), or behind letters joined to one ("哪里hhh 我去").
SEGMENT = re.compile(
    r"[\U0001F300-\U0001FAFF\u2600-\u27BF\u2B50-\u2B55]+|[,，、:：()（）/×→=+&–…]|\.\.\.|但是?|不过|而不是|而是|而非|"
    + "|".join(rf"{word}(?<!\w{word})(?<!anything {word})\b" for word in _TURNS)
    # A reason stands though what it is the reason of is denied: "we can't find them because the lamp is second-hand".
    + r"|because(?<!\wbecause)(?<!not because)(?<!just because)\b"
    r"|(?:(?<=[一-鿿])|(?<=[一-鿿][a-z]{2})|(?<=[一-鿿][a-z]{3})) (?=[一-鿿])"
)
# A file path, whose marks do not cut: /var/log, /etc/nginx/nginx.conf.
PATH = re.compile(r"(?<![\w/])/(?:[a-z_][\w.-]*/){1,40}[a-z_]\w*")
# What may stand in a segment that is nothing but values and goes on with the status before it.
GLUE = re.compile(
    r"^[\W\d_]*(?:(?:at|on|the|and|or|to|from|by|in|起|开始|前|后|和|或|是|即|也|then|time|clock|号|点|上午|下午|周."
    r"|about|约)[\W\d_]*)*$"
)
STRUCK = _Lazy("\u2421[^\u2421\n]*\u2421")
# Words that join the members of a list, and two values into a span.
LISTED = re.compile(r"^[\s,，、/和及与&]*(?:and|及|和)?[\s,，、/\w]{0,3}$")
SPAN = re.compile(r"\s*(?:–|-|~|to|until|till|through|(?:开|持续|一直)?到|至)\s*")
OUT_OF = re.compile(r"\s*\(?(?:out )?of ")
IS_SOMETHING = re.compile(r"\s*(?:是|is\b|was\b)(?!\s*\d)")
# A sentence that goes on about whom the one before is about, and words for somebody else in that.
GOES_ON = re.compile(
    r"^\W*(?:(?:and|so|but) )?(?:he|she|they|it|its|his|that|this|their)(?:'s|'ll|'ve)?\b"
    r"|^\W*(?:他|她|它|那[个条场边]?|这[个条场]?)(?!么|样)"
)
# Around a name that only serves as a measure: "if it goes like the spring one", "按去年的转化率".
MEASURED_BY = re.compile(
    r"(?:\b(?:if|like|as|than|per|using|(?:judging|going|reckoned|calculated) by|based on|follow(?:s|ing)?"
    r"|match(?:es|ing)?)(?: the| our)?"
    r"|[按照跟像和同如以依拿用比]|参照|参考|根据|对照|比照|沿用|套用)\s*$"
)
MEASURES = re.compile(
    r"(?:'s)? (?:\w+ ){0,2}?(?:rate|ratio|conversion|pace|share|terms|maths?|sums|formula|arithmetic|method"
    r"|figures|numbers"
    r"|experience|curve|precedent|logic|yardstick|basis)\b|(?:'s|\s*的)\s*\d[\d.]* ?%"
    r"|\s*的?(?:转化|比例|比率|经验|水平|节奏|那样|一样)"
)
# A number followed by one of these has its own noun.
OWN_NOUN = re.compile(r" ?[楼层号天台盏片条件家份批次行]| ?[a-z]{3,}")
NOUN = re.compile(r" ?([a-z]{3,}|[一-鿿]{1,2})")
AND_ALSO = re.compile(r"[\s,，、]*+(?:(?:and|or|和|及|或|plus)[\s,，、]*+)?")
# What is said of another thing than the one that is chosen: "Willow is full", "柳厅太吵".
DESCRIBED = re.compile(
    r"\s*(?:(?:is|was|'s|are|being|has|had|got)\b(?! (?:it|the one|fine|ok|okay|possible|free|available|also"
    r"|good|better|an option|next|where|our|your|needed|wanted|required|included|due))"
    r"|那[间个家场]|太|\d* ?[座人]?的?(?:留给|归|是给)|临时|有事|请假|不在|出差"
    r"|休假|没空|病了|在(?![\s\d])|坐不下|有人|只有|人多|吵|装修)"
)
