"""Rollups: one value made of those of related pages."""

from __future__ import annotations

from statistics import mean, median
from typing import Any

from farm.appkit import compact_json

Value = dict[str, Any]


def roll_up(function: str, values: list[Value]) -> Value:
    """Return what a rollup shows.

    Args:
        values: one a related page, each with its ``type`` and what stands there.
    """
    if function in ("show_original", "show_unique"):
        return {
            "type": "array",
            "array": _unique(values) if function == "show_unique" else values,
            "function": function,
        }
    if function in ("earliest_date", "latest_date", "date_range"):
        return {"type": "date", "date": _date(function, values), "function": function}
    return {"type": "number", "number": _number(function, values), "function": function}


def _is_empty(value: Value) -> bool:
    return value[value["type"]] in (None, [], False, "")


def _unique(values: list[Value]) -> list[Value]:
    return list({compact_json(each): each for each in reversed(values)}.values())[::-1]


def _number(function: str, values: list[Value]) -> float | None:
    filled = [each for each in values if not _is_empty(each)]
    count = len(values)
    counts = {
        "count": count,
        "count_values": sum(_parts(each) for each in filled),
        "empty": count - len(filled),
        "not_empty": len(filled),
        "checked": len(filled),
        "unchecked": count - len(filled),
        "unique": len(_unique(filled)),
    }
    if function in counts:
        return counts[function]
    if function.startswith("percent_"):
        share = counts[{"empty": "empty", "unchecked": "empty"}.get(function.removeprefix("percent_"), "not_empty")]
        return _integer_if_integral(share / count) if count else None
    numbers = [each["number"] for each in filled if each["type"] == "number"]
    if not numbers:
        return 0 if function == "sum" else None
    made = {
        "sum": sum(numbers),
        "average": mean(numbers),
        "median": median(numbers),
        "min": min(numbers),
        "max": max(numbers),
        "range": max(numbers) - min(numbers),
    }
    return _integer_if_integral(made[function]) if function in made else None


def _parts(value: Value) -> int:
    held = value[value["type"]]
    return len(held) if isinstance(held, list) and value["type"] not in ("title", "rich_text") else 1


def _integer_if_integral(number: float) -> float:
    return int(number) if number == int(number) else number


def _date(function: str, values: list[Value]) -> Value | None:
    held = [each["date"] for each in values if each["type"] == "date" and each["date"]]
    if not held:
        return None
    starts, ends = [each["start"] for each in held], [each["end"] or each["start"] for each in held]
    if function == "date_range":
        return {"start": min(starts), "end": max(ends), "time_zone": None}
    return {"start": min(starts) if function == "earliest_date" else max(ends), "end": None, "time_zone": None}
