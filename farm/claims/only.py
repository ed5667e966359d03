"""Finds what a text asserts beyond what was asked: extras, dumps, outdated values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from farm.claims import lexicon
from farm.claims.model import Claim, Reason, Situation, Wanted
from farm.claims.reading import Mention, Reading, as_mention, values_of
from farm.claims.status import MONEY, same, same_value
from farm.claims.values import Value, fold

LOOSE_NUMBERS_MAX = 3  # numbers of no claim, in all
TODAY = ("today", "今天", "今日")
LARGE = 1000  # a number of this size is no passing count
SPELLED_MAX = 10  # a number written as a word up to here counts what is at hand
FEW = 20  # and this is one
DURATIONS = ("%", "d", "min", "h")


def extras(wanted: Wanted, reading: Reading, held: Sequence[Mention], situation: Situation) -> Iterator[Reason]:
    """Yield what is asserted and may not be; ``held`` are the mentions that some claim is about."""
    said = [each for each in reading.mentions if each.value and each.status in ("asserted", "rival")]
    said = [each for each in said if each not in held]
    yield from _offers(wanted, reading, situation)
    if not said:
        return
    stale = [value for text in wanted.stale for value in values_of(text, situation.now)]
    free = allowed(wanted, situation)
    loose = [
        mention
        for mention in said
        if not any(mention.sort == each.sort and same(mention, each) for each in [*free, *held])
        and reading.shown(mention) not in TODAY
        and not _ends_span(mention, held, reading)
        and not _is_past(mention, held, reading, situation)
    ]
    sorts = {sort for claim in wanted.claims for sort in _sorts(claim)} - set(wanted.free)
    # Numbers are weighed where numbers were asked for, or an answer, or where those who asked named one and nothing
    # else is claimed.
    named = any(each.value and each.value.number >= LARGE for each in free)
    weighs = "number" in sorts or bool(wanted.stance) or (named and not sorts & {"date", "clock", "id"})
    for mention in loose:
        value = mention.value
        if value and any(_is_stale(value, old) for old in stale):
            yield Reason("stale", f"the outdated {reading.shown(mention)} is said")
        elif mention.sort in sorts and mention.sort in ("date", "clock"):
            yield Reason("extra", f"the {mention.sort} {reading.shown(mention)} is said, too")
        elif weighs and _is_weighty(mention, reading):
            yield Reason("extra", f"{reading.shown(mention)} is said, too")
            reading.doubt(mention.sentence, f"{reading.shown(mention)}, which nobody asked for, may be true")
        elif "number" in sorts and mention.sort == "number" and value and not _is_harmless(mention, reading):
            reading.doubt(mention.sentence, f"what {reading.shown(mention)} is", of="yes")
    if "number" in sorts:
        yield from _numbers(wanted.claims, reading, [each for each in loose if each.sort == "number"], held)


def _offers(wanted: Wanted, reading: Reading, situation: Situation) -> Iterator[Reason]:
    """Yield what the writer gives, pays or arranges though nobody asked for it."""
    for segment in reading.segments:
        cue = lexicon.OFFERS.search(reading.unquoted[segment.start : segment.end])
        if (
            not cue
            or cue[0] in fold("\n".join((*situation.said, *wanted.also)))
            or any(each.status != "asserted" for each in segment.said)
        ):
            continue
        if lexicon.NEGATION.search(reading.unquoted[segment.start : segment.start + cue.end()]):
            continue
        yield Reason("extra", f"something is offered ({cue[0]})")
        reading.doubt(segment.sentence, f"whether {cue[0]} was asked for")
        return


def _is_harmless(mention: Mention, reading: Reading) -> bool:
    """Whether a number is a duration, the first of something, or another subject's: "the lamp's 650"."""
    value = mention.value
    if value is None or value.unit in DURATIONS[1:] or (value.kind == "ordinal" and value.number == 1):
        return True
    shown = reading.shown(mention)
    if not value.unit and value.number <= SPELLED_MAX and not any(sign.isdigit() for sign in shown):
        return True  # "two things", "两个我都同意"
    before = [each for each in reading.segments[mention.segment].mentions if each.end <= mention.start]
    return bool(before) and before[-1].key.startswith("n") and mention.start - before[-1].end <= 4


def _is_past(mention: Mention, held: Sequence[Mention], reading: Reading, situation: Situation) -> bool:
    """Whether a day, or an hour beside it, is over already, where none that is over was asked for."""
    today = situation.now.date().isoformat()
    asked = [each.value.options for each in held if each.value and each.sort == "date"]
    if any(day < today for options in asked for day in options):
        return False
    days = [each for each in reading.mentions if each.sort == "date" and each.sentence == mention.sentence]
    near = [mention] if mention.sort == "date" else [each for each in days if each.segment == mention.segment]
    return bool(near) and all(
        day < today for each in near if each.value for day in _lately(each, today, reading) or each.value.options
    )


def _lately(mention: Mention, today: str, reading: Reading) -> list[str]:
    """Return the day of the last week that a bare day may mean: on the 9th, "6号" is three days ago."""
    if mention.value is None or not reading.shown(mention)[:1].isdigit():
        return []
    first = (date.fromisoformat(today) - timedelta(days=7)).isoformat()
    return [day for day in mention.value.wide if first <= day < today]


def _is_weighty(mention: Mention, reading: Reading) -> bool:
    """Whether a number is a sum, a share or a large count that nobody asked for, and not part of a name or a quote."""
    value, text = mention.value, reading.text
    if value is None or mention.sort != "number" or mention.status != "asserted" or value.kind == "ordinal":
        return False
    is_year = value.unit == "" and 1900 <= value.number <= 2100
    if is_year or not (value.unit in ("%", "折", *MONEY) or value.number >= LARGE):
        return False
    if lexicon.IS_SOMETHING.match(text[mention.end :]):
        return False
    named = [each for each in reading.mentions if each.sort == "choice" and each.status == "asserted"]
    if any(0 <= mention.start - each.end <= 2 for each in named):
        return False
    return not any(quote.start() < mention.start < quote.end() for quote in lexicon.QUOTED.finditer(text))


def _sorts(claim: Claim) -> Iterator[str]:
    yield "number" if claim.kind == "amount" else "clock" if claim.kind == "span" else claim.kind


def allowed(wanted: Wanted, situation: Situation) -> list[Mention]:
    """Return the values of those who asked, but for outdated ones, and what else the task lets through."""
    stale = {_what(value) for text in wanted.stale for value in values_of(text, situation.now)}
    asked = [value for text in situation.said for value in values_of(text, situation.now)]
    asked = [value for value in asked if _what(value) not in stale]
    return [as_mention(each) for each in [*asked, *(v for text in wanted.also for v in values_of(text, situation.now))]]


def _what(value: Value) -> tuple[float, str, tuple[str, ...]]:
    return value.number, value.unit, value.options


def _is_stale(value: Value, old: Value) -> bool:
    if value.options or old.options:
        return value.kind == old.kind and same_value(value, old)
    return value.number == old.number and {value.unit, old.unit} <= {value.unit, ""}


def _numbers(
    claims: Sequence[Claim], reading: Reading, loose: Sequence[Mention], held: Sequence[Mention]
) -> Iterator[Reason]:
    """Yield further numbers of a claimed subject, in a claimed unit, in one list with a claimed one, or too many."""
    counting = [(f"s{i}", claim) for i, claim in enumerate(claims) if claim.kind in ("number", "amount")]
    units = {unit for _, claim in counting for unit in claim.units}
    for mention in loose:
        shown, unit = reading.shown(mention), mention.value.unit if mention.value else ""
        # The first day and the first time are no further number.
        if (mention.value and mention.value.kind == "ordinal" and mention.value.number == 1) or _is_small_count(
            mention, held
        ):
            continue
        told = [each for each in reading.mentions if each.sort == "choice" and each.sentence == mention.sentence]
        told = [each for each in told if each.start < mention.start]
        if told and told[-1].status in ("denied", "beside"):
            continue  # it says something of the alternative that is denied
        owners = [claim for key, claim in counting if claim.of and key in mention.subjects]
        owners = [each for each in owners if unit in each.units or (not each.units and unit not in DURATIONS)]
        if owners:
            yield Reason("extra", f"{shown} is said of {owners[0].of[0]}, too")
        elif unit and unit in units:
            yield Reason("extra", f"{shown} is said, too")
        elif any(_in_list(mention, each, reading) for each in held):
            yield Reason("extra", f"{shown} stands in a list with what was asked")
    if len({mention.value.number for mention in loose if mention.value}) > LOOSE_NUMBERS_MAX:
        yield Reason("extra", "too many numbers")


def _is_small_count(mention: Mention, held: Sequence[Mention]) -> bool:
    """Whether a number only counts a few things beside large claimed ones: "四个人都付完"."""
    large = [each.value.number for each in held if each.value and each.sort == "number"]
    value = mention.value
    return bool(value and not value.unit and value.number < FEW and large and min(large) >= LARGE)


def _in_list(a: Mention, b: Mention, reading: Reading) -> bool:
    """Whether two numbers stand side by side as members of one list."""
    if not a.value or not b.value or b.sort != "number" or a.value.unit != b.value.unit:
        return False
    low, high = min(a.end, b.end), max(a.start, b.start)
    between = reading.text[low:high]
    if abs(a.segment - b.segment) > 1 or not (lexicon.LISTED.match(between) or _counts_alike(a, b, between, reading)):
        return False
    if lexicon.IS_SOMETHING.match(reading.text[a.end :]):
        return False  # "395, 599 is retail"
    return not any(each.sort == "subject" and low <= each.start < high for each in reading.mentions)


def _counts_alike(a: Mention, b: Mention, between: str, reading: Reading) -> bool:
    """Whether two numbers count the same things, one after the other: "14 seats and 31 seats"."""
    nouns = [lexicon.NOUN.match(reading.text[each.end :]) for each in (a, b)]
    words = [noun[1] for noun in nouns if noun]
    return (
        len(words) == 2
        and words[0] == words[1]
        and lexicon.AND_ALSO.fullmatch(between.replace(words[0], "")) is not None
    )


def _ends_span(mention: Mention, held: Sequence[Mention], reading: Reading) -> bool:
    """Whether a clock is only the end of a span whose start was asked for."""
    if mention.sort != "clock":
        return False
    starts = [each for each in held if each.sort == "clock" and each.end <= mention.start]
    if any(lexicon.SPAN.fullmatch(reading.text[each.end : mention.start]) for each in starts):
        return True
    ends = lexicon.ENDS_BEFORE.search(reading.text[: mention.start]) or lexicon.ENDS_AFTER.match(
        reading.text[mention.end :]
    )
    return bool(ends) and any(each.sentence == mention.sentence for each in starts)
