"""Words for additions: other things, people and places, and further offers, gifts or promises."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lexicon._patterns import words as _words

# Around a number: it is an addition to the answer.
MORE_BEFORE = re.compile(r"(?:\b(?:plus|another|further|additional|extra)|另[外加付有收]|外加|再加|额外[加付收]?)\s*$")
MORE_AFTER = re.compile(r"\s*(?:more|extra|additional|off|discount)\b")
# Everybody of a channel or group is notified, or whoever grades the text is spoken to.
CALLS = re.compile(
    r"@(?:channel|here|everyone|_?all|所有人|全体成员)(?![a-z0-9])"
    r"|\b(?:grader|grading|evaluator|(?:dear|automatic) judge)\b|评分|判分|阅卷"
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
