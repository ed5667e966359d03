"""Make scripts from a task's file alone: with steps dropped or reordered, and the hand-written ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import orjson

from farm import content
from farm.benchmark.agents.scripted import CallOverride
from farm.benchmark.audit.attacks.script import AttackScript, positions, writes
from farm.benchmark.audit.attacks.targets import wrong_targets
from farm.benchmark.scoring.call_metrics import BODY_TEXTS
from farm.benchmark.tasks import OracleCall, Task, Variant

_NUMBER = re.compile(r"\d+")


def wrong_ways(task: Task) -> Iterator[AttackScript]:
    """Yield scripts that must score below 1.00."""
    writing = [position for position, call in positions(task.oracle) if writes(call)]
    answer = task.oracle_answer
    yield AttackScript("null", "does nothing", False, (), "")
    reads_only = {position: CallOverride(is_dropped=True) for position in writing}
    yield AttackScript("read-only", "only reads", False, task.oracle, answer if writing else "", reads_only)
    for position, call in positions(task.oracle):
        if position in writing:
            why = f"without {call.name or call.tool}"
            yield AttackScript("dropped", why, False, task.oracle, answer, {position: CallOverride(is_dropped=True)})
    yield from wrong_targets(task)
    if any(point.is_on_answer for point in task.checkpoints):
        yield AttackScript("wrong-answer", "no answer", False, task.oracle, "")
        yield AttackScript("wrong-answer", "gives up", False, task.oracle, "Sorry, I could not find that.")
        if _NUMBER.search(answer):
            numbers = _NUMBER.sub(lambda found: str(int(found[0]) + 1), answer)
            yield AttackScript("wrong-answer", "every number is one more", False, task.oracle, numbers)
        yield AttackScript("guessed", "the right answer without looking anything up", False, (), answer)
    for each in task.near_misses:
        yield _by_hand(task, each, "near-miss", False)


def right_ways(task: Task) -> Iterator[AttackScript]:
    """Yield scripts that are as right as the oracle."""
    answer = task.oracle_answer
    if any(len(step) > 1 for step in task.oracle):
        steps = tuple(tuple(reversed(step)) for step in task.oracle)
        yield AttackScript("other-order", "the calls of each step the other way round", True, steps, answer)
    # If a checkpoint judges the calls themselves, further calls are not equally right.
    failing = {calls for point in task.checkpoints for calls in point.fails_on}
    # As many reads as the task's limit of calls leaves.
    extra = tuple(_harmless_reads(task))[: max(task.calls_max - sum(map(len, task.oracle)), 0)]
    if extra and "reads" not in failing:
        yield AttackScript("extra-reads", "reads more than it needs", True, (extra, *task.oracle), answer)
    refused = tuple(_refused_calls(task))
    if "refused" not in failing:
        yield AttackScript("mistake-first", "is refused before it gets it right", True, (refused, *task.oracle), answer)
    if not task.exact_texts:
        texts = {position: CallOverride(change=_reword) for position, call in positions(task.oracle) if writes(call)}
        if texts and any(BODY_TEXTS & set(_keys(call.arguments)) for _, call in positions(task.oracle) if writes(call)):
            yield AttackScript("reworded", "other words around what is written", True, task.oracle, answer, texts)
    if answer:
        chatty = f"Sure, here is what I found. **{answer}** Let me know if there is anything else!"
        yield AttackScript("reworded", "a chattier answer", True, task.oracle, chatty)
    for each in task.variants:
        yield _by_hand(task, each, "variant", True)


def _by_hand(task: Task, variant: Variant, kind: str, is_right: bool) -> AttackScript:
    dropped = {
        position: CallOverride(is_dropped=True)
        for position, call in positions(task.oracle)
        if call.name in variant.drop
    }
    changed = tuple(tuple(_changed(call, variant) for call in step) for step in task.oracle)
    answer = task.oracle_answer if variant.answer is None else variant.answer
    return AttackScript(kind, variant.why, is_right, variant.steps or changed, answer, dropped)


def _changed(call: OracleCall, variant: Variant) -> OracleCall:
    over = variant.change.get(call.name) if call.name else None
    return call if over is None else replace(call, arguments=_laid_over(call.arguments, over))


def _laid_over(written: Any, over: Any) -> Any:
    """Return arguments merged with overriding ones, entry by entry; references are resolved when the call is sent."""
    if isinstance(written, Mapping) and isinstance(over, Mapping):
        return {**written, **{key: _laid_over(written.get(key), value) for key, value in over.items()}}
    return over


# -- right variants --------------------------------------------------------------------------------------------------


def _harmless_reads(task: Task) -> Iterator[OracleCall]:
    """Yield a call of every reading tool that needs no arguments."""
    for app in task.apps:
        loaded = content.load_app(app)
        for wire in loaded.tool_schemas:
            tool = loaded.bound[wire["name"]].tool
            if not loaded.tables_of(tool) and not wire["inputSchema"].get("required"):
                yield OracleCall(app, tool.name, {})


def _refused_calls(task: Task) -> Iterator[OracleCall]:
    """Yield a call that is refused: the script's first writing tool, or else its first, without required arguments.

    A tool without required arguments gets an unknown one.
    """
    calls = [call for _, call in positions(task.oracle)]
    for call in [each for each in calls if writes(each)][:1] or calls[:1]:
        required = next(
            wire["inputSchema"].get("required")
            for wire in content.load_app(call.app).tool_schemas
            if wire["name"] == call.tool
        )
        yield OracleCall(call.app, call.tool, {} if required else {"no_such_argument": True})


def _keys(value: Any) -> Iterator[str]:
    match value:
        case Mapping():
            for key, each in value.items():
                yield key
                yield from _keys(each)
        case list():
            for each in value:
                yield from _keys(each)


def _reword(_: Any, sent: Any, key: str = "") -> Any:
    """Return arguments with other words around every text that the writer composes."""
    match sent:
        case Mapping():
            return {name: _reword(None, each, name) for name, each in sent.items()}
        case list():
            return [_reword(None, each, key) for each in sent]
        case str() if key in BODY_TEXTS:
            if sent.startswith("{"):
                inner = orjson.loads(sent)
                return orjson.dumps(_reword(None, inner)).decode()
            return f"Hi! {sent} Thanks."
        case _:
            return sent
