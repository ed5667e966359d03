"""What DeepSeek and its MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit.faults import FaultAnswer, Faults

from .errors import ApiError, InsufficientBalance

_CODES = "https://api-docs.deepseek.com/quick_start/error_codes"
_RateLimited = ApiError.define("rate_limit_reached", "Rate Limit Reached", status=429)
_AuthenticationFails = ApiError.define("authentication_fails", "Authentication Fails", status=401)
_ServerError = ApiError.define("server_error", "Server Error", status=500)
_Unreachable = ApiError.define("unreachable", "Failed to call DeepSeek API")

FAULTS: Faults = {
    "rate_limited": FaultAnswer(lambda _, __, ___: _RateLimited(), "documented", _CODES),
    "token_expired": FaultAnswer(lambda _, __, ___: _AuthenticationFails(), "documented", _CODES),
    "no_permission": FaultAnswer(lambda _, __, ___: InsufficientBalance(), "recorded", "a recorded answer, status 402"),
    "server_error": FaultAnswer(lambda _, __, ___: _ServerError(), "documented", _CODES),
    "timeout": FaultAnswer(lambda _, __, ___: _Unreachable(), "recorded", "the server's source"),
}
