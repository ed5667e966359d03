"""Signs that a text's meaning may be reversed unnoticed; each makes an acceptance uncertain."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# Restricts a statement to a part of it.
RESTRICTED = _words(
    en=r"""
    only(?= (?:for|to|in|on|at|by|with|from|if|when|after|once)\b)|only(?=\W*$)
    alone(?<!left alone)(?<!let alone)|except|apart from
    """,
    zh=r"只(?!要|是(?!给|对|限|在|针对)|不过|有[\d一二两三四])|仅(?!仅)|光是|单单",
)
# An unknown predicate after a time or a name: "3月26日10点凉了", "26 March got bumped".
PREDICATE = re.compile(
    r"^\s*(?:的?(?:安排|时段|那?[场间个次]|会|事儿?))?(?:已经?|早就?|可|都|又|全|就)?(?P<zh>[一-鿿]{1,7}(?:了"
    r"|啦|掉|着呢))\W*$"
    r"|^\s*(?:slot |meeting |call |date |time |thing )?(?:(?:is|was|were|has|had|would|remains?|looks?|seems?"
    r"|feels?|sounds?"
    r"|got|gets?|became|turned|goes|went)\b(?P<en>.+)|(?P<verb>died|fell|broke|slid|sank|ended|slipped"
    r"|[a-z]{2,}ed)\b.*)$"
)
# Predicates that hold what stands before them.
HOLDS_TRUE = _words(
    en=r"""
    on|final|confirmed|set|settled|fixed|agreed|approved|official|booked|scheduled|planned|works?|stands?|fine
    good|ok|okay|the|a|an|it|when|where|for|right|correct|our|your|my|new|best|free|available|perfect|great|been
    to|now|still|unchanged|at|in|from|as|what|that|how|why|big|included|excluded|enough|over|left|needed|due
    open|guessing|asking|asks?|wondering|waiting|still
    """,
    zh=r"""
    他|她|我|你|咱|大家|定|好了|行了|可以|到了|开始|确认|说|就|发了|约|安排|搞|妥|齐|够|见|起|有|在|好|订|写|记
    告诉|通知|改好|补|找
    剩|是
    """,
)
# What is said of another thing than the one that is chosen: "Willow is full", "柳厅太吵".
DESCRIBED = re.compile(
    r"\s*(?:(?:is|was|'s|are|being|has|had|got)\b(?! (?:it|the one|fine|ok|okay|possible|free|available|also"
    r"|good|better|an option|next|where|our|your|needed|wanted|required|included|due))"
    r"|那[间个家场]|太|\d* ?[座人]?的?(?:留给|归|是给)|临时|有事|请假|不在|出差"
    r"|休假|没空|病了|在(?![\s\d])|坐不下|有人|只有|人多|吵|装修)"
)
# Signs that reverse a text more often than not, but not always; each makes an acceptance uncertain.
# The matter is over: filed, waived, handed on.
IS_OVER = _words(
    en=r"""
    filed? (?:it|this|that|them) away
    (?:is|are|was|were|been|all|:) (?:now )?(?:released|lifted|waived|collected|shelved
    settled|resolved|sorted|wrapped up|dealt with|closed|done with|handed (?:back|over)|taken care of|behind us)
    (?:slot|room|request|ticket|order|hold|freeze|cut|restriction|alert) (?:released|lifted|cancelled|dropped
    handed back|handed over|closed|called off)|all (?:collected|settled
    sorted|solved|done)|off the (?:table|list|agenda)|has our order
    just (?:collect|pick) (?:it|them)|nothing (?:to|left to) (?:change|do|fix|discuss|report|see)|fell victim|has lapsed
    is history|(?:job|task|matter|case|business) (?:is |has been )?(?:done|closed|settled|over)
    ticked off|tick(?:ed)? it off
    mission accomplished|over and done|cleared up
    taken off (?:my|our|the)|no longer (?:needed|an issue|open|relevant|our)
    someone (?:else )?(?:has|did|took|sent)|got (?:there|in) first
    beat (?:me|us|you) to it|(?:has|have) been (?:paid|sent
    delivered|reimbursed|refunded|credited|withdrawn|absorbed
    covered|written off|archived|deleted|replaced|retired|repaid)
    written off|picked up (?:the tab|the bill)|paid (?:him|her|them|it) (?:long ago|already|back|last \w+)|long ago
    (?:it|he|she|they) (?:is|was|has|had)? ?(?:found|turned up|recovered|healed|gone)(?=\W*$)
    quick and obvious|blindfolded
    is history|already (?:fixed|solved|sorted|settled|given|handed|taken|delivered|resolved|covered|closed)
    (?:is|are) (?:now |already )?live
    """,
    zh=r"""
    存档|归档|销账|关单|结案|(?:都|全|已)(?:收)?齐了?(?=\W|$)|收齐|处理(?:完|好)|办(?:完|妥)|说完|谈完|搞定|过去了(?=\W|$)|不必再|不用再|挪开|错开了|作结|了结
    完事|收尾了|结了|平账|勾掉|划掉|打勾|打钩|早(?:就|已)\w{0,3}(?:好|完|过|掉|发|给|付|交|办|买|结)|有人(?:弄|办|买|交|发|处理|接手)了|付清|结清|补齐|退完|修好了|找回|销案|撤案|解除
    解封|恢复(?:正常|供电|原价)|不算事|没问题了|不再需要|用不着了|不劳|无须再|省了|到此为止|告一段落|打住|随它去|不了了之
    已含|(?:已经?|替\w{1,3})(?:改|发|买|办|交|补|修|弄)(?:过|好|完|掉)|顺手得很|好好的|没事了
    """,
)
# Things changed after the events of the text.
TURNS = _words(
    en=r"""
    (?:sent|send|sending|handed|gave|give|given|moved|changed|went|goes|going) (?:it |them |that )?back(?! to you)
    fell (?:through|apart|off the)
    (?:was|were|got|been) (?:pulled|yanked|bumped|axed|cut|dropped|shelved|overruled|reversed
    revoked|rescinded|withdrawn|snatched|reassigned|poached|reclaimed|overtaken|superseded|undone|redone|voided)
    changed (?:his|her|their|its|my|our) minds?|had second thoughts
    on second thoughts?|backed out|pulled out|bailed|caved
    stepped down|dropped out|turned (?:him|her|it|us|them|me) down
    took (?:it|that|them) (?:back|over)|went to (?:somebody
    someone|another|the other)|ended up|(?:is
    are) back to|never (?:came|arrived|happened|showed)|until it didn't
    (?:only|just) (?:to|then) (?:be|find|have)|that was before
    but that was|then came|then \w+ (?:said|came|wrote|called)
    belongs? to(?! (?:me|us|you))|came and went|start(?:ed|ing)? over|re-?open(?:ed|ing)|plans? (?:have )?changed
    the plan changed|given to(?! (?:me|us|you))|(?:called|phoned) off|as if(?=\W*$)|(?:until|till) \w+(?=[;,.]|$)
    has (?:since|meanwhile|now) (?:been )?\w+ed|(?:both|all|they) have (?:since|all)|today (?:is|it's) different
    """,
    zh=r"""
    翻盘|翻车|反转|变脸|生变|出岔子|出幺蛾子|打回原形|前功尽弃|白忙|白搭|白费|落到别人|让(?:人|别人)\w{0,2}(?:占|抢|订|拿)|被人|叫人\w{0,2}(?:占|抢|订|拿)
    回炉|返工|从头|推倒|换回|调回|退单|退订|退了|收走|要回去|转给|转手|易主|改口|食言|后悔|打退堂鼓|泡了|散了|掉链子|没下文|没影了|断了|后来(?!才|居上)
    又(?:改|换|撤|退|变|空|回|推|拖|被)|改回|收回|撤[了回掉下]|退回|重(?:算|抽|做|跑|来|排|测)|另(?:有|批|找|想|约|请)(?!外)|还给|让给|留给|空了|封了|扔了|掉换|换地方|有变|不一样了
    (?:今早|今晨|凌晨|昨晚|昨夜|刚刚?|早|上周|今天)\w{0,4}?(?:被|把|撤|收|判|封|扔|退)|在路上|补上了|先压|压着
    """,
)
# Mocking that fixed forms do not hold.
MOCKS = _words(
    en=r"""
    bravo|oh wow|how (?:very |truly )?(?:credible|convincing|lovely|charming|original|touching|plausible|believable
    convenient|sweet|cute|clever|brave)|(?:lovely|charming
    nice|cute|great|brilliant|wonderful|beautiful) (?:theory|story
    try|idea|joke|fairy ?tale|fiction|thought)|pure (?:poetry
    genius|magic|art|comedy|fantasy)|so \w+ that even|or rather
    (?:only|even) (?:pigeons|pigs|fools|ghosts|owls|idiots|my \w+)|my (?:toaster|cat|dog|grandma|goldfish)|grandma
    (?:and|as) i(?:'m| am) (?:an?|the) \w+|in (?:your|his|her|their|my) dreams|dream on|keep dreaming|my foot|hats off
    round of applause|standing ovation|slow clap|chef's kiss
    what could (?:possibly )?go wrong|what else is new|thrilling
    riveting|of course (?:it|he|she|they) (?:is|does|did|will)
    naturally(?=[,.])|because why not|how we laughed|i'm touched
    be still my|miracle of|wonder of wonders|award-winning
    visionary|a masterpiece|straight out of|fairy ?tales?|fan fiction
    science fiction|believe (?:that|it) when i see|wake me|on (?:a )?(?:unicorn|broomstick|magic carpet)
    learn(?:s|ed)? to fly|sings opera|i'd save my breath|like a human|yeah right|good luck(?= (?:with|finding|getting))
    """,
    more=r"""
    (?:^|[.,:;–!?] ?)(?:sure|lovely|right|ha|haha|as if|oh great|great one|good luck|charming|splendid)(?=[,.!;]|$)
    """,
    zh=r"""
    呵呵|可不是嘛|可把\w{1,4}(?:能|牛|厉害)|厉害死|了不起(?:啊|呢|哦)|佩服佩服|高见|高明(?:啊|得很)|妙啊|真妙|多新鲜|稀罕|感动(?:哭|死)|哭死|服了|醉了|我信你|骗鬼|哄谁|糊弄|演得|编得|故事会|童话|天方夜谭
    太阳打西边|母猪|铁树|下辈子|等到猴年|猴年马月|黄花菜|神算|神仙|奇迹|吉尼斯|诺贝尔|奥斯卡|影帝|鼓掌|撒花给谁|笑话|逗我|逗谁|开国际玩笑|您老|您高兴就好|你高兴就好
    对对对|呵|算你(?:赢|狠|厉害|走运|牛)|可真(?:行|棒|好|会)|真(?:行啊|棒啊|有才|会玩|能编)|好家伙|厉害了|绝了|笑死|养鱼|多好啊|老实人|您真|才怪|见鬼|信你
    分身|做梦|谁信|鬼才|随便花|够浪漫|诗意?(?:都|啊)|(?:多|何等)(?:浪漫|伟大|美好|感人)
    """,
)
# The reader is told to leave it, or to look for another.
LEAVES = _words(
    en=r"""
    (?:leave|skip|ignore|bin|drop|forget|scrap|shelve) (?:it|that|this|them)(?: one)?|leave (?:that|this) (?:one )?out
    don't (?:wait|bother|touch|move|unlock|book|count)|(?:take|find|use|try|pick|write) (?:another|a different|new ones)
    look (?:elsewhere|for another|somewhere else)
    forget about (?:it|that|this|them)|pay no (?:attention|heed)|not worth (?:the
    a|your)|hold (?:off|fire|your horses)|stay (?:away|put|home|where)|start from scratch
    (?:keep|carry on|go on|stick) (?:using|with) the (?:old|other|former)|take no notice|strike (?:it|that|this)
    (?:please )?try again|come at|nobody (?:needs|should|has) to|we stay online|for nothing
    """,
    zh=r"""
    待(?:核|定|议|确认|复核)|另(?:行|请|寻)|换一[个家间份]|换别|别(?:信|理|管|当真|订|买|去|来|用|发)了?(?=\W|$)|甭(?:理|管|信|来|去)|无视|当没(?:看见|这回事|说过)|跳过|略过|先搁|搁着|缓一缓|等等再|照旧用(?:老|旧)|仍用(?:老|旧)|还是用(?:老|旧)
    待查|不计|不算|等\w{1,4}(?:换|改|通知|重)|别等|我继续|别抖|另想|别提了|信谁随你|不用碰|别碰|别动|先放|先别
    """,
)
