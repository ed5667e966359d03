"""Frontmatter's YAML, read as the plugin does.

PyYAML finds the structure; what a plain scalar means, and which indentation is enough, is YAML 1.2 here.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from farm.appkit.formats.javascript import js_string

from .yaml_errors import YamlError, explain, require_apart, require_indented
from .yaml_output import flow_text
from .yaml_scalars import meaning, tagged

# More than this no frontmatter has, unless aliases of aliases make it so.
_NODES_MAX = 20_000
_DEPTH_MAX = 100
_TAGGED = "tag "
_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_BREAKS = "\r\n\x85\u2028\u2029"


def parse(text: str) -> Any:
    """Return what a YAML text says, as JSON values.

    Raises:
        YamlError: it is no YAML.
    """
    try:
        # A block at the very end keeps its line end there, as in a file.
        loader = _Loader(f"{text}\n")
        try:
            node = loader.get_single_node()
        finally:
            loader.dispose()
        require_indented(text, loader.wrapped)
        require_apart(text, loader.ends)
        return None if node is None else _Reader(text).value(node)
    except yaml.YAMLError as error:
        raise explain(text, error) from None


class _Loader(yaml.SafeLoader):
    """PyYAML as deep as anybody would nest it, that takes a tab for a blank, except where a line begins."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._depth = 0
        # Brackets and quotes over several lines: where they begin and end, and how far their block is indented.
        self.wrapped: list[tuple[int, int, int]] = []
        self._flow_start, self._flow_line = 0, 0
        # Where brackets and quotes end.
        self.ends: list[int] = []

    def fetch_flow_collection_start(self, TokenClass: Any) -> None:
        if not self.flow_level:
            self._flow_start, self._flow_line = self.index, self.line
        super().fetch_flow_collection_start(TokenClass)

    def fetch_flow_collection_end(self, TokenClass: Any) -> None:
        super().fetch_flow_collection_end(TokenClass)
        self.ends.append(self.index)
        if not self.flow_level and self.line > self._flow_line:
            self.wrapped.append((self._flow_start, self.index, self.indent))

    def scan_flow_scalar(self, style: str) -> Any:
        start, line = self.index, self.line
        token = super().scan_flow_scalar(style)
        self.ends.append(self.index)
        if self.line > line:
            self.wrapped.append((start, self.index, self.indent))
        return token

    def compose_scalar_node(self, anchor: Any) -> yaml.ScalarNode:
        written = self._next_event().tag
        node: yaml.ScalarNode = super().compose_scalar_node(anchor)
        if written is not None:
            # PyYAML does not tell a tag that is written from one that it finds by itself.
            node.style = _TAGGED + written
        return node

    def _next_event(self) -> Any:
        return self.peek_event()  # type: ignore[no-untyped-call]

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        self._depth = _deeper(self._depth)
        # A second anchor of one name stands for what follows it, which PyYAML refuses.
        if not self.check_event(yaml.AliasEvent):
            self.anchors.pop(self._next_event().anchor, None)
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def scan_to_next_token(self) -> None:
        line = self.line if self.column else None
        super().scan_to_next_token()
        while self.line == line and self.peek() == "\t":
            while self.peek() in "\t ":
                self.forward()
            super().scan_to_next_token()

    def scan_plain_spaces(self, indent: int, start_mark: Any) -> list[str]:
        length = 0
        while self.peek(length) in "\t ":
            length += 1
        blanks = self.prefix(length)
        if "\t" not in blanks:
            return super().scan_plain_spaces(indent, start_mark) or []
        self.forward(length)
        return super().scan_plain_spaces(indent, start_mark) or [] if self.peek() in _BREAKS else [blanks]


def _deeper(depth: int) -> int:
    """Return the depth below one; counted, as what is left of Python's stack differs from one way here to another."""
    if depth == _DEPTH_MAX:
        raise YamlError("Maximum call stack size exceeded")
    return depth + 1


class _Reader:
    """Makes values of nodes, each alias the value it stands for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._count = 0
        self._depth = 0

    def value(self, node: yaml.Node) -> Any:
        self._count += 1
        if self._count > _NODES_MAX:
            raise YamlError("Excessive alias count indicates a resource exhaustion attack")
        self._depth = _deeper(self._depth)
        value = self._value(node)
        self._depth -= 1
        return value

    def _value(self, node: yaml.Node) -> Any:
        match node:
            case yaml.MappingNode():
                return self._mapping(node)
            case yaml.SequenceNode():
                return [self.value(each) for each in node.value]
            case yaml.ScalarNode():
                if node.style is not None and node.style.startswith(_TAGGED):
                    return tagged(node.value, node.style.removeprefix(_TAGGED))
                return node.value if node.style is not None else meaning(node.value)
            case _:
                raise AssertionError(f"a node of another kind: {node}")

    def _mapping(self, node: yaml.MappingNode) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = _key(self.value(key_node))
            if key in made:
                raise YamlError.at("Map keys must be unique", self._text, key_node.start_mark.index)
            made[key] = self.value(value_node)
        # A JavaScript object has its keys that are indexes first, by number.
        indexes = sorted((key for key in made if _INDEX.fullmatch(key)), key=int)
        return {**{key: made[key] for key in indexes}, **made} if indexes else made


def _key(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | dict):
        return flow_text(value)
    return "" if value is None else js_string(value)
