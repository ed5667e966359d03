"""Values written as YAML as the plugin does: quotes only where needed, long texts folded at 80 columns."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from farm.appkit.formats.javascript import js_number_text
from farm.appkit.formats.utf16 import from_units, to_units

from .yaml_scalars import meaning

# What a plain scalar may not be: begin as something else does, hold what ends it, or end in what would be lost.
_NOT_PLAIN = re.compile(r"""^[\n\t ,\[\]{}#&*!|>'"%@`]|^[?-]$|^[?-][ \t]|[\n:][ \t]|[ \t]\n|[\n\t ]#|[\n\t :]$""")
# Signs that only an escape shows, and half characters.
_IN_DOUBLE_QUOTES = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_SHORT_ESCAPES = {"00": "\\0", "07": "\\a", "0b": "\\v", "1b": "\\e"}
_BLANK_END = re.compile(r"\n[\t ]+\Z")
_BLOCK_START = re.compile(r"((?:[ \n]*\n)?)( *)")
_NEWLINES = re.compile(r"\n+")
_WIDTH, _WIDTH_MIN = 80, 20
# A shorter text in double quotes has one line.
_QUOTED_LINES_MIN = 40
_BLANKS = ("", " ", "\n", "\t")


def stringify(value: dict[str, Any]) -> str:
    """Return a mapping as YAML: lists and mappings in blocks, quotes only where a text would not be read back."""
    return "\n".join(_mapping(value, "")).rstrip()


def flow_text(value: Any) -> str:
    """Return a list or mapping as it is written where it is a key: in brackets, on one line."""
    if isinstance(value, dict):
        # Nothing behind a key is nearly always a key alone, as in a template's {{date}}.
        members = ", ".join(
            _key_text(key) if inner is None else f"{_key_text(key)}: {flow_text(inner)}" for key, inner in value.items()
        )
        return f"{{ {members} }}" if value else "{}"
    if isinstance(value, list):
        return f"[ {', '.join(map(flow_text, value))} ]" if value else "[]"
    return _scalar(value, "", 0)


def _mapping(value: dict[str, Any], indent: str) -> Iterator[str]:
    for key, inner in value.items():
        written = _key_text(key)
        if isinstance(inner, list | dict) and inner:
            yield f"{indent}{written}:"
            yield from _collection(inner, f"{indent}  ")
        else:
            # The library counts from the key, however far that is from the left.
            scalar = _scalar(inner, f"{indent}  ", len(written) + 2)
            # A text may begin on the next line, behind a long key.
            blank = "" if scalar.startswith("\n") else " "
            yield f"{indent}{written}:{blank}{scalar}"


def _collection(value: list[Any] | dict[str, Any], indent: str) -> Iterator[str]:
    if isinstance(value, dict):
        yield from _mapping(value, indent)
        return
    inside = f"{indent}  "
    for each in value:
        if isinstance(each, list | dict) and each:
            lines = list(_collection(each, inside))
            yield f"{indent}- {lines[0].removeprefix(inside)}"
            yield from lines[1:]
        else:
            yield f"{indent}- {_scalar(each, inside, len(inside))}"


def _key_text(key: str) -> str:
    if "\n" in key or key == "" or _NOT_PLAIN.search(key) or not isinstance(meaning(key), str):
        return _quoted(key)
    return key


def _scalar(value: Any, indent: str, at: int) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float() if math.isnan(value):
            return ".nan"
        case float() if math.isinf(value):
            return ".inf" if value > 0 else "-.inf"
        case int() | float():
            return js_number_text(value)
        case list():
            return "[]"
        case dict():
            return "{}"
        case _:
            return _text(value, indent, at)


def _text(value: str, indent: str, at: int) -> str:
    """Return a text as a scalar that reads back as itself.

    Args:
        indent: what later lines of it begin with.
        at: the column it starts in.
    """
    if _IN_DOUBLE_QUOTES.search(value):
        return _fold(_double_quoted(value, indent), indent, at, is_quoted=True).text
    if "\n" in value and value.strip() and not _BLANK_END.search(value):
        return _block(value, indent)
    if value == "" or "\n" in value or _NOT_PLAIN.search(value) or not isinstance(meaning(value), str):
        written = _quoted(value, indent)
        return _fold(written, indent, at, is_quoted=written[0] == '"').text
    return _fold(value, indent, at).text


def _quoted(value: str, indent: str | None = None) -> str:
    return f"'{value}'" if '"' in value and "'" not in value else _double_quoted(value, indent)


def _double_quoted(value: str, indent: str | None) -> str:
    """Return a text in double quotes; line ends in a long one are empty lines.

    Args:
        indent: what later lines begin with; None: a key, which has one line.
    """
    text = json.dumps(value, ensure_ascii=False)
    written: list[str] = []
    place = 0
    while place < len(text):
        if text.startswith(" \\n", place):
            written.append("\\ ")
            place += 1
        if text[place] != "\\":
            written.append(text[place])
            place += 1
        elif text[place + 1] == "u":
            code = text[place + 2 : place + 6]
            short = _SHORT_ESCAPES.get(code[2:], f"\\x{code[2:]}")
            written.append(short if code.startswith("00") else f"\\u{code}")
            place += 6
        elif text[place + 1] != "n" or indent is None or text[place + 2] == '"' or len(text) < _QUOTED_LINES_MIN:
            written.append(text[place : place + 2])
            place += 2
        else:
            place += 2
            written.append("\n\n")
            while text.startswith("\\n", place) and text[place + 2] != '"':
                written.append("\n")
                place += 2
            written.append(indent + ("\\" if text[place] == " " else ""))
    return "".join(written)


def _block(value: str, indent: str) -> str:
    """Return a text of several lines as a literal block, or a folded one where a line is too long."""
    body = value.rstrip("\n\t ")
    end = value[len(body) :]
    chomp = "-" if "\n" not in end else "" if end.index("\n") == len(end) - 1 else "+"
    start = _BLOCK_START.match(body)
    assert start is not None, "it matches anything"
    body = body[start.end(1) :]
    before = _NEWLINES.sub(rf"\g<0>{indent}", start[1])
    behind = re.sub(r"(?<!\n)\n+(?!\n|\Z)", rf"\g<0>{indent}", end.removesuffix("\n"))
    head = f"{'2' if ' ' in start[0] else ''}{chomp}\n{indent}"
    if any(len(to_units(line)) > _WIDTH - len(indent) for line in value.split("\n")):
        spread = _NEWLINES.sub(lambda newlines: f"\n{newlines[0]}{indent}", body)
        lines = f"{before}{spread}{behind}".split("\n")
        # The library measures the first line from the left, the others from their indentation.
        folded = [_fold(line, indent, 0 if later else len(indent)) for later, line in enumerate(lines)]
        if not any(each.is_over for each in folded):
            return f">{head}" + "\n".join(each.text for each in folded)
    body = _NEWLINES.sub(rf"\g<0>{indent}", body)
    return f"|{head}{before}{body}{behind}"


@dataclass(frozen=True, slots=True)
class _Folded:
    """A text broken into lines.

    Attributes:
        is_over: a word was too long for its line.
    """

    text: str
    is_over: bool = False


def _fold(text: str, indent: str, at: int, *, is_quoted: bool = False) -> _Folded:
    """Break a text at single blanks where it would pass the 80th column; in quotes anywhere, with a backslash."""
    text = to_units(text)
    step = max(1 + _WIDTH_MIN, 1 + _WIDTH - len(indent))
    if len(text) <= step:
        return _Folded(from_units(text))
    folds: list[int] = [0] if at > _WIDTH - _WIDTH_MIN else []
    end = _WIDTH - (len(indent) if folds else at)
    escaped: set[int] = set()
    split = 0
    is_over = False
    before = ""
    escape_start = escape_end = place = -1
    while (place := place + 1) < len(text):
        character = text[place]
        if is_quoted and character == "\\":
            escape_start = place
            place += {"x": 3, "u": 5, "U": 9}.get(text[place + 1 : place + 2], 1)
            escape_end = place
        if character == "\n":
            end, split = place + len(indent) + step, 0
        elif character == " " and before not in _BLANKS and text[place + 1 : place + 2] not in _BLANKS:
            split = place
        if character != "\n" and place >= end:
            if split:
                folds.append(split)
                end, split = split + step, 0
            elif is_quoted:
                while before in (" ", "\t") and place + 1 < len(text):
                    before, place = character, place + 1
                    character = text[place]
                fold = place - 2 if place > escape_end + 1 else escape_start - 1
                if fold in escaped:
                    return _Folded(from_units(text))
                folds.append(fold)
                escaped.add(fold)
                end, split = fold + step, 0
            else:
                is_over = True
        before = character
    pieces = [text[: folds[0]] if folds else text]
    for fold, until in zip(folds, [*folds, len(text)][1:], strict=True):
        kept = f"{text[fold]}\\" if fold in escaped else ""
        pieces.append(f"{kept}\n{indent}{text[fold + 1 if fold else 0 : until]}")
    return _Folded(from_units("".join(pieces)), is_over)
