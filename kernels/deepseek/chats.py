"""Chat: one message or a history, with what the server remembers of the conversation before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from farm.appkit import Answer, Episode, Json, Result, compact_json

from . import answers, conversations, files, raw_answers, request_limits

_INDENTED = Json(indented=True)
# The one name that stands for a model without thinking, unless it is asked for.
_UNTHINKING = "deepseek-chat"
# The beginning of all, the assistant's turn and where its thinking begins or has ended.
_FRAME = 3
_AROUND = {"system": 0, "user": 1, "assistant": 3, "tool": 2}


def chat_completion(ep: Episode, /, **given: Any) -> Result:
    """Answer a chat, and remember it where it has an id.

    Args:
        message, messages: the latter where both are there.
        conversation_id: what was said under it before goes in front; only an answer is remembered.
        clear_conversation: forgets it first, even if the call fails then.
        max_tokens, stop: where the answer is cut; reasoning counts, too.
        thinking, reasoning_effort: without ``disabled`` or ``none`` there is reasoning.
        response_format: ``json_object`` is answered with an object.
        tools, tool_choice: a function is called only where one must be, and without thinking.
        logprobs, top_logprobs: stand in the raw answer that is no stream.

    Raises:
        ApiError: what ``request_limits`` refuses, an unknown model or file, nothing left to pay with.
    """
    conversation_id = given.get("conversation_id")
    if conversation_id and given["clear_conversation"]:
        conversations.forget(ep, conversation_id)
    new = given.get("messages") or [{"role": "user", "content": given["message"]}]
    outbound = [*(conversations.remembered(ep, conversation_id) if conversation_id else ()), *new]
    as_json = given.get("response_format", {}).get("type") == "json_object"
    is_thinking = _reasons(given)
    request_limits.require_fields(given["model"], outbound)
    answers.require_model(ep, given["model"])
    request_limits.require_tokens(given.get("max_tokens"))
    request_limits.require_assistant_contents(outbound)
    request_limits.require_answered(outbound)
    request_limits.require_tools(given.get("tools", ()), given.get("tool_choice"), is_thinking=is_thinking)
    if is_thinking:
        request_limits.require_reasoning_returned(outbound)
    if as_json:
        request_limits.require_json_named(list(map(text_of, outbound)))
    files.require_parts(ep, outbound)
    said = answers.say(
        ep,
        "chat",
        model=given["model"],
        asked=text_of(outbound[-1]),
        counted_text="".join([*map(text_of, outbound), *map(compact_json, given.get("tools", ()))]),
        given={**given, "messages": outbound},
        markers=_markers(outbound),
        tokens_max=given.get("max_tokens"),
        reasons=is_thinking,
        as_json=as_json,
        called=_called(given),
    )
    calls = answers.calls(ep, said)
    if not given["stream"]:
        # The server drops the number where it puts pieces together.
        calls = [{"index": number, **call} for number, call in enumerate(calls)]
    content = said.text or None if given["stream"] else said.text
    message: dict[str, Any] = {"role": "assistant", "content": content}
    message |= {"reasoning_content": said.reasoning} if said.reasoning else {}
    message |= {"tool_calls": calls} if calls else {}
    if conversation_id:
        conversations.remember(ep, conversation_id, [*new, message])
    told = {
        "model": given["model"],
        "conversation_id": conversation_id,
        "response_text": said.text,
        "reasoning_content": said.reasoning or None,
        "tool_calls": calls,
        "finish_reason": said.finish,
        "usage": raw_answers.usage(said),
        "stream_chunk_count": said.chunks if given["stream"] else None,
    }
    if given["include_raw_response"]:
        told["raw_response"] = raw_answers.chat(ep, said, given, message)
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
    mode = given.get("thinking", {}).get("type")
    if given["model"] == _UNTHINKING and mode is None:
        return False
    return mode != "disabled" and given.get("reasoning_effort") != "none"


def _markers(messages: Sequence[Mapping[str, Any]]) -> int:
    """Return how many tokens of the models' public template stand around messages.

    Source: https://huggingface.co/deepseek-ai/DeepSeek-V3.1 (its chat template)
    """
    return _FRAME + sum(_AROUND[message["role"]] for message in messages)


def _called(given: Mapping[str, Any]) -> str | None:
    choice = given.get("tool_choice")
    if isinstance(choice, Mapping):
        return str(choice["function"]["name"])
    return str(given["tools"][0]["function"]["name"]) if choice == "required" else None
