"""Anthropic's messages API: parse requests and serialize answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from farm.testing.mock_model.conversation import (
    AssistantTurn,
    InputTurn,
    Reply,
    Request,
    RequestedCall,
    arguments_of,
    pieces,
    text_of,
)
from farm.testing.mock_model.parts import object_in, objects, text_in
from farm.testing.mock_model.provider_limits import ANTHROPIC, require_results, require_tools


def parse_request(asked: dict[str, Any], size_bytes: int) -> Request:
    """Parse a request.

    Raises:
        UnanswerableError: the request is not a conversation.
    """
    choice = object_in(asked, "tool_choice")
    _require_taken(asked)
    return Request(
        model=str(asked.get("model", "")),
        instructions=text_of(asked.get("system")),
        items=tuple(_items(objects(asked, "messages"))),
        tools=tuple(text_in(each, "name") for each in objects(asked, "tools")),
        may_call=choice.get("type") != "none",
        may_call_several=not choice.get("disable_parallel_tool_use"),
        is_streamed=bool(asked.get("stream")),
        size_bytes=size_bytes,
    )


def _require_taken(asked: dict[str, Any]) -> None:
    """Require what Anthropic requires of tools and conversation."""
    # Anthropic's own tools have a type and no schema.
    own = [each for each in objects(asked, "tools") if each.get("type", "custom") == "custom"]
    require_tools(ANTHROPIC, ((text_in(each, "name"), each.get("input_schema")) for each in own))
    messages = objects(asked, "messages")
    for each, told in pairwise([*messages, {}]):
        if each.get("role") == "assistant":
            require_results(ANTHROPIC, _ids(each, "tool_use", "id"), _ids(told, "tool_result", "tool_use_id"))


def _ids(message: dict[str, Any], kind: str, key: str) -> list[str]:
    content = message.get("content")
    blocks = objects(message, "content") if isinstance(content, list) else []
    return [str(block.get(key)) for block in blocks if block.get("type") == kind]


def _items(messages: list[dict[str, Any]]) -> Iterator[AssistantTurn | InputTurn]:
    for each in messages:
        content = each.get("content")
        blocks = [] if isinstance(content, str) else objects(each, "content")
        if each.get("role") == "assistant":
            calls = tuple(str(block.get("id")) for block in blocks if block.get("type") == "tool_use")
            yield AssistantTurn(calls, calls)
            continue
        for block in blocks:
            if block.get("type") == "tool_result":
                yield InputTurn.result(str(block.get("tool_use_id")), block.get("content"))
        if text := text_of(content):
            yield InputTurn(text)


def render(reply: Reply) -> dict[str, Any]:
    """Return an answer without streaming."""
    return {**_head(reply), "content": list(_blocks(reply)), "stop_reason": _reason(reply), "usage": _usage(reply)}


def render_stream(reply: Reply) -> Iterator[dict[str, Any]]:
    """Yield the events of a streamed answer."""
    usage = {**_usage(reply), "output_tokens": 1}
    yield {"type": "message_start", "message": {**_head(reply), "content": [], "stop_reason": None, "usage": usage}}
    for index, block in enumerate(_blocks(reply)):
        if block["type"] == "text":
            opened, text, kind, name = {**block, "text": ""}, reply.text or "", "text_delta", "text"
        else:
            call = next(each for each in reply.calls if each.id == block["id"])
            opened, text, kind, name = {**block, "input": {}}, call.arguments, "input_json_delta", "partial_json"
        yield {"type": "content_block_start", "index": index, "content_block": opened}
        for piece in pieces(text):
            yield {"type": "content_block_delta", "index": index, "delta": {"type": kind, name: piece}}
        yield {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": _reason(reply), "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": reply.usage.output}}
    yield {"type": "message_stop"}


def _head(reply: Reply) -> dict[str, Any]:
    message_id = f"msg_{reply.digest}"
    return {"id": message_id, "type": "message", "role": "assistant", "model": reply.model, "stop_sequence": None}


def _blocks(reply: Reply) -> Iterator[dict[str, Any]]:
    if reply.text is not None:
        yield {"type": "text", "text": reply.text}
    for call in reply.calls:
        yield _call(call)


def _call(call: RequestedCall) -> dict[str, Any]:
    return {"type": "tool_use", "id": call.id, "name": call.tool, "input": arguments_of(call)}


def _reason(reply: Reply) -> str:
    return "tool_use" if reply.calls else "end_turn"


def _usage(reply: Reply) -> dict[str, Any]:
    used = reply.usage
    return {
        "input_tokens": used.input - used.cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": used.cached,
        "output_tokens": used.output,
    }
