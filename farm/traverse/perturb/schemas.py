"""The values that a tool's input schema describes: each argument with its schema and the call's value."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Path = tuple[str | int, ...]

_DEPTH_MAX = 8
_TYPES = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}
ABSENT = object()


@dataclass(frozen=True)
class Spot:
    """One value that the schema describes.

    Attributes:
        schema: the schema of the value, references resolved and alternatives chosen by the value.
        value: the call's value, or ``ABSENT``.
        is_required: whether the call must have it.
    """

    path: Path
    schema: Mapping[str, Any]
    value: Any
    is_required: bool

    @property
    def argument(self) -> str:
        """The argument that it is or belongs to, as tables name it: ``entities[].name``."""
        return argument_of(self.path)

    @property
    def type(self) -> str | None:
        """The schema's JSON type, or None if it has several or none."""
        kind = self.schema.get("type")
        return kind if isinstance(kind, str) else None


def argument_of(path: Path) -> str:
    """Return a path without positions in lists; the arguments as a whole are ``(all)``."""
    named = "".join("[]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
    return named or "(all)"


def spots(schema: Mapping[str, Any], arguments: Any) -> Iterator[Spot]:
    """Yield every value the schema describes, including omitted ones; of a list, only its first element."""
    yield from _spots(schema, schema, arguments, (), True)


def put(arguments: Any, path: Path, value: Any) -> Any:
    """Return the arguments with another value at a path."""
    if not path:
        return value
    changed = copy.deepcopy(arguments)
    _parent(changed, path)[path[-1]] = value
    return changed


def drop(arguments: Any, path: Path) -> Any:
    """Return the arguments without the value at a path."""
    changed = copy.deepcopy(arguments)
    del _parent(changed, path)[path[-1]]
    return changed


def has_type(kind: str, value: Any) -> bool:
    """Return whether a value is of a JSON type; an integer is also a number, and a boolean is not."""
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES.get(kind, (object,)))


def _parent(arguments: Any, path: Path) -> Any:
    for step in path[:-1]:
        arguments = arguments[step]
    return arguments


def _spots(root: Mapping[str, Any], schema: Any, value: Any, path: Path, is_required: bool) -> Iterator[Spot]:
    schema = _decided(root, schema, value, 0)
    yield Spot(path, schema, value, is_required)
    if len(path) >= _DEPTH_MAX:
        return
    if isinstance(value, dict):
        required = schema.get("required") or ()
        for name, sub in (schema.get("properties") or {}).items():
            yield from _spots(root, sub, value.get(name, ABSENT), (*path, name), name in required)
    elif isinstance(value, list) and value and isinstance(schema.get("items"), dict):
        yield from _spots(root, schema["items"], value[0], (*path, 0), True)


def _decided(root: Mapping[str, Any], schema: Any, value: Any, depth: int) -> Mapping[str, Any]:
    """Return the schema that applies to a value: references resolved, and the first alternative with its type."""
    if not isinstance(schema, dict) or depth > _DEPTH_MAX:
        return {}
    if isinstance(reference := schema.get("$ref"), str):
        return _decided(root, _referred(root, reference), value, depth + 1)
    for key in ("anyOf", "oneOf"):
        branches = [_decided(root, each, value, depth + 1) for each in schema.get(key) or ()]
        real = [each for each in branches if each.get("type") != "null"]
        fitting = [each for each in real if has_type(str(each.get("type")), value)]
        if chosen := (fitting or real):
            return {**{name: each for name, each in schema.items() if name != key}, **chosen[0]}
    kinds = schema.get("type")
    if isinstance(kinds, list):
        real_kinds = [kind for kind in kinds if kind != "null"]
        fitting_kinds = [kind for kind in real_kinds if has_type(kind, value)]
        return {**schema, "type": (fitting_kinds or real_kinds or [None])[0]}
    return schema


def _referred(root: Mapping[str, Any], reference: str) -> Any:
    found: Any = root
    for step in reference.removeprefix("#").strip("/").split("/"):
        if step:
            found = found.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
    return found
