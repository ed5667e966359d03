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

from farm.appkit.dialects._base import TOO_DEEP, Check, Dialect, InvalidArgumentsError, RequestWording, Wording, version
from farm.appkit.dialects._models import ArgumentModel, argument_model, first_issues, import_pydantic, linked_to
from farm.appkit.dialects._python import UNKNOWN_TOOL, copy_routed, not_an_object
from farm.appkit.dialects._requests import PythonRequests

_INVALID = Wording("Error executing tool {tool}: {issues}")


@dataclass(frozen=True)
class Pydantic(Dialect):
    """A server on FastMCP.

    Attributes:
        sdk: version of the Python SDK. Before 1.12 it parses every text that is JSON of a list, an object or null
            before validation; since then only if the handler accepts more than text.
        pydantic: release of pydantic in the links.
        invalid: the wording for invalid arguments.
        unknown: the wording for an unknown tool name.
    """

    sdk: str = "1.30.0"
    pydantic: str = "2.14"
    invalid: Wording = _INVALID
    unknown: Wording = UNKNOWN_TOOL

    @property
    def requests(self) -> RequestWording:
        """The refusals of requests other than tool calls."""
        return PythonRequests(self.pydantic)

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool; its model is made at the first call. Absent arguments are an empty object."""
        import_pydantic()
        reads_texts = version(self.sdk) < (1, 12)
        made: list[ArgumentModel] = []

        def check(arguments: Any) -> dict[str, Any]:
            if not made:
                made.append(argument_model(f"{tool}Arguments", input_schema))
            given = {} if arguments is None else arguments
            if type(given) is not dict:
                raise not_an_object(self.sdk)
            try:
                return made[0].validate(_parsed(made[0], copy_routed(given), reads_texts))
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
