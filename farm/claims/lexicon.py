"""The words that decide how a thing is said, grouped by what they do to the clause they stand in.

Every group is one pattern over folded text (``values.fold``): lower case, half width, straight quotes. English words
are matched whole; Chinese ones wherever they stand, as there are no blanks to go by: what must not follow or precede
them is said in the pattern. ``docs/claims.md`` tells how to add a word.
"""

from __future__ import annotations

import re

from farm.claims.prefilter import Prefilter, Words

_PREFILTER = Prefilter()


def _join(lines: str) -> str:
    """Return alternatives as one pattern; a line that ends in a bar goes on in the next."""
    return re.sub(r"\|*\n\s*", "|", lines.strip())


def _words(*, en: str = "", zh: str = "", more: str = "") -> Words:
    """Return one pattern of English alternatives (whole words), Chinese ones, and what is written out in full.

    A Chinese sign ends an English word, too, which ``\\b`` does not know: "don't拆".
    """
    parts = [_join(more), rf"(?:(?<![a-z\d_])|(?='))(?:{_join(en)})(?![a-z\d_])" if en else "", _join(zh)]
    return _PREFILTER.words("|".join(part for part in parts if part))


# ------------------------------------------------------------ what denies nothing
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
NEUTRAL_ADVERSE = _PREFILTER.words(
    rf"\b(?:no|not|n't|never|without|nothing|don't|doesn't|didn't|won't|can't|cannot|isn't|aren't|wouldn't"
    rf"|hasn't|haven't|hadn't|wasn't|weren't|couldn't|shouldn't)"
    rf"(?: (?!but\b)\w+){{0,2}}? (?P<en>{_ADVERSE_EN})\b"
    rf"|(?:没有?|不会?|无|毫无|不存在|别|不再|从不|未|不要|不必|不用|不怎么|不太|千万别)(?:有|什么|任何|会|再"
    rf"|太|被|给\w|啥|可能|至于)?(?:任何|什么|大|太"
    rf"|有)?(?P<zh>{_ADVERSE_ZH})"
)
# Phrases in which a negator denies nothing, and words that only hold its character: blanked before anything is read.
NEUTRAL = _words(
    more=r"""
    go ?/ ?no-go|no-go|no\. ?\d|(?:没有?|无)人不(?:同意|赞成|答应|满意|知道)
    so (?:that )?nobody|(?:not|n't) (?:just|only|merely)
    """,
    en=r"""
    (?:don't|do not|wouldn't|won't|not) (?:object|oppose|mind)|(?:doesn't|does not|not) mean(?: that)?|not to say
    no need(?: to)?|need not|needn't|no doubt|undoubtedly|don't (?:have|need) to|nobody has to|no later than
    not later than|not least|not to mention|can't wait|couldn't (?:be (?:better|clearer|happier)|agree more)
    can't be any \w+er|why not|if not|whether or not|not bad
    nothing (?:else )?(?:changes|changed|new|has changed|to add|else|to worry about|to do)|last but not least
    nevertheless|nonetheless|none ?the ?less|no matter|more often than not|no less than|no more than|not at all
    no (?:reply|response|answer|action|rush|pressure|surprise|strings|changes?|other changes?|
    extra charges?)(?: is| are)?(?: needed| required| necessary| expected| attached)?
    couldn't help|can't help|have no further|no further|unless i'm mistaken
    no (?:discussion|question|argument|debate|buts|ifs|hard feelings|big deal|rocket science|wonder|sweat)
    nothing (?:more|less)|no strings|not a (?:problem|big deal)|not (?:quite )?(?:far|long)
    how (?:\w+ ){1,6}may be|nothing can stop|not a (?:second|minute|moment|day) (?:later|earlier|too late)
    nothing (?:else )?will change|no two ways about it|no turning back|not open to debate|not negotiable
    no longer (?:an? |the |just )*(?:single|lone|only|isolated|one-off|sole)
    (?:which|that) (?:i|we) (?:can't|cannot|couldn't) (?:shift|move|
    change|skip|miss|cancel|reschedule|drop|dodge|get out of|put off|get around)
    for nothing|(?:can't|cannot|couldn't) (?:\w+ ){1,3}without|can't go wrong|don't be (?:shy|late|
    a stranger)|don't hesitate|not to worry|don't sweat it
    (?:never mind|ignore|forget|despite|contrary to|don't believe|disregard) (?:the |any |all )?(?:rumou?rs?|
    gossip|hearsay)
    not (?:kidding|joking)|no joke|not to be missed|not much else|nothing left|can't say no|couldn't say no
    no reason not to|(?:in|at|on) which (?:nobody|no one|none of us)(?: \w+){1,3}
    (?:when|where|that) (?:nobody|no one)(?: \w+){1,2}
    (?:not|isn't|no longer) (?:just |only |merely )?(?:a |an |my )?(?:guess|proposal|draft|suggestion|tentative|
    provisional)
    """,
    zh=r"""
    (?:实在)?不行(?=就|的话|再|[,，]\s*就)|不(?:反对|拒绝|介意|排斥)|不好(?:改|推|动|换|调|挪)
    没有?(?=[\w、]{1,12}(?:[付打转发出汇]不了|没法))|(?:并|也)?不(?:是说|等于说|代表|意味着)
    (?:没有?|不是|并非|别|没在|不是在)(?:在|跟你|和你)?开玩笑|[不没]骗你|没逗你|不是(?:瞎说|瞎编|编)的?
    不是\w{0,4}(?:草稿|草案|初稿|建议|暂定|估计|猜的?)(?!的|是)
    (?:谁|大家|三个人|三人|两个人|我们)?都?没(?:有)?人?(?:有)?(?:安排|会|事|日程|约)的|谁都没事的
    不\w{1,4}才怪|没问题|没事儿?|没意见|没关系|没错|没法更好|不能更好|再好不过|不好意思|不客气|不用谢
    不用再[问查找]|不用[查找]|不用担心|不见不散|不迟于|不晚于|不早于|别迟到|别忘了?|别客气|别担心
    不会再?[变改]\w?|不再[变改]|不良率?|不变|不错|不仅|不只|不光|不管|不论|不少|差不多|不过|不但|分别|特别|区别
    个别|级别|类别|性别|告别|别人(?![说讲告])|别的|别家|别处|别致|别墅|无线|无论|无痕|无误|无疑|毫无疑问|无所谓
    无非|无比|不会鸽\w?|非常|非得|非洲|没(?:有)?反对|无人反对|未来|未免|不得不|不可不|不能不|不妨|不久|不断
    不同(?!意)|不足|不止
    不愧|不禁|不时|不日|不等|对不起|了不起|怪不得|恨不得|巴不得|来不及|忍不住|离不开|少不了|免不了|要不然
    好不容易|不知不觉|不由|没什么(?:事|别的)?|没想到|没少|不至于|不言而喻|不折不扣|不打折|不用客气|不多说|不啰嗦
    不废话|有没有|要不要|是不是|能不能|会不会|可不可以|行不行|好不好|对不对|在不在|是否|不另(?:行|外)?通知
    别再?问了?|不必再?[问查找]|无需再?[问查找回]|无需担心|不必担心|不需要再?[问查找]|不必多说|不用回复?|无需回复
    不必回复|不做?其他|(?:不|没|没有|未)(?:动|改|变|换|挪)(?=[\s,，]*(?:还是|仍|依旧|照旧))|走不开|抽不开身?
    脱不开身|离不了|没跑了?|错不了|跑不了|少不得|差不了|变不了|改不了|忘了说|别想改|谁也?(?:别|不)|不卖关子
    别的不说|不瞒你说|不折腾|不多不少|不早不晚|不偏不倚|不容(?:更改|商量)|无需多言|雷打不动|没别的
    不\w{1,3}不(?:行|可|成)|非\w{1,4}(?:不可|莫属)|怎么(?:能|会|可能)不|没说的|没得说|不服不行|不多解释|不下雨
    (?:不是|并非|没有|谈不上)不(?:同意|愿意?|想|行|可以|肯|支持|赞成|答应)
    别(?:记|搞|弄|看|写|算|认|听)错|(?:上次|之前|以前|早先|旧的?|老的?)\w{0,6}错了?
    要不(?![是要])(?=\S{1,12}?(?:也|都)(?:行|可以|成|好|凑合))|[推躲甩挪避]不[掉开了过]
    不再是(?:个例|孤例|个案|单独|一台|一例|一个)|不懂再问|没写错|没看错|没记错|不回|没(?:有)?\w{0,2}完(?!成)
    没(?:有)?(?:理由|道理)不|哪能不|谁说我?不
    """,
)

# Between two days of which nobody says which: "3.19 or 3.26".
OR_DAY = re.compile(r"\s*(?:还是|或者?|or|/)\s*(?:on )?")
# ------------------------------------------------------------ denials
# Negators whose scope is what follows, and where nothing does, what stands before them.
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
    谈不上|莫
    """,
)
# Negators that reach forward only: what stands before them is untouched.
NEGATION_AHEAD = _words(
    en=r"""
    no|without|instead of|in place of|in lieu of|rather than|other than|replac(?:es?|ing)|net of|exclusive of
    excl(?:uding|\.|\b)|before(?= tax)|except(?: for)?|as opposed to|as against
    (?:everyone|everybody|anyone|anything|all|everything) but|(?:was|were|am|are|is) wrong (?:to|in|about)
    no need to|needn't|need not|vetoed|scrapped|binned|ditched|nixed|rejected
    declined|refused|(?:decid\w+|ruled|argued|voted|advise|spoke|am|are|is|i'm|we're) against|refrain(?:s|ed|ing)? from
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
    (?<!不)(?:很难|难以|不便|不宜|不肯|懒得|免得|省得|以免|免去|杜绝|谢绝|婉拒|推掉|推辞|回绝|否掉|阻止|反感|抵制|不赞成|不认可|排除)
    """,
)
# A prohibition forbids what follows and leaves what stands before: "拔下来别再用".
PROHIBITS = re.compile(r"(?:[别勿甭莫]|不[要得许准可]|don'?t|never)(?=\W*\w)")
# One that follows another order: "keep a seat and don't be late".
AND_DO_NOT = re.compile(r"(?:\band|\bbut|\bso|[,;])\s*$")
# A dispense that ends its clause, and so is of what stands before it: "围裙不用订了".
DISPENSED = re.compile(r"(?:不用|不必|无需|无须|不需要|用不着|没必要)\w{1,3}(?:了|啦)\W*$")
# Predicates that take back what stands before them: "26 March is cancelled", "那间被占了".
REVOKED = _words(
    en=r"""
    (?:is|are|was|were|been|be|being|got|gets|'s|are all|is already|it's) (?:\w+ )?(?:off|full|taken|gone|dead|
    void|(?:put|is|are|it's) on hold|history|unavailable|impossible|occupied|overbooked|booked(?: up| out| by)|
    blocked|no more|no good|no option|no longer \w+|out of date|off the table|out of the question|ruled out|
    a mistake|a typo|an error|invalid|false|nonsense|rubbish|obsolete)
    cancel(?:led|ed|s|ling|lation)?|called off|scrapped|wrong(?!\s+[a-z])|incorrect|reject(?:ed|s|ing)?
    declin(?:ed|es|ing)|refus(?:ed|es|ing|al)|disagree\w*|unavailable|revoked|withdrawn|retracted|rescinded
    overruled|vetoed|denied|dropped|ditched|shelved|suspended|abandoned|axed|pulled|annulled
    (?:fell|falls|fallen) through|is off|went wrong|out of the question|bit the dust|(?:has|have) expired
    no longer (?:valid|holds?|applies|apply|works?|stands?)|outdated|obsolete|void|doesn't exist
    turned (?:it |that |them )?down|backed out|pulled out|sold out|discontinued|sent (?:\w+ )?back
    let (?:that|it|this) (?:one )?go|handed (?:\w+ ){0,3}to (?!us|me|you)\w+
    (?:is|was|are) (?:reserved|kept|meant|booked) for (?!us|me|you|our)\w+
    (?:falls|fell|goes|belongs|passes) to (?!us|me|you|our|the\b.{0,20}\bus)\w+|promised to \w+ else|then to others
    bumped|given away|reopened
    went to (?:someone|somebody|another|the others?|others|them|the \w+ team)|under renovation|clash(?:es|ed)? with
    chang(?:ed|ing) (?:my|our|his|her|their) minds?|i've changed my mind|snapped up|given to|frozen|parked|nixed
    canned|shot down|knocked back|superseded|overtaken|came to nothing|fell apart|is closed|'s closed|broke down
    struck out|crossed out|taken back|backed away|walked back|thrown out|pulled from
    (?:is|are|was|were|'s) closed|dropped out|went up in smoke|up for grabs|lapsed|struck off|given up|went to waste
    (?:is|are|'s|now|both|times?) (?:free|open|available|up for grabs|vacant) again|freed up|opens? up again
    (?:is|are|was|were|'s|now|all) moot|slot (?:was |has been |is )?given|came undone
    (?:a )?non-starter|a thing of the past|lost in the shuffle|failed to (?:win|get|make|gain|pass|find)|come and gone
    (?:fell|fallen) by the wayside|off the (?:list|cards|agenda|menu)|on the scrap ?heap|down the drain|toast
    ran aground|petered out|kicked into touch|consigned to|(?:thrown|chucked|tossed|gone) (?:overboard|out|away)
    came to (?:nothing|naught|grief)|ha(?:s|ve) to go(?=\W*$)|must go(?=\W*$)|(?:is|are) the last thing|makes? (?:me
    us) (?:cringe|sick|shudder|wince|yawn)|has my (?:objection|veto)|gets my veto|doesn't hold water
    won't do(?=\W*$)
    (?:is|are|was|were|'s|sounds?|looks?|seems?|feels?)(?: (?:just|simply|both|all|such|a bit|rather|plain
    far))* (?:an? )?(?:bad|terrible|
    awful|poor|stupid|silly|horrible|dreadful|lousy|rotten|premature|unrealistic|unacceptable|unsuitable|unworkable
    undesirable|pointless|hopeless|doomed|too early|too soon|too expensive|inappropriate|out of reach
    fiction|fantasy|a fantasy|a myth|a fairy ?tale|a joke|a lie|bogus|a hoax|a dream|made up|not on|a no-no|rubbish)
    (?<!my )idea(?:s)? is bad|won't fly|sounds? wrong|won't wash|leave things as|leaves? me cold|got the chop
    hit the wall
    is anybody's dream|doesn't add up|don't add up
    """,
    zh=r"""
    算了(?=\W*$)|(?:删|划|抹|忘)掉(?=\W*$)|放下(?=[吧了]|\W*$)
    取消|作废|撤销|撤回|黄了|泡汤|吹了|告吹|没戏|落空|停用|被占|占了|占用|占掉|抢[了走]|订满|约满|订走|订出去
    满了|没了|无效|失效|过期|错了|有误|搁置|暂停|中止|终止|叫停|否决|驳回|拒绝|反对|免谈|再议|拉倒|报废|下架
    退掉|推掉|退了|推了|不成立|算了吧|当没|出局|淘汰|行不通|用不了|成不了|不用(?=[了吧啊呀]|\W*$)
    不要(?=[了吧啊呀]|\W*$)|不用管|退回|停产|停售|卖完|售罄|断货|错开|划走|让出去|给了别人|查无此
    被(?:否|占|抢|订|换|改|退|撤|砍|毙|挤|顶|推|拿|收|叫停|打回|驳)|让给|转给|悬了|凉了|崩了|谈崩|没谈成|没谈拢
    被刷|刷掉|让位(?!给我)|打了水漂|落了空|搁浅|成往事|(?<!不是)瞎传|流产|夭折|打住|成空|没排上|没保住|被截胡|鸡飞蛋打
    归(?!我|咱|你|属)\w{1,4}(?:部|组|团队|用|了)(?!我|咱)|换人了|换主|没抢到|没约上|轮不到
    [空让腾](?:了)?出来了?(?=\W*$)|又空了|空下来了|留给(?:了)?(?:别人|他人|别的|其他)
    不用(?:再)?(?:出|付|花|掏|垫)(?:了|钱|\W*$)
    放宽了|作罢|腾出来|腾给|退回来|打水漂|(?<![我咱你])另有安排|另作安排|改作他用|挪作他用|砸了|被\w{1,6}征用|征用[了为当作]
    不妥|不合适|不像话|难听|太早|太晚|还早|早着呢|看悬|够呛|难办|免了|省了吧|站不住|开不成|办不成|做不成|去不成
    没定|没订上|没排上|换掉|拿掉|删掉|去掉(?!税)|划掉|撤掉|(?<!不)否了|都错|全错|不像样|看不上|不感冒|不待见|听听就好|无从谈起|扯淡|胡扯|胡说|扯的
    恐难|难成|被\w{1,3}划|哪门子|门都没有|门儿都没有|打死我?也?不|放弃|无缘|没指望|没希望|没可能|不可能|不作考虑|不予考虑|不考虑|使不得|要不得|用不得|瞎填|瞎写|瞎编|乱写|乱填|胡编|毙\W*$|毙[了掉]|差点意思|担不起|下不来|不下来
    没批|没过(?!来)|翻篇|反悔|推翻|撤下|撤掉|砍掉|关门|歇业|装修|维修中|改主意|变卦|打回|不作数|冻结|封存
    给\w{1,5}(?:用|占)(?:了|掉)|被[\w～]{1,4}(?:包|占|订|抢|借|征用)|谣言|误传|误会|假消息|不实|乌龙
    """,
)
# Predicates that move a thing away: what stands before them was, unless something stands behind.
MOVED_AWAY = _words(
    en=r"postponed|rescheduled|put off|pushed back|moved away|moved out|delayed|deferred",
    zh=r"推迟|延期|延后|改期|错开|改时间|改日子|往后推|挪走|改掉",
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
    (?:(?<![一-鿿])[这那该]|(?<=[但过])[这那]|上面|上述|以上|前面|刚才|刚刚|它)(?![样么])(?!\w{{0,3}}[旧老])\w{{0,8}}?(?:{_UNDONE_WORDS_ZH})
    (?:收回|撤回|推翻|否了?|撤了|废了?|取消)了?(?:这|那|前|上|刚|它)\w{{0,6}}\W*$
    把(?:这|那|它|上|前|刚)(?!\w{{0,3}}[旧老])\w{{0,8}}?(?:退|撤|否|推翻|收回|打回|改掉|废|取消|作废|换掉|删|划)
    (?:位子|座位|名额|位置|时段|房间|座)(?:你|就|也|先)?(?:放掉|放了|让掉|让了|退掉|给别人|别留|不用留|让给)
    (?<![我咱你])另有安排|另作安排|另作他用|[改挪]作[他别]用|^\W*(?:都|全)?(?:作罢|黄了|泡汤|告吹|凉了)
    ^\W*(?:刚|后来|结果|谁知|可惜|没想到|不料)\w{{0,12}}?(?:{_UNDONE_WORDS_ZH})
    """
)
# A sentence or clause of its own that takes back what was said before it.
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
    ^\W*(?:but |so |please |just |let's |better )*{_DROPS} (?:it|this|that)\b
    ^\W*(?:well,? no|let's not|not true|untrue|not so|not any ?more)\W*$
    ^\W*(?:but )?{_NOT_OLD_EN}(?:\w+ ){{1,3}}(?:was|is|were|are) (?:wrong|mistaken|misinformed|outdated|in error)\W*$
    ^\W*{_OWNS_UP_ZH}(?:刚|又|可能)?(?:记|看|抄|写|发|听|查|算|搞|弄|数|读|转|贴)(?:错|串|混|岔|反)了?\w{{0,2}}\W*$
    ^\W*(?:表里|群里|日历里|单子上|文档里|邮件里)(?:那个|写)?\w{{0,2}}(?:是|都)?错的?\W*$
    ^\W*(?:先|就|还)?等(?:新的?|更正|重新|改好|下一?[版条]|后续)\w{{0,4}}\W*$
    ^\W*(?:但|不过|可是?)?(?!没人|没有人|谁)\w{{1,4}}(?:不|没|未)(?:同意|答应|批准?|认|点头|松口|买账)了?\W*$
    ^\W*(?:但|不过|可是?)?(?:情况|计划|又|事情)?有变[化动]?\W*$|^\W*(?:但|不过|可惜)?没[成谈批戏](?:成|下来|拢)?了?\W*$
    ^\W*(?:这条|请|上面|刚才|以上)?\w{{0,3}}(?:忽略|无视)\W*$
    ^\W*(?:所以|因此|故|就|先)?(?:都|一律)?不(?:计|计入|计数|算数|算在内|算进去|列入|纳入|作数)(?:了|吧)?\W*$
    ^\W*(?:\w{{0,4}}后)?不是(?:这个|这种|同一个?|此)(?:毛病|问题|故障|情况|原因|事|案子|回事)\W*$
    """,
    en=r"""
    (?:real|actual|true|newest|latest|correct) (?:number|figure|count|price|date|day|hour|time)s? (?:is|are|was|were)
    has (?:an? )?(?:newer|new|fresher?|different|better|lower|higher) (?:number|figure|count|price|date|hour|one)s?
    recount\w* (?:pending|due|under ?way|ordered)|(?:double|half|twice) (?:that|this|it)(?=\W*$)
    (?:these|those|they)(?:'re| are| were) (?:only )?(?:last|old|the old|yesterday's|outdated|targets|guesses)
    (?:counter|sheet|table|source|meter|export) (?:was|is|had been) (?:broken|down|stale)
    (?:find|look for|pick|choose|need|want|get) (?:another|something else|somewhere else|elsewhere)(?: one)?(?=\W*$)
    talked (?:us|me|him|her|them|everyone) out of (?:it|that|this)|didn't survive|(?:nobody|no one) wants (?:it|that)
    (?:sold|let|rented|gave|promised|assigned|lent|passed) (?:it|that|them) (?:on )?to (?:an)?other
    (?:sold|let|rented|gave|promised|assigned|lent|passed) (?:it|that|them) (?:on )?to (?:someone|somebody)
    look(?:ing)? for (?:another|a new|a different)|misread(?! nothing)|misheard|misremembered
    miscopied|misquoted|miscounted
    (?:find|pick|choose|need|want|set|fix) (?:another|a new|a different) (?:day|date|time|hour|slot|room|place|number)
    mixed (?:it|this|that|them|things|\w+) up|got (?:it|that|this) wrong
    wrong (?:thread|channel|group|chat|sheet|row|line|column|file|tab|table|one)
    what it used to be|(?:isn't|is not|not) so any ?more|no longer so|remembers? (?:it|that) (?:differently|otherwise)
    says? otherwise|(?:sees?|tells?) (?:it|that) (?:differently|otherwise)|begs? to differ
    new (?:one|date|day|time|hour|slot|room|place|number|figure)s? (?:will|to|is to|are to) (?:follow|be|come)
    (?:don't|do not|never|can't) (?:act|rely|count|build|bank|plan) on (?:this|it|that)
    (?:don't|do not) (?:use|take|go by|trust|quote|forward) (?:this|it|that)\b
    (?:wait for|expect|await) (?:the|a|my|our) (?:correction|update|new \w+|revised \w+)
    (?:moved|changed|postponed|pushed|shifted|swapped) (?:it|that|this|things) (?:\w+ )?(?:again|since|back)
    (?:been|was|got) (?:moved|changed|postponed|rescheduled|pushed|shifted|swapped|corrected) (?:again|since|afterwards)
    (?:someone|somebody) else (?:grabbed|took|has|got|snapped|booked)|beat us to it
    (?:pulled|dropped|backed|bailed|ducked|stepped) out|can't (?:make|do|take|keep) it after all
    (?:won't|will not|isn't going to|not going to) (?:work out|happen|take place|go ahead|come off|be)
    no (?:day|date|time|number|slot) (?:at present|any more|now|yet)
    said no|has said no|says no|vetoed|threw a spanner|fell ill after all
    """,
    zh=r"""
    [又已]经?(?:改|变|挪|动|换|推|撤)了(?!\w)|得?另约
    重新(?:定|约|选|排|报|找|商量|谈|议)(?!好|过|完|了\w)|要重[来定约排]|得换(?=\W*$|个|一|到)
    [那这都]是\w{0,4}(?:上周|上个月|昨天|前天|早先|老早|以前|之前|去年)\w{0,2}的(?:说法|安排|事|口径|数|计划|版本)
    不是这[个样]了|不是这么回事|已经不算|早不算|不算数|先?别(?:按|照|用|信|当|记|传|管)(?:这|它|那)|改口|改主意
    变卦|反悔
    被\w{1,4}(?:否|毙|打回|叫停|撤|推翻|取消|换|顶|抢)|计划赶不上变化|搞乌龙|闹乌龙|发错群|看错行|来不了了
    有新的?(?:数|口径|日期|时间|说法|安排)|口径又?变|实际上?(?:没|不)\w{0,3}这么|(?<!没)(?<!没有)水分
    比这(?:少|多|高|低|早|晚)
    [这那]\w{0,3}(?:别|不能|不可以?)(?:用|信|引|当真)|后来就?没(?:成|用|要|选|定|去|办|做|订|买)
    """,
)
# When something was lately done: a day that a sentence names only in passing.
LATELY = re.compile(
    r"yesterday|today|tonight|this morning|last \w+|昨[天晚夜日]|今[天早晨日晚]|前天|上周\w?|刚才|周[一二三四五六日]"
)
# Nobody knows: said of what was asked, it means that the rest is about something else.
UNKNOWN = _words(
    en=r"""
    (?:has|have|had|got|there is|there's|with) no (?:day|date|time|number|figure|version|room|price)s?(?: yet)?
    (?:no|not a) (?:day|date|time|number|version|room|price) yet|could not find|couldn't find|unknown|not in my calendar
    didn't (?:note|write|find)
    """,
    zh=r"""
    没写|没记|没量|没查到|没找到|还没数|没有?日子|没有?时间|另说|另外通知|另行通知|还空着|未知|没填|没写过
    查不到|找不到
    """,
)
# What stands beside a name that is only spoken to.
GREETING = re.compile(r"[\W_]*(?:(?:hi|hey|hello|dear|morning|thanks|thank you|你好|您好|早|嗨|谢谢|老师|好)[\W_]*)*")
# A label's answer: "Arrived: no", "税：不含".
LABELLED_NO = re.compile(r"\W*(?:no|not yet|none|nope|never|不含|不|否|没有?|还没有?|尚?未|无)\W*$")
# Adds something to what was asked.
ADDING = _words(
    en=r"also|too(?! [a-z])|as well|plus|besides|in addition|on top|another|and wants|joining",
    zh=r"另外|另加|另有|顺便|顺带|还(?:有(?!疑问|问题|什么|事|空|戏)|[会写给]|要(?!赶|忙|去|开))|也(?=来|去|要|会|有|给|算|能|可以|得|参加|加|带|请|订|发|约)|再加|加上|同时|外加",
)
# Tells a story.
PAST = _words(
    en=r"""
    was|were|had|did|used|yesterday|earlier|before|since|until|till|after all
    last (?:week|month|year|night|time|minute|\w+day|evening)|at last|by now|in the end|keeps
    any ?more|once|bounced|slid|superseded|gone|instead|stands|reads? better|took over|taken
    """,
    zh=r"""
    昨|之前|曾|过|原(?![费价件样文话因则图])|刚|后来|结果|征用|收回|放掉|归档|照常|如今|重画|重排|改主意|没谱|到底
    反而|又|了
    """,
)
# Narrows what is said to a part of it.
RESTRICTED = _words(
    en=r"""
    only(?= (?:for|to|in|on|at|by|with|from|if|when|after|once)\b)|only(?=\W*$)
    alone(?<!left alone)(?<!let alone)|except|apart from
    """,
    zh=r"只(?!要|是(?!给|对|限|在|针对)|不过|有[\d一二两三四])|仅(?!仅)|光是|单单",
)
# By now.
ALREADY = _words(
    en=r"already|finally|by now|this morning|today|in the end|since then|afterwards|the same \w+",
    zh="已经|已|终于|总算|刚刚|今天|当晚|当天|随后|之后就|后来",
)
# A predicate behind a time or a name that nobody knows: "3月26日10点凉了", "26 March got bumped".
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
# Promises and threatens something.
COMMITS = _words(
    en=r"""
    promis\w*(?! (?:to be|not to|i'll|me|it))(?!\W*$)|guarantee\w*|for free|free of charge|discount|
    refund(?:ed)? in full|lawyer|penalt(?:y|ies)|fined|fines
    compensat\w*|offer letter
    """,
    zh=r"""
    答应|承诺|保证|免费|赔偿?|罚|扣(?!押|掉|除|减|完|去|了)|全额|立减|打折|[一二三四五六七八九]折|律师|offer|送你
    送他|送她
    换(?:你|您)?一[台个只]
    """,
)
# What stands beside a value makes it somebody else's, or another thing's.
ANOTHERS = _words(
    en=r"""
    another(?! (?:one|day|hour|time|thing|of|word|question))(?= \w)|(?:someone|somebody) else's|(?:for|by
    with) (?:someone|somebody) else
    (?:the |an? )?other (?:group|team|party|people|crew|branch|shop|office|company|lamp|model|version|room|candidate
    hall|class
    guests?|launch|event|product|project|department|floor|building|account|post|note|customer|creator|supplier|line|desk)s?
    competitors?(?:'s?)?|rival (?:firm|brand|company)|(?:supplier|landlord|vendor|customer|client|neighbou?r|bride
    groom|agency|factory|bank)'s
    (?:my|his|her|their|your) (?:own )?(?:cousin|sister|brother|friend|mother|mum|dad|father|aunt|uncle|boss
    neighbou?r|wife|husband|flatmate)(?:'s)?
    (?:the )?(?:bride|groom|best man|candidate|customer|supplier|landlord|second group|third group|first group
    second team) (?:has|have|gets?|meets?|needs?|books?|wants?)|(?:drinks|dinner|lunch|party|briefing|training
    talk) (?:after|before|for|about)|pre-?read\w*|read-?through|tech check|sound check|walk-?through of the venue
    (?:bre?akfast|sunrise|sunset|check-?in|gate check|check-?out|boarding|ticket sale) (?:is|at|opens?|ends?|starts?
    in|from)|dry[ -]run|rehearsal|retro(?:spective)?|debrief(?:ing)?|follow-?up|post-?mortem|kick-?off|pre-?meeting
    prep (?:meeting|call|session)
    (?:meeting|call|session|party|lunch|dinner|drinks|gathering|review) (?:before|after|that prepares|to prepare
    following)|warm-?up|after-?party
    preparation (?:of|for)|material review|last (?:year|quarter|month|season|summer|spring)'s|next (?:year|quarter
    month)'s|last (?:year|season|autumn|spring|month)|next (?:year|season)|next time
    (?:previous|older|earlier|next|second|last) (?:generation|model|batch|edition|round|campaign|launch|trip)
    (?:beta|alpha|trial|pilot|demo|internal test)
    (?:ticket office|shop|store|bus|train|shuttle|gate|counter|cafe|bar|museum|office) (?:\w+ ){0,4}(?:opens?
    closes?|leaves?|departs?|arrives?)
    (?:followers?|visitors?|viewers?|views|visits|clicks?|looked at|follow us|in stock|on stock|warehouse
    were returned|came back)
    goes (?:in)?to review|(?:is|gets|be|are) (?:submitted|uploaded|reviewed|tested|compiled)|enters? (?:beta|alpha
    testing|review)|submission|testing (?:starts|begins)|code freeze|feature freeze
    """,
    zh=r"""
    另一(?!方面)[个家位台张间场队组款场条份盏]?|另外[一那][个家位台张间场队组款条份盏]?|别[的家](?!\w{0,3}(?:不变|照旧))|别人的|其他(?:人|组|队|部门|家|公司)|他们(?:那|队|组|公司|家|自己)|她们(?:那|队|组)
    隔壁(?:组|队|桌|公司|部门|家|品牌|岗位|店|团队|班|房间|那)|第[二三四]队|别的|给客户|(?:新加坡|柏林|深圳|东莞|北京|欧洲|日本|美国)(?:办公室|那边|分部|分公司|站)|竞品|竞争对手|对手(?=家|的|公司)|友商|同行(?=[的家])|(?:供应商|房东|客户|代理商|工厂|银行|新娘|新郎|伴郎|邻居|同事|朋友|闺蜜|妈妈|爸爸|表[哥姐弟妹]|堂[哥姐弟妹])的|我[妈爸姐哥弟妹]的?
    去年|前年|明年|上次|下次|上回|下回|[上下]周那|上个月那|下个月那|上一[届代批期轮]|下一[届代批期轮]|预备会|预演|彩排|复盘|庆功|答谢|会前会|会后|材料\w{0,2}(?:评审|预审)|预热会|茶话会|后续会|跟进会|评审材料
    内测|公测|试运行|提交给|交给苹果|开始(?:灰度|测试|预售|内测|施工)|排练|走台|庆功宴|聚餐|团建|培训|尾款|定金|做头发|做指甲|化妆|试妆|取鞋|取货|看场地|拍照|试穿|日出|日落|早餐|开张|开店|取关|压在仓库|打开了邮件|点开|提审|送审|提交审核|封版|开门(?!红)|开闸|检票(?!口)|发车|到站|在库|库存|关注(?!一下)|浏览|看过(?!了)|点击|访问|退货|退回来|出库|卖出
    """,
)
# Another generation or kind, by its letter and number: "S1 的", "S1:".
OTHER_CODE = re.compile(r"(?<![a-z\d])(?![vqph]\d)[a-z]\d(?![\da-z.])(?='s| ?的| ?[:：]|,)")
COUNTRIES = _words(
    en=r"""
    malaysia|malaysian|singapore|thailand|thai|indonesia|vietnam|philippines|japan|japanese|korea|korean|india|australia|europe|european
    europe's|germany|german|france|french|britain|british|london|paris|tokyo|america|american|canada|new york
    hong kong|taiwan|macau|berlin
    munich|italy|spain|brazil|mexico|dubai|the (?:us|uk|eu|states|netherlands|gulf)|guangzhou|shenzhen|hangzhou
    chengdu|nanjing|wuhan|beijing
    """,
    zh=r"""
    马来|大马|新加坡|泰国|印尼|越南|菲律宾|日本|韩国|印度|澳洲|澳大利亚|欧洲|德国|法国|英国|美国|加拿大|香港|台湾|澳门|柏林|伦敦|东京|意大利|西班牙|巴西|中东|北美|南美|东南亚
    北京|广州|深圳|杭州|成都|南京|武汉
    """,
)
# Where something goes or comes from says nothing of whose it is.
ON_THE_WAY = re.compile(r"(?:\b(?:to|from|via|through|into|in from)|[到往去从飞发寄运])\s*$")
# The writer gives, pays, brings or arranges something.
OFFERS = _words(
    en=r"""
    (?:i'll|i will|we'll|we will|i can|we can|let me|i'm going to|i'd|i am
    i'm)(?: also| even| gladly| happily| personally| just| then| certainly)* (?:bring(?:ing)?
    pay(?:ing)? (?:for|your|the|it|you|them|us|him|her|everybody|everyone)|treat
    buy(?:ing)?|invit(?:e|ing)|giv(?:e|ing) (?:you (?!a call|a ring
    a shout|a hand|a hint)|them|everybody|everyone|him|her|away)|lend
    sponsor(?:ing)?|refund(?:ing)?|reimburs(?:e|ing)|throw(?:ing)? in
    cook(?:ing)?|bak(?:e|ing)|drive you|pick you up|ship you|send you (?:mine|one|two)
    order(?:ing)? (?:\w+ )?(?:more|another|extra|\d)|double|raise|lower|hire|fire
    cover(?:ing)? (?:the|your|all|for|everybody)|add(?:ing)? (?:another|an extra|\d)|extend|waive|upgrade|donate
    host(?:ing)?|cater|book(?:ing)? (?:you|a|us) )
    (?:is|are|all|it's|that's|drinks|lunch|dinner|coffee|breakfast|beers?|cake) on me|on the house|my treat
    free of charge|for free|at no (?:extra )?(?:cost|charge)
    tags? along|tagging along|comes? along|coming along|put \w+(?: \w+)? (?:on the list|down) (?:too|as well)|(?:on
    to) the list(?:,)? (?:too|as well)
    (?:my|his|her|our) (?:sister|brother|friend|mother|wife|husband|boyfriend|girlfriend|kids?|son|daughter
    colleague|flatmate|cousin|boss)s? (?:is|are|will|'ll|comes?|joins?|wants|wanna)
    (?:two|three|four|five|some|a few|a couple of) (?:friends|colleagues|people|guests
    others) (?:of mine )?(?:will |are )?(?:com(?:e|ing)|join\w*)|give (?:everybody|everyone|them all|you all
    all of you)
    mention (?:my|me)|use my (?:name|code|card)|(?:get|take|takes|gives?|knock) (?:you )?(?:\d+ ?% )?(?:a discount
    off)|half[- ]price|for half|second one
    """,
    zh=r"""
    我(?:再|也|还|就|会|来|先|可以|去|要|准备|打算)?(?:带(?!头|队|薪|宽)|请(?!假|问|教|求|你|您|大家(?!吃|喝))|买单|埋单|包了|全包|出钱|出资|付钱|垫付|垫上|代付|承包|掏腰包|报销|赞助)|我(?:给|帮|替)(?:你|您|你们|大家|他|她|他们|她们|咱们)\w{0,2}(?:订|买|带|寄|送|做|报名|报销|出|付|加|涨|升|占|抢)
    (?:顺便|顺带|另外|再)?(?:帮|替|给)\w{1,4}(?:也)?(?:报个?名|占个|订个|买个|订一|买一|报一|留一)(?<!我留一)(?<!我占个)(?<!我订个)|(?:钱|费用|开销|咖啡|车费|饭钱|单)\w{0,2}(?:我(?:来|全|都)?(?:出|付|包|掏|买)|算我的)|算我账上|记我账上|我请客|我做东|请大家(?:吃|喝)|请(?:你|你们|客)(?:吃|喝)
    (?:我(?:妹|姐|哥|弟|妈|爸|老公|老婆|朋友|闺蜜|同事|男友|女友|室友|女儿|儿子)\w{0,2}|他|她|他们|徐然|另有人|朋友们?)也(?:要|想|会)?(?:来|去|到|参加)|(?:带|叫)(?:上|个|俩|两个|几个)\w{0,3}(?:朋友|同事|人|妹|姐|家属)|我的(?:\w{0,3})?(?:寄|送|给|借)给?你|(?:寄|送|借)给你(?!了)|白送|倒贴
    报我(?:的)?(?:名字|名|码)|便宜\d+|半价|优惠\d|减\d+块|返现|买一送|预算\w{0,4}(?:再?加|追加|增加|砍|减)|追加\w{0,3}\d|涨薪|加薪|升职|奖金
    """,
)
# Words that say nothing about what a text is about.
COMMON = frozenset(
    re.findall(
        r"\S+",
        """
        the and for you are was has have had not but with from this that they what when which there here its date time
        day number yet now one all any 时间 日期 现在 已经 一个 这个 那个 什么 没有 知道 告诉 还没 我们 他们 今天 明天
        """,
    )
)
# Between two things of a kind: the second replaces the first.
CORRECTION = re.compile(
    r"(?=\W*\w)^\W*(?:oh|ah|er|uh|um|no|wait|sorry|hold on|well|i mean|i meant|make that|correction|scratch that|my bad"
    r"|oops|actually|or rather|nope|pardon|typo|slip|wrong (?:line|row|one|day|number|cell|date|time)|\W)+\W*$"
    r"|^\W*(?:哦|啊|呃|哎)?(?:不|不对|不是|错了|说错了|写错了|打错了|手滑|笔误|看错了|看串了|口误|更正|纠正"
    r"|抱歉|等等|等下|我是说"
    r"|应该是|更正一下)\W*$"
)
CORRECTION_OPENS = _PREFILTER.words(
    r"^\W*(?:(?:oh|no|wait|sorry|er|uh|oops|actually) )*(?:i mean|i meant|make that|(?:or )?rather(?! than)"
    r"|correction|should be|i should say)\b"
    r"|^\W*(?:不对|错了|说错了|口误|更正|我是说|应该是|哦不)"
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
    r"|生效|办|开|做|发生|买|选|拿|信|订|付(?!款))|^\W*(?:了|啦|啊|的|呢)?\W*$"
)
# ------------------------------------------------------------ uncertainty
# Of whom a hedge speaks that is about none of what was said.
OTHERS = re.compile(
    r"^\W*(?:(?:all |the )?others?|the rest|(?:everything|everyone|anything) else|the remaining|remaining"
    r"|其[他它余]|剩下|剩余|别的|另外的?|余下)"
)
HEDGE = _words(
    en=r"""
    maybe|perhaps|possibly|probably|presumably|conceivably|potentially|might|may (?:well )?be
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
    couldn't find|(?:reckons?|figures?|guess\w*) (?:it|that|so)|(?:a )?(?:pinch|grain) of salt|in my head
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
    再确认|再核实|再问问|要查一下|得查一下|待定|待确认|待核实|拿不准|说不准|估计|大约是|恐怕|应该是[^，。]*吧
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
    说不好|说不定|说不准|讲不好|没数|没谱|心里没|拿捏不|摸不准|摇摆|犹豫|纠结|考虑(?:中|改|换|用|把|放)|在想|琢磨着|(?<![的意你您])倾向于?|偏向|暂且|暂先|暂时(?![没不与和跟走先])|先这样|先按|姑且|先占|先报|来不来再说|去不去再说|不敢打包票|不打包票|没十足|没百分|不百分|差不多(?=就|是|定|可以)|基本(?:上)?(?=确定|定|可以|同意|就|是|没)
    目前的?(?:想法|打算|设想|思路|看法)|大体(?:如此|上|就)|大抵|没有?百分(?:之)?百|没有?(?:十足|绝对)?(?:的)?把握|心里(?:打鼓|没底|发虚)|打鼓|先这么定着|回头再|暂且|摸棱|两可|一半一半|五五开|看着办|到时候再说|再看吧|届时再
    (?<!不)也许|搞不好|弄不好|指不定|备不住|没准|或者吧|应该(?=没错|没问题|不会|就是|会|能|吧)|似乎|看似|疑似|不太敢|记不太|记得(?:好像|大概|似乎)|没查|没去查|未查|没细看|没仔细|凭感觉|蒙的|瞎蒙|随口|随便说|信口
    """,
)
# Denies what follows, and what stands before stands: "10:30 (no, not 11:30)".
NOT_THE_OTHER = re.compile(r"\W*(?:not\b|don't\b|never\b|不是|并非|别|不要|而非)")
# Goes on with what is denied.
ALSO_NOT = re.compile(r"\W*(?:or|nor|and|also|neither|也|和|或|以及|还有)")
# A target is no doubt where the target was asked for: "which day should it be there?".
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
# A day or hour that is only roughly so.
ROUGHLY_BEFORE = re.compile(
    r"(?:\b(?:around|roughly|approximately|circa|sometime (?:on|around)|somewhere around)|大概|大约|约莫|约)\s*(?:在|是"
    r"|the)?\s*$"
)
# "Half an hour earlier than 10:30", "比10:30早半小时".
COMPARED_TO = re.compile(
    r"(?:hours?|minutes?|mins?|days?|weeks?) (?:earlier|later|sooner|before|after) than(?: the)?\s*$"
    r"|比(?:原来的?|原定的?)?\s*$"
)
ROUGHLY_AFTER = re.compile(r"^\s*(?:or so\b|or thereabouts|-?ish\b|左右|上下|前后(?!都))")
BA = _PREFILTER.words(r"(?:是|应该|大概|估计)[^，。]{0,20}吧\W*$")

# ------------------------------------------------------------ questions
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
# A request put as a question: what is to be passed on is asserted.
REQUEST = _PREFILTER.words(
    r"^\W*(?:please |pls |todo:? )?(?:ask|find out|check with|enquire|inquire|collect|gather)\b(?! (?:me|us)\b)"
    r"|^\W*(?:去|请|帮忙|替\w{1,3})?(?:问(?!题)|打听|征求|请教|收集)"
    r"|\b(?:could|can|would|will) you (?:please |kindly )?(?:pass (?:it |this )?on|tell (?!me\b|us\b)"
    r"|let (?!me\b|us\b)|forward|note|spread|put|write|add"
    r"|remind|mark|save|hold|block|(?:reply|answer|respond|write back)(?! (?:if|whether|when))"
    r"|get back to (?!me\b|us\b)|set (?:it|them|this|that) (?:straight|right)"
    r"|correct (?!me\b)|post (?:it|this|that)|mind (?:telling|passing|letting|noting|adding|replying|answering))"
    r"|(?:能|可以|麻烦)(?:不能|你|您|帮我|帮忙|请)*(?:转告|通知|跟\w{1,6}说|告诉(?!我)|记一下|写上|加上|改成|挪到|改到)"
    r"|[你您](?:去|来|帮忙|帮我)?(?:回|答|发|说|纠正|更正|澄清)(?:她|他|一下|一句|一声|个话|下)"
    r"|[你您]去?(?:回|说|改|补|提|发|记)一?[句下声条](?=[^\w]*$)|^\W*ask \w+(?: \w+)?\s*:"
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

# ------------------------------------------------------------ alternatives
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
# "还是" offers another only where it follows the first at once; elsewhere it means "still".
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

# ------------------------------------------------------------ values of before
FORMER = _words(
    en=r"""
    (?:was|were)(?= from an? earlier| too early)|used to be
    first (?:quoted|named|put|stated|given|posted)(?= (?:as|at|with)\b)
    (?:started|began) (?:out )?(?:at|with|from)|previous(?:ly)?|former(?:ly)?
    original(?:ly)?|old|initial(?:ly)?|once was|had been|at first|in the past|back then|until now|up to now
    (?:first|earliest|early|starting) (?:figure|number|guess|price|quote|count|estimate|value|reading|rate)
    hitherto|erstwhile|first planned|first announced|earlier (?:plan|date|version|time|number|figure|draft)
    no longer|last (?:year|month|week|time|round)'?s?|it was once
    before (?:it was|that(?! \w+ (?:the|it|your|that|this|and)\b))
    (?:would|should|could) have been|at the (?:start|beginning|outset)|in the beginning
    (?:we|i|they|he|she) (?:said|wrote|announced|told|promised|planned)(?= .{1,30}\bfirst\b)
    (?:moved|shifted|taken|away) off
    when (?:it|this|that|the \w+) (?:started|began|opened)|(?:at|from) (?:its|the) start
    on (?:the|its) first (?:day|hour)|was(?= [^,;]{1,40}\b(?:till|until)\b)|had(?= [^,;]{1,60}\bbefore\b)
    (?:'d|had) (?:agreed|pencilled|hoped|settled|aimed|booked|planned)(?= (?:on|for|to|with)|\W|$)
    (?:was|were) (?:all )?(?:set|headed|on course|on track|bound) for
    'd pencilled
    back when|when (?:i|we) last (?:looked|checked|counted|asked)|at one (?:point|time)|once upon
    for (?:an?|one|two|a few|some) (?:hour|day|week|while|moment|minute|night)s?(?=.{1,40}\b(?:was|were|had)\b)
    (?:i|we|he|she|they) (?:did|used to) (?:prefer|like|want|plan|say|agree|approve|favou?r)
    'd have (?:been|liked|loved|preferred|said|agreed|taken)|once offered|once (?:planned|promised|said|agreed|wanted)
    (?:was|were) (?:going|about|meant|supposed|planning|hoping) to|had (?:planned|meant|wanted|hoped) to
    nearly (?:had|got|moved|went|made)|almost (?:had|got|moved|went)|(?:in|on) (?:the|our|my|your) (?:first|old
    earlier|previous|original) (?:invitation|invite|plan|list|sheet|version|draft|mail|email|post|message|answer
    guide|map)|(?:my|our|his|her|their|your) (?:earlier|previous|first|old|last) (?:answer|reply|plan|word|post
    version|message) (?:was|were|said)|as of (?:january|february|last (?:year|month|quarter))|in (?:january|february
    december|november|october|autumn|winter|last \w+)(?= .{0,40}\b(?:was|were|had|stood)\b)|did have
    (?<!is )(?<!are )(?<!'s )meant to (?:come|go|ask|be|take|have)
    before the (?:price )?(?:rise|hike|cut|drop|reform|change)
    once(?=\W*$)
    two \w+ ago|ages ago
    until (?:yesterday|last \w+|recently|this morning|lately|january|february|the \w+ came)|up (?:to
    until) (?:yesterday|
    last \w+|recently|now|this morning|then|friday|monday)|in (?:those|the old|former|earlier|the good old) (?:days
    times)
    back in (?:the day|those days|january|february|the \w+)|at that (?:point|stage)(?=.{0,20}\b(?:was|were|had)\b)
    in the day|no sooner had|(?:in|under|by|with|on) the (?:old|previous|former|last|first
    earlier) (?:\w+ )?(?:handbook|rules?|plan
    guide|version|regime|management|price list|policy|contract|scheme|system|calendar|schedule)
    before (?:the|our|its|their|helen's|his|her) (?:cut|change|move|rise|switch|update|increase|decrease|raise
    reform|revision
    merger|relaunch|redesign|correction|recount|audit|crisis|vote)s?(?=\W|$|.{0,12}\b(?:was|were|had|it)\b)
    used to (?:\w+ )?(?:be|stop|run|say|have|cost|pay|sit|stand|meet|start|mean|apply|get|come|go|want|like|use|take
    charge|ask)
    (?:had|'d) (?:\w+ )?(?:wanted|asked|told|thought|said|intended|expected|wished|preferred|liked|chosen|picked
    decided|set
    fixed|placed|scheduled|arranged|planned|named|promised|offered)
    (?:was|were) (?:our|my|his|her|their|the) (?:\w+ )?(?:first|initial|original|old|earlier|early) (?:\w+ )?(?:idea
    plan|thought|choice|date|wish|proposal|intention|target|offer)
    (?:was|were) (?:originally|initially|first|once|formerly|previously|slated|scheduled|earmarked|tipped|supposed
    intended)|(?:was|were) (?:\w+ ){0,3}(?:at first|back then|in those days|before that|until|till)
    as things stood|in a (?:former|previous|past) life|long gone|years ago|months ago|weeks ago|of yore
    the way it was|in its day|time was when|(?:in|as of|per) (?:v1|v2|the first version|the first draft)
    would have (?:gone|moved|met|started|taken|had|come|seen|got|paid|stopped|run|used|liked|loved|preferred|kept|saved)
    """,
    zh=r"""
    (?:原来|原本|原先|本来|原想|本想|最初|起初|当初|开始|之前|早先|先前|差点(?:就|儿)?|险些)\w{0,8}?(?:要|想|是|打算|说|就|准备|该)?[改换挪搬移调](?:到|成|为|在)
    (?:原来|原本|原先|本来|最初|起初|当初|之前|早先|先前)\w{0,6}?应该是|险些|早几天|前几天(?=.{0,6}[还想说是定])|前(?:阵子|些天|段时间|不久)|(?<!不)老早(?=[就说定])|(?:\b|这|那)前一?阵
    (?<=[价版整改砍并搬涨降调换迁编动线])(?:之|以)?前(?=\w{0,3}是)|第[一二]版(?!的?话|起)|首版|一稿|初稿|老(?:手册|规矩|版本|方案|计划|日程|口径|安排|指南|价)|旧(?:手册|规)
    改(?:版|价|组|期|革|动)(?:之|以)?前|涨价前|降价前|调整前|搬家前(?=\w{0,3}是)|早年|昔日|往年|早前|先前|以往|先头|一度|前[一两几]天(?=.{0,4}[还想说是定])|上一封|上一条|头一[版回次封]|(?:一|二|三|四|五|六|七|八|九|十|十一|十二)月份?那时|上次的|上回的|(?:调整|改动|变动|涨价|降价|修改|改版|搬家)(?:之|以)?前|前年|头年|当年|那年|彼时|曩|想当初|犹记得|有过|要不是\w{1,8}[，,]?就|若非
    去年底?|上半年(?=[还是])|年初(?=[还是定])|月初(?=[还是定])|(?<!从)(?<!自)一直(?:是|都)(?=[^，。]{1,20}(?:直到|到\w{1,4}才|后来))
    原来|以前|此前|先前|原定|原先|(?<![按照跟同和])原计划|原本|本来|旧|曾|老的|当初|起初|最初|最早(?=[是定说])|早先|从前
    (?<![打走来回寄送转发搬开穿说看过拨跑])过去(?=[是定写的])|上一版|上个?版|头一版|上次(?=[是定说的])|去年|前一版|一开始|开头(?=[是定说])
    最初报|一开始报|起初报|先前报|先报的
    上个?(?:月|周|季度|星期|礼拜|回)(?=[是还定])
    (?<![点日号天年月周半分钟\d])之前(?=[是写定说的在报发讲约订通记放算当一都还就本倒])|刚开始|开始(?:时|那天|的时候)|头一天
    原是|旧版|初版|老版|(?<![按照跟同和])原(?:方案|设想|计划|安排|版本|版|稿|打算|想法|定价|议程|口径)
    (?:那会儿|那时候?|那阵子?|当时)(?=[还说定写报讲约想])|头天
    (?<=[条篇个位盏台天])之前(?=\s*\d)|原想|刚才还|昨天还|上周还|本想|本打算|差点(?:就|儿)?|一度
    """,
)
# "Up to B from A", and what brings A to B by now.
UP_TO = re.compile(
    r"\b(?:up|down|risen|rose|grown|grew|climbed|jumped|went|gone|fallen|fell|dropped|raised|cut|lowered|moved|changed)\b[^,;]{0,24}$|\b(?:to|at)\W*$"
)
UP_FROM = re.compile(r"\bfrom(?: \w+'?s?){0,3} ?$")
BY_NOW = re.compile(r"(?:已经?|现在|如今|又|都|刚|\bnow|\bsince|\bhas|\bhave)\s*$")
# Between "原来" and a name: what it is told to be now, where it is a thing of its own ("原来的舷窗就是小湾") and no
# plan, hour or place of before ("原来的时间是10:00").
NOW_IS = re.compile(
    r"(?:原来|原先|以前|之前|先前|从前|旧)的?(?!\w{0,3}(?:时间|日期|日子|时段|计划|方案|安排|地点|地方|房间|会议室|价|数|版|说法|预算|额|目标|人选|[定说写选讲约订想报填用]))"
    r"[^,，。]{1,8}?(?:就?是|对应的?是?|变成了?|换成了?|改叫|→)\W*$"
)
# "Otherwise": the sentence before is one of two ways.
OTHERWISE = re.compile(r"\W*(?:otherwise|else|if not)\b|\W*(?:否则|不然|要不然)")
# Adjectives, which reach no farther than the next value: "the old price of 599".
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
    (?:那|都)是(?:上周|上个月|昨天|前天|早先|老早)的(?:事|安排|说法|口径|数)
    (?:是|为|属于)旧|(?:已经?|都|更|太|就|早|数|这个?|那个?)旧(?:了|\W|$)|旧[价数值][^\w]*$|过时(?![不请罚要得者])|作古|过期|老黄历
    是(?:头一[回次版]|第一[版次]|调整前|改动前|涨价前|降价前|先前|早先)\w{0,3}\W*$
    是以前|是之前|是原来(?!的)|是上一版|是去年
    """,
    en=r"""
    outdated|out of date|obsolete|superseded
    (?:was|were) (?:from an? earlier|too early|last \w+|the (?:old|first|previous|former|original)\b)
    (?:is|was) (?:the |an? )?(?:old|former|previous|earlier|original|stale)
    is (?:dead|gone|history|obsolete|off the table)|no longer (?:valid|applies|current|holds)
    (?:first|originally|initially|previously) (?:quoted|named|said|given|told|mentioned|stated|posted|noted|written)
    (?:named|quoted|said|given|mentioned|stated|posted|written) (?:first|originally|initially|before|earlier)
    (?:is|was|are|were) the (?:\w+ )?(?:from )?before|from before (?:that|the|it)
    (?:was|were) (?:the plan|our plan|the idea|planned|what (?:we|i|you|they) (?:said|told|had|planned|wrote)\b)
    (?:in|of|from|on) the (?:old|first|earlier|previous|original) (?:plan|version|draft|schedule|list|sheet|
    email|mail|invite)
    (?:was|were) (?:the |our |my |his |her |their |an? )?(?:\w+ )?(?:estimate|guess|proposal|draft|
    arrangement|intention|hope|wish|ambition)\b
    would have been (?:fine|nice|good|great|ok|okay|perfect|lovely)
    is what (?:we|i|you|they) (?:said|told|wrote|had)\b(?=.{0,12}\bbut\b)
    (?:was|were) what (?:we|i|you|they)'d|as of last (?:month|week|year)
    used to (?:be|have|do|work|say|stand|apply|hold)
    (?<=')s old (?:estimate|figure|number|count|guess|plan|version|price)s?(?=\W*$)
    is where (?:we|they) (?:met|were|sat|had|held)|(?:was|were) ours (?:until|till|before)
    was a (?:kind|nice|good) (?:offer|idea|thought|plan)|(?:was|were) once|once was
    """,
)
# A thing was so, and a time at which it was: "it stood at 15:00 until Helen came".
WAS_ONCE = _words(en="was|were|stood|had been|paid|lay|sat|used to", zh="是|定|说|写|约|排|想")
THEN = _words(
    en=r"""
    in those days|back then|at first|at the time|at that time|until (?:yesterday|this morning|last \w+|helen|then|she|he
    they|we|the \w+)|up to (?:yesterday|last \w+|this morning|then)|(?<!not )(?<!day )(?<!hour )before (?:they|she
    he|we|someone|somebody) \w+
    before the \w+ (?:called|came|changed|moved|cut|closed|left|said|put|redrew|raised)|no sooner|our first (?:idea
    plan|choice)
    last (?:year|quarter|season|century)|till (?:she|he|they|we|helen)|on the old (?:plan|list)|a (?:year|month|week
    while) ago
    """,
    zh=r"第[一二]版|首版|上一稿|早几天|前几天|去年|老早以前|还没改",
)
USED_TO = _words(
    en="used to|(?:was|were) going to|originally|back then|in those days|at first|once(?= (?:it|was|upon))|formerly"
    "|nearly had|in (?:the|our|my) (?:first|old|earlier|previous|original) \\w+|earlier answer was"
    "|as of (?:january|february)|until \\w+ changed",
    zh="以前|原来|本来|原本|原先|之前(?!的?\\w{0,2}不变)|当初|起初|最初|曾经|早前|先前|上一封|头一[回版封]",
)
WAS_JUST = re.compile(r"\b(?:was|were|stood)(?: (?:at|on|in|for|the|to be|down))*\s*$")
MOVING = _words(
    en=r"""
    mov(?:e|es|ed|ing)|shift\w*|postpone\w*|chang\w*|drop\w*|lower\w*|went|go(?:es)?|rais\w*|bring\w*|brought
    switch\w*|cut|reduc\w*|increas\w*|reschedul\w*|push\w*|swap\w*|turn\w*|updat\w*|correct\w*|down|up
    """,
    zh="改|挪|移|降|升|调|推迟|提前|顺延|延|换|变|减|增|涨|搬|更新|更正",
)
MOVED_FROM = _words(
    en=r"""
    (?:moved|moving|changed|shifted|brought forward|rescheduled|up|down|switched|swapped|
    postponed)(?: over)? from(?: the)?
    """
)
MOVED_TO = re.compile(r"\s*(?:改|挪|移|换|推|调)\w?(?:到|至|成|为)|\s*(?:to|into)\b")
FROM = re.compile(r"(?:\bfrom(?: \w+'s?)?|从|由|自|把|将)(?: the)?$|(?:从|由|自)[a-z\d.\u4e00-\u9fff]{1,4}$")
TOWARDS = re.compile(r"\b(?:to|into)\b|到|→|->|=>|为|成|至")

# ------------------------------------------------------------ conditions
# But what stands behind words of excess is the threshold of a rule and is asserted.
IF = _words(
    en=r"""
    if|unless|in case|provided|providing|assuming|as soon as|as long as
    once(?= \w+ (?:has|have|is|are|agrees?|signs?|approves?|confirms?|says?|gets?|gives?))|subject to
    contingent on|on condition|pending|only (?:after|when|once)
    once(?= (?:the |our |his |her |their |all |both )?(?:\w+ ){1,3}?(?:pass(?:es)?|
    clears?|land|lands|arrives?|repl(?:y|ies)|answers?|decides?|pays?|allows?|accepts?|returns?)\b)
    until .{1,30}(?:signs?|approves?|agrees?|confirms?)|awaiting|waiting (?:for|on)
    needs? .{1,30}(?:sign-?off|approval|ok|okay|consent|permission|go-ahead)(?: first)?
    wait (?:for(?! (?:about |another |up to )?(?:\d|an?\b|one|two|three|four|five|six|seven|ten|some|several))|until)
    hinges on|depending on|whenever|would have to|till .{1,30}(?:dry|dries|signed|done|back)
    should (?:\w+ )?(?:agree|approve|sign|say yes|confirm|allow|deliver|arrive)
    once (?:\w+ )?(?:approved|signed|confirmed|agreed|paid|cleared)|so long as|in the event|were to
    [a-z]{2,12} (?:willing|permitting)|all being well|(?:stands?|falls?) or (?:stands?|falls?) with
    only with (?:\w+ )?(?:\w+'s )?(?:blessing|ok|okay|consent|approval|signature|permission|nod|yes)
    had (?:\w+ ){1,3}(?:delivered|agreed|signed|approved|confirmed)
    once (?:the|our|his|her|their|all|both) (?:\w+ ){1,2}(?:pass|sign|agree|approve|clear|confirm|arrive
    consent|land)(?:es|s|ed)?
    barring|(?<!you )(?<!we )(?<!it )(?<!i )should (?:the|our|his|her|their|all|any|nothing|everything|no one|nobody
    somebody)(?= \w+)|assumes?|presupposes?|presuming|supposing
    suppose|subject to|conditional(?:ly)? (?:on|upon)|dependent (?:on|upon)|depend(?:s|ing|ent)? (?:on|upon)
    rides on|rests on|(?:comes?|boils?) down to|up to (?:helen|legal|finance|the \w+)
    (?:give|get|show|send|bring|find|pay) (?:me|us) .{2,40} and (?:it's|it is|we|i'll|you|then)|in the (?:event
    case) (?:of|that)|with the proviso|provisionally|so far as|insofar
    (?:weather|time|budget|health|traffic|schedule|god|helen|legal|finance|circumstances) (?:permitting|allowing
    willing)|when and if|if and when|unless and until
    until (?:we hear|further notice|i hear|proven)|as and when|(?:the )?(?:condition|catch|proviso|caveat) (?:is
    being)|but for|without (?:which|that)
    on one condition|on (?:the )?condition|with (?:\w+'s|his|her|their|your) (?:blessing|approval|ok|okay
    consent)(?=.{0,6}\b(?:it'd|it would|we'd|i'd|we could|it could))|say the \w+ (?:pass|agree|arrive|sign|come
    hold)\w*,? then|the (?:moment|minute|day|second|instant) (?!of\b)(?:\w+ ){1,3}(?:signs?|agrees?|approves?|says?
    gives?|pays?|passes|arrives?|confirms?)|were (?:it|this|that|he|she|they) (?:up to|to|left)|were \w+ to
    otherwise(?=.{0,20}\d)|everything depends
    on the understanding|only (?:if|where)|given that .{1,30}(?:signs?|agrees?|approves?|confirms?)
    """,
    zh=r"""
    如果|要是|假如|假使|倘若|若(?!干)|除非|(?<![一二三四五六七八九十])万一|的话|等到?[^，。]{1,12}[就再才后]
    前提|取决于|条件是|视[^，。]{1,8}而定|看[^，。]{1,8}而定|只有[^，。]{1,16}才|(?:得|要|还得|需)等(?!\W*上?[满足]?\s*[\d一二两三四五六七八九十几半])|须经|需经
    得先|要先[^，。]{1,10}(?:才|再)|待[^，。]{1,8}(?:确认|批准|同意|签字|审批|通过|后|再)
    经[^，。]{1,8}(?:批准|同意)后|签字后|批准后|点头后|一旦|只有\w{1,10}[，, ]*才|假若|若是|倘使|要不是|除了非
    得\w{1,8}(?:点头|同意|批准|签字)(?:了|后|才|再)?
    (?:好|同意|签字?|点头|批准|通过|确认)了?才(?!能取)|以\w{1,6}(?:签字|批准|确认|同意|审批|点头)为准
    [得要]\w{1,6}放行(?!了)
    (?:签[字了]|批准|同意|点头|确认|审批|通过|放行|拍板|盖章)(?:了|过)?(?:之后|以后|后)\w{0,8}?[才再](?!次)
    [看等](?:他|她|\w{1,8}?)(?P<v>[一-鿿])[不没](?P=v)|(?P<w>[一-鿿])了就\w{1,6}[，, ]*(?:没|不)(?P=w)
    (?:再|又)\w{1,3}(?:一次|一回|一下)\w{0,3}[再才]|来得及才|[来去到签批定]我们?才[来去到签批定]
    (?:来得及|赶得上|有空|有票|有位|谈得拢|方便)(?:的话)?才
    [须需]\w{1,6}(?:签字|批准|同意|确认|点头)(?!版|笔|页|单)|(?<!不用)(?<!不必)等(?!着)\w{1,6}(?:点头|签字|批准|同意|放行)(?!了)
    才(?:作数|算数|生效|有效|成立|算|行|成|可以|确定|定|敢|能定|去|来|改|挪|动|好)(?=\W|$|\d|改|挪)|不反对[就便]|[过好完到齐成定]了(?:才|再)(?!行|到)|视\w{1,8}(?:情况|而定|进展|结果)|看\w{1,6}(?:情况|脸色|心情|进展|结果|安排|天气)(?!了)
    (?:天气|身体|时间|路况|情况|状态|运气|档期|经费|条件)(?:\w{0,2}(?:好|允许|许可|够|行|凑巧|合适|OK|ok))\w{0,3}?(?:就|再|才|的话)|以\w{0,8}(?:通知|公告|结果|确认|回复|合同|批复|意见|答复)为准
    (?:有|就)一个条件|一(?:签|批|点头|到货|过审|放行|松口|到账)就?，?就|得\w{2,4}说了算|看(?:海关|老板|天气|样品|场地|领导|上面|法务|财务|审计|客户)(?=\W|$)|假定|假如说|(?:忙完|脱身|有票|抢到票|请到假|能走开|能脱身|下得了班|下班早|来得及|赶得及)\w{0,2}就|能\w{1,3}就[去来]|放了才|变卦的话
    有空(?:就|再|才)|来得及就|赶得上就|方便就|顺利(?:的话)?(?:就|，)|没意外就|不出意外|若无意外|如无意外|没什么意外就|不下雨就|不加班就|(?:但|不过|可)(?:得|要|需)(?!记|注|看|带|早|提)\w{1,8}先|[得要须需]\w{1,6}先(?:点头|同意|批|签|说|定|看|过目)
    条件是|有个条件|附带条件|取决于|全看|就看(?!到|见)|[只单]等(?!你|您|贵)|万事俱备|假设|设若|但凡|要看|得看|凡是|否则\w{0,4}(?:不|没)|要不然就
    (?:来得及|赶得上|赶得及|过审|过会|验收|有余力|有空位|腾得出\w{0,2})(?:了|过)?才
    只要\w{1,12}?(?:签|同意|批|点头|确认|通过|到位|答应|松口|放行|没问题|愿意|表态|不反对|拍板)
    只有\w{1,16}?(?:通过|同意|批准|确认|签字?|点头|到位|到货|答应|放行|过了|好了)了?(?:之?后|时|以后|的时候)?\W*$
    """,
)
# "Not before": what stands behind it depends on what stands before.
NOT_BEFORE = _words(zh="才(?:会|能|可以|算|行|给|发|送|肯|改|动|有|退|到|付)")
ONLY_IF = _words(en="only if|unless|only when|only once|provided", zh="只有|除非|前提")
# How those who ask put a condition, and how they ask for what somebody says.
ASKED_IF = _words(en="if|unless|in case", zh="如果|要是|假如|的话|万一")
ASKED_SAYS = _words(
    en=r"said|says|wrote|promised|last (?:words|thing)|according to|claims",
    zh=r"说[的了过好漏]|原话|怎么说|写的是|最后一句|答应",
)
# What is waited for in a condition that nobody asked under.
CONSENT = _words(
    en=r"""
    agrees?|approves?|approval|signs?|signed|sign-?off|confirms?|says? (?:yes|so)|ok|okay|accepts?|allows?|ready
    consent
    """,
    zh="同意|批准|批|签|点头|确认|通过|允许|答应|准",
)
UNLESS = _words(en="unless", zh="除非")
# A condition that has its own consequence, and so none in what was said before it: "要是顺延你们去吧".
CONSEQUENCE = re.compile(
    r"的话(?!\w{0,4}[信听])\W*(?!\W|就?(?:行|可以|好|成|定|这样|这么|照|算|没问题|ok)|$)|(?:要是|如果|若)\S{2,}?(?:你们|大家|他们|她们|您|你)(?!.{0,4}[同答批点])"
    r"|\bif\b.{3,40}?\b(?:you(?: all| lot| guys| two)? (?:go|carry|start|can go|take|do)"
    r"|(?:go|carry|start) (?:on|ahead|without))\b"
)
# Conditions that are courtesy.
IF_HARMLESS = _words(
    en=r"""
    if (?:it|this|that|they|things|sales|people|we) (?:goes?|went|runs?|converts?|sells?|
    behaves?|turns? out|holds? up) (?:like|as|the way)
    if \w+(?:'s)? (?:\w+ ){0,2}(?:holds?|repeats?|is anything to go by|is a guide)|(?:should|if) history repeats?
    if (?:memory serves|i (?:remember|recall)|you(?:'re| are)? (?:need|have|want|wonder\w*|like|wish|prefer|ask|
    miss|get|can|could|see|think|don't mind|'d like)|you'd|you|anything(?! goes)|there(?:'s| is| are) (?:any|
    a problem|an issue|something|other)|any|that(?:'s| is) (?:a problem|not ok|ok|okay|fine|wrong|alright)|
    something|possible|not|needed|necessary|(?:that|this|it) (?:helps|suits|works)
    (?:that|this|it) (?:doesn't|does not) (?:work|suit|fit|help|bother|matter|open|load|show|go through)|i can help|
    i'm not mistaken|it rains|so|unsure|in doubt|ever)
    in case you (?:need|want|have|were|are|missed|wonder\w*|forgot)|in case(?=\W*$)
    in case of (?:questions|doubt)|whenever you|as soon as (?:possible|you can)|once (?:again|more)|provided by
    (?:asks?|asked|asking|wonders?|wondered|knows?|sees?|check(?:ed)?|tells?|told) (?:\w+ )?if
    (?:as )?if \w+ is any guide|if (?:memory serves|i (?:remember|recall))
    unless you hear(?: from me| otherwise)?|unless (?:i|we) (?:say|tell you) otherwise|if nothing else|if i may
    if i may say so|if at all possible
    """,
    zh=r"""
    (?:你|您|大家|谁)们?(?:要是|如果|若)(?:忙|没空|不方便|有空|方便|需要|想|愿意|觉得|不在)
    (?:无需|不需要?|不用|不必|无须|毋需|别|不要)(?:再|先)?等|过了\w{0,4}(?:只能|得|要)等|除非(?:另|我|有|特殊|下|再)\w*
    如果?有(?:任何|什么|其他|别的|疑问|问题|需要|变|事|不)|如有|如需|若有|若需|有(?:任何)?问题的话|有需要的话
    (?:减半|折半|对半|一半|打\w折|平摊|换算|折算|算下来|加起来|合计)\w{0,2}的话
    需要的话|方便的话|可以的话|有空的话|有事的话|如果?需要|如果?方便|如果?可以|如果?不方便
    如果?(?:你|您)(?:有|需要|想|要|方便|觉得|还)|要是(?:有|需要|你|您)|说实话的话|万一(?:有|迟|堵|找)
    万一\w{0,2}(?:没|漏|错过|忘)\w{0,3}|怕\w{0,2}(?:没|漏|错过|忘)\w{0,3}
    有(?:什么)?变(?:动|化)的话|要(?:跟|和|对)?\w{0,3}(?:说|讲|通知|告诉)\w{0,2}的话
    如果(?:没|～)(?:有|～)*(?:别的|什么|其他)?(?:问题|意见|变化|事)?(?![\u4e00-\u9fff])
    """,
)
THRESHOLD = re.compile(
    r"(?:exceeds?|above|over|more than|greater than|reach(?:es)?|beyond|passes|hits|tops|crosses|goes (?:above"
    r"|over|past)|超过?|达到|高于"
    r"|大于|过|超出|突破|到)\s*$"
)
# What is not reached stays where it is: "we never hit the 0.3 % line".
NOT_REACHED = re.compile(
    r"(?:exceed(?:s|ed)?|above|over|beyond|more than|greater than|near|close to|touch(?:es|ed)?|reach(?:es|ed)?"
    r"|hit|pass(?:es|ed)?|cross(?:es|ed)?|top(?:s|ped)?|碰到过?|触及|触到|够到|摸到|达到|超过?|高于|接近|突破|越过)"
    r"(?: the| our)?\s*$"
)

# ------------------------------------------------------------ what others say
HEARSAY = _words(
    en=r"""
    apparently|reportedly|supposedly|allegedly|purportedly|rumou?rs?|rumou?red|word is|word has it
    i(?:'ve)? (?:just )?hear(?:d)?|i was told|we(?:'ve)? heard|they say|people say|(?:is|are|was|were) said to
    so i hear|hearsay|it is said|gossip|i read somewhere|claims? (?:that|it|to)|claimed|insists?|insisted
    alleges?|pretends?|so they say|according to (?:rumou?rs?|some|gossip|hearsay)|a little bird
    (?:someone|somebody|some|people|others|everyone|a friend|a colleague)(?: \w+){0,4} (?:says?|said|claims?|
    told|mentioned|wrote|thinks?|reckons)
    [a-z]{1,12} claims(?! for)|claim that|swears|legend has it|word on the street|grapevine|they reckon
    word (?:in|around|at|from|among|has)\b.{0,24}?\bis|(?:goes|going|went) around (?:with|saying|telling)
    (?:the )?talk (?:in|around|at) the \w+|(?:keeps?|kept) (?:saying|telling|claiming|insisting)|buzz is|scuttlebutt
    in (?:\w+'s|his|her|their) (?:version|view|book|opinion|telling|world|mind)|'s (?:reckoning|invention|version)
    rumou?r mill|it is rumou?red|rumou?r has it|supposedly|so i'm told|as the story goes|so the story
    second-?hand|if \w+ is to be believed
    first i've heard|(?:if you )?ask \w+(?: \w+)?(?=,? (?:it|and|he|she|they))|would have (?:it|us believe
    you believe)|by all accounts
    from what (?:i|we|they|people) (?:gather|hear|understand|heard|can tell|pick up|read|saw|see)|as (?:i
    we) understand it
    under the impression|(?:twitter|reddit|facebook|the press|the papers?|the news|the internet|social media
    wikipedia|chatgpt|the chatbot
    google|a tweet|a blog|a post|an article|a stranger|strangers|the cleaners?|the drivers?|the receptionist
    the interns?
    the porter|the janitor|the barista|a taxi driver|a competitor|competitors|the neighbou?rs?|bystanders
    passers-?by|trolls|bloggers|journalists
    pundits|insiders|sources|analysts|fans|critics|customers|the competition|the tabloids|(?:my|his|her|their|our
    [a-z]+'s) (?:aunt|uncle|mum|mom|mother|dad
    father|sister|brother|cousin|neighbou?r|barber|hairdresser|wife|husband|girlfriend|boyfriend|flatmate|roommate
    son|daughter|friend|nephew|niece|dentist))(?: has| have| had| keeps?| once| all| also)? (?:says?|said|told
    mentions?|mentioned|thinks?|thought|reckons?|claims?|puts?|has|have|had|holds?|is|are|was|were|swears?|writes?
    wrote|posted
    believes?|heard|guess\w*|predicts?|insists?|suggests?|whispers?|whispered|let slip|estimates?|speculates?)
    (?:let it slip|let slip|let on)|(?:was|were) (?:overheard|whispered)|i overheard|overheard
    (?:it|that|this)(?:'s| is| was) (?:what|how) (?:he|she|they|people|some) (?:says?|said|claims?|tells? it|think)
    so (?:he|she|they) (?:says?|said|claims?|tells? me)
    (?:no idea|don't know|not sure|unclear|god knows) (?:who|where|whether) .{0,20}(?:said|wrote|came|comes|got|from
    left)
    per (?:the )?(?:rumou?rs?|gossip|grapevine)|unconfirmed|unverified|not (?:been )?(?:verified|corroborated)
    doing the rounds|making the rounds
    (?:been|was|is) (?:suggested|put|whispered|intimated|hinted|reported|mentioned) to (?:me|us)|the story goes
    (?:caught|heard|overheard|saw|read) (?:\w+ ){1,2}(?:say(?:ing)?|claim\w*|writ\w+)|seems? (?:convinced|certain
    sure|to think|to believe)|as far as (?!i\b|we\b|i'm\b)\w+(?: \w+)? (?:is|are) concerned|(?:i'm|i am
    just) quoting(?! me)|(?!i\b)\w+ (?:would|will|might) (?:tell you|have you believe|swear)|(?:were|was|are
    is) (?:saying|telling|whispering|claiming|boasting|bragging)|'s (?:belief|conviction|claim|theory|guess|version
    contention)|boasts?|brags?|(?:unknown|anonymous|unnamed|dubious) (?:origin|source|sender|caller|mail|email|note)
    (?:a|the|some|one) (?:guy|bloke|man|woman|girl|boy|lady|porter|driver|blog|post|forum|thread|podcast|bridesmaid
    waiter|courier|mover|tenant|guest|visitor|tourist|student)(?: \w+){0,4} (?:says?|said|told|mentioned|claims?
    remembers?|recalls?|thinks?|swears?)|(?:my|our|his|her) (?:hairdresser|barber|taxi driver|landlady|trainer
    doctor|teacher|coach) (?:counted|says?|said|thinks?|has)
    is (?:being )?(?:told|touted|bandied|rumou?red|alleged|reputed|presumed|thought|believed|claimed|supposed) to
    in (?:\w+'s|his|her|their) (?:words|account|reading|memory|recollection|eyes|mouth)|if (?:\w+ ){1,3}is right
    """,
    zh=r"""
    听[^，。]{1,6}(?:讲|提起|聊起?|嘀咕)|有(?:个|位|些|几个)?(?:同事|朋友|博主|网友|客户|邻居|老乡|亲戚|路人|读者|粉丝|媒体|群友|供应商|店员)\w{0,6}?(?:说|讲|称|猜|爆料|表示|提|觉得|认为|以为|发帖|留言|透露)
    (?:网友|网上|推特|微博|朋友圈|知乎|贴吧|论坛|群友|竞品|竞争对手|媒体|报纸|新闻|路边社|保洁|前台|司机|门卫|保安|阿姨|大爷|大妈|邻居|同行|路人|我妈|我爸|我姐|我哥|我弟|我妹|我老公|我老婆|闺蜜|表哥|表姐|同学|中介|黄牛|算命的|黑粉)\w{0,4}?(?:说|讲|称|爆料|看到|透露|传|提|报道|猜|以为|觉得|写|放话|刷到)
    有人(?!问|打|接|来|在|用|占|管|负责|会|去|看)\w{0,6}?(?:说|讲|称|提|传|猜|写)|(?:某些|某个|某位|一些|个别|那帮|那些)人?\w{0,4}?(?:嘴里|口中|看来|眼里|说|认为|宣称|声称)|(?:他|她|他们|你|\w{2})(?:嘴里|口中|眼里)
    (?<!我)口风|(?<!我)拍着?胸[脯口](?=\w*[说讲保])|匿名|(?:照|按|依)(?!我|你|您|咱)\w{2,3}的(?:意思|说法|看法|话
    口气|理解)(?=[，, ]|$)|在议论|信誓旦旦|转个话|转述一下|真假不论|(?:老板|师傅|同桌|大叔|小哥|司机|保姆|伴娘|店员
    房客|导游|服务员|快递员?)\w{0,3}(?:说(?!了算|定)|讲|记得|提到|透露)|(?<!不)(?<!我)吹(?=达人|预约|说|他)|(?<!预)热评(?!论)
    酸民|键盘侠|电梯里|外头|街坊
    不保真|不保准|未经证实|无从证实|没法证实|道听|耳闻|风传|盛传|疯传|相传|传出|传来传去|小道|内部消息|爆料|曝出|据悉|听来的|听人|听谁|谁谁说|不知(?:道)?(?:谁|哪个|哪来)|一面之词|单方面说|自说自话|自吹|夸口|放话|放风|吹风|拍胸脯
    听说|据说|据传|传言|传闻|谣传|有人(?:说|讲|称|传|告诉|提|以为|觉得|认为)|听[^，。]{1,6}说(?![完话清明])|都说|(?<!还)(?<!先)(?<!前)说是|据称
    号称|自称|声称|小道消息|他们说|(?<![跟和对向给])大家(?:都)?(?:说|传)(?!一声)|坊间|群里说|群里传|网上说|网传
    以讹传讹|的说法|别人(?:说|讲|告诉)|非说|硬说|口口声声|转述|捕风捉影|道听途说|到处(?:说|讲|传|嚷)
    逢人(?:就|便)(?:说|讲)|四处(?:说|传)|扬言|宣称|(?<!数)据(?!我)\w{1,6}(?:讲|说|称|传|透露)|吹嘘|吹牛|在传
    都在(?:讲|说|传)|毫无根据|一厢情愿|
    嚷嚷|老念叨|一直嚷|风声|一口咬定
    """,
)
# Hearsay even where it was asked what somebody says.
ALLEGED = _words(
    en="allegedly|supposedly|rumou?rs?|rumou?red|rumou?r has it|grapevine|gossip|hearsay|unverified|unconfirmed"
    "|(?:someone|somebody)(?: (?:in|from|at|on) \\w+(?: \\w+)?)? (?:says?|claims?|claimed|mentioned|insists?)",
    zh="有(?:粉丝|网友|人)说(?!自己)|传闻|据传|谣传|声称|自称|小道消息|网传|坊间|道听途说|不保真|风传|无从证实",
)
SAID_OF_BEFORE = re.compile(
    r"\W*(?:which|that|this|it|those|these|they)(?:'s| is| was| are| were)(?! (?:said|what|how))"
    r"|\W*(?:那|这)(?:个|都|只|也|才|些|数)*是"
)
# Somebody says it; whether the writer does, too, is not told.
SAYS = _words(
    en=r"""
    (?:says?|said|told (?:me|us)|thinks?|believes?|writes|wrote|mentioned|suggests?|suggested|wants?|wanted|
    would like|thought|prefers?|preferred|favou?rs?|fanc(?:ies|ied)|votes? for|pushes for|argues for|
    is (?:sure|certain|convinced|positive|adamant)|maintains|
    keeps (?:saying|telling|claiming)|goes around|
    proposes?|proposed|asked for|hopes?)
    """,
    zh=r"(?<![听据])(?:说(?![明好漏服])|表示|认为|觉得|提到|提议|建议|想要|希望|以为|讲|称(?!为))",
)

# The writer keeps aloof from what was told.
ALOOF = _words(
    en=r"""
    take (?:his|her|their|its|it|that|your) word|vouch|(?:believe|trust) (?:him|her|them|it|that|a word)
    not from me|says a lot|who knows|i doubt it|doubt (?:that|it)|for what it's worth|fwiw|no proof|not seen
    haven't seen|news to me
    (?:don't|do not|didn't|can't|cannot|haven't) (?:\w+ )?(?:agreed?|confirm\w*|endorse|share|support|verif\w*|
    check\w*)
    (?:he|she|they|it|guide|list|sheet|table|page|doc|document)(?:'s| is| was| are| were) (?:wrong|mistaken|
    out of date|outdated)
    (?:is|was|are|were) (?:wrong|mistaken|different)|not my (?:word|decision|call)
    (?:haven't|have not|not) (?:yet )?(?:decided|looked|said|signed)|not saying (?:that|it|so)|never said
    (?:doesn't|don't|didn't|never|not) (?:recogni[sz]e|acknowledge|back|confirm|approve)d? (?:it|that|either|any|them)
    first (?:i've|i have|we've|we) heard|no (?:opinion|view|idea where)|i wouldn't(?=\W*$)|i wouldn't\.|not so sure
    (?:i|we) (?:don't|do not) (?:buy|think so|see it)|nobody else (?:has|does|did|says)|none of it is ours
    (?:i'm|i am|we're|we are) not(?=\W*$)|(?:i|we) (?:don't|do not|didn't|did not)(?=\W*$)
    ours (?:doesn't|does not|says)|made (?:it|that) up|no basis|baseless
    that's (?:his|her|their) (?:view|opinion|reading|take|story)|(?:his|her|their) (?:opinion|view), not (?:mine|ours)
    (?:finance|legal|nobody|no one|ops) (?:has|have) (?:never|not) \w+|make of it|leave it (?:with|to) (?:him|her|them)
    his words|her words|have not (?:\w+ )?(?:agreed?|confirm\w*|endorsed|verif\w*|check\w*)
    haven't an opinion|doesn't recogni[sz]e|don't recogni[sz]e|take it from there
    """,
    zh=r"""
    (?:我|咱|我们)(?:可|却|还|并)?(?:没|不|未)(?:有)?(?:看见|看到|见|答应|同意|核实|确认|证实|查|信|认|这么说|
    说过|敢)
    别信|不可信|谁知道|存疑|查无|没这回事|真假|不见得|未必|是不是真的
    (?:我|咱|我们)(?:这边)?(?:可|却|还|并|也)?(?:没|不|未)(?:有)?(?:表态|说|定|看|决定|点头|发话|批|签)|根本没有
    没有?这(?:些|回|种)事?|子虚乌有|没谱|不靠谱|离谱|头一回听|第一次听|没听说|不表态|不发表|没(?:有)?(?:看法|立场)
    不认(?:账|可|这)|没人认|对不上|没影儿|可不这么|不以为然|谁(?:也|都)没(?:认|说|定|批)
    没(?:人|谁)(?:证实|确认|认可|承认|批)
    (?:他|她|他们)(?:自己|一家|个人)的(?:说法|意思|看法|想法)|不是我(?:说|定|的意思)
    """,
)

# Denies by itself.
LACK = _words(
    en=r"""
    excluding|no|not|never|\w+n't|without|missing|outstanding|overdue|owed|hands off|resist|refrain|avoid|excluded
    excludes?
    excl|exclusive|before tax|pre-tax|on top|plus|leave|stay away|nothing
    """,
    zh="[没未别勿莫不]|欠|拖|外加|另外?[计加算付收]|另外$|另是|以外|除外|少",
)

# ------------------------------------------------------------ turns
BUT = _words(en=r"but|but rather|instead(?! of)", zh=r"而是|但是?|应该?是|改成|改为|改到|换到|换成|只要|就要|要的?是")
# Behind what a negator denies, the thing that holds: "不是 A 是 B", "not A it's B".
HOLDS = _words(en=r"it's|it is|use|take", zh=r"(?<![不也都还但只就可要])是|而是|用的是|改[成为到]")
BUT_OPENS = _PREFILTER.words(
    r"^\W*(?:是|就是|其实是|而是|用|要|请?[改换]|(?:it's|it is|it|use|take|rather|but|we(?:'re| are)?)\b)(?!不)"
)
NOT_WHAT = re.compile(r"\W*(?:not (?:what|as|like)\b|别(?:按|照|信|听)|不[按照])")
OLD_THING = re.compile(
    r"\b(?:old|previous|former|original|first|earlier) (?:\w+ ){0,2}\w+\W*$"
    r"|(?:旧|老|原来?|上一?版|之前)的?\w{1,5}\W*$"
)
NOT_THE = re.compile(r"\W*(?:not (?:the|in|at|on|by|for|a|an|that|this)\b|不是|并非)")
# What is no longer so makes room for what is.
NO_LONGER = _words(en=r"any ?more|no longer", zh=r"不再|不[在是][^,，]{1,12}了|已经?不是")
THAT_ONE = re.compile(
    r"[\W_～]*(?:(?:but|however)\b[\W_]*|但是?|不过|可是?)?(?:(?:that|this|it|which)\b|[那这][个间家条场]|它)"
)
CONJUNCTION = re.compile(r"[\W_～]*(?:(?:but|so|and|however|well|yet|actually)\b[\W_]*|但是?|不过|可是?|所以)?[\W_]*")
CONTRAST = _PREFILTER.words(r"^\W*(?:but|however|yet|still|anyway|但|不过|可是|然而|反正|总之|可以确定)")

# A new subject, which ends what a preposition reaches.
COPULA = _words(en="is|are|was|were|becomes?|will be|'s", zh="是|为(?!了)|成")
PRONOUN = _words(en="i|we|you|they|it|he|she", zh="我|你|他|她|它|是|用|要")

# ------------------------------------------------------------ places
UNRELATED = _words(en="nothing to do with|unrelated to|not related to", zh=r"(?:没有?|无|毫无|不相)关(?:系|联)?")
BESIDE_AFTER = re.compile(r"^[\s)]*(?:的?(?:隔壁|旁边|对面|楼上|楼下))|^[\s)]*(?:的)?附近")
BESIDE_BEFORE = re.compile(
    r"(?:挨着|靠着|紧邻|紧挨|next (?:door )?to|beside|near|opposite|across from|above|below|behind|past)(?: the)?\s*$"
)

# Behind a comparison stands what is the lesser: "A is better than B", "A 比 B 有画面".
LESSER_BEFORE = re.compile(
    r"(?:\b(?:better|nicer|clearer|stronger|simpler|easier|prettier|more \w+|less \w+|prefer\w*) (?:than|to)"
    r"|\bbeats|\bover"
    r"|[比胜强过]|优于|好过)[\s\"'(「“]*(?:the )?$"
)

# ------------------------------------------------------------ irony
SARCASM = _words(
    en=r"""
    yeah,? right|as if|in your dreams|when (?:pigs|hell)|sure,? sure|oh sure|my foot
    because that (?:always|ever)|what could (?:possibly )?go wrong|good luck with that|dream on|fat chance
    (?:i'd )?(?:rather|sooner) die|over my dead body|fat lot|the last to know|as if anyone
    oh sure|as always, whatever|knows everything|what a surprise|surely (?:his|her|their) way
    how (?:lovely|generous|kind) of
    tell me another|pull the other one|yeah sure|and i'm the (?:queen|king|pope)|(?:and )?pigs (?:might|will|can) fly
    like that(?:'s| is| will) ever|if you (?:\w+ )?believe|a bridge to (?:sell|flog)|cross my heart|good one(?=\W*$)
    santa(?: claus)?|tooth fairy
    unicorns?|easter bunny|father christmas|leprechauns?|twelfth of never|the year dot|breakfast in bed|hell freezes
    month of sundays
    just like (?:the )?(?:last|every|all the other|always|all those)|like the last (?:\w+ )?times?
    same as every (?:time|week|year)
    because (?:\w+ ){1,5}(?:always|ever|never) (?:\w+ ){0,3}(?:well|work\w*|right|wrong|fails?|on time)
    made of cheese|flat earth
    who are we kidding|are you kidding|don't make me laugh|what a joke|hilarious|very funny|tell that to
    my aunt fanny|my eye
    how original|well done,? (?:genius|everybody|all)|surprise,? surprise|big surprise|colou?r me|shock horror
    knock me down
    slow clap|genius move|pure genius|what a (?:stroke of )?genius|(?:couldn't|could not) (?:possibly )?(?:fail
    go wrong)
    (?:i'm|i am|we're) (?:sure|certain) (?:it|that|they|he|she|everyone)(?:'ll| will) (?:\w+ )?(?:love|adore|cheer
    be (?:thrilled|overjoyed))
    (?:and|&) i'm (?:the )?(?:\w+ )?(?:queen|king|pope|president|emperor|dalai lama|batman|elvis|einstein|napoleon
    a \w+|shakespeare)
    because (?:we're|we are|they're|he's|she's|you're) (?:so |always |always so |famous |famously |known |notorious)
    the other (?:two|three|four|five|six|seven|eight|nine|ten|\d+) (?:final|fixed|firm)|just as (?:final|firm
    certain|sure) as|i'll hold my breath|oh goody|goody|win the lottery|said (?:no one|nobody) ever|(?:trip|flight
    journey|move) to (?:mars|the moon)|the parrot|where nobody|ha ha ha|sun rises in the west|nobel prize
    world peace|snow in july|my (?:cat|dog|goldfish|parrot|hamster) (?:agrees|will|can|could)
    spare me|give me a break|lucky (?:us|me|you)|oh joy|joy of joys|whoop-?de-?doo?|yippee|bravo|hear,? hear for
    three cheers for
    why not (?:the|my|our|a) (?:\w+)(?: \w+)? (?:as well|too|instead)|breathtaking|and (?:my|the) \w+ (?:can
    will) (?:fly|sing|dance)
    (?:every one|each|all) of them (?:is|are) (?:\w+'s? ){1,2}(?:aunt|mother|cousin|cat|dog|friend|neighbour
    grandmother|imaginary)
    believe (?:it|that) when i see|not in this (?:life|universe|century)|in another life|in a parallel
    on another planet|on planet
    what planet|dreamland|wonderland|fairy ?land|cloud cuckoo
    """,
    zh=r"""
    才怪|想得美|做梦|太阳从西|呵呵|鬼才|鬼信|信你个鬼|骗鬼|笑死|可真行|真会想|你信吗|谁信|想多了|才有鬼|哄谁
    鬼知道|天知道才|个寂寞|想得倒?美|说得轻巧|站着说话|可拉倒|拉倒吧|您?可真(?:会|逗)|真有你的|当我傻|当谁傻|逗谁呢
    信了(?:你|他)的邪|信不信由你|反正(?:我不信|是梦|钱|您|你的|天|谁)|第[三四五六七八九十百n]次(?:定|确定|改|说|最终)|黄河水倒流|海水倒流|跟前\w{1,3}[次回]一样|分身|能喝死|理财高手|这话\w{0,4}信|自己信[不吗么]|大爷面|连楼|把楼|高手呢|真是\w{1,6}呢|火星|月球上|梦里|三头六臂|公鸡下蛋|铁树开花|驴年马月|母猪上树|六月飞雪|日出西|跟真的(?:一样|似的)|说得好像|算我输|真当|当\w{1,6}是(?:开银行|傻|慈善|提款)|大风刮来|打脸|真会(?:花钱|玩|算|挑|选|来事|开玩笑)|好一个|干脆让|也敢信|你也信|还真信|开心就好|高兴就好|吹牛不上税|画(?:大)?饼|闲得|连\w{1,8}都不会|狗都不|厉害了|太棒了呢|可真棒|真是(?:太)?(?:贴心|周到|英明|高明|有才|谢谢)|英明神武|圣旨|遵旨|皇上|陛下|天塌下来|海枯石烂|等着瞧吧|傻子才|傻瓜才|三岁小孩|忽悠|笑掉大牙|逗我|逗你|搞笑|滑天下|奇迹|外星人|圣诞老人|财神|孙悟空|诸葛亮|中了?彩票|世界末日|石头开花|太阳打西|等到(?:猴年|下辈子)|猴年马月|下辈子|做你的梦|天上掉|是是是|就跟上次|还不如
    """,
)

# ------------------------------------------------------------ comments
TAKING_BACK = _PREFILTER.words(
    r"^\W*(?:我|我们|这|那|这些|那些|两个|两者|它们?)?(?:都|也|全|一概)?(?:已经?|又|还|统统|并)?(?:不|没|取消"
    r"|作废|改期|停用|错|免谈)"
    r"|^\W*(?:both|all|these|those|they|that|it|neither)\b|^\W*(?:is |are )?(?:wrong|cancel\w*|off|not)\b"
    r"|^\W*(?:i|we) (?:can't|cannot|won't|couldn't)(?: (?:make|do|manage) (?:it|that))?\W*$"
)

# What a comment is about: all that stands before it.
ALL_OF_IT = re.compile(r"\W*(?:\w{0,2}(?:都|全|一概)|both|all|these|those|they|neither|none|两个|两者)")

# ------------------------------------------------------------ answers
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
    我就算了|免了吧|就免了|省了吧|饶了我|敬谢|恕|没我(?:的)?份|我不凑|不奉陪|失陪|爬不[了动]|走不了|我来不及|凑不上|悬\W*$|不大可能
    我就算了|不方便|没法[去来]|先不急|不急着|还没\w{0,4}[说讲]|还没(?:通知|告诉)
    """,
)
YES = _words(
    en=r"""
    yes|yep|yeah|yup|ok|okay|sure|agreed?|confirm(?:ed)?|approved?|go ahead|absolutely|of course|done|deal|fine
    works|go with|final|happy to|count me in|i'm in|gladly|with pleasure
    i'll (?:be there|come|join|do it|take it)|will do|you bet|by all means|certainly|definitely|wouldn't miss
    see you there|sounds (?:good|great)|go for it|on board|green light|signed off|affirmative|count on me
    locked in|all set|glad to|love to|my pleasure|no objections?|i(?:'ll| can| will) make it|try and stop me
    sure thing|yes please|wouldn't dream of missing|can't wait|can't say no|no reason not to|not only will i
    sounds (?:right|fine)|happy with|(?:don't|can't) see why not|i like it|let's (?:do|go|use|take)|works for me|ship it
    you're right|i'm with you|as you (?:say|said|suggest(?:ed)?|wrote|put it)|your (?:version|wording|way)(?! or)
    fine by me
    """,
    more=r"""
    不反对|(?:don't|wouldn't) (?:object|oppose|mind)
    (?<![不没未])(?:可以|同意|好的|没问题|确认|确定|批准|通过|赞成|当然|就它了|就这么|定了|算我|一言为定|没意见|
    就按)
    ^\W*(?:行|好|对|是的?|嗯|来|去|到)\b|^\W*(?:行|好|对|是|嗯|来|去)[\W啊呀的吧]*$
    ^\W*可\W*$|没有?不同意见|举双手|投(?:了)?(?:赞成|同意)票|支持(?!人)|听着不错|挺好|
    ^\W*(?:行|好|对|嗯)[，,。！!]|(?:一定|必须?|肯定|准)[来到去]|必须的|好嘞|好滴|得嘞|成交|妥了?|安排上
    包在我身上|乐意|愿意|没毛病|就这样|没有?异议|没(?:有)?(?:理由|道理)不[来去]|谁说我?不[来去]|求之不得|没说的
    怎么能不[去来]|非[去来]不可|不[去来]不行|有空[,， ]*[来去]|批了|准了|说定了|不见不散|赞同|不\w{1,4}才怪
    (?<!不)(?:都?听你的|依你的?|随你的?意思办|照你(?:说|写)的|按你(?:说|写)的|你说得对|你说了算)
    """,
)
# Answers in one sign.
NO_SIGNS = re.compile("[🙅❌🚫👎✖]")
YES_SIGNS = re.compile("[👍👌🙆✅💯]")
# A no that is not put as one.
BUSY = _words(
    en="busy|tied up|double-booked|elsewhere|at home|out of town",
    zh="走不开|抽不开|脱不开身|缺席|约了别?人|留给(?!我|咱)|(?<!别)(?<!不)给别人",
)
# The writer has not made up their mind.
UNDECIDED = _words(
    en=r"""
    (?:must|needs? to|has to|have to) \w+ first
    (?:haven't|have not|not) (?:yet )?(?:decided|made up)|let me think|need to think|undecided|still thinking
    depends? (?:on|whether)|unless|then (?:it's |it is )?(?:yes|no)(?=\W|$)
    """,
    zh=r"""
    [看等]\w{1,8}?(?P<v>[一-鿿])[不没](?P=v)|(?P<w>[一-鿿])了就\w{1,6}[，, ]*(?:没|不)(?P=w)
    得先|要先|先得|想?先(?:听听|问问|问一下|商量|看看)\w{0,8}(?:意思|意见|看法|怎么说)
    (?:还没|没)(?:有)?(?:决定|想好|拿定|表态)|再想想|再考虑|你?再等我?一下
    我(?:还|也)?没(?:有)?(?:看|说)(?=\W|$)|持?保留意见|有所保留|弃权|不表态
    """,
)
# Whose words they are, where they are not somebody else's.
OWN_PERSON = _words(en="i|we|i'm|we're|i'd|i'll|you|you've|your", zh="我|咱|你|您")
# Chinese words that hold the character of an asked act and mean another thing.
COMPOUND = re.compile(r"[看收听找想遇感说得达]到|知道|[起出下过本看回]来|来着|来说|过去|出去|回去|去年")
# Denials of an alternative: what they deny is not the asked act.
ALTERNATIVE = _words(en="instead of|rather than|no longer", zh="不再是?|而不是|不是")

# ------------------------------------------------------------ where to cut
# Somebody's words in quotation marks: unless they hold what is claimed, they are read by nobody.
QUOTED = _PREFILTER.words(r'"[^"\n]{2,80}"|「[^」\n]{2,80}」|『[^』\n]{2,80}』')
# What may not stand before a mark or word is looked at behind it: most places begin none, and are passed at once.
SENTENCE = re.compile(
    r"[:;=](?<!\w.)[-']?[()](?!\w)|[!?。;；\n•|]+"
    r"|\.(?=\s|$|[^\d\s\w])(?<!\b[ap].)(?<!\bmr.)(?<!\bmrs.)(?<!\bms.)(?<!\bdr.)(?<!\bvs.)(?<!\bca.)(?<!\bapprox.)"
    r"(?<!\bresp.)(?<!\bno(?=\.\s?\d).)(?<!\bexcl.)(?<!\bincl.)(?<!\be\.g.)(?<!\bi\.e.)"
    r"|\s-\s(?=\D)"
)
_TURNS = ("but", "however", "while", "whereas", "instead of", "rather than")
SEGMENT = re.compile(
    r"[\U0001F300-\U0001FAFF\u2600-\u27BF\u2B50-\u2B55]+|[,，、:：()（）/×→=+&–…]|\.\.\.|但是?|不过|而不是|而是|而非|"
    + "|".join(rf"{word}(?<!\w{word})(?<!anything {word})\b" for word in _TURNS)
)
# What may stand in a segment that is nothing but values and goes on with the status before it.
GLUE = re.compile(
    r"^[\W\d_]*(?:(?:at|on|the|and|or|to|from|by|in|起|开始|前|后|和|或|是|即|也|then|time|clock|号|点|上午|下午|周."
    r"|about|约)[\W\d_]*)*$"
)
STRUCK = _PREFILTER.words("\u2421[^\u2421\n]*\u2421")
# What joins the names of a list that one predicate is said of.
NAMES_JOINED = re.compile(r"\s*(?:[、/&]|和|与|跟|及|,? and)\s*")
# What joins the members of a list, and two values to a span.
LISTED = re.compile(r"^[\s,，、/和及与&]*(?:and|及|和)?[\s,，、/\w]{0,3}$")
EQUALS = re.compile(r"\s*(?:的话|之后|后|下来|以后)?(?:→|->|=>?|÷ ?\d+ ?=|是|即|就是)\s*")
# Between a share and what it is of, and between that and what comes of it.
PART_OF = re.compile(r"\s*(?:of|the|his|her|its|their|my|our|that|a|,|'s|fee|price|cost|sum|amount|\s)+\s*")
MAKES = re.compile(r"\b(?:makes?|is|are|gives?|comes? to|equals?|would be|leaves?|means)\b|=|→|是|为|等于|得|就")
SPAN = re.compile(r"\s*(?:–|-|~|to|until|till|through|(?:开|持续|一直)?到|至)\s*")
# Ends an event whose start has been told.
ENDS_BEFORE = re.compile(r"(?:\b(?:until|till|ends?(?: at)?|finish(?:es)?(?: at)?|over (?:by|at))|到|至)\s*$")
ENDS_AFTER = re.compile(r"^\s*(?:结束|散会|收工|为止|end\b|finish)")
IS_SOMETHING = re.compile(r"\s*(?:是|is\b|was\b)(?!\s*\d)")
ARROW = re.compile(r"\s*(?:→|->|=>|➡|⇒)\s*")
REPLACED = re.compile(
    r"\s*(?:→|->|=>|➡|⇒|(?:已经?|就|都)?(?:换成|改成|改为|换到|改到|换为|变成)了?"
    r"|(?:(?:is|was|has been|got|gets|now) )*"
    r"(?:swapped|exchanged|replaced|changed|switched) (?:for|by|with|to|into))\s*"
)
# Before a value: it stands for the one told before; where the words only tell when, both may hold.
CHANGED_TO = re.compile(
    r"\b(?:became|becomes|(?:cut|down|reduced|raised|changed|lowered) to)\b"
    r"|改[为成到]|[降减砍调升涨冲涌][到至成为]|变成|换成|现为|现是"
)
# What may stand before such a change and names nothing of its own.
SINCE_WHEN = re.compile(
    r"\b(?:v\d[\d.]*|it|is|was|has|have|been|then|later|since|from|on|got|now|only|to|and|but|which|we|they)\b"
    r"|第|版|起|之?后|然后|又|已经?|被|再|就|现在|从|才|把|它|数"
)
AS_OF_NOW = re.compile(
    r"^\W*(?:(?:but|and|it|it's|it is|is|are|right|as of|since)\b ?)*(?:now|nowadays|today|currently|since then|v\d)\b"
    r"|^\W*(?:而|但|到)?(?:现在|目前|如今)"
)
# Behind a value: it is told what it is ("Friday is the choir's day", "周三那个是场地的").
TOLD_AS = re.compile(
    r"[\s\"'”」）)]*(?:(?:figure|number|value|date|day|slot|hour|one|price|rate|count)s? )?"
    r"(?:is|was|are|were|'s|belongs?|belonged|came|comes|stems?|stemmed)\b(?!\s*\d)"
    r"|[\s\"'”」）)]*(?:那[个条场次天])?(?:只|才|就|则|都|可)?(?:是|属于|归|来自)(?!\s*\d)"
)
# What it is then: somebody else's, of something else, when something else happens.
OF_ANOTHER = re.compile(
    r"\b(?!(?:it|that|what|here|there|let)'s)[a-z]+(?:'s|s') "
    r"|\b(?:from|of|to|for|when|where|by)\b (?!us\b|me\b|now\b|you\b)"
    r"|(?:那|这)[场条个次件班边份]|的(?:\w{0,4})\W*$|开始"
)
DRAFT = re.compile(r"\bv\d")
# What holds all the same, or may.
HOLDS_TOO = _words(
    en=r"""
    also|too(?=\W*$)|as well|fine|ok|okay|good|possible|final|confirmed|right|correct|real(?:ly)?|actual(?:ly)?
    best|free|available|an? option|alternatives?|backup|in reserve|fallback|spare|deadline|latest
    what|new|our|ours|my|mine|us
    """,
    zh="也|可以|都行|行的|备选|备用|最终|正式|真|实际|最晚|最新|现在|我们|咱|我的|新的|对的|准|确认|可用|有空",
)
# Behind a rival: it is for another time, or no matter now.
ANOTHER_MATTER = _words(
    en=r"""
    only|merely|not (?:until|before)|can wait|(?:is |are )?for later|another (?:matter|story|time|day)|separately|later
    turn|next (?:week|month|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday)
    """,
    zh=r"""
    另说|另算|另议|另外说|以后再|再说|不急|才|只是|早就?[收到交有]|已经?(?!\w{0,2}[订定约选改换])|回头|改天|单独
    那班|那份
    下[周个回次]|下下
    """,
)
# Around a number: it comes on top of what was asked.
MORE_BEFORE = re.compile(r"(?:\b(?:plus|another|further|additional|extra)|另[外加付有收]|外加|再加|额外[加付收]?)\s*$")
MORE_AFTER = re.compile(r"\s*(?:more|extra|additional|off|discount)\b")
# The writer, or somebody in the writer's name, gives or promises something.
GIVES = _words(
    en=r"""
    (?:i|we)(?:'ve| have)? (?:already |just )?promised(?! nobody| no one| nothing| not)|promised (?:me|us)
    (?:i|we|they)(?:'ll| will| shall|'re| are)?(?: going to)? (?:also |now |then |even )?(?:ship|send|give|giving|pay
    |paying|refund|replace|reimburse|compensate|treat|buy|offer)s? (?:him|her|them|everyone|everybody|each|every)
    (?:i|we|they)(?:'ll| will| shall) (?:hand|pay|ship|refund|compensate|buy|reimburse) you
    (?:gives?|gets?|receives?|ships? to|will get) (?:every|each|all) \w+|thr(?:ow|ows|ew|own) in
    (?:he|she|they|customers?|everybody|everyone|who) (?:will |'ll |also )*gets? (?:\S+ ){1,2}(?:back|off|free|for free)
    ships? to (?:him|her|them)|(?<=a )free (?!day|hour|slot|time|room|seat|spot|evening|hand|moment|afternoon)[a-z]+
    free (?:gift|coffee|espresso|drinks?|lunch|shipping|samples?)|for free|(?:gets?|getting|receives?) .{1,24}\bfrom us
    """,
    zh=r"""
    (?:答应|承诺)(?:了|过)?(?:要|会)?(?:给|替|帮|为|送|退|赔|补|请)
    (?:给|替|为)(?:他|她|他们|您|你|客户|用户|大家|每\w{1,2})(?:免费|再)?(?:退|赔|换新|换[一台个只]|补偿|报销|送)
    免费送?|赠送|全款|押金|(?:我|我们|咱)(?:已经?|就|会|来)?(?:送|赔|退|补偿)(?:他|她|大家|每)|[还另再加]送
    """,
)
# What was asked may be about a promise itself.
PROMISE = _words(en=r"promis\w*", zh="答应|承诺")
# Does something else, too.
ALSO_DOES = _words(
    en=r"""
    also (?:open|change|order|move|buy|add|raise|launch|book|cancel|hire|sign|start)(?:s|d|ed)?|also (?:bought|rais\w+
    )
    """,
    zh=r"""
    (?:也|还)(?:一起|跟着|顺便|都|要)?(?:给\w{1,4}?|帮\w{1,3}?|替\w{1,3}?)?(?:改[成为到]|订了?[一两]|换成|加到|买了?[一两]|涨|送|取消)
    也(?:跟着|一起)\w{0,4}上
    """,
)
# Behind what was told: whose it is.
WHOSE = re.compile(
    r"^\W*(?:(?:说的|这|那|以上|这些|那些)?(?:都|全)?是|(?:that's|that is|those are|these are|all of it is)\b)"
)
# A sentence that goes on about whom the one before is about, and words for somebody else in that.
GOES_ON = re.compile(
    r"^\W*(?:(?:and|so|but) )?(?:he|she|they|it|its|his|that|this|their)(?:'s|'ll|'ve)?\b"
    r"|^\W*(?:他|她|它|那[个条场边]?|这[个条场]?)(?!么|样)"
)
SOMEBODY = _words(en="her|him|them|she|he|they", zh="她|他")
# Around a name that only serves as a measure: "if it goes like the spring one", "按去年的转化率".
MEASURED_BY = re.compile(
    r"(?:\b(?:if|like|as|than|per|using|(?:judging|going|reckoned|calculated) by|based on|follow(?:s|ing)?"
    r"|match(?:es|ing)?)(?: the| our)?"
    r"|[按照跟像和同如以依拿用比]|参照|参考|根据|对照|比照|沿用|套用)\s*$"
)
MEASURES = re.compile(
    r"(?:'s)? (?:\w+ ){0,2}?(?:rate|ratio|conversion|pace|share|terms|maths?|sums|formula|arithmetic|method"
    r"|figures|numbers"
    r"|experience|curve|precedent|logic|yardstick|basis)\b|(?:'s|\s*的)\s*\d[\d.]* ?%"
    r"|\s*的?(?:转化|比例|比率|经验|水平|节奏|那样|一样)"
)
# Behind a name: it is of somebody who asks.
ASKER = re.compile(r"\s*(?:(?:asked|asks|wants to know|wanted to know|is asking)\b|[刚才]?问)")
# Says that two rows are paired in order.
RESPECTIVELY = _words(en=r"respectively|in that order", zh="分别|依次|各为|各是")
NOUN = re.compile(r" ?([a-z]{3,}|[一-鿿]{1,2})")
AND_ALSO = re.compile(r"[\s,，、]*(?:and|or|和|及|或|plus)?[\s,，、]*")
# A number with one of these behind it counts something of its own.
OWN_NOUN = re.compile(r" ?[楼层号天台盏片条件家份批次行]| ?[a-z]{3,}")

# ------------------------------------------------------------ what is set aside
# A value or name of no claim that stands behind one of these is named only to be put away: "ignore the old plan, …".
ASIDE_AHEAD = _words(
    en=r"""
    ignor(?:e|ing)|disregard(?:ing)?|forget(?: about)?|skip|delete|remove|overwrite|discard|unlearn|scrap|strike|bin
    never ?mind|no need|needn't|need not|nobody (?:needs|has)|no one (?:needs|has)|don't (?:need|have) to
    not to be (?:confused|mistaken|mixed)|contrary to|despite|regardless of|as opposed to|unlike
    old|older|previous|former|outdated|stale|obsolete|superseded|expired|mistaken(?:ly)?|wrong(?:ly)?|incorrect(?:ly)?
    as for|early \w+|resist|(?:back and forth|to and fro|talk|argu\w+|confusion|fuss|noise|debate|discussion|chatter|
    panic) (?:about|
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
    (?:float|fly|fl[eo]w|go|went|gone|pass|thr[eo]w|knock|kick)\w* (?:a)?round|circulat\w+
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

# A thing that is not here yet is no less the thing that is meant: "TR-5590 还没收到".
NOT_HERE = re.compile(
    r"^\W*(?:been )?(?:arrived|reached|come|received|sent|delivered|turned up|shown up|landed|got here|here)\b"
    r"|^\W*(?:见|看|收|拿|等|发|寄|交|补|送|传|提供)(?:到|来|过|出|给|齐)?"
)
# "260 in all, not 260 each": the number stands, its share does not.
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
# An hour of a day that is over: "昨晚八点", "last night at eight".
PAST_HOUR = re.compile(
    r"(?:昨[天晚夜日儿]|前[天晚]|上周\w?)\w{0,3}?\s*\S{1,6}$"
    r"|\b(?:yesterday|last (?:night|evening|\w+day))(?: \w+)?(?:,? at)? \S{1,8}(?: [ap]\.?m\.?)?$"
)
# Wishes, in which a day is no date: "have a good Monday".
WISH_BEFORE = re.compile(
    r"(?:have an? (?:\w+ ){0,3}|happy |enjoy (?:your |the )?|how (?:was|is) your |your |(?:had"
    r"|have) an? (?:\w+ ){0,2}|祝\w{0,4})$"
)
WISH_BEHIND = re.compile(r"^的?(?:愉快|快乐|开心|安好|吉祥)")
THANKS = _words(en=r"thank\w*|thanks|say hi|regards|cheers", zh=r"谢|感谢|问好|问候|辛苦|拜托")
COUNTED = re.compile(r" ?[楼层号天台盏片条件家份批次行个位名人遍种款处间]| ?[a-z]{3,}")
# An id that bears a label of its own is another thing's: "order HL-88231", "工单T-20417".
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
# A no put politely is no less a no: "恐怕去不了".
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

# ------------------------------------------------------------ facts that hinder
# Nothing in them denies by its grammar: a place is taken, a consent is missing, a person cannot, a thing is gone, a
# figure was taken from the wrong source.
_IS = (
    r"(?:is|are|was|were|(?<=\bit)'s|(?<=at)'s|(?<=he)'s|(?<=room)'s|(?<=is)'s"
    r"|'re|be|been|being|gets?|got|stays?|remains?|stands?)"
)
_HARDLY = (
    r"(?: already| all| now| just| still| sadly| currently| since| only| fully| completely| then| also"
    r"| always| both| a| an| the)*"
)
_HELD_THING = (
    "(?:it|that|this|them|both|these|(?:the|that|this) (?:room|slot|seats?|hall|place|hour|time|date|day|table"
    "|booking|space|venue|stage|build|plan|request|offer|words?|wording|change))"
)
_CONSENTED = (
    "(?:signed|approved|agreed|confirmed|released|granted|cleared|paid|accepted|okayed|authori[sz]ed|ratified"
    "|decided|answered|replied|responded|blessed|endorsed|allocated|funded|countersigned|stamped|said yes)"
)
_CONSENT = (
    "(?:sign|approve|agree|confirm|release|grant|clear|pay|accept|ok|okay|authori[sz]e|ratify|decide|answer|reply"
    "|bless|vote|hand over|weigh in|pass|rule|nod|give|countersign|stamp|permit|consent|let us)"
)
_READY = "(?:ready|finished|built|installed|shipped|delivered|arrived|fixed|repaired|connected|opened|complete|wired)"
_OTHERS = r"(?<!\bi )(?<!\bwe )(?<!\byou )(?<!i've )(?<!we've )(?<!i have )(?<!we have )(?<!i just )(?<!i already )"

# A place or an hour is somebody else's.
_TAKEN_EN = rf"""
    {_IS}{_HARDLY} (?:taken|occupied|in use|booked(?: up| out| solid)?|fully booked|full|overbooked|rented|leased
    spoken for|claimed|double-booked|engaged|packed|crammed|blocked|unavailable
    snapped up|let to)(?!.{{0,12}}\b(?:by|for) (?:us|me|you|our)\b)
    {_OTHERS}(?:has|have|had|holds?|held|uses|used|took|takes|grabbed|booked|reserved|nabbed|occup(?:y|ies|ied)|rented
    claimed|needs|keeps) {_HELD_THING}(?! for (?:us|me|you|our))(?: \w+){{0,2}} (?:at that|then|from|for|that|on
    every|until
    all|first)
    already (?:use|uses|has|have|hold|holds|sit|sits|meet|meets|booked|took) (?:it|there|in|that|the)
    (?:sits?|sitting|meets?|meeting|camp(?:s|ing|ed)?|working|works|moved) (?:in|into) (?:there|it|that room)
    (?:gave|given|give|sold|let|lent|rented|assigned|promised|passed|went|goes
    handed) (?:{_HELD_THING} )?(?:away )?to (?:
    another|an?other|somebody|someone|others|the (?!two|four|three|both)\w+ team)
    {_OTHERS}(?:holds|held|occup(?:y|ies)) (?:it|that)(?! for (?:us|me|you))|double-booking
"""
# Consent, money or something needed is not there yet.
_PENDING_EN = rf"""
    (?:still|yet|first) (?:has|have|had|needs?|must|wants?|ought)?(?: to)? {_CONSENT}
    (?:has|have) (?:yet|still) to {_CONSENT}|(?:must|needs? to|has to
    have to) (?:first )?{_CONSENT}(?: \w+){{0,4}} first
    {_OTHERS}(?:hasn't|haven't|hadn't|has not|have not|isn't|is not|aren't|are not|wasn't|weren't|never)(?: yet| even
    | been| actually| formally)* (?:{_CONSENTED}|{_READY})
    (?:won't|wouldn't|will not|refuses? to|refused to|declined to|didn't|doesn't) (?:\w+ )?{_CONSENT}
    (?:still |yet )?needs? (?:\w+'?s? ){{0,4}}(?:sign-?off|signature|approval|consent|permission|blessing|green light
    go-ahead|stamp|repair\w*|fixing|clearance|permit)
    wants? (?:another|a second|a closer|one more|to have another|to take another) (?:look|review|round|check|opinion)
    wants? to (?:think|see|read|check|discuss|review|talk)|waiting (?:for|on) (?!you\b|me\b|us\b)|awaiting|pending
    (?:under|in|stuck in|still in) (?:review|limbo|negotiation|discussion|dispute|litigation)|stuck (?:in|at|with|on)
    held up|is with (?:legal|finance|the lawyers|the board)|missing (?:a|the|his|her|its|one) (?:signature|stamp|permit)
    (?:depends|hangs|hinges) on|before (?:\w+ ){{1,4}}(?:signs?|approves?|agrees?|has been|have been|is|are) (?:repaired
    fixed|signed|approved|cleared|finished|ready)?
    no (?:budget|money|funding|permit|permission|contract|approval|signature|decision|licen[cs]e|visa|capacity|staff
    power|heating|electricity|roof|access|way in|key)(?: \w+)? (?:yet|so far|for (?:it|that)|left|there|in|has|was|from)
    can't (?:ship|deliver|build|travel|fly|enter|get in\w*|start|open|fit|hold|afford|release|produce|supply|cope)
    cannot (?:ship|deliver|build|travel|fly|enter|get in\w*|start|open|fit|hold|afford|release|produce|supply|cope)
    (?:doesn't|don't|won't|does not|will not) (?:even )?(?:compile|build|fit|exist|start|boot|open|run|work|ship
    deliver|be ready|be done|be finished)
    (?:hasn't|haven't|has not|have not) (?:even )?(?:compiled|arrived|been (?:built|delivered|paid
    made|signed|approved|released|granted|cleared|found|fixed|repaired))
"""
# Somebody who is needed cannot.
_AILS = (
    "(?:on (?:a plane|a train|a flight|the road|leave|holiday|vacation|sick leave|duty|shift|strike|board)"
    "|abroad"
    "|out of (?:town|office|the office|the country|action|reach)|in (?:hospital|surgery|court|quarantine|bed|jail)"
    "|ill|sick|off sick|down with|laid up|bedridden|unwell|injured|poorly|travelling|traveling|grounded|out sick"
    "|in (?:the|a) (?:dentist|hospital|meeting|plane|train)"
    "|at the (?:dentist|doctor|hospital|vet)|with (?:a|the) (?:client"
    "|customer|doctor|dentist)|asleep|dead|unreachable|stranded|locked up|locked out)"
)
_CANNOT_EN = rf"""
    (?:i'm|i am|i'll be|we're|we'll be|he's|she's|they're|(?:he|she|they)'ll be|is|are|will be|has been
    was taken)(?: \w+)? {_AILS}
    (?:has|have|'ve|got|having)(?: got)? (?:an?|another|to be|the|my|his|her) (?:\w+ )?(?:flight|exam|surgery|operation
    wedding|funeral|customer|client|appointment|class|shift|flu|fever|cold|covid|migraine|dentist|court date)
    bedside|put (?:me|him|her) to bed|broke (?:his|her|my|a) (?:leg|arm
    foot|ankle|wrist|hip)|called in sick|caught (?:the flu|a cold|covid)|quit (?:on|last|this|yesterday|his|her)
    resigned|was (?:fired|sacked|let go|laid off)|left the company|leaves the company|missed (?:his|her|my
    the) (?:flight
    train|plane|bus)|train gets in (?:at|after)|(?:flight|train|plane) (?:leaves|lands|arrives|gets in) (?:only|after)
    no longer works (?:here|for|with)|(?:can't|cannot|won't|unable to) (?:be there|come|attend|make it|get there|join)
    not (?:my|our|his|her) (?:call|decision|place|department)|no authority|not (?:authori[sz]ed|entitled|allowed)
    above my pay|can't decide
"""
# What is needed is gone, shut or made into something else.
_SHUT = (
    "(?:closed|shut|locked|sealed|bricked up|boarded up|fenced off|walled up|cordoned off|barred|condemned|flooded"
    "|damaged|broken|out of order|demolished|burnt out|gutted|evacuated|off limits|inaccessible|banned|forbidden"
    "|prohibited|suspended|frozen|disabled|deleted|recalled|stolen|lost|destroyed|wrecked|ruined|discontinued|bankrupt"
    "|torn down|pulled down|knocked down|dismantled|rejected|refused|blocked|vetoed|empty|exhausted|used up|spent"
    "|overdrawn|under (?:construction|renovation|repair|maintenance|water|quarantine|scaffolding)|being (?:renovated"
    "|repaired|rebuilt|painted|refurbished|torn|demolished|converted)|sold out"
    "|out of (?:stock|business|print|production))"
)
_GONE_EN = rf"""
    (?:{_IS}|has been|have been|had been){_HARDLY} {_SHUT}
    {_OTHERS}(?:has|have|had)? ?(?:sealed|locked|closed|shut|banned|rejected|refused|blocked|vetoed|froze|frozen
    condemned
    cancelled|deleted|demolished|evacuated|forbidden|forbade|barred|bulldozed|flooded|wrecked|scrapped|suspended|revoked
    confiscated|impounded) (?:{_HELD_THING}|the \w+|both \w+|our \w+|that \w+|its \w+)
    (?:close[sd]?|shut|shuts|burnt|burned|broke|tore|torn|pulled|knocked|shutting|closing) down
    went (?:bust|bankrupt|under|out of business)|ran out|(?:has|have) run out
    (?:no longer|stopped|don't|doesn't|haven't|hasn't|not) (?:make|makes|making|made|sell|sells|selling|sold|stock
    stocks
    stocking|produce|produces|producing|carry|carries|offer|offers|exists?)
    (?:turned|turning|converted|making|made|rebuilt) (?:{_HELD_THING} )?into (?:an?|the|offices|storage|toilets)
    cut (?:it|that|this|them) to (?:nothing|zero|a third|half)|(?:new|different|another|revised) (?:plan|version
    proposal
    schedule|list|draft) (?:came|arrived|is out|follows|has been|just)
    sent (?:me |us |round |out |over )?an? (?:different|new|another|revised)|burst|collapsed|caught fire|power is out
    (?:already|has|have) (?:run|printed|shipped|published|sent|used) (?:out )?(?:the|with the) old
    (?:told|tells|called) (?:me|us) (?:that )?(?:they're|they are|it's|it is) (?:full|closed|shut|off|gone|not)
"""
# The figure or fact comes from the wrong place.
_MISTAKEN_EN = r"""
    count(?:ed|s|ing)? (?:\w+ ){0,3}(?:twice|double|two times)|double[- ]count\w*|counted in both
    (?:test|fake|dummy|bot|spam|duplicate|placeholder|staff) (?:accounts?|entries|data|records|orders|users|sign-?ups)
    (?:are|were|is|was)(?: all| mostly| partly| just| only)* (?:fake|bots|duplicates|dummies|placeholders?|invented
    fabricated|inflated|padded|doctored|rigged|test data|made up)
    (?:from|of|off) (?:the|an?|last year's|some) (?:draft|test|old|wrong|outdated|stale|training|sample|s\d) ?\w*
    (?:look(?:ing|ed)? at|read(?:ing)?|measur(?:ed|ing)|used|using|opened|copied|took|taken|quoted|counted|picked|asked
    called|pasted|exported|checked) (?:from |off |up )?the wrong|(?:in|from|on) the wrong
    numbers? in the draft|mixed up the|confused (?:it|that|this|the)|off by (?:one|a)|upside down|stale cache
"""
# What goes wrong, whatever it is.
_MISFORTUNE_EN = rf"""
    {_OTHERS}(?:hasn't|haven't|has not|have not)(?! to)(?! (?:\w+ )?(?:changed?|moved?|started|begun|touched|told
    heard|liked|written|posted|mentioned))
    (?:nobody|no one|none of us|none of them) (?:can|has|could|is able|is allowed|knows how|will|wants|dares|showed)
    (?:don't|doesn't|do not|does not|didn't) have (?!to\b|any (?:other|further|more)|time for)|(?:there's|there is
    there are|has|have|had) no (?!need|doubt
    rush|hurry|problem|other|question|change|further|more|idea|objection|conflict|clash|overlap|reason|issue|harm|shame|risk|tax|discount|limit|cap)
    (?:went|gone|goes|going) (?:missing|wrong|awry|sour|to pieces|belly up|bad|off the rails|down with|on strike
    into labour|into administration|haywire|offline)
    accident|injur(?:y|ed)|operated on|ambulance|hospitali[sz]ed|fever|temperature of|throwing up|vomiting|migraine
    contagious|infected|quarantined
    gave out|gave way|came down|fell (?:down|in|over|ill|off|out)|snapped|cracked|shattered|leaking|leaks|mould
    asbestos|rats|fire brigade|smoke|gas leak
    strike|blackout|outage|power cut|curfew|lockdown|snowed in|fogbound|storm|flood|earthquake|landslide|derailed
    diverted|cordon
    lawsuit|sued|court order|injunction|complaint|police|fraud|hacked|breach|embargoed|seized|customs|confiscated
    expired|lapsed|overdue|ran out
    bug in|crash (?:nobody|we|that)|regression|showstopper|blocker|corrupted?|corrupt|malfunction\w*|misfir\w+
    short-circuit\w*|fried|bricked|broken formula|broken link
    on strike|night rota|on (?:the )?(?:night|late|early) (?:shift|rota)|handed in (?:his|her|my|their) notice
    gave notice|walked out|stormed out|eloped
    took (?:it|them|the \w+|that|us) (?:down|off|out)|pulled the plug|plug was pulled|left without|in the air
    mid-?air|at sea|on safari|on (?:his|her|their) honeymoon
    jury duty|public holiday|bank holiday|day off|closed for|too (?:small|big|short|long|narrow|wide|hot|cold|loud
    dark|late) for|doesn't (?:fit|match|reach|count|cover|include)
    withdrawn|double-?booked|don't let|doesn't let|won't let|didn't let|must not|may not|mustn't|nothing may
    not allowed|wants its say|wants (?:his|her|their|a) say
    repaint(?:ed|ing)|being (?:painted|cleaned|moved|emptied|fumigated|audited|investigated)|bot farm|pasted
    since found|found out|flying to|flies to|don't stop there|doesn't stop there
    (?:board|committee|panel|court|council|jury|union) (?:\w+ )?(?:meets|decides|votes|rules|sits) (?:about|on|next
    only|later|after)
"""
_HINDERS_EN = _MISFORTUNE_EN + _TAKEN_EN + _PENDING_EN + _CANNOT_EN + _GONE_EN + _MISTAKEN_EN
_NOT_OURS_ZH = "(?!我|咱|你|您|大家)"
_HINDERS_ZH = rf"""
    (?:被|让|叫|给)(?!我|咱|你|您)\w{{1,8}}?(?:占|订|包下|包场|租|借走|抢|征用|拿走|买走|收走|挤掉|顶掉|撤|拦|拒|毙|扣)
    (?<!不)(?<!没)(?<!没有)占(?:着|住|满|线|据|用)|租出去|租给|订出去|包场|客满|满员|爆满|排满|约满|订满|坐满|占满|有人[了用占订](?!\w*[吗?])
    撞期|撞车|(?:卖|转|租|借|分|划|拨|让|腾|移交|许)给了?{_NOT_OURS_ZH}\w|(?:已经|早|都)?在(?:里面|那儿|里头|那边)(?:开会|办公|培训|面试|上课)
    另(?:外)?(?:找|选|订|定|约|换|租|挑)了|换了?别(?:家|人|的)|(?:档期|位子|名额|座位|票|时段|库存|房间|场地)\w{{0,3}}(?:没了|没有了|满了|光了|卖光)
    (?:还没有?|尚未|还未|仍未|迟迟没|一直没|至今没|并?没有?|未)(?:\w{{0,6}}?)(?:签字?|批(?!次)|点头|答应|松口|盖章|拍板|审|通过|到位|到账|落实|谈妥|谈好|谈拢
    验收|交付|下来|回复|回话|放行|开通|修好|装好|完工|打款|付款|备案|授权|同意|表态|交接|竣工|放款)(?!\w{{0,2}}的)
    卡在|卡着|压在|僵着|悬着|搁着|(?:就|只|仅)(?:差|缺)(?!不)\w|还在\w{{0,4}}(?:走|审|谈|等|排|修|批|磨|扯|协商|流程)|在走\w{{0,4}}(?:流程|审批|手续)
    审批中|审核中|待审|待批|报批|复核中|(?:得|要|需要|须|必须)(?:先|等)(?!说|到南|到北|[\d一二两三四五六七八九十几半])\w
    (?<!不用)(?<!不必)(?<!无需)(?<!别)(?<!不)等\w{{0,8}}?(?:批|签|审|点头|盖章|拍板|验收|同意|回复|回信|放款|松口|结果|说法|过)(?:了|完|下来|好)?(?:再|才|就)
    (?:要|得|在|轮到\w{{0,3}})值班|封了|封掉|封死|封闭|封楼|封路|封控|锁了|锁着|上锁|拆了|拆掉|拆迁|塌了|倒塌|淹了|烧了|着火|失火|起火|爆了|爆管|坏了|坏掉|堵死|堵了
    停电|停水|停工|停业|停产|停售|停运|停办|停用|停机|关了(?!灯)|关门|关张|关停|关闭|关店|倒闭|歇业|装修(?!完|好)|施工(?!完)|翻修|维修|检修|整修|搬走|搬空
    漏水|漏雨|断电|断网|断货|缺货|没货|卖光|卖完|售罄|下架|绝版|报废|进不去|进不来|开不了|打不开|用不了|用不上|上不去|办不了|做不了|开不成|办不成
    赶不上|赶不及|(?<!我)来不及(?![改换印])|做不完|发不了|出不来|到不了|批不下来|过不了|交不出|凑不齐|腾不出|排不开|抽不出|顾不上|撑不到|没开门|不开门|不营业
    (?:把|将|给)\w{{1,8}}?(?:改成|改作|改建|当成|变成|划成|拆|封|锁|砍|毙|冻|撤|停|退|卖|关)|(?:改|变)成了?(?:仓库|库房|机房|食堂|厕所|工地)
    请假|休假(?!回)|年假|病假|产假|出差(?!回)|住院|卧床|开刀|做手术|发烧|生病|病了|病倒|感冒|隔离|飞机上|高铁上|火车上|在外地|在国外|出国
    赶飞机|考试|见客户|占线|轮休|离职|辞职|跳槽|被裁|退休|骨折|崴了|失联|联系不上|没空|没时间|走不开|不肯|不乐意|不放人|不批|没批(?!次)|有会(?!议)|有课|有约
    见底|花光|花完|用光|没钱|超支|透支|冻结|冻了|冻住|冻上|没预算|没权|无权|没有?\w{{0,4}}权限?|做不了主|说了不算|没资格|砍光|砍没|砍掉|清零|归零|挪用
    算重|重复(?:计|统|算|录)|算了两[遍次]|测试(?:号|账号|数据|订单)|机器人号|僵尸|水军|刷的|刷出来|注水|掺水|虚报|虚高|造假|是假的
    (?:看|抄|量|数|算|读|拿|填|取|翻|搞|弄)错(?:了|表|行|列)|(?:量|看|数|算|抄|说|指|问)的是(?:另|别|旧|老)|(?:是|属于)\w{{0,4}}(?:草稿|草案|测试|样例|示例|旧表|演示)\w{{0,2}}的?
    (?:还没有?|尚未|还未|至今(?:没|未)|一直没|迟迟(?:没|未))(?!变|动过|换|改|开口|说|问|告诉|通知)\w(?!\w{{0,6}}的)|谁也(?:找|进|打|联系|搞|说)不|(?<!雷)(?:找|看|联系|打|买|订|约|请|叫|拿|弄|租|凑|借)不(?:到|着|上|来|通|动|齐)(?!了?什么)|找不着
    跑路|失踪|出事|出车祸|事故|受伤|又伤|伤了|摔(?:了|伤|断)|断了|折了|烧到|高烧|发烧|在吐|呕吐|拉肚子|中暑|昏倒|晕倒|阳了|进医院|救护车|急诊|去世|过世|奔丧
    宕机|死机|崩溃了|发现\w{{0,3}}(?:崩溃|漏洞|问题|缺陷|错误)|出(?:了)?(?:故障|问题|岔子|状况|毛病|bug)|故障|失灵|短路|烧毁|烧坏|泡水|进水|发霉|有毒|超标|塌方|地震|台风|暴雨|大雪|大雾|罢工|抗议|封城|戒严|警戒线
    扣(?:在|下|住|押)|查封|冻着|吊销|注销|过期了?|到期了?(?!日)|失效|被盗|被偷|被骗|起诉|投诉|官司|被查|调查(?!问)|整顿|封号|禁用|禁止|不让(?!你|我)|不许|不准(?!时)|拦着|拦住|压着不|锁账|封账
    (?:排了?|上|值|有|轮到)\w{{0,2}}(?:夜班|晚班|早班)|临时有事|抽不开|离不了人|离不开|脱不开|分不开身|人在天上|在天上|飞(?:东京|北京|上海|深圳|外地|国外)|公共假期|法定假日|放假(?!我)|节假日|不停车|停运|没\w{{0,2}}(?:赶上|接到|买到|订到|拿到|收到|找到|装|通电|到货)(?!\w{{0,2}}的)
    不生产|不卖|不做了|不干了|不开了|不接(?:单|待|客)|不提供|一分钱没|没钱|付不起|买不起|跟不上|堆满|刷墙|粉刷|霸着|长期占|排重|重复记|粘错|贴错|公式\w{{0,2}}(?:坏|错)|写错了|大部分是|大半是|脚本刷|水分|虚的|(?:划|拨|分|批|让|借)给了?(?!我|你|咱|您)\w{{2}}
    前提是|条件是|要看\w{{1,6}}(?:脸色|意思|情况)|封版|不要了|撤了|(?:自己|本人)\w{{0,2}}还?不知(?:道|情)|没人(?:通知|告诉|问)过?(?:他|她)|没\w{{0,2}}摄像头|没网|没信号|没麦|一摊
    毙了|毙掉|打回|驳回|被拒|拒了|退票|票都退|退了票|(?:按|照)(?:老|旧)\w{{0,3}}(?:印|发|做|排|走)|新(?:方案|版本|计划|日期)\w{{0,3}}(?:来了|出了|下来|发了)
    (?:首班车?|头班车?|末班车?|航班|火车)\w{{0,6}}(?:才|没)
"""
HINDERS = _words(en=_HINDERS_EN, zh=_HINDERS_ZH)
# Said of what hinders, it hinders no more: left out, over, mended, no longer.
RESOLVED = _words(
    en=r"""
    (?:but|and|now) (?:is|are|it's|they're|has been)? ?(?:fixed|repaired|mended|replaced|back|fine|ok|open)
    stands? in|takes? over|covers? for
    left out|excluded|removed|filtered|stripped|not counted|(?:is|are|got|am) over
    resolved|solved|mended|until (?:yesterday|last|now)|in time|just in case|sorted|never|nobody|no one|none
    anyway|all the same|regardless|back from|afterwards
    """,
    zh=r"""
    剔|去掉|排除|除外|不含|过滤|刨[掉去]|解决|修好|恢复|不再|不用|不必|无需|免得|省得|以免|以防|防止|避免|不怕|放心|完了|好了|已经?过|过了
    批了|签了|回来|销假|没人|无人|谁都?没|不影响|也[行可]以?
    """,
)
# That something has not come yet may be as true as what is claimed; that a consent is missing takes it back.
NOT_COME = re.compile(
    r"^(?:还没|尚未|还未|仍未|迟迟|一直没|至今|未|没(?:有?(?:批|回|通|到|收|拿|签))|[就只仅][差缺]|还在|审核中|待审|待批"
    r"|still|yet|(?:has|have|is|are)(?:n't| not)(?! even)|didn't (?:answer|reply)|(?:has|have) (?:yet|still) to|pending"
    r"|awaiting|waiting|overdue|(?:under|in|still in|stuck in) review)"
)
OF_CONSENT = re.compile(
    r"签|批|点头|表决|答应|松口|盖章|拍板|授权|同意|放行|表态|谈[妥好拢]|sign|approv|agree|confirm|releas|grant|clear|consent"
    r"|permi|bless|authori|ratif|green light|go-ahead|blessing|budget|fund"
)
NEGATED_SHORTLY = re.compile(
    r"(?:\b(?:not|n't|never|no|nobody|none|nothing|without|hardly)(?: \w+){0,2} |[没不未无别免]\w{0,2})$"
)
# A condition with what is done then in the same clause: 顺延的话你们去.
IF_THEN = re.compile(r"的话\W{0,2}(?:(?:那|就|再|才)?(?:我们?|你们?|您|他们?|她们?|咱们?)|\d|再|别)\w?")
THEN_WE = re.compile(r"\b(?:we|i|you|they|then|it'll|it's|the|that)\b(?! \w+s? like)")
SO_ANOTHER = re.compile(
    r"\W*(?:so|hence|therefore|thus) (?:the|our|this|these|all|every) "
    r"(?!(?:date|day|time|hour|room|slot|meeting|call|plan|launch|booking|number|figure"
    r"|whole|above|offer|answer)\b)\w+ "
    r"|\W*(?:所以|因此|故)(?:这|该|整|那)?(?:批|货|线|产线|仓)"
)
# What somebody did not say is no value of before: "he did not say 19 March".
NOT_SAID = re.compile(
    r"\b(?:not|n't|never) (?:say|said|mention\w*|name[d]?|tell|told|write|wrote"
    r"|written|claim\w*|give[n]?|gave) (?:\w+ )?$"
    r"|[没未](?:有)?(?:说|提|讲|写|透露|承诺)过?\W{0,2}(?:是)?$"
)
ANOTHER_ONE = re.compile(r"\b(?:other|another|else|different)\b|别的|另|其他")
# What is forbidden stands behind it.
FORBIDS = re.compile(r"(?:请|也|更)?(?:不要|别|勿|不可|不能|切勿|请勿)再?[\u4e00-\u9fff]")
NEEDLESS = re.compile(
    r"(?:no need to|needn't|(?:don't|doesn't|do not) (?:have|need) to|(?<!不是)(?:不用|不必|无需|用不着))\W*$"
)
IS = re.compile(r"\b(?:is|are|was|were)\b|是|叫")
# Units of things that are no alternatives to each other.
APART = frozenset(("g", "kg", "°C", "cm", "m", "mm", "ml", "l", "%", "min", "h", "d"))
# The writer does not stand by what was told, or somebody contradicts it.
DISOWNS = _words(
    en=r"""
    i (?:could|can|have|did|do)(?: not|n't) (?:yet )?(?:verify|verified|confirm|confirmed|corroborate|vouch for|stand by
    endorse|trace|believe|buy)(?: any of| a word of| either of)? (?:it|that|this|them|these|those|either|both|him|her)
    i (?:never|didn't|did not) (?:said|wrote|agreed|approved|chose|promised|say|write|agree|approve
    choose|promise)(?=\W*$|[ ](?:to|it|that|so|any|such)\b)|(?:i|we) (?:have|'ve) (?:chosen|agreed|approved
    decided|promised|said|signed|picked
    confirmed) (?:nothing|none|neither|no such)
    (?:denies|denied|disputes|disputed|contests|contradicts|rejects|disowns) (?:it|that|this|both|all|everything
    them|each)
    (?:on|by|at) (?:his|her|their) word|nobody (?:\w+ ){0,4}(?:has )?(?:agreed|confirmed|approved|signed)
    nothing (?:is|was|has been) (?:fixed|settled|decided|agreed|signed|confirmed|final)|i (?:don't|doubt it)(?=\W*$)
    the (?:post|sheet|calendar|plan|list|table|note|ticket|page|log|invoice|record|file)s? (?:shows?
    says?|gives?|has|have|reads?|lists?) (?:other|another|different|otherwise|something (?:else|different)|no such)
    """,
    zh=r"""
    我(?:可|从来|从|根本|压根|自己|本人)\w{0,2}没(?:有)?(?:讲|说|写|答应|同意|批|选|定|提|表态)过?|(?:本人|他自己|她自己)(?:可|并|从来)?没(?:有)?(?:说|讲|提|答应)
    (?:这些|那些|这|那|以上)\w{0,2}我?(?:都|也|全)?没(?:有|能)?(?:查到|核实|证实|见到|看到|找到)|(?:说|讲|称|回)(?:全|都|根本|压根)?(?:不对|没这回事|没有的事|不知情|没答应|胡说|瞎说)
    说不是(?=\W*$)|否认|不认账|不承认|(?:没有?人|谁都没|谁也没)(?:\w{0,4})(?<!不)(?:答应|同意|确认|拍板|点头)|(?:表|单|帖子|日历|记录|系统|文档)(?:里|上)?(?:写|显示|记)的?(?:是别的|不一样|另有|不同|对不上)|对不上
    """,
)
# Signs that turn a text round more often than not, but not always: each makes an acceptance unsure.
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
# Things changed after what is told.
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
# Only in some case.
HAPPENS_IF = _words(en="if|in case|whenever", zh="如果|要是|万一|的话|假如")
# What is old, other or somebody else's may be hindered as it likes.
OTHER_ONE = _words(
    en=r"(?:old|other|first|former|previous|original|earlier|else|second|porthole)(?: one)?",
    zh=r"旧|老的|原来|原先|之前那|另一|别的|其他|上次",
)
SETS_AGAINST = re.compile(
    r"^[\W_～]*(?:but|however|yet|though|although|only that|except that"
    r"|trouble is|problem is|the catch|pity|sadly"
    r"|unfortunately|alas|mind you|too bad|shame"
    r"|不过|但是?(?!凡)|可惜|可是|只是|只可惜|就是(?=\w{0,3}[没不未])|奈何|无奈|偏偏|谁知|谁料|哪知|不料"
    r"|没想到|结果(?!是)|遗憾的?是|问题是|麻烦的是|然而|怎料)(?![a-z])|[, ]though\W*$"
)
# After "but" these are only practical: what to bring, whom to ask, what stays.
PRACTICAL = _words(
    en=r"""
    please|bring|don't|do not|that's|this is|remember|note|make sure|take|wear|call|ask|tell|check|use|keep|mind|let
    you|your
    same|unchanged|stays?|still|worth|fine|ok|okay|good|great|free|enough|no problem|not a problem|earlier|later
    without|excluding|including|included|old|was|were|used to|looking forward|happy|love|glad|thanks|sorry
    """,
    zh=r"""
    记得|别忘|注意|麻烦|请|带|可以|能|没关系|不影响|不变|照旧|照常|还是|仍|一样|够|好|值得|谢|抱歉|辛苦|早点|提前|不含|含|旧|之前|原来|以前|你
    """,
)
