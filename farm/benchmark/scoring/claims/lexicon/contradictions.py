"""Words before a cue or an act that cancel it."""

from __future__ import annotations

import re

NEGATED_SHORTLY = re.compile(
    r"(?:\b(?:not|n't|never|no|nobody|none|nothing|without|hardly)(?: \w+){0,2} |[没不未无别免]\w{0,2})$"
)
NEEDLESS = re.compile(
    r"(?:no need to|needn't|(?:don't|doesn't|do not) (?:have|need) to|(?<!不是)(?:不用|不必|无需|用不着))\W*$"
)
