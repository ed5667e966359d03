"""Words that mark a value as former, and words for its change to the current one."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

FORMER = _words(
    en=r"""
    (?:was|were)(?= from an? earlier| too early)|used to be|first (?:quoted|named|put|stated|given|posted)(?= (?:as|at
    with)\b)|(?:started|began) (?:out )?(?:at|with|from)|previous(?:ly)?|former(?:ly)?|original(?:ly)?|old|had been
    at first|back then|until now|(?:first|earliest|early|starting) (?:figure|number|guess|price|quote|count|estimate
    value|reading|rate)|no longer|last (?:year|month|week|time|round)'?s?|before (?:it was|that(?! \w+ (?:the|it|your
    that|this|and)\b))|(?:would|should|could) have been|in the beginning|(?:we|i|they|he|she) (?:said|wrote|announced
    told|promised|planned)(?= .{1,30}\bfirst\b)|(?:moved|shifted|taken|away) off|when (?:it|this|that
    the \w+) (?:started|began|opened)|(?:at|from) (?:its|the) start|on (?:the|its) first (?:day|hour)
    was(?= [^,;]{1,40}\b(?:till|until)\b)|had(?= [^,;]{1,60}\bbefore\b)|(?:'d|had) (?:agreed|pencilled|hoped|settled
    aimed|booked|planned)(?= (?:on|for|to|with)|\W|$)|(?:was|were) (?:all )?(?:set|headed|on course|on track|bound) for
    'd pencilled|back when|at one (?:point|time)|for (?:an?|one|two|a few|some) (?:hour|day|week|while|moment|minute
    night)s?(?=.{1,40}\b(?:was|were|had)\b)|(?:i|we|he|she|they) (?:did|used to) (?:prefer|like|want|plan|say|agree
    approve|favou?r)|'d have (?:been|liked|loved|preferred|said|agreed|taken)|once offered|once (?:planned|promised|said
    agreed|wanted)|(?:was|were) (?:going|about|meant|supposed|planning|hoping) to|had (?:planned|meant|wanted|hoped) to
    nearly (?:had|got|moved|went|made)|(?:in|on) (?:the|our|my|your) (?:first|old|earlier|previous
    original) (?:invitation|invite|plan|list|sheet|version|draft|mail|email|post|message|answer|guide|map)|(?:my|our|his
    her|their|your) (?:earlier|previous|first|old|last) (?:answer|reply|plan|word|post|version|message) (?:was|were
    said)|as of (?:january|february|last (?:year|month|quarter))|in (?:january|february|december|november|october|autumn
    winter|last \w+)(?= .{0,40}\b(?:was|were|had|stood)\b)|did have|(?<!is )(?<!are )(?<!'s )meant to (?:come|go|ask|be
    take|have)|before the (?:price )?(?:rise|hike|cut|drop|reform|change)|once(?=\W*$)|two \w+ ago|until (?:yesterday
    last \w+|recently|this morning|lately|january|february|the \w+ came)|up (?:to|until) (?:yesterday|last \w+|recently
    now|this morning|then|friday|monday)|in (?:those|the old|former|earlier|the good old) (?:days|times)
    back in (?:the day|those days|january|february|the \w+)|no sooner had|(?:in|under|by|with|on) the (?:old|previous
    former|last|first|earlier) (?:\w+ )?(?:handbook|rules?|plan|guide|version|regime|management|price list|policy
    contract|scheme|system|calendar|schedule)|before (?:the|our|its|their|helen's|his|her) (?:cut|change|move|rise
    switch|update|increase|decrease|raise|reform|revision|merger|relaunch|redesign|correction|recount|audit|crisis
    vote)s?(?=\W|$|.{0,12}\b(?:was|were|had|it)\b)|used to (?:\w+ )?(?:be|stop|run|say|have|cost|pay|sit|stand|meet
    start|mean|apply|get|come|go|want|like|use|take|charge|ask)|(?:had|'d) (?:\w+ )?(?:wanted|asked|told|thought|said
    intended|expected|wished|preferred|liked|chosen|picked|decided|set|fixed|placed|scheduled|arranged|planned|named
    promised|offered)|(?:was|were) (?:our|my|his|her|their|the) (?:\w+ )?(?:first|initial|original|old|earlier
    early) (?:\w+ )?(?:idea|plan|thought|choice|date|wish|proposal|intention|target|offer)|(?:was|were) (?:originally
    initially|first|once|formerly|previously|slated|scheduled|earmarked|tipped|supposed|intended)|(?:was
    were) (?:\w+ ){0,3}(?:at first|back then|in those days|before that|until|till)|years ago|weeks ago|time was when
    would have (?:gone|moved|met|started|taken|had|come|seen|got|paid|stopped|run|used|liked|loved|preferred|kept|saved)
    """,
    zh=r"""
    (?:原来|原本|原先|本来|原想|本想|最初|起初|当初|开始|之前|早先|先前|差点(?:就|儿)?|险些)\w{0,8}?(?:要|想|是|打算|说
    就|准备|该)?[改换挪搬移调](?:到|成|为|在)|险些|早几天|(?<!不)老早(?=[就说定])
    (?<=[价版整改砍并搬涨降调换迁编动线])(?:之|以)?前(?=\w{0,3}是)|第[一二]版(?!的?话|起)|老(?:手册|规矩|版本|方案|计划
    日程|口径|安排|指南|价)|旧(?:手册|规)|改(?:版|价|组|期|革|动)(?:之|以)?前|涨价前|调整前|早前|先前|以往|先头|一度
    前[一两几]天(?=.{0,4}[还想说是定])|上一封|头一[版回次封]|(?:一|二|三|四|五|六|七|八|九|十|十一|十二)月份?那时|上次的
    (?:调整|改动|变动|涨价|降价|修改|改版|搬家)(?:之|以)?前|当年|彼时|有过|去年底?|年初(?=[还是定])|原来|以前|先前|原定
    原先|(?<![按照跟同和])原计划|原本|本来|旧|曾|当初|起初|最初|最早(?=[是定说])|早先|上一版|头一版|上次(?=[是定说的])
    去年|一开始|开头(?=[是定说])|上个?(?:月|周|季度|星期|礼拜|回)(?=[是还定])
    (?<![点日号天年月周半分钟\d])之前(?=[是写定说的在报发讲约订通记放算当一都还就本倒])|刚开始|开始(?:时|那天|的时候)
    旧版|老版|(?<![按照跟同和])原(?:方案|设想|计划|安排|版本|版|稿|打算|想法|定价|议程|口径|报价
    价(?!值))|(?:那会儿|那时候?|那阵子?|当时)(?=[还说定写报讲约想])|(?<=[条篇个位盏台天])之前(?=\s*\d)|原想|昨天还|上周还|本想|差点(?:就|儿)?|一度
    """,
)
# Adjectives, whose scope is only the next value: "the old price of 599".
FORMER_OF = re.compile(r"old|previous|former|original|initial|旧|老的|last \w+'?s?")
WAS = _words(en="was|were")
NOW = _words(
    en=r"""
    now|instead|but|mov\w+|current(?:ly)?|at present|today|newest|latest|most recent(?:ly)?
    """,
    zh="现在|如今|目前|现|最新|最近",
)
OUTDATED = _words(
    zh=r"曾经?是|(?:以前|去年|之前|上次|上回)用过|以前是我们",
    more=r"""
    (?:是|为|属于)旧|(?:已经?|都|更|太|就|早|数|这个?|那个?)旧(?:了|\W|$)|旧[价数值][^\w]*$|过时(?![不请罚要得者])|过期
    老黄历|是(?:头一[回次版]|第一[版次]|调整前|改动前|涨价前|降价前|先前|早先)\w{0,3}\W*$|是以前|是之前|是上一版|是去年
    """,
    en=r"""
    outdated|out of date|superseded|(?:was|were) (?:from an? earlier|too early|last \w+|the (?:old|first|previous|former
    original)\b)|(?:is|was) (?:the |an? )?(?:old|former|previous|earlier|original|stale)|is (?:dead|gone|history
    obsolete|off the table)|no longer (?:valid|applies|current|holds)|(?:first|originally|initially
    previously) (?:quoted|named|said|given|told|mentioned|stated|posted|noted|written)|(?:named|quoted|said|given
    mentioned|stated|posted|written) (?:first|originally|initially|before|earlier)|(?:is|was|are
    were) the (?:\w+ )?(?:from )?before|from before (?:that|the|it)|(?:was|were) (?:the plan|our plan|the idea|planned
    what (?:we|i|you|they) (?:said|told|had|planned|wrote)\b)|(?:in|of|from|on) the (?:old|first|earlier|previous
    original) (?:plan|version|draft|schedule|list|sheet|email|mail|invite)|(?:was|were) (?:the |our |my |his |
    her |their |an? )?(?:\w+ )?(?:estimate|guess|proposal|draft|arrangement|intention|hope|wish|ambition)\b
    would have been (?:fine|nice|good|great|ok|okay|perfect|lovely)|used to (?:be|have|do|work|say|stand|apply|hold)
    was a (?:kind|nice|good) (?:offer|idea|thought|plan)|(?:was|were) once
    """,
)
MOVING = _words(
    en=r"""
    mov(?:e|es|ed|ing)|shift\w*|postpone\w*|chang\w*|drop\w*|lower\w*|went|go(?:es)?|rais\w*|bring\w*|brought|switch\w*
    cut|reduc\w*|reschedul\w*|push\w*|swap\w*|turn\w*|updat\w*|correct\w*|down|up
    """,
    zh=r"改|挪|移|降|升|调|推迟|提前|顺延|延|换|变|减|增|涨|搬|更新|更正",
)
MOVED_FROM = _words(
    en=r"""
    (?:moved|moving|changed|shifted|brought forward|rescheduled|up|down|switched|swapped|
    postponed)(?: over)? from(?: the)?
    """
)
FROM = re.compile(r"(?:\bfrom(?: \w+'s?)?|从|由|自|把|将)(?: the)?$|(?:从|由|自)[a-z\d.\u4e00-\u9fff]{1,4}$")
TOWARDS = re.compile(r"\b(?:to|into)\b|到|→|->|=>|为|成|至")
