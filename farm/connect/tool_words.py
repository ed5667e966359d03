"""The words of a tool's name: what it does, and to what."""

from __future__ import annotations

import re

from farm.appkit.view_model import plural, singular

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LISTS = frozenset({"list", "search", "find", "query"})
READS = _LISTS | {"get", "read", "fetch", "check", "retrieve", "view", "show", "lookup", "resolve", "inspect"}
_WRITES = frozenset(
    _WORDS.findall(
        "add remove create delete update patch modify send post reply publish like favorite pin unpin edit put append "
        "move set archive clear import upload invite mark block mute forward react schedule approve join leave"
    )
)
_EMPTY = frozenset(_WORDS.findall("a all my the in of to for across v batch complex simple raw builtin recent and id"))
_NOUN_WORDS = 2
# What comes behind these words says how, not what.
_BEHIND = frozenset(("by", "with", "from"))


def words(tool: str) -> list[str]:
    """Return the words of a tool's name in lower case."""
    return [word.lower() for word in _WORDS.findall(tool)]


def verb_of(tool: str) -> str | None:
    """Return the verb in a tool's name, or None."""
    return next((word for word in words(tool) if word in READS or word in _WRITES), None)


def noun_of(tool: str, app: str) -> str:
    """Return what a tool is about, as its name says it: ``channel history`` of ``get_channel_history``."""
    said = words(tool)
    end = next((n for n, word in enumerate(said) if word in _BEHIND and n > 0), len(said))
    known = READS | _WRITES | _EMPTY | {*words(app)}
    nouns = [word for word in dict.fromkeys(said[:end]) if word not in known]
    return " ".join(nouns[-_NOUN_WORDS:])


def is_listing(tool: str) -> bool:
    """Return whether a tool returns several things, by its name."""
    return verb_of(tool) in _LISTS


def is_plural(noun: str) -> bool:
    """Return whether a noun is in the plural."""
    return singular(noun.replace(" ", "_")) != noun


def counted(count: int, noun: str) -> str:
    """Return ``3 emails`` or ``1 email``."""
    one = singular(noun.replace(" ", "_"))
    return f"{count} {one if count == 1 else plural(one)}"


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"
