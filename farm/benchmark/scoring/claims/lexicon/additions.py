"""Words for additions: other things, people and places, and further offers, gifts or promises."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# Additions to the answer.
ADDING = _words(
    en=r"also|too(?! [a-z])|as well|plus|besides|in addition|on top|another|and wants|joining",
    zh=r"另外|另加|另有|顺便|顺带|还(?:有(?!疑问|问题|什么|事|空|戏)|[会写给]|要(?!赶|忙|去|开))|也(?=来|去|要|会|有|给|算|能|可以|得|参加|加|带|请|订|发|约)|再加|加上|同时|外加",
)
# Promises and threatens something.
COMMITS = _words(
    en=r"""
    promis\w{0,20}(?! (?:to be|not to|i'll|me|it))(?!\W*$)|guarantee\w*|for free|free of charge|discount|
    refund(?:ed)? in full|lawyer|penalt(?:y|ies)|fined|fines
    compensat\w*|offer letter
    """,
    zh=r"""
    答应|承诺|保证|免费|赔偿?|罚|扣(?!押|掉|除|减|完|去|了)|全额|立减|打折|[一二三四五六七八九]折|律师|offer|送你
    送他|送她
    换(?:你|您)?一[台个只]
    """,
)
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
UNRELATED = _words(en="nothing to do with|unrelated to|not related to", zh=r"(?:没有?|无|毫无|不相)关(?:系|联)?")
BESIDE_AFTER = re.compile(r"^[\s)]*(?:的?(?:隔壁|旁边|对面|楼上|楼下))|^[\s)]*(?:的)?附近")
BESIDE_BEFORE = re.compile(
    r"(?:挨着|靠着|紧邻|紧挨|next (?:door )?to|beside|near|opposite|across from|above|below|behind|past)(?: the)?\s*$"
)
# The lesser thing follows a comparison: "A is better than B", "A 比 B 有画面".
LESSER_BEFORE = re.compile(
    r"(?:\b(?:better|nicer|clearer|stronger|simpler|easier|prettier|more \w+|less \w+|prefer\w*) (?:than|to)"
    r"|\bbeats|\bover"
    r"|[比胜强过]|优于|好过)[\s\"'(「“]*(?:the )?$"
)
# What holds all the same, or may.
HOLDS_TOO = _words(
    en=r"""
    also|too(?=\W*$)|as well|fine|ok|okay|good|possible|final|confirmed|right|correct|real(?:ly)?|actual(?:ly)?
    best|free|available|an? option|alternatives?|backup|in reserve|fallback|spare|deadline|latest
    what|new|our|ours|my|mine|us
    """,
    zh="也|可以|都行|行的|备选|备用|最终|正式|真|实际|最晚|最新|现在|我们|咱|我的|新的|对的|准|确认|可用|有空",
)
# After a rival: it is for another time, or irrelevant now.
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
# Around a number: it is an addition to the answer.
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
# The question may itself be about a promise.
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
