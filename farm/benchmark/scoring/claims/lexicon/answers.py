"""Yes, no, and neither."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

NO = _words(
    more=r"""
    ^\W*(?:(?:but|so|and|well|ah|oh|hm+|sorry|sadly|alas|unfortunately|honestly|then)\W+)+(?:no|nope|nah)(?=\W*$)
    ^\W*(?:no|nope|nah)\b(?! (?:\S+ ){1,4}(?:needed|required|necessary|asked|missing|anywhere|whatsoever|at all))
    (?:day|\bthat|\bit|\d(?:th|st|nd|rd))\W{1,2}no(?=\W*$)
    \b(?:mon|tues|wednes|thurs|fri|satur|sun)days?:? no(?=\W*$)|[周天日一二三四五六]\s*no\b
    不\s*(?:太\s*)?(?:ok|okay|work)(?![a-z])
    ^\W*not (?:yet|this|now|today|me|for me|really|possible)\b
    ^\W*(?:还)?没有?(?:呢|啊)?\W*$|^\W*(?:否|不|不了|尚未|免了|算了)\W*$|还没有?(?:[，。,.]|$)
    (?:还|尚)[没未](?:有)?(?:人)?(?:跟|和|给|对|向|同)?(?:\w{1,4})?(?:说|讲|提|告诉|通知|知会|告知|联系|开口|打招呼)
    给别人|算了\W*$
    """,
    en=r"""
    not (?:yet )?(?:final|confirmed|approved|agreed|ok|okay|possible|going|coming|yet|true|happening|informed|aware)
    (?:disagree|reject|refuse|decline|veto)\w*|(?:can't|cannot|couldn't)(?! wait)
    (?<!it )won't|(?<=it )won't(?! be (?!possible|happening|ok|okay|fine|me|able|there|done|ready|in time))
    unable|impossible
    (?:has|have) no (?:idea|clue)|knows? nothing|in the dark|(?:say|saying|said) no(?! to)
    (?:is|am|i'm) out|doesn't work|i don't (?:like|agree|approve|want)|unaware|no thanks|no thank you|no good
    hold (?:off|on)|(?<!you )(?<!everyone )(?<!them )(?<!all )on hold
    rewrite|redo|count me out|(?:have|need|going|will have) to pass|i'll pass|pass on
    rather not|not this time|i'm afraid not|regret(?:fully)?|no can do|no way|not going to|thumbs down
    doesn't suit|absent|(?:answer|reply)(?: \w+)? is (?:a |still |clearly )?no\b
    (?:'s| is|it'll be)(?: \w+)? (?:a|my)(?: \w+)? no(?!-| brainer| problem)
    a no from (?:me|us)|no from (?:me|us)|won't be able|out of the running|count(?: \w+)? out
    (?:please|let's|we|i'd|we'd|i) stay with|afraid (?:not|i can't|i won't|we can't)|have to decline
    must decline|please (?:hold|wait)(?! (?:it|one|a|the|my|me|that|this|us)\b)
    hold the (?:flow|move|send|release|line|change)|still looking at|(?:so|but) (?:hold|wait)(?: off| on)
    rain check|not my thing|double-booked|can't commit|thanks, but no|[a-z]{1,12}(?:'s| is) a no
    """,
    zh=r"""
    不(?:太)?(?:行|可以|同意|能|成|批|准|来|去|参加|通过|赞成|干|可|方便|认可|建议|支持|赞同|答应|愿|想|打算|
    考虑|合适)
    [去来到参加赶做走定]不[了鸟]|不[来去]了|来不及|没(?:办?法|空|时间|戏)|拒绝|反对|驳回|否决|免谈|算了吧|作罢|撤回
    不知情|不知晓|不晓得|一无所知|蒙在鼓里|还没定|未定|没同意|有冲突|有安排|有事(?!情?说)|暂缓|先等|先不|重写|重来
    换换|再给.{0,2}版|差点意思|谢绝|婉拒
    恕难|恕不|走不开|抽不开|另请高明|还是别|缺席|算我缺席|去不成|来不成|改天吧|心领了|有约在先|加班|下回|下次吧
    我就算了|免了吧|就免了|省了吧|饶了我|敬谢|恕|没我(?:的)?份|我不凑|不奉陪|失陪|爬不[了动]|走不了|我来不及|凑不上
    悬\W*$|不大可能
    我就算了|不方便|没法[去来]|先不急|不急着|还没\w{0,4}[说讲]|还没(?:通知|告诉)
    """,
)
YES = _words(
    en=r"""
    yes|yep|yeah|ok|sure|agreed?|confirm(?:ed)?|approved?|go ahead|absolutely|of course|done|deal|fine|works|go with
    final|happy to|count me in|i'm in|gladly|i'll (?:be there|come|join|do it|take it)|will do|certainly|definitely
    wouldn't miss|see you there|go for it|signed off|count on me|locked in|all set|love to|no objections?
    i(?:'ll| can| will) make it
    try and stop me|sure thing|yes please|can't wait|can't say no|not only will i|sounds (?:right|fine)|happy with
    (?:don't|can't) see why not|let's (?:do|go|use|take)|works for me|ship it|you're right|i'm with you|your (?:version
    wording|way)(?! or)|fine by me
    """,
    more=r"""
    不反对|(?<![不没未])(?:可以|同意|好的|没问题|确认|确定|批准|通过|赞成|当然|就它了|就这么|定了|算我|一言为定|没意见
    就按)|^\W*(?:行|好|对|是的?|嗯|来|去|到)\b|^\W*(?:行|好|对|是|嗯|来|去)[\W啊呀的吧]*$|^\W*可\W*$|举双手|支持(?!人)
    挺好|^\W*(?:行|好|对|嗯)[，,。！!]|(?:一定|必须?|肯定|准)[来到去]|妥了?|愿意|没毛病|就这样|没有?异议
    没(?:有)?(?:理由|道理)不[来去]|谁说我?不[来去]|求之不得|没说的|怎么能不[去来]|非[去来]不可|不[去来]不行
    有空[,， ]*[来去]|批了|准了|说定了|不见不散|不\w{1,4}才怪|(?<!不)(?:都?听你的|依你的?|随你的?意思办|照你(?:说|写)的
    按你(?:说|写)的|你说得对|你说了算)
    """,
)
# Answers that are one sign.
NO_SIGNS = re.compile("[🙅❌🚫👎✖]")
YES_SIGNS = re.compile("[👍👌🙆✅💯]")
# An indirect no.
BUSY = _words(
    en=r"busy|tied up|double-booked|elsewhere|at home",
    zh=r"走不开|抽不开|约了别?人|留给(?!我|咱)|(?<!别)(?<!不)给别人",
)
# Chinese words that contain the character of an act in question but mean something else.
COMPOUND = re.compile(r"[看收听找想遇感说得达]到|知道|[起出下过本看回]来|来着|来说|过去|出去|回去|去年")
# The writer is undecided.
UNDECIDED = _words(
    en=r"""
    (?:must|needs? to|has to|have to) \w+ first|(?:haven't|have not|not) (?:yet )?(?:decided|made up)|let me think
    depends? (?:on|whether)|unless|then (?:it's |it is )?(?:yes|no)(?=\W|$)
    """,
    zh=r"""
    [看等]\w{1,8}?(?P<v>[一-鿿])[不没](?P=v)|得先|要先|想?先(?:听听|问问|问一下|商量|看看)\w{0,8}(?:意思|意见|看法
    怎么说)|(?:还没|没)(?:有)?(?:决定|想好|拿定|表态)|再想想|你?再等我?一下|我(?:还|也)?没(?:有)?(?:看|说)(?=\W|$)
    持?保留意见|弃权
    """,
)
# Whose words they are, where they are not somebody else's.
OWN_PERSON = _words(
    en=r"i|we|i'm|we're|i'd|i'll|you|you've|your",
    zh=r"我|咱|你|您",
)
