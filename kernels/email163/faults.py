"""What 163's mail servers and the MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from collections.abc import Callable

from farm.appkit import Episode, VendorError
from farm.appkit.faults import FaultAnswer, Faults, NoFaultAnswer

from .errors import Failed

_SENDS = "send_email"


def _by_protocol(smtp: str, imap: str) -> Callable[[Episode, str, int], VendorError]:
    """Return what words a failure of SMTP for the tool that sends, and one of IMAP for those that read."""
    return lambda _, tool, __: Failed(smtp if tool == _SENDS else imap)


FAULTS: Faults = {
    "rate_limited": NoFaultAnswer("163 refuses too many mails in texts that nobody recorded"),
    "token_expired": FaultAnswer(
        _by_protocol("Invalid login: 535 Error: authentication failed", "Authentication failed."),
        "recorded",
        "answers on loopback to a wrong password",
    ),
    "no_permission": FaultAnswer(
        _by_protocol(
            "Mail command failed: 553 Mail from must equal authorized user",
            "Unsafe Login. Please contact kefu@188.com for help",
        ),
        "inferred",
        "163's own words, behind those of the libraries",
    ),
    "server_error": FaultAnswer(
        _by_protocol(
            "Message failed: 451 Requested action aborted: local error in processing", "Connection ended unexpectedly"
        ),
        "inferred",
        "RFC 5321's words for 451, and those of the IMAP library for a server that hangs up",
    ),
    "timeout": FaultAnswer(
        _by_protocol("Connection timeout", "Timed out while connecting to server"),
        "inferred",
        "the words of the two libraries",
    ),
}
