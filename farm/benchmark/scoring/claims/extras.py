"""Find the assertions beyond the question: extras, dumps, outdated values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from farm.benchmark.scoring.claims import lexicon
from farm.benchmark.scoring.claims.mentions import MONEY, same, same_value
from farm.benchmark.scoring.claims.model import Claim, Reason, Requirement, Situation
from farm.benchmark.scoring.claims.quantities import is_rounded_to
from farm.benchmark.scoring.claims.reading import Mention, Reading, as_mention, values_of
from farm.benchmark.scoring.claims.topic import is_of
from farm.benchmark.scoring.claims.values import Value

LOOSE_MAX = 3  # numbers, and days, of no claim, in all
TODAY = ("today", "今天", "今日")
LARGE = 1000  # a number of this size is not a passing count
FEW = 20  # and this is one
DURATIONS = ("%", "d", "min", "h")
_SORTS = {"amount": "number", "span": "clock"}
ROUNDING = 0.06  # percentage points


def extras(
    wanted: Requirement,
    reading: Reading,
    held: Sequence[Mention],
    free: Sequence[Mention],
    situation: Situation,
) -> Iterator[Reason]:
    """Yield the assertions that are not allowed.

    Args:
        wanted: the requirements on the text.
        reading: the text.
        held: the mentions that belong to a claim.
        free: the values that may be stated in addition.
        situation: the moment of writing, and the texts that asked.
    """
    said = [each for each in reading.mentions if each.value and each.status in ("asserted", "rival")]
    said = [each for each in said if each not in held]
    if not said:
        return
    now = situation.now
    former = [each for each in reading.mentions if each.status == "former"]
    stale = [value for text in wanted.stale for value in values_of(text, now)]
    loose = [
        mention
        for mention in said
        if not any(mention.sort == each.sort and same(mention, each) for each in [*free, *held])
        and reading.text_of(mention) not in TODAY
        and not _ends_span(mention, held, reading)
        and not _is_whole(mention, held, reading)
        and not _is_worked_out(mention, [*held, *former])
    ]
    others = [each for each in loose if not _is_more(each, reading) and _is_anothers(each, wanted.claims, reading)]
    loose = [each for each in loose if each not in others]
    sorts = {_SORTS.get(claim.kind, claim.kind) for claim in wanted.claims} - set(wanted.free)
    # Numbers are weighed if numbers or an answer were asked for, or if the question names one and there is no other
    # claim.
    named = any(each.value and each.value.number >= LARGE for each in free)
    weighs = "number" in sorts or bool(wanted.stance) or (named and not sorts & {"date", "clock", "id"})
    for mention in loose:
        reason = _of_loose(mention, reading, stale, sorts, held, weighs=weighs)
        yield from [reason] if reason else []
    if "date" in sorts and len({reading.text_of(each) for each in loose if each.sort == "date"}) > LOOSE_MAX:
        yield Reason("extra", "too many days")
    if "number" in sorts:
        yield from _numbers(wanted.claims, reading, [each for each in loose if each.sort == "number"], held)


def _of_loose(
    mention: Mention,
    reading: Reading,
    stale: Sequence[Value],
    sorts: set[str],
    held: Sequence[Mention],
    *,
    weighs: bool,
) -> Reason | None:
    """Return the reason why an unrequested value is not allowed; None if it is allowed."""
    value, shown = mention.value, reading.text_of(mention)
    if value is None:
        return None
    if any(_is_stale(value, old) for old in stale):
        return Reason("stale", f"the outdated {shown} is said")
    if mention.sort in sorts and mention.sort in ("date", "clock"):
        if mention.sort == "date" and not lexicon.LATELY.match(shown) and _is_elsewhen(value, held, reading):
            return None
        return Reason("extra", f"the {mention.sort} {shown} is said, too")
    if _is_more(mention, reading) and ("number" in sorts or value.unit in MONEY):
        return Reason("extra", f"{shown} is added")
    if weighs and _is_weighty(mention, reading) and ("number" in sorts or value.unit != "%"):
        return Reason("extra", f"{shown} is said, too")
    return None


def _is_elsewhen(value: Value, held: Sequence[Mention], reading: Reading) -> bool:
    """Whether a day is past, lies between two claimed ones, or is a weekday that may be a claimed one."""
    claimed = {day for each in held if each.value and each.sort == "date" for day in each.value.options}
    today = reading.now.date().isoformat()
    if all(day < today for day in value.options):
        return True
    return bool(claimed) and any(day in claimed or min(claimed) < day < max(claimed) for day in value.wide)


def _is_whole(mention: Mention, held: Sequence[Mention], reading: Reading) -> bool:
    """Whether a number is the whole that a claimed one is a part of: "4 (of 23)"."""
    return any(
        each.end <= mention.start and lexicon.OUT_OF.fullmatch(reading.text, each.end, mention.start) for each in held
    )


def _is_worked_out(mention: Mention, held: Sequence[Mention]) -> bool:
    """Whether a number follows from the claimed ones: one of them before it was rounded, a difference, a share."""
    value = mention.value
    if value is None or mention.sort != "number" or not value.number:
        return False
    known = [each.value for each in held if each.value and each.sort == "number"]
    if any(is_rounded_to(value, each) for each in known):
        return True
    pairs = [(a.number, b.number) for a in known for b in known if a.unit == b.unit and 0 < a.number < b.number]
    if value.unit == "%":
        return any(abs(100 * part / whole - value.number) < ROUNDING for part, whole in pairs)
    return any(
        a.unit == value.unit and round(abs(a.number - b.number) - value.number, 6) == 0
        for a in known
        for b in known
        if a.unit == b.unit
    )


def _is_more(mention: Mention, reading: Reading) -> bool:
    """Whether a number is stated as an addition: "plus 40 for the gift box", "another 52 boards"."""
    value = mention.value
    if value is None or mention.sort != "number" or mention.status != "asserted" or value.kind == "ordinal":
        return False
    before, behind = reading.text[: mention.start], reading.text[mention.end :]
    return bool(lexicon.MORE_BEFORE.search(before[-16:]) or lexicon.MORE_AFTER.match(behind))


def _is_anothers(mention: Mention, claims: Sequence[Claim], reading: Reading) -> bool:
    """Whether a value is stated of a subject that no claim is about."""
    is_time = mention.sort in ("date", "clock")
    return is_time and any(is_of(f"n{i}", f"s{i}", mention, reading) for i in range(len(claims)))


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


def allowed(wanted: Requirement, situation: Situation) -> list[Mention]:
    """Return the values of the question, except outdated ones, and the other values that the task allows."""
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
        shown, unit = reading.text_of(mention), mention.value.unit if mention.value else ""
        # The first day and the first time are not further numbers.
        if (mention.value and mention.value.kind == "ordinal" and mention.value.number == 1) or _is_small_count(
            mention, held
        ):
            continue
        told = [each for each in reading.mentions if each.sort == "choice" and each.sentence == mention.sentence]
        told = [each for each in told if each.start < mention.start]
        if told and told[-1].status in ("denied", "beside"):
            continue  # it concerns the denied alternative
        owners = [claim for key, claim in counting if claim.of and key in mention.subjects]
        owners = [each for each in owners if unit in each.units or (not each.units and unit not in DURATIONS)]
        if owners:
            yield Reason("extra", f"{shown} is said of {owners[0].of[0]}, too")
        elif unit and unit in units:
            yield Reason("extra", f"{shown} is said, too")
        elif any(_in_list(mention, each, reading) for each in held):
            yield Reason("extra", f"{shown} stands in a list with what was asked")
    if len({mention.value.number for mention in loose if mention.value}) > LOOSE_MAX:
        yield Reason("extra", "too many numbers")


def _ends_span(mention: Mention, held: Sequence[Mention], reading: Reading) -> bool:
    """Whether a clock is only the end of a span whose start was asked for."""
    if mention.sort != "clock":
        return False
    starts = [each for each in held if each.sort == "clock" and each.end <= mention.start]
    return any(lexicon.SPAN.fullmatch(reading.text[each.end : mention.start]) for each in starts)


def _in_list(a: Mention, b: Mention, reading: Reading) -> bool:
    """Whether two numbers are adjacent members of one list."""
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


def _is_small_count(mention: Mention, held: Sequence[Mention]) -> bool:
    """Whether a number only counts a few things beside large claimed ones: "四个人都付完"."""
    large = [each.value.number for each in held if each.value and each.sort == "number"]
    value = mention.value
    return bool(value and not value.unit and value.number < FEW and large and min(large) >= LARGE)
