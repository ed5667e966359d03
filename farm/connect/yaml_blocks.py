"""One table of a YAML file, edited as text: the standard library has no YAML.

Only the plain form is edited, a key at the left and its entries indented below, as the client itself writes it. Any
other form is refused and left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from farm.errors import FarmError

_ENTRY = re.compile(r"""^(\s+)(?:"([^"]+)"|'([^']+)'|([^\s#:"'][^:#]*?)):\s*(?:#.*)?$""")
_PAIR = re.compile(r"^\s+([A-Za-z_][\w-]*):\s*(\S.*?)\s*$")
_INDENT = "  "


class YamlTable:
    """A table of a file: the lines before it, its entries, and the lines after it."""

    def __init__(self, text: str, key: str, where: str) -> None:
        """Find the table.

        Raises:
            FarmError: it has another form than the one that can be edited.
        """
        self._key = key
        lines = text.splitlines()
        heads = [number for number, line in enumerate(lines) if re.match(rf"{re.escape(key)}\s*:", line)]
        self.before = lines if not heads else lines[: heads[0]]
        self.blocks: dict[str, list[str]] = {}
        self._lead: list[str] = []
        self.after: list[str] = []
        if not heads:
            return
        if (
            len(heads) > 1
            or "\t" in text
            or not re.match(rf"{re.escape(key)}:\s*(\{{\s*\}})?\s*(#.*)?$", lines[heads[0]])
        ):
            raise FarmError(
                f"'{key}' in {where} cannot be edited, so the file is left as it is; enter the servers by hand"
            )
        self._read(lines[heads[0] + 1 :], where)

    def _read(self, lines: list[str], where: str) -> None:
        indent, name = "", ""
        for number, line in enumerate(lines):
            if line[:1] not in ("", " ", "#"):
                self.after = lines[number:]
                return
            found = _ENTRY.match(line)
            if found and (not indent or found[1] == indent):
                indent, name = found[1], next(filter(None, found.groups()[1:]))
                self.blocks[name] = [line]
            elif name:
                self.blocks[name].append(line)
            elif line.strip() and not line.strip().startswith("#"):
                raise FarmError(f"'{self._key}' in {where} cannot be edited, so the file is left as it is")
            else:
                self._lead.append(line)

    def entries(self) -> dict[str, dict[str, Any]]:
        """Return name → the entry's texts."""
        return {
            name: {found[1]: _value(found[2]) for line in block[1:] if (found := _PAIR.match(line))}
            for name, block in self.blocks.items()
        }

    def put(self, entries: Mapping[str, Mapping[str, Any]]) -> None:
        """Put entries in; those of the same name go."""
        indent = next((block[0][: len(block[0]) - len(block[0].lstrip())] for block in self.blocks.values()), _INDENT)
        for name, entry in entries.items():
            pairs = [f"{indent}{_INDENT}{key}: {orjson.dumps(value).decode()}" for key, value in entry.items()]
            self.blocks[name] = [f"{indent}{name}:", *pairs]

    def drop(self, names: Iterable[str]) -> None:
        """Take entries out."""
        for name in names:
            self.blocks.pop(name, None)

    def text(self) -> str:
        """Return the whole file."""
        lines = [line for block in self.blocks.values() for line in block]
        head = [f"{self._key}:" if lines else f"{self._key}: {{}}"]
        return "\n".join([*self.before, *head, *self._lead, *lines, *self.after]) + "\n"


def _value(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text.strip("'")
