"""The two tools of 2025 (0.2.1): texts only, and one history for everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from farm.appkit import Episode, Result

from . import answers, conversations, errors

_FALLBACK = "deepseek-chat"
_NOTE = "Note: Fallback to deepseek-chat due to reasoner error.\n\n"
# No conversation of the later server can have this id.
_ONLY = ""


def chat_completion(ep: Episode, /, **given: Any) -> Result:
    """Answer; where that fails, ask another model and say so.

    Args:
        message, messages: the former where both are there.

    Raises:
        NothingGiven: neither.
        InsufficientBalance: the other model cannot be paid for either.
    """
    messages = [{"role": "user", "content": given["message"]}] if given.get("message") else given.get("messages")
    if messages is None:
        raise errors.NothingGiven
    try:
        return _said(ep, messages, given, given["model"])
    except errors.ModelNotExist:
        return _NOTE + _said(ep, messages, given, _FALLBACK)


def multi_turn_chat(ep: Episode, /, **given: Any) -> Result:
    """Answer the first of the messages after all that was said before, which a failure does not take back.

    Raises:
        NoFirstMessage: an empty list.
        ModelNotExist, InsufficientBalance: nothing is said.
    """
    given_messages = given["messages"]
    if given_messages == []:
        raise errors.NoFirstMessage
    message = {"role": "user", "content": given_messages}
    if not isinstance(given_messages, str):
        first = given_messages[0]
        message = {"role": first["role"], "content": first["content"]["text"]}
    conversations.remember(ep, _ONLY, [message])
    said = _said(ep, conversations.remembered(ep, _ONLY), given, given["model"])
    conversations.remember(ep, _ONLY, [{"role": "assistant", "content": said}])
    return said


def _said(ep: Episode, messages: Sequence[Mapping[str, Any]], given: Mapping[str, Any], model: str) -> str:
    texts = [str(each["content"]) for each in messages] or [""]
    asked = {"asked": texts, "model": model, **given}
    limit = given["max_tokens"]
    return answers.say(
        ep, "chat", model=model, asked=texts[-1], counted_text="".join(texts), given=asked, tokens_max=limit
    ).text
