"""The standalone FastMCP: pydantic validates the call of the handler's function itself, and words the errors.

Source: the calls of a server on FastMCP 4.1.2 and 4.2.3 (mcp-task-flow-pro 0.1.0), recorded on 2026-11-22 and
2026-11-28. Undeclared arguments are refused, texts that are numbers count as numbers, and a text that is JSON stays a
text. The messages are those of the installed pydantic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from farm.appkit.dialects._base import TOO_DEEP, Check, Dialect, InvalidArgumentsError, RequestWording, Wording
from farm.appkit.dialects._models import SignatureModel, first_issues, import_pydantic, linked_to, signature_model
from farm.appkit.dialects._python import copy_routed, not_an_object
from farm.appkit.dialects._requests import PythonRequests

_INVALID = Wording("{issues}")
_UNKNOWN = Wording("Unknown tool: '{tool}'")


@dataclass(frozen=True)
class FastMcp(Dialect):
    """A server on the standalone FastMCP, 4.1 or newer.

    Attributes:
        sdk: version of the Python SDK below it.
        pydantic: release of pydantic in the links.
        invalid: the wording for invalid arguments.
        unknown: the wording for an unknown tool name.
    """

    sdk: str = "2.3.0"
    pydantic: str = "2.14"
    invalid: Wording = _INVALID
    unknown: Wording = _UNKNOWN

    @property
    def requests(self) -> RequestWording:
        """The refusals of requests other than tool calls."""
        return PythonRequests(self.pydantic)

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool; its model is made at the first call. Absent arguments are an empty object."""
        import_pydantic()
        made: list[SignatureModel] = []

        def check(arguments: Any) -> dict[str, Any]:
            if not made:
                made.append(signature_model(tool, input_schema))
            given = {} if arguments is None else arguments
            if type(given) is not dict:
                raise not_an_object(self.sdk)
            try:
                return made[0].validate(copy_routed(given))
            except ValueError as problem:
                # pydantic's ValidationError is a ValueError; pydantic itself is not imported here.
                text = linked_to(first_issues(str(problem)), self.pydantic)
                refused = self.invalid.refusal(tool=tool, issues=text)
            except RecursionError:
                refused = InvalidArgumentsError(TOO_DEEP)
            raise refused

        return check

    def unknown_tool(self, tool: str, arguments: Any = None) -> InvalidArgumentsError:
        """Return the refusal of a nonexistent tool, or first of arguments that are not an object."""
        if arguments is not None and type(arguments) is not dict:
            return not_an_object(self.sdk)
        return self.unknown.refusal(tool=tool)
