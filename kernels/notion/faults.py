"""What Notion and its MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit.faults import FaultAnswer, Faults

from .errors import ApiError, ServerError, Unauthorized

_CODES = "https://developers.notion.com/reference/status-codes"
_RateLimited = ApiError.define(
    "rate_limited", "You have been rate limited. Please try again in a few minutes.", status=429
)
_Restricted = ApiError.define("restricted_resource", "Insufficient permissions for this endpoint.", status=403)
_Internal = ApiError.define("internal_server_error", "Unexpected error occurred.", status=500)

FAULTS: Faults = {
    "rate_limited": FaultAnswer(
        lambda _, __, ___: _RateLimited(), "recorded", "the server's source; it has retried twice by then"
    ),
    "token_expired": FaultAnswer(lambda _, __, ___: Unauthorized(), "recorded", "a recorded answer with status 401"),
    "no_permission": FaultAnswer(lambda _, __, ___: _Restricted(), "documented", _CODES),
    "server_error": FaultAnswer(lambda _, __, ___: _Internal(), "documented", _CODES),
    "timeout": FaultAnswer(
        lambda _, __, ___: ServerError("Notion API request timed out after 30000ms"), "recorded", "the server's source"
    ),
}
