"""Words that only dismiss a mention, or state that it is another thing."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# One that stands before one of these: "the 19th is the old plan", "19号那版作废".
ASIDE_BEHIND = _words(
    en=r"""
    old|older|outdated|out of date|stale|obsolete|superseded|expired|history|dead|gone|void|cancelled|scrapped
    wrong|incorrect|false|nonsense|rubbish|irrelevant|overtaken|corrected|replaced|withdrawn|dropped|overruled
    retired|misleading|inaccurate|premature|moot|typos?|mistakes?|slip|mix-?up|mixed up|confus\w+|misread\w*|misprint
    left-?overs?|relics?|placeholder|guess(?:ed|es|work)?|guesstimate|estimated?|rumou?rs?|drafts?|stopgap
    too early|(?:was|were) (?:true|right|correct|valid|so) (?:until|till|before|then|once|back)
    still (?:printed|shown|written|listed|saved|stored|around|pinned|posted)|from before|before (?:the|we|she|
    he|they|it|that|my|our)|when (?:it|we|they|he|she|the \w+) \w+ed
    when (?:it|we|they|he|she) began|back then|at the (?:start|beginning|time|outset)|the day before
    (?:should|must|can|needs? to|ha(?:s|ve) to|to) be (?:overwritten|replaced|ignored|disregarded|dropped|removed|
    deleted|crossed out|struck|scrapped|binned|corrected|updated|discarded|forgotten|changed|fixed)
    (?:shouldn't|mustn't|can't|cannot|should not|must not|never|not to|needn't) be (?:used|quoted|taken|trusted|
    mentioned|sent|shared|copied|repeated|confused|mistaken|mixed|read|counted)
    (?:doesn't|does not|don't|do not|no longer|didn't) (?:count|apply|hold|stand|matter|exist|concern|affect|enter|play)
    not (?:that|this) one|not (?:those|these|them)|predates?|(?:dates?|stems?) (?:from|back)|goes back to|
    no (?:use|good|longer)|leave .{0,20}out|hadn't|haven't
    ignore|disregard|forget|don't (?:use|quote|trust|go by|mind|touch)
    (?:float|fly|fl[eo]w|go|went|gone|pass|thr[eo]w|knock|kick)\w{0,20} (?:a)?round|circulat\w+
    in the (?:old|first|earlier|previous|original|initial) \w+|yesterday's|last (?:week|month|year)'s
    """,
    zh=r"""
    旧|老(?:黄历|数|日子|版|口径|价|通知|时间|方案|说法|计划|安排)|过时|过期|作废|失效|无效|废弃|废了|淘汰|不算
    不作数|不对
    错的?(?=\W|了|$)|有误|笔误|不准|[记搞弄]混|[记搞弄看写打抄算]错|混淆|[记搞弄]反|太早|早先|当时|那时|之前的
    以前的|原来的|原先的
    改期?(?:之)?前|改之前|上一?版|第一版|初[版稿]|草稿|估[的计算]|拍脑袋|毛估|猜的|划掉|删[掉了]|替换|改掉|覆盖
    忽略|无视|不再
    (?:不[用要能必可]?|别|勿|甭)再?(?:按|照|(?<!不)用|信|理|管|看|记|填|引|报|提|说|写|跑|当|订|找|算|传|抄|等|混|认|碰|动|搭理)|没[碰动管理算]
    (?:都|就)?(?:放下|放弃|丢开|扔掉|抛开)(?:吧|了|它|不管)?(?=\W*$)|别提
    已经?(?:收|收到|收齐|齐|完成|关闭|结案)了?|早就?有了?|挨着|前后脚|不撞|没撞|不冲突|不重叠|手滑|口误|随口|带偏
    没人改|没改过来|没更新|漏改|忘了?改|跑偏|误导|无关|不相干|另一?(?:回事|码事|件事|场|笔)|两回事|两码事|指的是
    (?<!不)属于|老早
    """,
)
# A thing that has not arrived yet is still the thing that is meant: "TR-5590 还没收到".
NOT_HERE = re.compile(
    r"^\W*(?:been )?(?:arrived|reached|come|received|sent|delivered|turned up|shown up|landed|got here|here)\b"
    r"|^\W*(?:见|看|收|拿|等|发|寄|交|补|送|传|提供)(?:到|来|过|出|给|齐)?"
)
# "260 in all, not 260 each": the number holds, but not as a share.
EACH_BEFORE = re.compile(r"(?:每[\u4e00-\u9fff]|(?<!分)别各|各)\s*$")
EACH_AFTER = re.compile(r"^\W*(?:each|apiece|per\b|a piece|every)|^\W*(?:一|每)[条个位盏台张份人]")
INSTEAD_OF = re.compile(r"instead of|in place of|in lieu of|replac|代替|顶替|取代|替掉")
RATHER_THAN = re.compile(r"^\W*(?:(?:rather than|instead of|not|over)\b|而不是|而非|不是|不用|不要|别用)")
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
    en=r"please|thanks|thank you|sorry|let me know|don't|do not|feel free|no need|needn't|never mind|just"
    r"|make sure|bring|take care|remember|enjoy|have an?|shout|ping|good luck|hope|wish|happy to|cheers"
    r"|congrat\w*|see you",
    zh=r"不用|不必|无需|不需要|别(?![人的处家])|请|麻烦|记得|可以|辛苦|谢|劳烦|帮|放心|千万|务必|注意|直接|祝|加油|希望|欢迎|恭喜|久等|抱歉|不好意思",
)
# Waiting for a thing says that the thing is missing, and makes nothing depend on it.
WAITS_FOR = re.compile(
    r"(?:waiting (?:for|on)|awaiting|(?:还|仍|正|就|只)?(?:在)?等(?:着)?)(?:\s*(?:the|his|her|their|a|full"
    r"|他的?|她的?|对方的?))*\s*$"
)
# What is said of the text or the value of before: "…的朋友，那个作废".
OF_BEFORE = re.compile(
    r"之前|以前|早上|上次|原来|旧|老(?!师|板|家|公|婆)|原先|早先|\b(?:earlier|old|older|previous|former|original|first|before)\b"
)
# An hour of a past day: "昨晚八点", "last night at eight".
PAST_HOUR = re.compile(
    r"(?:昨[天晚夜日儿]|前[天晚]|上周\w?)\w{0,3}?\s*\S{1,6}$"
    r"|\b(?:yesterday|last (?:night|evening|\w+day))(?: \w+)?(?:,? at)? \S{1,8}(?: [ap]\.?m\.?)?$"
)
THANKS = _words(en=r"thank\w*|thanks|say hi|regards|cheers", zh=r"谢|感谢|问好|问候|辛苦|拜托")
COUNTED = re.compile(r" ?[楼层号天台盏片条件家份批次行个位名人遍种款处间]| ?[a-z]{3,}")
# Nouns that a number counts, where none is asked for: "264评论", "31个赞".
OWN_NOUN_ZH = re.compile(r" ?个?(?:评论|留言|转发|粉丝|关注|点赞|浏览|播放|同事|朋友|嘉宾|字|分钟|小时)")
# What follows "used to be" and holds: "used to be 16:00 and becomes 15:00".
BECOMES = _words(
    en=r"and becomes?|and (?:is|are|will be|starts?|begins?|moves?|goes) (?:now )?|now (?:is|starts|begins)"
    r"|turned into",
    zh=r"现在|变成|如今|目前|今后|改成|改为",
)
# A polite no is a no: "恐怕去不了".
POLITE_NO = _words(
    en=r"i'm afraid|i fear|sadly|unfortunately",
    zh=r"(?:恐怕|怕是|估计|大概|看来|看样子)(?=\w{0,6}(?:[去来到赶参加]不了|不行|没法|不能|赶不上|没空|没办法|不方便))",
)
# The writer's own words of before, which take back nothing of these: "我早上写的不算数".
OWN_BEFORE = re.compile(
    r"(?:我|咱们?)\w{0,2}(?:早上|早先|之前|以前|上次|昨[天晚]|原来|先前)\w{0,3}(?:写|说|发|记|报|填|抄)的"
    r"|\bwhat (?:i|we) (?:wrote|said|posted|told you) (?:this morning|before|earlier|yesterday|last \w+)"
)
# A wish behind what was said, and no doubt of it.
WISH = re.compile(r"^\W*(?:fingers crossed|touch wood|knock on wood|good luck|here's hoping|祝顺利|但愿顺利)\W*$")
