"""The closed world: what changed and no checkpoint or ``allow`` line accounts for, in every app.

Only what the app's schema declares automatic may move by itself, and only in a row that stays. A time that was set to
the moment of the change is a change like any other: ticking off a task is nothing but that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import orjson

from farm import content
from farm.score.evidence import CHANGES, Damage, Evidence, RowChange, RowName, Verdict, row_name
from farm.score.initial_state import fits
from farm.score.resolve import Values, Waiting
from farm.task import Allow, Operate


def find_damage(
    evidence: Evidence, accounted: Iterable[tuple[Operate, Verdict]], allow: Sequence[Allow], values: Values
) -> Iterator[Damage]:
    """Yield each changed row that nothing accounts for, and each right row of which more changed than the task says."""
    named: dict[RowName, set[str]] = {}
    for point, verdict in accounted:
        for change in verdict.changes:
            # What ``where`` names is how the row was found, not what may become of it.
            keys = (*point.after, *point.may_change)
            row = row_name(point.app, point.table, change)
            named.setdefault(row, set()).update(values.text(key) for key in keys)
    for app, tables in evidence.diff.items():
        if app not in content.app_names():
            continue
        for table, changes in tables.items():
            for change in changes:
                row = row_name(app, table, change)
                why = _why(app, table, change, named.get(row), allow, values)
                if why:
                    yield Damage(app, table, CHANGES[change["op"]], change["key"], change.get("call"), why)


def _why(
    app: str,
    table: str,
    change: RowChange,
    named: set[str] | None,
    allow: Sequence[Allow],
    values: Values,
) -> str | None:
    if change["op"] == "update":
        by_itself = _automatic(app).get(table, ())
        changed = [key for key in _changed(change) if key.partition(".")[0] not in by_itself]
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


@lru_cache(maxsize=128)
def _automatic(app: str) -> Mapping[str, Sequence[str]]:
    # Finding an app looks through folders, and there may be many rows.
    return content.load_app(app).schema.automatic


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
        if fits(change["new"] or change["old"], where, app, table, values.start.setting):
            return True
    return False
