"""The conditions of a run, under the names of ``farm run``'s options: what arms are told apart by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.appkit.app import LATEST

# Option → its value in a run that does not name it. Manifests of older versions lack some.
DEFAULTS: Mapping[str, Any] = {
    "prompt": "person-2",
    "skills": [],
    "context": "necessary",
    "menu": "selected",
    "distractors": "",
    "profile": LATEST,
}


def conditions(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return a run's value of each option; of a menu ``k=N:KIND``, the kind is the option ``distractors``."""
    found = {name: manifest.get(name, default) for name, default in DEFAULTS.items()}
    found["skills"] = [each["name"] for each in manifest.get("skills", ())]
    found["menu"], _, found["distractors"] = found["menu"].partition(":")
    if "context" not in manifest:
        found["context"] = "+unnecessary" if manifest.get("unnecessary") else "necessary"
    return found


def differing(found: Mapping[str, Any], ignored: frozenset[str] = frozenset()) -> str:
    """Return the options that differ from the defaults, in words; empty if none does."""
    parts = [
        f"{name} {'+'.join(value) if isinstance(value, list) else value}"
        for name, value in found.items()
        if name not in ignored and value != DEFAULTS[name]
    ]
    return ", ".join(parts)
