"""What is wrong with a YAML text, in the words of the plugin's parser: the fault, where it is, and a picture of it.

The commonest faults of frontmatter have the parser's own words; of the others PyYAML's are shown in the same frame.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import yaml

_LINE_MAX = 80
_ENTRY = re.compile(r"^(?P<before>[ ]*(?:- +)*[^\s\"'#\[{][^\n]*?:[ ]+|[ ]*(?:- +)+)(?P<value>\S.*)$")
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
    def at(cls, said: str, text: str, index: int) -> YamlError:
        """Return the error with its line, its column, the line itself and a pointer below it."""
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
        return cls(f"{said} at line {line}, column {column}:\n\n{shown}\n{' ' * place}^\n")


def explain(text: str, error: yaml.YAMLError) -> YamlError:
    """Return the error as the plugin's parser words it."""
    start = 0
    for line in text.split("\n"):
        entry = _ENTRY.match(line)
        found = entry and _fault(text, start, entry["before"], entry["value"])
        if found:
            return YamlError.at(found[0], text, found[1])
        start += len(line) + 1
    return _others(text, error)


def _fault(text: str, start: int, before: str, value: str) -> tuple[str, int] | None:
    """Return what is wrong with one entry of a mapping or list, and where."""
    at = start + len(before)
    look: dict[str, Callable[[], tuple[str, int] | None]] = {
        **dict.fromkeys("[{", lambda: _unclosed(text, start, at)),
        **dict.fromkeys("\"'", lambda: _badly_quoted(text, at)),
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


def _unclosed(text: str, start: int, at: int) -> tuple[str, int] | None:
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
            if not open_brackets or _OPENING[open_brackets[-1]][1] != character:
                name = "flow-seq-end" if character == "]" else "flow-map-end"
                return f'Unexpected {name} token in YAML stream: "{character}"', place
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
    kind, closing = _OPENING[open_brackets[0]]
    return f"{kind} in block collection must be sufficiently indented and end with a {closing}", place


def _badly_quoted(text: str, at: int) -> tuple[str, int] | None:
    quoted = _QUOTED.match(text, at)
    if quoted is None:
        return f"Missing closing {text[at]}quote", len(text)
    rest = text[quoted.end() :].split("\n", 1)[0]
    if rest.strip() and not re.match(r"\s+#|\s*:", rest):
        return "Unexpected scalar at node end", quoted.end() + len(rest) - len(rest.lstrip())
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
    if problem == "could not find expected ':'" and (context := getattr(error, "context_mark", None)):
        is_last = not text[text.find("\n", context.index) :].strip() or "\n" not in text[context.index :]
        said = "map keys need to be followed by map values" if is_last else "keys need to be on a single line"
        return YamlError.at(f"Implicit {said}", text, context.index)
    if problem == "mapping values are not allowed here" and (before := _line_before(text, line)):
        entry = _ENTRY.match(before[1])
        is_inside = text.startswith(" ", line)
        if entry and is_inside:
            return YamlError.at(
                "Nested mappings are not allowed in compact mappings", text, before[0] + len(entry["before"])
            )
        if not entry and not is_inside:
            return YamlError.at("Implicit keys need to be on a single line", text, before[0])
    return YamlError.at(problem, text, min(mark.index, len(text)))


def _line_before(text: str, line: int) -> tuple[int, str] | None:
    """Return where the line above begins, and that line."""
    if line == 0:
        return None
    start = text.rfind("\n", 0, line - 1) + 1
    return start, text[start : line - 1]
