"""The Python SDK's low-level server: the published schema itself, and jsonschema's own words for the best match.

Real servers: Obsidian, Baidu Maps (``Jsonschema()``), Discord where its SDK is newer than pinned. Sources: their
recorded calls; the SDK's tags. The jsonschema library runs only for a refusal; ``_fast_check`` accepts valid arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from farm.appkit.dialects._base import TOO_DEEP, Check, Dialect, InvalidArgumentsError, RequestWording, Wording
from farm.appkit.dialects._fast_check import fits
from farm.appkit.dialects._python import UNKNOWN_TOOL, copy_routed, not_an_object
from farm.appkit.dialects._requests import PythonRequests

_INVALID = Wording("Input validation error: {issues}")


@dataclass(frozen=True)
class Jsonschema(Dialect):
    """A low-level server of the Python SDK, 1.10 or newer; an older one checks nothing (``Unchecked``).

    Arguments reach the handler unchanged: nothing is dropped, filled in or converted.

    Attributes:
        sdk: version of the Python SDK.
        invalid: the wording for invalid arguments.
        unknown: the server code's wording for an unknown tool name.
    """

    sdk: str = "1.30.0"
    invalid: Wording = _INVALID
    unknown: Wording = UNKNOWN_TOOL

    @property
    def requests(self) -> RequestWording:
        """The refusals of requests other than tool calls."""
        return PythonRequests()

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool. Absent arguments count as an empty object."""
        # Imported here so that the first refusal does not pay for it.
        import_module("jsonschema.validators")
        is_fitting = fits(input_schema)

        def check(arguments: Any) -> dict[str, Any]:
            given = {} if arguments is None else arguments
            if type(given) is not dict:
                raise not_an_object(self.sdk)
            routed = copy_routed(given)
            try:
                issue = "" if is_fitting(routed) else _best_match(input_schema, routed)
            except RecursionError:
                issue = TOO_DEEP
            if issue:
                raise self.invalid.refusal(tool=tool, issues=issue)
            return routed

        return check

    def unknown_tool(self, tool: str, arguments: Any = None) -> InvalidArgumentsError:
        """Return the refusal of a nonexistent tool, or first of arguments that are not an object."""
        if arguments is not None and type(arguments) is not dict:
            return not_an_object(self.sdk)
        return self.unknown.refusal(tool=tool)


def _best_match(schema: Mapping[str, Any], arguments: Any) -> str:
    from jsonschema.exceptions import best_match  # type: ignore[import-untyped]  # it has no types
    from jsonschema.validators import (  # type: ignore[import-untyped]  # nor this
        Draft202012Validator,
        validator_for,
    )

    error = best_match(validator_for(schema, Draft202012Validator)(schema).iter_errors(arguments))
    return "" if error is None else str(error.message)
