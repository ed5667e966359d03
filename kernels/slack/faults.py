"""What Slack and its MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from collections.abc import Callable

from farm.appkit import Episode, VendorError
from farm.appkit.faults import FaultAnswer, Faults

from .errors import FetchFailed, SlackError

_POSTS = ("slack_post_message", "slack_reply_to_thread", "slack_add_reaction")
_METHODS = "https://api.slack.com/methods/chat.postMessage"


def _code(code: str, message: str, *, is_warned: bool = True) -> Callable[[Episode, str, int], VendorError]:
    error = SlackError.define(code, message)
    return lambda _, tool, __: error(post=is_warned and tool in _POSTS)


FAULTS: Faults = {
    "rate_limited": FaultAnswer(
        _code("ratelimited", "The request has been ratelimited.", is_warned=False),
        "recorded",
        "a recorded answer with status 429; the server passes on the body and not the Retry-After header",
    ),
    "token_expired": FaultAnswer(_code("token_expired", "An expired token was sent."), "documented", _METHODS),
    "no_permission": FaultAnswer(
        _code("missing_scope", "The token lacks a scope. Not simulated: needed and provided."), "documented", _METHODS
    ),
    "server_error": FaultAnswer(
        _code("internal_error", "The server could not complete the operation without encountering an error."),
        "documented",
        _METHODS,
    ),
    "timeout": FaultAnswer(
        lambda _, __, ___: FetchFailed(),
        "inferred",
        "the server has no time-out of its own; this is the message of Node's fetch for a broken connection",
    ),
}
