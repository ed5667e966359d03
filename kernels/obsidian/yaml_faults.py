"""PyYAML's faults as the plugin's parser tells them: its words, where a fault is and how far it reaches."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import yaml

_ENDS = {"]": "flow-seq-end", "}": "flow-map-end"}
_OPEN_BRACKETS = {"[": ("Flow sequence", "]"), "{": ("Flow map", "}")}
# A key or a dash, and what stands behind it.
ENTRY = re.compile(r"^(?P<before>[ ]*(?:- +)*[^\s\"'#\[{][^\n]*?:[ ]+|[ ]*(?:- +)+)(?P<value>\S.*)$")
_PLAIN = re.compile(r"(?:[^\s#:]|:(?=\S)|(?<=\S)#|[ \t]+(?=[^\s#]))+")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|' + r"'(?:[^']|'')*'", re.DOTALL)
_BRACKETED = re.compile(r"\[[^\]\n]*\]|\{[^}\n]*\}")
_WORD = re.compile(r"[^\s,\[\]{}]*")
_ESCAPE_DIGITS = {"x": 2, "u": 4, "U": 8}


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a YAML text.

    Attributes:
        said: what the parser says of it.
        start: where it is.
        end: where what it is about ends.
        is_placed: whether the place is told, too.
    """

    said: str
    start: int
    end: int = 0
    is_placed: bool = True


def known_fault(text: str, error: yaml.YAMLError) -> Fault | None:
    """Return a fault in the parser's words, or None where they are not known."""
    mark, problem = getattr(error, "problem_mark", None), str(getattr(error, "problem", error))
    if mark is None:
        return None
    context = getattr(error, "context_mark", None)
    at, began = min(mark.index, len(text)), context.index if context else 0
    found = Found(text, problem, str(getattr(error, "context", "")), at, began)
    return next((fault for begin, look in _LOOKS if problem.startswith(begin) and (fault := look(found))), None)


@dataclass(frozen=True, slots=True)
class Found:
    """What PyYAML says: problem and context, and where both begin."""

    text: str
    problem: str
    context: str
    at: int
    began: int

    @property
    def line_start(self) -> int:
        """Where the line of the problem begins."""
        return self.text.rfind("\n", 0, self.at) + 1

    @property
    def item_start(self) -> int:
        """Where the blank lines before the problem's line begin, or the line itself."""
        before = self.text[: self.line_start]
        return len(before) - len(before[len(before.rstrip()) :].partition("\n")[2])

    @property
    def is_first_on_line(self) -> bool:
        """Whether only blanks stand before it on its line."""
        return not self.text[self.line_start : self.at].strip(" \t")

    def token_end(self, start: int) -> int:
        """Return where a scalar or a small flow collection ends that begins at a place."""
        for pattern in (_QUOTED, _BRACKETED, _PLAIN):
            if found := pattern.match(self.text, start):
                return found.end()
        return start + 1

    def open_bracket(self) -> str | None:
        """Return the innermost bracket that is open where the problem is."""
        stack: list[str] = []
        place = self.line_start
        while place and not re.search(r"[\[{]", self.text[place : self.at]):
            place = self.text.rfind("\n", 0, place - 1) + 1
        while place < self.at:
            character = self.text[place]
            quoted = _QUOTED.match(self.text, place) if character in "\"'" else None
            if quoted:
                place = quoted.end()
                continue
            if character in _OPEN_BRACKETS:
                stack.append(character)
            elif character in "]}" and stack:
                stack.pop()
            place += 1
        return stack[-1] if stack else None


def _block_end(found: Found) -> Fault | None:
    got = found.problem.partition("found ")[2].strip("'")
    properties = {
        "<anchor>": "A node can have at most one anchor",
        "<tag>": "A node can have at most one tag",
        "<alias>": "An alias node must not specify any properties",
    }
    if got in properties:
        word = re.compile(r"\S+").match(found.text, found.at)
        return Fault(properties[got], found.at, word.end() if word else 0)
    if not found.is_first_on_line:
        is_scalar = got == "<scalar>"
        return Fault("Unexpected scalar at node end", found.at, found.token_end(found.at)) if is_scalar else None
    if got == ",":
        return Fault("Plain value cannot start with flow indicator character ,", found.at)
    if got in _ENDS:
        return Fault(f'Unexpected {_ENDS[got]} token in YAML stream: "{got}"', found.at)
    if found.context == "while parsing a block mapping":
        if got == "-" and found.at == found.item_start:
            return Fault("Implicit keys need to be on a single line", found.at)
        if got in ("-", "<block sequence start>"):
            return Fault("A block sequence may not be used as an implicit map key", found.item_start)
        return Fault("All mapping items must start at the same column", found.item_start)
    if got == "<block sequence start>":
        return Fault("All sequence items must start at the same column", found.at)
    if got == "?" and found.at == found.line_start:
        return Fault("Unexpected scalar at node end", found.at, found.token_end(found.at))
    is_value = found.text[: found.began].rstrip().endswith(":") and _column(found.text, found.at) <= _column(
        found.text, found.began
    )
    said = "All mapping items must start at the same column" if is_value else "Sequence item without - indicator"
    return Fault(said, found.item_start)


def _column(text: str, place: int) -> int:
    return place - (text.rfind("\n", 0, place) + 1)


def plain_start(text: str, line: int) -> tuple[int, bool]:
    """Return where a plain scalar began that goes on in a line, and whether it is the value of a key.

    Args:
        line: where the line begins.
    """
    start = line + len(text[line:]) - len(text[line:].lstrip(" "))
    while line:
        above = text.rfind("\n", 0, line - 1) + 1
        written = text[above : line - 1]
        if written.strip():
            entry = ENTRY.match(written)
            if entry or written.rstrip().endswith(":"):
                is_key = entry is not None and entry["before"].rstrip().endswith(":")
                return (above + len(entry["before"]), is_key) if entry else (start, False)
            start = above + len(written) - len(written.lstrip(" "))
        line = above
    return start, False


def _no_colon(found: Found) -> Fault | None:
    """Tell of a key without its colon: after a sequence, after other keys, or as the first of all."""
    line = found.text.rfind("\n", 0, found.began) + 1
    before, lines = found.text[: found.began], found.text[found.began :].rstrip().split("\n")
    indent = found.began - line
    end = found.token_end(found.began)
    above = before[:line].rstrip().rsplit("\n", 1)[-1]
    if not before[line:].strip() and above.startswith(" " * indent + "- "):
        if indent:
            return Fault("All mapping items must start at the same column", line)
        return Fault("Unexpected scalar at node end", found.began, end)
    if not indent and before.startswith("- "):
        return Fault("Unexpected scalar at node end", found.began, end)
    below = next((each for each in lines[1:] if each.strip()), "")
    # The parser takes the next line into the key if it is no less indented, but not behind a first word of one letter.
    depth = len(below) - len(below.lstrip(" "))
    is_word = len(lines[0].split(" ")[0]) > 1 or before.endswith("\n\n")
    is_joined = depth > indent or (depth == indent and is_word)
    if len(lines) == 1 or (before.strip() and not is_joined):
        return Fault("Implicit map keys need to be followed by map values", found.began, end)
    return Fault("Implicit keys need to be on a single line", found.began)


def _nested(found: Found) -> Fault | None:
    """Tell of a colon in a plain scalar of several lines."""
    if not found.text[found.line_start : found.at].strip() or not found.line_start:
        return None
    start, is_value = plain_start(found.text, found.line_start)
    if start >= found.line_start:
        return None
    said = (
        "Nested mappings are not allowed in compact mappings"
        if is_value
        else "Implicit keys need to be on a single line"
    )
    return Fault(said, start)


def _no_node(found: Found) -> Fault | None:
    sign = found.problem[-2:-1]
    if sign in _ENDS and found.open_bracket() is None:
        return Fault(f'Unexpected {_ENDS[sign]} token in YAML stream: "{sign}"', found.at)
    if sign != ",":
        return None
    bracket = found.open_bracket()
    if bracket is None:
        return Fault("Plain value cannot start with flow indicator character ,", found.at)
    return Fault(f"Unexpected , in {_OPEN_BRACKETS[bracket][0].lower()}", found.at)


def _in_flow(found: Found) -> Fault | None:
    got = found.problem.partition("but got ")[2].strip("'")
    kind, closing = _OPEN_BRACKETS[found.text[found.began]]
    is_map = closing == "}"
    # What stands between the last comma or the opening bracket and the problem.
    item = re.split(r"[,\[{]", found.text[found.began : found.at])[-1]
    has_value = is_map and re.search(r":\s", item) is not None
    if got in ("[", "{") and not has_value:
        return Fault(f"Missing , or : between {kind.lower()} items", found.at)
    if got == "<scalar>":
        if has_value:
            word = re.compile(r"[^,\[\]{}\n]*").match(found.text, found.at)
            return Fault("Unexpected scalar at node end", found.at, word.end() if word else 0)
        return Fault(f"Missing , or : between {kind.lower()} items", found.at)
    if got == ":" and has_value:
        value = re.search(r":\s+", item)
        assert value is not None, "it has a value"
        start = found.at - len(item) + value.end()
        end = re.compile(r"[^,\]}\n]*").match(found.text, start)
        said = "Block collections are not allowed within flow collections"
        return Fault(said, start, len(found.text[: end.end()].rstrip()) if end else 0)
    if got == "<stream end>" or got in "]}":
        is_root = not found.text[: found.began].strip()
        inside = "" if is_root else " in block collection"
        said = f"{kind}{inside} must {'' if is_root else 'be sufficiently indented and '}end with a {closing}"
        return Fault(said, found.at)
    return None


def _escape(found: Found) -> Fault:
    start = found.text.rfind("\\", 0, found.at)
    sign = found.text[start + 1 : start + 2]
    quoted = _QUOTED.match(found.text, found.began)
    end = min(start + 2 + _ESCAPE_DIGITS.get(sign, 0), quoted.end() if quoted else len(found.text))
    return Fault(f"Invalid escape sequence {found.text[start:end]}", start)


def _block_header(found: Found) -> Fault:
    header = re.compile(r"\S+").match(found.text, found.began)
    if found.text[found.at : found.at + 1] == "#":
        end = len(found.text[found.at :].split("\n", 1)[0])
        said = "Comments must be separated from other tokens by white space characters"
        return Fault(said, found.at, found.at + end)
    return Fault(f"Block scalar header includes extra characters: {header[0] if header else ''}", found.at)


def _behind_header(found: Found) -> Fault:
    rest = re.compile(r"[^\n]*").match(found.text, found.at)
    words = rest[0].rstrip() if rest else ""
    return Fault(f"Not a YAML token: {words}", found.at, found.at + len(words))


def _name(found: Found) -> Fault | None:
    word = _WORD.match(found.text, found.began + 1)
    name = word[0] if word else ""
    kind = "Alias" if found.context.endswith("alias") else "Anchor"
    if not name:
        return Fault(f"{kind} cannot be an empty string", found.began)
    if kind == "Anchor":
        return Fault("Tags and anchors must be separated from the next token by white space", found.at)
    said = f"Unresolved alias (the anchor must be set before the alias): {name}"
    return Fault(said, found.began, is_placed=False)


def _another_document(found: Found) -> Fault | None:
    is_last = "\n" not in found.text[found.at :]
    is_second = re.search(r"^(?:\.\.\.|---)", found.text[: found.at], re.MULTILINE) and found.is_first_on_line
    if found.problem.startswith("but found another") or is_second:
        said = "Source contains multiple documents; please use YAML.parseAllDocuments()"
        return Fault(said, found.at, len(found.text) if is_last else 0)
    if found.text[found.line_start : found.line_start + 1] == "%":
        return Fault("Plain value cannot start with directive indicator character %", found.line_start)
    said = (
        "An alias node must not specify any properties"
        if "<alias>" in found.problem
        else "Unexpected scalar at node end"
    )
    return Fault(said, found.at, found.token_end(found.at))


def _reserved(found: Found) -> Fault:
    sign = found.text[found.at]
    kind = "directive indicator" if sign == "%" else "reserved"
    return Fault(f"Plain value cannot start with {kind} character {sign}", found.at)


def _no_suffix(found: Found) -> Fault | None:
    word = re.compile(r"\S+").match(found.text, found.began)
    return Fault("The !! tag has no suffix", found.began, word.end()) if word and word[0] == "!!" else None


def _quote(found: Found) -> Fault:
    return Fault(f"Missing closing {found.text[found.began]}quote", found.at)


def _verbatim(found: Found) -> Fault:
    word = re.compile(r"\S+").match(found.text, found.began)
    return Fault("Verbatim tags must end with a >", found.began, word.end() if word else 0)


def _handle(found: Found) -> Fault:
    start = found.at if found.text[found.at : found.at + 1] == "!" else found.began
    word = re.compile(r"\S+").match(found.text, start)
    return Fault(f"Could not resolve tag: {word[0] if word else ''}", start, word.end() if word else 0)


def _compact_key(found: Found) -> Fault:
    return Fault("Nested mappings are not allowed in compact mappings", found.at)


_LOOKS: tuple[tuple[str, Callable[[Found], Fault | None]], ...] = (
    ("expected <block end>, but found", _block_end),
    ("could not find expected ':'", _no_colon),
    ("expected the node content, but found", _no_node),
    ("expected ',' or ", _in_flow),
    ("found unknown escape character", _escape),
    ("expected escape sequence of", _escape),
    ("expected chomping or indentation indicators", _block_header),
    ("expected indentation indicator", _block_header),
    ("found character '@' that", _reserved),
    ("found character '`' that", _reserved),
    ("found character '%' that", _reserved),
    ("expected URI", _no_suffix),
    ("expected a comment or a line break", _behind_header),
    ("expected alphabetic or numeric character", _name),
    ("but found another document", _another_document),
    ("expected '<document start>', but found", _another_document),
    ("found unexpected end of stream", _quote),
    ("expected '>', but found", _verbatim),
    ("found undefined tag handle", _handle),
    ("mapping keys are not allowed here", _compact_key),
    ("mapping values are not allowed here", _nested),
)
