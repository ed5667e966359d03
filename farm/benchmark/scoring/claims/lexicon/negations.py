"""Words that deny, undo or take back, and phrases that contain such a word but deny nothing."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lazy import LazyPattern as _Lazy
from farm.benchmark.scoring.claims.lexicon._patterns import join as _join
from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# Things that are bad news: "no problem", "doesn't clash", "不冲突" deny them and so deny nothing that was asked; unless
# the bad thing itself was asked about. Matched behind a negator.
_ADVERSE_EN = _join(
    r"""
    postponed|delayed|withdrawn|revoked|retracted|off the table
    cancel\w*|scrapped|called off|problems?|worr(?:y|ies|ied)|issues?|objections?|objects?|clash\w*|conflict\w*
    overlap\w*|collisions?|doubts?|mistakes?|errors?|typos?|concerns?|complain\w*|complaints?|delays?|hurry|rush
    trouble|harm|risk|fear|question(?: about)? it|questions?|misunderstand\w*|confus\w*
    miss(?: it| this| out| the)?|forget\w*|fail\w*|hesitate|mind|wait|late|hurt|stress|surpris\w*
    chang(?:e|es|ed|ing)(?: again| any ?more| since| after that)?|move again|budge|slip|wrong|far(?: off)?|else
    disappoint\w*|panic|bad|difficult|regret\w*|expens\w*|lose|bother\w*|disturb\w*|cost\w* extra
    extra (?:cost|charge)s?
    """
)
_ADVERSE_ZH = _join(
    r"""
    延后|撤销|撤回|改期|泡汤
    取消|作废|推迟|延期|冲突|问题|异议|意见|影响|耽误|耽搁|疑问|疑义|麻烦|毛病|意外|错(?!过)|差错|出入|误
    变[化动更]?|再变|再动|再改|变卦|重叠|撞|迟到|错过|忘|漏|担心|客气|介意|放心不下|犹豫|后悔|着急|急|怕|困难|难
    远|贵|打扰|打架|碍事|妨碍|吃亏|亏|坏|失望|鸽|爽约|例外|二话|悬念|商量|差(?!旅)|拖延|拖|晚点|添乱|额外
    """
)
NEUTRAL_ADVERSE = _Lazy(
    rf"\b(?:no|not|n't|never|without|nothing|don't|doesn't|didn't|won't|can't|cannot|isn't|aren't|wouldn't"
    rf"|hasn't|haven't|hadn't|wasn't|weren't|couldn't|shouldn't)"
    rf"(?: (?!but\b)\w+){{0,2}}? (?P<en>{_ADVERSE_EN})\b"
    rf"|(?:没有?|不会?|无|毫无|不存在|别|不再|从不|未|不要|不必|不用|不怎么|不太|千万别)(?:有|什么|任何|会|再"
    rf"|太|被|给\w|啥|可能|至于)?(?:任何|什么|大|太"
    rf"|有)?(?P<zh>{_ADVERSE_ZH})"
)
# Phrases in which a negator denies nothing, and words that only contain its character: blanked before reading.
NEUTRAL = _words(
    more=r"""
    go ?/ ?no-go|no-go|no\. ?\d|(?:没有?|无)人不(?:同意|赞成|答应|满意|知道)|so (?:that )?nobody|(?:not|n't) (?:just
    only|merely)
    """,
    en=r"""
    no need(?: to)?|needn't|no doubt|don't (?:have|need) to|nobody has to|no later than|can't wait
    couldn't (?:be (?:better|clearer|happier)|agree more)|can't be any \w+er|why not|if not|not bad
    nothing (?:else )?(?:changes|changed|new|has changed|to add|else|to worry about|to do)|no matter|no more than
    no (?:reply|response|answer|action|rush|pressure|surprise|strings|changes?|other changes?
    extra charges?)(?: is| are)?(?: needed| required| necessary| expected| attached)?
    couldn't help|no (?:discussion|question|argument|debate|buts|ifs|hard feelings|big deal|rocket science|wonder|sweat)
    not (?:quite )?(?:far|long)|how (?:\w+ ){1,6}may be|nothing can stop|not a (?:second|minute|moment|day) (?:later
    earlier|too late)|nothing (?:else )?will change|no longer (?:an? |the |just )*(?:single|lone|only|isolated|one-off
    sole)|(?:which|that) (?:i|we) (?:can't|cannot|couldn't) (?:shift|move|change|skip|miss|cancel|reschedule|drop|dodge
    get out of|put off|get around)|for nothing|(?:can't|cannot|couldn't) (?:\w+ ){1,3}without|don't be (?:shy|late
    a stranger)|don't hesitate|(?:never mind|ignore|forget|despite|contrary to|don't believe
    disregard) (?:the |any |all )?(?:rumou?rs?
    gossip|hearsay)|not (?:kidding|joking)|not much else|nothing left|can't say no|(?:in|at|on) which (?:nobody|no one
    none of us)(?: \w+){1,3}|(?:when|where|that) (?:nobody|no one)(?: \w+){1,2}|(?:not|isn't
    no longer) (?:just |only |merely )?(?:a |an |my )?(?:guess
    proposal|draft|suggestion|tentative|provisional)
    """,
    zh=r"""
    (?:实在)?不行(?=就|的话|再|[,，]\s*就)|不(?:反对|拒绝|介意|排斥)|不好(?:改|推|动|换|调|挪)|(?:并|也)?不(?:是说
    等于说|代表|意味着)|(?:没有?|不是|并非|别|没在|不是在)(?:在|跟你|和你)?开玩笑|[不没]骗你|不是\w{0,4}(?:草稿|草案
    初稿|建议|暂定|估计|猜的?)(?!的|是)|(?:谁|大家|三个人|三人|两个人|我们)?都?没(?:有)?人?(?:有)?(?:安排|会|事|日程
    约)的|不\w{1,4}才怪|没问题|没事儿?|没意见|没关系|没错|没法更好|不好意思|不用再[问查找]|不用[查找]|不见不散|不晚于
    别迟到|别忘了?|别担心|不会再?[变改]\w?|不再[变改]|不良率?|不变|不错|不管|不论|不少|差不多|不过|分别|个别
    别人(?![说讲告])|别的|别家|别处|无所谓|不会鸽\w?|非常|没(?:有)?反对|不能不|不同(?!意)|不止|不等|来不及|少不了|要不然
    没什么(?:事|别的)?|不打折|有没有|要不要|是不是|能不能|会不会|行不行|对不对|走不走|来不来|开不开|是否|别再?问了?
    不用回复?|(?:不|没|没有|未)(?:动|改|变|换|挪)(?=[\s,，]*(?:还是|仍|依旧|照旧))|走不开|抽不开身?|离不了|没跑了?
    错不了|改不了|忘了说|别想改|谁也?(?:别|不)|不卖关子|别的不说|不折腾|不多不少|雷打不动|没别的|不\w{1,3}不(?:行|可|成)
    非\w{1,4}(?:不可|莫属)|怎么(?:能|会|可能)不|没说的|不下雨|(?:不是|并非|没有|谈不上)不(?:同意|愿意?|想|行|可以|肯
    支持|赞成|答应)|别(?:记|搞|弄|看|写|算|认|听)错|(?:上次|之前|以前|早先|旧的?|老的?)\w{0,6}错了?
    要不(?![是要])(?=\S{1,12}?(?:也|都)(?:行|可以|成|好|凑合))|不再是(?:个例|孤例|个案|单独|一台|一例|一个)|不懂再问
    没写错|没看错|没记错|不回|没(?:有)?\w{0,2}完(?!成)|没(?:有)?(?:理由|道理)不|谁说我?不
    """,
)
# Negators that deny the mentions after them or, if there are none, those before them.
NEGATION = _words(
    en=r"""
    dont|doesnt|didnt|isnt|wasnt|arent|cant|couldnt|havent|hasnt|not|never|neither|nor|cannot|nobody|no one|nothing
    isn't|aren't|wasn't|weren't|don't|doesn't|didn't|won't
    can't|hasn't|haven't|hadn't|shouldn't|wouldn't|couldn't|ain't|no longer|none|unable|unaware|hardly|scarcely
    anything but|far from|nowhere near|by no means|under no circumstances|in no way
    """,
    zh=r"""
    并非|绝非|没有|还没|尚未|未必|从未|从没|从来没|哪是|哪有|怎么可能|谁说(?!我?不|的)|不(?![用必]|需要)|没|未|别
    勿|甭|(?<!除)非|休想
    谈不上|莫(?!干山|斯科|名|大)
    """,
)
# Negators that deny only the mentions after them.
NEGATION_AHEAD = _words(
    en=r"""
    no|without|instead of|in place of|in lieu of|rather than|other than|replac(?:es?|ing)|net of|exclusive of
    excl(?:uding|\.|\b)|before(?= tax)|except(?: for)?|as opposed to|as against
    (?:everyone|everybody|anyone|anything|all|everything) but|(?:was|were|am|are|is) wrong (?:to|in|about)
    no need to|needn't|need not|vetoed|scrapped|binned|ditched|nixed|rejected
    declined|refused|(?:decid\w{1,20}|ruled|argued|voted|advise|spoke|am|are|is|i'm|we're) against
    refrain(?:s|ed|ing)? from
    desist(?:s|ed|ing)? from|abstain(?:s|ed|ing)? from|shy(?:ing)? away from|(?:steer|stay
    keep)(?:ing)? (?:well )?(?:clear of|away from)|(?:fell|falls?|falling|stops?|stopped) (?:well |far )?short of
    fails? to|failed to
    than (?:go|move|have|see|take|use|do|shift|switch|change|put|let|run|agree|come|pay)(?:ing)?(?: (?:to|with|it
    them|for))?
    least of all|much less|let alone|(?:hate|loath|reluctant|unwilling|unable|too early|too late|afraid) to
    (?:no|little|not much) (?:point|sense|use|chance|hope|question|way|reason) (?:in|of|to|for)
    (?:postpone|oppose|abandon(?:ed)?|give up on|gave up on|gave up|veto(?:ed)?|withdrew
    (?:short of|less than|fewer than|lower than)(?= \d)
    disregard|dead set against|set against|no such thing as|nobody (?:moved|wants?
    agreed|approved|asked|said|decided|booked|planned|confirmed|ordered)|give up on)(?:s|d|ing)?
    (?:i'd|i would|we'd) (?:rather|sooner|prefer) (?:\w+ )?(?:didn't|not|leave|keep|skip)
    """,
    more=r"""
    (?:^\W*(?:please )?|\b(?:to|can|should|we|i|let's|please|will|'ll|we've|i've|and|so) )(?:forget|forgot|
    ignore|disregard|skip|scrap(?:ped)?|drop(?:ped)?(?! .{1,40}(?:\bto\b|\bby\b|→)\s*\d)|avoid|cancel(?:led|ed)?
    scratch|strike|take back|took back|
    retract|withdraw|withdrew|vetoed|pulled|missed|lost|killed|ditched|binned|changed (?:our|my|his|her|
    their) minds? about|reject(?:ed)?|refused?|declined?)\b(?! that)
    """,
    zh=r"""
    而非|不用|不必|不需要|用不着|无需|无须|无|代替|顶替|取代|替掉|除了|放弃|取消|撤回|撤销|拒绝|反对|驳回|否决
    忽略|无视|税另|税前|停用|税(?:金|费|款)另
    (?<!不)(?:很难|难以|不便|不宜|不肯|懒得|免得|省得|以免|免去|杜绝|谢绝|婉拒|推掉|推辞|回绝|否掉|阻止|反感|抵制
    不赞成|不认可|排除)
    """,
)
# A dispensation at the end of its clause, which applies to the words before it: "围裙不用订了".
DISPENSED = re.compile(r"(?:不用|不必|无需|无须|不需要|用不着|没必要)\w{1,3}(?:了|啦)\W*$")
# Predicates that take back the mentions before them: "26 March is cancelled", "那间被占了".
REVOKED = _words(
    en=r"""
    (?:is|are|was|were|been|be|being|got|gets|'s|are all|is already|it's) (?:\w+ )?(?:off|full|taken|gone|dead|void
    (?:put|is|are|it's) on hold|history|unavailable|impossible|occupied|overbooked|booked(?: up| out| by)|blocked
    no more|no good|no option|no longer \w+|out of date|off the table|out of the question|ruled out|a mistake|a typo
    an error|invalid|false|nonsense|rubbish|obsolete)|cancel(?:led|ed|s|ling|lation)?|called off|scrapped
    wrong(?!\s+[a-z])|reject(?:ed|s|ing)?|refus(?:ed|es|ing|al)|disagree\w*|withdrawn|retracted|rescinded|overruled
    vetoed|denied|dropped|shelved|abandoned|pulled|(?:fell|falls|fallen) through|is off|out of the question
    no longer (?:valid|holds?|applies|apply|works?|stands?)|outdated|obsolete|void|turned (?:it |that |them )?down
    pulled out|sent (?:\w+ )?back|let (?:that|it|this) (?:one )?go|handed (?:\w+ ){0,3}to (?!us|me|you)\w+|(?:is|was
    are) (?:reserved|kept|meant|booked) for (?!us|me|you|our)\w+|(?:falls|fell|goes|belongs|passes) to (?!us|me|you|our
    the\b.{0,20}\bus)\w+|then to others|bumped|given away|reopened|went to (?:someone|somebody|another|the others?
    others|them|the \w+ team)|under renovation|clash(?:es|ed)? with|chang(?:ed|ing) (?:my|our|his|her|their) minds?
    snapped up|given to|frozen|parked|superseded|overtaken|is closed|'s closed|thrown out|(?:is|are|was|were|'s) closed
    dropped out|lapsed|struck off|(?:is|are|'s|now|both|times?) (?:free|open|available|up for grabs|vacant) again|(?:is
    are|was|were|'s|now|all) moot|(?:a )?non-starter|a thing of the past|lost in the shuffle|failed to (?:win|get|make
    gain|pass|find)|come and gone|(?:fell|fallen) by the wayside|off the (?:list|cards|agenda|menu)|(?:thrown|chucked
    tossed|gone) (?:overboard|out|away)|came to (?:nothing|naught|grief)|ha(?:s|ve) to go(?=\W*$)|(?:is
    are) the last thing|makes? (?:me|us) (?:cringe|sick|shudder|wince|yawn)|has my (?:objection|veto)|won't do(?=\W*$)
    (?:is|are|was|were|'s|sounds?|looks?|seems?|feels?)(?: (?:just|simply|both|all|such|a bit|rather|plain
    far))* (?:an? )?(?:bad|terrible|awful|poor|stupid|silly|horrible|dreadful|lousy|rotten|premature|unrealistic
    unacceptable|unsuitable|unworkable|undesirable|pointless|hopeless|doomed|too early|too soon|too expensive
    inappropriate|out of reach|fiction|fantasy|a fantasy|a myth|a fairy ?tale|a joke|a lie|bogus|a hoax|a dream|made up
    not on|a no-no|rubbish)|won't fly|sounds? wrong|leave things as
    """,
    zh=r"""
    算了(?=\W*$)|(?:删|划|抹|忘)掉(?=\W*$)|放下(?=[吧了]|\W*$)|取消|作废|撤销|撤回|黄了|泡汤|吹了|告吹|没戏|停用|被占
    占了|抢[了走]|订满|满了|没了|无效|过期|错了|有误|搁置|叫停|否决|反对|免谈|再议|拉倒|退掉|推掉|退了|推了|算了吧|当没
    出局|不用(?=[了吧啊呀]|\W*$)|不要(?=[了吧啊呀]|\W*$)|不用管|退回|停产|卖完|错开|划走|查无此|被(?:否|占|抢|订|换|改
    退|撤|砍|毙|挤|顶|推|拿|收|叫停|打回|驳)|让给|悬了|凉了|没谈成|被刷|刷掉|让位(?!给我)|打了水漂|落了空|搁浅|成往事
    (?<!不是)瞎传|没排上|归(?!我|咱|你|属)\w{1,4}(?:部|组|团队|用|了)(?!我|咱)|换人了|换主|没抢到|没约上|轮不到
    [空让腾](?:了)?出来了?(?=\W*$)|又空了|不用(?:再)?(?:出|付|花|掏|垫)(?:了|钱|\W*$)|放宽了|作罢|腾出来|退回来
    (?<![我咱你])另有安排|改作他用|征用[了为当作]|不妥|不合适|难听|太早|还早|早着呢|看悬|免了|站不住|开不成|去不成|没定
    没订上|没排上|换掉|拿掉|删掉|去掉(?!税)|划掉|撤掉|(?<!不)否了|都错|看不上|听听就好|无从谈起|恐难|难成|被\w{1,3}划
    哪门子|门都没有|打死我?也?不|放弃|无缘|没指望|不作考虑|使不得|瞎填|瞎编|毙\W*$|毙[了掉]|差点意思|担不起|不下来|没批
    没过(?!来)|翻篇|反悔|推翻|撤下|撤掉|关门|装修|改主意|变卦|打回|不作数|冻结|给\w{1,5}(?:用|占)(?:了|掉)
    被[\w～]{1,4}(?:包|占|订|抢|借|征用)|谣言|误传|误会
    """,
)
# How people undo what they said or agreed: a verb with what it undoes, or a thing with what became of it.
_IT = "(?:it|that|this|these|those|them|both|all of (?:it|that|this|them))"
_THING = _join(
    """
    day|date|hour|time|slot|plan|room|price|figure|number|estimate|offer|post|message|idea|shift|rule|limit|deadline
    booking|deal|agreement|approval|decision|schedule|rota|count|order|task|fix|request
    """
)
_THE_THING = rf"(?:the|that|this|those) (?:\w+ )?(?:{_THING})s?"
_NEW_THING = rf"(?:the|that|this|our|their) (?!old|other|earlier|first|former|previous|last)(?:\w+ )?(?:{_THING})s?"
_UNDOES = _join(
    r"""
    withdr[ae]wn?|withdraw(?:s|ing)?|retract(?:s|ed|ing)?|revok(?:es|ed|ing)|rescind(?:s|ed)?|recant(?:s|ed)?|axed
    overturn(?:s|ed)?|overrul(?:es|ed)|revers(?:es|ed)|scrap(?:s|ped)|cancel(?:s|led|ed)|drop(?:s|ped)|shelv(?:es|ed)
    ditch(?:es|ed)|binned|pull(?:s|ed)|veto(?:es|ed)|reject(?:s|ed)|refus(?:es|ed)|nix(?:es|ed)|disown(?:s|ed)|bounced
    kill(?:s|ed)|voided|undid|undone
    """
)
_WAS_UNDONE = _join(
    r"""
    withdrawn|retracted|revoked|rescinded|overturned|overruled|reversed|scrapped|dropped|shelved|ditched|binned
    pulled|vetoed|rejected|nixed|axed|voided|dead|gone|moot|superseded|overtaken|replaced|thrown out|taken back
    taken down|struck off|given away|called off|(?:put )?on (?:ice|hold)|off the table|no more|up in smoke
    out of the window|up for grabs|not (?:holding|standing|happening)
    """
)
_CAME_UNDONE = _join(
    """
    fell through|fallen through|fell apart|came to nothing|lapsed|expired|slipped|slid|bit the dust|went nowhere
    collapsed
    """
)
_BE = "(?:'s|'ve| is| are| was| were| has| have| had| got| will)"
_MEANWHILE = "(?: been| be| since| now| just| all| already| actually| meanwhile| sadly| unfortunately| again| also)*"
_UNDONE_EN = _join(
    rf"""
    (?:{_UNDOES}) (?:{_IT}|{_THE_THING})(?! from)
    (?:took|taken|takes|taking|walked|walks) (?:{_IT}|{_THE_THING}) (?:back|down|away|off)
    (?:threw|thrown|throws) (?:{_IT}|{_THE_THING}) (?:out|away|over)|(?:called|calls) (?:{_IT}|{_THE_THING}) off
    (?:traded|trades|gave|given|gives|signed|passed|handed|swapped) (?:{_IT}|{_THE_THING}) (?:away|back|over)
    (?:sent|sends|knocked) (?:{_IT}|{_THE_THING}) back|(?:turned|turns|shot|voted) (?:{_IT}|{_THE_THING}) down
    (?:crossed|struck|ruled) (?:{_IT}|{_THE_THING}) (?:out|off)|put (?:{_IT}|{_THE_THING}) (?:off|aside|on ice|on hold)
    (?:that|this|it|which|{_NEW_THING}){_BE}{_MEANWHILE} (?:{_WAS_UNDONE})
    (?:that|this|it|which|{_NEW_THING}){_BE}?{_MEANWHILE} (?:{_CAME_UNDONE})
    (?:the|our|their|its) (?:old|first|former|previous|earlier|original) (?:\w+ )?(?:stands|holds|applies|counts)
    the old (?:\w+ )?(?:stays|remains|is back)
    (?:we're|we are|it's|it is|everything's) back (?:to|at) (?:the |our )?(?:old|first|previous|original|start|square)
    moot (?:now|by now)|(?:is|are|all) moot|overtaken by events
    (?:has|have) since (?:been )?(?:changed|moved|thrown|withdrawn|dropped|gone|fallen|slid|slipped|lapsed)
    """
)
_UNDONE_WORDS_ZH = _join(
    """
    收回|作罢|作废|撤了|撤回|撤销|撤掉|取消|黄了|凉了|泡汤|吹了|告吹|落空|不作数|不算数|放宽|推翻|否了|否掉|退回
    没了|废了
    废弃|搁置|叫停|翻案|失效|过期|打回|不成立|不存在|让出|让掉|腾出来|砸了|泡了|崩了|停了|打水漂|算了吧|拉倒|翻篇
    归零|换掉
    顶掉|挪走|拿掉|改口|反悔
    """
)
_UNDONE_ZH = _join(
    rf"""
    (?:(?<![一-鿿])[这那该]|(?<=[但过])[这那]|上面|上述|以上|前面|刚才|刚刚
    它)(?![样么])(?!\w{{0,3}}[旧老])\w{{0,8}}?(?:{_UNDONE_WORDS_ZH})
    (?:收回|撤回|推翻|否了?|撤了|废了?|取消)了?(?:这|那|前|上|刚|它)\w{{0,6}}\W*$
    把(?:这|那|它|上|前|刚)(?!\w{{0,3}}[旧老])\w{{0,8}}?(?:退|撤|否|推翻|收回|打回|改掉|废|取消|作废|换掉|删|划)
    (?:位子|座位|名额|位置|时段|房间|座)(?:你|就|也|先)?(?:放掉|放了|让掉|让了|退掉|给别人|别留|不用留|让给)
    (?<![我咱你])另有安排|另作安排|另作他用|[改挪]作[他别]用|^\W*(?:都|全)?(?:作罢|黄了|泡汤|告吹|凉了)
    ^\W*(?:刚|后来|结果|谁知|可惜|没想到|不料)\w{{0,12}}?(?:{_UNDONE_WORDS_ZH})
    """
)
# A separate sentence or clause that takes back the words before it.
TAKE_BACK = _words(
    more=rf"""
    ^\W*(?:but |so )?(?:neither(?! .{{1,80}}\bnor\b)|none of (?:them|those|these|it))\b
    \b(?:{_UNDONE_EN})\b
    {_UNDONE_ZH}
    """,
    en=r"""
    (?:scratch|forget|ignore|strike|disregard|cancel|scrap) (?:that|this|it|all (?:of )?(?:that|this)|the above|
    everything(?: above)?)
    (?<!no )(?<!not )(?<!n't )(?:just |only |i'm |i was |i am )?(?:kidding|joking)|jk|april fools?|psych
    (?:that|this|it|which|the above|none of (?:that|this|it)|all (?:of )?(?:that|this)|they|these|those|
    both)(?:'s| is| was|'re| are| were| has| have)? (?:been |just |all |now |actually |simply |already |
    really )?(?:not (?:true|right|correct|happening|final|confirmed|so|the case|going to happen|valid|real)|
    isn't (?:true|right|happening|final|confirmed)|won't happen|n't (?:true|right|happening)|never (?:happen\w*|
    true)|wrong|false|cancelled|canceled|off|called off|untrue|a lie|nonsense|outdated|history|void|out of date|
    no longer (?:true|valid))
    i take (?:it|that|this|all of it) back|i made (?:it|that|this) up|i was wrong|my mistake(?! earlier)
    not any ?more|ignore all of (?:it|this|that)|(?:don't|do not|wouldn't|never) believe (?:it|this|that|a word)
    back to square one|never ?mind|as you were|oh wait|on second thoughts?|spoke too soon
    (?:that|this|it)(?:'s| is) not (?:where|what|when|how|who|the one|it)|please take the other
    (?:he|she|they) (?:is|are|was|were|must be) (?:wrong|mistaken)
    our own (?:count|figure|number)s? (?:is|are|differs?|says)
    (?:that|this|it) was (?:yesterday|before|last \w+)|(?:turned|turns) out (?:to (?:be|have|include|contain)
    it was|that)
    (?:is|are|does|do|are we|we are) not count(?:ing|ed)?|doesn't count
    (?:that|this|it)(?:'s| is) over(?! by| at| before| in)
    back to the old|(?:we|i|you|they)(?:'ll)? need another (?:hour|slot|day|room|date|time|place)|no such thing
    none of (?:it|this|that) is|forget the (?:first|whole|rest|above|lot|last)
    slid to|slipped to|slid into|^\W*too late\b(?! for (?:changes|that))|for (?:someone|somebody) else after all|
    went up in smoke|missing (?:for )?a second time|lost again
    (?:i|we)(?:'ve| have)? (?:since )?(?:thought better of it|changed (?:my|our) minds?|slept on it and)
    having slept on it|having thought (?:about|it over)|on reflection
    (?:let|give|release|free) (?:go of )?(?:my|our|that) (?:seat|place|spot|slot|room)(?: go| up)?(?= to|\W|$)
    until .{1,40}(?:withdrew|cancelled|changed|moved|restored|closed|dropped)
    """,
    zh=r"""
    (?<!不是)(?<!没)开(?:个)?玩笑(?!的事)|逗你|骗你|别当真|别信|当我没说|瞎说的|瞎编的|编的
    (?:以上|上面|上述|上文|刚才|前面|^\W*(?:但|不过)?(?:这|那)(?!\w{0,3}[旧老])[个条件些]?|
    ^\W*(?:都|全))(?:\w{0,4}?)(?:作废|
    不算|不对|取消|错了|不成立|无效|不是真的|是假的|不作数|是错的|没有?的事|撤回|推翻)
    ^\W*(?:不算数|不作数|作废|撤回|当没说)|现在(?:已经)?不是(?:那|这)|白说了|收回(?:刚才|前面|上面|这)|回到原点
    可以划掉|后来(?:本人|他|她)?(?:说|发现|证实)|不算第二|核对后是另|不赶了|撤了\W*$
    (?:得|要|需)?另(?:找|约|选|定|挑)(?:一|个|时间|间|日子|地方)|回到(?:旧|原)|我(?:先)?收回|先收回|收回\W*$
    (?:这句|这话|此话|上一条|前一条)\w{0,2}收回
    """,
)
_DROPS = "(?:kill|bin|drop|scrap|ditch|shelve|skip|lose|park|delete|void|ignore|disregard|forget|strike)"
_NOT_OLD_EN = r"(?!(?:the |my |our )?(?:old|other|earlier|first|previous|last|your|original)\b)"
_OWNS_UP_ZH = "(?:但|不过|可是?|哎|呃|抱歉|不好意思|对不起)?(?:是?我|安|他|她|他们|刚才|刚刚|这次)?"
# A clause that names nothing and undoes what was said: a slip owned up to, a change since, somebody against it.
UNDOING = _words(
    more=rf"""
    ^\W*(?:but |so |please |just |let's |better )*{_DROPS} (?:it|this|that)\b|^\W*(?:well,? no|let's not|not true|untrue
    not so|not any ?more)\W*$|^\W*(?:but )?{_NOT_OLD_EN}(?:\w+ ){{1,3}}(?:was|is|were|are) (?:wrong|mistaken|misinformed
    outdated|in error)\W*$|^\W*{_OWNS_UP_ZH}(?:刚|又|可能)?(?:记|看|抄|写|发|听|查|算|搞|弄|数|读|转|贴)(?:错|串|混|岔
    反)了?\w{{0,2}}\W*$|^\W*(?:先|就|还)?等(?:新的?|更正|重新|改好|下一?[版条]|后续)\w{{0,4}}\W*$|^\W*(?:但|不过
    可是?)?(?!没人|没有人|谁)\w{{1,4}}(?:不|没|未)(?:同意|答应|批准?|认|点头|松口|买账)了?\W*$|^\W*(?:这条|请|上面|刚才
    以上)?\w{{0,3}}(?:忽略|无视)\W*$|^\W*(?:所以|因此|故|就|先)?(?:都|一律)?不(?:计|计入|计数|算数|算在内|算进去|列入
    纳入|作数)(?:了|吧)?\W*$|^\W*(?:\w{{0,4}}后)?不是(?:这个|这种|同一个?|此)(?:毛病|问题|故障|情况|原因|事|案子
    回事)\W*$
    """,
    en=r"""
    (?:real|actual|true|newest|latest|correct) (?:number|figure|count|price|date|day|hour|time)s? (?:is|are|was|were)
    (?:these|those|they)(?:'re| are| were) (?:only )?(?:last|old|the old|yesterday's|outdated|targets|guesses)|(?:find
    look for|pick|choose|need|want|get) (?:another|something else|somewhere else|elsewhere)(?: one)?(?=\W*$)
    didn't survive|(?:nobody|no one) wants (?:it|that)|look(?:ing)? for (?:another|a new|a different)
    misread(?! nothing)|misheard|misremembered|miscopied|misquoted|miscounted|(?:find|pick|choose|need|want|set
    fix) (?:another|a new|a different) (?:day|date|time|hour|slot|room|place|number)|mixed (?:it|this|that|them|things
    \w+) up|wrong (?:thread|channel|group|chat|sheet|row|line|column|file|tab|table|one)|what it used to be|(?:isn't
    is not|not) so any ?more|no longer so|says? otherwise|begs? to differ|(?:don't|do not|never|can't) (?:act|rely|count
    build|bank|plan) on (?:this|it|that)|(?:don't|do not) (?:use|take|go by|trust|quote|forward) (?:this|it|that)\b
    (?:moved|changed|postponed|pushed|shifted|swapped) (?:it|that|this|things) (?:\w+ )?(?:again|since|back)|(?:been|was
    got) (?:moved|changed|postponed|rescheduled|pushed|shifted|swapped|corrected) (?:again|since|afterwards)
    beat us to it|(?:pulled|dropped|backed|bailed|ducked|stepped) out|(?:won't|will not|isn't going to
    not going to) (?:work out|happen|take place|go ahead|come off|be)|no (?:day|date|time|number|slot) (?:at present
    any more|now|yet)|said no|has said no|says no|vetoed|threw a spanner|fell ill after all
    """,
    zh=r"""
    [又已]经?(?:改|变|挪|动|换|推|撤)了(?!\w)|得?另约|重新(?:定|约|选|排|报|找|商量|谈|议)(?!好|过|完|了\w)
    要重[来定约排]|得换(?=\W*$|个|一|到)|[那这都]是\w{0,4}(?:上周|上个月|昨天|前天|早先|老早|以前|之前
    去年)\w{0,2}的(?:说法|安排|事|口径|数|计划|版本)|不是这[个样]了|不是这么回事|已经不算|早不算|不算数|先?别(?:按|照|用
    信|当|记|传|管)(?:这|它|那)|改口|改主意|变卦|反悔|计划赶不上变化|搞乌龙|闹乌龙|发错群|看错行|来不了了|有新的?(?:数
    口径|日期|时间|说法|安排)|口径又?变|实际上?(?:没|不)\w{0,3}这么|(?<!没)(?<!没有)水分|比这(?:少|多|高|低|早|晚)
    """,
)
# When something was lately done: a day that a sentence names only in passing.
LATELY = re.compile(
    r"yesterday|today|tonight|this morning|last \w+|昨[天晚夜日]|今[天早晨日晚]|前天|上周\w?|刚才|周[一二三四五六日]"
)
# What a comment must deny to take back what stands before it: its holding, not something else about it.
HOLDING = re.compile(
    r"^\W*(?:(?:been|be|being|quite|really|actually|even|all|a|the|at) )*(?:true|right|correct|final|confirmed"
    r"|happening"
    r"|happen|going|on\b(?! \w)|valid|possible|ok(?:ay)?|fine|agreed?|approved?|work(?:s|ing)?|holds?|stands?"
    r"|so|any ?more"
    r"|case|real|it\b|available|accept(?:ed)?|me|at all|yet(?=\W*$)|done|doing|booked|set|settled|free|good"
    r"|an option|take|come"
    r"|make|made|decided|apply|applies|like|want|buy|use|choose|pick|believe)\b"
    r"|^\W*(?:太|再|会|能|都|怎么|敢|肯|必|很|大)?(?:行|对|是(?:真的|这样|这么回事|的)?\W*$|算(?!了)|成立|同意"
    r"|可以|能|去|来|要(?=\W*$|[了吧啊呀])|成"
    r"|批|准|定|作数|确定|认|干|参加|通过|赞成|存在|合适|合理|方便|支持|接受|好|可能|可|中|答应|用|喜欢|想|真"
    r"|够|属实|靠谱|有效"
    r"|生效|办|开|做|发生|买|选|拿|信|订|付(?!款))|^\W*+(?:[了啦啊的呢]\W*+)?$"
)
# Predicates that move a thing away: what stands before them was, unless something stands behind.
MOVED_AWAY = _words(
    en=r"postponed|moved out",
    zh=r"推迟|延期|改期|错开|改日子|改掉",
)
# A label's answer: "Arrived: no", "税：不含".
LABELLED_NO = re.compile(r"\W*(?:no|not yet|none|nope|never|不含|不|否|没有?|还没有?|尚?未|无)\W*$")
# Words before a cue or an act that cancel it.
NEGATED_SHORTLY = re.compile(
    r"(?:\b(?:not|n't|never|no|nobody|none|nothing|without|hardly)(?: \w+){0,2} |[没不未无别免]\w{0,2})$"
)
NEEDLESS = re.compile(
    r"(?:no need to|needn't|(?:don't|doesn't|do not) (?:have|need) to|(?<!不是)(?:不用|不必|无需|用不着))\W*$"
)
