"""What Reddit and Composio answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit.faults import FaultAnswer, Faults, NoFaultAnswer

from .errors import Forbidden, HttpError

_SAMPLES = "Reddit's plain HTTP errors in recorded samples"
_RateLimited = HttpError.define(429, "Too Many Requests")
_Unauthorized = HttpError.define(401, "Unauthorized")
_ServerError = HttpError.define(500, "Internal Server Error")

FAULTS: Faults = {
    "rate_limited": FaultAnswer(
        lambda _, __, ___: _RateLimited(), "documented", "the status is; its body as of others"
    ),
    "token_expired": FaultAnswer(lambda _, __, ___: _Unauthorized(), "recorded", _SAMPLES),
    "no_permission": FaultAnswer(lambda _, __, ___: Forbidden(), "recorded", _SAMPLES),
    "server_error": FaultAnswer(lambda _, __, ___: _ServerError(), "recorded", _SAMPLES),
    "timeout": NoFaultAnswer("Composio words it, and nobody recorded how"),
}
