"""The reasons for which a trial missed its task, each found by one rule, with the lines that show it.

A trial may have several reasons. The rules compare calls, answers and rows with those of the task's oracle; only
``claimed_not_done`` reads words, those of a final answer that says something was done.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from farm.benchmark.failures.case import Case, answer_of, name_of, texts_in
from farm.benchmark.failures.targets import other_targets
from farm.benchmark.scoring.metrics import UNSCORED
from farm.benchmark.tasks.value_syntax import references_in
from farm.context.trace import Call

_LINES_MAX = 3
_SHOWN_MAX = 140
# What only looks like an id: a key that the caller makes up, or a place in a list.
_OWN_KEYS = frozenset({"uuid", "idempotency_key", "client_token", "page_token", "sync_token"})
_ID = re.compile(r"(?=.*\d)(?=.*[A-Za-z_-])[\w.@:+/=-]{8,}|\d{15,}")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}.*|\d{1,2}:\d{2}.*")
_DONE = re.compile(
    r"\b(?:done|sent|posted|created|added|updated|changed|moved|deleted|removed|booked|scheduled|replied|shared|invited|"
    r"marked|set|published|completed|finished|told|messaged|answered|saved)\b|已|完成|好了|发了|改了|删了|加了|建了|回了",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"\b(?:can't|cannot|can not|could not|couldn't|unable|not able|did not|didn't|have not|haven't|failed to)\b"
    r"|没有|没能|无法|不能|未能|尚未|还没",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reason:
    """One reason, with what shows it, a line each."""

    kind: str
    evidence: tuple[str, ...]


def reasons_of(case: Case) -> list[Reason]:
    """Return the reasons of a trial, in the order of ``KINDS``; none of one that did its task or was not graded."""
    if case.trial["outcome"] in (*UNSCORED, "pass") and not case.missed:
        return []
    found = [(kind, list(rule(case))) for kind, rule in KINDS.items()]
    reasons = [Reason(kind, tuple(lines[:_LINES_MAX])) for kind, lines in found if lines]
    # The least that can be said of a miss, so only where no rule says more.
    return reasons or [Reason(WRONG_VALUE, tuple(lines[:_LINES_MAX])) for lines in [list(_wrong_value(case))] if lines]


def _context_exhausted(case: Case) -> Iterator[str]:
    if case.trial.get("ended") == "context" or case.trial["outcome"] == "length":
        used = case.trial.get("usage") or {}
        tokens = f", {used['prompt_tokens']} tokens of prompts" if used else ""
        how = "the conversation exceeded the model's context" if case.trial["outcome"] != "length" else "cut off"
        yield f"{how} after {len(case.calls)} calls{tokens}"


def _fell_to_the_format(case: Case) -> Iterator[str]:
    """Yield sheets that are missing, and calls that were never formed as their tool wants them."""
    for point in case.missed:
        if "expected an answer sheet" in point["why"] and case.trial["answer"].strip():
            yield f"{point['id']}: {point['why']}"
    for message in case.trial.get("transcript") or ():
        text = message.get("content") if isinstance(message, Mapping) and message.get("role") == "tool" else None
        if isinstance(text, str) and re.match(r"Error: (?:the arguments are not|there is no tool)", text):
            yield f"a call that could not be read: {_short(text)}"
    done = {name_of(call) for call in case.calls if not call["refused"]}
    for call in case.calls:
        is_wanted = name_of(call) in {tool for tool, _ in case.expected_writes}
        if call["refused"] and is_wanted and name_of(call) not in done and not _unseen_ids(case, call):
            yield f"call {call['n']}, {name_of(call)}, never accepted: {_short(answer_of(call))}"


def _invented_id(case: Case) -> Iterator[str]:
    for call in case.calls:
        if call["refused"]:
            for path, value in _unseen_ids(case, call):
                yield f"call {call['n']}, {name_of(call)}: {path} is {value!r}, which nothing had shown"


def _unseen_ids(case: Case, call: Call) -> list[tuple[str, str]]:
    """Return path and value of the arguments that look like ids, and that the agent had read nowhere."""
    ids = [
        (path, value)
        for path, value in _leaves(call["arguments"])
        if path.rpartition(".")[2] not in _OWN_KEYS and _ID.fullmatch(value) and not _DATE.fullmatch(value)
    ]
    seen = case.seen_before(call) if ids else ""
    return [(path, value) for path, value in ids if value not in seen]


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    match value:
        case Mapping():
            for key, each in value.items():
                yield from _leaves(each, f"{path}.{key}" if path else str(key))
        case list():
            for each in value:
                yield from _leaves(each, path)
        case str():
            yield path, value


def _did_more(case: Case) -> Iterator[str]:
    """Yield the damage that is not a wanted change made to something else."""
    mistaken = {(point.app, point.table) for point in case.missed_changes}
    for each in case.trial["damage"]:
        is_wanted_row = "of the new row" in each["why"] or "of the right row" in each["why"]
        is_mistake = (each["app"], each["table"]) in mistaken or _is_elsewhere(case, each["app"])
        if is_wanted_row or not is_mistake:
            yield each["why"]


def _is_elsewhere(case: Case, app: str) -> bool:
    """Return whether changes of an app stand for one that was wanted in another app, where nothing was done."""
    wanted = {point.app for point in case.missed_changes}
    untouched = {each for each in wanted if each not in case.diff}
    written_to = {tool.partition(".")[0] for tool, _ in case.expected_writes}
    return bool(untouched) and app not in wanted | written_to


def _wrong_platform(case: Case) -> Iterator[str]:
    created: dict[str, dict[str, None]] = {}
    for each in case.trial["damage"]:
        if each["change"] == "create" and _is_elsewhere(case, each["app"]):
            created.setdefault(each["app"], {})[each["table"]] = None
    wanted = ", ".join(dict.fromkeys(point.app for point in case.missed_changes if point.app not in case.diff))
    for app, tables in created.items():
        yield f"{app} got rows ({', '.join(tables)}); asked for in {wanted}, where nothing changed"


def _wrong_person(case: Case) -> Iterator[str]:
    yield from (line for kind, line in other_targets(case) if kind == "person")


def _wrong_value(case: Case) -> Iterator[str]:
    """Yield what was done or answered with another value; where nothing was done, other rules say why."""
    changed = {(app, table) for app, tables in case.diff.items() for table in tables}
    places = {point.id: (point.app, point.table) for point in case.missed_changes}
    for point in case.missed:
        is_answer = point["kind"].endswith("search") and case.trial["answer"].strip()
        if (is_answer and "never looked up" not in point["why"]) or places.get(point["id"]) in changed:
            yield f"{point['id']}: {_short(point['why'])}"


def _wrong_target(case: Case) -> Iterator[str]:
    yield from (line for kind, line in other_targets(case) if kind == "object")


def _outdated_source(case: Case) -> Iterator[str]:
    """Yield former values that the agent wrote down."""
    written = case.written.casefold()
    for point in case.task.checkpoints:
        if any(each["id"] == point.id for each in case.missed):
            for text in dict.fromkeys(_stale_in(point.conditions)):
                if text.casefold() in written:
                    yield f"{point.id}: wrote {text!r}, which is no longer so"


def _stale_in(value: Any) -> Iterator[str]:
    match value:
        case Mapping():
            for key, each in value.items():
                yield from texts_in(each) if key == "stale" else _stale_in(each)
        case list() | tuple():
            for each in value:
                yield from _stale_in(each)


def _skipped_dependent_step(case: Case) -> Iterator[str]:
    """Yield steps that later ones depend on, which the agent left out although it went on to what depends on them."""
    steps = zip(case.task.oracle, case.steps, strict=True)
    flat = [pair for step, filled in steps for pair in zip(step, filled, strict=True)]
    made = {name_of(call) for call in case.calls if not call["refused"]}
    tried = {name_of(call) for call in case.calls}
    for call, (tool, _) in flat:
        if call.name is None or tool in made:
            continue
        for later, (later_tool, filled) in flat:
            if call.name not in references_in(later.arguments) or later_tool not in tried:
                continue
            values = [value for path, value in _leaves(filled) if _is_reference(later.arguments, path)]
            unseen = [value for value in values if value not in case.seen]
            if unseen:
                yield f"{later_tool} needs {unseen[0]!r} from {tool}, which was not called"
                break


def _is_reference(arguments: Any, path: str) -> bool:
    """Return whether the oracle takes the value at a path from an earlier result."""
    for key in path.split("."):
        if not isinstance(arguments, Mapping) or key not in arguments:
            return True
        arguments = arguments[key]
    return any(True for _ in references_in(arguments))


def _under_explored(case: Case) -> Iterator[str]:
    """Yield what the oracle reads and the agent never looked at, where it looked at little."""
    for point in case.missed:
        if "never looked up" in point["why"]:
            yield f"{point['id']}: {point['why']}"
    reads = [tool for step in case.steps for tool, _ in step if tool in case.reading]
    looked = [name_of(call) for call in case.calls if not call["refused"] and name_of(call) in case.reading]
    unread = [tool for tool in dict.fromkeys(reads) if tool not in looked]
    if not case.missed or not unread:
        return
    apps = {tool.partition(".")[0] for tool in looked}
    for tool in unread:
        if tool.partition(".")[0] not in apps:
            yield f"{tool.partition('.')[0]} was never read; the reference reads {tool.partition('.')[2]}"
    if len(looked) < len(reads):
        yield f"{len(looked)} reading calls, of {len(reads)} that the reference needs; without {', '.join(unread[:3])}"


def _stopped_early(case: Case) -> Iterator[str]:
    """Yield the end of a trial before a wanted change was tried."""
    if case.trial.get("ended") in ("rounds", "time", "calls") or case.trial["outcome"] == "over_limit":
        yield f"ended by its limit of {case.trial['ended'] if case.trial['ended'] != 'answered' else 'calls'}"
    if _claims_done(case):
        return
    for point in case.missed_changes:
        if point.table not in case.diff.get(point.app, {}) and not case.called(point.app, writing=True, refused=True):
            yield f"{point.id}: nothing in {point.app}.{point.table} was changed or tried"
    if not case.trial["answer"].strip() and any(point["kind"].endswith("search") for point in case.missed):
        yield "no answer was given"


def _claimed_not_done(case: Case) -> Iterator[str]:
    if not _claims_done(case):
        return
    for point in case.missed_changes:
        if point.table not in case.diff.get(point.app, {}):
            yield f"{point.id}: nothing in {point.app}.{point.table} changed; it said: {_short(case.trial['answer'])}"


def _claims_done(case: Case) -> bool:
    answer = case.trial["answer"]
    return bool(_DONE.search(answer)) and not _NOT_DONE.search(answer)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN_MAX else f"{flat[: _SHOWN_MAX - 1]}…"


WRONG_VALUE = "wrong value"
KINDS: Mapping[str, Callable[[Case], Iterator[str]]] = {
    "context exhausted": _context_exhausted,
    "fell to the format": _fell_to_the_format,
    "invented id": _invented_id,
    "skipped dependent step": _skipped_dependent_step,
    "under-explored": _under_explored,
    "outdated source": _outdated_source,
    "wrong platform": _wrong_platform,
    "wrong person": _wrong_person,
    "wrong target": _wrong_target,
    "did more than asked": _did_more,
    "claimed but not done": _claimed_not_done,
    "stopped early": _stopped_early,
}
