"""What Context7 and its MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit import VendorError
from farm.appkit.faults import FaultAnswer, Faults

from .errors import InvalidApiKey, RateLimited, RequestFailed

_SOURCE = "the server's source"

_Unreachable = VendorError.define("unreachable", "{failed} TypeError: fetch failed")


def _unreachable(tool: str) -> VendorError:
    searches = tool == "resolve-library-id"
    failed = "Error searching libraries:" if searches else "Error fetching library context. Please try again later."
    return _Unreachable(failed=failed)


FAULTS: Faults = {
    "rate_limited": FaultAnswer(lambda _, __, ___: RateLimited(), "recorded", _SOURCE),
    "token_expired": FaultAnswer(lambda _, __, ___: InvalidApiKey(), "recorded", _SOURCE),
    "no_permission": FaultAnswer(
        lambda _, __, ___: RequestFailed(status=403), "inferred", "the server words every other status like this one"
    ),
    "server_error": FaultAnswer(lambda _, __, ___: RequestFailed(status=500), "recorded", _SOURCE),
    "timeout": FaultAnswer(lambda _, tool, __: _unreachable(tool), "recorded", _SOURCE),
}
