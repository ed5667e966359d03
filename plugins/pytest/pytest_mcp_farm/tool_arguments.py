"""The arguments that a tool declares, so that an assertion on a misspelt one is an error and not always green."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

_REFERENCES_MAX = 20  # a schema may refer to itself


def undeclared(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the dotted path of each argument that a tool's ``inputSchema`` does not declare, and what it declares."""
    yield from _undeclared(schema, schema, arguments, "")


def has_path(value: Any, path: str) -> bool:
    """Return whether a call's arguments hold a value at a dotted path."""
    for name in path.split("."):
        if not isinstance(value, Mapping) or name not in value:
            return False
        value = value[name]
    return True


def _undeclared(
    root: Mapping[str, Any], schema: Any, arguments: Mapping[str, Any], at: str
) -> Iterator[tuple[str, str]]:
    known = _properties(root, schema)
    if known is None:
        return
    for name, value in arguments.items():
        if name not in known:
            yield f"{at}{name}", _declared(root, known, name, at)
        elif isinstance(value, Mapping):
            for each in known[name]:
                problems = list(_undeclared(root, each, value, f"{at}{name}."))
                if not problems:
                    break
            else:
                yield from problems


def _declared(root: Mapping[str, Any], known: Mapping[str, list[Any]], name: str, at: str) -> str:
    """Return the sentence on the declared arguments, with the nearest to an undeclared one."""
    if not known:
        return "it takes none"
    deeper = [
        f"{outer}.{name}" for outer, each in known.items() for one in each if name in (_properties(root, one) or ())
    ]
    close = deeper or get_close_matches(name, known, 1)
    end = f"; did you mean '{at}{close[0]}'?" if close else ""
    return f"it has {', '.join(f'{at}{each}' for each in known)}{end}"


def _properties(root: Mapping[str, Any], schema: Any) -> dict[str, list[Any]] | None:
    """Return name → schemas of an object's properties in all branches; None if it may hold any name."""
    found: dict[str, list[Any]] = {}
    waiting, is_object, references = [schema], schema is root, 0
    while waiting:
        each = waiting.pop()
        if not isinstance(each, Mapping):
            return None
        if isinstance(target := each.get("$ref"), str):
            references += 1
            if references > _REFERENCES_MAX:
                return None
            waiting.append(_resolved(root, target))
        if each.get("additionalProperties") not in (None, False) or "patternProperties" in each:
            return None
        is_object = is_object or "properties" in each
        for name, one in each.get("properties", {}).items():
            found.setdefault(name, []).append(one)
        waiting += [one for word in ("anyOf", "oneOf", "allOf") for one in each.get(word, ())]
    return found if is_object else None


def _resolved(root: Mapping[str, Any], target: str) -> Any:
    """Return the schema behind a reference within the document; None if there is none."""
    found: Any = root
    for part in target.removeprefix("#").strip("/").split("/") if target != "#" else ():
        found = found.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(found, Mapping) else None
    return found
