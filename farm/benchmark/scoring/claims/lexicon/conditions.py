"""Words that make one thing depend on another, and the forms of a condition in a question."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# But the value after words of excess is the threshold of a rule and is asserted.
IF = _words(
    en=r"""
    if|unless|in case|provided|assuming|as soon as|as long as|once(?= \w+ (?:has|have|is|are|agrees?|signs?|approves?
    confirms?|says?|gets?|gives?))|subject to|contingent on|on condition|pending|only (?:after|when|once)
    once(?= (?:the |our |his |her |their |all |both )?(?:\w+ ){1,3}?(?:pass(?:es)?|clears?|land|lands|arrives?|repl(?:y
    ies)|answers?|decides?|pays?|allows?|accepts?|returns?)\b)|until .{1,30}(?:signs?|approves?|agrees?|confirms?)
    awaiting|waiting (?:for|on)|needs? .{1,30}(?:sign-?off|approval|ok|okay|consent|permission|go-ahead)(?: first)?
    wait (?:for(?! (?:about |another |up to )?(?:\d|an?\b|one|two|three|four|five|six|seven|ten|some|several))|until)
    hinges on|depending on|whenever|till .{1,30}(?:dry|dries|signed|done|back)|so long as|in the event|(?:stands?
    falls?) or (?:stands?|falls?) with|once (?:the|our|his|her|their|all|both) (?:\w+ ){1,2}(?:pass|sign|agree|approve
    clear|confirm|arrive|consent|land)(?:es|s|ed)?|barring|(?<!you )(?<!we )(?<!it )(?<!i )should (?:the|our|his|her
    their|all|any|nothing|everything|no one|nobody|somebody)(?= \w+)|assumes?|suppose|subject to|depend(?:s|ing
    ent)? (?:on|upon)|(?:comes?|boils?) down to|up to (?:helen|legal|finance|the \w+)|(?:give|get|show|send|bring|find
    pay) (?:me|us) .{2,40} and (?:it's|it is|we|i'll|you|then)|in the (?:event|case) (?:of|that)|(?:weather|time|budget
    health|traffic|schedule|god|helen|legal|finance|circumstances) (?:permitting|allowing|willing)|on one condition
    on (?:the )?condition|with (?:\w+'s|his|her|their|your) (?:blessing|approval|ok|okay|consent)(?=.{0,6}\b(?:it'd
    it would|we'd|i'd|we could|it could))|say the \w+ (?:pass|agree|arrive|sign|come|hold)\w*,? then|the (?:moment
    minute|day|second|instant) (?!of\b)(?:\w+ ){1,3}(?:signs?|agrees?|approves?|says?|gives?|pays?|passes|arrives?
    confirms?)|were (?:it|this|that|he|she|they) (?:up to|to|left)|were \w+ to|otherwise(?=.{0,20}\d)|everything depends
    only (?:if|where)
    """,
    zh=r"""
    如果|(?<![都均需])要是|倘若|若(?!干)|除非|(?<![一二三四五六七八九十])万一|的话|等到?[^，。]{1,12}[就再才后]|前提
    取决于|只有[^，。]{1,16}才|(?:得|要|还得|需)等(?!\W*+(?:(?:上[满足]?|[满足])\s*+)?[\d一二两三四五六七八九十几半])
    得先|待[^，。]{1,8}(?:确认|批准|同意|签字|审批|通过|后|再)|批准后|点头后|一旦|只有\w{1,10}[，, ]*才|得\w{1,8}(?:点头
    同意|批准|签字)(?:了|后|才|再)?|(?:好|同意|签字?|点头|批准|通过|确认)了?才(?!能取)|[得要]\w{1,6}放行(?!了)
    (?:签[字了]|批准|同意|点头|确认|审批|通过|放行|拍板|盖章)(?:了|过)?(?:之后|以后|后)\w{0,8}?[才再](?!次)|[看等](?:他
    她|\w{1,8}?)(?P<v>[一-鿿])[不没](?P=v)|(?:再|又)\w{1,3}(?:一次|一回|一下)\w{0,3}[再才]|来得及才
    [来去到签批定]我们?才[来去到签批定]|(?:来得及|赶得上|有空|有票|有位|谈得拢|方便)(?:的话)?才
    (?<!不用)(?<!不必)等(?!着)\w{1,6}(?:点头|签字|批准|同意|放行)(?!了)|才(?:作数|算数|生效|有效|成立|算|行|成|可以|确定
    定|敢|能定|去|来|改|挪|动|好)(?=\W|$|\d|改|挪)|[过好完到齐成定]了(?:才|再)(?!行|到)|视\w{1,8}(?:情况|而定|进展|结果)
    看\w{1,6}(?:情况|脸色|心情|进展|结果|安排|天气)(?!了)|(?:天气|身体|时间|路况|情况|状态|运气|档期|经费
    条件)(?:\w{0,2}(?:好|允许|许可|够|行|凑巧|合适|OK|ok))\w{0,3}?(?:就|再|才|的话)|以\w{0,8}(?:通知|公告|结果|确认|回复
    合同|批复|意见|答复)为准|(?:有|就)一个条件|得\w{2,4}说了算|看(?:海关|老板|天气|样品|场地|领导|上面|法务|财务|审计
    客户)(?=\W|$)|假定|(?:忙完|脱身|有票|抢到票|请到假|能走开|能脱身|下得了班|下班早|来得及|赶得及)\w{0,2}就
    能\w{1,3}就[去来]|放了才|变卦的话|有空(?:就|再|才)|赶得上就|顺利(?:的话)?(?:就|，)|不加班就|(?:但|不过|可)(?:得|要
    需)(?!记|注|看|带|早|提)\w{1,8}先|[得要须需]\w{1,6}先(?:点头|同意|批|签|说|定|看|过目)|取决于|全看
    (?<![\d一二两三四五六七八九十几])(?<!\d )[只单]等(?!你|您|贵)|要看|得看|否则\w{0,4}(?:不|没)|(?:来得及|赶得上|赶得及
    过审|过会|验收|有余力|有空位|腾得出\w{0,2})(?:了|过)?才|只要\w{1,12}?(?:签|同意|批|点头|确认|通过|到位|答应|松口
    放行|没问题|愿意|表态|不反对|拍板)|只有\w{1,16}?(?:通过|同意|批准|确认|签字?|点头|到位|到货|答应|放行|过了
    好了)了?(?:之?后|时|以后|的时候)?\W*$
    """,
)
# "Not before": the words after it depend on the words before it.
NOT_BEFORE = _words(zh="才(?:会|能|可以|算|行|给|发|送|肯|改|动|有|退|到|付)")
ONLY_IF = _words(
    en=r"only if|unless|only once|provided",
    zh=r"只有|除非|前提",
)
# Forms of a condition in a question, and of a question for what somebody says.
ASKED_IF = _words(
    en=r"if|unless|in case",
    zh=r"如果|要是|的话|万一",
)
ASKED_SAYS = _words(
    en=r"said|says|wrote|promised|last (?:words|thing)|according to|claims",
    zh=r"说[的了过好漏]|原话|怎么说|写的是|最后一句|答应",
)
# What is waited for in a condition that nobody asked under.
CONSENT = _words(
    en=r"agrees?|approves?|approval|signs?|signed|sign-?off|confirms?|says? (?:yes|so)|ok|accepts?",
    zh=r"同意|批准|批|签|点头|确认|通过|允许|答应|准",
)
# Conditions that are courtesy.
IF_HARMLESS = _words(
    en=r"""
    if (?:it|this|that|they|things|sales|people|we) (?:goes?|went|runs?|converts?|sells?|behaves?|turns? out
    holds? up) (?:like|as|the way)|if \w+(?:'s)? (?:\w+ ){0,2}(?:holds?|repeats?|is anything to go by|is a guide)
    if (?:memory serves|i (?:remember|recall)|you(?:'re| are)? (?:need|have|want|wonder\w*|like|wish|prefer|ask|miss|get
    can|could|see|think|don't mind|'d like)|you'd|you|anything(?! goes)|there(?:'s| is| are) (?:any|a problem|an issue
    something|other)|any|that(?:'s| is) (?:a problem|not ok|ok|okay|fine|wrong|alright)|something|possible|not|needed
    necessary|(?:that|this|it) (?:helps|suits|works)|(?:that|this|it) (?:doesn't|does not) (?:work|suit|fit|help|bother
    matter|open|load|show|go through)|i can help|i'm not mistaken|it rains|so|unsure|in doubt|ever)|in case(?=\W*$)
    once (?:again|more)|(?:asks?|asked|asking|wonders?|wondered|knows?|sees?|check(?:ed)?|tells?|told) (?:\w+ )?if
    (?:as )?if \w+ is any guide|if (?:memory serves|i (?:remember|recall))
    """,
    zh=r"""
    (?:你|您|大家|谁)们?(?:要是|如果|若)(?:忙|没空|不方便|有空|方便|需要|想|愿意|觉得|不在)|(?:无需|不需要?|不用|不必
    无须|毋需|别|不要)(?:再|先)?等|过了\w{0,4}(?:只能|得|要)等|除非(?:另|我|有|特殊|下|再)\w*|如果?有(?:任何|什么|其他
    别的|疑问|问题|需要|变|事|不)|如有|如需|有(?:任何)?问题的话|(?:减半|折半|对半|一半|打\w折|平摊|换算|折算|算下来
    加起来|合计)\w{0,2}的话|方便的话|可以的话|如果?方便|万一\w{0,2}(?:没|漏|错过|忘)\w{0,3}|怕\w{0,2}(?:没|漏|错过
    忘)\w{0,3}|要(?:跟|和|对)?\w{0,3}(?:说|讲|通知|告诉)\w{0,2}的话|如果(?:没|～)(?:有|～)*(?:别的|什么|其他)?(?:问题
    意见|变化|事)?(?![\u4e00-\u9fff])
    """,
)
THRESHOLD = re.compile(
    r"(?:exceeds?|above|over|more than|greater than|reach(?:es)?|beyond|passes|hits|tops|crosses|goes (?:above"
    r"|over|past)|超过?|达到|高于"
    r"|大于|过|超出|突破|到)\s*$"
)
# A limit that is not reached is not denied: "we never hit the 0.3 % line".
NOT_REACHED = re.compile(
    r"(?:exceed(?:s|ed)?|above|over|beyond|below|under|beneath|(?:more|greater|lower|less|further) than"
    r"|near|close to|touch(?:es|ed)?|reach(?:es|ed)?"
    r"|hit|pass(?:es|ed)?|cross(?:es|ed)?|top(?:s|ped)?|碰到过?|触及|触到|够到|摸到|达到|超过?|高于|低于|少于|接近|突破|越过)"
    r"(?: the| our)?\s*$"
)
