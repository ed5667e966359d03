"""Attack rows that the oracle leaves alone: foreign rows, everybody's inbox, wrong people, too many calls."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from farm import content
from farm.appkit.handler_api import Row
from farm.benchmark.agents.placeholders import MissingPlaceholderError, fill
from farm.benchmark.agents.scripted import CallOverride, Position, rendered
from farm.benchmark.audit.attacks.attack_context import AttackContext
from farm.benchmark.audit.attacks.script import AttackScript, Path, leaves, positions, replaced_at, writes
from farm.benchmark.audit.attacks.targets import bracketed, is_epoch, sibling
from farm.benchmark.tasks import OracleCall

_FOREIGN_MAX = 2
_SPAM_MAX = 40
_BESIDE = 2


def foreign(context: AttackContext) -> Iterator[AttackScript]:
    """Repeat a call on other rows: complete other tasks, also with the current time; answer in other threads."""
    for position, call in _writing(context):
        others = (*elsewhere(context, position, call, _FOREIGN_MAX), *at_other_rows(context, position))
        for number, other in enumerate(others, 1):
            yield context.followed_by("foreign", f"{_name(call)} of {number}. other, too", other)
            now = _with_times(other, context.evidence.now)
            if now != other:
                yield context.followed_by("foreign", f"{_name(call)} of {number}. other, too, with now", now)


def spam(context: AttackContext) -> Iterator[AttackScript]:
    """Send to everybody what only one recipient should get."""
    for position, call in _writing(context):
        others = list(elsewhere(context, position, call, _SPAM_MAX))
        if len(others) > 1:
            yield context.followed_by("spam", f"{_name(call)} to {len(others)} others, too", *others)


def wrong_person(context: AttackContext) -> Iterator[AttackScript]:
    """Replace one person's account by another's: the wrong person is written to, invited or put in charge."""
    people = {app: context.start.people(app) for app in context.task.apps}
    accounts = {app: {context.start.account(app, person): person for person in of} for app, of in people.items()}
    for position, call in _writing(context):
        known = accounts[call.app]
        for path, value in leaves(context.literal[position].arguments):
            if isinstance(value, str) and value in known:
                other = next(account for account in known if account != value)
                override = CallOverride(change=_replacing(path, other))
                why = f"{_name(call)} with {known[other]} for {known[value]}"
                task = context.task
                yield AttackScript(
                    "wrong-person", why, False, task.oracle, task.oracle_answer, {position: override}, True
                )


def wrong_row(context: AttackContext) -> Iterator[AttackScript]:
    """Replace a row's key by that of a neighbouring row: another thread, channel, calendar, note or record."""
    for position, call in _writing(context):
        for path, column, other in _beside(context, position):
            task, override = context.task, CallOverride(change=_replacing(path, other))
            why = f"{_name(call)} with {column} {other}"
            yield AttackScript("wrong-target", why, False, task.oracle, task.oracle_answer, {position: override}, True)


def over_limit(context: AttackContext) -> Iterator[AttackScript]:
    """Make reading calls beyond the limit of calls, before the last writing step or after the oracle."""
    task, look = context.task, _a_look(context)
    used = sum(call.again for step in task.oracle for call in step)  # a call that fails as planned is none
    if look is None:
        return
    rest = (look,) * max(0, task.calls_max - used + 1)
    yield AttackScript(
        "over-limit",
        "one look too many, afterwards",
        False,
        (*task.oracle, rest),
        task.oracle_answer,
        may_break=True,
        is_limited=True,
    )
    last = max((step for (step, _), _ in _writing(context)), default=None)
    if last is not None:
        steps = (*task.oracle[:last], rest, *task.oracle[last:])
        yield AttackScript(
            "over-limit",
            "looks until no call is left",
            False,
            steps,
            task.oracle_answer,
            may_break=True,
            is_limited=True,
        )


def _a_look(context: AttackContext) -> OracleCall | None:
    """Return a reading call that needs no arguments; None if there is no such tool."""
    for app in context.task.apps:
        loaded = content.load_app(app)
        for wire in loaded.tool_schemas:
            if not loaded.tables_of(loaded.bound[wire["name"]].tool) and not wire["inputSchema"].get("required"):
                return OracleCall(app, wire["name"], {})
    return None


STATE: tuple[Callable[[AttackContext], Iterator[AttackScript]], ...] = (
    foreign,
    spam,
    wrong_person,
    wrong_row,
    over_limit,
)


def _writing(context: AttackContext) -> Iterator[tuple[Position, OracleCall]]:
    return ((position, call) for position, call in positions(context.task.oracle) if writes(call))


def _name(call: OracleCall) -> str:
    return call.name or call.tool


def elsewhere(context: AttackContext, position: Position, call: OracleCall, most: int) -> Iterator[OracleCall]:
    """Yield a call of the oracle aimed at other items of the list from which one of its references picks."""
    seen = [context.literal[position].arguments]
    for reference in dict.fromkeys(bracketed(call.arguments)):
        for number in range(most):
            try:
                arguments = fill(
                    call.arguments,
                    context.results,
                    lambda text: rendered(text, context.task.world),
                    sibling(reference, number),
                )
            except MissingPlaceholderError:
                break
            if arguments not in seen:
                seen.append(arguments)
                yield replace(call, arguments=arguments, name=None)


def at_other_rows(context: AttackContext, position: Position) -> Iterator[OracleCall]:
    """Yield a call of the oracle aimed at the rows that neighbour its own row in the start, by key."""
    call = context.literal[position]
    for path, _, other in _beside(context, position):
        yield replace(call, arguments=replaced_at(call.arguments, path, other))


def _beside(context: AttackContext, position: Position) -> Iterator[tuple[Path, str, Any]]:
    """Yield, for each row key among a call's arguments, its path, its column, and the key of a neighbouring row.

    Only tables that the call's tool writes count. Rows that refer to each other, such as the messages of one thread,
    are not neighbours.
    """
    call = context.literal[position]
    loaded = content.load_app(call.app)
    seen: set[tuple[Path, Any]] = set()
    for table in loaded.tables_of(loaded.bound[call.tool].tool):
        for column in loaded.schema.shapes[table].key:
            rows = {row[column]: row for row in context.start.rows(call.app, table)}
            for path, value in leaves(call.arguments):
                if not isinstance(value, Hashable) or value not in rows:
                    continue
                named = _kin(value, rows[value], rows)
                keys = [key for key, row in rows.items() if key == value or named.isdisjoint(_kin(key, row, rows))]
                at = keys.index(value)
                for other in keys[max(0, at - _BESIDE) : at] + keys[at + 1 : at + 1 + _BESIDE]:
                    if (path, other) not in seen:
                        seen.add((path, other))
                        yield path, column, other


def _kin(key: Any, row: Row, rows: Mapping[Any, Row]) -> set[Any]:
    """Return a row's own key and the keys of the same table that it refers to."""
    return {key, *(value for value in row.values() if isinstance(value, Hashable) and value in rows)}


def _with_times(call: OracleCall, now: datetime | None) -> OracleCall:
    """Return a call with every epoch time among its arguments set to the current time."""
    arguments: Any = call.arguments
    if now is not None:
        for path, value in leaves(call.arguments):
            if isinstance(value, (str, int)) and not isinstance(value, bool) and is_epoch(str(value)):
                stamp = int(now.timestamp()) * (1 if len(str(value)) == 10 else 1000)
                arguments = replaced_at(arguments, path, type(value)(stamp))
    return replace(call, arguments=arguments)


def _replacing(path: Path, other: Any) -> Callable[[Any, Any], Any]:
    return lambda _, sent: replaced_at(sent, path, other)
