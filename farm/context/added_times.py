"""The times of added rows, which are stored as they are given and so must have the form of their columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.appkit.schema import Schema, TimeForm

_EXAMPLE = datetime(2026, 6, 1, 9, tzinfo=UTC)
_WHOLE = re.compile(r"-?\d+")
_TS = re.compile(r"\d+\.\d{6}|0")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_US_PER = {"s": 1_000_000, "ms": 1_000, "us": 1, "s_text": 1_000_000, "ms_text": 1_000}
# The seconds of 2001 to 2096; as milliseconds or microseconds they are a day in 1970 that nobody means.
_SECONDS = range(1_000_000_000, 4_000_000_000)


def require_times(schema: Schema, row: Mapping[str, Any]) -> None:
    """Check that the times of a row have the form of their columns; an unknown table has none.

    Raises:
        FarmError: a time has another form; the message has it in the right one.
    """
    for column, form in schema.times.get(str(row.get("table")), {}).items():
        value = row.get(column)
        if value not in (None, "") and not _has_form(value, form):
            moment = _moment(value)
            given = "such as" if moment is None else "so write"
            right = _written(moment or _EXAMPLE, form)
            raise FarmError(
                f"{row['table']}.{column} is a time that is stored as {form}, {given} {right!r}, not {value!r}"
            )


def _has_form(value: Any, form: TimeForm) -> bool:
    text = str(value)
    match form:
        case "ts":
            return bool(_TS.fullmatch(text))
        case "date":
            return _is_parsed(date.fromisoformat, text)
        case "rfc3339":
            return _is_parsed(datetime.fromisoformat, text)
    if not _WHOLE.fullmatch(text):
        return False
    return int(text) not in _SECONDS if _US_PER[form] < _US_PER["s"] else int(text) < _SECONDS.stop * 1000


def _is_parsed(parse: Any, text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True


def _moment(value: Any) -> datetime | None:
    """Return the moment that was meant, or None if the value is no time; a number is in seconds to microseconds."""
    text = str(value)
    try:
        if _NUMBER.fullmatch(text):
            number = float(text)
            while abs(number) >= _SECONDS.stop:
                number /= 1000
            return datetime.fromtimestamp(number, UTC)
        moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _written(moment: datetime, form: TimeForm) -> int | str:
    """Return a moment in the form of a column."""
    match form:
        case "ts":
            return f"{int(moment.timestamp())}.{moment.microsecond:06}"
        case "date":
            return moment.date().isoformat()
        case "rfc3339":
            return moment.isoformat()
    number = int(moment.timestamp() * 1_000_000) // _US_PER[form]
    return str(number) if form.endswith("_text") else number
