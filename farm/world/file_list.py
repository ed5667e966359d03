"""Lists of the files of an app's part of a world, made of their declarations: for a terminal, programs and the docs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from farm.appkit.world_spec.spec_file import TYPES, Entry, Key, SpecFile
from farm.world.generators import files, generators
from farm.world.writing.batches import WRITE

HEAD = """# Files of a world

<!-- `python -m farm world files --markdown` writes this page; a test holds it equal to the declarations. -->

What `spec/<app>/` may hold, app by app. A file, entry or key in **bold** is required. [worlds.md](worlds.md) explains
days, references and talk; `farm world files APP` prints the files of one app.

## Types

"""


_BESIDE = "\n## Beside world.toml\n"


def file_list(app: str) -> list[dict[str, Any]]:
    """Return the files of an app as JSON: path, meaning, required, entries with their keys."""
    return [
        {
            "file": file.path,
            "meaning": file.meaning,
            "required": file.is_required,
            "entries": [
                {
                    "entry": name,
                    "meaning": entry.meaning,
                    "many": entry.is_list,
                    "required": entry.is_required,
                    "keys": [
                        {
                            "key": key.name,
                            "type": key.type,
                            "required": key.is_required,
                            "default": key.default or None,
                            "meaning": key.meaning,
                        }
                        for key in entry.keys
                    ],
                }
                for name, entry in _entries(file)
            ],
        }
        for file in files(app)
    ]


def _entries(file: SpecFile) -> Iterator[tuple[str, Entry]]:
    """Yield the entries of a file, and those nested in them as ``databases.sources``."""
    for name, entry in file.entries.items():
        yield from _with_nested(name, entry)


def _with_nested(name: str, entry: Entry) -> Iterator[tuple[str, Entry]]:
    yield name, entry
    for inner, each in entry.nested.items():
        yield from _with_nested(f"{name}.{inner}", each)


def lines_of(app: str) -> Iterator[str]:
    """Yield the files of an app as lines for a terminal."""
    for file in files(app):
        yield f"{file.path}{'' if file.is_required else '?'}  {file.meaning}"
        for name, entry in _entries(file):
            yield from _entry_lines(name, entry)


def _entry_lines(name: str, entry: Entry) -> Iterator[str]:
    if name:
        yield f"  {f'[[{name}]]' if entry.is_list else f'[{name}]'}{_mark(entry)}  {entry.meaning}"
    width = max((len(key.name) for key in entry.keys), default=0) + 1
    for key in entry.keys:
        shown = f"{key.name}{'' if key.is_required else '?'}"
        yield f"    {shown:<{width}} {key.type:<9} {key.meaning}{_default(key)}"


def _mark(entry: Entry) -> str:
    return "" if entry.is_required else "?"


def _default(key: Key) -> str:
    return f" (default: {key.default})" if key.default else ""


def page() -> str:
    """Return docs/world-files.md."""
    types = "".join(f"| `{name}` | {each.meaning} | `{each.example}` |\n" for name, each in TYPES.items())
    parts = [HEAD, "| type | a value | example |\n| --- | --- | --- |\n", types]
    for app in sorted(generators()):
        parts.append(f"\n## {app}\n")
        parts += (_section(file) for file in files(app))
    return "".join((*parts, _BESIDE, _section(WRITE)))


def _section(file: SpecFile) -> str:
    name = f"**`{file.path}`**" if file.is_required else f"`{file.path}`"
    lines = [f"\n{name}: {file.meaning}.\n"]
    for key, entry in _entries(file):
        if key:
            shown = f"`[[{key}]]`" if entry.is_list else f"`[{key}]`"
            lines.append(f"\n{f'**{shown}**' if entry.is_required else shown}: {entry.meaning}\n")
        lines.append("\n| key | type | meaning |\n| --- | --- | --- |\n")
        for each in entry.keys:
            named = f"**`{each.name}`**" if each.is_required else f"`{each.name}`"
            lines.append(f"| {named} | {each.type} | {each.meaning}{_default(each)} |\n")
    return "".join(lines)
