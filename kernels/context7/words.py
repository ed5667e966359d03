"""Words: how names are compared, and how near a piece of text is to what somebody asks."""

from __future__ import annotations

import re

from farm.appkit.formats.stemming import strip_plural

# Han, kana and Hangul are written without blanks, so there each character is a word.
_WORD = re.compile(r"[぀-ヿ㐀-鿿가-힯]|[^\W_぀-ヿ㐀-鿿가-힯]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# They stand in every question and say nothing of what it is about.
_EMPTY = frozenset((
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "does", "example",
    "examples", "for", "from", "get", "has", "have", "how", "i", "in", "into", "is", "it", "its", "me", "my", "no",
    "not", "of", "on", "or", "our", "set", "so", "than", "that", "the", "their", "them", "then", "there", "they",
    "this", "to", "up", "use", "used", "using", "want", "was", "we", "what", "when", "where", "which", "why",
    "will", "with", "you", "your",
))  # fmt: skip


def normalize(name: str) -> str:
    """Return a name without punctuation, blanks and capitals: ``Next.js`` as ``nextjs``."""
    return "".join(_WORD.findall(name.lower()))


def words(text: str) -> set[str]:
    """Return the words that a text is about; of ``useEffect`` also its parts, of plurals the singular."""
    found = {word.lower() for word in _WORD.findall(text)} | {
        word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text))
    }
    return {strip_plural(word) for word in found - _EMPTY}
