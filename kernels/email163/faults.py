"""What 163's mail servers and the MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable

from farm.appkit import Episode, VendorError
from farm.appkit.faults import FaultAnswer, Faults

from .errors import Failed

_SENDS = "send_email"


def _by_protocol(smtp: str, imap: str) -> Callable[[Episode, str, int], VendorError]:
    """Return what words a failure of SMTP for the tool that sends, and one of IMAP for those that read."""
    return lambda _, tool, __: Failed(smtp if tool == _SENDS else imap)


def _too_often(ep: Episode, tool: str, retry_after_s: int) -> VendorError:
    """Return 163's refusal of a sender who sends too often, with the number of the delivery; reading is cut off."""
    if tool != _SENDS:
        return Failed("Connection ended unexpectedly")
    now_s, number = int(ep.now.timestamp()), ep.hash("delivery", ep.now_ms)
    host, delivery = f"smtp{number % 14 + 1}", b64encode(number.to_bytes(8, "big")).decode().rstrip("=")
    page = f"http://mail.163.com/help/help_spam_16.htm?ip=203.0.113.7&hostid={host}&time={now_s}"
    told = f"451 MI:SFQ 163 {host},EMCowAC{delivery}--.{number % 90000 + 10000}S2 {now_s},please see {page}"
    return Failed(f"Message failed: {told}")


FAULTS: Faults = {
    "rate_limited": FaultAnswer(
        _too_often,
        "inferred",
        "163's code for too many mails in 15 minutes, in the form in which its servers word other codes: "
        "https://github.com/zabbix-book/zabbix_mail_with_graph/issues/1",
    ),
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
