"""Words that only dismiss a mention, or state that it is another thing."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# A value or name of no claim that stands behind one of these is named only to be put away: "ignore the old plan, …".
ASIDE_AHEAD = _words(
    en=r"""
    ignor(?:e|ing)|disregard(?:ing)?|forget(?: about)?|skip|delete|remove|overwrite|discard|unlearn|scrap|strike|bin
    never ?mind|no need|needn't|need not|nobody (?:needs|has)|no one (?:needs|has)|don't (?:need|have) to
    not to be (?:confused|mistaken|mixed)|contrary to|despite|regardless of|as opposed to|unlike
    old|older|previous|former|outdated|stale|obsolete|superseded|expired|mistaken(?:ly)?|wrong(?:ly)?|incorrect(?:ly)?
    as for|early \w+|resist|(?:back and forth|to and fro|talk|argu\w{1,20}|confusion|fuss|noise|debate|discussion|
    chatter|panic) (?:about|
    over|around|on)|erroneous(?:ly)?|by mistake|in error|used to|back then|once|too early|premature(?:ly)?|
    first (?:guess|count|notice)
    whoever|anyone|anybody|(?:those|people) who|cross out|crossed out
    still (?:say|show|read|list|carr(?:y|ie)|mention|quote|display|print|state|use|see|find|remember|think|go(?:es)? by|
    ha[vs]e?|stand|believe|guess|assume|expect|count|hope|repeat)(?:s|ing|ed)?
    you(?:'ll| will| may| might| could| probably)?(?: still| also| have)* (?:see|saw|seen|find|found|hear|heard|
    remember|recall|come across|had|have in mind)
    """,
    zh=r"""
    旧|老(?:的|版|数|日子|时间|口径|方案|价|黄历|通知|计划)|原(?:来|先|定|版|本|计划)|之前|以前|先前|早先|此前|上一?版
    过时|过期|作废|失效|误[传写报填]|忽略|无视|抛开|撇开|忘掉|忘了|谁[再还]|谁要?是还
    [还仍]在?(?:写|标|挂|显示|留|停|记|印|说|猜|以为|传|讲|提)
    [别勿甭]再?\w{0,2}错(?:成|到|去|了)?|不要\w{0,2}错|至于|凡是|(?:看|见)到|流传|传[的着]
    [别勿甭]再?(?:按|照|用|信|理|管|看|记|填|引|报|提|写|跑|当|传|抄)
    """,
)
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
# A value that something is said of, and not that it holds: "the 400k is the figure from v2", "7:10是手滑".
_HOLDS_EN = (
    r"also|too|as well|fine|ok|okay|possible|available|(?:the |our |a )?(?:\w+ )?(?:new|real|right|correct"
    r"|current|actual"
    r"|final|latest|limit|deadline|better|best|backup|alternative|fallback|option|plan b|next|second|date|day"
    r"|time|number"
    r"|one)\b|now|valid|still|confirmed|set|what|true|free|open|back|on\b|good|better|due|accurate|agreed|approved"
    r"|planned|booked|(?:not )?\d"
)
_HOLDS_ZH = (
    r"也|可以|备|对的?\b|准|新|现|真|正确|最终|实际|候选|行|能|还|没问题|定|最新|更|另|唯一|今年|本次"
    r"|这次|\d|不(?!能|要|是)"
)
_OF_IT_ZH = r"(?:那?[个条版份档次场套间]|这?个数|的?[那这][个条版份]\w?)?\w{0,4}?"
TOLD_OF = re.compile(
    r"^[\s\"'”」)]*(?:(?:is|was|are|were|'s|belongs?|refers?|came|comes|applies|applied)\b)"
    rf"(?! ?(?:only |just |merely )?(?:{_HOLDS_EN}))"
    rf"|^[\s\"'”」]*{_OF_IT_ZH}(?:是|属于|归|指的?是|来自|对应)(?!{_HOLDS_ZH})"
)
# Something known already is meant: "that RM420 in your sheet", "那个40万".
KNOWN_BEFORE = re.compile(
    r"\b(?:that|those|your|his|her|their|(?!(?:it|that|what|here|there|he|she|who|let|how)')\w+'s)"
    r"\s+[\"“]?(?:about |roughly |some |old )?$|那(?:个|条|版|份|些|套|次|场|间|档|张)?[\"“「]?$"
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
# A name or value with which a clause opens that tells something of it: "北厅那边修路", "Polaris would be overkill".
VERB_BEHIND = re.compile(
    r"^[\s\"'”」)]*(?:\w+ (?!for|to|at|on|in|by|and|or)){0,2}?(?:is|was|are|were|'s|has|had|have|would|does"
    r"|did|sounds?|reads?"
    r"|looks?|feels?|seems?|means?|sits?|seats?|belongs?|goes|went|comes|came|covers?|costs?|takes|says?|said|shows?|starts?"
    r"|ends?|runs?|stands for|won't|isn't|wasn't|doesn't|can't)\b"
    r"|^[\s\"'”」]*[\u4e00-\u9fff]{3,}"
)
AFFIRMED = _words(
    en=r"""
    also|too|as well|works?|fine|ok|okay|possible|free|available|instead|takes? over|took over|can|could|may|
    might|will do
    would do|stays?|remains?|still|(?:is|are|'s) (?:the|our|where|what|next|it|now|set|on|confirmed|final|
    valid|good|ready)
    backup|fallback|alternative|plan b|option|promised|agreed|better|best|then|approved|applies|holds?|counts
    (?:has|does|takes) it
    """,
    zh=r"""
    也|可以|行(?!不通)|备|能(?!不)|还|吧|或|接手|顶|代替?|改|换|用|订|定|有空|空着|没问题|有效|算数|已|会|将|照旧
    要|马上|免费|给(?!别)|加|增|另|一场
    """,
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
# Wishes, in which a day is not a date: "have a good Monday".
WISH_BEFORE = re.compile(
    r"(?:have an? (?:\w+ ){0,3}|happy |enjoy (?:your |the )?|how (?:was|is) your |your |(?:had"
    r"|have) an? (?:\w+ ){0,2}|祝\w{0,4})$"
)
WISH_BEHIND = re.compile(r"^的?(?:愉快|快乐|开心|安好|吉祥)")
THANKS = _words(en=r"thank\w*|thanks|say hi|regards|cheers", zh=r"谢|感谢|问好|问候|辛苦|拜托")
COUNTED = re.compile(r" ?[楼层号天台盏片条件家份批次行个位名人遍种款处间]| ?[a-z]{3,}")
# An id with its own label belongs to another thing: "order HL-88231", "工单T-20417".
LABELLED_BEFORE = re.compile(
    r"(?:order|invoice|tracking|serial|parcel)(?: no\.?| number| id)?[: ]+$|(?:订单|运单|发票|快递"
    r"|序列)(?:单?号|编号)?[是为: ]*$"
)
# The end of something that is on: "the sync runs until 16:45".
ENDS = re.compile(r"\b(?:ends?|finish\w*|over|done|closes?|runs?|lasts?|out)\b|结束|散会|收工|开到|持续")
# Nouns that a number counts, where none is asked for: "264评论", "31个赞".
OWN_NOUN_ZH = re.compile(r" ?个?(?:评论|留言|转发|粉丝|关注|点赞|浏览|播放|同事|朋友|嘉宾|字|分钟|小时)")
OWN_COUNT = re.compile(r"^\s*(?:(?:has|seats|with|for|有|坐|可坐) ?\d{1,3}\b|\d{1,3}\s*(?:座|人|个|seats?|people))")
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
SPOKEN = _words(
    en=r"said|says?|wrote|writes|posted|message|quoted?|asked|reads|called", zh=r"说|写|问|发|讲|原话|提到|叫|标"
)
# The writer's own words of before, which take back nothing of these: "我早上写的不算数".
OWN_BEFORE = re.compile(
    r"(?:我|咱们?)\w{0,2}(?:早上|早先|之前|以前|上次|昨[天晚]|原来|先前)\w{0,3}(?:写|说|发|记|报|填|抄)的"
    r"|\bwhat (?:i|we) (?:wrote|said|posted|told you) (?:this morning|before|earlier|yesterday|last \w+)"
)
# A wish behind what was said, and no doubt of it.
WISH = re.compile(r"^\W*(?:fingers crossed|touch wood|knock on wood|good luck|here's hoping|祝顺利|但愿顺利)\W*$")
