"""Finds where a text says the right things of something else than was asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from farm.claims import lexicon
from farm.claims.aside import is_put_away
from farm.claims.model import Reason, Wanted
from farm.claims.reading import Mention, Reading, Segment
from farm.claims.status import Asked
from farm.claims.values import fold

_VERSION = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){2}(?![\d.]*\d)")


def about_another(wanted: Wanted, reading: Reading, held: Sequence[Mention], asked: Asked) -> Iterator[Reason]:
    """Yield why a text is about something else: another version, or what was asked is said to be unknown."""
    yield from _of_others(wanted, reading, held, asked)
    found = _VERSION.findall(reading.text) if "." in reading.text else []
    versions = set(_VERSION.findall(asked.text)) if found else set()
    if versions and versions.isdisjoint(found):
        yield Reason("other_subject", f"it is about {found[0]}")
    for segment in reading.segments:
        if segment.said and is_put_away(reading, segment):
            continue
        cue = lexicon.UNKNOWN.search(segment.text)
        if cue and not any(mention in held for mention in segment.mentions) and _was_asked(segment, asked):
            yield Reason("other_subject", f"what was asked is not known ({cue[0]})")
            reading.doubt(segment.sentence, "something that was asked is said to be unknown")
            return


def _of_others(wanted: Wanted, reading: Reading, held: Sequence[Mention], asked: Asked) -> Iterator[Reason]:
    """Yield which claimed value is said of what nobody asked about: of another group, of the rehearsal, of S1."""
    claims = wanted.claims
    for mention in held:
        segment = reading.segments[mention.segment]
        if mention.status != "asserted" or (mention.sort == "choice" and _is_named_alone(segment)):
            continue
        text, at = segment.text, mention.start - segment.start
        cues = [*lexicon.ANOTHERS.finditer(text)]
        cues += lexicon.OTHER_CODE.finditer(text + reading.text[segment.end : segment.end + 1])
        before = reading.segments[mention.segment - 1] if mention.segment else segment
        if before.sentence == segment.sentence and reading.text[before.end : segment.start].strip() in (":", "/"):
            cues += [*lexicon.ANOTHERS.finditer(before.text), *lexicon.OTHER_CODE.finditer(before.text + ":")]
        if mention.sort == "number" and not any(claim.kind == "amount" for claim in claims):
            cues += [each for each in lexicon.COUNTRIES.finditer(text) if each.start() < at]
            cues = [each for each in cues if not lexicon.ON_THE_WAY.search(text[: each.start()])]
        named = [(each.start - segment.start, each.end - segment.start) for each in segment.mentions]
        cues = [
            each
            for each in cues
            if each.string[:20] != text[:20] or not any(a < each.end() and each.start() < b for a, b in named)
        ]
        if not cues:
            continue
        names = "\n".join(str(each) for claim in claims for each in (*claim.values, *claim.of, *claim.beside))
        known = asked.text + "\n" + fold("\n".join((names, *wanted.also)))
        for cue in cues:
            if cue[0].strip(" 的'") in known or lexicon.NEGATION.search(cue.string[: cue.start()]):
                continue
            yield Reason("other_subject", f"{reading.shown(mention)} is said of another ({cue[0]})")
            return


def _is_named_alone(segment: Segment) -> bool:
    """Whether a name stands without any value, so that what is told beside it may be of the name itself."""
    return not any(each.value for each in segment.mentions)


def _was_asked(segment: Segment, asked: Asked) -> bool:
    """Whether a clause names something that the texts that asked name, too."""
    words = re.findall(r"[a-z]{3,}|[一-鿿]{2,}", segment.text)
    for word in words:
        pieces = [word] if word[0].isascii() else [word[at : at + 2] for at in range(len(word) - 1)]
        if any(piece in asked.text and piece not in lexicon.COMMON for piece in pieces):
            return True
    return False


def is_of(key: str, own: str, mention: Mention, reading: Reading) -> bool:
    """Whether something is said of a subject: it stands in its segment, or before it in its sentence.

    Args:
        key: the subject.
        own: the subject that it should be said of, which wins where it stands nearer.
        mention: what is said.
        reading: the text.
    """
    return any(
        each.key == key
        and each.sentence == mention.sentence
        and (each.start < mention.start or each.segment == mention.segment)
        and not _has_another(each, mention, reading)
        and not _is_aside(each, reading)
        and not _is_bracketed(reading.text[each.end : mention.start])
        and not _is_overruled(each, own, mention, reading)
        for each in reading.mentions
    )


def _is_bracketed(behind: str) -> bool:
    """Whether what stands behind a subject closes a bracket that it does not open."""
    head, closes, _ = behind.partition(")")
    return bool(closes) and "(" not in head


def _has_another(subject: Mention, mention: Mention, reading: Reading) -> bool:
    """Whether a subject has a value of its own in a segment before: "at first 0.09 %, now 0.11 %"."""
    behind = reading.segments[subject.segment].mentions if subject.segment != mention.segment else ()
    return any(each.sort == mention.sort and each.start > subject.start for each in behind)


def _is_day(subject: Mention, reading: Reading) -> bool:
    """Whether a subject is a day, which holds for all that is told of it."""
    return any(
        each.sort == "date" and each.start < subject.end and subject.start < each.end for each in reading.mentions
    )


def _is_overruled(subject: Mention, own: str, mention: Mention, reading: Reading) -> bool:
    """Whether the right subject stands nearer: "retail is 599, distributor 395"; a heading is overruled by one only."""
    if subject.segment >= mention.segment:
        # In one clause the pairs decide, where there are several: "179 retail and 118 distributor".
        mates = {each.key for each in reading.segments[mention.segment].mentions if each.key.startswith("s")}
        return own in mention.subjects and not mention.is_inherited and len(mates) > 1
    nearer = [
        each
        for each in reading.mentions
        if each.key == own
        and subject.segment < each.segment <= mention.segment
        and not _is_bracketed(reading.text[each.end : mention.start])
    ]
    nearer = [each for each in nearer if _is_day(each, reading) or not _is_day(subject, reading)]
    if _is_head(subject, reading):
        nearer = [each for each in nearer if _is_head(each, reading)]
    return bool(nearer)


def _is_head(subject: Mention, reading: Reading) -> bool:
    return reading.text[reading.segments[subject.segment].end :][:1] == ":"


def _is_aside(subject: Mention, reading: Reading) -> bool:
    """Whether a subject is denied or only spoken to: "not Leo's", "Leo, …"."""
    segment = reading.segments[subject.segment]
    before = segment.text[: subject.start - segment.start]
    if lexicon.NEGATION.search(before) or lexicon.NEGATION_AHEAD.search(before):
        return True
    behind = reading.text[segment.end : segment.end + 1]
    return not segment.said and behind != ":" and lexicon.GREETING.fullmatch(segment.rest.strip()) is not None
