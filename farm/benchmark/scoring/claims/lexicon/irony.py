"""Words of irony, which mean the opposite."""

from __future__ import annotations

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

SARCASM = _words(
    en=r"""
    yeah,? right|as if|in your dreams|when (?:pigs|hell)|sure,? sure|oh sure|my foot|what could (?:possibly )?go wrong
    dream on|(?:i'd )?(?:rather|sooner) die|over my dead body|the last to know|as if anyone|oh sure|knows everything
    surely (?:his|her|their) way|tell me another|and i'm the (?:queen|king|pope)|(?:and )?pigs (?:might|will|can) fly
    if you (?:\w+ )?believe|a bridge to (?:sell|flog)|cross my heart|good one(?=\W*$)|santa(?: claus)?|unicorns?
    easter bunny|twelfth of never|breakfast in bed|hell freezes|just like (?:the )?(?:last|every|all the other|always
    all those)|like the last (?:\w+ )?times?|because (?:\w+ ){1,5}(?:always|ever|never) (?:\w+ ){0,3}(?:well|work\w*
    right|wrong|fails?|on time)|made of cheese|who are we kidding|(?:and|&) i'm (?:the )?(?:\w+ )?(?:queen|king|pope
    president|emperor|dalai lama|batman|elvis|einstein|napoleon|a \w+|shakespeare)|the other (?:two|three|four|five|six
    seven|eight|nine|ten|\d+) (?:final|fixed|firm)|just as (?:final|firm|certain|sure) as|i'll hold my breath|oh goody
    goody|win the lottery|said (?:no one|nobody) ever|(?:trip|flight|journey|move) to (?:mars|the moon)|the parrot
    where nobody|ha ha ha|sun rises in the west|bravo|why not (?:the|my|our|a) (?:\w+)(?: \w+)? (?:as well|too|instead)
    breathtaking|not in this (?:life|universe|century)
    """,
    zh=r"""
    才怪|想得美|做梦|太阳从西|呵呵|鬼才|信你个鬼|骗鬼|笑死|可真行|你信吗|谁信|才有鬼|鬼知道|个寂寞|想得倒?美|拉倒吧
    您?可真(?:会|逗)|信不信由你|反正(?:我不信|是梦|钱|您|你的|天|谁)|第[三四五六七八九十百n]次(?:定|确定|改|说|最终)
    黄河水倒流|跟前\w{1,3}[次回]一样|分身|能喝死|理财高手|这话\w{0,4}信|自己信[不吗么]|大爷面|把楼|高手呢|真是\w{1,6}呢
    公鸡下蛋|跟真的(?:一样|似的)|算我输|真当|当\w{1,6}是(?:开银行|傻|慈善|提款)|大风刮来|打脸|真会(?:花钱|玩|算|挑|选
    来事|开玩笑)|好一个|干脆让|也敢信|你也信|开心就好|吹牛不上税|闲得|连\w{1,8}都不会|天塌下来|三岁小孩|逗你|圣诞老人
    中了?彩票|下辈子|是是是|就跟上次|还不如
    """,
)
