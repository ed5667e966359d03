"""Whether the typed columns that a fact's ``rows`` names hold its value: times have no mark in which to tell it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from farm._util.names import list_names
from farm.appkit.handler_api import Row
from farm.appkit.world_spec.days import Days
from farm.appkit.world_spec.facts import Fact
from farm.world.generate import scheduled_rows_of
from farm.world.generators import schema
from farm.world.spec import Spec

_SECONDS = re.compile(r"(-?[0-9]{1,17})(?:\.[0-9]+)?")
_MS_MIN, _US_MIN = 10**11, 10**14  # a column's unit is seen from the size of its numbers
_DATED = ("moment", "day", "clock")


def not_in_rows(spec: Spec, made: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """Yield the columns that are not there or hold no such value, one line each.

    Args:
        spec: the specification.
        made: app → its generated rows.
    """
    for fact in spec.facts.values():
        for name in fact.rows:
            if problem := _problem(spec, made, fact, name):
                yield f"{fact.place}: 'rows': {problem}"


def _problem(spec: Spec, made: Mapping[str, Sequence[Row]], fact: Fact, name: str) -> str:
    app, table, column = name.split(".")
    if app not in made:
        return f"the world has no part of '{app}'; have {list_names(made, app)}"
    shapes = schema(app).shapes
    if table not in shapes:
        return f"{app} has no table '{table}'; have {list_names(shapes, table)}"
    if column not in shapes[table].columns:
        return f"{app}.{table} has no column '{column}'; have {list_names(shapes[table].columns, column)}"
    rows = [*made[app], *(each.row for each in scheduled_rows_of(spec.app(app)))]
    if any(_holds(fact, row.get(column), spec.days) for row in rows if row["table"] == table):
        return ""
    return f"no row has {fact.value} in {name}; let its entry refer to {{{{fact:{fact.key} …}}}}"


def _holds(fact: Fact, value: Any, days: Days) -> bool:
    if fact.kind in _DATED and (found := _time(value)) is not None:
        return _is_time(fact, found, days)
    if value is None or isinstance(value, bool):
        return False
    if isinstance(value, int | float):
        return value == fact.value
    # A text or JSON: the value stands in it, in one of the fact's own forms or as it is.
    return any(
        re.search(rf"(?<![\w.]){re.escape(each)}(?!\w)", str(value)) for each in (str(fact.value), *fact.forms.values())
    )


def _time(value: Any) -> datetime | None:
    """Return a column's point in time: a number of seconds, milliseconds or microseconds, or a text."""
    text = str(value)
    try:
        if not (number := _SECONDS.fullmatch(text)):
            found = datetime.fromisoformat(text)
            return found if found.tzinfo else found.replace(tzinfo=UTC)
        whole = int(number[1])
        unit = 1_000_000 if abs(whole) >= _US_MIN else 1000 if abs(whole) >= _MS_MIN else 1
        return datetime.fromtimestamp(whole / unit, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _is_time(fact: Fact, found: datetime, days: Days) -> bool:
    here = found.astimezone(days.zone)
    if fact.kind == "clock":
        return f"{here:%H:%M}" == str(fact.value).zfill(5)
    if fact.kind == "day":
        return days.day(str(fact.value)) in (here.date(), found.date())
    return here.replace(second=0, microsecond=0) == days.at(str(fact.value))
