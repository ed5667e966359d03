"""mcp-go: no argument is checked before the handler, which takes what it asserts or panics.

Real servers: the system monitor (``McpGo(sdk="0.14.1")``), WeCom (``McpGo(sdk="0.8.2", asserts=…)``). Sources: their
recorded calls; mcp-go's tags. Where the real process dies of a panic, ours answers a JSON-RPC error with its text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from farm.dialects._base import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    ArgumentsRefused,
    Check,
    Dialect,
    version,
)
from farm.dialects._values import copy_value

_GO_TYPES = {str: "string", bool: "bool", list: "[]interface {}", dict: "map[string]interface {}"}
_NUMBERS = (int, float)


@dataclass(frozen=True)
class McpGo(Dialect):
    """A server on mcp-go. The schema is advice only: arguments reach the handler as they came.

    Attributes:
        sdk: version of mcp-go: it decides the words for unknown tools and for arguments that are no object.
        asserts: tool → its arguments' Go types, in the order the server's code asserts them; a wrong one is its panic.
            Where several names stand for one, they are asserted only when any of them is there.
    """

    sdk: str = "0.14.1"
    asserts: Mapping[str, Mapping[str | tuple[str, ...], str]] = field(default_factory=dict, hash=False)

    @property
    def checks_arguments(self) -> bool:
        """Nothing is sure to be there."""
        return False

    @property
    def words_no_object(self) -> bool:
        """The SDK has words of its own."""
        return True

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool. Arguments left out count as an empty object."""
        asserted = self.asserts.get(tool, {})

        def check(arguments: Any) -> dict[str, Any]:
            given = {} if arguments is None else arguments
            if type(given) is not dict:
                raise self._not_an_object(given)
            for names, kind in asserted.items():
                values = [given.get(name) for name in ((names,) if isinstance(names, str) else names)]
                panic = next(filter(None, (go_panic(value, kind) for value in values)), None)
                if panic and (isinstance(names, str) or any(value is not None for value in values)):
                    raise ArgumentsRefused(panic, code=INTERNAL_ERROR)
            return copy_value(given)  # type: ignore[no-any-return]

        return check

    def _not_an_object(self, arguments: Any) -> ArgumentsRefused:
        if version(self.sdk) < (0, 16):
            return ArgumentsRefused("Invalid call tool request", code=INVALID_REQUEST)
        found = _JSON_NAMES.get(type(arguments), "number")
        field_of = "Go struct field .params.arguments of type map[string]interface {}"
        word = "unparseable" if version(self.sdk) < (0, 23) else "unparsable"
        return ArgumentsRefused(
            f"{word} tools/call request: json: cannot unmarshal {found} into {field_of}", code=INVALID_REQUEST
        )

    def unknown_tool(self, tool: str, arguments: Any = None) -> ArgumentsRefused:
        """The answer to a call of a tool that does not exist; arguments that are no object are told before that."""
        if arguments is not None and type(arguments) is not dict:
            return self._not_an_object(arguments)
        if version(self.sdk) < (0, 16):
            return ArgumentsRefused(f"Tool not found: {tool}", code=INVALID_PARAMS)
        return ArgumentsRefused(f"tool '{tool}' not found: tool not found", code=INVALID_PARAMS)


_JSON_NAMES = {str: "string", bool: "bool", list: "array"}


def go_panic(value: Any, kind: str) -> str:
    """Word the panic of asserting that a JSON value has a Go type; empty when it has.

    For handlers, too: ``kind`` is a type as Go writes it, such as ``string`` or ``float64``; None is a missing value.
    """
    found = "nil" if value is None else "float64" if type(value) in _NUMBERS else _GO_TYPES[type(value)]
    return "" if found == kind else f"panic: interface conversion: interface {{}} is {found}, not {kind}"
