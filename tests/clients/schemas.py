"""Compares the tools that a framework sends to a model with those that the servers list."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Sent = Callable[[str], list[dict[str, Any]] | None]
_WORDS = re.compile(r"[^0-9A-Za-z]+")


@dataclass(frozen=True)
class Losses:
    """What a framework loses of the tools.

    Attributes:
        total: how many tools the servers list.
        sent: how many of them the framework sends when they come from one server.
        refused: the tools with which it fails, as ``app: tool``.
        arguments, enums, required: how many tools lose an argument, an enumeration or a required argument.
    """

    total: int
    sent: int
    refused: tuple[str, ...]
    arguments: int
    enums: int
    required: int

    def sentence(self) -> str:
        """Return this in words."""
        lost = f"{self.arguments} lose arguments, {self.enums} enums, {self.required} required"
        bad = f"; fails with {', '.join(self.refused)}" if self.refused else ""
        return f"{self.sent} of {self.total} tools are sent, {lost}{bad}"


def compare(
    whole: Mapping[str, Sequence[Mapping[str, Any]]],
    together: Sequence[Mapping[str, Any]],
    urls: Mapping[str, str],
    joint: str,
    sent: Sent,
) -> Losses:
    """Return what a framework loses of every app's tools.

    Args:
        whole: app → its tools as listed.
        together: the tools as the joint server lists them.
        urls: app → its address.
        joint: the address of all apps.
        sent: returns the tools that the framework sends to a model for an address, None if it fails.
    """
    total = sum(map(len, whole.values()))
    found = sent(joint)
    refused: list[str] = []
    names = {str(tool["name"]): tool for tool in together}
    if found is None:
        found, names = [], {}
        for app, tools in whole.items():
            told = sent(urls[app])
            bad: list[str] = []
            if told is None:
                bad = [tool["name"] for tool in tools if sent(f"{urls[app]}?menu=={tool['name']}") is None]
                rest = [tool["name"] for tool in tools if tool["name"] not in bad]
                told = sent(f"{urls[app]}?menu=={','.join(rest)}") if rest else []
            refused += [f"{app}: {name}" for name in bad]
            found += told or []
            names |= {tool["name"]: tool for tool in tools if tool["name"] not in bad}
    losses = [_lost(tool, _schema(given)) for name, tool in names.items() if (given := _match(name, found)) is not None]
    return Losses(
        total,
        len(losses),
        tuple(refused),
        sum(bool(each[0]) for each in losses),
        sum(bool(each[1]) for each in losses),
        sum(bool(each[2]) for each in losses),
    )


def _match(name: str, found: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    wished = _WORDS.sub("_", name)
    for tool in _flat(found):
        told = _WORDS.sub("_", str(tool.get("name")))
        if told == wished or told.endswith(f"_{wished}"):
            return tool
    return None


def _flat(found: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the declarations of OpenAI's and Gemini's forms."""
    flat: list[Mapping[str, Any]] = []
    for each in found:
        flat += each.get("functionDeclarations") or [each.get("function") or each]
    return flat


def _schema(tool: Mapping[str, Any]) -> Any:
    keys = ("parameters", "input_schema", "parametersJsonSchema", "parameters_json_schema")
    return next((tool[key] for key in keys if isinstance(tool.get(key), Mapping)), {})


def _lost(tool: Mapping[str, Any], schema: Any) -> tuple[set[str], set[str], set[str]]:
    """Return the places of arguments, enumerations and required arguments that a schema no longer has."""
    before, after = _places(tool["inputSchema"], tool["inputSchema"], ""), _places(schema, schema, "")
    return before[0] - after[0], before[1] - after[1], before[2] - after[2]


def _places(schema: Any, root: Any, place: str, depth: int = 0) -> tuple[set[str], set[str], set[str]]:
    arguments: set[str] = set()
    enums: set[str] = set()
    required: set[str] = set()
    if not isinstance(schema, Mapping) or depth > 12:
        return arguments, enums, required
    if isinstance(reference := schema.get("$ref"), str) and reference.startswith("#/"):
        target: Any = root
        for part in reference[2:].split("/"):
            target = target.get(part, {}) if isinstance(target, Mapping) else {}
        return _places(target, root, place, depth + 1)
    if "enum" in schema or "const" in schema:
        enums.add(place)
    for name, each in (schema.get("properties") or {}).items():
        arguments.add(f"{place}.{name}")
        if name in (schema.get("required") or ()):
            required.add(f"{place}.{name}")
        _add((arguments, enums, required), _places(each, root, f"{place}.{name}", depth + 1))
    for key in ("anyOf", "oneOf", "allOf"):
        for each in schema.get(key) or ():
            _add((arguments, enums, required), _places(each, root, place, depth + 1))
    _add((arguments, enums, required), _places(schema.get("items"), root, f"{place}[]", depth + 1))
    return arguments, enums, required


def _add(to: tuple[set[str], ...], more: tuple[set[str], ...]) -> None:
    for mine, theirs in zip(to, more, strict=True):
        mine |= theirs
