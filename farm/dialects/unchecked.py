"""Servers written by hand that check nothing against their schemas: what a caller sends reaches their own code.

Real servers: 163 mail, Pollinations, Notion before 2.0 (``Unchecked(sdk="typescript 1.11.2", …)``), Discord
(``Unchecked(sdk="python 1.1.2", …)``). Sources: their recorded calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from farm.dialects import _javascript, _python
from farm.dialects._base import ArgumentsRefused, Check, Dialect, Wording
from farm.dialects._python import UNKNOWN_TOOL
from farm.dialects._values import copy_value


@dataclass(frozen=True)
class Unchecked(Dialect):
    """A hand-written server. The schema is advice only: arguments reach the handler as they came.

    Attributes:
        sdk: language and version of the SDK below: ``typescript 1.32.2`` or ``python 1.1.2``. It decides how arguments
            that are no object are refused, and whether numbers are doubles.
        unknown: how a name that is no tool's is worded.
        absent: what is answered when the arguments are left out, where that is not as if they were empty: by tool, or
            one wording for all, names that are no tool's too.
    """

    sdk: str = "typescript 1.32.2"
    unknown: Wording = UNKNOWN_TOOL
    absent: Wording | Mapping[str, Wording] = field(default_factory=dict, hash=False)

    @property
    def checks_arguments(self) -> bool:
        """Nothing is sure to be there."""
        return False

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool: it refuses only what is no object, or what ``absent`` names."""
        copy: Callable[[Any], Any] = _python.copy_routed if self.sdk.startswith("python ") else copy_value
        absent = self.absent if isinstance(self.absent, Wording) else self.absent.get(tool)

        def check(arguments: Any) -> dict[str, Any]:
            if arguments is None:
                if absent is not None:
                    raise absent.refusal(tool=tool)
                return {}
            if type(arguments) is dict:
                return copy(arguments)  # type: ignore[no-any-return]
            raise self._not_an_object(arguments)

        return check

    @property
    def words_no_object(self) -> bool:
        """The SDK in TypeScript has words of its own."""
        return not self.sdk.startswith("python ")

    def null_arguments(self) -> ArgumentsRefused | None:
        """The answer to a call whose ``arguments`` are null, which Python's SDK takes for absent."""
        return None if self.sdk.startswith("python ") else self._not_an_object(None)

    def _not_an_object(self, arguments: Any) -> ArgumentsRefused:
        language, _, release = self.sdk.partition(" ")
        if language == "python":
            return _python.not_an_object(release)
        return _javascript.not_an_object(release, arguments)

    def unknown_tool(self, tool: str, arguments: Any = None) -> ArgumentsRefused:
        """The answer to a call of a tool that does not exist; absent arguments, or no object, are told before that."""
        if arguments is None and isinstance(self.absent, Wording):
            return self.absent.refusal(tool=tool)
        if arguments is not None and type(arguments) is not dict:
            return self._not_an_object(arguments)
        return self.unknown.refusal(tool=tool)
