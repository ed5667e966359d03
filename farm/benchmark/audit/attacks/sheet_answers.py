"""Make scripts that do the oracle's calls and end with another answer sheet, for tasks that have one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from farm.benchmark.agents.scripted import rendered, right_values, with_sheet
from farm.benchmark.audit.attacks.script import AttackScript
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.tasks import Task
from farm.benchmark.tasks.sheet_fields import items_of, kind_of_field
from farm.context.template import load_world


def wrong_sheets(task: Task) -> Iterator[AttackScript]:
    """Yield sheets that must score below 1.00: with a wrong field, a missing one, or one given twice; and none."""
    right = _right(task)
    if not right:
        return
    prose = rendered(task.oracle_answer, task.world)
    yield _script(task, "sheet-none", "the right prose without its sheet", prose, is_right=False)
    for name, raw in task.sheet.items():
        missing = {each: value for each, value in right.items() if each != name}
        yield _script(task, "sheet-missing", f"without {name}", with_sheet(prose, task, missing), is_right=False)
        wrong = {**right, name: _wrong(raw, right[name], task)}
        yield _script(task, "sheet-wrong", f"{name} is wrong", with_sheet(prose, task, wrong), is_right=False)
        for why, first, last in (("first", wrong, right), ("last", right, wrong)):
            twice = with_sheet(with_sheet(prose, task, first), task, last)
            yield _script(task, "sheet-twice", f"two sheets, the {why} with another {name}", twice, is_right=False)


def right_sheets(task: Task) -> Iterator[AttackScript]:
    """Yield sheets that must score 1.00: the oracle's, the same without prose, and in other notations."""
    right = _right(task)
    if right:
        prose = rendered(task.oracle_answer, task.world)
        yield _script(task, "sheet", "the right sheet", with_sheet(prose, task), is_right=True)
        alone = with_sheet("", task, right)
        yield _script(task, "sheet", "the right sheet without prose", alone, is_right=True)
        others = {name: _in_another_notation(raw, right[name], task) for name, raw in task.sheet.items()}
        yield _script(task, "sheet", "the values in words", with_sheet(prose, task, others), is_right=True)


def _right(task: Task) -> dict[str, Any]:
    return right_values(rendered(task.oracle_answer, task.world), task)


def _script(task: Task, kind: str, why: str, answer: str, *, is_right: bool) -> AttackScript:
    return AttackScript(kind, why, is_right, task.oracle, answer, text=answer, asked="sheet")


def _wrong(raw: Mapping[str, Any], right: Any, task: Task) -> Any:
    """Return a wrong value of the same type."""
    if isinstance(right, list):
        return right[:-1]
    context = ClockContext(load_world(task.world))
    match kind_of_field(raw):
        case "number":
            return float(right) + 1
        case "date":
            known = {context.day(each) for each in items_of(raw)}
            return next(day.isoformat() for day in map(context.day, map(str, range(1, 9))) if day not in known)
        case "clock":
            return next(clock for hour in range(8, 24) if (clock := f"{hour:02}:10") not in items_of(raw))
        case "person":
            others = (each for key, each in context.world.people.items() if key not in items_of(raw))
            return next(str(each["name_en"]) for each in others)
        case "choice" if "options" in raw:
            return next(each for each in raw["options"] if each not in items_of(raw))
        case "id":
            return f"{right}1"
        case _:
            return "something else"


def _in_another_notation(raw: Mapping[str, Any], right: Any, task: Task) -> Any:
    """Return the value as people write it, who do not keep to forms."""
    if isinstance(right, list):
        return list(reversed(right))
    context = ClockContext(load_world(task.world))
    match kind_of_field(raw):
        case "number":
            units = raw.get("unit") or ""
            return f"{right:g} {units if isinstance(units, str) else units[0]}".strip()
        case "date":
            day = context.day(items_of(raw)[0])
            return f"{day:%A}, {day.day} {day:%B %Y}"
        case "clock":
            hour, minute = map(int, right.split(":"))
            return f"{hour % 12 or 12}:{minute:02} {'pm' if hour % 24 >= 12 else 'am'}"
        case "person":
            person = context.world.people[items_of(raw)[0]]
            return f"{person['name_en']} ({person.get('name_zh') or person['name_en']})"
        case "id":
            return right.lower()
        case "choice":
            return str(right).upper()
        case _:
            return right
