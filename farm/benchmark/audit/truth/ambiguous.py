"""Find references that two rows, or two items of a result, fit: nobody can know which one is meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from farm._util.json_strings import strings_in
from farm.benchmark.agents.placeholders import MissingPlaceholderError, candidates, follow, select
from farm.benchmark.agents.scripted import rendered
from farm.benchmark.audit.attacks.attack_context import AttackContext
from farm.benchmark.scoring.initial_state import Start
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.tasks import REFERENCE, Task
from farm.benchmark.tasks.value_syntax import checkpoints_in, is_row
from farm.errors import FarmError


def ambiguous_rows(task: Task, start: Start) -> Iterator[tuple[str, str]]:
    """Yield the place and the words of each reference to one row of the start that fits another number of rows."""
    known = ValueResolver.from_task(task, start)
    places = [(f"lookups.{name}", dict(raw)) for name, raw in task.lookups.items()]
    places += [
        (point.id, reference) for point in task.checkpoints for reference in _rows_in(point.references, _app(point))
    ]
    seen = []
    for place, raw in places:
        if raw in seen or not is_row(raw) or raw.get("all") or any(checkpoints_in(raw)):
            continue
        seen.append(raw)
        try:
            rows = start.find(raw["app"], raw["table"], known.resolve(raw.get("where", {}), raw["app"]))
        except FarmError:
            continue  # a lookup in it is reported itself
        if len(rows) != 1:
            words = f"{raw['app']}.{raw['table']} where {dict(raw.get('where', {}))}"
            yield place, f"{words} fits {len(rows) or 'no'} rows; it must fit exactly one"


def _app(point: Any) -> str:
    return str(getattr(point, "app", ""))


def _rows_in(value: Any, app: str) -> Iterator[dict[str, Any]]:
    """Yield the references to rows in a value, each with its app."""
    match value:
        case Mapping() if is_row(value):
            yield {"app": app, **value}
            yield from _rows_in(value.get("where", {}), value.get("app", app))
        case Mapping():
            for each in value.values():
                yield from _rows_in(each, app)
        case list() | tuple():
            for each in value:
                yield from _rows_in(each, app)


def ambiguous_references(context: AttackContext) -> Iterator[tuple[str, str]]:
    """Yield the call and the words of each reference of the oracle that two items of a result fit."""
    seen = set()
    world = context.task.world
    for step in context.task.oracle:
        for call in step:
            for text in strings_in(call.arguments):
                for found in REFERENCE.finditer(rendered(text, world)):
                    if found[0] not in seen and found[1] in context.results:
                        seen.add(found[0])
                        if wish := _ambiguous_part(context.results[found[1]], found[2], found[0]):
                            yield call.name or call.tool, f"{found[0]}: two items with different values fit [{wish}]"


def _ambiguous_part(root: Any, path: str, reference: str) -> str | None:
    """Return the first bracket of a path that fits two items which lead to different values."""
    right = follow(root, path, reference)
    for bracket in range(path.count("[")):
        for number in count(1):
            walk = _Walk(bracket, number)
            try:
                other = follow(root, path, reference, walk)
            except MissingPlaceholderError:
                other = right  # that item does not lead anywhere, so only the first can be meant
            if not walk.has_chosen:
                break
            if other != right:
                return walk.wish
    return None


class _Walk:
    """Chooses the first item that fits, but another one at one bracket."""

    def __init__(self, bracket: int, number: int) -> None:
        self._bracket, self._number = bracket, number
        self._count = 0
        self.has_chosen = False
        self.wish = ""

    def __call__(self, items: list[Any], wish: str, reference: str) -> Any:
        self._count += 1
        if self._count - 1 != self._bracket or ("=" not in wish and "~" not in wish):
            return select(items, wish, reference)
        fitting = list(candidates(items, wish, reference))
        if self._number >= len(fitting):
            return fitting[0]
        self.has_chosen, self.wish = True, wish
        return fitting[self._number]
