"""Words for reports of what others say, and for a writer's distance from them."""

from __future__ import annotations

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# A desk may be second-hand, too: only how somebody knows of a thing, and what is told of it, makes it a report.
HEARSAY = _words(
    en=r"""
    apparently|supposedly|allegedly|rumou?rs?|word is|i(?:'ve)? (?:just )?hear(?:d)?|i was told|people say|(?:is|are|was
    were) said to|gossip|claims? (?:that|it|to)|claimed|insists?|(?:someone|somebody|some|people|others|everyone
    a friend|a colleague)(?: \w+){0,4} (?:says?|said|claims?|told|mentioned|wrote|thinks?|reckons)
    [a-z]{1,12} claims(?! for)|swears|legend has it|word on the street|grapevine|word (?:in|around|at|from|among
    has)\b.{0,24}?\bis|(?:goes|going|went) around (?:with|saying|telling)|(?:keeps?|kept) (?:saying|telling|claiming
    insisting)|in (?:\w+'s|his|her|their) (?:version|view|book|opinion|telling|world|mind)|'s (?:reckoning|invention
    version)|rumou?r mill|rumou?r has it|supposedly|first i've heard|(?:if you )?ask \w+(?: \w+)?(?=,? (?:it|and|he|she
    they))|would have (?:it|us believe|you believe)|by all accounts|from what (?:i|we|they|people) (?:gather|hear
    understand|heard|can tell|pick up|read|saw|see)|under the impression|(?:twitter|reddit|facebook|the press
    the papers?|the news|the internet|social media|wikipedia|chatgpt|the chatbot|google|a tweet|a blog|a post|an article
    a stranger|strangers|the cleaners?|the drivers?|the receptionist|the interns?|the porter|the janitor|the barista
    a taxi driver|a competitor|competitors|the neighbou?rs?|bystanders|passers-?by|trolls|bloggers|journalists|pundits
    insiders|sources|analysts|fans|critics|customers|the competition|the tabloids|(?:my|his|her|their|our
    [a-z]+'s) (?:aunt|uncle|mum|mom|mother|dad|father|sister|brother|cousin|neighbou?r|barber|hairdresser|wife|husband
    girlfriend|boyfriend|flatmate|roommate|son|daughter|friend|nephew|niece
    dentist))(?: has| have| had| keeps?| once| all| also)? (?:says?|said|told|mentions?|mentioned|thinks?|thought
    reckons?|claims?|puts?|has|have|had|holds?|is
    are|was|were|swears?|writes?|wrote|posted|believes?|heard|guess\w*|predicts?|insists?|suggests?|whispers?|whispered
    let slip|estimates?|speculates?)|(?:let it slip|let slip|let on)|(?:no idea|don't know|not sure|unclear
    god knows) (?:who|where|whether) .{0,20}(?:said|wrote|came|comes|got|from|left)|(?:been|was|is) (?:suggested|put
    whispered|intimated|hinted|reported|mentioned) to (?:me|us)|the story goes|(?:caught|heard|overheard|saw
    read) (?:\w+ ){1,2}(?:say(?:ing)?|claim\w*|writ\w+)|seems? (?:convinced|certain|sure|to think|to believe)
    as far as (?!i\b|we\b|i'm\b)\w+(?: \w+)? (?:is|are) concerned|(?:i'm|i am|just) quoting(?! me)
    (?!i\b)\w{1,20} (?:would|will|might) (?:tell you|have you believe|swear)|(?:were|was|are|is) (?:saying|telling
    whispering|claiming|boasting|bragging)|'s (?:belief|conviction|claim|theory|guess|version|contention)|boasts?
    (?:unknown|anonymous|unnamed|dubious) (?:origin|source|sender|caller|mail|email|note)|(?:a|the|some|one) (?:guy
    bloke|man|woman|girl|boy|lady|porter|driver|blog|post|forum|thread|podcast|bridesmaid|waiter|courier|mover|tenant
    guest|visitor|tourist|student)(?: \w+){0,4} (?:says?|said|told|mentioned|claims?|remembers?|recalls?|thinks?
    swears?)|(?:my|our|his|her) (?:hairdresser|barber|taxi driver|landlady|trainer|doctor|teacher|coach) (?:counted
    says?|said|thinks?|has)
    """,
    zh=r"""
    听[^，。]{1,6}(?:讲|提起|聊起?|嘀咕)|有(?:个|位|些|几个)?(?:同事|朋友|博主|网友|客户|邻居|老乡|亲戚|路人|读者|粉丝
    媒体|群友|供应商|店员)\w{0,6}?(?:说|讲|称|猜|爆料|表示|提|觉得|认为|以为|发帖|留言|透露)|(?:网友|网上|推特|微博
    朋友圈|知乎|贴吧|论坛|群友|竞品|竞争对手|媒体|报纸|新闻|路边社|保洁|前台|司机|门卫|保安|阿姨|大爷|大妈|邻居|同行
    路人|我妈|我爸|我姐|我哥|我弟|我妹|我老公|我老婆|闺蜜|表哥|表姐|同学|中介|黄牛|算命的|黑粉)\w{0,4}?(?:说|讲|称|爆料
    看到|透露|传|提|报道|猜|以为|觉得|写|放话|刷到)|有人(?!问|打|接|来|在|用|占|管|负责|会|去|看)\w{0,6}?(?:说|讲|称|提
    传|猜|写)|(?:某些|某个|某位|一些|个别|那帮|那些)人?\w{0,4}?(?:嘴里|口中|看来|眼里|说|认为|宣称|声称)|(?:他|她|他们
    你|\w{2})(?:嘴里|口中|眼里)|(?<!我)口风|(?<!我)拍着?胸[脯口](?=\w{0,30}[说讲保])|匿名|(?:照|按|依)(?!我|你|您
    咱)\w{2,3}的(?:意思|说法|看法|话|口气|理解)(?=[，, ]|$)|在议论|信誓旦旦|转个话|真假不论|(?:老板|师傅|同桌|大叔|小哥
    司机|保姆|伴娘|店员|房客|导游|服务员|快递员?)\w{0,3}(?:说(?!了算|定)|讲|记得|提到|透露)|(?<!不)(?<!我)吹(?=达人|预约
    说|他)|(?<!预)热评(?!论)|电梯里|外头|不保真|不保准|道听|耳闻|小道|爆料|听来的|(?<!《)听人|听谁|放话|拍胸脯|听说|据说
    据传|传言|传闻|谣传|有人(?:说|讲|称|传|告诉|提|以为|觉得|认为)|听[^，。]{1,6}说(?![完话清明])|都说
    (?<!还)(?<!先)(?<!前)说是|自称|声称|小道消息|坊间|群里说|网上说|的说法|别人(?:说|讲|告诉)|非说|转述|到处(?:说|讲|传
    嚷)|逢人(?:就|便)(?:说|讲)|扬言|宣称|(?<!数)据(?!我)\w{1,6}(?:讲|说|称|传|透露)|吹牛|在传|都在(?:讲|说|传)|毫无根据
    一厢情愿|嚷嚷|一口咬定
    """,
)
# Hearsay even if the question asks what somebody says.
ALLEGED = _words(
    en=r"""
    allegedly|supposedly|rumou?rs?|rumou?r has it|grapevine|gossip|(?:someone|somebody)(?: (?:in|from|at
    on) \w+(?: \w+)?)? (?:says?|claims?|claimed|mentioned|insists?)
    """,
    zh=r"有(?:粉丝|网友|人)说(?!自己)|传闻|据传|声称|自称|小道消息|坊间|不保真",
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
# A denial by itself.
LACK = _words(
    en=r"""
    excluding|no|not|never|\w{1,20}n't|without|missing|outstanding|overdue|owed|hands off|resist|refrain|avoid|excluded
    excludes?
    excl|exclusive|before tax|pre-tax|on top|plus|leave|stay away|nothing
    """,
    zh="[没未别勿莫不]|欠|拖|外加|另外?[计加算付收]|另外$|另是|以外|除外|少",
)
