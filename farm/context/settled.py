"""Whether a text says that its matter is settled: done, over, denied, called off or not needed, and asks nothing.

People who answer a request or a question do not answer such a text: a rule asks for it with ``settled = false`` beside
its operators. What is read are a few turns of phrase for each language, the same for all rules and worlds. They name
no subject: words of one world belong into its rules.
"""

from __future__ import annotations

import re

from farm.context.operators import normalize

SETTLED = "settled"

_DONE_EN = (
    "answered|approved|arrived|booked|cancell?ed|changed|closed|collected|confirmed|declined|done|filled in|finished"
    "|fixed|found|gone|got|informed|left|lifted|made|moved|ordered|packed|paid|put|read|received|sent|settled|shipped"
    "|signed|sold|solved|stopped|taken|told|withdrawn|written"
)
# Each is of the normalized text, with plain apostrophes.
_SETTLED_EN = (
    # not needed
    r"\bno need\b|\bneed ?n't\b|\bno longer\b|\bany ?more\b|\bno \w+ (?:is )?needed\b|\bnot (?:be )?needed\b",
    r"\b(?:do not|don't|does not|doesn't) (?:have to\b|need (?!help|more))",
    r"\boff the hook\b|\bnever ?mind\b|\bforget (?:it|about)\b",
    r"\bnothing (?:left|more|to|moves|missing|else)\b|\bnothing has\b|\bno more\b",
    # denied, called off, put off
    r"(?:^|[.,;!:] |\bplease )(?:do not|don't) (?!forget|hesitate|you\b|we\b|i\b|know)",
    r"\b(?:can't|cannot|can not|won't|will not|not going to) (?!wait|find|open|see|tell|read|log|come)",
    r"\bnot (?:ready|sure|clear|known|decided|final)\b.{0,20}\byet\b|\bwill be late\b|\bon hold\b",
    r"\bcalled (?:\S+ ){0,4}off\b|\bafter all\b|\bfor now\b|\bsold out\b",
    r"\bcancell?ed\b|\bstopped\b|\b(?:stays?|leave|keep) \w+ (?:\w+ )?(?:as it is|on the)\b",
    # done
    rf"\balready\b|\b(?:i|we)(?:'ve| have|'d| had)? (?:\w+ly |just )?(?:{_DONE_EN}|went|did|came|tried)\b",
    rf"\b(?:is|are|was|were|been|has|have|had|'s|'ve|all) (?:\w+ )?(?:now |been |all )?(?:{_DONE_EN}|over|complete)\b",
    r"\b(?:has|have|had|'s|'ve) been \w+en\b|\b(?:does|will) not take place\b",
    r"(?:^|[.,;!:] )(?:got|received|found|done|paid|sent|sorted)\b",
    r"\b(?:works?|perfect|fine|all good|all set) (?:perfectly|now|for me|again)\b|\bproblem solved\b",
)
# What follows "please" in a text that asks for nothing: look at what is done, and do no more.
_NO_REQUEST_EN = r"do not\b|don't\b|note\b|see\b|find\b|have a look\b|look\b|ignore\b|forget\b|leave\b"
_NO_REQUEST_ZH = "查收|放心|勿|不|别|知悉|确认|注意|看|好|假|客|教"
_ASKS_EN = (
    r"\?",
    r"(?:^|[.,;:!] |\band |\bbut |\bor )(?:who|what|when|where|which|how|why|can you|could you|would you|will you|"
    r"may i|may we|can i|can we|shall|is there|are there|do you|does|did you)\b",
    rf"\bplease (?!{_NO_REQUEST_EN})",
    r"\basked (?:for|when|whether|if|what|how|about|us|me)\b",
    r"\b(?:would|'d) like\b|\bwants? to know\b|\breported that\b",
    r"(?:^|[.,;:!] )(?:is|are|has|have) (?:it|there|that|this|the|they)\b",
    r"\b(?:let me know|tell me|any (?:news|idea|update)|i wonder)\b",
)
_OBJECT_ZH = r"(?:[^,。?!;\s]{0,6})"
_VERB_ZH = (
    "收到|拿到|到手|找到|领到|付|付清|付款|交|打|打过去|转|转过去|发|发过去|发出|发走|发车|发出去|寄|寄出|寄走|通知|通知到|"
    "告诉他|告诉她|告诉他们|说|修好|改好|做完|做好|办好|办完|搞定|解决|处理好|打包好|拆完|装完|装好|填好|补齐|补好|批|签|"
    "签好|定|定好|订好|退|取消|推迟|回复|确认|到|到账|到货|知道|看过|点过|交齐|齐|结清|讲|结束|停"
)
# Whoever asks nothing and tells what has happened; words that look like it are left out.
_PAST_EN = (
    r"\b(?!need|hundred|indeed|speed|exceed|proceed|attach)\w{3,}ed\b|\b(?:went|came|spoke|broke|did|was|were|took|gave"
    r"|made|sent|paid|told|found|sold|wrote|left)\b|\b(?:is|are) in\b|\bworks\b"
)
_PAST_ZH = r"(?<!太[好多大少贵])(?:了|过)(?=$|[,。!;\s])"
_SETTLED_ZH = (
    # not needed
    r"不用(?!动)|不需要|不必|无需|用不着|别再|不要再|免了|算了|没事了|没别的事|不[改走要做去办订发来搬换]了",
    # denied, called off, put off
    r"没有?变|不变(?!化)|照旧|按原来|先不要?(?!用)|先别|取消了|作废|暂停|不能(?=退|给|做|去|来|答应)|还没(?:有)?(?:定|好)",
    r"还不知道什么时候|(?:去|来|做)不了了?",
    # done
    rf"已经?(?:[^,。?!;\s]{{0,8}}?)(?:{_VERB_ZH}|有|好|完|全部)|已(?!经|久)\w",
    rf"(?:{_VERB_ZH})(?:完|好|过)?了(?!吗|没|么|多少|几|解|可)",
    r"[\u4e00-\u9fff](?:完|好|掉|下)了(?!吗|没|么|多少|几)|全部\w{0,4}(?:完|好)",
    r"(?:发|寄|交|转|给)给?[您你他她]们?(?:邮箱)?了(?!吗|没)",
    rf"(?:付|通知|说|讲|告诉|交|发|回|报|看|问){_OBJECT_ZH}过(?!去|来|程|期|敏|几)",
    r"(?:刚刚?|昨天|今早|早上|上午)(?:都|就|又|才)?(?:发|付|交|打|寄|给|到|拿)(?!现)|(?:我们|这边|手里)有了|(?:收|拿|买|修|办|搞|改|装|填|补)(?:好|到|完|定|齐)了(?!吗|没|么)",
)
_ASKS_ZH = (
    r"\?|吗|多少|几(?!乎|经|次)|什么(?!都)|哪|怎么|如何|是否|能不能|可不可以|有没有|要不要|何时|(?:了|到|好)没(?:有)?(?:$|[,。!])",
    r"吧(?:$|[,。!])|(?<![再用])催\w{0,3}了",
    rf"(?:(?<![邀申])请|麻烦|帮我|帮忙)(?!{_NO_REQUEST_ZH})",
    r"谁(?!都)|呢(?:$|[,。!])",
)


def _one_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{each})" for each in patterns))


# "Leo has not been told" is what is still to be done.
_STILL_OPEN = _one_of(
    rf"(?:\bnot|n't|\bnever|\bnobody(?: has| was)?) (?:been |be |yet |\w+ly )?(?:{_DONE_EN})\b",
    r"\bmoved to\b|改到",  # tells others a day, which they may not know
    rf"(?:还没有?|没有?|尚未|还未|未)(?:{_VERB_ZH})",
)
_SETTLED = _one_of(*_SETTLED_EN, *_SETTLED_ZH, _PAST_EN, _PAST_ZH)
_ASKS = _one_of(*_ASKS_EN, *_ASKS_ZH)


def is_settled(text: str) -> bool:
    """Return whether a text says that its matter is settled, and asks nothing."""
    plain = normalize(text).replace("’", "'")
    plain = _STILL_OPEN.sub(" ", plain)
    return _SETTLED.search(plain) is not None and _ASKS.search(plain) is None
