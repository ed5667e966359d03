"""The Python SDK's FastMCP: pydantic models of the handlers' signatures, and pydantic's own words.

Real servers: Amap (``Pydantic(sdk="1.8.1", pydantic="2.11")``), Tushare (``Pydantic(sdk="1.30.0", pydantic="2.14")``),
Telegram (``Pydantic(sdk="1.25.0", pydantic="2.14")``). Sources: their recorded calls; the SDK's tags 1.8.1 to 1.29.
pydantic's texts are those of the installed release, the same since 2.11 as far as these servers show; only the link
to its pages names the release.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from farm.dialects._base import TOO_DEEP, ArgumentsRefused, Check, Dialect, Wording, version
from farm.dialects._models import ArgumentModel, argument_model, first_issues, import_pydantic, linked_to
from farm.dialects._python import UNKNOWN_TOOL, copy_routed, not_an_object

_INVALID = Wording("Error executing tool {tool}: {issues}")


@dataclass(frozen=True)
class Pydantic(Dialect):
    """A server on FastMCP.

    Attributes:
        sdk: version of the Python SDK. Before 1.12 it reads every text that is JSON of a list, an object or null before
            checking; since then only where the handler takes more than text.
        pydantic: release of pydantic, as its links name it.
        invalid: how arguments that do not fit are worded.
        unknown: how a name that is no tool's is worded.
    """

    sdk: str = "1.30.0"
    pydantic: str = "2.14"
    invalid: Wording = _INVALID
    unknown: Wording = UNKNOWN_TOOL

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool; its model is made at its first call. Arguments left out are an empty object."""
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
                # pydantic's ValidationError is one, and its name is not known here before it is needed.
                text = linked_to(first_issues(str(problem)), self.pydantic)
                refused = self.invalid.refusal(tool=tool, issues=text)
            except RecursionError:
                refused = ArgumentsRefused(TOO_DEEP)
            raise refused

        return check

    def unknown_tool(self, tool: str, arguments: Any = None) -> ArgumentsRefused:
        """The answer to a call of a tool that does not exist; arguments that are no object are told before that."""
        if arguments is not None and type(arguments) is not dict:
            return not_an_object(self.sdk)
        return self.unknown.refusal(tool=tool)


def _parsed(model: ArgumentModel, arguments: dict[str, Any], reads_texts: bool) -> dict[str, Any]:
    """Read texts that are JSON, in place, as the SDK does for clients that send lists and objects as texts."""
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
