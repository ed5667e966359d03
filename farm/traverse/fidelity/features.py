"""Compare what a captured server declares and lists with what an app does, apart from sentences.

A capture is the tools.json that ``farm traverse capture`` writes. Descriptions and instructions are left out: an app's
are its own words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from farm.appkit.server_features import HANDSHAKE_REVISIONS
from farm.appkit.tool_schemas import structure
from farm.content import LoadedApp
from farm.errors import FarmError

# The key of each list, and the field by which its entries are known.
_LISTS = {"tools": "name", "prompts": "name", "resources": "uri", "resourceTemplates": "uriTemplate"}
_SCHEMAS = ("inputSchema", "outputSchema")


def read_capture(path: Path) -> dict[str, Any]:
    """Return the content of a captured tools.json.

    Raises:
        FarmError: the file cannot be read, or is no capture.
    """
    try:
        wire = json.loads(path.read_bytes())
    except (OSError, ValueError) as problem:
        raise FarmError(f"{path} cannot be read: {problem}") from None
    if (
        not isinstance(wire, dict)
        or not isinstance(wire.get("server"), dict)
        or not isinstance(wire.get("tools"), list)
    ):
        raise FarmError(f"{path} is no capture; 'farm traverse capture' writes one")
    return wire


def compare_features(captured: Mapping[str, Any], loaded: LoadedApp) -> dict[str, Any]:
    """Return how many facts about a server agree, and those that do not: ``fact``, ``captured``, ``ours``."""
    theirs, ours = dict(_facts(captured)), dict(_facts(_wire(loaded)))
    names = list(dict.fromkeys((*theirs, *ours)))
    differences = [
        {"fact": name, "captured": theirs.get(name), "ours": ours.get(name)}
        for name in names
        if theirs.get(name) != ours.get(name)
    ]
    return {"facts": len(names), "same": len(names) - len(differences), "differences": differences}


def _wire(loaded: LoadedApp) -> dict[str, Any]:
    """Return an app's features as a capture of the app has them."""
    features = loaded.features
    lists = {
        "tools": loaded.tool_schemas,
        "prompts": features.prompts,
        "resources": features.resources,
        "resourceTemplates": features.templates,
    }
    return {
        "server": loaded.server,
        "protocol": features.agreed_protocol(HANDSHAKE_REVISIONS[-1]),
        "capabilities": features.capabilities,
        "instructions": loaded.instructions,
        **{key: entries for key, entries in lists.items() if entries is not None},
    }


def _facts(wire: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield names and values of facts; values are JSON without sentences."""
    yield "protocol", wire.get("protocol")
    yield "has instructions", bool(wire.get("instructions"))
    for key, value in wire["server"].items():
        if key != "description":
            yield f"server.{key}", value
    for key, value in (wire.get("capabilities") or {}).items():
        yield f"capabilities.{key}", value
    for kind, name in _LISTS.items():
        entries = wire.get(kind)
        if entries is not None:
            # A server that lists nothing differs from one without the list.
            yield kind, len(entries)
            for entry in entries:
                yield f"{kind} {entry[name]}", _without_sentences(entry)


def _without_sentences(entry: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: structure(value) if key in _SCHEMAS else value for key, value in entry.items()}
    found.pop("description", None)
    if isinstance(found.get("arguments"), list):
        found["arguments"] = [
            {key: value for key, value in each.items() if key != "description"} for each in found["arguments"]
        ]
    return found
