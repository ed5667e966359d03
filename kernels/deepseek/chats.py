"""Chat: one message or a history, with what the server remembers of the conversation before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.appkit import Answer, Episode, Json, Result

from . import answers, conversations, files, request_limits

_INDENTED = Json(indented=True)


def chat_completion(ep: Episode, /, **given: Any) -> Result:
    """Answer a chat, and remember it where it has an id.

    Args:
        message, messages: the latter where both are there.
        conversation_id: what was said under it before goes in front; only an answer is remembered.
        clear_conversation: forgets it first, even if the call fails then.
        max_tokens, stop: where the answer is cut.
        thinking, reasoning_effort: without ``disabled`` or ``none`` there is reasoning.
        response_format: ``json_object`` is answered with an object.
        tools, tool_choice: a function is called only where one must be.

    Raises:
        ModelNotExist, InsufficientBalance, TooManyTokens, NoCallBefore, CallUnanswered, JsonUnnamed, FileNotFound:
            nothing is said.
    """
    conversation_id = given.get("conversation_id")
    if conversation_id and given["clear_conversation"]:
        conversations.forget(ep, conversation_id)
    new = given.get("messages") or [{"role": "user", "content": given["message"]}]
    outbound = [*(conversations.remembered(ep, conversation_id) if conversation_id else ()), *new]
    as_json = given.get("response_format", {}).get("type") == "json_object"
    answers.require_model(ep, given["model"])
    request_limits.require_tokens(given.get("max_tokens"))
    request_limits.require_answered(outbound)
    if as_json:
        request_limits.require_json_named(list(map(text_of, outbound)))
    files.require_parts(ep, outbound)
    said = answers.say(
        ep,
        "chat",
        model=given["model"],
        asked=text_of(outbound[-1]),
        counted_text="".join(map(text_of, outbound)),
        given={**given, "messages": outbound},
        tokens_max=given.get("max_tokens"),
        reasons=_reasons(given),
        as_json=as_json,
        called=_called(given),
    )
    calls = answers.calls(ep, said)
    content = said.text or None if given["stream"] else said.text
    message: dict[str, Any] = {"role": "assistant", "content": content}
    message |= {"reasoning_content": said.reasoning} if said.reasoning else {}
    message |= {"tool_calls": calls} if calls else {}
    if conversation_id:
        conversations.remember(ep, conversation_id, [*new, message])
    usage = {"prompt_tokens": said.prompt_tokens, "completion_tokens": said.completion_tokens}
    usage["total_tokens"] = said.prompt_tokens + said.completion_tokens
    told = {
        "model": given["model"],
        "conversation_id": conversation_id,
        "response_text": said.text,
        "reasoning_content": said.reasoning or None,
        "tool_calls": calls,
        "finish_reason": said.finish,
        "usage": usage,
        "stream_chunk_count": said.chunks if given["stream"] else None,
    }
    if given["include_raw_response"]:
        choice = {"index": 0, "finish_reason": said.finish, "message": message}
        head = {"id": said.id, "object": "chat.completion", "created": ep.now_ms // 1000, "model": given["model"]}
        told["raw_response"] = {**head, "choices": [choice], "usage": usage}
    shown = [said.text or "(no assistant content returned)"]
    shown += [f"\nReasoning:\n{said.reasoning}"] if said.reasoning else []
    shown += [f"\nTool calls returned by model: {_INDENTED.text(calls)}"] if calls else []
    return Answer("\n".join(shown), structured=told)


def text_of(message: Mapping[str, Any]) -> str:
    """Return what a message says in words; pictures say nothing."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return " ".join(part["text"] for part in content or () if part.get("type") == "text")


def _reasons(given: Mapping[str, Any]) -> bool:
    return given.get("thinking", {}).get("type") != "disabled" and given.get("reasoning_effort") != "none"


def _called(given: Mapping[str, Any]) -> str | None:
    choice, tools = given.get("tool_choice"), given.get("tools")
    if isinstance(choice, Mapping):
        return str(choice["function"]["name"])
    return str(tools[0]["function"]["name"]) if choice == "required" and tools else None
