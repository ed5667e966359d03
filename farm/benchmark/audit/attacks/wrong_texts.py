"""Write wrong texts in place of the oracle's, as people do by mistake or to be on the safe side.

Each function is an attack: it takes a judged text of the oracle and yields replacements, each with a phrase for
reports. A replacement that does not suit the text, or is not certainly wrong, is not yielded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta

from farm.benchmark.audit.attacks.attack_context import JudgedText
from farm.benchmark.audit.attacks.paraphrase_values import TextPlace, date_ways, readable, with_unit
from farm.benchmark.scoring.claims import Claim
from farm.benchmark.scoring.claims.values import fold, read

Saying = tuple[str, str]  # the difference, the text
TextAttacker = Callable[[JudgedText], Iterator[Saying]]

_RIVALS_MAX = 3
_DUMP_MAX = 5000
_CLAUSE = re.compile(r"[^.!?,;:，。！？；：\n]+")
_DENIALS = re.compile(r"别|不要|不用|千万不|\b(?:do not|don't|never|not) ")
_VERBS_EN = re.compile(r"\b(is|are|was|were|will|can|has to|have to|moves|needs)\b")
_NOT_EN = {
    "has to": "does not have to",
    "have to": "do not have to",
    "moves": "does not move",
    "needs": "does not need",
}
_VERBS_ZH = re.compile(r"(?<![不没现费只还但于就正])(是|在|用|走|改到|提前|对应|要)")


def opposite(judged: JudgedText) -> Iterator[Saying]:
    """Deny, refuse or cancel with the same values: the text looks like an answer but means the contrary."""
    stance = judged.wanted.stance
    if judged.is_title:
        return
    shown = _list_asserted(judged)
    if stance and stance.answer in ("yes", "neither"):
        yield (
            "refuses",
            (f"不行，我不同意。{shown}先别动。" if judged.zh else f"No, I do not agree. Please don't do it. {shown}"),
        )
    if stance and stance.answer in ("no", "neither"):
        yield (
            "agrees",
            (f"可以，没问题，我同意。{shown}" if judged.zh else f"Yes, that is fine with me, go ahead. {shown}"),
        )
    if shown and not (stance and stance.answer == "no"):
        yield "denies", (f"不是{shown}。" if judged.zh else f"No, it is not {shown}.")
        yield "cancels", (f"{shown}已经取消了，不算数。" if judged.zh else f"{shown} has been cancelled.")
    if judged.asserted:
        retraction = "抱歉，上面说的不对，请忽略。" if judged.zh else " Sorry, that was wrong, please ignore it."
        yield "takes it back", _ended(judged) + retraction
    for claim, spot in judged.asserted:
        denied = _denied_clause(judged, spot)
        if denied:
            yield f"denies the clause of {claim.describe}", denied
    for claim in judged.wanted.claims:
        if claim.is_denied and (without := _undenied(claim, judged.text)):
            yield f"no longer denies {claim.describe}", without
    for claim, spot in judged.spots:
        if claim.is_denied:
            yield f"asserts {claim.describe}", (f"是{spot.text}。" if judged.zh else f"It is {spot.text}.")


def swap(judged: JudgedText) -> Iterator[Saying]:
    """Give each of two subjects the value of the other."""
    found = judged.asserted
    for number, (one, first) in enumerate(found):
        for other, second in found[number + 1 :]:
            if one.kind == other.kind and set(one.of or one.beside).isdisjoint(other.of or other.beside):
                low, high = sorted((first, second), key=lambda spot: spot.start)
                if low.end <= high.start and (one.of or one.beside) and (other.of or other.beside):
                    text = low.replaced(high.replaced(judged.text, low.text), high.text)
                    yield f"swaps {one.describe} and {other.describe}", text


def rivals(judged: JudgedText) -> Iterator[Saying]:
    """Name another value of the kind instead, or leave the choice to the reader."""
    for claim, spot in judged.asserted:
        for rival in _rivals(claim, judged):
            yield f"{rival} instead of {claim.describe}", spot.replaced(judged.text, rival)
        if judged.is_title:
            continue
        for rival in _rivals(claim, judged)[:1]:
            measured = with_unit(spot, judged.text)
            other = measured.text.replace(spot.text, rival)
            either = f"{measured.text}或者{other}" if judged.zh else f"{measured.text} or {other}"
            yield f"{claim.describe} or {rival}", measured.replaced(judged.text, either)


def dump(judged: JudgedText) -> Iterator[Saying]:
    """Name every candidate, so that one of them is right."""
    comma = "、" if judged.zh else ", "
    for claim, spot in judged.asserted:
        every = _every(claim, judged)
        if len(every) > 2 and claim.kind not in judged.wanted.free and not judged.is_title:
            yield f"every {claim.kind} there is", spot.replaced(judged.text, comma.join(every))


def hedge(judged: JudgedText) -> Iterator[Saying]:
    """State the values without committing to them."""
    if judged.is_title:
        return
    if shown := _list_asserted(judged):
        if judged.zh:
            yield "is not sure", f"我不太确定，可能是{shown}吧。"
            yield "guesses", f"也许是{shown}，我猜的。"
        else:
            yield "is not sure", f"I am not sure, but it might be {shown}."
            yield "guesses", f"Maybe {shown}, that is only my guess."
    if judged.asserted and _is_one_sentence(judged):
        doubt = "我不确定，也许是这样：" if judged.zh else "I am not sure, but perhaps: "
        yield "all of it perhaps", doubt + judged.text
    if judged.wanted.stance:
        maybe = "再看看吧，也许行也许不行。" if judged.zh else "Maybe, maybe not. I have to think about it."
        yield "may or may not", maybe


def question(judged: JudgedText) -> Iterator[Saying]:
    """Ask instead of stating."""
    if shown := "" if judged.is_title else _list_asserted(judged):
        yield "asks", (f"是{shown}吗？" if judged.zh else f"Is it {shown}?")
        yield "asks to confirm", (f"{shown}，对吗？" if judged.zh else f"Could you tell me whether it is {shown}?")


def asked(judged: JudgedText) -> Iterator[Saying]:
    """End every sentence with a question mark."""
    if not judged.is_title and not judged.wanted.stance and judged.asserted:
        mark = "？" if judged.zh else "?"
        yield "every sentence is a question", re.sub(r"[.!;](?=\s|$)|[。！；]", mark, _ended(judged))


def extra(judged: JudgedText) -> Iterator[Saying]:
    """State the right value, and assert a further one that nobody gave."""
    for claim, spot in judged.asserted:
        if judged.is_title or claim.kind in judged.wanted.free:
            continue
        for invented in _invented(claim, judged)[:1]:
            measured = with_unit(spot, judged.text)
            other = measured.text.replace(spot.text, invented)
            both = f"{measured.text}和{other}" if judged.zh else f"{measured.text} and {other}"
            yield f"{invented} besides {claim.describe}", measured.replaced(judged.text, both)


def reported(judged: JudgedText) -> Iterator[Saying]:
    """Report the values as hearsay, without endorsing them."""
    shown = "" if judged.is_title else _list_asserted(judged)
    if shown and judged.zh:
        yield "hearsay", f"听说是{shown}，没人核实过。"
        yield "somebody's word", f"有人说是{shown}，我不确定是不是真的。"
    elif shown:
        yield "hearsay", f"Someone said it was {shown}, but nobody has confirmed that."
        yield "somebody's word", f"I heard a rumour that it might be {shown}."
    if shown and _is_one_sentence(judged):
        rumour = "只是听说，没人核实过：" if judged.zh else "Only a rumour, nobody has confirmed it: "
        yield "all of it hearsay", rumour + judged.text


def undone_deed(judged: JudgedText) -> Iterator[Saying]:
    """State the right values, and a deed that was not done."""
    if judged.bystander and not judged.is_title:
        deed = (
            f"另外我已经跟{judged.bystander}说了。" if judged.zh else f" I have also told {judged.bystander} about it."
        )
        yield f"claims to have told {judged.bystander}", _ended(judged) + deed


def keeps_truncated(judged: JudgedText) -> Iterator[Saying]:
    """Write the addition, and lose half or all of the text that must be kept."""
    if len(judged.before) > 3:
        half = judged.before[: len(judged.before) // 2]
        yield "half of the old text is gone", judged.full_text.replace(judged.before, half, 1)
        yield "the old text is gone", judged.text


def keeps_doubled(judged: JudgedText) -> Iterator[Saying]:
    """Paste the text that must be kept a second time."""
    if judged.before:
        yield "the old text stands twice", f"{judged.before}\n{judged.full_text}"


# These attacks change the old text, so they yield the whole text.
KEEPS_TEXTS: tuple[TextAttacker, ...] = (keeps_truncated, keeps_doubled)
WRONG_TEXTS: tuple[TextAttacker, ...] = (
    opposite,
    swap,
    rivals,
    dump,
    hedge,
    question,
    asked,
    extra,
    reported,
    undone_deed,
)


def _is_one_sentence(judged: JudgedText) -> bool:
    """Whether a prefix applies to the whole text, because it is one sentence."""
    return not re.search(r"[.!?]\s|[。！？；;\n].", judged.text)


def _ended(judged: JudgedText) -> str:
    """Return the text with a full stop."""
    text = judged.text.rstrip()
    return text if text[-1:] in ".!?。！？」" else text + ("。" if judged.zh else ".")


def _list_asserted(judged: JudgedText) -> str:
    """Return the asserted values as written in the text, in its order; a place shared by two claims is shown once."""
    spots = sorted({(spot.start, spot.end): spot for _, spot in judged.asserted}.values(), key=lambda spot: spot.start)
    return ("、" if judged.zh else ", ").join(with_unit(spot, judged.text).text for spot in spots)


def _denied_clause(judged: JudgedText, spot: TextPlace) -> str | None:
    """Return the text with the verb before a value denied; None if its clause has no single verb or a denial."""
    for clause in _CLAUSE.finditer(judged.text):
        if clause.start() <= spot.start < clause.end():
            verbs = list((_VERBS_ZH if judged.zh else _VERBS_EN).finditer(judged.text, clause.start(), spot.start))
            if len(verbs) != 1 or re.search(r"\b(not|no|never)\b|[不没别]", clause[0]):
                return None
            verb = verbs[0]
            said = f"不{verb[0]}" if judged.zh else _NOT_EN.get(verb[0].lower(), f"{verb[0]} not")
            return judged.text[: verb.start()] + said + judged.text[verb.end() :]
    return None


def _undenied(claim: Claim, text: str) -> str | None:
    """Return the text without the word that denies a value in its clause; None if there is no such word."""
    for value in claim.values:
        for clause in _CLAUSE.finditer(text):
            denial = _DENIALS.search(clause[0])
            if denial and str(value) in clause[0][denial.end() :]:
                start = clause.start()
                return text[: start + denial.start()] + text[start + denial.end() :]
    return None


def _rivals(claim: Claim, judged: JudgedText) -> Sequence[str]:
    """Return some wrong values of the claim's kind."""
    zh = judged.zh
    known = _known(judged)
    match claim.kind, claim.values[0]:
        case "date", date() as day:
            claimed = {value for each in judged.wanted.claims for value in each.values}
            days = (day + timedelta(days=away) for away in (1, -7, 7))
            others = [date_ways(other, zh=zh)[0] for other in days if other not in claimed]
        case "clock", str() as clock:
            others = [_later(clock, minutes) for minutes in (60, -30, 15)]
        case (("number" | "amount"), float() as number):
            others = [f"{number + more:g}" for more in (1, 10)] + ([f"{number * 10:g}"] if number < 10_000 else [])
        case "id", str() as name:
            others = [_next_id(name, more) for more in (1, 3)]
        case "choice", _:
            others = [readable(group, zh=zh) for group in claim.rivals if group]
        case _:
            others = []
    others = [*_stale(claim, judged), *others]
    return [other for other in dict.fromkeys(others) if other not in known][:_RIVALS_MAX]


def _stale(claim: Claim, judged: JudgedText) -> Iterator[str]:
    """Yield the outdated values of the claim's kind, as they are written."""
    kinds = ("number", "amount") if claim.kind in ("number", "amount") else (claim.kind,)
    right = {str(each) for each in claim.values}
    for text in map(fold, judged.wanted.stale):
        for value in read(text, datetime.combine(judged.today, time(), UTC)):
            meant = {str(value.number)} if "number" in kinds else {*value.options}
            if value.kind in kinds and right.isdisjoint(meant):
                yield text[value.start : value.end]


def _invented(claim: Claim, judged: JudgedText) -> Sequence[str]:
    """Return values of the claim's kind that neither the question, nor the task, nor the text names."""
    zh = judged.zh
    named = "\n".join((*judged.said, *judged.wanted.also, *judged.wanted.stale, judged.full_text))
    match claim.kind, claim.values[0]:
        case "date", date() as day:
            days = (day + timedelta(days=away) for away in (37, 43, 51))
            others = [date_ways(each, zh=zh)[0] for each in days]
        case "clock", str() as clock:
            others = [_later(clock, minutes) for minutes in (135, 255)]
        case (("number" | "amount"), float() as number):
            others = [f"{number + more:g}" for more in (17, 43)]
        case "choice", _:
            unnamed = (
                group for group in claim.rivals if not any(name.casefold() in named.casefold() for name in group)
            )
            others = [readable(group, zh=zh) for group in unnamed if group]
        case "id", str() as name:
            others = [_next_id(name, 17)]
        case _:
            others = []
    return [other for other in others if other not in named]


def _every(claim: Claim, judged: JudgedText) -> Sequence[str]:
    """Return every value of the claim's kind that somebody might list."""
    match claim.kind, claim.values[0]:
        case "date", date() as day:
            first = day.replace(day=1)
            days = (first + timedelta(days=away) for away in range(31))
            return [date_ways(each, zh=judged.zh)[0] for each in days if each.month == day.month]
        case "clock", str():
            return [f"{hour:02}:{minute:02}" for hour in range(24) for minute in (0, 15, 30, 45)]
        case (("number" | "amount"), float() as number) if number == int(number):
            least = 0 if number < _DUMP_MAX else int(number) - _DUMP_MAX // 2
            return [str(each) for each in range(least, least + _DUMP_MAX)]
        case "choice", _:
            return [str(claim.values[0]), *(group[0] for group in claim.rivals if group)]
        case "id", str() as name:
            return [_next_id(name, more) for more in range(-20, 20)]
    return ()


def _known(judged: JudgedText) -> set[str]:
    """Return the right and the additionally allowed values that are written literally."""
    return {str(value) for claim in judged.wanted.claims for value in claim.values} | set(judged.wanted.also)


def _next_id(name: str, more: int) -> str:
    """Return the id with its number increased by ``more``."""
    return re.sub(r"\d+$", lambda found: str(int(found[0]) + more).zfill(len(found[0])), name)


def _later(clock: str, minutes: int) -> str:
    hour, minute = map(int, clock.split(":"))
    total = (hour * 60 + minute + minutes) % 1440
    return f"{total // 60:02}:{total % 60:02}"
