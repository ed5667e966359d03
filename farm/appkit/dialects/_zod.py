"""zod's shapes, reconstructed from the JSON Schema that a zod server publishes.

Each shape has two sides. ``accept`` is a closure that returns the cleaned value or REFUSED. ``explain`` lists the
issues in zod's order and runs only after a refusal. ``Words`` holds the differences between zod 3 and zod 4.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from farm.appkit.dialects._base import ISSUES_MAX
from farm.appkit.dialects._values import (
    ABSENT,
    REFUSED,
    Accept,
    copy_value,
    default_maker,
    equal,
    is_nan,
    is_number,
    resolve_pointer,
)
from farm.appkit.dialects._zod_checks import array_tests, first_fatal, number_tests, size_tests, string_tests
from farm.appkit.dialects._zod_messages import Issue, Path, Words
from farm.appkit.formats.numbers import EXACT_MAX, to_float64

Schema = Mapping[str, Any]
Explain = Callable[[Any, Path], list[Issue]]


@dataclass(frozen=True, slots=True)
class Shape:
    """A compiled schema.

    Attributes:
        accept: raw value → cleaned value, or REFUSED.
        explain: raw value (ABSENT if missing) and its path → issues; empty if the value is valid.
        kind: the Python type whose every value is accepted unchanged, if there is one: saves a call per property.
    """

    accept: Accept
    explain: Explain
    kind: type | None = None


@dataclass(frozen=True, slots=True)
class _Field:
    """A declared property of an object."""

    key: str
    shape: Shape
    is_required: bool
    default: Callable[[], Any] | None


def compile_shape(schema: Any, words: Words) -> Shape:
    """Compile a JSON Schema into the zod schema it was generated from."""
    return _Compiler(schema, words).shape(schema)


class _Compiler:
    """Compiles one document; holds its root to resolve local references."""

    def __init__(self, root: Any, words: Words) -> None:
        self._root = root
        self._words = words
        self._referenced: dict[str, Shape] = {}

    def shape(self, schema: Any) -> Shape:
        """Compile one schema of the document."""
        if schema is False or (isinstance(schema, Mapping) and schema.get("not") == {}):
            return self._of_type("never", lambda value: REFUSED)
        if not isinstance(schema, Mapping):
            return self._anything()
        if isinstance(schema.get("$ref"), str):
            return self._reference(schema["$ref"])
        if "const" in schema:
            return self._literal(schema["const"])
        if isinstance(schema.get("enum"), list):
            return self._enum(schema["enum"])
        for keyword in ("oneOf", "anyOf"):
            if isinstance(schema.get(keyword), list):
                return self._union(schema[keyword], discriminates=keyword == "oneOf" or self._words.anyof_discriminates)
        if isinstance(schema.get("allOf"), list):
            return self._intersection([self.shape(branch) for branch in schema["allOf"]])
        if isinstance(schema.get("type"), list):
            return self._union([{**schema, "type": kind} for kind in schema["type"]], discriminates=False)
        return self._by_type(schema)

    def _by_type(self, schema: Schema) -> Shape:
        match schema.get("type"):
            case "string":
                return self._string(schema)
            case "number" | "integer":
                return self._number(schema)
            case "boolean":
                return self._of_type("boolean", lambda value: value if type(value) is bool else REFUSED, bool)
            case "null":
                return self._of_type("null", lambda value: None if value is None else REFUSED)
            case "array":
                return self._array(schema)
            case "object":
                return self._object(schema)
            case _:
                return self._anything()

    def _of_type(self, expected: str, accept: Accept, kind: type | None = None) -> Shape:
        def explain(value: Any, path: Path) -> list[Issue]:
            return [self._words.type(path, expected, value)] if accept(value) is REFUSED else []

        return Shape(accept, explain, kind)

    def _anything(self) -> Shape:
        def accept(value: Any) -> Any:
            return REFUSED if value is ABSENT else copy_value(value)

        return Shape(accept, lambda value, path: self._words.anything(path) if value is ABSENT else [])

    def _reference(self, reference: str) -> Shape:
        """Resolve a reference on first use: a schema may refer to itself."""

        def target() -> Shape:
            if reference not in self._referenced:
                self._referenced[reference] = self.shape(resolve_pointer(self._root, reference))
            return self._referenced[reference]

        return Shape(lambda value: target().accept(value), lambda value, path: target().explain(value, path))

    # ── scalars ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _string(self, schema: Schema) -> Shape:
        words, tests, sizes = self._words, string_tests(schema, self._words), size_tests(schema, self._words)

        def accept(value: Any) -> Any:
            if type(value) is not str or any(test(value, ()) for test in tests):
                return REFUSED
            return value

        def explain(value: Any, path: Path) -> list[Issue]:
            if type(value) is str:
                return list(first_fatal(tests, value, path))
            late = first_fatal(sizes, value, path) if words.late_sizes else ()
            return [words.type(path, "string", value), *late]

        return Shape(accept, explain, None if tests else str)

    def _number(self, schema: Schema) -> Shape:
        words, tests = self._words, number_tests(schema, self._words)

        def read(value: Any) -> Any:
            if not is_number(value):
                return REFUSED
            number = to_float64(value)
            is_endless = words.exact_numbers and type(number) is float and math.isinf(number)
            return REFUSED if is_endless or is_nan(number) else number

        def accept(value: Any) -> Any:
            if type(value) is not int or not -EXACT_MAX <= value <= EXACT_MAX:
                value = read(value)
            return REFUSED if value is REFUSED or (tests and any(test(value, ()) for test in tests)) else value

        def explain(value: Any, path: Path) -> list[Issue]:
            number = read(value)
            return [words.type(path, "number", value)] if number is REFUSED else list(first_fatal(tests, number, path))

        return Shape(accept, explain)

    def _literal(self, expected: Any) -> Shape:
        def accept(value: Any) -> Any:
            return expected if equal(value, expected) else REFUSED

        def explain(value: Any, path: Path) -> list[Issue]:
            return [self._words.literal(path, expected, value)] if accept(value) is REFUSED else []

        return Shape(accept, explain)

    def _enum(self, options: list[Any]) -> Shape:
        if None in options and len(options) > 1:
            return self._nullable(self._enum([option for option in options if option is not None]))

        def accept(value: Any) -> Any:
            return next((option for option in options if equal(value, option)), REFUSED)

        def explain(value: Any, path: Path) -> list[Issue]:
            return [self._words.enum(path, options, value)] if accept(value) is REFUSED else []

        strings = frozenset(option for option in options if type(option) is str)
        if len(strings) == len(options):
            return Shape(lambda value: value if type(value) is str and value in strings else REFUSED, explain)
        return Shape(accept, explain)

    # ── several shapes for one value ─────────────────────────────────────────────────────────────────────────────────

    def _nullable(self, inner: Shape) -> Shape:
        def accept(value: Any) -> Any:
            return None if value is None else inner.accept(value)

        return Shape(accept, lambda value, path: [] if value is None else inner.explain(value, path))

    def _union(self, schemas: list[Any], *, discriminates: bool) -> Shape:
        others = [schema for schema in schemas if not _is_null(schema)]
        if len(schemas) == 2 and len(others) == 1:
            return self._nullable(self.shape(others[0]))
        branches = [self.shape(schema) for schema in schemas]
        tag = _discriminator(schemas) if discriminates else None
        if tag is not None:
            return self._discriminated(tag, [schema["properties"][tag]["const"] for schema in schemas], branches)

        def accept(value: Any) -> Any:
            cleaned = (branch.accept(value) for branch in branches)
            return next((value for value in cleaned if value is not REFUSED), REFUSED)

        def explain(value: Any, path: Path) -> list[Issue]:
            found = [branch.explain(value, path)[:ISSUES_MAX] for branch in branches]
            return self._words.union(path, found) if all(found) else []

        return Shape(accept, explain)

    def _discriminated(self, tag: str, tags: list[Any], branches: list[Shape]) -> Shape:
        def branch_of(value: dict[str, Any]) -> Shape | None:
            present = value.get(tag, ABSENT)
            return next((branch for t, branch in zip(tags, branches, strict=True) if equal(t, present)), None)

        def accept(value: Any) -> Any:
            branch = branch_of(value) if type(value) is dict else None
            return REFUSED if branch is None else branch.accept(value)

        def explain(value: Any, path: Path) -> list[Issue]:
            if type(value) is not dict:
                return [self._words.type(path, "object", value)]
            branch = branch_of(value)
            return [self._words.discriminator((*path, tag), tags)] if branch is None else branch.explain(value, path)

        return Shape(accept, explain)

    def _intersection(self, parts: list[Shape]) -> Shape:
        def accept(value: Any) -> Any:
            cleaned = [part.accept(value) for part in parts]
            if any(part is REFUSED for part in cleaned):
                return REFUSED
            if type(value) is dict:
                return {key: item for part in cleaned for key, item in part.items()}
            return cleaned[-1] if cleaned else copy_value(value)

        return Shape(accept, lambda value, path: [issue for part in parts for issue in part.explain(value, path)])

    # ── arrays and objects ───────────────────────────────────────────────────────────────────────────────────────────

    def _array(self, schema: Schema) -> Shape:
        places = schema.get("prefixItems", schema.get("items"))
        if isinstance(places, list):
            return self._tuple([self.shape(place) for place in places])
        words, item, sizes = self._words, self.shape(schema.get("items", {})), array_tests(schema, self._words)
        size_max = schema["maxItems"] if is_number(schema.get("maxItems")) else math.inf

        def accept(value: Any) -> Any:
            if type(value) is not list or any(size(value, ()) for size in sizes):
                return REFUSED
            cleaned = [entry if type(entry) is item.kind else item.accept(entry) for entry in value]
            return REFUSED if REFUSED in cleaned else cleaned

        def explain(value: Any, path: Path) -> list[Issue]:
            if type(value) is not list:
                late = first_fatal(sizes, value, path) if words.late_sizes else ()
                return [words.type(path, "array", value), *late]
            size = list(first_fatal(sizes, value, path))
            if words.too_many_is_enough and len(value) > size_max:
                return [replace(issue, fatal=True) for issue in size]
            items = _first(item.explain(entry, (*path, n)) for n, entry in enumerate(value))
            return [*items, *size] if words.late_sizes else [*size, *items]

        return Shape(accept, explain)

    def _tuple(self, places: list[Shape]) -> Shape:
        words, size = self._words, len(places)

        def accept(value: Any) -> Any:
            if type(value) is not list or len(value) != size:
                return REFUSED
            cleaned = [place.accept(entry) for place, entry in zip(places, value, strict=True)]
            return REFUSED if REFUSED in cleaned else cleaned

        def explain(value: Any, path: Path) -> list[Issue]:
            if type(value) is not list:
                return [words.type(path, "array" if not words.late_sizes else "tuple", value)]
            if len(value) != size:
                return [words.size(path, len(value) < size, size)]
            return [issue for n, place in enumerate(places) for issue in place.explain(value[n], (*path, n))]

        return Shape(accept, explain)

    def _object(self, schema: Schema) -> Shape:
        extra = schema.get("additionalProperties", False)
        if "properties" not in schema and extra is not False:
            return self._record(self.shape(schema.get("propertyNames", {"type": "string"})), self.shape(extra))
        required = schema.get("required", ())
        fields = [
            _Field(key, self.shape(part), key in required, default_maker(part))
            for key, part in schema.get("properties", {}).items()
        ]
        is_strict = self._words.strict_objects and schema.get("additionalProperties") is False
        catchall = self.shape(extra) if extra is not False else None
        return Shape(
            _object_accept(fields, catchall, is_strict=is_strict),
            self._object_explain(fields, catchall, is_strict=is_strict),
        )

    def _object_explain(self, fields: list[_Field], catchall: Shape | None, *, is_strict: bool) -> Explain:
        words, known = self._words, frozenset(field.key for field in fields)

        def explain(value: Any, path: Path) -> list[Issue]:
            if type(value) is not dict:
                return [words.type(path, "object", value)]
            issues = []
            for field in fields:
                item = value.get(field.key, ABSENT)
                if item is not ABSENT or (field.is_required and field.default is None):
                    issues += field.shape.explain(item, (*path, field.key))
            extra = [key for key in value if key not in known]
            if catchall is not None:
                issues += _first(catchall.explain(value[key], (*path, key)) for key in extra)
            return [*issues, words.unrecognized(path, extra[:ISSUES_MAX])] if is_strict and extra else issues

        return explain

    def _record(self, names: Shape, values: Shape) -> Shape:
        words = self._words

        def accept(value: Any) -> Any:
            if type(value) is not dict or any(words.key((), names.explain(key, ())) for key in value):
                return REFUSED
            cleaned = {key: values.accept(item) for key, item in value.items()}
            return REFUSED if REFUSED in cleaned.values() else cleaned

        def explain(value: Any, path: Path) -> list[Issue]:
            if type(value) is not dict:
                return [words.type(path, words.record, value)]
            return _first(
                words.key((*path, key), names.explain(key, (*path, key))) or values.explain(item, (*path, key))
                for key, item in value.items()
            )

        return Shape(accept, explain)


def _object_accept(fields: list[_Field], catchall: Shape | None, *, is_strict: bool) -> Accept:
    """Build ``accept`` of an object: the loop that every valid call runs."""
    known = frozenset(field.key for field in fields)
    # The last element is for a missing key: REFUSED, nothing (ABSENT), or make a default.
    loop = [(f.key, f.shape.kind, f.shape.accept, f.default or (REFUSED if f.is_required else ABSENT)) for f in fields]

    def accept(value: Any) -> Any:
        if type(value) is not dict:
            return REFUSED
        cleaned = {}
        for key, kind, check, missing in loop:
            item = value.get(key, ABSENT)
            if item is ABSENT:
                if missing is REFUSED:
                    return REFUSED
                if missing is not ABSENT:
                    cleaned[key] = missing()
            elif type(item) is kind:
                cleaned[key] = item
            else:
                item = check(item)
                if item is REFUSED:
                    return REFUSED
                cleaned[key] = item
        return cleaned

    def accept_extra(value: Any) -> Any:
        cleaned = accept(value)
        if cleaned is REFUSED:
            return REFUSED
        for key, item in value.items():
            if key in known:
                continue
            if catchall is None:
                return REFUSED
            item = catchall.accept(item)
            if item is REFUSED:
                return REFUSED
            cleaned[key] = item
        return cleaned

    return accept_extra if is_strict or catchall is not None else accept


def _first(found: Iterable[list[Issue]]) -> list[Issue]:
    """Return the issues of a value's parts, up to the number that a refusal lists."""
    issues: list[Issue] = []
    for each in found:
        issues += each
        if len(issues) >= ISSUES_MAX:
            break
    return issues


def _is_null(schema: Any) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") == "null"


def _discriminator(schemas: list[Any]) -> str | None:
    """Return the property that is a different constant in every branch, or None."""
    each: list[Mapping[str, Any]] = [
        schema["properties"]
        for schema in schemas
        if isinstance(schema, Mapping) and isinstance(schema.get("properties"), Mapping)
    ]
    if not each or len(each) < len(schemas):
        return None
    for key in each[0]:
        parts = [properties.get(key) for properties in each]
        if all(isinstance(part, Mapping) and "const" in part for part in parts):
            return str(key)
    return None
