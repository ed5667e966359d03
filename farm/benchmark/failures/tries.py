"""Which calls of a trial tried which of its missed changes, and what the other calls changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from farm import content
from farm.appkit.schema import TimeForm
from farm.benchmark.failures.case import Case, leaves_of, name_of, pairs_in, tables_of, targets_in, texts_in
from farm.benchmark.scoring.app_schemas import schema_of
from farm.benchmark.scoring.call_metrics import FREE_TEXTS
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.evidence import OPS
from farm.benchmark.scoring.initial_state import form_of, held
from farm.benchmark.scoring.resolve import UnresolvedDependencyError
from farm.benchmark.scoring.value_check import check
from farm.benchmark.tasks import Operate
from farm.benchmark.tasks.text_rules import TEXT_KEYS
from farm.context.operators import parsed_json
from farm.context.trace import Call, failed_as_planned

# How close a call is to a change that made another kind of object of the same app.
_LIKE = 0.1

Damage = Mapping[str, Any]


@dataclass(frozen=True)
class Item:
    """A missed change, with the calls that tried it.

    Attributes:
        made: the calls that changed rows, or were accepted and changed none.
        refused: the refused calls of tools that could have made it; of the like in another app, if there are no others.
        elsewhere: the call that did the like in another app, if none tried it in its own.
    """

    point: Operate
    made: tuple[Call, ...] = ()
    refused: tuple[Call, ...] = ()
    elsewhere: tuple[Call, ...] = ()


@dataclass(frozen=True)
class Tries:
    """The missed changes of a trial, and the changes that tried none of them.

    Attributes:
        surplus: the damage by calls that are no try of a missed change.
    """

    items: Sequence[Item]
    surplus: Sequence[Damage]


def tries_of(case: Case) -> Tries:
    """Pair each missed change with the calls that come closest to it, each call with one change of a table."""
    points = [point for point in case.missed_changes if not _follows(case, point)]
    wanted = {point.id: wanted_call(case, point) for point in points}
    # The first checkpoint about the same rows, or made by the same call, for each checkpoint.
    about = {
        point.id: next(
            each.id
            for each in points
            if _is_about_rows_of(point, each)
            or (wanted[point.id] is not None and wanted[point.id] is wanted[each.id] and point.table == each.table)
        )
        for point in points
    }
    made, taken = _made(case, points, about)
    refused_by = _refused_of(case, points, about)
    in_place = {call["n"] for calls in refused_by.values() for call in calls}
    items = []
    for point in points:
        refused = refused_by[point.id]
        elsewhere: tuple[Call, ...] = ()
        if not made[point.id] and not refused and (point.change == "create" or _has_text(point)):
            rows = {about[point.id]}
            others = [call for call in case.calls if taken.get(call["n"], rows) == rows and call["n"] not in in_place]
            like = [call for call in others if _is_elsewhere(case, point, call)]
            elsewhere = tuple(call for call in like if not call["refused"])[:1]
            refused = () if elsewhere else tuple(like)
            taken |= {call["n"]: rows for call in elsewhere}
        items.append(Item(point, tuple(made[point.id]), refused, elsewhere))
    items = [_with_siblings(case, item, items) for item in items]
    tried = {(call["app"], call["call"]) for call in case.calls if call["n"] in taken}
    surplus = [each for each in case.trial["damage"] if (each["app"], each.get("call")) not in tried or _is_more(each)]
    return Tries(items, surplus)


def _with_siblings(case: Case, item: Item, items: Sequence[Item]) -> Item:
    """Return a missed change that no call tried with the calls that tried what the same call was to change."""
    if item.made or item.refused or item.elsewhere or (wanted := wanted_call(case, item.point)) is None:
        return item
    for each in items:
        if (
            each is not item
            and wanted_call(case, each.point) is wanted
            and (each.made or each.refused or each.elsewhere)
        ):
            return replace(each, point=item.point)
    others = [each for each in case.task.checkpoints if isinstance(each, Operate) and each.app == item.point.app]
    own = {
        change.get("call")
        for each in others
        if each is not item.point and wanted_call(case, each) is wanted
        for change in case.verdicts[each.id].changes
    }
    return replace(
        item, made=tuple(call for call in case.calls if call["app"] == item.point.app and call["call"] in own)
    )


def _made(
    case: Case, points: Sequence[Operate], about: Mapping[str, str]
) -> tuple[dict[str, list[Call]], dict[int, set[str]]]:
    """Return the accepted calls that tried each change, and number of a call → the first checkpoints that it tried.

    A call that changed several tables tries one change in each.
    """
    free = [call for call in case.calls if _damaged(case, call) or _did_nothing(case, call)]
    made: dict[str, list[Call]] = {}
    for point in points:
        own = {
            change.get("call") for change in case.verdicts[point.id].changes if not _is_of_another(case, point, change)
        }
        made[point.id] = [call for call in case.calls if call["app"] == point.app and call["call"] in own]
    by_table = {(call["n"], point.table): about[point.id] for point in points for call in made[point.id]}
    pairs = [
        (_closeness(case, point, call), -call["n"], point, call)
        for point in points
        for call in free
        if call["app"] == point.app
    ]
    for closeness, _, point, call in sorted(pairs, key=lambda each: (each[0], each[1], each[2].id), reverse=True):
        place = (call["n"], point.table)
        if closeness <= 0 or call in made[point.id] or by_table.get(place, about[point.id]) != about[point.id]:
            continue
        if closeness == _LIKE and any(number == call["n"] for number, _ in by_table):
            continue
        is_again = _has_text(point) and any(_is_same_elsewhere(call, each) for each in made[point.id])
        if len(made[point.id]) < calls_for(case, point) or is_again:
            made[point.id].append(call)
            if not _did_nothing(case, call):
                by_table[place] = about[point.id]
    taken: dict[int, set[str]] = {}
    for (number, _), rows in by_table.items():
        taken.setdefault(number, set()).add(rows)
    return made, taken


def _is_same_elsewhere(call: Call, other: Call) -> bool:
    """Return whether a call says the same as another one in another place: both tried the same change."""
    texts = _texts_of(call)
    return bool(texts) and texts == _texts_of(other) and targets_in(call["arguments"]) != targets_in(other["arguments"])


def _follows(case: Case, point: Operate) -> bool:
    """Return whether a change is to be made in a row that another missed change did not make."""
    refers = [str(each.get("checkpoint")) for each in point.where.values() if isinstance(each, Mapping)]
    return any(name in case.verdicts and not case.verdicts[name].matched for name in refers)


def _is_about_rows_of(point: Operate, other: Operate) -> bool:
    """Return whether a checkpoint is about the rows of another one, which may tell fewer of their values."""
    kinds = [(each.app, each.table, each.change) for each in (point, other)]
    return kinds[0] == kinds[1] and (
        point.where.items() <= other.where.items() or other.where.items() <= point.where.items()
    )


def _damaged(case: Case, call: Call) -> list[Damage]:
    """Return the changes of a call that nobody asked for, without further columns of rows that were asked for."""
    place = (call["app"], call["call"])
    return [each for each in case.trial["damage"] if (each["app"], each.get("call")) == place and not _is_more(each)]


def changed_nothing(case: Case, call: Call) -> bool:
    """Return whether an accepted call that writes changed no row."""
    changes = [change for rows in case.diff.get(call["app"], {}).values() for change in rows]
    return (
        not call["refused"]
        and name_of(call) not in case.reading
        and all(change.get("call") != call["call"] for change in changes)
    )


def _did_nothing(case: Case, call: Call) -> bool:
    """Return whether an accepted call that writes made nothing that was asked for, and no damage."""
    if call["refused"] or name_of(call) in case.reading or _damaged(case, call):
        return False
    asked = (each for each in case.task.checkpoints if isinstance(each, Operate) and each.app == call["app"])
    return not any(change.get("call") == call["call"] for each in asked for change in case.verdicts[each.id].changes)


def _is_of_another(case: Case, point: Operate, change: Mapping[str, Any]) -> bool:
    """Return whether a row that comes closest to a missed change is the one that another call was to make, and made."""
    met = {each["id"] for each in case.trial["checkpoints"] if each["score"] == 1}
    others = [each for each in case.task.checkpoints if isinstance(each, Operate) and each.id in met]
    own = wanted_call(case, point)
    for other in others:
        if other.app == point.app and other.table == point.table and change in case.verdicts[other.id].changes:
            wanted = wanted_call(case, other)
            if own is not None and wanted is not None and wanted is not own:
                return True
    return False


def _is_more(damage: Damage) -> bool:
    """Return whether a damage is a further change of a row that was asked for."""
    return "of the new row" in damage["why"] or "of the right row" in damage["why"]


def _closeness(case: Case, point: Operate, call: Call) -> float:
    """Return how many of a missed change's values a call's rows have; 0 if it made no change of that kind."""
    damage = _damaged(case, call)
    if not damage:
        is_of_oracle = any(tool == name_of(call) and point.table in tables_of(tool) for tool, _ in case.expected_writes)
        return 0.5 if is_of_oracle and _did_nothing(case, call) else 0.0
    keys = [each["key"] for each in damage if each["table"] == point.table]
    changes = case.diff.get(call["app"], {}).get(point.table, ())
    best = 0.0
    for row in (each for each in changes if each.get("call") == call["call"] and each["key"] in keys):
        found = [
            key
            for key, wanted in _wishes(point)
            if _has(case, point, key, wanted, row["old" if point.change == "delete" else "new"] or {})
        ]
        # A row is made in place of the one that was to be changed, or of another that was to be made: it says the same.
        is_new = row["op"] == OPS["create"] and _has_text(point)
        tells = [key for key in found if _tells(case, point, key) and (key in point.after or point.change == "create")]
        needs = tells or not (is_new or _has_text(point))
        if (row["op"] == OPS[point.change] or is_new) and needs:
            best = max(best, 1.0 + len(found))
    if not best and _notifies(point.app, point.table):
        # Another kind of object of the same app: a comment in place of a reply.
        is_like = any(each["change"] == point.change and _notifies(point.app, each["table"]) for each in damage)
        return _LIKE if is_like and not keys else 0.0
    return best


def _wishes(point: Operate) -> list[tuple[str, Any]]:
    return [*point.where.items(), *point.after.items()]


def _has_text(point: Operate) -> bool:
    """Return whether a change is to say something."""
    return any(_is_text(each) for each in point.after.values())


def _is_text(wanted: Any) -> bool:
    return isinstance(wanted, Mapping) and not (TEXT_KEYS | {"contains", "contains_all"}).isdisjoint(wanted)


def _says(wanted: Any, text: Any, clock: ClockContext, form: TimeForm | None = None) -> bool:
    """Return whether a text says at least one of the things that it is to say."""
    return any(each.ok and not each.is_ban for each in check(wanted, text, clock, form))


def _has(case: Case, point: Operate, key: str, wanted: Any, row: Mapping[str, Any]) -> bool:
    """Return whether a row has a value as wanted; of a text, at least one thing that it is to say."""
    with suppress(UnresolvedDependencyError):
        # A reference inside a key, such as a field's id, is resolved, too.
        ((key, asked),) = case.values.resolve({key: wanted}, point.app).items()
        clock = case.values.clock_context
        value = held(point.app, point.table, row, key)
        form = form_of(point.app, point.table, key)
        if _is_text(asked):
            return _says(asked, value, clock, form)
        return all(each.ok for each in check(asked, value, clock, form))
    return False


def _tells(case: Case, point: Operate, key: str) -> bool:
    """Return whether a value tells one change from another: not who made it, nor what it has not."""
    (wanted,) = case.values.resolve({key: {**point.where, **point.after}[key]}, point.app).values()
    is_empty = wanted in (None, "") or (isinstance(wanted, Mapping) and wanted.keys() == {"null"})
    me = case.task.me or case.start.world.protagonist
    return not is_empty and wanted != case.start.accounts(point.app).get(me)


def _notifies(app: str, table: str) -> bool:
    return content.has_app(app) and table in schema_of(app).notifies


def _refused_of(case: Case, points: Sequence[Operate], about: Mapping[str, str]) -> dict[str, tuple[Call, ...]]:
    """Return the refused calls that tried each change: each call the one that it is closest to."""
    found: dict[str, list[Call]] = {point.id: [] for point in points}
    for call in case.calls:
        could = [point for point in points if _could_make(case, point, call)]
        if not could:
            continue
        # Without anything that tells them apart, one that no call has tried yet.
        best = max(could, key=lambda point: (_likeness(case, point, call["arguments"]), not found[point.id]))
        for point in could:
            if about[point.id] == about[best.id]:
                found[point.id].append(call)
    return {name: tuple(calls) for name, calls in found.items()}


def _could_make(case: Case, point: Operate, call: Call) -> bool:
    """Return whether a refused call is of a tool that the oracle uses for a change, or that changes its table."""
    if not call["refused"] or failed_as_planned(call) or call["app"] != point.app:
        return False
    could = {tool for tool, _ in case.expected_writes if point.table in tables_of(tool)}
    made = {name_of(each) for each in case.calls if not each["refused"]}
    return (
        point.table in tables_of(name_of(call))
        and (name_of(call) in could or not could & made)
        and not _is_repeated(case, call)
    )


def _likeness(case: Case, point: Operate, arguments: Any) -> int:
    """Return how many of a change's wanted values the arguments of a call have."""
    given = set(texts_in(arguments)) | set(texts_in([parsed_json(each) for each in texts_in(arguments)]))
    asked: list[Any] = []
    for key, wanted in _wishes(point):
        with suppress(UnresolvedDependencyError):
            asked += () if _is_text(wanted) else texts_in(case.values.resolve({key: wanted}, point.app))
    return len(given & set(asked)) + 2 * _has_content(case, point, arguments)


def wanted_call(case: Case, point: Operate) -> Mapping[str, Any] | None:
    """Return the arguments of the oracle's call that makes a change; None if several are as like."""
    calls = [
        given
        for tool, given in case.expected_writes
        if tool.partition(".")[0] == point.app and point.table in tables_of(tool)
    ]
    likeness = [_likeness(case, point, given) for given in calls]
    best = [given for given, like in zip(calls, likeness, strict=True) if like == max(likeness)]
    return best[0] if len(best) == 1 else None


def calls_for(case: Case, point: Operate) -> int:
    """Return how many calls a change takes: several rows may be made by one."""
    calls = [
        tool for tool, _ in case.expected_writes if tool.startswith(f"{point.app}.") and point.table in tables_of(tool)
    ]
    return min(point.count, max(len(calls), 1))


def _is_repeated(case: Case, refused: Call) -> bool:
    """Return whether a later call of the same tool, with the same text if it has one, was accepted.

    One that made another wanted change, at least as near to what was refused, is no repetition.
    """
    texts, name = _texts_of(refused), name_of(refused)
    later = [call for call in case.calls if call["n"] > refused["n"] and name_of(call) == name and not call["refused"]]
    made = [targets_in(call["arguments"]) for call in case.calls if name_of(call) == name and not call["refused"]]
    wanted = [given for tool, given in case.expected_writes if tool == name]
    still_open = [_shared(given, refused) for given in wanted if targets_in(given) not in made]
    for call in later:
        own = [_shared(given, refused) for given in wanted if targets_in(given) == targets_in(call["arguments"])]
        is_another = bool(refused["arguments"] and own and still_open) and max(still_open) >= max(own)
        if not is_another and (not texts or texts & _texts_of(call)):
            return True
    return False


def _shared(given: Mapping[str, Any], call: Call) -> int:
    return len(pairs_in(given) & pairs_in(call["arguments"]))


def _texts_of(call: Call) -> set[str]:
    """Return the texts that an agent worded itself in a call."""
    return {str(value) for path, value in leaves_of(call["arguments"]) if path.rpartition(".")[2] in FREE_TEXTS}


def _is_elsewhere(case: Case, point: Operate, call: Call) -> bool:
    """Return whether a call of another app created what stands for a missed change, or was refused when it tried."""
    if call["app"] == point.app or name_of(call) in case.reading or failed_as_planned(call):
        return False
    created = [each["table"] for each in _damaged(case, call) if each["change"] == "create"]
    if _has_text(point):
        return (bool(created) or call["refused"]) and _has_content(case, point, call["arguments"])
    asked = {each.app for each in case.task.checkpoints if isinstance(each, Operate)}
    is_like = any(_notifies(call["app"], table) for table in created) and _notifies(point.app, point.table)
    return bool(created) and (is_like or call["app"] not in asked)


def _has_content(case: Case, point: Operate, arguments: Any) -> bool:
    """Return whether the arguments of a call say at least one of the things that a missed change is to say."""
    with suppress(UnresolvedDependencyError):
        wanted = case.values.resolve({key: each for key, each in point.after.items() if _is_text(each)}, point.app)
        sent = [text for value in texts_in(arguments) for text in texts_in(parsed_json(value))]
        clock = case.values.clock_context
        return any(_says(each, text, clock) for each in wanted.values() for text in sent)
    return False
