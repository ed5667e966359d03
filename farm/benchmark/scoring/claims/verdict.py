"""Judge whether a text asserts every claim of its subject, and nothing else that matters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from farm.benchmark.claim_kinds import KINDS
from farm.benchmark.scoring.claims import lexicon, sureness
from farm.benchmark.scoring.claims.clocks import minutes_of
from farm.benchmark.scoring.claims.comparisons import is_measured_from, leads
from farm.benchmark.scoring.claims.deeds import find_undone
from farm.benchmark.scoring.claims.extras import allowed, extras
from farm.benchmark.scoring.claims.headed import exchanged
from farm.benchmark.scoring.claims.mentions import gap, same
from farm.benchmark.scoring.claims.modality import judge_status
from farm.benchmark.scoring.claims.model import Claim, Code, Judgement, Reason, Requirement, Situation
from farm.benchmark.scoring.claims.quantities import DIMENSIONS, in_units_of_headings
from farm.benchmark.scoring.claims.question import Question
from farm.benchmark.scoring.claims.reading import (
    MENTIONS_MAX,
    SEGMENTS_MAX,
    Mention,
    Reading,
    SearchTerm,
    Status,
    Times,
    as_mention,
    find,
    read_text,
    values_of,
)
from farm.benchmark.scoring.claims.stance import read_answer
from farm.benchmark.scoring.claims.subjects import pair
from farm.benchmark.scoring.claims.sureness import features, foreign_words, probability, weighed
from farm.benchmark.scoring.claims.topic import is_of
from farm.benchmark.scoring.claims.values import Value, fold
from farm.benchmark.scoring.claims.zones import in_local_time
from farm.benchmark.scoring.kept_text import addition_to

_ID = re.compile(r"(?=.*[a-z])[a-z\d]+(?:-[a-z\d]+)*(?<=\d)")  # EMB-424, 9F-C14
_MARKS = re.compile(r"[\s-]")  # inside of an id
TEXT_MAX = 4000  # characters
_CACHED_CHARS_MAX = 2000
HANDFUL = 5
_LIKELY = 0.4


def judge(wanted: Requirement, text: str, situation: Situation) -> Judgement:
    """Return the faults of a text and the doubts about them, cached, as replays and audits judge texts again.

    Args:
        wanted: the requirements on the text.
        text: the original text.
        situation: the moment of writing, and the texts that asked.
    """
    is_short = len(text) + len(wanted.keeps or "") <= _CACHED_CHARS_MAX
    return (_judge_cached if is_short else _judge)(wanted, text, situation)


def doubts_beside(wanted: Requirement, text: str, situation: Situation, *, is_closed: bool = False) -> tuple[str, ...]:
    """Return why a text that has the wanted words may mislead by what it says beside them.

    Args:
        is_closed: whether every other word is in doubt, as in a place.
    """
    facts = _faults(wanted, text, situation)[1]
    if facts is None:
        return ("what so long a text says",)
    reading, question, founds = facts
    samples = _folded(situation.samples)
    found = features(wanted, reading, founds, question, (), samples)
    fairness = 0.0 if is_closed else probability(found, "fair")
    return weighed((), 1.0, fairness, reading, question, samples, (sureness.FAIR_BY_WORDS, 0.0)).doubts


def asserts(claims: Sequence[Claim], text: str, situation: Situation) -> bool:
    """Return whether a text surely makes claims, whatever else it says.

    The rules find no fault with a claim, they read the text's language, and the learned weights do not find it
    wrong. A text that is to say nothing else, as ``judge`` wants it, goes wrong in more ways and needs more.
    """
    wanted = Requirement(claims=tuple(claims), free=KINDS)
    reasons, facts = _faults(wanted, text, situation)
    if facts is None or any(reason.claim is not None for reason in reasons):
        return False
    reading, question, founds = facts
    samples = _folded(situation.samples)
    is_likely = probability(features(wanted, reading, founds, question, (), samples)) >= _LIKELY
    return is_likely and not foreign_words(reading, question)


def _judge(wanted: Requirement, text: str, situation: Situation) -> Judgement:
    reasons, facts = _faults(wanted, text, situation)
    has_claims = bool(wanted.claims or wanted.stance)
    if facts is None or (reasons and not has_claims):
        return Judgement(reasons)
    (reading, question, founds), samples = facts, _folded(situation.samples)
    found = features(wanted, reading, founds, question, reasons, samples)
    chance, fairness = probability(found) if has_claims else 1.0, probability(found, "fair")
    judgement = weighed(reasons, chance, fairness, reading, question, samples, (sureness.FAIR, sureness.FAIR_IF_KNOWN))
    if judgement.ok and judgement.sure and (places := exchanged(reading, situation.samples)):
        return replace(judgement, doubts=(f"whether {places} stand below the right headings",))
    return judgement


_judge_cached = lru_cache(maxsize=1024)(_judge)


def features_of(wanted: Requirement, text: str, situation: Situation) -> dict[str, float]:
    """Return the features of a text, from which weights are learned; none if it cannot be read."""
    reasons, facts = _faults(wanted, text, situation)
    if facts is None:
        return {}
    reading, question, founds = facts
    return features(wanted, reading, founds, question, reasons, _folded(situation.samples))


_Facts = tuple[Reading, Question, Sequence[Sequence[Mention]]]


def _faults(wanted: Requirement, text: str, situation: Situation) -> tuple[tuple[Reason, ...], _Facts | None]:
    """Return the faults of a text that the rules find, and the text as read; None if it is too long."""
    reasons: list[Reason] = []
    body = fold(text)
    if wanted.keeps is not None:
        headings = {fold(line).strip() for line in wanted.keeps.splitlines() if line.startswith("#")}
        addition = addition_to(fold(wanted.keeps).strip(" \n.。"), body, headings)
        body = addition.text
        reasons += [Reason("altered", addition.fault)] if addition.fault else []
    reasons += [Reason("banned", f"names {ban}") for ban in wanted.bans if find(body, [ban])]
    if len(body) > TEXT_MAX:
        return (*reasons, Reason("unread", f"longer than {TEXT_MAX} characters")), None
    reading, question, founds = _read(wanted, body, situation)
    if len(reading.mentions) > MENTIONS_MAX or len(reading.segments) > SEGMENTS_MAX:
        why = f"more than {MENTIONS_MAX} values and names, or {SEGMENTS_MAX} clauses"
        return (*reasons, Reason("unread", why)), None
    judge_status(reading, question)
    _mark_known(wanted, reading, situation)
    pair(reading)
    held = [each for claim, found in zip(wanted.claims, founds, strict=True) if claim.kind != "says" for each in found]
    free = allowed(wanted, situation)
    for index in range(len(wanted.claims)):
        reasons += _claim(index, wanted.claims, founds[index], held, reading)
    reasons += extras(wanted, reading, held, free, situation)
    reasons += find_undone(reading, question, situation.done)
    if wanted.stance:
        answer = read_answer(reading, wanted.stance.on, question, held)
        says_yes = answer.yes or (bool(wanted.claims) and not reasons)
        if wanted.stance.answer == "yes" and (answer.no or answer.undecided or not says_yes):
            reasons.append(Reason("stance", "says no" if answer.no else "does not say yes"))
        elif wanted.stance.answer == "no" and (not answer.no or answer.opens or answer.yes_to_day or answer.undecided):
            reasons.append(Reason("stance", "does not say no"))
        elif wanted.stance.answer == "neither" and (answer.yes or answer.no):
            reasons.append(Reason("stance", "says yes" if answer.yes else "says no"))
    return tuple(reasons), (reading, question, founds)


def _read(wanted: Requirement, body: str, situation: Situation) -> _Facts:
    """Return a folded text as read, the question that it answers, and the mentions of each claim's value."""
    asked = _folded(situation.said)
    reading = read_text(
        body, situation.now, [*_sought(wanted), *_of_a_kind(wanted, body, asked)], asked, _times(wanted)
    )
    question = Question(asked, values_of(asked, situation.now), situation.now.date().isoformat())
    for mention in reading.mentions if "|" in body or "(" in body else ():
        for value in in_units_of_headings(body, mention.value) if mention.value else ():
            headed = replace(mention, value=value)
            if any(_fits(index, claim, headed) for index, claim in enumerate(wanted.claims)):
                mention.value = value
    _localize(wanted, reading)
    founds = []
    for index, claim in enumerate(wanted.claims):
        if claim.kind == "span":
            found = _spans(claim, reading)
        else:
            found = [each for each in reading.mentions if _fits(index, claim, each)]
        for mention in found:
            mention.needs_subject |= bool(claim.of)
        founds.append(found)
    return reading, question, founds


def _localize(wanted: Requirement, reading: Reading) -> None:
    """Convert the clocks of other zones, unless a claim is about those."""
    names = fold(" ".join(name for claim in wanted.claims for name in (*claim.of, *claim.not_of, *claim.beside)))
    also = fold(" ".join(wanted.also))
    for mention in reading.mentions:
        if mention.value and mention.sort == "clock":
            local, zone = in_local_time(reading.text, mention.value, reading.now)
            if zone and zone not in names and zone not in also:
                mention.value = local


@lru_cache(maxsize=256)
def _folded(said: tuple[str, ...]) -> str:
    return fold("\n".join(said))


def _mark_known(wanted: Requirement, reading: Reading, situation: Situation) -> None:
    """Mark passing counts, and allowed numbers with a noun of their own; they do not affect the values' subjects."""
    others = [
        mention
        for mention in reading.mentions
        if mention.value and not any(_fits(index, claim, mention) for index, claim in enumerate(wanted.claims))
    ]
    counting = []
    for mention in others:
        mention.is_known = _is_passing(mention)
        if mention.sort == "number" and mention.status == "asserted" and is_measured_from(mention, reading):
            mention.is_known, mention.status = True, "former"
        counting += [mention] if lexicon.OWN_NOUN.match(reading.text[mention.end : mention.end + 8]) else []
    if not counting:
        return
    texts = (*wanted.also, *situation.said)
    allowed = [as_mention(value) for text in texts for value in values_of(text, situation.now)]
    for mention in counting:
        mention.is_known |= any(same(mention, each) for each in allowed)


def _is_passing(mention: Mention) -> bool:
    """Whether a number counts at most a handful, as in "both items together"."""
    value = mention.value
    return value is not None and mention.sort == "number" and not value.unit and value.number <= HANDFUL


def _sought(wanted: Requirement) -> Iterator[SearchTerm]:
    for index, claim in enumerate(wanted.claims):
        names = tuple(str(value) for value in claim.values)
        if claim.kind in ("choice", "id"):
            yield SearchTerm("choice", f"c{index}", names)
        if claim.kind == "says":
            yield SearchTerm("says", f"p{index}", names)
        for number, rival in enumerate(claim.rivals):
            yield SearchTerm("choice", f"r{index}:{number}", rival)
        if claim.of:
            yield SearchTerm("subject", f"s{index}", claim.of)
        if claim.beside:
            yield SearchTerm("subject", f"w{index}", claim.beside)
        if claim.not_of:
            yield SearchTerm("subject", f"n{index}", claim.not_of)


def _times(wanted: Requirement) -> Times:
    days = (value for claim in wanted.claims for value in claim.values if isinstance(value, date))
    clocks = (str(value) for claim in wanted.claims if claim.kind == "clock" for value in claim.values)
    return Times(frozenset(days), frozenset(clocks))


def _of_a_kind(wanted: Requirement, body: str, asked: str) -> Iterator[SearchTerm]:
    """Yield the rivals of ids: other ids of the same form in a text, except those that the question names."""
    for index, claim in enumerate(wanted.claims):
        names = [fold(str(value)) for value in claim.values]
        if claim.kind not in ("id", "choice") or not all(_ID.fullmatch(name) for name in names):
            continue
        if not (prefix := re.match(r"(.*?[a-z])[- ]?\d+$", names[0])):
            continue
        pattern = rf"(?<![a-z\d]){re.escape(prefix[1])}[- ]?\d[a-z\d]*"
        known = {_MARKS.sub("", each) for each in (*names, *re.findall(pattern, asked))}
        for found in dict.fromkeys(re.findall(pattern, body)):
            if _MARKS.sub("", found) not in known:
                yield SearchTerm("choice", f"r{index}:{found}", (found,))


def _fits(index: int, claim: Claim, mention: Mention) -> bool:
    """Whether a mention is of a claim's value."""
    if claim.kind in ("choice", "id"):
        return mention.key == f"c{index}"
    if claim.kind == "says":
        return mention.key == f"p{index}"
    value = mention.value
    if value is None:
        return False
    if claim.kind == "date":
        return mention.sort == "date" and any(
            each.isoformat() in value.options for each in claim.values if isinstance(each, date)
        )
    if claim.kind == "clock":
        return mention.sort == "clock" and any(each in value.options for each in claim.values)
    if mention.sort != "number":
        return False
    numbers = [float(each) for each in claim.values if isinstance(each, float | int)]
    if any(_measures(each, unit, value) for each in numbers for unit in claim.units):
        return True
    if claim.units and value.unit not in claim.units and not (claim.kind == "amount" and not value.unit):
        return False
    if not claim.units and value.unit in ("%", "°F"):
        return False
    # Whether more or less came in is another claim: "−1.82 亿元" is 1.82 less.
    number = abs(value.number) if claim.kind == "amount" and min(numbers, default=0) >= 0 else value.number
    return any(_equal(each, number, value.unit) for each in numbers)


def _spans(claim: Claim, reading: Reading) -> list[Mention]:
    """Return the clocks that open a wanted span: those followed by its end or its length."""
    spans = [value for value in claim.values if isinstance(value, tuple)]
    clocks = [each for each in reading.mentions if each.sort == "clock" and each.value]
    lengths = {_minutes(each.value) for each in reading.mentions if each.value}
    found: list[Mention] = []
    for start, end in spans:
        moments = _moments(start, end, clocks, reading)
        if len({day for day, _ in moments}) == 2 and sorted(clock for _, clock in moments) == sorted((start, end)):
            found += clocks if [clock for _, clock in moments] == [start, end] else []
            continue
        length = (minutes_of(end) - minutes_of(start)) % 1440
        for index, each in enumerate(clocks):
            if each.value is None or start not in each.value.options:
                continue
            behind = clocks[index + 1] if index + 1 < len(clocks) else None
            if behind and behind.value and end in behind.value.options and behind.sentence == each.sentence:
                found += [each, behind]
            elif length in lengths:
                found.append(each)
    return found


def _moments(start: str, end: str, clocks: Sequence[Mention], reading: Reading) -> list[tuple[str, str]]:
    """Return the days and hours of clocks beside days, in order; empty if a clock has no day.

    So both ends of a span may be told apart: "back on Sunday at noon; off on Friday at eight".
    """
    moments = set()
    for each in clocks:
        line = [other for part in reading.sentence(each.sentence) for other in part.mentions if other.sort == "date"]
        line = line or [other for other in _line_of(each, reading) if other.sort == "date"]
        day = min(line, key=lambda other: (other.segment != each.segment, gap(other, each)), default=None)
        if not each.value or not day or not day.value or not day.value.options:
            return []
        clock = next((one for one in (start, end) if one in each.value.options), each.value.options[0])
        moments.add((day.value.options[0], clock))
    return sorted(moments)


def _line_of(mention: Mention, reading: Reading) -> list[Mention]:
    """Return the mentions on a mention's line, such as the row of a table."""
    low = reading.text.rfind("\n", 0, mention.start) + 1
    high = reading.text.find("\n", mention.end)
    return [each for each in reading.mentions if low <= each.start and (high < 0 or each.start < high)]


def _minutes(value: Value | None) -> float:
    """Return the length of a value in minutes; -1 if it is not a length."""
    factor = {"min": 1, "h": 60}.get(value.unit) if value else None
    return value.number * factor if value and factor else -1


MILLION = 10**6


def _measures(wanted: float, unit: str, value: Value) -> bool:
    """Whether a value in another unit of the kind is the wanted measure: 0.695 km for 695 m."""
    if unit == "m" and not value.unit:
        return value.number == wanted * MILLION  # "695m", which is read as millions unless a length is wanted
    if value.unit == unit or unit not in DIMENSIONS or value.unit not in DIMENSIONS:
        return False
    (kind, one), (other, another) = DIMENSIONS[unit], DIMENSIONS[value.unit]
    return kind == other and round(wanted * one - value.number * another, 6) == 0


def _equal(wanted: float, number: float, unit: str) -> bool:
    """Whether a number is the wanted one; a percent may have further places (6.33 % for 6.3 %)."""
    places = len(f"{wanted:g}".partition(".")[2])
    return number == wanted or (unit == "%" and places > 0 and round(number, places) == wanted)


def _claim(
    index: int,
    claims: Sequence[Claim],
    found: Sequence[Mention],
    held: Sequence[Mention],
    reading: Reading,
) -> Iterator[Reason]:
    """Yield the faults of one claim."""
    claim = claims[index]
    name = claim.describe
    own = [each for each in found if _belongs(index, claims, each, reading)]
    for rival in reading.mentions:
        if rival.key.startswith(f"r{index}:") and rival.status in ("asserted", "rival"):
            if claim.not_of and _is_elsewhere(index, rival, reading):
                continue  # "heavy rain by day, moderate rain in the night"
            beside: Code = "rival" if rival.status == "rival" else "extra"
            yield Reason(beside, f"{reading.text_of(rival)} is said beside {name}", index)
            break
    if claim.kind == "says":
        asserted: Status = "denied" if claim.is_denied else "asserted"
        # A name that is itself a denial ("still missing", "hands off") need not be denied again.
        lacks = [each for each in own if claim.is_denied and lexicon.LACK.search(reading.text_of(each))]
        fails = not any((each.status == "asserted") if each in lacks else (each.status == asserted) for each in own)
        own = [each for each in own if each not in lacks]
        if fails and (own or not claim.is_implied):
            code: Code = "other_subject" if found and not own and not lacks else "missing"
            code = _code_of(own[-1].status, "missing") if own else code
            yield Reason(code, f"{name} is not {'denied' if claim.is_denied else 'said'}", index)
        return
    former = [each for each in own if claim.is_former and each.status in ("former", "denied")]
    good = [each for each in own if each.status == "asserted" or each in former]
    # The value denied later is another accepted value: "Thursday midnight, not Friday".
    last = [
        each
        for each in own
        if any(same(each, one) for one in good)
        and (each in good or not _denies_another(index, each, found, held, reading))
    ][-1:]
    if good and (last[0] in good or last[0].status in ("former", "conditional", "beside")):
        return
    if own:
        yield Reason(_code_of(own[-1].status, "denied"), f"{name}: {own[-1].status}", index)
    elif found:
        yield Reason("other_subject", f"{name}: said of something else", index)
    else:
        yield Reason("missing", f"{name}: missing", index)


def _code_of(status: Status, if_asserted: Code) -> Code:
    return if_asserted if status == "asserted" else "missing" if status == "beside" else status


def _is_elsewhere(index: int, rival: Mention, reading: Reading) -> bool:
    """Whether a rival is stated of a subject outside the claim, and is not that subject itself."""
    others = [each for each in reading.mentions if each.key == f"n{index}"]
    is_itself = any(each.start < rival.end and rival.start < each.end for each in others)
    return bool(others) and not is_itself and is_of(f"n{index}", f"s{index}", rival, reading)


def _denies_another(
    index: int, mention: Mention, found: Sequence[Mention], held: Sequence[Mention], reading: Reading
) -> bool:
    """Whether a denial is of a rival or of another claim's value: "1,496 lamps, not 4,312", "not in the dark room"."""
    if mention.status != "denied":
        return False
    mates = [each for part in reading.sentence(mention.sentence) for each in part.mentions]
    days = [each for each in mates if each.sort == "date" and each.status == "denied" and each not in held]
    if mention.sort == "clock" and any(each.segment == mention.segment for each in days):
        return True  # "12 March 24:00, not the 13th at 24:00"
    rivals = [each for each in mates if each.key.startswith(f"r{index}:") and each.segment == mention.segment]
    others = [
        each
        for each in mates
        if each in held and each not in found and each.value and each.sort == mention.sort == "number"
    ]
    return bool(rivals) or any(each.status == "asserted" and each.start < mention.start for each in others)


def _belongs(index: int, claims: Sequence[Claim], mention: Mention, reading: Reading) -> bool:
    """Whether a mention belongs to the claim's subject."""
    claim = claims[index]
    if claim.of and claim.not_of and mention.sort == "number" and leads(mention, f"s{index}", f"n{index}", reading):
        return True
    if claim.not_of and is_of(f"n{index}", f"s{index}", mention, reading):
        return False
    key, other = f"s{index}", f"w{index}"
    here = {each.key for part in reading.sentence(mention.sentence) for each in part.mentions} | mention.subjects
    if claim.of and claim.beside:
        return {key, other} <= here and (bool(mention.subjects & {key, other}) or not mention.subjects)
    if claim.beside:
        return other in here
    return not claim.of or key in mention.subjects or _is_free(index, claims, mention, reading)


def _is_free(index: int, claims: Sequence[Claim], mention: Mention, reading: Reading) -> bool:
    """Whether a value has no subject, and the subject has no value of its kind: "4 reserved → 2"."""
    key = f"s{index}"
    rivals = [each for each in reading.mentions if each.sort == mention.sort and not _alike(each, mention)]
    direct = [each for each in rivals if not each.is_inherited and each.status == "asserted"]
    if any(key in each.subjects for each in direct):
        return False
    if not mention.subjects:
        return _is_in_order(index, claims, reading)
    has_own = {subject for each in direct for subject in each.subjects}
    return mention.is_inherited and mention.subjects <= has_own


def _is_in_order(index: int, claims: Sequence[Claim], reading: Reading) -> bool:
    """Whether several values without subjects occur in the order in which they were asked for."""
    mates = [number for number, claim in enumerate(claims) if claim.of and claim.kind == claims[index].kind]
    if len(mates) < 2 or any(each.key.startswith("s") for each in reading.mentions):
        return True
    places = [[each.start for each in reading.mentions if _fits(number, claims[number], each)] for number in mates]
    firsts = [starts[0] for starts in places if starts]
    return firsts == sorted(firsts)


def _alike(a: Mention, b: Mention) -> bool:
    return a is b or bool(
        a.value and b.value and (a.value.number, a.value.options) == (b.value.number, b.value.options)
    )
