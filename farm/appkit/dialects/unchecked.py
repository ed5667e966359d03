"""Hand-written servers that do not validate against their schemas: a caller's arguments reach their own code.

Real servers: 163 mail, Pollinations, Notion before 2.0 (``Unchecked(sdk="typescript 1.11.2", …)``), Discord
(``Unchecked(sdk="python 1.1.2", …)``). Sources: their recorded calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from farm.appkit.dialects import _javascript, _python
from farm.appkit.dialects._base import Check, Dialect, InvalidArgumentsError, RequestWording, Wording, version
from farm.appkit.dialects._python import UNKNOWN_TOOL
from farm.appkit.dialects._requests import PythonRequests, TypescriptRequests
from farm.appkit.dialects._values import copy_value


@dataclass(frozen=True)
class Unchecked(Dialect):
    """A hand-written server. The schema is not enforced: arguments reach the handler unchanged.

    Attributes:
        sdk: language and version of the SDK: ``typescript 1.32.2`` or ``python 1.1.2``. It decides how arguments that
            are not an object are refused, and whether numbers are doubles.
        unknown: the wording for an unknown tool name.
        absent: the wording for absent arguments, if the server does not treat them as empty: by tool, or one wording
            for all, unknown tools included.
    """

    sdk: str = "typescript 1.32.2"
    unknown: Wording = UNKNOWN_TOOL
    absent: Wording | Mapping[str, Wording] = field(default_factory=dict, hash=False)

    @property
    def checks_arguments(self) -> bool:
        """Return False: no argument is guaranteed to be present."""
        return False

    @property
    def requests(self) -> RequestWording:
        """The refusals of requests other than tool calls."""
        return PythonRequests() if self.sdk.startswith("python ") else TypescriptRequests(version(self.sdk))

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool: it refuses only arguments that are not an object, and those of ``absent``."""
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
        """Return True for the TypeScript SDK, which has its own wording."""
        return not self.sdk.startswith("python ")

    def null_arguments(self) -> InvalidArgumentsError | None:
        """The refusal of a call whose ``arguments`` are null; None on Python's SDK, which treats them as absent."""
        return None if self.sdk.startswith("python ") else self._not_an_object(None)

    def _not_an_object(self, arguments: Any) -> InvalidArgumentsError:
        language, _, release = self.sdk.partition(" ")
        if language == "python":
            return _python.not_an_object(release)
        return _javascript.not_an_object(release, arguments)

    def unknown_tool(self, tool: str, arguments: Any = None) -> InvalidArgumentsError:
        """Return the refusal of a nonexistent tool, or first of arguments that are absent or not an object."""
        if arguments is None and isinstance(self.absent, Wording):
            return self.absent.refusal(tool=tool)
        if arguments is not None and type(arguments) is not dict:
            return self._not_an_object(arguments)
        return self.unknown.refusal(tool=tool)
