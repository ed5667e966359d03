"""Words for reports of what others say, and for a writer's distance from them."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# A desk may be second-hand, too: only how somebody knows of a thing, and what is told of it, makes it a report.
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
    (?:hear|heard|hearing|know|knew|known|learn|learnt|learned|told|picked up|have it|had it|comes?|came|reached
    passed on)(?: \w+){0,3} (?:second|third)[ -]?hand|at (?:second|third)[ -]?hand
    (?:second|third)[ -]?hand(?: \w+)? (?:information|info|news|knowledge|reports?|accounts?|story|stories|word|sources?
    claims?|gossip|tips?|intelligence|intel|evidence|testimony|hearsay|figures?|numbers?|date|time|impressions?)
    (?:that|all of (?:this|that|it))(?:'s| is| was)(?: \w+)? (?:second|third)[ -]?hand
    it(?:'s| is| was) (?:all|only|just|purely|strictly|merely) (?:second|third)[ -]?hand
    (?:information|info|news|knowledge|reports?|account|story|word|source|claim)(?:'s| is| was)(?: \w+)? (?:second
    third)[ -]?hand|if \w+ is to be believed
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
    just) quoting(?! me)|(?!i\b)\w{1,20} (?:would|will|might) (?:tell you|have you believe|swear)|(?:were|was|are
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
    (?<!我)口风|(?<!我)拍着?胸[脯口](?=\w{0,30}[说讲保])|匿名|(?:照|按|依)(?!我|你|您|咱)\w{2,3}的(?:意思|说法|看法|话
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
    [二三]手的?(?:消息|说法|情报|传闻|转述|资料|数据|信息(?!平台|网|群|站))|(?:消息|说法|情报|信息|资料|数据)\w{0,3}[二三]手的?
    """,
)
# Hearsay even if the question asks what somebody says.
ALLEGED = _words(
    en="allegedly|supposedly|rumou?rs?|rumou?red|rumou?r has it|grapevine|gossip|hearsay|unverified|unconfirmed"
    "|(?:someone|somebody)(?: (?:in|from|at|on) \\w+(?: \\w+)?)? (?:says?|claims?|claimed|mentioned|insists?)",
    zh="有(?:粉丝|网友|人)说(?!自己)|传闻|据传|谣传|声称|自称|小道消息|网传|坊间|道听途说|不保真|风传|无从证实",
)
SAID_OF_BEFORE = re.compile(
    r"\W*(?:which|that|this|it|those|these|they)(?:'s| is| was| are| were)(?! (?:said|what|how))"
    r"|\W*(?:那|这)(?:个|都|只|也|才|些|数)*是"
)
# Somebody says it; the text leaves open whether the writer agrees.
SAYS = _words(
    en=r"""
    (?:says?|said|told (?:me|us)|thinks?|believes?|writes|wrote|mentioned|suggests?|suggested|wants?|wanted|
    would like|thought|prefers?|preferred|favou?rs?|fanc(?:ies|ied)|votes? for|pushes for|argues for|
    is (?:sure|certain|convinced|positive|adamant)|maintains|
    keeps (?:saying|telling|claiming)|goes around|
    proposes?|proposed|asked for|hopes?)
    """,
    zh=r"(?<![听据])(?:说(?![明好漏服]|一下|一声)|表示|认为|觉得|提到|提议|建议|想要|希望|以为|讲|称(?!为))",
)
# The writer does not endorse the report.
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
# A denial by itself.
LACK = _words(
    en=r"""
    excluding|no|not|never|\w{1,20}n't|without|missing|outstanding|overdue|owed|hands off|resist|refrain|avoid|excluded
    excludes?
    excl|exclusive|before tax|pre-tax|on top|plus|leave|stay away|nothing
    """,
    zh="[没未别勿莫不]|欠|拖|外加|另外?[计加算付收]|另外$|另是|以外|除外|少",
)
