"""Words of irony, which mean the opposite."""

from __future__ import annotations

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

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
