"""What Discord and its MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit.faults import FaultAnswer, Faults

from .errors import ClientNotReady, DiscordError, PythonError

_CODES = "https://discord.com/developers/docs/topics/opcodes-and-status-codes"
_MissingPermissions = DiscordError.define(50013, "Missing Permissions", status=403)

FAULTS: Faults = {
    "rate_limited": FaultAnswer(
        lambda _, __, ___: PythonError("429 Too Many Requests (error code: 0): You are being rate limited."),
        "documented",
        f"{_CODES}; discord.py has waited and tried five times by then",
    ),
    "token_expired": FaultAnswer(lambda _, __, ___: ClientNotReady(), "recorded", "the server's source"),
    "no_permission": FaultAnswer(lambda _, __, ___: _MissingPermissions(), "recorded", "discord.py's source"),
    "server_error": FaultAnswer(
        lambda _, __, ___: PythonError("500 Internal Server Error (error code: 0): 500: Internal Server Error"),
        "inferred",
        "the form of discord.py's other errors",
    ),
    "timeout": FaultAnswer(
        lambda _, __, ___: PythonError(""), "inferred", "asyncio's TimeoutError has no text, and the server prints it"
    ),
}
