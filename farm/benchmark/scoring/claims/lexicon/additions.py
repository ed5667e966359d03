"""Words for additions: other things, people and places, and further offers, gifts or promises."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# What holds all the same, or may.
HOLDS_TOO = _words(
    en=r"""
    also|too(?=\W*$)|as well|fine|ok|good|possible|final|confirmed|right|real(?:ly)?|free|available|an? option|spare
    deadline|latest|what|new|our|ours|my|mine|us
    """,
    zh=r"也|可以|都行|行的|备选|最终|正式|真|实际|最晚|最新|现在|我们|咱|我的|新的|对的|准|确认|可用|有空",
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
# After a rival: it is for another time, or irrelevant now.
ANOTHER_MATTER = _words(
    en=r"""
    only|not (?:until|before)|can wait|(?:is |are )?for later|another (?:matter|story|time|day)|separately|later|turn
    next (?:week|month|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday)
    """,
    zh=r"""
    另说|另算|以后再|再说|不急|才|只是|早就?[收到交有]|已经?(?!\w{0,2}[订定约选改换])|回头|改天|那班|那份|下[周个回次]
    下下
    """,
)
