"""Makes other scripts from a task's oracle: ones that must fail, and ones that are as right as the oracle itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any

import orjson

from farm import content
from farm.agents.references import Choose, Missing, select
from farm.agents.scripted import Position, Twist
from farm.score.call_metrics import BODY_TEXTS
from farm.score.initial_state import load_start
from farm.score.people import addresses
from farm.task import REFERENCE, OracleCall, Search, Steps, Task, Variant

_SIBLINGS_MAX = 2
_DAY_S = 86_400
_NUMBER = re.compile(r"\d+")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


@dataclass(frozen=True)
class Script:
    """A way through a task.

    Attributes:
        kind: which rule made it, such as ``dropped``.
        why: what is different, one phrase.
        is_right: whether it deserves full marks.
    """

    kind: str
    why: str
    is_right: bool
    steps: Steps
    answer: str
    twists: Mapping[Position, Twist] = field(default_factory=dict)
    # A derived script that cannot be played is left out; one that a person wrote must work.
    may_break: bool = False


def writes(call: OracleCall) -> bool:
    """Whether a call is of a tool that changes rows."""
    tool = content.load_app(call.app).bound[call.tool].tool
    return bool(tool.writes)


def positions(steps: Steps) -> Iterator[tuple[Position, OracleCall]]:
    """Yield every call of a script with its position."""
    for number, step in enumerate(steps):
        for index, call in enumerate(step):
            yield (number, index), call


def wrong_ways(task: Task) -> Iterator[Script]:
    """Yield scripts that must not earn full marks."""
    writing = [position for position, call in positions(task.oracle) if writes(call)]
    answer = task.oracle_answer
    yield Script("null", "does nothing", False, (), "")
    reads_only = {position: Twist(is_dropped=True) for position in writing}
    yield Script("read-only", "only reads", False, task.oracle, answer if writing else "", reads_only)
    for position, call in positions(task.oracle):
        if position in writing:
            why = f"without {call.name or call.tool}"
            yield Script("dropped", why, False, task.oracle, answer, {position: Twist(is_dropped=True)})
    yield from _wrong_targets(task)
    if any(isinstance(point, Search) for point in task.checkpoints):
        yield Script("wrong-answer", "no answer", False, task.oracle, "")
        yield Script("wrong-answer", "gives up", False, task.oracle, "Sorry, I could not find that.")
        if _NUMBER.search(answer):
            numbers = _NUMBER.sub(lambda found: str(int(found[0]) + 1), answer)
            yield Script("wrong-answer", "every number is one more", False, task.oracle, numbers)
        yield Script("guessed", "the right answer without looking anything up", False, (), answer)
    for each in task.near_misses:
        yield _by_hand(task, each, "near-miss", False)


def right_ways(task: Task) -> Iterator[Script]:
    """Yield scripts that are as right as the oracle."""
    answer = task.oracle_answer
    if any(len(step) > 1 for step in task.oracle):
        steps = tuple(tuple(reversed(step)) for step in task.oracle)
        yield Script("other-order", "the calls of each step the other way round", True, steps, answer)
    extra = tuple(_harmless_reads(task))
    if extra:
        yield Script("extra-reads", "reads more than it needs", True, (extra, *task.oracle), answer)
    refused = tuple(_refused_calls(task))
    yield Script("mistake-first", "is refused before it gets it right", True, (refused, *task.oracle), answer)
    if not task.exact_texts:
        texts = {position: Twist(change=_reword) for position, call in positions(task.oracle) if writes(call)}
        if texts and any(BODY_TEXTS & set(_keys(call.arguments)) for _, call in positions(task.oracle) if writes(call)):
            yield Script("reworded", "other words around what is written", True, task.oracle, answer, texts)
    if answer:
        chatty = f"Sure, here is what I found. **{answer}** Let me know if there is anything else!"
        yield Script("reworded", "a chattier answer", True, task.oracle, chatty)
    for each in task.variants:
        yield _by_hand(task, each, "variant", True)


def _by_hand(task: Task, variant: Variant, kind: str, is_right: bool) -> Script:
    dropped = {
        position: Twist(is_dropped=True) for position, call in positions(task.oracle) if call.name in variant.drop
    }
    changed = tuple(tuple(_changed(call, variant) for call in step) for step in task.oracle)
    answer = task.oracle_answer if variant.answer is None else variant.answer
    return Script(kind, variant.why, is_right, variant.steps or changed, answer, dropped)


def _changed(call: OracleCall, variant: Variant) -> OracleCall:
    over = variant.change.get(call.name) if call.name else None
    return call if over is None else replace(call, arguments=_laid_over(call.arguments, over))


def _laid_over(written: Any, over: Any) -> Any:
    """Return arguments with others laid over them, entry by entry; references are followed when they are sent."""
    if isinstance(written, Mapping) and isinstance(over, Mapping):
        return {**written, **{key: _laid_over(written.get(key), value) for key, value in over.items()}}
    return over


# -- wrong targets ---------------------------------------------------------------------------------------------------


def _wrong_targets(task: Task) -> Iterator[Script]:
    """Yield the oracle with one writing call aimed at another row, another day, or another person."""
    for position, call in positions(task.oracle):
        name = call.name or call.tool
        if writes(call):
            for reference in dict.fromkeys(_bracketed(call.arguments)):
                for number in range(_SIBLINGS_MAX):
                    twist = Twist(_sibling(reference, number))
                    why = f"{name} with item {number + 1} beside {reference}"
                    yield Script("wrong-target", why, False, task.oracle, task.oracle_answer, {position: twist}, True)
            twist = Twist(change=_another_day)
            yield Script(
                "wrong-day", f"{name} a day later", False, task.oracle, task.oracle_answer, {position: twist}, True
            )
        if _MAIL.search(orjson.dumps(call.arguments).decode()):
            twist = Twist(change=_another_person(task.world, call.app))
            yield Script(
                "wrong-person",
                f"{name} of somebody else",
                False,
                task.oracle,
                task.oracle_answer,
                {position: twist},
                True,
            )


def _bracketed(value: Any) -> Iterator[str]:
    """Yield every reference that picks an item out of a list."""
    match value:
        case str():
            yield from (found[0] for found in REFERENCE.finditer(value) if re.search(r"\[[^\]*]+\]", found[2]))
        case Mapping():
            for each in value.values():
                yield from _bracketed(each)
        case list():
            for each in value:
                yield from _bracketed(each)


def _sibling(reference: str, number: int) -> Choose:
    """Return a choice that takes another item of the list for one reference, and the right one for all others."""

    def choose(items: list[Any], wish: str, shown: str) -> Any:
        right = select(items, wish, shown)
        if shown != reference:
            return right
        others = [item for item in items if item is not right and item != right]
        if number >= len(others):
            raise Missing(f"{shown}: nothing beside it")
        return others[number]

    return choose


def _another_day(written: Any, sent: Any) -> Any:
    """Return arguments with every time a day later; times that come from earlier results stay."""
    moved = _moved(written, sent)
    if moved == sent:
        raise Missing("no time among the arguments")
    return moved


def _moved(written: Any, sent: Any) -> Any:
    match sent:
        case Mapping():
            return {key: _moved(written.get(key) if isinstance(written, Mapping) else None, sent[key]) for key in sent}
        case list():
            pairs = zip(written, sent, strict=True) if isinstance(written, list) else ((None, each) for each in sent)
            return [_moved(before, after) for before, after in pairs]
        case bool():
            return sent
        case int() if _is_epoch(str(sent)):
            return sent + (_DAY_S if sent < 10**11 else _DAY_S * 1000)
        case str() if isinstance(written, str) and not REFERENCE.fullmatch(written):
            return _moved_text(sent)
        case _:
            return sent


def _is_epoch(text: str) -> bool:
    return re.fullmatch(r"1[5-9]\d{8}(\d{3})?", text) is not None


def _moved_text(text: str) -> str:
    if _is_epoch(text):
        return str(int(text) + (_DAY_S if len(text) == 10 else _DAY_S * 1000))
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            return (date.fromisoformat(text) + timedelta(days=1)).isoformat()
        if re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d", text):
            return (datetime.fromisoformat(text) + timedelta(days=1)).isoformat()
    except ValueError:
        pass
    return text


def _another_person(world: str, app: str) -> Any:
    """Return a change that names, by mail, other people who have an account in the app."""
    start = load_start(world)
    mails = [addresses(start.world.people[key]) for key in start.people(app)]
    known = {mail for each in mails for mail in each}

    def change(_: Any, sent: Any) -> Any:
        text = orjson.dumps(sent).decode()
        named = set(_MAIL.findall(text))
        spare = iter(each[0] for each in mails if each and not named & {*each})
        return orjson.loads(_MAIL.sub(lambda found: next(spare) if found[0] in known else found[0], text))

    return change


# -- right variants --------------------------------------------------------------------------------------------------


def _harmless_reads(task: Task) -> Iterator[OracleCall]:
    """Yield a call of every reading tool that needs no arguments."""
    for app in task.apps:
        loaded = content.load_app(app)
        for wire in loaded.contract:
            tool = loaded.bound[wire["name"]].tool
            if not tool.writes and not wire["inputSchema"].get("required"):
                yield OracleCall(app, tool.name, {})


def _refused_calls(task: Task) -> Iterator[OracleCall]:
    """Yield the first writing (else first) tool of the script with no arguments at all: every such call is refused."""
    calls = [call for _, call in positions(task.oracle)]
    for call in [each for each in calls if writes(each)][:1] or calls[:1]:
        required = next(
            wire["inputSchema"].get("required")
            for wire in content.load_app(call.app).contract
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
    """Return arguments with other words around every text that is the writer's own."""
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
