"""What Gmail and its MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit.faults import FaultAnswer, Faults

from .errors import InsufficientPermission, ServerError

_ERRORS = "https://developers.google.com/workspace/gmail/api/guides/handle-errors"

FAULTS: Faults = {
    "rate_limited": FaultAnswer(lambda _, __, ___: ServerError("Rate Limit Exceeded"), "documented", _ERRORS),
    "token_expired": FaultAnswer(
        lambda _, __, ___: ServerError("invalid_grant"), "recorded", "the source of the server's client"
    ),
    "no_permission": FaultAnswer(
        lambda _, __, ___: InsufficientPermission(), "recorded", "the refusal of the server's missing scopes"
    ),
    "server_error": FaultAnswer(lambda _, __, ___: ServerError("Backend Error"), "documented", _ERRORS),
    "timeout": FaultAnswer(
        lambda _, __, ___: ServerError("network timeout at: https://gmail.googleapis.com/"),
        "inferred",
        "the message of the server's HTTP client; the address is shortened",
    ),
}
