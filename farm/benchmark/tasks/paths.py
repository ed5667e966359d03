"""Paths in checkpoints: ``path = "calendars[a.b@x].events[*]"`` stands for ``table`` and values of ``where``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from farm.appkit.context_tree import PathError, resolve_path
from farm.content import load_app
from farm.errors import FarmError

PATH = "path"


def with_paths(raw: Mapping[str, Any], say: Callable[[str, str], None]) -> Mapping[str, Any]:
    """Return a parsed task with the paths of its checkpoints resolved.

    Args:
        raw: the parsed file.
        say: gets place and problem of each path that cannot be resolved.
    """
    points = raw.get("checkpoints")
    if not isinstance(points, list | tuple) or not any(isinstance(each, Mapping) and PATH in each for each in points):
        return raw
    return {**raw, "checkpoints": [_resolved(each, f"checkpoints[{n}]", say) for n, each in enumerate(points)]}


def _resolved(point: Any, where: str, say: Callable[[str, str], None]) -> Any:
    if not isinstance(point, Mapping) or PATH not in point:
        return point
    rest = {name: value for name, value in point.items() if name != PATH}
    if "table" in point:
        say(f"{where}.{PATH}", "names the table, and 'table' does, too; leave one out")
        return rest
    try:
        selection = resolve_path(load_app(str(point.get("app"))).schema, str(point[PATH]))
    except PathError as problem:
        say(f"{where}.{PATH}", str(problem))
        return rest
    except FarmError as problem:
        say(f"{where}.app", str(problem))
        return rest
    if selection.column is not None:
        say(f"{where}.{PATH}", f"ends in the column '{selection.column}'; name columns in 'where' and 'after'")
    own = rest.get("where", {})
    return {**rest, "table": selection.table, "where": {**selection.where, **(own if isinstance(own, Mapping) else {})}}
