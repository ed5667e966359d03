"""The standalone FastMCP: pydantic validates the call of the handler's function itself, and words the errors.

Source: the calls of a server on FastMCP 4.1.2 and 4.2.3 (mcp-task-flow-pro 0.1.0), recorded on 2026-11-22 and
2026-11-28. Undeclared arguments are refused, texts that are numbers count as numbers, and a text that is JSON stays a
text. The messages are those of the installed pydantic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from farm.appkit.dialects._base import Wording
from farm.appkit.dialects._models import signature_model
from farm.appkit.dialects._pydantic_server import PydanticServer, Validate

_INVALID = Wording("{issues}")
_UNKNOWN = Wording("Unknown tool: '{tool}'")


@dataclass(frozen=True)
class FastMcp(PydanticServer):
    """A server on the standalone FastMCP, 4.1 or newer; ``sdk`` is the version of the Python SDK below it."""

    sdk: str = "2.3.0"
    pydantic: str = "2.14"
    invalid: Wording = _INVALID
    unknown: Wording = _UNKNOWN

    def validator(self, tool: str, input_schema: Mapping[str, Any]) -> Validate:
        """Build the model of the call of the handler's function."""
        return signature_model(tool, input_schema).validate
