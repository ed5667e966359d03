"""JSON Schema 2020-12, for dialects whose real servers validate against the published schema itself.

Like the shapes of zod, it has two sides. ``accept`` returns a cleaned value or REFUSED. ``problems`` lists the faults
in the order of Go's validator; the dialects turn them into text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from farm.appkit.dialects._values import (
    ABSENT,
    REFUSED,
    Accept,
    compile_pattern,
    copy_value,
    default_maker,
    equal,
    is_multiple,
    is_number,
    resolve_pointer,
)
from farm.appkit.formats.numbers import to_float64

Schema = Mapping[str, Any]
Path = tuple[str | int, ...]

_COMPOSED = ("$ref", "anyOf", "oneOf", "allOf", "not", "if", "patternProperties")


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a value.

    Attributes:
        keyword: the violated keyword; ``required`` and ``additionalProperties`` combine several names in one problem.
        value: the invalid value.
        limit: the keyword's value in the schema.
        path: keys and indices from the arguments down to the value.
        schema_path: the path in the schema, for messages that contain it (``properties``, ``tags``, ``items``).
        details: the names concerned, or a measured size, for keywords that have one.
    """

    keyword: str
    value: Any
    limit: Any
    path: Path
    schema_path: Path
    details: Any = None


def json_type(value: Any) -> str:
    """Return a value's JSON type; a number without a fraction is an integer."""
    if value is None:
        return "null"
    if type(value) is bool:
        return "boolean"
    if is_number(value):
        number = to_float64(value)
        return "integer" if type(number) is int or float(number).is_integer() else "number"
    return _CONTAINERS[type(value)]


class Validator:
    """One document, ready to validate values."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.accept = self._accept(root)

    # ── what is wrong ────────────────────────────────────────────────────────────────────────────────────────────────

    def problems(self, value: Any, schema: Any, path: Path = (), schema_path: Path = ()) -> Iterator[Problem]:
        """Yield the faults of a value, in the order in which the keywords are evaluated."""
        if schema is False:
            yield Problem("false", value, False, path, schema_path)
        if not isinstance(schema, Mapping):
            return

        def problem(keyword: str, details: Any = None) -> Problem:
            return Problem(keyword, value, schema[keyword], path, schema_path, details)

        if isinstance(schema.get("$ref"), str):
            yield from self.problems(value, resolve_pointer(self.root, schema["$ref"]), path, schema_path)
        if not _has_type(value, schema.get("type")):
            yield problem("type", json_type(value))
            return
        if isinstance(schema.get("enum"), list) and not any(equal(value, option) for option in schema["enum"]):
            yield problem("enum")
        if "const" in schema and not equal(value, schema["const"]):
            yield problem("const")
        yield from (problem(keyword, details) for keyword, details in _scalar_faults(value, schema))
        yield from self._composed(value, schema, path, schema_path)
        if type(value) is list:
            yield from self._array(value, schema, path, schema_path)
        if type(value) is dict:
            yield from self._object(value, schema, path, schema_path)

    def is_valid(self, value: Any, schema: Any) -> bool:
        """Return whether a value has no fault."""
        return next(self.problems(value, schema), None) is None

    def _composed(self, value: Any, schema: Schema, path: Path, schema_path: Path) -> Iterator[Problem]:
        for n, part in enumerate(_listed(schema, "allOf")):
            yield from self.problems(value, part, path, (*schema_path, "allOf", n))
        for keyword in ("anyOf", "oneOf"):
            branches = _listed(schema, keyword)
            fitting = sum(self.is_valid(value, branch) for branch in branches)
            if branches and (fitting == 0 or (keyword == "oneOf" and fitting > 1)):
                yield Problem(keyword, value, branches, path, schema_path, fitting)
        if "not" in schema and self.is_valid(value, schema["not"]):
            yield Problem("not", value, schema["not"], path, schema_path)
        if "if" in schema:
            keyword = "then" if self.is_valid(value, schema["if"]) else "else"
            yield from self.problems(value, schema.get(keyword, True), path, (*schema_path, keyword))

    def _array(self, value: list[Any], schema: Schema, path: Path, schema_path: Path) -> Iterator[Problem]:
        places = _listed(schema, "prefixItems")
        for n, (item, place) in enumerate(zip(value, places, strict=False)):
            yield from self.problems(item, place, (*path, n), (*schema_path, "prefixItems", n))
        for n in range(len(places), len(value)):
            yield from self.problems(value[n], schema.get("items", True), (*path, n), (*schema_path, "items"))
        for keyword, is_wrong in _SIZES["array"].items():
            if is_number(schema.get(keyword)) and is_wrong(len(value), schema[keyword]):
                yield Problem(keyword, value, schema[keyword], path, schema_path, len(value))
        if schema.get("uniqueItems") is True and (pair := _equal_pair(value)):
            yield Problem("uniqueItems", value, True, path, schema_path, pair)

    def _object(self, value: dict[str, Any], schema: Schema, path: Path, schema_path: Path) -> Iterator[Problem]:
        properties = _mapped(schema, "properties")
        for key, part in properties.items():
            if key in value:
                yield from self.problems(value[key], part, (*path, key), (*schema_path, "properties", key))
        known = set(properties)
        for source, part in _mapped(schema, "patternProperties").items():
            pattern = compile_pattern(source)
            for key in value if pattern else ():
                if pattern and pattern.search(key):
                    known.add(key)
                    yield from self.problems(
                        value[key], part, (*path, key), (*schema_path, "patternProperties", source)
                    )
        yield from self._extra(value, schema, known, path, schema_path)
        for keyword, is_wrong in _SIZES["object"].items():
            if is_number(schema.get(keyword)) and is_wrong(len(value), schema[keyword]):
                yield Problem(keyword, value, schema[keyword], path, schema_path, len(value))
        if missing := [key for key in _listed(schema, "required") if key not in value]:
            yield Problem("required", value, schema["required"], path, schema_path, missing)
        for key, needs in _mapped(schema, "dependentRequired").items():
            if key in value and (missing := [need for need in needs if need not in value]):
                yield Problem("dependentRequired", value, key, path, schema_path, missing)

    def _extra(
        self, value: dict[str, Any], schema: Schema, known: set[str], path: Path, schema_path: Path
    ) -> Iterator[Problem]:
        extra = [key for key in value if key not in known]
        rest = schema.get("additionalProperties", True)
        if rest is False and extra:
            yield Problem("additionalProperties", value, False, path, schema_path, extra)
        elif rest is not False:
            for key in extra:
                yield from self.problems(value[key], rest, (*path, key), (*schema_path, "additionalProperties"))
        if "propertyNames" in schema:
            for key in value:
                yield from self.problems(key, schema["propertyNames"], (*path, key), (*schema_path, "propertyNames"))

    # ── the accepting side ───────────────────────────────────────────────────────────────────────────────────────────

    def _accept(self, schema: Any) -> Accept:
        """Build the closure for a schema; unusual keywords are evaluated by ``problems``."""
        if not isinstance(schema, Mapping) or not schema:
            return lambda value: REFUSED if schema is False else copy_value(value)
        if any(keyword in schema for keyword in _COMPOSED):
            # It is not always decidable which branch declares a key, so nothing is dropped below this point.
            return lambda value: copy_value(value) if self.is_valid(value, schema) else REFUSED
        inner = self._accept_kind(schema)
        if not _HANDLED.issuperset(schema):
            return lambda value: inner(value) if self.is_valid(value, schema) else REFUSED
        return inner

    def _accept_kind(self, schema: Schema) -> Accept:
        kind = schema.get("type")
        by_kind = {"object": self._accept_object(schema), "array": self._accept_array(schema)}
        if isinstance(kind, str) and (kind in by_kind or kind in _SCALARS):
            return by_kind.get(kind) or _SCALARS[kind]
        if isinstance(kind, list) and len(kind) == 2 and "null" in kind:
            inner = self._accept_kind({**schema, "type": next(name for name in kind if name != "null")})
            return lambda value: None if value is None else inner(value)

        def accept(value: Any) -> Any:
            if not _has_type(value, kind):
                return REFUSED
            return by_kind.get(json_type(value), copy_value)(value)

        return accept

    def _accept_array(self, schema: Schema) -> Accept:
        items = schema.get("items", True) if "prefixItems" not in schema else True
        item, kind = self._accept(items), _KINDS.get(_only_type(items))

        def accept(value: Any) -> Any:
            if type(value) is not list:
                return REFUSED
            cleaned = [entry if type(entry) is kind else item(entry) for entry in value]
            return REFUSED if REFUSED in cleaned else cleaned

        return accept

    def _accept_object(self, schema: Schema) -> Accept:
        required = _listed(schema, "required")
        # As in zod's loop: kind, check, and the action for a missing key (refuse, nothing, or make a default).
        loop = [
            (key, _KINDS.get(_only_type(part)), self._accept(part), missing)
            for key, part in _mapped(schema, "properties").items()
            for missing in [REFUSED if key in required else default_maker(part) or ABSENT]
        ]
        known = {entry[0] for entry in loop}
        undeclared = [key for key in required if key not in known]
        is_closed = schema.get("additionalProperties") is False
        rest = (
            self._accept(schema["additionalProperties"])
            if schema.get("additionalProperties", False) is not False
            else None
        )

        def accept(value: Any) -> Any:
            if type(value) is not dict:
                return REFUSED
            cleaned: dict[str, Any] = {}
            found = 0
            for key, kind, check, missing in loop:
                item = value.get(key, ABSENT)
                if item is ABSENT:
                    if missing is REFUSED:
                        return REFUSED
                    if missing is not ABSENT:
                        cleaned[key] = missing()
                    continue
                found += 1
                cleaned[key] = item if type(item) is kind else check(item)
                if cleaned[key] is REFUSED:
                    return REFUSED
            return cleaned if found == len(value) and not undeclared else take_extra(value, cleaned)

        def take_extra(value: dict[str, Any], cleaned: dict[str, Any]) -> Any:
            extra = [key for key in value if key not in known]
            if any(key not in value for key in undeclared) or (is_closed and extra):
                return REFUSED
            for key in extra if rest else ():
                cleaned[key] = rest(value[key]) if rest else REFUSED
            return REFUSED if REFUSED in cleaned.values() else cleaned

        return accept


_CONTAINERS: dict[type, str] = {str: "string", list: "array", dict: "object"}
_SCALARS: dict[str, Accept] = {
    "string": lambda value: value if type(value) is str else REFUSED,
    "boolean": lambda value: value if type(value) is bool else REFUSED,
    "number": lambda value: to_float64(value) if is_number(value) else REFUSED,
    "integer": lambda value: to_float64(value) if json_type(value) == "integer" else REFUSED,
    "null": lambda value: None if value is None else REFUSED,
}
_KINDS: dict[str, type] = {"string": str, "boolean": bool}
# Keywords that the closures handle; for any other, ``problems`` evaluates the value as well.
_NOTES = {"description", "title", "default", "examples", "deprecated", "format", "$schema", "$defs", "$id", "$comment"}
_HANDLED = _NOTES | {"type", "properties", "required", "additionalProperties", "items"}

_Fault = Callable[[Any, Any], bool]
_BOUNDS: dict[str, _Fault] = {
    "multipleOf": lambda value, limit: not is_multiple(value, limit),
    "minimum": lambda value, limit: value < limit,
    "maximum": lambda value, limit: value > limit,
    "exclusiveMinimum": lambda value, limit: value <= limit,
    "exclusiveMaximum": lambda value, limit: value >= limit,
}
_SIZES: dict[str, dict[str, _Fault]] = {
    "string": {"minLength": lambda size, limit: size < limit, "maxLength": lambda size, limit: size > limit},
    "array": {"minItems": lambda size, limit: size < limit, "maxItems": lambda size, limit: size > limit},
    "object": {"minProperties": lambda size, limit: size < limit, "maxProperties": lambda size, limit: size > limit},
}


def _scalar_faults(value: Any, schema: Schema) -> Iterator[tuple[str, Any]]:
    """Yield the keywords about numbers and strings that a value violates, each with the measured size."""
    if is_number(value):
        for keyword, is_wrong in _BOUNDS.items():
            if is_number(schema.get(keyword)) and is_wrong(to_float64(value), schema[keyword]):
                yield keyword, None
    if type(value) is str:
        for keyword, is_wrong in _SIZES["string"].items():
            if is_number(schema.get(keyword)) and is_wrong(len(value), schema[keyword]):
                yield keyword, len(value)
        source = schema.get("pattern")
        pattern = compile_pattern(source) if isinstance(source, str) else None
        if pattern and not pattern.search(value):
            yield "pattern", None


def _has_type(value: Any, wanted: Any) -> bool:
    if wanted is None:
        return True
    found = json_type(value)
    names = wanted if isinstance(wanted, list) else [wanted]
    return found in names or (found == "integer" and "number" in names)


def _only_type(schema: Any) -> str:
    """Return the type of a schema that requires only a type, else an empty string."""
    is_plain = isinstance(schema, Mapping) and schema.keys() <= _NOTES | {"type"}
    kind = schema.get("type") if is_plain else None
    return kind if isinstance(kind, str) else ""


def _listed(schema: Schema, keyword: str) -> list[Any]:
    found = schema.get(keyword)
    return found if isinstance(found, list) else []


def _mapped(schema: Schema, keyword: str) -> Mapping[str, Any]:
    found = schema.get(keyword)
    return found if isinstance(found, Mapping) else {}


def _equal_pair(items: list[Any]) -> tuple[int, int] | None:
    for later, item in enumerate(items):
        for earlier in range(later):
            if equal(item, items[earlier]):
                return later, earlier
    return None
