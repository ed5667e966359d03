"""From what a task file wants of a text to what ``farm.claims`` judges it by, and back to findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from farm import claims
from farm.claims import Claim, Judgement, Kind, Reason, Situation, Stance, Wanted
from farm.score.findings import Finding
from farm.score.people import names_of
from farm.score.setting import Setting
from farm.task.texts import kind_of


def judge_text(raw: Mapping[str, Any], text: str, before: str, setting: Setting) -> Iterator[Finding]:
    """Yield a finding for each claim of a text form, and one for each of its other keys.

    Args:
        raw: a ``farm.task.texts.TextForm`` whose placeholders and references are resolved.
        before: what the column held at the start.
    """
    wanted = wanted_of(raw, before, setting)
    judgement = claims.judge(wanted, text, Situation(setting.now, setting.said))
    for number, claim in enumerate(wanted.claims):
        words = f"to {'deny' if claim.is_denied else 'say'} {claim.shown}"
        yield _finding(words, judgement, partial(_is_of, number))
    if wanted.claims:
        yield _finding("to say nothing else of that kind", judgement, _is_beyond, is_ban=True)
    if wanted.stance is not None:
        # A text that is too long to be read answers nothing.
        yield _finding(
            f"to answer {wanted.stance.answer}", judgement, lambda reason: reason.code in ("stance", "unread")
        )
    if wanted.keeps is not None:
        yield _finding("to keep the text of the start", judgement, lambda reason: reason.code == "kept", is_ban=True)
    if wanted.bans:
        words = f"not to name {', '.join(wanted.bans)}"
        yield _finding(words, judgement, lambda reason: reason.code == "banned", is_ban=True)


def _is_of(claim: int, reason: Reason) -> bool:
    return reason.claim == claim


def _is_beyond(reason: Reason) -> bool:
    return reason.claim is None and reason.code not in ("stance", "kept", "banned")


def _finding(words: str, judgement: Judgement, concerns: Callable[[Reason], bool], *, is_ban: bool = False) -> Finding:
    failed = [reason.words for reason in judgement.reasons if concerns(reason)]
    return Finding(not failed, words, is_ban, judgement.doubts, "; ".join(failed))


def wanted_of(raw: Mapping[str, Any], before: str, setting: Setting) -> Wanted:
    """Return what a resolved text form wants."""
    stance, only = raw.get("stance"), raw.get("only", {})
    kept = raw.get("keeps")
    free: tuple[Kind, ...] = _all(only.get("free"))
    return Wanted(
        claims=tuple(_claim(each, setting) for each in raw.get("claims", ())),
        stance=Stance(stance["is"], _all(stance.get("on"))) if stance else None,
        also=_all(only.get("also")),
        stale=_all(only.get("stale")),
        free=free,
        keeps=before if kept is True else kept,
        bans=_all(raw.get("bans")),
    )


def _claim(raw: Mapping[str, Any], setting: Setting) -> Claim:
    kind = kind_of(raw)
    assert kind is not None  # what the loader has checked
    given, rivals = raw[kind], tuple(_groups(raw.get("rivals")))
    units = _all(raw.get("unit"))
    values: tuple[Any, ...] = _all(given)
    made: Kind = "choice"
    match kind:
        case "date":
            made, values = "date", tuple(map(setting.day, values))
        case "span":
            made, values = "span", (tuple(given),)
        case "number":
            made, values = "number", (float(given),)
        case "amount":
            currency, sum_ = given.split()
            made, values, units = "amount", (float(sum_),), (currency,)
        case "name":
            people = setting.world.people
            values = tuple(names_of(given, people))
            rivals = (*rivals, *(tuple(names_of(each, people)) for each in people if each != given))
        case "clock" | "id" | "says":
            made = kind
    # What shares a name with the claimed thing, or with its subject, could not be told from it.
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
    )


def _others(groups: Iterable[tuple[str, ...]], own: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Yield the things none of whose names is one's own."""
    return (group for group in groups if not any(name.casefold() in own for name in group))


# Where a name ends in one script and its translation begins in the other: 北斗 Polaris.
_SCRIPTS = re.compile(r"(?<=[\u4e00-\u9fff])\s+(?=[A-Za-z])|(?<=[A-Za-z])\s+(?=[\u4e00-\u9fff])")


def _groups(rivals: Any) -> Iterator[tuple[str, ...]]:
    """Yield the names of each rival; a value of a table (under ``in``) may be one thing's name in both languages."""
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
