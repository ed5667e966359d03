"""What the Local REST API plugin and its MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit.faults import FaultAnswer, Faults, NoFaultAnswer

from .errors import ApiKeyAuthorizationRequired, InternalServerError, ReadTimedOut

FAULTS: Faults = {
    "rate_limited": NoFaultAnswer("the plugin limits no rate"),
    "token_expired": FaultAnswer(lambda _, __, ___: ApiKeyAuthorizationRequired(), "recorded", "the plugin's source"),
    "no_permission": NoFaultAnswer("a key of the plugin opens the whole vault"),
    "server_error": FaultAnswer(lambda _, __, ___: InternalServerError(), "recorded", "the plugin's source"),
    "timeout": FaultAnswer(lambda _, __, ___: ReadTimedOut(), "recorded", "a recorded answer to a vault that threw"),
}
