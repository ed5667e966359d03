"""Measures how realistic a world's messages are, against the ranges (with sources) of its specification."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from farm.appkit.world_spec.toml_reader import WorldError, require

Kind = Literal["text", "media", "bot", "coming or going"]
_PLACEHOLDER = re.compile(r"\{\{[^{}]*\}\}")
_EMOJI = re.compile(
    r"[\U0001F000-\U0001FAFF\u2600-\u27BF\u2B50\uFE0F\u200D]|:[a-z0-9_+'-]+:|\[(?:doge|[\u4e00-\u9fff]{1,4}[RH]?)\]"
)
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile(r"[A-Za-zÀ-ÿ]")
_TOKEN = re.compile(r"[A-Za-zÀ-ÿ0-9'’]+|[\u4e00-\u9fff]")
# Chinese has no spaces: its words have a good one and a half characters, so eight characters count as five words.
_PHRASE = {"en": 5, "zh": 8}
_AUTHORS_OF_A_PHRASE = 3
# In Chinese characters; a word of any other language counts for two.
_SHORT_MAX = 4


@dataclass(frozen=True)
class Utterance:
    """One message.

    Attributes:
        author: key of a person, or any name of a program.
        text: the text as typed, without an app's markup of mentions and links.
        kind: ``media`` is a file, an image, a sticker, a voice message or a card of a person, with or without text.
    """

    author: str
    at: datetime
    text: str
    kind: Kind = "text"


@dataclass(frozen=True)
class Measured:
    """One measure: a count, a total, and the range of the specification."""

    app: str
    measure: str
    language: str | None
    number: int
    total: int
    low: float
    high: float
    is_binding: bool

    @property
    def share(self) -> float:
        """The share; 0 if the total is 0."""
        return self.number / self.total if self.total else 0.0

    @property
    def is_out(self) -> bool:
        """Whether the share is out of its range."""
        return not self.low <= self.share <= self.high

    def __str__(self) -> str:
        name = f"{self.measure} {self.language}" if self.language else self.measure
        out = "" if not self.is_out else "  out" if self.is_binding else "  out, not binding yet"
        return f"  {name:<24}{self.share:>6.1%} of {self.total:<6}{self.low * 100:g} to {self.high * 100:g}%{out}"


def language_of(text: str) -> str | None:
    """Return ``zh`` where there is a Chinese character, else ``en`` where there is a Latin letter, else None."""
    bare = _EMOJI.sub("", _PLACEHOLDER.sub("", text))
    return "zh" if _CHINESE.search(bare) else "en" if _LATIN.search(bare) else None


def ends_in_full_stop(text: str) -> bool:
    """Return whether the text ends in a single full stop; an ellipsis does not count."""
    return re.search(r"(?:^|[^.。])[.。]$", text.strip()) is not None


def is_emoji_only(text: str) -> bool:
    """Whether the text is emoji or stickers and nothing else."""
    return bool(text.strip()) and not _EMOJI.sub("", text).strip()


def is_short(text: str) -> bool:
    """Whether the text is one or two words, four Chinese characters at most, or emoji only."""
    if is_emoji_only(text):
        return True
    bare = _EMOJI.sub("", _PLACEHOLDER.sub("0", text))
    tokens = _TOKEN.findall(bare)
    words = sum(not _CHINESE.match(token) for token in tokens)
    return words * 2 + len(tokens) - words <= _SHORT_MAX


_Share = tuple[int, int]


def _count(said: Iterable[Utterance], test: Callable[[Utterance], bool]) -> _Share:
    each = [test(one) for one in said]
    return sum(each), len(each)


def _of_people(said: Iterable[Utterance]) -> list[Utterance]:
    return [each for each in said if each.kind in ("text", "media")]


def _written(said: Iterable[Utterance]) -> list[Utterance]:
    return [each for each in _of_people(said) if each.text.strip()]


def _phrases(text: str) -> set[tuple[str, ...]]:
    tokens = [token.lower() for token in _TOKEN.findall(_PLACEHOLDER.sub(" ", text))]
    length = _PHRASE[language_of(text) or "en"]
    return {tuple(tokens[at : at + length]) for at in range(len(tokens) - length + 1)}


def _repeated(said: Sequence[Utterance]) -> _Share:
    """Return how many messages contain a phrase that at least three authors have used."""
    written = _written(said)
    authors: dict[tuple[str, ...], set[str]] = {}
    for each in written:
        for phrase in _phrases(each.text):
            authors.setdefault(phrase, set()).add(each.author)
    common = {phrase for phrase, who in authors.items() if len(who) >= _AUTHORS_OF_A_PHRASE}
    return _count(written, lambda each: not common.isdisjoint(_phrases(each.text)))


MEASURES: Mapping[str, Callable[[Sequence[Utterance]], _Share]] = {
    "full_stops": lambda said: _count(_written(said), lambda each: ends_in_full_stop(each.text)),
    "five_minute_marks": lambda said: _count(_of_people(said), lambda each: each.at.minute % 5 == 0),
    "short": lambda said: _count(_written(said), lambda each: is_short(each.text)),
    "emoji": lambda said: _count(_written(said), lambda each: _EMOJI.search(each.text) is not None),
    "repeated_phrases": _repeated,
    "media": lambda said: _count(_of_people(said), lambda each: each.kind == "media"),
    "bots": lambda said: _count(said, lambda each: each.kind == "bot"),
    "comings_and_goings": lambda said: _count(said, lambda each: each.kind == "coming or going"),
}


def measure(app: str, said: Sequence[Utterance], ranges: Mapping[str, Any], where: str) -> list[Measured]:
    """Return every measure that the specification has a range for.

    Args:
        app: the app.
        said: its messages.
        ranges: the parsed ``life.toml``: ``binding`` and ``ranges``.
        where: its name in messages.
    """
    odd = next((each.kind for each in said if each.kind not in get_args(Kind)), None)
    if odd is not None:
        raise WorldError(f"{app}: the generator says that something is '{odd}'; have {', '.join(get_args(Kind))}")
    found = []
    for each in ranges["ranges"]:
        share = require("measure", each["measure"], MEASURES, where)
        language = each.get("language")
        heard = [one for one in said if language is None or language_of(one.text) == language]
        low, high = each["from"], each["to"]
        if not (isinstance(low, (int, float)) and isinstance(high, (int, float)) and 0 <= low <= high <= 1):
            raise WorldError(f"{where}: '{each['measure']}' goes from {low!r} to {high!r}; write shares from 0 to 1")
        found.append(Measured(app, each["measure"], language, *share(heard), low, high, ranges["binding"]))
    return found
