"""OpenAI's responses API: parse requests and serialize answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from farm.testing.mock_model.conversation import (
    KEPT_BYTES_MAX,
    AssistantTurn,
    InputTurn,
    Reply,
    Request,
    RequestedCall,
    UnanswerableError,
    UnknownModelError,
    pieces,
    text_of,
)
from farm.testing.mock_model.parts import objects, text_in
from farm.testing.mock_model.provider_limits import OPENAI, require_results, require_strict, require_tools

Item = dict[str, Any]


class ResponseState:
    """Stored responses and their items, which clients may reference instead of sending them again."""

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}
        self._conversations: dict[str, list[Item]] = {}
        self._sizes: dict[str, int] = {}  # oldest first
        self._size = 0

    def store(self, response: Mapping[str, Any], said_before: list[Item], size: int) -> None:
        """Store a response with the conversation before it, and drop the oldest beyond 64 MiB of requests.

        Args:
            response: the response that is sent.
            said_before: the conversation before it.
            size: the bytes of the request that holds the conversation.
        """
        self._conversations[response["id"]] = [*said_before, *response["output"]]
        self._items |= {item["id"]: item for item in response["output"]}
        self._size += size - self._sizes.pop(response["id"], 0)
        self._sizes[response["id"]] = size
        while self._size > KEPT_BYTES_MAX and len(self._sizes) > 1:
            oldest = next(iter(self._sizes))
            self._size -= self._sizes.pop(oldest)
            del self._conversations[oldest]

    def conversation(self, asked: Mapping[str, Any]) -> list[Item]:
        """Return every item of the conversation that a request continues.

        Raises:
            UnanswerableError: the request is not a conversation, or references an unknown response or item.
        """
        given = asked.get("input")
        if not isinstance(given, str | list | None):
            raise UnanswerableError("'input' must be a text or a list of objects")
        new = [{"role": "user", "content": given}] if isinstance(given, str) else objects(asked, "input")
        if asked.get("conversation") is not None:
            raise UnanswerableError("conversations are not kept here; send 'input' or 'previous_response_id'")
        before: list[Item] = []
        if asked.get("previous_response_id") is not None:
            previous = text_in(asked, "previous_response_id")
            if previous not in self._conversations:
                raise UnknownModelError(f"Previous response with id '{previous}' not found.")
            before = self._conversations[previous]
        return [*before, *map(self._found, new)]

    def _found(self, item: Item) -> Item:
        if item.get("type") != "item_reference":
            return item
        pointed = text_in(item, "id")
        if pointed not in self._items:
            raise UnknownModelError(f"Item with id '{pointed}' not found.")
        return self._items[pointed]


def parse_request(asked: dict[str, Any], conversation: list[Item], size_bytes: int) -> Request:
    """Parse a request.

    Raises:
        UnanswerableError: OpenAI would refuse its tools or its conversation.
    """
    declared = [each for each in objects(asked, "tools") if each.get("type") == "function"]
    require_tools(OPENAI, ((text_in(each, "name"), each.get("parameters")) for each in declared))
    for each in declared:
        if each.get("strict"):
            require_strict(text_in(each, "name"), each.get("parameters"))
    called = [str(each.get("call_id")) for each in conversation if each.get("type") == "function_call"]
    told = [str(each.get("call_id")) for each in conversation if each.get("type") == "function_call_output"]
    require_results(OPENAI, called, told)
    system = (each.get("content") for each in conversation if each.get("role") in ("system", "developer"))
    return Request(
        model=str(asked.get("model", "")),
        instructions="\n".join(filter(None, map(text_of, (asked.get("instructions"), *system)))),
        items=tuple(_items(conversation)),
        tools=tuple(name for _, name in _tools(asked)),
        may_call=asked.get("tool_choice") != "none",
        may_call_several=asked.get("parallel_tool_calls") is not False,
        is_streamed=bool(asked.get("stream")),
        size_bytes=size_bytes,
    )


def _items(conversation: list[Item]) -> Iterator[AssistantTurn | InputTurn]:
    """Yield the conversation's items; adjacent items of the model become one turn."""
    ids: list[str] = []
    calls: list[str] = []
    for each in conversation:
        kind = each.get("type", "message")
        if kind == "function_call" or (kind == "message" and each.get("role") == "assistant"):
            ids += [str(each[name]) for name in ("call_id", "id") if each.get(name)] or [""]
            calls += [str(each["call_id"])] if "call_id" in each else []
            continue
        told = _input_turn(kind, each)
        if told is None:
            continue
        if ids:
            yield AssistantTurn(tuple(calls), tuple(ids))
            ids, calls = [], []
        yield told
    if ids:
        yield AssistantTurn(tuple(calls), tuple(ids))


def _input_turn(kind: str, item: Item) -> InputTurn | None:
    if kind == "function_call_output":
        return InputTurn.result(str(item.get("call_id")), item.get("output"))
    if kind == "message" and item.get("role") == "user":
        return InputTurn(text_of(item.get("content")))
    return None


def _tools(asked: Mapping[str, Any]) -> Iterator[tuple[str | None, str]]:
    """Yield (namespace, name) of every tool; a namespace holds the tools of one server."""
    for each in objects(asked, "tools"):
        match each.get("type"):
            case "function":
                yield None, text_in(each, "name")
            case "namespace":
                for inner in objects(each, "tools"):
                    yield text_in(each, "name"), text_in(inner, "name")


def render(reply: Reply, asked: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without streaming."""
    return _response(reply, asked, "completed", list(_output(reply, asked)))


def _response(reply: Reply, asked: dict[str, Any], status: str, output: list[Item]) -> dict[str, Any]:
    used = reply.usage
    usage = {
        "input_tokens": used.input,
        "input_tokens_details": {"cached_tokens": used.cached, "cache_write_tokens": 0},
        "output_tokens": used.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": used.input + used.output,
    }
    told: Item = {
        "instructions": None,
        "max_output_tokens": None,
        "metadata": {},
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "reasoning": {"effort": None, "summary": None},
        "store": True,
        "temperature": 1.0,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "user": None,
    }
    return {
        # A constant, not the clock: the same request always gets the same answer.
        "id": f"resp_{reply.digest}",
        "object": "response",
        "created_at": 0,
        "status": status,
        "background": False,
        "error": None,
        "incomplete_details": None,
        "model": reply.model,
        "output": output,
        "usage": usage if status == "completed" else None,
        **{name: asked[name] if asked.get(name) is not None else value for name, value in told.items()},
    }


def _output(reply: Reply, asked: Mapping[str, Any]) -> Iterator[Item]:
    if reply.text is not None:
        yield _message(reply, "completed", [_part(reply.text)])
    for n, call in enumerate(reply.calls, 1):
        yield _call(reply, n, call, asked, "completed", call.arguments)


def _message(reply: Reply, status: str, content: list[Item]) -> Item:
    item_id = f"msg_{reply.mark}_{reply.digest}"
    return {"id": item_id, "type": "message", "status": status, "role": "assistant", "content": content}


def _part(text: str) -> Item:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _call(reply: Reply, n: int, call: RequestedCall, asked: Mapping[str, Any], status: str, arguments: str) -> Item:
    space = next((space for space, name in _tools(asked) if name == call.tool), None)
    return {
        "id": f"fc_{reply.mark}_{n}_{reply.digest}",
        "type": "function_call",
        "status": status,
        "call_id": call.id,
        "name": call.tool,
        "arguments": arguments,
        **({} if space is None else {"namespace": space}),
    }


def render_stream(reply: Reply, asked: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the events of a streamed answer."""
    for number, event in enumerate(_events(reply, asked)):
        yield {**event, "sequence_number": number}


def _events(reply: Reply, asked: dict[str, Any]) -> Iterator[dict[str, Any]]:
    begun = _response(reply, asked, "in_progress", [])
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    for index, item in enumerate(_output(reply, asked)):
        at = {"item_id": item["id"], "output_index": index}
        if item["type"] == "message":
            opened: Item = {**item, "status": "in_progress", "content": []}
            inner = _events_of_text(reply.text or "", {**at, "content_index": 0})
        else:
            opened = {**item, "status": "in_progress", "arguments": ""}
            inner = _events_of_call(item, at)
        yield {"type": "response.output_item.added", "output_index": index, "item": opened}
        yield from inner
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": render(reply, asked)}


def _events_of_text(text: str, at: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"type": "response.content_part.added", **at, "part": _part("")}
    for piece in pieces(text):
        yield {"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []}
    yield {"type": "response.output_text.done", **at, "text": text, "logprobs": []}
    yield {"type": "response.content_part.done", **at, "part": _part(text)}


def _events_of_call(item: Item, at: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for piece in pieces(item["arguments"]):
        yield {"type": "response.function_call_arguments.delta", **at, "delta": piece}
    done = {"name": item["name"], "arguments": item["arguments"]}
    yield {"type": "response.function_call_arguments.done", **at, **done}
