"""What Instagram's API and Composio answer when a call fails for a reason outside of it."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from farm.appkit import Episode, VendorError
from farm.appkit.faults import FaultAnswer, Faults, NoFaultAnswer

from .errors import GraphError

_CODES = "https://developers.facebook.com/docs/graph-api/guides/error-handling"
_ZONE = ZoneInfo("America/Los_Angeles")
_RequestLimit = GraphError.define(4, "(#4) Application request limit reached")
_NoPermission = GraphError.define(10, "(#10) Application does not have permission for this action")
_Unexpected = GraphError.define(2, "An unexpected error has occurred. Please retry your request later.")


class _SessionExpired(GraphError):
    """Error validating access token: Session has expired on {ended}. The current time is {now}."""

    code, subcode = 190, 463


def _session_expired(ep: Episode, tool: str, retry_after_s: int) -> VendorError:
    now = ep.now.astimezone(_ZONE)
    ended = now.replace(minute=0, second=0)
    form = "%A, %d-%b-%y %H:%M:%S %Z"
    return _SessionExpired(ep, ended=ended.strftime(form), now=now.strftime(form))


FAULTS: Faults = {
    "rate_limited": FaultAnswer(lambda ep, _, __: _RequestLimit(ep), "documented", _CODES),
    "token_expired": FaultAnswer(_session_expired, "documented", _CODES),
    "no_permission": FaultAnswer(lambda ep, _, __: _NoPermission(ep), "documented", _CODES),
    "server_error": FaultAnswer(lambda ep, _, __: _Unexpected(ep), "documented", _CODES),
    "timeout": NoFaultAnswer("Composio words it, and nobody recorded how"),
}
