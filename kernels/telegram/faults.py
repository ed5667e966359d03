"""What Telegram's MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit.faults import FaultAnswer, Faults

from .errors import Failed

# One sentence for every failure; the reason goes to the server's own log.
_FAILED = FaultAnswer(lambda _, __, ___: Failed(), "recorded", "the server's source")

FAULTS: Faults = {
    "rate_limited": _FAILED,
    "token_expired": _FAILED,
    "no_permission": _FAILED,
    "server_error": _FAILED,
    "timeout": _FAILED,
}
