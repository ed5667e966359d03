"""What the Open Platform and Lark's MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from collections.abc import Callable

from farm.appkit import Episode, VendorError
from farm.appkit.faults import FaultAnswer, Faults

from .envelope import log_id
from .errors import LarkError, RequestTimeout, UserTokenInvalid

_CODES = "https://open.larksuite.com/document/server-docs/getting-started/server-error-codes"


def _answer(code: int, message: str, status: int) -> Callable[[Episode, str, int], VendorError]:
    kind = LarkError.define(code, message, status=status)

    def make(ep: Episode, tool: str, attempt: int) -> VendorError:
        error = kind()
        error.log_id = log_id(ep, tool, {"attempt": attempt})
        return error

    return make


FAULTS: Faults = {
    "rate_limited": FaultAnswer(_answer(99991400, "request trigger frequency limit", 429), "documented", _CODES),
    "token_expired": FaultAnswer(
        lambda _, __, ___: UserTokenInvalid(),
        "recorded",
        "the server's source: it refuses by itself when the user's token is no longer valid",
    ),
    "no_permission": FaultAnswer(
        _answer(
            99991679,
            "Unauthorized. You do not have permission to perform the requested operation on the resource. "
            "Please request user re-authorization and try again.",
            403,
        ),
        "inferred",
        f"the code stands at {_CODES}; the end of the sentence is inferred",
    ),
    "server_error": FaultAnswer(_answer(190003, "internal service error", 500), "documented", _CODES),
    "timeout": FaultAnswer(
        lambda _, __, ___: RequestTimeout(),
        "inferred",
        "axios' message at the SDK's 30 s, in the form that the server gives to a failed request",
    ),
}
