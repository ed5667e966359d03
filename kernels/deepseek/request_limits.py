"""What the API itself asks of a chat, which the server passes on unread."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from farm.appkit import compact_json
from farm.appkit.formats.javascript import js_well_formed

from . import errors

# Of the models of 2026.
TOKENS_MAX = 393_216
TOOLS_MAX, _NAME_MAX = 128, 64
_NAME = re.compile("[a-zA-Z0-9_-]+")


def require_fields(model: str, messages: Sequence[Mapping[str, Any]]) -> None:
    """Refuse messages that the API cannot read: all but an assistant's have a content, a result names its call.

    Raises:
        FieldMissing, ContentUnreadable: with the place in the body that the server sends, where the message ends.
    """
    for number, message in enumerate(messages):
        missing = _missing_field(message)
        if missing is None and message.get("content", "") is not None:
            continue
        if missing is None and message["role"] == "assistant":
            continue
        head = f'{{"model":{compact_json(model)},"messages":['
        before = ",".join(map(compact_json, messages[: number + 1]))
        column = len(js_well_formed(head + before).encode())
        if missing is None:
            raise errors.ContentUnreadable(number=number, column=column)
        raise errors.FieldMissing(number=number, column=column, field=missing)


def _missing_field(message: Mapping[str, Any]) -> str | None:
    if message["role"] != "assistant" and "content" not in message:
        return "content"
    return "tool_call_id" if message["role"] == "tool" and "tool_call_id" not in message else None


def require_assistant_contents(messages: Sequence[Mapping[str, Any]]) -> None:
    """Refuse an assistant that said nothing and called nothing.

    Raises:
        AssistantSilent: one of these.
    """
    for message in messages:
        if message["role"] == "assistant" and message.get("content") is None and not message.get("tool_calls"):
            raise errors.AssistantSilent


def require_tokens(tokens: int | None) -> None:
    """Refuse an answer longer than any model gives.

    Raises:
        TooManyTokens: with the range.
    """
    if tokens is not None and tokens > TOKENS_MAX:
        raise errors.TooManyTokens(most=TOKENS_MAX)


def require_tools(tools: Sequence[Mapping[str, Any]], choice: Any, *, is_thinking: bool) -> None:
    """Refuse functions that are too many or badly named, and a choice that cannot be made among them.

    Args:
        choice: what ``tool_choice`` says.
        is_thinking: then nothing can be forced.

    Raises:
        TooManyTools, ToolNameMisspelled, ToolNameTooLong, ToolChoiceUnsupported, NothingToChoose, ToolNotOffered:
            in this order.
    """
    if len(tools) > TOOLS_MAX:
        raise errors.TooManyTools(count=len(tools))
    names = [str(tool["function"]["name"]) for tool in tools]
    for number, name in enumerate(names):
        if not _NAME.fullmatch(name):
            raise errors.ToolNameMisspelled(number=number)
        if len(name) > _NAME_MAX:
            raise errors.ToolNameTooLong(number=number, length=len(name))
    is_named = isinstance(choice, Mapping)
    if not is_named and choice != "required":
        return
    if is_thinking:
        raise errors.ToolChoiceUnsupported
    if not names:
        raise errors.NothingToChoose
    if is_named and choice["function"]["name"] not in names:
        raise errors.ToolNotOffered(name=choice["function"]["name"])


def require_reasoning_returned(messages: Sequence[Mapping[str, Any]]) -> None:
    """Refuse, in thinking mode, a call of functions that comes back without the reasoning before it.

    Raises:
        ReasoningLost: an empty one would do.
    """
    for message in messages:
        if message["role"] == "assistant" and message.get("tool_calls") and message.get("reasoning_content") is None:
            raise errors.ReasoningLost


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
