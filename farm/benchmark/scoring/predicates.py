"""``other`` checkpoints and lookups of facts: predicates over the calls of a trial."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from farm import content
from farm._util.plurals import pluralize
from farm.benchmark.scoring.call_metrics import Leniency, expected_uses, is_finished
from farm.benchmark.scoring.evidence import CheckpointScore, CheckpointVerdict, Evidence
from farm.benchmark.scoring.initial_state import Start
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.value_check import check
from farm.benchmark.tasks import Other, Task
from farm.context.fault_rules import RETRY_AFTER, seconds_of
from farm.context.operators import texts_in
from farm.context.trace import Call, failed_as_planned
from farm.errors import FarmError

# A task's own predicate: (evidence, start) → whether it holds, or a score between 0 and 1, and one sentence.
Predicate = Callable[[Evidence, Start], tuple[bool | float, str]]


def is_such(call: Call, wanted: Mapping[str, Any], values: ValueResolver) -> bool:
    """Return whether a call matches a description: app, tools, arguments by dotted path, text in the result."""
    tools = wanted.get("tool", [call["tool"]])
    if wanted.get("app", call["app"]) != call["app"]:
        return False
    if call["tool"] not in ([tools] if isinstance(tools, str) else tools):
        return False
    for path, value in wanted.get("arguments", {}).items():
        found: Any = call["arguments"]
        for part in path.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        resolved = values.resolve(value, call["app"])
        if not all(each.ok for each in check(resolved, found, values.clock_context)):
            return False
    contains = wanted.get("contains")
    if contains is None:
        return True
    return not call["refused"] and _text(contains, values) in values.result_text(call)


def _read(wanted: Mapping[str, Any], calls: Sequence[Call], values: ValueResolver) -> Iterator[Call]:
    """Yield the calls that match a description, except those that only return the agent's own text."""
    contains, written = wanted.get("contains"), ""
    for call in sorted(calls, key=lambda call: call["n"]):
        if call["wrote"] and contains is not None:
            written += texts_in(call["arguments"]).casefold() + "\n"
        if is_such(call, wanted, values) and (contains is None or _text(contains, values) not in written):
            yield call


def _text(contains: Any, values: ValueResolver) -> str:
    return (values.text(contains) if isinstance(contains, str) else str(contains)).casefold()


def was_looked_up(wanted: Sequence[Mapping[str, Any]], evidence: Evidence, values: ValueResolver) -> bool:
    """Return whether a successful call matches one of the descriptions; true if there are no descriptions."""
    if not wanted:
        return True
    return any(not call["refused"] for each in wanted for call in _read(each, evidence.calls, values))


def judge(point: Other, task: Task, evidence: Evidence, values: ValueResolver) -> CheckpointVerdict:
    """Return the verdict on one ``other`` checkpoint."""
    if point.predicate == "oracle_calls":
        ok, why = _oracle_calls(task, evidence.calls)
        return CheckpointVerdict(CheckpointScore.sure(point.id, point.kind, float(ok), why))
    if point.predicate in _JUDGES:
        options = {**point.options, "faults": task.faults} if point.predicate == "backed_off" else point.options
        ok, why = _JUDGES[point.predicate](options, evidence.calls, values)
        return CheckpointVerdict(CheckpointScore.sure(point.id, point.kind, float(ok), why))
    predicate: Predicate = getattr(content.suite_module(task.suite, task.module_name), point.predicate)
    whose = f"task '{task.id}', checkpoint '{point.id}': {point.predicate}()"
    try:
        came: Any = predicate(evidence, values.start)
    except FarmError:
        raise
    except Exception as problem:
        # A task's own code may raise anything.
        last = traceback.extract_tb(problem.__traceback__)[-1]
        told = f"{type(problem).__name__}: {problem} ({last.filename}:{last.lineno})"
        raise FarmError(f"{whose} raised {told}") from problem
    if not (isinstance(came, tuple) and len(came) == 2 and came[0] in (0, 0.5, 1) and isinstance(came[1], str)):
        raise FarmError(f"{whose} must return whether it holds (or 0, 0.5, 1) and a sentence, not {came!r}")
    return CheckpointVerdict(CheckpointScore.sure(point.id, point.kind, float(came[0]), came[1]))


def _describe(wanted: Mapping[str, Any]) -> str:
    tool = wanted.get("tool", "any tool")
    return f"{wanted.get('app', 'any app')}.{tool if isinstance(tool, str) else '/'.join(tool)}"


def _called(options: Mapping[str, Any], calls: Sequence[Call], values: ValueResolver) -> tuple[bool, str]:
    calls = [call for call in calls if not failed_as_planned(call)]
    count = sum(is_such(call, options, values) for call in calls)
    read = sum(1 for _ in _read(options, calls, values))
    low, high = options.get("min", 1), options.get("max")
    wish = f"{low} or more" if high is None else f"{low} to {high}"
    ok = read >= low and (high is None or count <= high)
    return ok, f"expected {wish} calls of {_describe(options)}, found {count if read >= low else read}"


def _not_called(options: Mapping[str, Any], calls: Sequence[Call], values: ValueResolver) -> tuple[bool, str]:
    count = sum(is_such(call, options, values) for call in calls)
    return count == 0, f"expected no call of {_describe(options)}, found {count}"


def _order(options: Mapping[str, Any], calls: Sequence[Call], values: ValueResolver) -> tuple[bool, str]:
    done = [call for call in calls if not call["refused"] or call["wrote"]]  # a lost answer is of a done call
    first = [call["n"] for call in done if is_such(call, options["first"], values)]
    then = [call["n"] for call in done if is_such(call, options["then"], values)]
    ok = bool(first and then) and first[0] < then[0]
    found = f"calls {first[:1]} and {then[:1]}"
    return ok, f"expected {_describe(options['first'])} before {_describe(options['then'])}, found {found}"


def _calls_max(options: Mapping[str, Any], calls: Sequence[Call], values: ValueResolver) -> tuple[bool, str]:
    # An agent without any call does not satisfy a limit.
    count = sum(not failed_as_planned(call) for call in calls)
    return bool(calls) and count <= options["max"], (
        f"expected at most {pluralize(options['max'], 'call')}, found {count}"
    )


def _no_refusals(options: Mapping[str, Any], calls: Sequence[Call], values: ValueResolver) -> tuple[bool, str]:
    here = [call for call in calls if options.get("app", call["app"]) == call["app"]]
    count = sum(call["refused"] and "fault" not in call for call in here)
    return bool(here) and count == 0, f"expected calls, and none refused; found {len(here)}, {count} refused"


def _recovered(options: Mapping[str, Any], calls: Sequence[Call], values: ValueResolver) -> tuple[bool, str]:
    here = [call for call in calls if options.get("app", call["app"]) == call["app"] and "fault" in call]
    left = [call for call in here if failed_as_planned(call) and not _succeeding(call, calls)]
    doubled = [call for call in here if call["refused"] and call["wrote"] and _succeeding(call, calls)]
    found = [f"{pluralize(len(here), 'call')} failed as planned", f"{len(left)} never succeeded"]
    found += [f"{len(doubled)} made again although done"] if doubled else []
    return bool(here) and not left and not doubled, f"expected every failed call to be made good; {', '.join(found)}"


def _succeeding(failed: Call, calls: Sequence[Call]) -> list[Call]:
    """Return the same calls after one that failed, as far as they succeeded."""
    return [call for call in calls if call["n"] > failed["n"] and _is_same(call, failed) and not call["refused"]]


def _is_same(call: Call, other: Call) -> bool:
    return all(call[key] == other[key] for key in ("app", "tool", "arguments"))


def _backed_off(options: Mapping[str, Any], calls: Sequence[Call], values: ValueResolver) -> tuple[bool, str]:
    told_s = {
        each["id"]: seconds_of(each.get("retry_after", RETRY_AFTER)) for each in options["faults"] if "id" in each
    }
    here = [call for call in calls if options.get("app", call["app"]) == call["app"] and failed_as_planned(call)]
    hasty = 0
    for failed in here:
        wait_s = options.get("wait_s", told_s.get(failed.get("fault", ""), seconds_of(RETRY_AFTER)))
        again = next((call for call in calls if call["n"] > failed["n"] and _is_same(call, failed)), None)
        hasty += again is not None and _seconds_between(failed, again) < wait_s
    found = f"{pluralize(len(here), 'call')} failed as planned, {hasty} made again too soon"
    return bool(here) and not hasty, f"expected a wait before each retry; {found}"


def _oracle_calls(task: Task, calls: Sequence[Call]) -> tuple[bool, str]:
    kept, rule = [call for call in calls if not failed_as_planned(call)], Leniency.of_task(task)
    expected = [use for step in expected_uses(task) for use in step]
    made, answered = (
        [(f"{call['app']}.{call['tool']}", call["arguments"] or {}) for call in some]
        for some in (kept, [call for call in kept if not call["refused"]])
    )
    is_exact = is_finished(expected, made, skip=rule.skip, free=rule.free, nothing_else=True)
    is_done = is_finished(expected, answered, skip=rule.skip, free=rule.free)
    found = "not exactly these" if not is_exact else "one that was refused" if not is_done else "these"
    return is_exact and is_done, f"expected the oracle's {pluralize(len(expected), 'call')} and no other, found {found}"


def _seconds_between(one: Call, other: Call) -> float:
    return (datetime.fromisoformat(other["now"]) - datetime.fromisoformat(one["now"])).total_seconds()


# Each of farm.benchmark.tasks.value_syntax.PREDICATES.
_JUDGES = {
    "called": _called,
    "not_called": _not_called,
    "order": _order,
    "calls_max": _calls_max,
    "no_refusals": _no_refusals,
    "recovered": _recovered,
    "backed_off": _backed_off,
}
IMPLEMENTED = _JUDGES.keys() | {"oracle_calls"}
