"""Gemini's ``generateContent`` API: parse requests and serialize answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from farm.testing.mock_model.conversation import (
    AssistantTurn,
    InputTurn,
    Reply,
    Request,
    arguments_of,
    inner_of,
    pieces,
)
from farm.testing.mock_model.parts import object_in, objects, text_in
from farm.testing.mock_model.provider_limits import GEMINI, require_tools


def parse_request(asked: dict[str, Any], size_bytes: int, *, model: str, is_streamed: bool) -> Request:
    """Parse a request.

    Args:
        model: the model that the path names.

    Raises:
        UnanswerableError: the request is not a conversation.
    """
    mode = object_in(object_in(asked, "toolConfig"), "functionCallingConfig").get("mode")
    declared = [each for tool in objects(asked, "tools") for each in objects(tool, "functionDeclarations")]
    require_tools(GEMINI, ((text_in(each, "name"), None) for each in declared))
    return Request(
        model=model,
        instructions=_text(object_in(asked, "systemInstruction")),
        items=tuple(_items(objects(asked, "contents"))),
        tools=tuple(text_in(each, "name") for each in declared),
        may_call=mode != "NONE",
        is_streamed=is_streamed,
        size_bytes=size_bytes,
    )


def _items(contents: list[dict[str, Any]]) -> Iterator[AssistantTurn | InputTurn]:
    # Clients may omit ids; then results are in the order of the calls to their tool.
    waiting: dict[str, list[str]] = {}
    for n, each in enumerate(contents):
        parts = objects(each, "parts")
        if each.get("role") == "model":
            calls = []
            for m, part in enumerate(parts):
                if "functionCall" in part:
                    call = object_in(part, "functionCall")
                    calls.append(str(call.get("id") or f"{n}.{m}"))
                    waiting.setdefault(text_in(call, "name"), []).append(calls[-1])
            yield AssistantTurn(tuple(calls), tuple(calls))
            continue
        for part in parts:
            if "functionResponse" in part:
                told = object_in(part, "functionResponse")
                first = (waiting.get(text_in(told, "name")) or [""]).pop(0)
                yield InputTurn.result(str(told.get("id") or first), inner_of(_response(told)))
        if text := _text(each):
            yield InputTurn(text)


def _response(told: dict[str, Any]) -> Any:
    """Return the response of a function; Vercel's AI SDK puts the tool's name beside its content."""
    response = told.get("response")
    if isinstance(response, dict) and response.keys() == {"name", "content"} and response["name"] == told.get("name"):
        return {"output": response["content"]}
    return response


def _text(content: dict[str, Any]) -> str:
    return "\n".join(str(part["text"]) for part in objects(content, "parts") if "text" in part)


def render(reply: Reply) -> dict[str, Any]:
    """Return an answer without streaming."""
    return _piece(reply, [*([] if reply.text is None else [{"text": reply.text}]), *_calls(reply)], is_last=True)


def render_stream(reply: Reply) -> Iterator[dict[str, Any]]:
    """Yield the pieces of a streamed answer."""
    for piece in pieces(reply.text or ""):
        yield _piece(reply, [{"text": piece}])
    yield _piece(reply, list(_calls(reply)) or [{"text": ""}], is_last=True)


def _calls(reply: Reply) -> Iterator[dict[str, Any]]:
    for call in reply.calls:
        yield {"functionCall": {"id": call.id, "name": call.tool, "args": arguments_of(call)}}


def _piece(reply: Reply, parts: list[dict[str, Any]], *, is_last: bool = False) -> dict[str, Any]:
    candidate: dict[str, Any] = {"index": 0, "content": {"role": "model", "parts": parts}}
    if is_last:
        candidate["finishReason"] = "STOP"
    used = reply.usage
    usage = {
        "promptTokenCount": used.input,
        "candidatesTokenCount": used.output,
        "totalTokenCount": used.input + used.output,
        "cachedContentTokenCount": used.cached,
    }
    return {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": reply.model,
        "responseId": reply.digest,
    }
