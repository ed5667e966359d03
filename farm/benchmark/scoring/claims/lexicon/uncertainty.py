"""Words that express doubt, ask, or offer an alternative."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import PREFILTER as _PREFILTER
from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# Of whom a hedge speaks that is about none of what was said.
OTHERS = re.compile(
    r"^\W*(?:(?:all |the )?others?|the rest|(?:everything|everyone|anything) else|the remaining|remaining"
    r"|其[他它余]|剩下|剩余|别的|另外的?|余下)"
)
HEDGE = _words(
    en=r"""
    maybe|perhaps|possibly|probably|presumably|conceivably|potentially|might
    may (?:well )?be(?! \w+ (?:from|as of|as from|starting)\b)
    could (?:well |also )?be|should (?:probably|hopefully) be
    not (?:quite |really |entirely |completely |totally |so |100 ?% |yet )?sure|unsure|uncertain|(?<!has )no idea
    not certain|don't (?:know|remember|recall|quote me)
    can't (?:remember|recall|say for sure|promise|guarantee|confirm)|couldn't (?:confirm|verify)
    cannot (?:confirm|promise|guarantee)|not yet clear|unclear|have to (?:double-?)?check
    need to (?:double-?)?check|(?:must|should|will|'ll) (?:double-?)?check first
    to be (?:confirmed|decided|determined)|tbc|tbd|tba|depends(?: on)?|we'll see|let you know
    would be (?:nice|great|lovely|ideal)(?! to (?:see|have|meet))|in an ideal world|ideally|in theory
    (?:only|good|fine|great|nice) on paper
    pencill?ed in|tentative(?:ly)?|subject to|hard to say|only an idea
    if memory serves|if i (?:remember|recall)(?: correctly| right| rightly)?
    i (?:vaguely )?(?:think|suppose|believe|assume|imagine|reckon|suspect|fancy)(?! (?:we're all set|that's all))
    i (?:do )?hope|hopefully|fingers crossed|i'd (?:say|guess|bet)|my guess|best guess|wild guess|ballpark
    or (?:so|something|thereabouts)|(?:is|are|was|were) (?:the |our |a |only )*(?:target|goal|aim|ambition|wish)e?s?
    something like|looks? like|seems?(?: to be| like)?|appears? to|hoping for
    hope for|shooting for
    not (?:yet )?(?:confirmed|settled|decided|fixed|final(?:i[sz]ed)?|set in stone|official)
    (?:still|yet) to be (?:confirmed|decided)
    still (?:open|pending|checking|discussing|under discussion|up in the air)|up in the air|proposal|proposed
    suggestion|provisional(?:ly)?|likely|roughly around|don't hold me to|take (?:it|this|that) with a grain
    without guarantee|no guarantee|as far as i (?:remember|recall)|could end up|may change|might change
    may still
    (?:haven't|have not|didn't|hasn't been|not) (?:yet )?(?:checked|verified|double-checked|been able to)
    couldn't find|(?:reckons?|figures?|guess\w{0,20}) (?:it|that|so)|(?:a )?(?:pinch|grain) of salt|in my head
    from memory|off the top of my head|(?:i|we|i'm|am|just|only)(?: \w+)? guess(?:ing)?|(?:only|just) a guess
    wish|remains to be seen|(?:have|has) yet to|i doubt|we doubt|doubt (?:that|it|whether)|supposed to be
    double-check|you'd think|i thought|thought it was|or not|who knows|not holding my breath|touch wood
    knock on wood|god willing|if all goes well|with (?:a bit of|any) luck|i wouldn't (?:bet|bank|count)
    far from certain|anyone's guess|open question|jury is out|under review|in talks|being discussed|hold off
    stand by|(?:i|we|they|he|she)(?:'d| would) (?:love|like|prefer)(?! (?:to|you))|don't rely on
    (?:let me|i'll|i will|i'd better|need to|have to|want to) (?:sleep on|mull|chew on|ponder|weigh|
    think (?:it |this |that )?over)
    give me (?:a|an|some|the) (?:day|night|hour|moment|minute|bit|time|evening|weekend)s? (?:to|for)
    sounds? (?:plausible|feasible|doable|possible|reasonable(?=,))|may (?:want|like|prefer|need|choose|opt|ask)
    (?:nothing|none of (?:it|this|that)) (?:is|has been|was) (?:yet )?(?:fixed|settled|decided|final|agreed|
    confirmed|certain|set|signed)
    not in the (?:calendar|system|diary) yet|waiting to hear|no word yet|to be seen
    (?:is|was|just|only|be) (?:a|my) (?:\w+ )?guess|my bet|the (?:goal|target|aim|hope) is
    our (?:goal|target|aim|hope)|still looking at|(?:i'm|am|are|we're|be|feel) (?:rather |very )?inclined|lean(?:ing
    s)? (?:to|towards?)|chances are|odds are
    tbd|tbc|(?:may|might|could) (?:want|prefer|like)|give or take
    in all (?:likelihood|probability)|(?:have|had|got|it's) a (?:hunch|feeling|sneaking|vague)
    gut (?:feeling|says|tells)|my money(?:'s| is) on|i'd put money
    (?:would|could|might) be an? (?:\w+ )?(?:option|idea|possibility|candidate|choice|solution)|could (?:work|do
    fit)|(?:i'll|i will|we'll|will|i'd|i) (?:\w+ )?try(?: to| my best|ing)?(?! it)|do my best
    more or less|sort of|kind of|-?ish|i gather|i expect|expect(?:ed|ing)? (?:to|it)|in principle|by and large
    on balance|as good as|all but|virtually|almost certain\w*|nearly certain|fairly (?:sure|certain|confident)
    pretty (?:sure|certain|confident)|reasonably (?:sure|certain)
    90 ?%|99 ?%|fifty-fifty|50[/-]50|touch and go|plausibl[ey]|feasibl[ey]|bound to be|ought to be|must be(?= \d|$)
    would seem|would appear|one assumes|one hopes|to the best of my|for all i know|as far as i (?:know|can tell
    can see)
    unless i(?:'ve| have) (?:mis\w+|got)|correct me|don't (?:hold|pin|nail) me|without (?:prejudice|obligation)
    no promises|for what it's worth|working assumption|placeholder|rough(?:ly)?(?= (?:guess|idea|plan|figure))
    (?:looks?|feels?|sounds?|strikes me as) (?:about right|good so far|promising|plausible|likely|doable|feasible
    possible)|(?:current|working|present|latest) (?:thinking|idea|assumption|hypothesis|theory)|i could imagine
    what i (?:have|had) in mind|let's say|at a guess|and see(?=\W*$)|it's between|as (?:it|things) (?:looks?
    stands?) now|as it looks
    still (?:being|in) (?:discussed|negotiated|worked|flux|play)|i'm not (?:100|a hundred)|can't swear
    wouldn't swear|toying with|contemplating|flirting with|mulling
    """,
    zh=r"""
    可能(?!性)|也许|或许|兴许|大概也许|好像|似乎|貌似|仿佛|说不定|不一定|不确定|不清楚|不太?确定|不大确定
    不太清楚|记不清|记不得|不记得|忘了(?!吧)|我猜|瞎猜|没准|暂定|暂时(?:定|是)|初步|看情况|再想想|再说吧|再看看
    再确认|再核实|再问问|要查一下|得查一下|待定|待确认|待核实|拿不准|说不准|估计|大约是|恐怕|应该是[^，。]{0,60}吧
    大概是|大概就?在|八成|十有八九|多半|差不多是|印象[里中]|没记错|记得没错|印象是|我感觉|感觉是
    我觉得(?:应该|大概|可能|是)|我想应该|想来|怕是|保不准|不敢(?:肯定|保证|确定|说|打包票)|不能?保证|难说|两说
    (?:不知道|不晓得|说不清|分不清|搞不清)(?:是|到底|究竟|该|算)?[^，。,]{0,14}?还是|不好说|有待|未定
    还没(?:有)?(?:最后|最终|完全)?(?:敲定|定|确认|确定|落实)
    尚未(?:最终)?(?:敲定|确认|确定|落实)|没(?:最后|最终)?敲定|争取|希望是|但愿|打算|拟|预计可能|我建议|我倾向于?
    备选|仅供参考|不保证|没把握|没底|不太?肯定|不大肯定|吃不准|姑且|吧[，, ]*(?:我|不)
    没(?:有人?|人)?(?:核实|核对|查证|证实)|未经(?:核实|证实)|应该(?=[\s,，。.!！?？;；)）]|$)|心算的|凭记忆|凭印象
    别拿这个(?:去)?说
    再算一?[遍下]|还得再?算|猜的(?=\s*(?:[,，。.!！；;)）]|$|而已|吧|啊))
    我?(?:还没|没)(?:有)?(?:决定|想好|拿定主意|看完)|我(?:还|也)?没(?:有)?看(?=\W|$)|八字还?没一撇|先这么写
    回头再(?:改|说|定)|没拍板|没人点头|草案|草稿|还得看|得看|要看(?!看)|悬着|没准儿|走一步看一步|碰碰运气|不排除
    有望|尽量|力争|看样子|看起来|听起来|多少有点|八九不离十|差不离|大致|我寻思|我琢磨|我估摸|没定论|没个准
    (?:容|让)我(?:再)?(?:想|考虑|琢磨|斟酌|掂量)
    (?:我|先)?(?:再)?(?:考虑|琢磨|斟酌|掂量)(?:考虑|琢磨|斟酌|掂量|一下|一晚|两天)
    没最终|还在(?:谈|商量|讨论|协调|等)|我(?:还|原|一直)?以为
    (?:还)?没(?:有)?(?:答应|松口|点头|签字|表态|回复|吭声|放行|松动)|等(?:消息|通知|信儿|回音|回复)|另行通知
    是(?:目标|指标|愿望|期望值?)(?=\W*$)|候补|备胎
    另排|另议|八成不|没戏|没影|指标是|理想情况|没谱|不靠谱
    原则上|理论上|大差不差|大概(?=同意|可以|行|没问题|能|会|就|[是在]?\W*\d)|大概\W*$|大约莫|约摸|约莫|想必|料想|按理|照理|按说|照说|估摸|揣测|推测|推断|预感|直觉|感觉(?=是|就|会|要|应)|盲猜|浅猜
    说不好|说不定|说不准|讲不好|没数|没谱|心里没|拿捏不|摸不准|摇摆|犹豫|(?<![别不用必再])纠结|考虑(?:中|改|换|用|把|放)|在想|琢磨着|(?<![的意你您])倾向于?|偏向|暂且|暂先|暂时(?![没不与和跟走先])|先这样|先按|姑且|先占|先报|来不来再说|去不去再说|不敢打包票|不打包票|没十足|没百分|不百分|差不多(?=就|是|定|可以)|基本(?:上)?(?=确定|定|可以|同意|就|是|没)
    目前的?(?:想法|打算|设想|思路|看法)|大体(?:如此|上|就)|大抵|没有?百分(?:之)?百|没有?(?:十足|绝对)?(?:的)?把握|心里(?:打鼓|没底|发虚)|打鼓|先这么定着|回头再|暂且|摸棱|两可|一半一半|五五开|看着办|到时候再说|再看吧|届时再
    (?<!不)也许|搞不好|弄不好|指不定|备不住|没准|或者吧|应该(?=没错|没问题|不会|就是|会|能|吧)|似乎|看似|疑似|不太敢|记不太|记得(?:好像|大概|似乎)|没查|没去查|未查|没细看|没仔细|凭感觉|蒙的|瞎蒙|随口|随便说|信口
    """,
)
# Denies what follows, and what stands before stands: "10:30 (no, not 11:30)".
NOT_THE_OTHER = re.compile(r"\W*(?:not\b|don't\b|never\b|不是|并非|别|不要|而非)")
# Continues a denial.
ALSO_NOT = re.compile(r"\W*(?:or|nor|and|also|neither|也|和|或|以及|还有)")
# A target is not a doubt if the question asks for the target: "which day should it be there?".
TARGET = _words(
    en=r"""
    (?:the|our|their|its) (?:goal|target|aim|hope|plan)(?: is)?|fingers crossed|hopefully|(?:we|they) hope
    hoping for|shooting for|aim(?:ed|ing) (?:at|for)|targeted|supposed to be|likely|tentative(?:ly)?|expected|should
    """,
    zh=r"目标是?|指标是|预计可能|预计|争取|力争|有望|拟|打算|计划|尽量",
)
ASKED_TARGET = _words(
    en=r"should (?:(?:it|they|this|that) )?(?:be|have|arrive|come|go|reach|land|hit)|supposed to|targets?"
    r"|expected|planned",
    zh=r"目标|预计|计划(?![书表])|打算",
)
HEDGED_AFTER = _words(
    en=r"guess(?:es|ed|ing)?|mistaken\w*|thought|assumed",
    zh=r"""
    猜(?!错|的是|旧|到|价)|以为|误以为
    """,
)
# Somebody asks for, or guesses, what stands behind.
ASKS = _words(en=r"asks?|asked|asking|wonders?|wondered|inquires?", zh=r"(?<!不用)(?<!再)(?<!疑)问(?!题|候)|询问|打听")
# An approximate day or hour.
ROUGHLY_BEFORE = re.compile(
    r"(?:\b(?:around|roughly|approximately|circa|sometime (?:on|around)|somewhere around)|大概|大约|约莫|约)\s*+"
    r"(?:(?:在|是|the)\s*+)?$"
)
# "Half an hour earlier than 10:30", "比10:30早半小时".
COMPARED_TO = re.compile(
    r"(?:hours?|minutes?|mins?|days?|weeks?) (?:earlier|later|sooner|before|after) than(?: the)?\s*$"
    r"|比(?:原来的?|原定的?)?\s*$"
)
ROUGHLY_AFTER = re.compile(r"^\s*(?:or so\b|or thereabouts|-?ish\b|左右|上下|前后(?!都))")
BA = _PREFILTER.words(r"(?:是|应该|大概|估计)[^，。]{0,20}吧\W*$")
ASKING = _PREFILTER.words(
    r"(?:吗|(?:[是对好行有没了到来去能]|可以)么|来着|是不是|对不对|好不好|行不行|是否)[\s\"”』」)]*$|\?[\s\"')”]*$"
)
ASKING_INSIDE = _words(
    en=r"""
    whether|i wonder|(?:i'm|am|was|just) wondering|wondering (?:if|whether)|can you (?:confirm|check|tell)
    could you (?:confirm|check|tell)|please (?:confirm|check)|can anyone|does anyone
    is it (?:true|right|correct) that
    """,
    zh=r"""
    是不是|是否|请问|想问|问一下|能不能|能否|可否|可不可以|行不行|好不好|对不对|要不要|有没有|求问|请确认
    麻烦确认|帮忙确认|确认一下是|(?P<act>[一-鿿])不(?P=act)(?!而)
    """,
)
# A request in the form of a question: the text to pass on is asserted.
REQUEST = _PREFILTER.words(
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
ASKED_REQUEST = re.compile(
    r"催|[请让叫](?:她|他|它|对方|人家)|问(?:她|他|一下|问)"
    r"|\b(?:ask (?:her|him|them|for)|tell (?:her|him|them) to|urge|chase|remind)\b"
)
POLITE_QUESTION = re.compile(
    r"能不能|能否|可否|可不可以|可以吗|行吗|好吗|方便|\b(?:could|can|would|will) (?:you|we|i)\b|would you mind"
)
# A question that asks back for what was said ("…, right?"), and one of its own that asks for something else.
ASKING_TAG = re.compile(
    r"^\W*(?:and |but |so |also )?(?:right|ok(?:ay)?|yes|no|correct|true|agreed?|deal|sure|eh|huh|isn't it"
    r"|aren't they|is that|is it|does (?:that|it|this)|do(?:es)? (?:that|it|this|you)|would (?:that|it|this"
    r"|you)|could (?:that|it|this)|can (?:that|it|this|we|you)|will (?:that|it|this)|are (?:you|those|these"
    r"|we)|was it|were they"
    r"|any objections|objections|thoughts|(?:you|all|everyone|everybody) (?:ok|okay|good|happy|in)"
    r"|what do you|how about|shall we|should (?:i|we) (?:go|take|use)|which|who|what|when|where|why)\b"
    r"|^\W*(?:对|是|行|好|可以|成|没错|同意|确定|确认|可|方便|怎么样|如何|你看|你觉得|您看|这样|能|会|有|还是"
    r"|是不是|对不对|好不好|行不行)\w{0,6}[吗吧么嘛呢]?\W*$"
)
ASKING_ELSE = _words(
    en=r"""
    anything else|any(?: other| further| more)? questions?|something else|what else|who else|else|help|shall i
    should i(?: also)?|want me to|do you (?:want|need)|would you like|need me to|ok with you|coffee|see you
    """,
    zh=r"""
    要不我|我来|别的|其他|其它|另外|还有|还要|还需要|需要我|要我|用我|帮你|顺便|一起|要不要我|什么问题|疑问
    """,
)
ANSWERED = re.compile(
    r"^\W*(?:yes|yep|yeah|yup|correct|right|exactly|confirmed|indeed|it is|absolutely|definitely|对|是的?|没错|确定"
    r"|确认|嗯|正是|当然|可以|就是)(?![一-鿿]{4})(?!\w*[吗呢?么])"
)
OR = _words(
    en=r"or|either|versus|alternatively",
    zh=r"""
    或者?|要么|抑或|其一|二选一|二者之一|两者之一|其中之一|任选
    """,
)
# Behind a thing: another one is offered, whatever it is.
# One of those named, whichever.
ONE_OF = _words(
    en=r"one of the two|one or the other|take your pick|whichever|either works",
    zh="二者之一|两者之一|其中之一|任选|二选一|你选|随你挑",
)
# A clause that offers another thing, whatever it is: "或者收图片尺寸也行".
WOULD_DO = _PREFILTER.words(
    r"^\W*(?:或者?|要不(?![是要])|要么|不然|再不然|实在不行)\S{1,14}?(?:也|都)(?:行|可以|成|好|ok|没问题|凑合)"
    r"|^\W*(?:or|else|alternatively)\b.{2,40}\b(?:(?:will|would|might|could) do|is (?:fine|ok|okay|good)|works?)"
    r"(?: too| as well| instead)?\W*$"
)
EITHER = _words(en=r"either(?= .{1,80}\bor\b)", zh="要么")
# "还是" offers an alternative only directly after the first thing; elsewhere it means "still".
OR_STILL = re.compile(r"(?:\W*|\s*\w)还是(?=\W*$|\w{0,3}$)")
OR_ELSE = re.compile(
    r"^[\s\"')）]*(?:or\b(?! so\b| \w+(?: \w+)? (?:will|won't|gets?|pays?)\b"
    r"| later| earlier| more| less| thereabouts| rather| else)|或者?|抑或|二选一)"
)
OR_BEFORE = re.compile(r"(?:\bor(?: else| maybe)?(?: at| on| in| by| with| the)?|或者?(?:是|在|用|让)?)[\s\"'(（]*$")
OR_OPENS = _PREFILTER.words(
    r"^[^\w～]*(?:or\b(?! (?:so|later|earlier|more|less|else|rather"
    r"|(?:just )?(?:call|ping|text|ask|write|message|shout))\b| \w+(?: \w+)? (?:will|won't|gets?|pays?)\b)"
    r"|或者|要么|不然|否则|alternatively\b)"
)
