"""Read a text once: its sentences, segments and mentions.

A sentence ends at its marks, a line or a cell of a table. A segment ends at commas, colons, brackets, dashes and words
such as "but". A mention is one occurrence of something that claims can be about: a value, a sought name or a subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property, lru_cache
from typing import Literal

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.lazy import LazyPattern
from farm.benchmark.scoring.claims.values import Value, fold, read

# The status of a mention. beside: it only locates another thing.
Status = Literal["asserted", "denied", "hedged", "asked", "rival", "former", "conditional", "reported", "beside"]
# choice: a name that may be claimed or a rival of it; says: a predicate; subject: what a value may belong to.
Sort = Literal["date", "clock", "number", "choice", "says", "subject"]

SEGMENTS_MAX = 300
LONG_NAME = 6  # characters
NAME = "ǁ"  # a letter of no word, in the place of a name
MENTIONS_MAX = 200  # limited because mentions are compared with each other


@dataclass(frozen=True)
class SearchTerm:
    """One thing to find by any of its names."""

    sort: Sort
    key: str
    names: tuple[str, ...]


@dataclass(eq=False)
class Mention:
    """One value, name or subject in a text, with its status."""

    sort: Sort
    start: int
    end: int
    key: str = ""
    value: Value | None = None
    status: Status = "asserted"
    sentence: int = 0
    segment: int = 0
    subjects: frozenset[str] = frozenset()
    needs_subject: bool = False  # a claim with a subject is about it
    is_known: bool = False  # it may be stated in addition and is not the value of a claim
    is_inherited: bool = False  # its subjects are in another segment


@dataclass(frozen=True)
class Times:
    """Days and hours to find."""

    days: frozenset[date] = frozenset()
    clocks: frozenset[str] = frozenset()


@dataclass(eq=False)
class Segment:
    """A piece of a sentence; ``text`` has neutral phrases blanked.

    Attributes:
        mentions: all mentions in the segment; fixed once the text is cut.
        said: the mentions without subjects.
    """

    start: int
    end: int
    sentence: int
    text: str
    mentions: list[Mention] = field(default_factory=list)
    said: list[Mention] = field(default_factory=list)

    @cached_property
    def rest(self) -> str:
        """Return the segment's text with the mentions blanked."""
        rest = list(self.text)
        for mention in self.mentions:
            start, end = max(0, mention.start - self.start), min(mention.end - self.start, len(rest))
            rest[start:end] = " " * (end - start)
        return "".join(rest)


@dataclass(eq=False)
class Reading:
    """A text with its sentences, segments and mentions.

    Attributes:
        unquoted: the text with the quoted words of other people blanked.
        tails: the marks that end its sentences.
        now: the writer's moment, aware.
    """

    text: str
    unquoted: str
    mentions: list[Mention]
    now: datetime
    segments: list[Segment] = field(default_factory=list)
    sentences: list[list[Segment]] = field(default_factory=list)
    tails: list[str] = field(default_factory=list)

    def text_of(self, mention: Mention) -> str:
        """Return the text of a mention."""
        return self.text[mention.start : mention.end]

    def raw(self, first: Segment, last: Segment | None = None) -> str:
        """Return the text of a segment, or of a range of segments, with only the quoted words of others blanked."""
        return self.unquoted[first.start : (last or first).end]

    def sentence(self, number: int) -> list[Segment]:
        """Return a sentence's segments; an empty result if there is no such sentence."""
        return self.sentences[number] if 0 <= number < len(self.sentences) else []


def read_text(
    text: str, now: datetime, sought: Iterable[SearchTerm], asked: str = "", times: Times | None = None
) -> Reading:
    """Return a text cut into sentences and segments, with all its values and the sought names.

    Args:
        text: the text, folded.
        now: the writer's moment, aware.
        sought: the names to find.
        times: the days and hours to find; "3.15" may be one.
        asked: the question that the text answers, folded: "no clash" is a statement only if clashes were asked for.
    """
    times = times or Times()
    names = [Mention(each.sort, start, end, each.key) for each in sought for start, end in find(text, each.names)]
    # A number inside a title or a nickname is part of the name.
    inner = [(each.start, each.end) for each in names if each.sort == "choice"]
    values = [
        as_mention(value)
        for value in _with_dotted(text, _values(text, now), times)
        if value.kind != "id" and not any(start <= value.start and value.end <= end for start, end in inner)
    ]
    reading = Reading(text, text, sorted([*names, *values], key=lambda each: (each.start, -each.end)), now)
    _cut(reading, asked)
    return reading


_HOUR = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")
_NOON = re.compile(r"(?:中午|正午)(?! ?[\d一十两零〇])")
_DOTTED = re.compile(r"(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|[12]\d|3[01])")


def _with_dotted(text: str, values: Sequence[Value], times: Times) -> Sequence[Value]:
    """Return values in which "3.15" is the day, and "10.30" or 中午 the hour, if exactly that is sought."""
    if "12:00" in times.clocks:
        noons = (Value("clock", *noon.span(), ("12:00",)) for noon in _NOON.finditer(text))
        values = sorted((*values, *noons), key=lambda each: each.start)
    if "." not in text:
        return values
    kept = []
    for value in values:
        found = _DOTTED.fullmatch(text, value.start, value.end) if value.kind == "number" and not value.unit else None
        pair = {(int(found[1]), int(found[2])), (int(found[2]), int(found[1]))} if found else set()
        fits = [day for day in times.days if (day.month, day.day) in pair]
        if fits:
            value = Value("date", value.start, value.end, tuple(day.isoformat() for day in fits))
        if value.kind == "number" and not value.unit:
            clock = text[value.start : value.end].replace(".", ":").zfill(5)
            either = {clock, f"{(int(clock[:2]) + 12) % 24:02}{clock[2:]}"} if _HOUR.fullmatch(clock) else set()
            if either & times.clocks:
                value = Value("clock", value.start, value.end, tuple(sorted(either)))
        kept.append(value)
    return kept


def values_of(text: str, now: datetime) -> tuple[Value, ...]:
    """Return the values of one of the task's texts."""
    return _values(fold(text), now)


@lru_cache(maxsize=512)
def _values(text: str, now: datetime) -> tuple[Value, ...]:
    """Return the values of a folded text; cached, as answers and checkpoints ask for the same texts repeatedly."""
    return tuple(read(text, now))


def as_mention(value: Value) -> Mention:
    """Return a value as a mention; amounts and ordinals are numbers."""
    sort: Sort = "date" if value.kind == "date" else "clock" if value.kind == "clock" else "number"
    return Mention(sort, value.start, value.end, value=value)


def find(text: str, names: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of any of the names; Latin ones match from the start of a word: ``seat`` finds ``seats``."""
    names = tuple(names)
    if not any(probe in text for probe in _probes(names)):
        return []  # most rivals do not occur, so many patterns are never needed
    return [found.span() for found in _pattern(names).finditer(text)]


@lru_cache(maxsize=4096)
def _probes(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return pieces of which a text must contain at least one to contain any of the names."""
    return tuple(
        {
            "" if _PHONE.fullmatch(name) else re.split(r"[\s-]", name)[0]
            for name in (fold(each).strip() for each in names)
        }
    )


@lru_cache(maxsize=4096)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern that finds any of the names."""
    parts = []
    folded = sorted({fold(name).strip() for name in names}, key=len, reverse=True)
    for name in folded:
        if _PHONE.fullmatch(name):
            parts.append(_phone(name))
            continue
        is_latin = name[:1].isascii() and name[:1].isalpha()
        edge = "(?<![a-z])" if is_latin else r"(?<!\d)" if name[:1].isdigit() else ""
        tail = "(?![a-z])" if is_latin and len(name) <= 3 else r"(?!\d)" if name[-1:].isdigit() else ""
        # EMB-424, EMB424, EMB 424
        pieces = [re.sub(r"\\-(?=\d)", r"[\\s-]?", re.escape(piece)) for piece in name.split()]
        parts.append(edge + r"[\s-]+".join(pieces) + tail)
    return re.compile("|".join(parts) if parts else "(?!)")


# A number of at least seven digits, in groups or not.
_PHONE = re.compile(r"\+?\(?\d[\d ()-]{5,20}\d")
_COUNTRY = r"(?:\+|00)\d\d[ -]?\(?0?\)?[ -]?"


def _phone(name: str) -> str:
    """Return the pattern of a telephone number in any grouping, with or without the code of the country."""
    digits = re.sub(r"\D", "", name).removeprefix("86" if name.startswith("+") else "")
    area = digits.removeprefix("0")
    lead = rf"(?:{_COUNTRY}|\(?0)" if digits != area else rf"(?:{_COUNTRY})?"
    return rf"(?<!\d){lead}" + r"[ ()-]{0,2}".join(area) + r"(?!\d)"


def blank(text: str, pattern: re.Pattern[str] | LazyPattern) -> str:
    """Return a text with all matches blanked out; the other characters keep their places."""
    return pattern.sub(lambda found: "～" * len(found[0]), text)


def _without_neutral(text: str, asked: str, mentions: Sequence[Mention]) -> str:
    """Return a text with the phrases that deny nothing blanked, except those that deny something sought."""
    sought = [(each.start, each.end) for each in mentions if each.sort == "says"]

    def hide(found: re.Match[str]) -> str:
        adverse = found["en"] or found["zh"]
        is_sought = any(start < found.end() and found.start() < end for start, end in sought)
        return found[0] if adverse in asked or is_sought else "～" * len(found[0])

    return lexicon.NEUTRAL_ADVERSE.sub(hide, blank(text, lexicon.NEUTRAL))


def _cut(reading: Reading, asked: str) -> None:
    """Cut a text into sentences and segments, never inside a value or name, and attach the mentions."""
    text, plain = reading.text, _without_neutral(reading.text, asked, reading.mentions)
    for each in reading.mentions:  # the words that a name consists of do not affect its status
        if each.sort == "choice" and each.end - each.start >= LONG_NAME:
            plain = plain[: each.start] + NAME * (each.end - each.start) + plain[each.end :]
    inside = bytearray(len(text) + 1)
    ends = {mention.end for mention in reading.mentions if mention.value}
    starts = {mention.start for mention in reading.mentions if mention.value}
    beside = [text[max(0, each.start - 1) : each.start] + text[each.end : each.end + 1] for each in reading.mentions]
    apart = [each for each, signs in zip(reading.mentions, beside, strict=True) if each.value or signs.strip() < "一"]
    edges = {place for each in apart for place in (each.start, each.end)}
    for each in reading.mentions:
        if each.sort != "subject":
            inside[each.start + 1 : each.end] = b"\1" * max(0, each.end - each.start - 1)
            inside[each.start] |= each.sort in ("date", "clock")
    for path in lexicon.PATH.finditer(text) if "/" in text else ():
        inside[path.start() : path.end()] = b"\1" * (path.end() - path.start())
    for quoted in lexicon.QUOTED.finditer(text):
        held = [each for each in reading.mentions if quoted.start() < each.start < quoted.end()]
        if not held or ("?" in quoted[0] and all(each.sort in ("says", "subject") for each in held)):
            reading.mentions = [each for each in reading.mentions if each not in held]
            inside[quoted.start() : quoted.end()] = b"\1" * (quoted.end() - quoted.start())
            blanks = "～" * (quoted.end() - quoted.start())
            plain = plain[: quoted.start()] + blanks + plain[quoted.end() :]
            reading.unquoted = reading.unquoted[: quoted.start()] + blanks + reading.unquoted[quoted.end() :]
    at = 0
    for sentence in [*lexicon.SENTENCE.finditer(text), None]:
        if sentence and inside.find(1, sentence.start(), sentence.end()) >= 0:
            continue
        end = sentence.start() if sentence else len(text)
        cut, segments = at, list[Segment]()
        for found in [*lexicon.SEGMENT.finditer(text, at, end), None]:
            if found and inside.find(1, found.start(), found.end()) >= 0:
                continue
            if found and found[0] == "–" and found.start() in ends and found.end() in starts:
                continue  # a span
            if found and found[0] == " " and not edges.isdisjoint(found.span()):
                continue  # a value or a name is set off: "周三 下午", "赵悦 说"; not "在三号楼 见"
            stop = found.start() if found else end
            if text[cut:stop].strip():
                segments.append(Segment(cut, stop, len(reading.tails), plain[cut:stop]))
            # A word that cuts ("but") opens the next segment; a mark belongs to no segment.
            cut = end if not found else stop if found[0][0].isalnum() else found.end()
        reading.segments += segments
        reading.sentences.append(segments)
        reading.tails.append(sentence[0] if sentence else "")
        at = sentence.end() if sentence else end
    index = 0
    for mention in reading.mentions:
        while index + 1 < len(reading.segments) and reading.segments[index + 1].start <= mention.start:
            index += 1
        if index < len(reading.segments):
            segment = reading.segments[index]
            mention.segment, mention.sentence = index, segment.sentence
            segment.mentions.append(mention)
            if mention.sort != "subject":
                segment.said.append(mention)
