"""Signs that a text's meaning may be reversed unnoticed; each makes an acceptance uncertain."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# Signs that reverse a text more often than not, but not always; each makes an acceptance uncertain.
# The matter is over: filed, waived, handed on.
IS_OVER = _words(
    en=r"""
    filed? (?:it|this|that|them) away|(?:is|are|was|were|been|all|:) (?:now )?(?:released|lifted|waived|collected
    shelved|settled|resolved|sorted|wrapped up|dealt with|closed|done with|handed (?:back|over)|taken care of|behind us)
    (?:slot|room|request|ticket|order|hold|freeze|cut|restriction|alert) (?:released|lifted|cancelled|dropped
    handed back|handed over|closed|called off)|all (?:collected|settled|sorted|solved|done)|off the (?:table|list
    agenda)|has our order|just (?:collect|pick) (?:it|them)|nothing (?:to|left to) (?:change|do|fix|discuss|report|see)
    fell victim|has lapsed|is history|(?:job|task|matter|case|business) (?:is |has been )?(?:done|closed|settled|over)
    ticked off|tick(?:ed)? it off|taken off (?:my|our|the)|no longer (?:needed|an issue|open|relevant|our)|(?:has
    have) been (?:paid|sent|delivered|reimbursed|refunded|credited|withdrawn|absorbed|covered|written off|archived
    deleted|replaced|retired|repaid)|paid (?:him|her|them|it) (?:long ago|already|back|last \w+)|long ago|is history
    already (?:fixed|solved|sorted|settled|given|handed|taken|delivered|resolved|covered|closed)|(?:is
    are) (?:now |already )?live
    """,
    zh=r"""
    存档|归档|销账|(?:都|全|已)(?:收)?齐了?(?=\W|$)|收齐|办(?:完|妥)|说完|搞定|过去了(?=\W|$)|不必再|不用再|挪开|错开了
    完事|结了|勾掉|划掉|早(?:就|已)\w{0,3}(?:好|完|过|掉|发|给|付|交|办|买|结)|补齐|用不着了|不劳|告一段落|随它去|已含
    (?:已经?|替\w{1,3})(?:改|发|买|办|交|补|修|弄)(?:过|好|完|掉)
    """,
)
# Things changed after the events of the text.
TURNS = _words(
    en=r"""
    (?:sent|send|sending|handed|gave|give|given|moved|changed|went|goes|going) (?:it |them |that )?back(?! to you)
    fell (?:through|apart|off the)|(?:was|were|got|been) (?:pulled|yanked|bumped|axed|cut|dropped|shelved|overruled
    reversed|revoked|rescinded|withdrawn|snatched|reassigned|poached|reclaimed|overtaken|superseded|undone|redone
    voided)|changed (?:his|her|their|its|my|our) minds?|had second thoughts|on second thoughts?|pulled out|dropped out
    took (?:it|that|them) (?:back|over)|went to (?:somebody|someone|another|the other)|never (?:came|arrived|happened
    showed)|that was before|but that was|then came|belongs? to(?! (?:me|us|you))|came and went|re-?open(?:ed|ing)
    plans? (?:have )?changed|the plan changed|given to(?! (?:me|us|you))|(?:called|phoned) off|as if(?=\W*$)|(?:until
    till) \w+(?=[;,.]|$)|has (?:since|meanwhile|now) (?:been )?\w+ed|(?:both|all|they) have (?:since|all)
    """,
    zh=r"""
    出幺蛾子|白费|被人|退了|收走|改口|打退堂鼓|散了|断了|后来(?!才|居上)|又(?:改|换|撤|退|变|空|回|推|拖|被)|改回|收回
    撤[了回掉下]|退回|重(?:算|抽|做|跑|来|排|测)|另(?:有|批|找|想|约|请)(?!外)|还给|让给|留给|空了|封了|扔了|换地方|有变
    不一样了|(?:今早|今晨|凌晨|昨晚|昨夜|刚刚?|早|上周|今天)\w{0,4}?(?:被|把|撤|收|判|封|扔|退)|在路上|补上了|先压|压着
    """,
)
# What is said of another thing than the one that is chosen: "Willow is full", "柳厅太吵".
DESCRIBED = re.compile(
    r"\s*(?:(?:is|was|'s|are|being|has|had|got)\b(?! (?:it|the one|fine|ok|okay|possible|free|available|also"
    r"|good|better|an option|next|where|our|your|needed|wanted|required|included|due))"
    r"|那[间个家场]|太|\d* ?[座人]?的?(?:留给|归|是给)|临时|有事|请假|不在|出差"
    r"|休假|没空|病了|在(?![\s\d])|坐不下|有人|只有|人多|吵|装修)"
)
