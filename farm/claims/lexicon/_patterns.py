"""How a group of words becomes one pattern."""

from __future__ import annotations

import re

from farm.claims.prefilter import Prefilter, Words

# One for all groups: a text is searched once for the literals of all of them.
PREFILTER = Prefilter()


def join(lines: str) -> str:
    """Return alternatives as one pattern; a line that ends in a bar goes on in the next."""
    return re.sub(r"\|*\n\s*", "|", lines.strip())


def words(*, en: str = "", zh: str = "", more: str = "") -> Words:
    """Return one pattern of English alternatives (whole words), Chinese ones, and what is written out in full.

    A Chinese sign ends an English word, too, which ``\\b`` does not know: "don't拆".
    """
    parts = [join(more), rf"(?:(?<![a-z\d_])|(?='))(?:{join(en)})(?![a-z\d_])" if en else "", join(zh)]
    return PREFILTER.words("|".join(part for part in parts if part))
