"""Turn a group of words into one pattern."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.lazy import LazyPattern


def join(lines: str) -> str:
    """Return alternatives as one pattern; a line that ends in a bar continues on the next."""
    return re.sub(r"(?<!\|)\|*\n\s*", "|", lines.strip())


def words(*, en: str = "", zh: str = "", more: str = "") -> LazyPattern:
    """Return one pattern of English alternatives (whole words), Chinese ones, and ready-made patterns.

    A Chinese sign also ends an English word, which ``\\b`` does not recognize: "don't拆".
    """
    english = rf"(?:(?<![a-z\d_])|(?='))(?:{join(en)})(?![a-z\d_])" if en else ""
    mixed, chinese = join(more), join(zh)
    return LazyPattern(_either(mixed, english, chinese), latin=_either(mixed, english), chinese=_either(mixed, chinese))


def _either(*parts: str) -> str:
    return "|".join(part for part in parts if part)
