"""What Amap and its MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit import VendorError
from farm.appkit.faults import FaultAnswer, Faults

from .errors import EngineResponseDataError, ServerError

_CODES = "https://lbs.amap.com/api/webservice/guide/tools/info"
_AccessTooFrequent = VendorError.define("10004", "ACCESS_TOO_FREQUENT")
_InvalidUserKey = VendorError.define("10001", "INVALID_USER_KEY")
_ServiceNotAvailable = VendorError.define("10002", "SERVICE_NOT_AVAILABLE")
_Unreachable = ServerError.define(
    "unreachable",
    "Request failed: ('Connection aborted.', RemoteDisconnected('Remote end closed connection without response'))",
)

FAULTS: Faults = {
    "rate_limited": FaultAnswer(lambda _, __, ___: _AccessTooFrequent(), "documented", _CODES),
    "token_expired": FaultAnswer(lambda _, __, ___: _InvalidUserKey(), "documented", _CODES),
    "no_permission": FaultAnswer(lambda _, __, ___: _ServiceNotAvailable(), "documented", _CODES),
    "server_error": FaultAnswer(lambda _, __, ___: EngineResponseDataError(), "documented", _CODES),
    "timeout": FaultAnswer(
        lambda _, __, ___: _Unreachable(), "inferred", "the server's source, before the words of Python's requests"
    ),
}
