"""pydantic models, rebuilt from the JSON Schema that pydantic published: pydantic itself validates and words errors.

Only dialects that validate with pydantic import it, so that other apps do not pay for it.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial, reduce
from inspect import Parameter, Signature
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, ForwardRef, Literal, Union, cast

from farm.appkit.dialects._base import ISSUES_MAX
from farm.appkit.dialects._values import copy_json, resolve_pointer

if TYPE_CHECKING:
    from pydantic import BaseModel

Schema = Mapping[str, Any]

_MORE_INFORMATION = re.compile(r"^(    For further information visit https://errors\.pydantic\.dev/)[^/\n]*", re.M)
_LINK = re.compile(r"^    For further information visit .*$", re.M)
_MANY = 1000
_LIMITS = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
    "minLength": "min_length",
    "maxLength": "max_length",
    "pattern": "pattern",
    "minItems": "min_length",
    "maxItems": "max_length",
}
_SCALARS: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "null": type(None)}


@dataclass(frozen=True)
class ArgumentModel:
    """The model of one tool's arguments.

    Attributes:
        model: a model whose fields have generated names, as an argument may have any name. The real names are aliases,
            which errors use.
        names: argument → field.
        texts: the arguments declared as plain text, in which newer SDKs do not look for JSON.
        is_free: whether some part accepts any JSON, which the model passes on without a copy.
        brief: the same model, which stops at the first invalid item of each list and each record.
    """

    model: type[BaseModel]
    brief: type[BaseModel]
    names: Mapping[str, str]
    texts: frozenset[str]
    is_free: bool

    def validate(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the cleaned arguments.

        Raises:
            pydantic.ValidationError: as in the real server, except for the version in its links.
        """
        # pydantic collects an error of a few hundred bytes for each invalid item: for many items, too much to report.
        model = self.brief if _has_many(arguments) else self.model
        read = model.model_validate(arguments).__dict__
        cleaned = {name: read[field] for name, field in self.names.items() if read[field] is not _UNSET}
        return _to_json_value(copy_json(cleaned)) if self.is_free else cleaned


class _Unset:
    """A sentinel for an argument that has no default and was not given."""

    def __repr__(self) -> str:
        return "UNSET"

    def __deepcopy__(self, _memo: Any) -> _Unset:
        return self


_UNSET = _Unset()


@cache
def import_pydantic() -> None:
    """Import pydantic, so that the first call does not pay for it."""
    argument_model("Nothing", {})


def argument_model(title: str, schema: Schema) -> ArgumentModel:
    """Make the model of a tool's arguments.

    Args:
        title: the model's name if the schema has no title.
        schema: the tool's inputSchema.
    """
    maker = _Maker(schema)
    model, names = maker.model(schema.get("title", title), schema)
    maker.complete()
    brief_maker = _Maker(schema, is_brief=True)
    brief, _ = brief_maker.model(schema.get("title", title), schema)
    brief_maker.complete()
    properties = schema.get("properties", {})
    texts = frozenset(name for name, part in properties.items() if maker.annotation(part, name) is str)
    return ArgumentModel(model, brief, names, texts, maker.is_free)


@dataclass(frozen=True)
class SignatureModel:
    """The model of a function's named arguments, as pydantic validates a call of the function itself.

    Attributes:
        validators: one that reports everything, and one that stops at the first invalid item of each list and record.
        is_free: whether some part accepts any JSON, which the validator passes on without a copy.
    """

    validators: tuple[Callable[[Any], dict[str, Any]], Callable[[Any], dict[str, Any]]]
    is_free: bool

    def validate(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the cleaned arguments.

        Raises:
            pydantic.ValidationError: as in the real server, except for the version in its links.
        """
        read = self.validators[_has_many(arguments)](arguments)
        return _to_json_value(copy_json(read)) if self.is_free else read


def signature_model(tool: str, schema: Schema) -> SignatureModel:
    """Make the model of a tool that is a function whose signature pydantic validates.

    Args:
        tool: the function's name, which the errors show.
        schema: the tool's inputSchema.
    """
    whole, is_free = _call_validator(tool, schema, is_brief=False)
    brief, _ = _call_validator(tool, schema, is_brief=True)
    return SignatureModel((whole, brief), is_free)


def _call_validator(tool: str, schema: Schema, *, is_brief: bool) -> tuple[Callable[[Any], dict[str, Any]], bool]:
    from pydantic import TypeAdapter

    maker = _Maker(schema, is_brief=is_brief)
    required = schema.get("required", ())
    parameters, kinds = [], {}
    for name, part in schema.get("properties", {}).items():
        kinds[name] = maker.annotation(part, name)
        default = part.get("default", _UNSET) if isinstance(part, Mapping) else _UNSET
        bare = Parameter.empty if name in required else default
        parameters.append(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=bare, annotation=kinds[name]))
    maker.complete()
    # As in any Python function; in the sort, others keep the schema's order.
    signature = Signature(sorted(parameters, key=lambda each: each.default is not Parameter.empty))

    def call(*values: Any, **given: Any) -> dict[str, Any]:
        found = signature.bind(*values, **given).arguments
        return {name: value for name, value in found.items() if value is not _UNSET}

    call.__name__ = call.__qualname__ = tool
    call.__annotations__ = kinds
    call.__signature__ = signature  # type: ignore[attr-defined] # what inspect.signature reads
    adapter: TypeAdapter[dict[str, Any]] = TypeAdapter(cast(Any, call))
    return adapter.validate_python, maker.is_free


def _has_many(arguments: Any) -> bool:
    """Return whether any list or object in here has more than a thousand items; iterative."""
    pending = [arguments]
    while pending:
        holder = pending.pop()
        if len(holder) > _MANY:
            return True
        items = holder.values() if isinstance(holder, Mapping) else holder
        pending.extend(item for item in items if type(item) is list or type(item) is dict)
    return False


def _one_by_one(value: Any, read: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """Validate a record item by item, up to the first invalid one."""
    if type(value) is not dict:
        return read(value)
    return {name: kept for key, item in value.items() for name, kept in read({key: item}).items()}


def first_issues(text: str) -> str:
    """Truncate the text of pydantic's error to the issues that a refusal may list."""
    ends = [found.end() for found in islice(_LINK.finditer(text), ISSUES_MAX)]
    return text[: ends[-1]] if len(ends) == ISSUES_MAX else text


def linked_to(text: str, release: str) -> str:
    """Replace the version of pydantic in the links of an error's text."""
    return _MORE_INFORMATION.sub(lambda found: found[1] + release, text)


class _Maker:
    """Builds the types of one document; holds its root to resolve local references."""

    def __init__(self, root: Schema, *, is_brief: bool = False) -> None:
        self._root = root
        self._is_brief = is_brief
        self._named: dict[str, Any] = {}
        self._open: dict[str, str] = {}
        self._models: list[type[BaseModel]] = []
        self.is_free = False

    def model(self, title: str, schema: Schema) -> tuple[type[BaseModel], dict[str, str]]:
        """Make a model; return it with argument → field."""
        from pydantic import Field, create_model

        required = schema.get("required", ())
        fields: dict[str, Any] = {}
        names: dict[str, str] = {}
        for n, (name, part) in enumerate(schema.get("properties", {}).items()):
            names[name] = f"a{n}"
            kind = self.annotation(part, name)
            if name in required:
                fields[f"a{n}"] = (kind, Field(alias=name))
            else:
                default = part.get("default", _UNSET) if isinstance(part, Mapping) else _UNSET
                fields[f"a{n}"] = (kind, Field(alias=name, default_factory=partial(copy_json, default)))
        model: type[BaseModel] = create_model(title, **fields)
        self._models.append(model)
        return model, names

    def annotation(self, schema: Any, name: str = "") -> Any:
        """Make the type that has this published schema."""
        if not isinstance(schema, Mapping):
            return self._anything()
        if isinstance(schema.get("$ref"), str):
            return self._reference(schema["$ref"])
        if "const" in schema:
            return Literal[schema["const"]]
        if isinstance(schema.get("enum"), list):
            return Literal[tuple(schema["enum"])]
        for keyword in ("anyOf", "oneOf", "allOf"):
            if isinstance(schema.get(keyword), list) and schema[keyword]:
                return self._union(schema, [self.annotation(part) for part in schema[keyword]])
        kind = schema.get("type")
        if isinstance(kind, list):
            return self._union(schema, [self.annotation({**schema, "type": each}) for each in kind])
        if kind == "string" and name and schema.get("title") == name:
            return self._anything()  # the SDK's schema for an argument without annotation
        return self._limited(schema, self._by_type(schema, kind))

    def _by_type(self, schema: Schema, kind: Any) -> Any:
        from pydantic import Field

        if kind == "array":
            if isinstance(schema.get("prefixItems"), list):
                return tuple[tuple(self.annotation(part) for part in schema["prefixItems"])]  # type: ignore[misc]
            if not schema.get("items"):
                self.is_free = True
                return list
            items: Any = list[self.annotation(schema["items"])]  # type: ignore[misc]
            return Annotated[items, Field(fail_fast=True)] if self._is_brief else items
        if kind == "object":
            return self._object(schema)
        return _SCALARS[kind] if kind in _SCALARS else self._anything()

    def _object(self, schema: Schema) -> Any:
        from pydantic import WrapValidator

        self.is_free = True
        if schema.get("properties"):
            return self.model(str(schema.get("title", "Model")), schema)[0]
        values = schema.get("additionalProperties", True)
        if not isinstance(values, Mapping) or not values:
            return dict[str, Any]
        read: Any = dict[str, self.annotation(values)]  # type: ignore[misc]
        return Annotated[read, WrapValidator(_one_by_one)] if self._is_brief else read

    def _anything(self) -> Any:
        self.is_free = True
        return Any

    def _limited(self, schema: Schema, kind: Any) -> Any:
        from pydantic import Field

        limits: dict[str, Any] = {_LIMITS[keyword]: limit for keyword, limit in schema.items() if keyword in _LIMITS}
        return Annotated[kind, Field(**limits)] if limits else kind

    def _union(self, schema: Schema, parts: list[Any]) -> Any:
        from pydantic import Field

        union = reduce(lambda left, right: Union[left, right], parts)  # noqa: UP007 - made while running
        tag = schema.get("discriminator")
        if isinstance(tag, Mapping) and "propertyName" in tag:
            return Annotated[union, Field(discriminator=str(tag["propertyName"]))]
        return union

    def complete(self) -> None:
        """Resolve the references of models that refer to themselves."""
        named = {self._open[reference]: kind for reference, kind in self._named.items()}
        for model in self._models:
            if not model.__pydantic_complete__:
                model.model_rebuild(force=True, _types_namespace=named)

    def _reference(self, reference: str) -> Any:
        """Resolve a reference; a recursive one becomes a name that ``complete`` resolves."""
        if reference in self._open and reference not in self._named:
            return ForwardRef(self._open[reference])
        if reference not in self._named:
            self._open[reference] = f"R{len(self._open)}"
            target, title = resolve_pointer(self._root, reference), reference.rsplit("/", 1)[-1]
            is_enum = isinstance(target, Mapping) and isinstance(target.get("enum"), list)
            if is_enum:
                self._named[reference] = enum.Enum(title, {f"m{n}": each for n, each in enumerate(target["enum"])})
            else:
                self._named[reference] = self.annotation(target)
        return self._named[reference]


def _to_json_value(value: Any) -> Any:
    """Convert models and enumerations into JSON values."""
    from pydantic import BaseModel

    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        read = {field.alias or name: value.__dict__[name] for name, field in fields.items()}
        return {name: _to_json_value(item) for name, item in read.items() if item is not _UNSET}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, dict):
        return {name: _to_json_value(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_to_json_value(item) for item in value]
    return value
