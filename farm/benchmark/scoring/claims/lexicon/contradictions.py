"""Plain facts that contradict a claim, and the words that cancel such a fact."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# These contain no grammatical denial: a place is taken, a consent is missing, a person cannot, a thing is gone, or a
# figure is from the wrong source.
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
# A place or an hour belongs to somebody else.
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
    (?:still |yet )?needs? (?:\w+(?:'s?)? ){{0,4}}(?:sign-?off|signature|approval|consent|permission|blessing
    green light|go-ahead|stamp|repair\w*|fixing|clearance|permit)
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
# A person who is needed cannot.
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
# A needed thing is gone, shut or converted.
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
    (?<!不)(?<!没)(?<!没有)占(?:着|住|满|线|据|用)|租出去|租给|订出去|包场|客满|满员|爆满|排满|约满|订满|坐满|占满|有人[了用占订](?!\w{{0,30}}[吗?])
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
# A value that somebody did not say is not a former value: "he did not say 19 March".
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
# Units of things that are not alternatives to each other.
APART = frozenset(("g", "kg", "°C", "cm", "m", "mm", "ml", "l", "%", "min", "h", "d"))
# Only in some case.
HAPPENS_IF = _words(en="if|in case|whenever", zh="如果|要是|万一|的话|假如|(?:超|错)?过了?[这那此]个?[点时]|晚到|来晚")
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
