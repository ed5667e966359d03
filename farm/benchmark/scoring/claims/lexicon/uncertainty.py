"""Words that express doubt, ask, or offer an alternative."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lazy import LazyPattern as _Lazy
from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

HEDGE = _words(
    en=r"""
    maybe|perhaps|possibly|probably|presumably|might|may (?:well )?be(?! \w+ (?:from|as of|as from|starting)\b)
    could (?:well |also )?be|not (?:quite |really |entirely |completely |totally |so |100 ?% |yet )?sure
    unsure|(?<!has )no idea|not certain|don't (?:know|remember|recall|quote me)|can't (?:remember|recall|say for sure
    promise|guarantee|confirm)|couldn't (?:confirm|verify)|unclear|have to (?:double-?)?check|to be (?:confirmed|decided
    determined)|tbc|depends(?: on)?|we'll see|let you know|would be (?:nice|great|lovely|ideal)(?! to (?:see|have|meet))
    in an ideal world|(?:only|good|fine|great|nice) on paper|pencill?ed in|subject to|hard to say|only an idea
    if memory serves|if i (?:remember|recall)(?: correctly| right| rightly)?|i (?:vaguely )?(?:think|suppose|believe
    assume|imagine|reckon|suspect|fancy)(?! (?:we're all set|that's all))|i (?:do )?hope|fingers crossed|i'd (?:say
    guess|bet)|my guess|or (?:so|something|thereabouts)|(?:is|are|was|were) (?:the |our |a |only )*(?:target|goal|aim
    ambition|wish)e?s?|something like|looks? like|seems?(?: to be| like)?|hoping for|not (?:yet )?(?:confirmed|settled
    decided|fixed|final(?:i[sz]ed)?|set in stone|official)|still (?:open|pending|checking|discussing|under discussion
    up in the air)|up in the air|proposed|likely|don't hold me to|as far as i (?:remember|recall)|may change
    might change|may still|(?:haven't|have not|didn't|hasn't been|not) (?:yet )?(?:checked|verified|double-checked
    been able to)|couldn't find|(?:reckons?|figures?|guess\w{0,20}) (?:it|that|so)|(?:a )?(?:pinch|grain) of salt
    in my head|(?:i|we|i'm|am|just|only)(?: \w+)? guess(?:ing)?|(?:only|just) a guess|wish|remains to be seen|(?:have
    has) yet to|i doubt|doubt (?:that|it|whether)|supposed to be|double-check|you'd think|i thought|thought it was
    who knows|i wouldn't (?:bet|bank|count)|hold off|stand by|(?:i|we|they|he|she)(?:'d| would) (?:love|like
    prefer)(?! (?:to|you))|don't rely on|(?:let me|i'll|i will|i'd better|need to|have to|want to) (?:sleep on|mull
    chew on|ponder|weigh|think (?:it |this |that )?over)|sounds? (?:plausible|feasible|doable|possible|reasonable(?=,))
    may (?:want|like|prefer|need|choose|opt|ask)|(?:nothing|none of (?:it|this|that)) (?:is|has been
    was) (?:yet )?(?:fixed|settled|decided|final|agreed|confirmed|certain|set|signed)|not in the (?:calendar|system
    diary) yet|to be seen|(?:is|was|just|only|be) (?:a|my) (?:\w+ )?guess|my bet|the (?:goal|target|aim|hope) is
    still looking at|(?:i'm|am|are|we're|be|feel) (?:rather |very )?inclined|lean(?:ing|s)? (?:to|towards?)|chances are
    tbc|(?:may|might|could) (?:want|prefer|like)|give or take|in all (?:likelihood|probability)|(?:have|had|got
    it's) a (?:hunch|feeling|sneaking|vague)|my money(?:'s| is) on|(?:would|could|might) be an? (?:\w+ )?(?:option|idea
    possibility|candidate|choice|solution)|could (?:work|do|fit)|(?:i'll|i will|we'll|will|i'd
    i) (?:\w+ )?try(?: to| my best
    ing)?(?! it)|-?ish|i gather|expect(?:ed|ing)? (?:to|it)|all but|pretty (?:sure|certain|confident)|90 ?%|plausibl[ey]
    ought to be|don't (?:hold|pin|nail) me|no promises|placeholder|(?:looks?|feels?|sounds?
    strikes me as) (?:about right|good so far|promising|plausible|likely|doable|feasible|possible)|(?:current|working
    present|latest) (?:thinking|idea|assumption|hypothesis|theory)|i could imagine|what i (?:have|had) in mind|let's say
    at a guess|and see(?=\W*$)|it's between|as (?:it|things) (?:looks?|stands?) now|as it looks
    """,
    zh=r"""
    可能(?!性)|也许|兴许|大概也许|好像|似乎|貌似|说不定|不一定|不确定|不清楚|不太?确定|记不清|忘了(?!吧)|我猜|瞎猜|没准
    暂定|看情况|再想想|再说吧|再看看|再确认|再问问|待定|待确认|拿不准|说不准|估计|恐怕|应该是[^，。]{0,60}吧|大概是
    大概就?在|十有八九|多半|印象[里中]|没记错|想来|不敢(?:肯定|保证|确定|说|打包票)|不能?保证|(?:不知道|不晓得|说不清
    分不清|搞不清)(?:是|到底|究竟|该|算)?[^，。,]{0,14}?还是|不好说|还没(?:有)?(?:最后|最终|完全)?(?:敲定|定|确认|确定
    落实)|没(?:最后|最终)?敲定|争取|但愿|打算|拟|我倾向于?|备选(?!的?[这那]?一?[户家位])
    不保证|没把握|没底|吧[，, ]*(?:我|不)|没(?:有人?
    人)?(?:核实|核对|查证|证实)|应该(?=[\s,，。.!！?？;；)）]|$)|别拿这个(?:去)?说|猜的(?=\s*(?:[,，。.!！；;)）]|$|而已
    吧|啊))|我?(?:还没|没)(?:有)?(?:决定|想好|拿定主意|看完)|我(?:还|也)?没(?:有)?看(?=\W|$)|八字还?没一撇|先这么写
    回头再(?:改|说|定)|没拍板|没人点头|草案|草稿|还得看|得看|要看(?!看)|不排除|尽量|听起来|八九不离十|我估摸|(?:容
    让)我(?:再)?(?:想|考虑|琢磨|斟酌|掂量)|还在(?:谈|商量|讨论|协调|等)|我(?:还|原|一直)?以为|(?:还)?没(?:有)?(?:答应
    松口|点头|签字|表态|回复|吭声|放行|松动)|等(?:消息|通知|信儿|回音|回复)|另行通知|是(?:目标|指标|愿望
    期望值?)(?=\W*$)|候补|另排|另议|没戏|没影|理想情况|没谱|不靠谱|原则上|大差不差|大概(?=同意|可以|行|没问题|能|会|就
    [是在]?\W*\d)|大概\W*$|约莫|按说|估摸|说不好|说不定|说不准|没数|没谱|摇摆|犹豫|(?<![别不用必再])纠结
    (?<![的意你您])倾向于?|偏向|暂且|暂时(?![没不与和跟走先])|先这样|先按|先占|来不来再说|不敢打包票|目前的?(?:想法|打算
    设想|思路|看法)|大体(?:如此|上|就)|没有?百分(?:之)?百|没有?(?:十足|绝对)?(?:的)?把握|心里(?:打鼓|没底|发虚)|打鼓
    先这么定着|回头再|暂且|看着办|到时候再说|再看吧|(?<!不)也许|没准|应该(?=没错|没问题|不会|就是|会|能|吧)|似乎|不太敢
    记不太|记得(?:好像|大概|似乎)|没查|没去查|没细看|没仔细|随口
    """,
)
HEDGED_AFTER = _words(
    en=r"guess(?:es|ed|ing)?|mistaken\w*|thought",
    zh=r"猜(?!错|的是|旧|到|价)|以为",
)
# Somebody asks for, or guesses, what stands behind.
ASKS = _words(
    en=r"asks?|asked|asking",
    zh=r"(?<!不用)(?<!再)(?<!疑)问(?!题|候)",
)
BA = _Lazy(r"(?:是|应该|大概|估计)[^，。]{0,20}吧\W*$")
ASKING = _Lazy(
    r"(?:吗|(?:[是对好行有没了到来去能]|可以)么|来着|是不是|对不对|好不好|行不行|是否)[\s\"”』」)]*$|\?[\s\"')”]*$"
)
ASKING_INSIDE = _words(
    en=r"whether|could you (?:confirm|check|tell)|is it (?:true|right|correct) that",
    zh=r"是不是|是否|请问|问一下|能不能|行不行|对不对|(?:要不要|(?P<act>[一-鿿])不(?P=act)(?!而))(?![^。！？?\n]{0,30}才(?:能)?(?:知道|定))",
)
# A request in the form of a question: the text to pass on is asserted.
REQUEST = _Lazy(
    r"^\W*(?:please |pls |todo:? )?(?:ask|find out|check with|enquire|inquire|collect|gather)\b(?! (?:me|us)\b)"
    r"|^\W*(?:去|请|帮忙|替\w{1,3})?(?:问(?!题)|打听|征求|请教|收集)"
    r"|\b(?:could|can|would|will) you (?:please |kindly )?(?:pass (?:it |this )?on|tell (?!me\b|us\b)"
    r"|let (?!me\b|us\b)|forward|note|spread|put|write|add"
    r"|remind|mark|save|hold|block|(?:reply|answer|respond|write back)(?! (?:if|whether|when))"
    r"|get back to (?!me\b|us\b)|set (?:it|them|this|that) (?:straight|right)"
    r"|correct (?!me\b)|post (?:it|this|that)|mind (?:telling|passing|letting|noting|adding|replying|answering))"
    r"|(?:能|可以|麻烦)(?:不能|你|您|帮我|帮忙|请){0,6}(?:转告|通知|跟\w{1,6}说|告诉(?!我)|记一下|写上|加上|改成|挪到|改到)"
    r"|[你您](?:去|来|帮忙|帮我)?(?:回|答|发|说|纠正|更正|澄清)(?:她|他|一下|一句|一声|个话|下)"
    r"|[你您]去?(?:回|说|改|补|提|发|记)一?[句下声条](?=[^\w]*$)|^\W*ask \w+(?: \w+)?\s*:"
)
# What the request asks for: an estimate, or that somebody is asked for something.
ASKED_ESTIMATE = re.compile(r"\b(?:estimate|reckon|think|guess|about how)|估|大概|大约|觉得|预计|四舍五入|取整|round")
ESTIMATES = re.compile(r"\b(?:estimat(?:es?|ed)|reckons?|thinks?|about|roughly)\b|估[计算]?|大概|大约|左右|预计|觉得")
# One of those named, whichever.
ONE_OF = _words(
    en=r"take your pick|whichever",
    zh=r"二者之一|二选一|你选",
)
OR_OPENS = _Lazy(
    r"^[^\w～]*(?:or\b(?! (?:so|later|earlier|more|less|else|rather"
    r"|(?:just )?(?:call|ping|text|ask|write|message|shout))\b| \w+(?: \w+)? (?:will|won't|gets?|pays?)\b)"
    r"|或者|要么|不然|否则|alternatively\b)"
)
OR = _words(
    en=r"or|either|versus",
    zh=r"或者?|要么|二者之一",
)
