"""mcp-go: arguments are not validated; the handler asserts types, and a failed assertion panics.

Real servers: the system monitor (``McpGo(sdk="0.14.1")``), WeCom (``McpGo(sdk="0.8.2", asserts=…)``). Sources: their
recorded calls; mcp-go's tags. Where the real process dies of a panic, ours answers a JSON-RPC error with the panic's
text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from farm.appkit.dialects._base import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    Check,
    Dialect,
    InvalidArgumentsError,
    RequestWording,
    version,
)
from farm.appkit.dialects._requests import McpGoRequests
from farm.appkit.dialects._values import copy_value

_GO_TYPES = {str: "string", bool: "bool", list: "[]interface {}", dict: "map[string]interface {}"}
_NUMBERS = (int, float)


@dataclass(frozen=True)
class McpGo(Dialect):
    """A server on mcp-go. The schema is not enforced: arguments reach the handler unchanged.

    Attributes:
        sdk: version of mcp-go: it decides the wording for unknown tools and for arguments that are not an object.
        asserts: tool → its arguments' Go types, in the order in which the server asserts them; a wrong type panics.
            Several names in one entry are asserted only if any of them is given.
    """

    sdk: str = "0.14.1"
    asserts: Mapping[str, Mapping[str | tuple[str, ...], str]] = field(default_factory=dict, hash=False)

    @property
    def checks_arguments(self) -> bool:
        """Return False: no argument is guaranteed to be present."""
        return False

    @property
    def words_no_object(self) -> bool:
        """Return True: the SDK has its own wording."""
        return True

    @property
    def requests(self) -> RequestWording:
        """The refusals of requests other than tool calls."""
        return McpGoRequests()

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool. Absent arguments count as an empty object."""
        asserted = self.asserts.get(tool, {})

        def check(arguments: Any) -> dict[str, Any]:
            given = {} if arguments is None else arguments
            if type(given) is not dict:
                raise self._not_an_object(given)
            for names, kind in asserted.items():
                values = [given.get(name) for name in ((names,) if isinstance(names, str) else names)]
                panic = next(filter(None, (go_panic(value, kind) for value in values)), None)
                if panic and (isinstance(names, str) or any(value is not None for value in values)):
                    raise InvalidArgumentsError(panic, code=INTERNAL_ERROR)
            return copy_value(given)  # type: ignore[no-any-return]

        return check

    def _not_an_object(self, arguments: Any) -> InvalidArgumentsError:
        if version(self.sdk) < (0, 16):
            return InvalidArgumentsError("Invalid call tool request", code=INVALID_REQUEST)
        found = _JSON_NAMES.get(type(arguments), "number")
        field_of = "Go struct field .params.arguments of type map[string]interface {}"
        word = "unparseable" if version(self.sdk) < (0, 23) else "unparsable"
        return InvalidArgumentsError(
            f"{word} tools/call request: json: cannot unmarshal {found} into {field_of}", code=INVALID_REQUEST
        )

    def unknown_tool(self, tool: str, arguments: Any = None) -> InvalidArgumentsError:
        """Return the refusal of a nonexistent tool, or first of arguments that are not an object."""
        if arguments is not None and type(arguments) is not dict:
            return self._not_an_object(arguments)
        if version(self.sdk) < (0, 16):
            return InvalidArgumentsError(f"Tool not found: {tool}", code=INVALID_PARAMS)
        return InvalidArgumentsError(f"tool '{tool}' not found: tool not found", code=INVALID_PARAMS)


_JSON_NAMES = {str: "string", bool: "bool", list: "array"}


def go_panic(value: Any, kind: str) -> str:
    """Word the panic of a failed assertion that a JSON value has a Go type; empty if it has the type.

    Handlers use it, too. ``kind`` is a Go type such as ``string`` or ``float64``; a ``value`` of None is missing.
    """
    found = "nil" if value is None else "float64" if type(value) in _NUMBERS else _GO_TYPES[type(value)]
    return "" if found == kind else f"panic: interface conversion: interface {{}} is {found}, not {kind}"
