"""The reasons for which a trial missed its task, with the lines that show them.

Each thing that was missed (a checkpoint, or a change that nobody asked for) has one reason, the deepest cause that
holds. Only a deed that the answer claims may be told beside another reason of the same change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from farm import content
from farm.appkit.dialects import InvalidArgumentsError
from farm.benchmark.failures import definitions as kinds
from farm.benchmark.failures.case import Case, answer_of, name_of
from farm.benchmark.failures.deeds import claims_of, counts_more, is_whole, is_wrong, tells_anything
from farm.benchmark.failures.targets import AimKind, aims_of, lacked_ids, unseen_ids
from farm.benchmark.failures.tries import Item, calls_for, tries_of
from farm.benchmark.failures.values import columns_written, former_values, unshown_values
from farm.benchmark.scoring.metrics import UNSCORED
from farm.benchmark.tasks import Operate, Search
from farm.context.trace import Call, failed_as_planned

_LINES_MAX = 3
_SHOWN_MAX = 140
_AIMS: Mapping[AimKind, str] = {
    "invented": kinds.INVENTED,
    "unseen": kinds.SKIPPED,
    "person": kinds.PERSON,
    "object": kinds.TARGET,
}
_LIMITS = ("rounds", "time", "calls")
# What an agent's loop answers to a call that it cannot read.
_UNREADABLE = re.compile(r"Error: (?:the arguments are not|there is no tool)")

_SEVERAL = re.compile(r"found (\d+) of them$")

# Kind and evidence.
Found = tuple[str, str]


@dataclass(frozen=True)
class Reason:
    """One reason, with what shows it, a line each."""

    kind: str
    evidence: tuple[str, ...]


def reasons_of(case: Case) -> list[Reason]:
    """Return the reasons of a trial, in the order of their definitions; none of one that did its task."""
    if case.trial["outcome"] in (*UNSCORED, "pass") and not case.missed:
        return []
    found: dict[str, list[str]] = {}
    for kind, line in _all_found(case):
        found.setdefault(kind, []).append(line)
    if not found:
        for point in case.missed:
            found.setdefault(kinds.VALUE, []).append(f"{point['id']}: {_short(point['why'])}")
    return [Reason(kind, tuple(dict.fromkeys(found[kind]))[:_LINES_MAX]) for kind in kinds.DEFINITIONS if kind in found]


def _all_found(case: Case) -> Iterator[Found]:
    yield from _of_end(case)
    invented = list(_invented(case))
    yield from ((kinds.INVENTED, line) for _, line in invented)
    # What a refused id kept from being read has that id as its cause.
    is_kept_from_reading = any(name_of(call) in case.reading for call, _ in invented)
    tries = tries_of(case)
    claims = claims_of(case, [item.point for item in tries.items if not item.made and not item.elsewhere])
    for item in tries.items:
        yield from _of_change(case, item, claims.get(item.point.id, ""))
    for each in tries.surplus:
        yield kinds.MORE, each["why"]
    for point in case.task.checkpoints:
        if not isinstance(point, Operate) and any(each["id"] == point.id for each in case.missed):
            reasons = _of_search(case, point) if isinstance(point, Search) else _of_other(case, point.id)
            for kind, line in reasons:
                if kind != kinds.UNEXPLORED or not is_kept_from_reading:
                    yield kind, line


def _of_end(case: Case) -> Iterator[Found]:
    """Yield what the end of a trial says."""
    if _is_cut(case):
        used = case.trial.get("usage") or {}
        tokens = f", {used['prompt_tokens']} tokens of prompts" if used else ""
        how = "cut off" if case.trial["outcome"] == "length" else "the conversation exceeded the model's context"
        yield kinds.CONTEXT, f"{how} after {len(case.calls)} calls{tokens}"
    if limit := _limit_met(case):
        yield kinds.STOPPED, f"ended by its limit of {limit}"


def _is_cut(case: Case) -> bool:
    return case.trial.get("ended") in ("context", "length") or case.trial["outcome"] in ("context", "length")


def _limit_met(case: Case) -> str:
    """Return the limit that ended a trial; empty if none did."""
    ended = case.trial.get("ended")
    if ended in _LIMITS:
        return str(ended)
    return "calls" if case.trial["outcome"] == "over_limit" else ""


def _invented(case: Case) -> Iterator[tuple[Call, str]]:
    """Yield calls that were refused and not made good, with a line for each of their ids that nothing had shown."""
    for call in case.calls:
        later = (each for each in case.calls if each["n"] > call["n"] and name_of(each) == name_of(call))
        if call["refused"] and not failed_as_planned(call) and all(each["refused"] for each in later):
            for path, value in unseen_ids(case, call):
                yield call, f"call {call['n']}, {name_of(call)}: {path} is {value!r}, which nothing had shown"


def _of_change(case: Case, item: Item, claim: str) -> Iterator[Found]:
    """Yield why a change was not made, or not as it was wanted.

    Args:
        claim: what the final answer says of it as if it was made.
    """
    point = item.point
    if item.made:
        yield from _of_made(case, item)
        return
    if item.elsewhere:
        for call in item.elsewhere:
            yield kinds.PLATFORM, f"call {call['n']}, {name_of(call)}: asked for in {point.app}, where nothing changed"
        return
    if item.refused:
        yield from _of_refused(case, item)
    unreadable = () if item.refused else _unreadable_calls(case)
    yield from ((kinds.FORMAT, f"a call that could not be read: {_short(text)}") for text in unreadable)
    if claim:
        yield kinds.CLAIMED, f"{point.id}: nothing in {point.app}.{point.table} changed; it said: {_short(claim)}"
    elif not item.refused and not unreadable and not _is_cut(case):
        yield kinds.STOPPED, f"{point.id}: nothing in {point.app}.{point.table} was changed or tried"


def _of_made(case: Case, item: Item) -> Iterator[Found]:
    """Yield why a change that was made is not the wanted one, or why fewer were made than wanted."""
    point = item.point
    aims = [aim for call in item.made for aim in aims_of(case, item, call)]
    if aims:
        yield from ((_AIMS[aim.kind], aim.line) for aim in aims)
    else:
        yield from _of_value(case, item)
    lacking = _lacking(case, item)
    if lacking <= 0 or aims:
        return
    if item.refused:
        yield from _of_refused(case, item)
    if claim := counts_more(case, point, len(item.made)):
        yield kinds.CLAIMED, f"{point.id}: {len(item.made)} of {point.count} were made; it said: {_short(claim)}"
    elif lacking > len(item.refused) and not _is_cut(case):
        yield kinds.STOPPED, f"{point.id}: {len(item.made)} of {point.count} changes were tried"


def _lacking(case: Case, item: Item) -> int:
    """Return how many of the changes that were asked for were not tried; one call may try several."""
    rows = len(case.verdicts[item.point.id].changes)
    if not rows and calls_for(case, item.point) < item.point.count:
        return 0
    return item.point.count - max(rows, len(item.made))


def _of_value(case: Case, item: Item) -> Iterator[Found]:
    point, why = item.point, case.why(item.point.id)
    former = former_values(case, point, columns_written(case, item.made, point))
    unshown = unshown_values(case, point)
    if former:
        yield kinds.OUTDATED, f"{point.id}: wrote {former[0]!r}, which is no longer so"
    elif unshown:
        yield kinds.UNEXPLORED, f"{point.id}: {unshown[0]} stood in nothing that was shown"
    elif (several := _SEVERAL.search(why)) and int(several[1]) > point.count:
        yield kinds.MORE, f"{point.id}: made {several[1]} times"
    elif _lacking(case, item) <= 0 and not _is_only_more(why):
        yield kinds.VALUE, f"{point.id}: {_short(why)}"


def _of_refused(case: Case, item: Item) -> Iterator[Found]:
    """Yield why no call that tried a change was accepted."""
    last = item.refused[-1]
    invented = [(call, *each) for call in item.refused for each in unseen_ids(case, call)]
    if invented:
        for call, path, value in invented:
            yield kinds.INVENTED, f"call {call['n']}, {name_of(call)}: {path} is {value!r}, which nothing had shown"
        return
    lacked = lacked_ids(case, item, last)
    where = f"call {last['n']}, {name_of(last)}"
    if lacked:
        yield kinds.SKIPPED, f"{where}: nothing showed {lacked[0]!r}, which it needs"
        return
    aims = [] if _is_malformed(last) else aims_of(case, item, last)
    if aims:
        yield from ((_AIMS[aim.kind], aim.line) for aim in aims)
    else:
        yield kinds.FORMAT, f"{where}, never accepted: {_short(answer_of(last))}"


def _unreadable_calls(case: Case) -> list[str]:
    """Return what answered calls that named no tool or were no JSON, which no app has seen."""
    messages = (each for each in case.trial.get("transcript") or () if isinstance(each, Mapping))
    texts = (each.get("content") for each in messages if each.get("role") == "tool")
    return [text for text in texts if isinstance(text, str) and _UNREADABLE.match(text)]


def _is_malformed(call: Call) -> bool:
    """Return whether the arguments of a call are not of the form that its tool declares."""
    bound = content.load_app(call["app"]).bound.get(call["tool"]) if content.has_app(call["app"]) else None
    if bound is None:
        return True
    try:
        bound.check(call["arguments"])
    except InvalidArgumentsError:
        return True
    return False


def _of_search(case: Case, point: Search) -> Iterator[Found]:
    """Yield why an answer has not what was asked for."""
    answer, why = case.trial["answer"], case.why(point.id)
    if _is_cut(case) and not (is_whole(answer) and is_wrong(case, point)):
        return
    is_told = _is_cut(case) or tells_anything(case, point)
    if not answer.strip():
        yield kinds.STOPPED, f"{point.id}: no answer was given"
        return
    former = former_values(case, point)
    unshown = unshown_values(case, point)
    if former:
        yield kinds.OUTDATED, f"{point.id}: answered {former[0]!r}, which is no longer so"
    elif unshown or "never looked up" in why:
        yield kinds.UNEXPLORED, f"{point.id}: {unshown[0] + ' stood in nothing that was shown' if unshown else why}"
    elif not is_told:
        yield kinds.STOPPED, f"{point.id}: no answer was given, only {_short(answer)!r}"
    elif "expected an answer sheet" in why:
        yield kinds.FORMAT, f"{point.id}: {why}"
    elif not _is_only_more(why):
        yield kinds.VALUE, f"{point.id}: {_short(why)}"


def _is_only_more(why: str) -> bool:
    """Return whether a text only has a value too many: a wrong value of what another checkpoint asks of the text."""
    wrong = ("missing)", "said of something else", "to deny", "to answer")
    return "to say nothing else of that kind" in why and not any(each in why for each in wrong)


def _of_other(case: Case, point: str) -> Iterator[Found]:
    """Yield why a condition on the calls is not met."""
    why = case.why(point)
    predicate = next(getattr(each, "predicate", "") for each in case.task.checkpoints if each.id == point)
    if predicate == "called":
        # What came to an end had no time to look.
        if not _is_cut(case) and not _limit_met(case):
            yield kinds.UNEXPLORED, f"{point}: {_short(why)}"
    elif predicate == "recovered":
        # Without a call that failed, none was made: told of the change that is missing.
        if any(failed_as_planned(call) for call in case.calls):
            yield kinds.STOPPED, f"{point}: {_short(why)}"
    else:
        yield kinds.VALUE, f"{point}: {_short(why)}"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN_MAX else f"{flat[: _SHOWN_MAX - 1]}…"
