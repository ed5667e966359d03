"""How a person of a world writes, in one line for a prompt: from ``voices.toml`` beside ``world.toml``."""

from __future__ import annotations

import tomllib

from farm.context.template import World

_FILE = "voices.toml"
_MEASURES = {"full_stops": "full stops", "lower_case": "begins in lower case", "one_emoji": "an emoji alone"}


def voice_of(world: World, person: str) -> str:
    """Return how a person writes; empty if the world does not say."""
    for path in (folder / _FILE for folder in world.folders):
        entries = tomllib.loads(path.read_text("utf-8")).get("voices", []) if path.is_file() else []
        for each in entries:
            if each.get("person") == person:
                often = [f"{name}: {each[key]}" for key, name in _MEASURES.items() if each.get(key)]
                return f"Writes like this: {'; '.join([*map(str, each.get('habits', ())), *often])}."
    return ""
