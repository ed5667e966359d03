"""What servers have in common whose arguments pydantic validates and words: FastMCP, of the SDK and standalone."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from farm.appkit.dialects._base import TOO_DEEP, Check, Dialect, InvalidArgumentsError, RequestWording, Wording
from farm.appkit.dialects._models import first_issues, import_pydantic, linked_to
from farm.appkit.dialects._python import copy_routed, not_an_object
from farm.appkit.dialects._requests import PythonRequests

Validate = Callable[[dict[str, Any]], dict[str, Any]]
"""Arguments that may be changed in place → cleaned arguments, or raises pydantic's ValidationError."""


@dataclass(frozen=True)
class PydanticServer(Dialect):
    """A server that validates a tool's arguments by pydantic.

    Attributes:
        sdk: version of the Python SDK.
        pydantic: release of pydantic in the links.
        invalid: the wording for invalid arguments.
        unknown: the wording for an unknown tool name.
    """

    sdk: str
    pydantic: str
    invalid: Wording
    unknown: Wording

    @abstractmethod
    def validator(self, tool: str, input_schema: Mapping[str, Any]) -> Validate:
        """Build the model of one tool."""

    @property
    def requests(self) -> RequestWording:
        """The refusals of requests other than tool calls."""
        return PythonRequests(self.pydantic)

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool; its model is made at the first call. Absent arguments are an empty object."""
        import_pydantic()
        made: list[Validate] = []

        def check(arguments: Any) -> dict[str, Any]:
            if not made:
                made.append(self.validator(tool, input_schema))
            given = {} if arguments is None else arguments
            if type(given) is not dict:
                raise not_an_object(self.sdk)
            try:
                return made[0](copy_routed(given))
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
