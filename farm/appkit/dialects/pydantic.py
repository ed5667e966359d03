"""The Python SDK's FastMCP: pydantic models of the handlers' signatures, and pydantic's own messages.

Real servers: Amap (``Pydantic(sdk="1.8.1", pydantic="2.11")``), Tushare (``Pydantic(sdk="1.30.0", pydantic="2.14")``),
Telegram (``Pydantic(sdk="1.25.0", pydantic="2.14")``). Sources: their recorded calls; the SDK's tags 1.8.1 to 1.29.
The messages are those of the installed pydantic; for these servers they have not changed since 2.11, except for the
release in the links.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from farm.appkit.dialects._base import Wording, version
from farm.appkit.dialects._models import ArgumentModel, argument_model
from farm.appkit.dialects._pydantic_server import PydanticServer, Validate
from farm.appkit.dialects._python import UNKNOWN_TOOL

_INVALID = Wording("Error executing tool {tool}: {issues}")


@dataclass(frozen=True)
class Pydantic(PydanticServer):
    """A server on the Python SDK's FastMCP.

    Before 1.12 (``sdk``) it parses every text that is JSON of a list, an object or null before validation; since then
    only if the handler accepts more than text.

    Attributes:
        untyped: ``tool.argument`` of each parameter without an annotation: it is listed as a text, and any value is
            accepted.
    """

    sdk: str = "1.30.0"
    pydantic: str = "2.14"
    invalid: Wording = _INVALID
    unknown: Wording = UNKNOWN_TOOL
    untyped: tuple[str, ...] = ()

    def validator(self, tool: str, input_schema: Mapping[str, Any]) -> Validate:
        """Build the model of the handler's arguments."""
        reads_texts = version(self.sdk) < (1, 12)
        model = argument_model(f"{tool}Arguments", self._with_untyped(tool, input_schema))
        return lambda arguments: model.validate(_parsed(model, arguments, reads_texts))

    def _with_untyped(self, tool: str, input_schema: Mapping[str, Any]) -> Mapping[str, Any]:
        parts = input_schema.get("properties", {})
        free = {name: {key: value for key, value in part.items() if key != "type"} for name, part in parts.items()}
        named = {name: free[name] if f"{tool}.{name}" in self.untyped else part for name, part in parts.items()}
        return {**input_schema, "properties": named} if self.untyped else input_schema


def _parsed(model: ArgumentModel, arguments: dict[str, Any], reads_texts: bool) -> dict[str, Any]:
    """Parse texts that are JSON, in place, as the SDK does for clients that send lists and objects as texts."""
    for name in model.names:
        value = arguments.get(name)
        if type(value) is str and (reads_texts or name not in model.texts):
            try:
                inner = json.loads(value)
            except (json.JSONDecodeError, RecursionError):
                continue
            if not isinstance(inner, str | int | float):
                arguments[name] = inner
    return arguments
