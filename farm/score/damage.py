"""The closed world: what changed and no checkpoint or ``allow`` line accounts for, in every app."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import orjson

from farm import content
from farm.score.evidence import CHANGES, Damage, Evidence, RowChange, RowName, Verdict, row_name
from farm.score.initial_state import fits, form_of
from farm.score.operators import instant
from farm.score.resolve import Values, Waiting
from farm.task import Allow, Operate

# Every committed write moves a standing clock by a millisecond; no trial makes more writes than this is long.
_STAMP_SPAN = timedelta(minutes=10)


def find_damage(
    evidence: Evidence, accounted: Iterable[tuple[Operate, Verdict]], allow: Sequence[Allow], values: Values
) -> Iterator[Damage]:
    """Yield each changed row that nothing accounts for, and each right row of which more changed than the task says."""
    named: dict[RowName, set[str]] = {}
    for point, verdict in accounted:
        for change in verdict.changes:
            keys = (*point.where, *point.after, *point.may_change)
            row = row_name(point.app, point.table, change)
            named.setdefault(row, set()).update(values.text(key) for key in keys)
    for app, tables in evidence.diff.items():
        if app not in content.app_names():
            continue
        for table, changes in tables.items():
            for change in changes:
                row = row_name(app, table, change)
                why = _why(app, table, change, named.get(row), evidence.now, allow, values)
                if why:
                    yield Damage(app, table, CHANGES[change["op"]], change["key"], change.get("call"), why)


def _why(
    app: str,
    table: str,
    change: RowChange,
    named: set[str] | None,
    now: datetime | None,
    allow: Sequence[Allow],
    values: Values,
) -> str | None:
    if change["op"] == "update":
        changed = [key for key in _changed(change) if not _is_stamp(app, table, key, change["new"], now)]
        if named is not None:
            rest = [key for key in changed if not _is_named(key, named)]
            if not rest or _is_allowed(app, table, change, rest, allow, values):
                return None
            return f"{app}.{table}: {', '.join(rest)} of the right row changed too"
    else:
        changed = []
        if named is not None:
            return None
    if change["op"] == "update" and not changed:
        return None
    if _is_allowed(app, table, change, changed, allow, values):
        return None
    what = f" ({', '.join(changed)})" if changed else ""
    return f"{app}.{table}: a row was {CHANGES[change['op']]}d that nobody asked for{what}"


def _changed(change: RowChange) -> list[str]:
    """Return the changed columns; a JSON object's changed entries as ``column.entry``."""
    old, new = change["old"], change["new"]
    keys: list[str] = []
    for name in new:
        if old[name] == new[name]:
            continue
        before, after = _object(old[name]), _object(new[name])
        if before is None or after is None:
            keys.append(name)
        else:
            keys += [f"{name}.{each}" for each in {**before, **after} if before.get(each) != after.get(each)]
    return keys


def _object(value: Any) -> Mapping[str, Any] | None:
    if not isinstance(value, str) or not value.startswith("{"):
        return None
    try:
        parsed = orjson.loads(value)
    except orjson.JSONDecodeError:
        return None
    return parsed if isinstance(parsed, dict) else None


def _is_named(key: str, named: set[str]) -> bool:
    return any(key == each or key.startswith(f"{each}.") or each.startswith(f"{key}.") for each in named)


def _is_stamp(app: str, table: str, key: str, row: Mapping[str, Any], now: datetime | None) -> bool:
    """Whether a column is a time that was set to the moment of the change."""
    form = form_of(app, table, key)
    if form is None or now is None:
        return False
    at = instant(row[key], form)
    return isinstance(at, datetime) and abs(at - now) <= _STAMP_SPAN


def _is_allowed(
    app: str, table: str, change: RowChange, changed: list[str], allow: Sequence[Allow], values: Values
) -> bool:
    for each in allow:
        if (each.app, each.table) != (app, table) or CHANGES[change["op"]] not in each.changes:
            continue
        if each.columns and change["op"] == "update" and not all(_is_named(key, set(each.columns)) for key in changed):
            continue
        try:
            where = values.resolve(each.where, app)
        except Waiting:
            continue
        if fits(change["new"] or change["old"], where, app, table, values.setting):
            return True
    return False
