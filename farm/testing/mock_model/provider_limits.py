"""Refuses what the providers' APIs refuse, so that a test on a mock model does not pass what fails on a real one.

Only refusals that a client meets by its tools and its conversation: names, numbers and schemas of tools, and results
that are missing. The messages are ours; each names the provider.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from farm.testing.mock_model.conversation import UnanswerableError

_COMBINATIONS = ("oneOf", "anyOf", "allOf")


@dataclass(frozen=True)
class Provider:
    """What one provider takes.

    Attributes:
        name: the provider's name.
        tool_name: the pattern of tools' names.
        tools_max: the maximum number of tools, or None.
        top_level: the keywords that a tool's schema must not have at the top.
    """

    name: str
    tool_name: re.Pattern[str]
    tools_max: int | None
    top_level: tuple[str, ...]


OPENAI = Provider("OpenAI", re.compile(r"[A-Za-z0-9_-]{1,64}"), 128, (*_COMBINATIONS, "enum", "not"))
ANTHROPIC = Provider("Anthropic", re.compile(r"[A-Za-z0-9_-]{1,128}"), None, _COMBINATIONS)
GEMINI = Provider("Gemini", re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}"), None, ())


class ProviderRefusalError(UnanswerableError):
    """The real provider would refuse this request."""


def require_tools(provider: Provider, tools: Iterable[tuple[str, Any]]) -> None:
    """Require that a provider takes these tools: pairs of name and schema.

    Raises:
        ProviderRefusalError: it would refuse them.
    """
    given = list(tools)
    if provider.tools_max is not None and len(given) > provider.tools_max:
        raise ProviderRefusalError(
            f"{provider.name} takes {provider.tools_max} tools in a request, and these are {len(given)}; "
            "offer fewer, such as by a menu"
        )
    seen: set[str] = set()
    for name, schema in given:
        if not provider.tool_name.fullmatch(name):
            raise ProviderRefusalError(
                f"{provider.name} refuses the tool name '{name[:160]}' ({len(name)} letters); "
                f"it takes {provider.tool_name.pattern}"
            )
        if name in seen:
            raise ProviderRefusalError(f"{provider.name} refuses two tools of one name, '{name}'")
        seen.add(name)
        _require_schema(provider, name, schema)


def _require_schema(provider: Provider, name: str, schema: Any) -> None:
    if provider is GEMINI or schema is None:
        return
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        raise ProviderRefusalError(f"{provider.name} refuses the schema of '{name}': its type must be \"object\"")
    if found := [each for each in provider.top_level if each in schema]:
        raise ProviderRefusalError(f"{provider.name} refuses the schema of '{name}': '{found[0]}' at its top level")
    if provider is OPENAI and (place := _array_without_items(schema, "")) is not None:
        raise ProviderRefusalError(f"OpenAI refuses the schema of '{name}': the array at '{place}' has no 'items'")


def _array_without_items(schema: Any, place: str) -> str | None:
    """Return the first place where an array's items are not declared, or None."""
    if isinstance(schema, Sequence) and not isinstance(schema, str):
        return next((found for each in schema if (found := _array_without_items(each, place)) is not None), None)
    if not isinstance(schema, Mapping):
        return None
    if schema.get("type") == "array" and "items" not in schema and "prefixItems" not in schema:
        return place
    for name, each in (schema.get("properties") or {}).items():
        if (found := _array_without_items(each, f"{place}.{name}".lstrip("."))) is not None:
            return found
    inner = [schema.get("items"), *(schema.get(each) for each in _COMBINATIONS)]
    return next((found for each in inner if (found := _array_without_items(each, place)) is not None), None)


def require_strict(name: str, schema: Any, place: str = "") -> None:
    """Require that a schema is one that OpenAI takes with ``strict``.

    Raises:
        ProviderRefusalError: an object is open, or a property is optional.
    """
    if isinstance(schema, Sequence) and not isinstance(schema, str):
        for each in schema:
            require_strict(name, each, place)
        return
    if not isinstance(schema, Mapping):
        return
    properties = schema.get("properties") or {}
    where = f" at '{place}'" if place else ""
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            raise ProviderRefusalError(f"OpenAI refuses '{name}' as strict: additionalProperties must be false{where}")
        if missing := sorted(set(properties) - set(schema.get("required") or ())):
            raise ProviderRefusalError(f"OpenAI refuses '{name}' as strict: '{missing[0]}' must be required{where}")
    for key, each in properties.items():
        require_strict(name, each, f"{place}.{key}".lstrip("."))
    for inner in (schema.get("items"), *(schema.get(each) for each in _COMBINATIONS)):
        require_strict(name, inner, place)


def require_results(provider: Provider, wanted: Sequence[str], given: Sequence[str]) -> None:
    """Require a result for every call of the model's turn, in what comes next.

    Raises:
        ProviderRefusalError: one is missing.
    """
    missing = [each for each in wanted if each and each not in given]
    if missing:
        raise ProviderRefusalError(
            f"{provider.name} refuses a conversation in which the call '{missing[0]}' has no result after it"
        )
