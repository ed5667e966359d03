"""Composio's hosted toolkits: pydantic's findings in Composio's own sentence, inside its JSON envelope.

Real servers: Instagram, Reddit (``Composio()``). Source: composio-core 0.7.22 as published, applied to the documented
parameters; nothing was recorded from the hosted servers themselves, so envelope and unknown tools are inferred.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from farm.appkit.dialects._base import (
    ISSUES_MAX,
    TEXT_BYTES_MAX,
    TOO_DEEP,
    Check,
    Dialect,
    InvalidArgumentsError,
    Wording,
    truncate_text,
)
from farm.appkit.dialects._models import ArgumentModel, argument_model, import_pydantic
from farm.appkit.dialects._python import UNKNOWN_TOOL, not_an_object

if TYPE_CHECKING:
    from pydantic import ValidationError

_SDK = "1.30.0"


@dataclass(frozen=True)
class Composio(Dialect):
    """A hosted Composio toolkit.

    Attributes:
        body: the JSON around an error's text, which replaces the value of ``error``.
        is_error: ``isError`` of the MCP result.
        unknown: the wording for an unknown tool name.
    """

    body: Mapping[str, Any] = field(
        default_factory=lambda: {"successful": False, "data": {}, "error": None}, hash=False
    )
    is_error: bool | None = False
    unknown: Wording = UNKNOWN_TOOL

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool; its model is made at the first call. Absent arguments are an empty object."""
        import_pydantic()
        from pydantic import ValidationError

        made: list[ArgumentModel] = []

        def check(arguments: Any) -> dict[str, Any]:
            if not made:
                made.append(argument_model(tool, input_schema))
            given = {} if arguments is None else arguments
            if type(given) is not dict:
                raise not_an_object(_SDK)
            try:
                return made[0].validate(given)
            except ValidationError as problem:
                text = _sentence(problem)
            except RecursionError:
                text = TOO_DEEP
            body = json.dumps({**self.body, "error": text}, ensure_ascii=False, separators=(",", ":"))
            raise InvalidArgumentsError(body, is_error=self.is_error)

        return check

    def unknown_tool(self, tool: str, arguments: Any = None) -> InvalidArgumentsError:
        """Return the refusal of a nonexistent tool, or first of arguments that are not an object."""
        if arguments is not None and type(arguments) is not dict:
            return not_an_object(_SDK)
        return self.unknown.refusal(tool=tool)


def _sentence(problem: ValidationError) -> str:
    """Word findings as Composio does: missing fields in one line, printed as a Python set, then the others."""
    lines, missing = ["Invalid request data provided"], []
    for error in islice(problem.errors(include_url=False, include_context=False, include_input=False), ISSUES_MAX):
        place = ".".join(map(str, error["loc"]))
        if error["type"] == "missing":
            missing.append(place)
        else:
            lines.append(f"{error['msg']} on parameter `{place}`")
    if missing:
        # The real set's order changes from process to process; ours is the schema's.
        lines.insert(1, f"Following fields are missing: {{{', '.join(map(repr, missing))}}}")
    # Half of the limit, so that the text fits into its JSON with every quote escaped.
    return truncate_text("\n- ".join(lines), TEXT_BYTES_MAX // 2 - 512)
