"""Converts conditions for a text to claims (``farm.benchmark.scoring.claims``), and the judgement to findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from farm.appkit.formats.visible import visible_text, without_struck
from farm.benchmark.scoring import claims
from farm.benchmark.scoring.claims import Claim, ClaimKind, Judgement, Reason, Requirement, Situation, Stance
from farm.benchmark.scoring.claims.normalize import fold
from farm.benchmark.scoring.claims.reading import find
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.findings import Finding
from farm.benchmark.scoring.people import names_of_all
from farm.benchmark.scoring.reading_budget import TEXT_MAX, UnreadError, read_within
from farm.benchmark.scoring.stored_texts import StoredText
from farm.benchmark.tasks.text_rules import kind_of


def judge_text(
    raw: Mapping[str, Any],
    text: str,
    before: str,
    clock_context: ClockContext,
    stored: Sequence[StoredText] = (),
) -> Iterator[Finding]:
    """Yield a finding for each claim of a text form, and one for each of its other keys.

    Args:
        raw: a ``farm.benchmark.tasks.text_rules.TextForm`` whose placeholders and references are resolved.
        before: the column's value at the start.
        stored: the text in its format, or in several that a reader may see; if absent, all of ``text`` is visible.
    """
    wanted = wanted_of(raw, before, clock_context)
    parts = stored or (StoredText("plain", text, text),)
    text = "\n".join(part.raw for part in parts)
    situation = Situation(clock_context.now, clock_context.said, clock_context.done, clock_context.samples)
    # Kept text does not count towards the maximum length.
    chars_max = TEXT_MAX + len(wanted.keeps or "")
    try:
        judgement = read_within(
            clock_context.budget, text, lambda: judge_stored(wanted, parts, situation), chars_max=chars_max
        )
    except UnreadError as problem:
        for part in _parts(wanted):
            yield Finding.unread(part.words, str(problem), is_ban=part.is_ban)
        return
    for part in _parts(wanted):
        failed = [reason.words for reason in judgement.reasons if part.concerns(reason)]
        why = "; ".join(failed)
        yield Finding(not failed, part.words, part.is_ban, judgement.doubts, why, is_close=judgement.is_close)


def judge_stored(wanted: Requirement, parts: Sequence[StoredText], situation: Situation) -> Judgement:
    """Return the judgement of what is visible of a text; of one in several formats, each must be right."""
    judged = [_judge_visible(wanted, part, situation) for part in parts]
    if len(judged) == 1:
        return judged[0]
    reasons = tuple(dict.fromkeys(reason for each in judged for reason in each.reasons))
    is_surely_wrong = any(each.reasons and not each.doubts for each in judged)
    doubts = () if is_surely_wrong else tuple(doubt for each in judged for doubt in each.doubts)
    return Judgement(reasons, doubts, any(each.is_close for each in judged))


def _judge_visible(wanted: Requirement, stored: StoredText, situation: Situation) -> Judgement:
    visible = stored.visible()
    start = visible_text(stored.format, wanted.keeps or "")
    judgement = claims.judge(_keeping(wanted, start.message), visible.message, situation)
    is_altered = any(reason.code == "altered" for reason in judgement.reasons)
    if wanted.keeps is not None and not is_altered and not stored.keeps(wanted.keeps):
        altered = Reason("altered", "the text of the start has another form")
        return replace(judgement, reasons=(*judgement.reasons, altered), doubts=())
    beside: Judgement | None = None
    if visible.screen != visible.message and not is_altered:
        beside = claims.judge(_keeping(wanted, start.screen), visible.screen, situation)
    if judgement.reasons:
        # Somebody may read code, after all.
        doubts = ["code, a formula or a spoiler says it"] if beside and beside.ok else []
        if not doubts and not without_struck(visible.message).strip():
            return replace(judgement, doubts=())  # it says nothing
        return replace(judgement, doubts=(*judgement.doubts, *doubts))
    doubts = [doubt for doubt in visible.doubts if doubt not in start.doubts]
    if beside and not beside.ok:
        doubts.append(f"code, a formula or a spoiler: {beside.reasons[0].words}")
    return replace(judgement, doubts=(*judgement.doubts, *doubts))


def _keeping(wanted: Requirement, start: str) -> Requirement:
    # A start of which nothing is visible stands in every text.
    return replace(wanted, keeps=start if start.strip(" \n.。") else None)


@dataclass(frozen=True)
class _Part:
    """One condition of a text: its wording, and the reasons that contradict it."""

    words: str
    concerns: Callable[[Reason], bool]
    is_ban: bool = False


def _parts(wanted: Requirement) -> Iterator[_Part]:
    for number, claim in enumerate(wanted.claims):
        yield _Part(f"to {'deny' if claim.is_denied else 'say'} {claim.describe}", partial(_is_of, number))
    if wanted.claims:
        yield _Part("to say nothing else of that kind", _is_beyond, is_ban=True)
    if wanted.stance is not None:
        # A text that is too long to be read has no answer.
        yield _Part(f"to answer {wanted.stance.answer}", lambda reason: reason.code in ("stance", "unread"))
    if wanted.keeps is not None:
        yield _Part("to keep the text of the start", lambda reason: reason.code == "altered", is_ban=True)
    if wanted.bans:
        yield _Part(f"not to name {', '.join(wanted.bans)}", lambda reason: reason.code == "banned", is_ban=True)


def _is_of(claim: int, reason: Reason) -> bool:
    return reason.claim == claim


def _is_beyond(reason: Reason) -> bool:
    return reason.claim is None and reason.code not in ("stance", "altered", "banned")


def wanted_of(raw: Mapping[str, Any], before: str, clock_context: ClockContext) -> Requirement:
    """Convert a resolved text form."""
    stance, only = raw.get("stance"), raw.get("only", {})
    kept = raw.get("keeps")
    free: tuple[ClaimKind, ...] = _all(only.get("free"))
    return Requirement(
        claims=tuple(_claim(each, clock_context) for each in raw.get("claims", ())),
        stance=Stance(stance["is"], _all(stance.get("on"))) if stance else None,
        also=_all(only.get("also")),
        stale=_all(only.get("stale")),
        free=free,
        keeps=before if kept is True else kept,
        bans=_all(raw.get("bans")),
    )


def _claim(raw: Mapping[str, Any], clock_context: ClockContext) -> Claim:
    kind = kind_of(raw)
    assert kind is not None  # the loader has checked it
    given, rivals = raw[kind], tuple(_groups(raw.get("rivals")))
    units = _all(raw.get("unit"))
    values: tuple[Any, ...] = _all(given)
    made: ClaimKind = "choice"
    match kind:
        case "date":
            made, values = "date", tuple(map(clock_context.day, values))
        case "span":
            made, values = "span", (tuple(given),)
        case "number":
            made, values = "number", (float(given),)
        case "amount":
            currency, sum_ = given.split()
            made, values, units = "amount", (float(sum_),), (currency,)
        case "name":
            names = names_of_all(clock_context.world.people)
            values = tuple(names.pop(given))
            # Somebody whom the request names, such as the reader, may be named beside the claimed person.
            asked = fold("\n".join(clock_context.said))
            rivals = (*rivals, *(tuple(each) for each in names.values() if not find(asked, each)))
        case "clock" | "id" | "says":
            made = kind
    # A rival that shares a name with the claimed thing or its subject could not be distinguished from it.
    own = {str(value).casefold() for value in values}
    subjects = {name.casefold() for name in _all(raw.get("of"))}
    return Claim(
        kind=made,
        values=values,
        units=units,
        of=_all(raw.get("of")),
        beside=_all(raw.get("beside")),
        not_of=tuple(name for group in _others(_groups(raw.get("not_of")), subjects) for name in group),
        rivals=tuple(_others(rivals, own)),
        is_former=raw.get("former", False),
        is_denied=raw.get("denied", False),
        is_implied=raw.get("implied", False),
    )


def _others(groups: Iterable[tuple[str, ...]], own: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Yield the things that share no name with ``own``."""
    return (group for group in groups if not any(name.casefold() in own for name in group))


# The boundary between a name in one script and its translation in the other: 北斗 Polaris.
_SCRIPTS = re.compile(r"(?<=[\u4e00-\u9fff])\s+(?=[A-Za-z])|(?<=[A-Za-z])\s+(?=[\u4e00-\u9fff])")


def _groups(rivals: Any) -> Iterator[tuple[str, ...]]:
    """Yield the names of each rival; a value of a table (under ``in``) may hold a name in both languages."""
    if isinstance(rivals, Mapping):
        for value in rivals["in"]:
            if value:
                yield tuple(dict.fromkeys([str(value), *_SCRIPTS.split(str(value))]))
        return
    for each in _all(rivals):
        if isinstance(each, Mapping):
            yield from _groups(each)
        elif each:
            yield tuple(each) if isinstance(each, list) else (str(each),)


def _all(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)
