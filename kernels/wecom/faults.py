"""What WeCom's webhooks and the MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit import VendorError
from farm.appkit.faults import FaultAnswer, Faults

from .errors import ApiError, ApiFreqOutOfLimit, InvalidWebhookUrl

_CODES = "https://developer.work.weixin.qq.com/document/path/90313"
_SystemBusy = ApiError.define(-1, "system busy")
_ApiForbidden = ApiError.define(48002, "api forbidden")
_TimedOut = VendorError.define(
    "timed_out", "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"
)

FAULTS: Faults = {
    "rate_limited": FaultAnswer(lambda ep, _, __: ApiFreqOutOfLimit(ep), "documented", _CODES),
    "token_expired": FaultAnswer(lambda ep, _, __: InvalidWebhookUrl(ep), "recorded", "a key that is nobody's"),
    "no_permission": FaultAnswer(lambda ep, _, __: _ApiForbidden(ep), "inferred", f"a code of {_CODES}"),
    "server_error": FaultAnswer(lambda ep, _, __: _SystemBusy(ep), "inferred", f"the code is of {_CODES}"),
    "timeout": FaultAnswer(lambda _, __, ___: _TimedOut(), "inferred", "Go's words for a request without an answer"),
}
