"""Where a note's headings and blocks begin and end, as the plugin's patching library counts.

It looks for the text of each block in the document, from where it found the last; a text that stands earlier as well,
or that a list or quote has changed, leads it astray, and a place that was not found is -1. All of that is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from farm.appkit.formats.utf16 import from_units

from .markdown import Token, lex, walk
from .yaml_texts import parse

_FRONTMATTER = re.compile(r"---(?:\r\n|\r|\n)([\s\S]*?)(?:\r\n|\r|\n)---(?:\r\n|\r|\n|\Z)")
_REFERENCE_ID = re.compile(r"[a-zA-Z0-9_-]+")
_MAY_REFER = ("paragraph", "list_item")
# What an id on a line of its own speaks of, if it was the last of these.
_MAY_BE_MEANT = ("code", "heading", "table", "blockquote", "list", "paragraph", "image")


@dataclass(slots=True)
class Span:
    """A piece of the document."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """A note as the library reads it.

    Attributes:
        frontmatter: what its YAML says.
        body_at: where the text behind the frontmatter begins.
        headings: path → the text below a heading.
        blocks: id → the text of the block.
    """

    frontmatter: Any
    body_at: int
    headings: dict[tuple[str, ...], Span]
    blocks: dict[str, Span]


def split_frontmatter(document: str) -> tuple[str | None, int]:
    """Return the YAML at the head of a note, or None, and where the text behind it begins."""
    found = _FRONTMATTER.match(document)
    return (found[1].strip(), found.end()) if found else (None, 0)


def read_document(document: str) -> Document:
    """Return what a note holds.

    Raises:
        YamlError: its frontmatter is no YAML.
    """
    text, body_at = split_frontmatter(document)
    frontmatter = {} if text is None else parse(from_units(text))
    body = document[body_at:]
    tokens = lex(body)
    headings, blocks = _headings(body, tokens), _blocks(body, tokens)
    for span in (*_distinct(headings), *_distinct(blocks)):
        span.start += body_at
        span.end += body_at
    return Document(frontmatter, body_at, headings, blocks)


def _distinct(spans: dict[Any, Span]) -> list[Span]:
    return list({id(span): span for span in spans.values()}.values())


def _find(body: str, text: str, since: int) -> int:
    return body.find(text, max(since, 0))


def _headings(body: str, tokens: list[Token]) -> dict[tuple[str, ...], Span]:
    spans: dict[tuple[str, ...], Span] = {("",): Span(0, len(body))}
    above: list[tuple[tuple[str, ...], Span, int]] = []
    at = 0
    headings = [token for token in tokens if token.kind == "heading"]
    for heading, following in zip(headings, _following(headings), strict=True):
        begin = _find(body, heading.raw.strip(), at)
        start = begin + len(heading.raw.strip()) + 1
        end = len(body) if following is None else _find(body, following.raw.strip(), start)
        while above and above[-1][2] >= heading.depth:
            above.pop()
        path: tuple[str, ...] = (heading.text.strip(),)
        if above:
            parent, span, _ = above[-1]
            span.end = end
            path = (*parent, *path)
        spans[path] = Span(start, end)
        above.append((path, spans[path], heading.depth))
        at = start
    return spans


def _following(headings: list[Token]) -> list[Token | None]:
    """Return for each heading the next one that is not below it."""
    found: list[Token | None] = []
    left: list[Token] = []
    for heading in reversed(headings):
        while left and left[-1].depth > heading.depth:
            left.pop()
        found.append(left[-1] if left else None)
        left.append(heading)
    return found[::-1]


def _reference(raw: str) -> tuple[str, int] | None:
    """Return the id that a block's text ends in, behind a blank or at its start, and where it and its blanks begin."""
    text = raw.rstrip()
    mark = text.rfind("^")
    if mark < 0 or not _REFERENCE_ID.fullmatch(text, mark + 1):
        return None
    start = len(text[:mark].rstrip())
    return (text[mark + 1 :], start) if start < mark or mark == 0 else None


def _blocks(body: str, tokens: list[Token]) -> dict[str, Span]:
    spans: dict[str, Span] = {}
    meant: Span | None = None
    start = 0
    for token in walk(tokens):
        start = _find(body, token.raw, start)
        reference = _reference(token.raw)
        end = start + (reference[1] if reference else len(token.raw))
        if reference and token.kind in _MAY_REFER:
            is_alone = start == end and meant is not None
            spans[reference[0]] = Span(meant.start, meant.end) if is_alone and meant else Span(start, end)
        if token.kind in _MAY_BE_MEANT:
            meant = Span(start, end - 1)
    return spans
