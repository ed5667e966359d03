"""What the API itself asks of a chat, which the server passes on unread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import errors

# Of the models of 2026.
TOKENS_MAX = 393_216


def require_tokens(tokens: int | None) -> None:
    """Refuse an answer longer than any model gives.

    Raises:
        TooManyTokens: with the range.
    """
    if tokens is not None and tokens > TOKENS_MAX:
        raise errors.TooManyTokens(most=TOKENS_MAX)


def require_answered(messages: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a history in which calls of functions and their results do not follow each other.

    Raises:
        NoCallBefore: a result that nothing asked for.
        CallUnanswered: a call whose result is not what comes next.
    """
    is_called, open_ids = False, set[str]()
    for message in messages:
        if message["role"] == "tool":
            if not is_called:
                raise errors.NoCallBefore
            open_ids.discard(message.get("tool_call_id", ""))
            continue
        if open_ids:
            raise errors.CallUnanswered
        calls = message.get("tool_calls") or () if message["role"] == "assistant" else ()
        is_called, open_ids = bool(calls), {str(call.get("id")) for call in calls}
    if open_ids:
        raise errors.CallUnanswered


def require_json_named(texts: Sequence[str]) -> None:
    """Refuse JSON mode where nothing that was said names JSON.

    Raises:
        JsonUnnamed: so the model would not know.
    """
    if not any("json" in text.lower() for text in texts):
        raise errors.JsonUnnamed
