"""The templates of a tool's successes: the words that its texts share, and the keys of its bodies."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from farm.traverse.discriminate.echoes import texts_in

# Chinese text has no spaces: each character counts as a word.
_WORD = re.compile(r"[一-鿿]|[^\W\d_]+|[^\w\s]")
_LETTERS = re.compile(r"[^\W\d_]")
_WORDS_MAX = 80
_CONSTANT_MIN = 2
_ALIKE_MIN = 0.6
_MATCH_MIN = 0.85
_KEPT_MAX = 20

Words = tuple[str, ...]


@dataclass
class ToolTemplates:
    """The templates of one tool.

    Attributes:
        shapes: the keys of each kind of JSON object in its answers.
        texts: the constant words of each kind of text.
        is_free: whether its texts share no words: they are data, such as a file's content.
    """

    shapes: set[frozenset[str]] = field(default_factory=set)
    texts: list[Words] = field(default_factory=list)
    seen: int = 0
    is_free: bool = False


class Templates:
    """Templates of successes, tool by tool."""

    def __init__(self) -> None:
        self._tools: dict[str, ToolTemplates] = {}

    def learn(self, tool: str, arguments: Any, body: Any) -> None:
        """Add a success: its parsed JSON, or its text."""
        known = self._tools.setdefault(tool, ToolTemplates())
        if isinstance(body, dict):
            known.shapes.add(frozenset(body))
            return
        if not isinstance(body, str) or not body.strip():
            return
        asked = {word for text in texts_in(arguments) for word in words_of(text)}
        words = tuple(word for word in words_of(body) if word not in asked)
        known.seen += 1
        for number, other in enumerate(known.texts):
            shared = _shared(other, words)
            if len(shared) >= _ALIKE_MIN * max(len(other), len(words)) and _constants(shared) >= _CONSTANT_MIN:
                known.texts[number] = shared
                return
        if _constants(words) >= _CONSTANT_MIN and len(known.texts) < _KEPT_MAX:
            known.texts.append(words)
        known.is_free = known.seen >= 3 and len(known.texts) >= known.seen - 1

    def knows(self, tool: str, body: Any) -> bool:
        """Return whether a success of the tool had this template."""
        known = self._tools.get(tool)
        if known is None:
            return False
        if isinstance(body, dict):
            return bool(body) and frozenset(body) in known.shapes
        if not isinstance(body, str):
            return False
        words = words_of(body)
        return any(len(_shared(each, words)) >= _MATCH_MIN * len(each) for each in known.texts)

    def holds(self, tool: str, text: str, piece: str) -> bool:
        """Return whether the words of ``piece`` belong to the template that the text follows."""
        words = words_of(text)
        follows = [each for each in self._tools[tool].texts if len(_shared(each, words)) >= _MATCH_MIN * len(each)]
        return any(set(words_of(piece)) <= set(each) for each in follows)

    def is_free(self, tool: str) -> bool:
        """Return whether the tool's texts are data without constant words."""
        return tool in self._tools and self._tools[tool].is_free


def words_of(text: str) -> Words:
    """Return the first words of a text, without numbers."""
    return tuple(found[0].lower() for found, _ in zip(_WORD.finditer(text), range(_WORDS_MAX), strict=False))


def _shared(one: Words, other: Words) -> Words:
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return tuple(word for block in blocks for word in one[block.a : block.a + block.size])


def _constants(words: Words) -> int:
    return sum(bool(_LETTERS.match(word)) for word in words)
