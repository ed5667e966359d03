"""What is wrong with a YAML text, in the words of the plugin's parser: the fault, where it is, and a picture of it.

Faults of entries are found here, line by line; those that PyYAML finds are worded in ``yaml_faults``, and what neither
knows has PyYAML's words in the same frame.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import yaml

from .yaml_faults import ENTRY, known_fault

_LINE_MAX = 80
_OPENING = {"[": ("Flow sequence", "]"), "{": ("Flow map", "}")}
_RESERVED = {
    "@": "Plain value cannot start with reserved character @",
    "`": "Plain value cannot start with reserved character `",
    "%": "Plain value cannot start with directive indicator character %",
}
_ALIAS = re.compile(r"found undefined alias '(.*)'")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|' + r"'(?:[^']|'')*'", re.DOTALL)


class YamlError(Exception):
    """The text is no YAML."""

    @classmethod
    def at(cls, said: str, text: str, index: int, end: int = 0) -> YamlError:
        """Return the error with its line, its column, the line itself and a pointer below it.

        Args:
            end: where what is wrong ends; the pointer is as long, on one line.
        """
        before = text[:index]
        line, column = before.count("\n") + 1, index - (before.rfind("\n") + 1) + 1
        lines = text.split("\n")
        shown, place = lines[line - 1], column - 1
        if place >= 60 and len(shown) > _LINE_MAX:
            cut = min(place - 39, len(shown) - 79)
            shown, place = f"…{shown[cut:]}", place - (cut - 1)
        if len(shown) > _LINE_MAX:
            shown = f"{shown[:79]}…"
        if line > 1 and not shown[:place].strip(" "):
            above = lines[line - 2]
            shown = f"{above if len(above) <= _LINE_MAX else above[:79] + '…'}\n{shown}"
        width = end - index if end > index and "\n" not in text[index:end] else 1
        pointer = "^" * max(1, min(width, _LINE_MAX - place))
        return cls(f"{said} at line {line}, column {column}:\n\n{shown}\n{' ' * place}{pointer}\n")


def explain(text: str, error: yaml.YAMLError) -> YamlError:
    """Return the error as the plugin's parser words it."""
    start = 0
    for line in text.split("\n"):
        entry = ENTRY.match(line)
        found = entry and _fault(text, start, entry["before"], entry["value"])
        if found:
            said, *place = found
            return YamlError.at(said, text, *place)
        start += len(line) + 1
    return _others(text, error)


def require_apart(text: str, ends: Iterable[int]) -> None:
    """Refuse comments that follow brackets or quotes without a blank.

    Raises:
        YamlError: there is one.
    """
    for end in sorted(ends):
        if text[end : end + 1] == "#":
            said = "Comments must be separated from other tokens by white space characters"
            raise YamlError.at(said, text, end, end + len(text[end:].split("\n", 1)[0]))


_Place = tuple[str, int] | tuple[str, int, int]


def require_indented(text: str, wrapped: Iterable[tuple[int, int, int]]) -> None:
    """Refuse brackets and quotes whose later lines are indented no deeper than the block that they are in.

    Args:
        wrapped: where each begins and ends, and the column of its block, -1 outside of blocks.

    Raises:
        YamlError: a line is too far left; one that begins with the closing bracket may be.
    """
    for start, end, indent in sorted(wrapped):
        place = text.find("\n", start) + 1
        while 0 < place < end:
            line = text[place:].split("\n", 1)[0]
            blank = len(line) - len(line.lstrip(" "))
            is_closing = text[start] in _OPENING and place + len(line.rstrip()) >= end - 1 and line.strip()[:1] in "]}"
            if line.strip() and blank <= indent and not is_closing and not line.lstrip().startswith("#"):
                if text[start] in _OPENING:
                    kind, closing = _OPENING[text[start]]
                    said = f"{kind} in block collection must be sufficiently indented and end with a {closing}"
                    raise YamlError.at(said, text, place + indent)
                raise YamlError.at(f"Missing closing {text[start]}quote", text, place - 1)
            place = text.find("\n", place) + 1


def _fault(text: str, start: int, before: str, value: str) -> _Place | None:
    """Return what is wrong with one entry of a mapping or list, where, and perhaps up to where."""
    at = start + len(before)
    look: dict[str, Callable[[], _Place | None]] = {
        **dict.fromkeys("[{", lambda: unclosed(text, start, at)),
        **dict.fromkeys("\"'", lambda: _badly_quoted(text, before, at)),
    }
    if value[0] in look:
        return look[value[0]]()
    if value[0] in _RESERVED:
        return _RESERVED[value[0]], at
    if value[0] in "]}":
        name = "flow-seq-end" if value[0] == "]" else "flow-map-end"
        return f'Unexpected {name} token in YAML stream: "{value[0]}"', at
    if before.rstrip().endswith(":") and (value == "-" or value.startswith("- ")):
        return "Unexpected block-seq-ind on same line with key", at
    is_plain = value[0] not in "|>&*!#"
    if is_plain and before.rstrip().endswith(":") and re.search(r":(?:[ \t]|$)", value.split(" #")[0]):
        return "Nested mappings are not allowed in compact mappings", at
    return None


def unclosed(text: str, start: int, at: int) -> tuple[str, int] | None:
    """Follow a list or mapping in brackets to where it ends, or to where it should have."""
    entry_indent = len(text[start:at]) - len(text[start:at].lstrip(" "))
    open_brackets: list[str] = []
    place = at
    while place < len(text):
        character = text[place]
        quoted = _QUOTED.match(text, place) if character in "\"'" and text[place - 1] in " [{,:" else None
        if quoted:
            place = quoted.end()
            continue
        if character in _OPENING:
            open_brackets.append(character)
        elif character in "]}":
            if not open_brackets:
                name = "flow-seq-end" if character == "]" else "flow-map-end"
                return f'Unexpected {name} token in YAML stream: "{character}"', place
            if _OPENING[open_brackets[-1]][1] != character:
                break
            open_brackets.pop()
        elif character == "\n":
            if not open_brackets:
                return None
            line = text[place + 1 :].split("\n", 1)[0]
            if line.strip() and len(line) - len(line.lstrip(" ")) <= entry_indent:
                place += 1 + entry_indent
                break
        place += 1
    if not open_brackets:
        return None
    kind, closing = _OPENING[open_brackets[-1]]
    return f"{kind} in block collection must be sufficiently indented and end with a {closing}", place


def _badly_quoted(text: str, before: str, at: int) -> _Place | None:
    quoted = _QUOTED.match(text, at)
    if quoted is None:
        return f"Missing closing {text[at]}quote", len(text)
    rest = text[quoted.end() :].split("\n", 1)[0]
    if before.rstrip().endswith(":") and re.search(r":(?:[ \t]|$)", rest.split(" #")[0]):
        return "Nested mappings are not allowed in compact mappings", at
    if rest.strip() and not re.match(r"\s+#|\s*:", rest):
        start = quoted.end() + len(rest) - len(rest.lstrip())
        return "Unexpected scalar at node end", start, start + len(rest.split(" #")[0].strip())
    return None


def _others(text: str, error: yaml.YAMLError) -> YamlError:
    mark, problem = getattr(error, "problem_mark", None), str(getattr(error, "problem", error))
    if alias := _ALIAS.fullmatch(problem):
        return YamlError(f"Unresolved alias (the anchor must be set before the alias): {alias[1]}")
    if mark is None:
        return YamlError(str(error))
    line = text[: mark.index].rfind("\n") + 1
    if text[line : mark.index + 1].startswith("\t"):
        return YamlError.at("Tabs are not allowed as indentation", text, line)
    if fault := known_fault(text, error):
        placed = YamlError.at(fault.said, text, fault.start, fault.end)
        return placed if fault.is_placed else YamlError(fault.said)
    return YamlError.at(problem, text, min(mark.index, len(text)))
