"""OpenAI's chat completions API: parse requests and serialize answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from farm.testing.mock_model.conversation import (
    AssistantTurn,
    InputTurn,
    Reply,
    Request,
    RequestedCall,
    UnanswerableError,
    pieces,
    text_of,
)
from farm.testing.mock_model.parts import object_in, objects, text_in
from farm.testing.mock_model.provider_limits import OPENAI, require_results, require_strict, require_tools


def parse_request(asked: dict[str, Any], size_bytes: int) -> Request:
    """Parse a request.

    Raises:
        UnanswerableError: the request is not a conversation, or requires something that a script cannot do.
    """
    messages = objects(asked, "messages")
    object_in(asked, "stream_options")
    _require_taken(asked, messages)
    if asked.get("n") not in (None, 1):
        raise UnanswerableError("a script has one answer; leave out 'n'")
    return Request(
        model=str(asked.get("model", "")),
        instructions="\n".join(
            text_of(each.get("content")) for each in messages if each.get("role") in ("system", "developer")
        ),
        items=tuple(_items(messages)),
        tools=tuple(_tools(asked)),
        may_call=asked.get("tool_choice") != "none",
        may_call_several=asked.get("parallel_tool_calls") is not False,
        is_streamed=bool(asked.get("stream")),
        size_bytes=size_bytes,
    )


def _require_taken(asked: dict[str, Any], messages: list[dict[str, Any]]) -> None:
    """Require what OpenAI requires of tools and conversation."""
    declared = [
        object_in(each, "function") for each in objects(asked, "tools") if each.get("type", "function") == "function"
    ]
    require_tools(OPENAI, ((text_in(each, "name"), each.get("parameters")) for each in declared))
    for each in declared:
        if each.get("strict"):
            require_strict(text_in(each, "name"), each.get("parameters"))
    for n, each in enumerate(messages):
        wanted = [str(call.get("id")) for call in objects(each, "tool_calls")]
        given: list[str] = []
        for told in messages[n + 1 :]:
            if told.get("role") != "tool":
                break
            given.append(str(told.get("tool_call_id")))
        require_results(OPENAI, wanted, given)


def _items(messages: list[dict[str, Any]]) -> Iterator[AssistantTurn | InputTurn]:
    for each in messages:
        content = each.get("content")
        match each.get("role"):
            case "assistant":
                calls = tuple(str(call.get("id")) for call in objects(each, "tool_calls"))
                yield AssistantTurn(calls, calls)
            case "tool":
                yield InputTurn.result(str(each.get("tool_call_id")), content)
            case "user":
                yield InputTurn(text_of(content))


def _tools(asked: dict[str, Any]) -> Iterator[str]:
    for each in objects(asked, "tools"):
        if each.get("type") == "function":
            yield text_in(object_in(each, "function"), "name")


def render(reply: Reply) -> dict[str, Any]:
    """Return an answer without streaming."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text, "refusal": None, "annotations": []}
    if reply.calls:
        message["tool_calls"] = [_call(call) for call in reply.calls]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _reason(reply)}
    return {**_head(reply, "chat.completion"), "choices": [choice], "usage": _usage(reply)}


def render_stream(reply: Reply, asked: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the chunks of a streamed answer."""
    head = _head(reply, "chat.completion.chunk")
    with_usage = bool(object_in(asked, "stream_options").get("include_usage"))

    def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return {**head, "choices": [choice], **({"usage": None} if with_usage else {})}

    yield chunk({"role": "assistant", "content": "" if reply.text is not None else None, "refusal": None})
    for piece in pieces(reply.text or ""):
        yield chunk({"content": piece})
    for n, call in enumerate(reply.calls):
        opening = _call(call)
        opening["function"] = {"name": call.tool, "arguments": ""}
        yield chunk({"tool_calls": [{"index": n, **opening}]})
        for piece in pieces(call.arguments):
            yield chunk({"tool_calls": [{"index": n, "function": {"arguments": piece}}]})
    yield chunk({}, _reason(reply))
    if with_usage:
        yield {**head, "choices": [], "usage": _usage(reply)}


def _head(reply: Reply, kind: str) -> dict[str, Any]:
    # A constant, not the clock: the same request always gets the same answer.
    return {
        "id": f"chatcmpl-{reply.digest}",
        "object": kind,
        "created": 0,
        "model": reply.model,
        "service_tier": "default",
        "system_fingerprint": "fp_scripted",
    }


def _call(call: RequestedCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.tool, "arguments": call.arguments}}


def _reason(reply: Reply) -> str:
    return "tool_calls" if reply.calls else "stop"


def _usage(reply: Reply) -> dict[str, Any]:
    used = reply.usage
    return {
        "prompt_tokens": used.input,
        "completion_tokens": used.output,
        "total_tokens": used.input + used.output,
        "prompt_tokens_details": {"cached_tokens": used.cached, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }
