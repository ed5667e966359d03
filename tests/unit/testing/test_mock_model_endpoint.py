"""What agents get from a scripted model, as OpenAI's own client reads it, and as the ways of frameworks have it."""

from __future__ import annotations

import http.client
import json
import re
import socket
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from openai import BadRequestError, NotFoundError, OpenAI

from farm.errors import FarmError
from farm.testing.mock_model import Endpoint, parse_script

Start = Callable[..., Endpoint]
Body = dict[str, Any]
LIST, POST = "mcp__chat__list_channels", "mcp__chat__post_message"
CHANNELS = {"channels": [{"id": "C1", "name": "general"}, {"id": "C2", "name": "opening"}]}
SCRIPT = [
    {"tool": "list_channels", "arguments": {"limit": 100}},
    {
        "when": "opening",
        "text": "I post twice.",
        "calls": [
            {"tool": "post_message", "arguments": {"to": "{list_channels.channels[name=opening].id}"}, "as": "first"},
            {"tool": "post_message", "arguments": {"to": "{list_channels.channels[0].id}", "n": 2}},
        ],
    },
    "Posted as {first.ts}, é.",
]
CALLS = [(LIST, {"limit": 100}), (POST, {"to": "C2"}), (POST, {"to": "C1", "n": 2})]


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[Endpoint] = []

    def starting(script: Any = SCRIPT) -> Endpoint:
        started.append(Endpoint(parse_script(script)))
        started[-1].start()
        return started[-1]

    yield starting
    for each in started:
        each.close()


def ask(endpoint: Endpoint, path: str, body: Any, method: str = "POST") -> tuple[int, Any]:
    """Send one request and return status and parsed body."""
    connection = http.client.HTTPConnection("127.0.0.1", endpoint.server_address[1], timeout=60)
    connection.request(method, path, body if isinstance(body, bytes) else json.dumps(body))
    answer = connection.getresponse()
    found = answer.status, json.loads(answer.read())
    connection.close()
    return found


def chat(endpoint: Endpoint, messages: list[Body], *tools: str, **more: Any) -> tuple[int, Any]:
    """Ask for a chat completion."""
    offered = [{"type": "function", "function": {"name": name}} for name in tools]
    return ask(endpoint, "/v1/chat/completions", {"model": "m", "messages": messages, "tools": offered, **more})


def problem(endpoint: Endpoint, messages: list[Body], *tools: str, **more: Any) -> str:
    """Ask for a chat completion that is refused, and return why."""
    status, told = chat(endpoint, messages, *tools, **more)
    assert status == 400
    assert told["error"].keys() == {"message", "type", "param", "code", "status"}
    assert (told["error"]["type"], told["error"]["code"]) == ("invalid_request_error", "script")
    return str(told["error"]["message"])


def events(endpoint: Endpoint, path: str, body: Body) -> list[Any]:
    """Send one request and return what its stream brings."""
    connection = http.client.HTTPConnection("127.0.0.1", endpoint.server_address[1], timeout=60)
    connection.request("POST", path, json.dumps(body))
    lines = connection.getresponse().read().decode().splitlines()
    connection.close()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def result_of(name: str) -> str:
    return json.dumps(CHANNELS if name == LIST else {"ts": "1.5"})


@pytest.mark.parametrize("is_streamed", [False, True])
def test_the_client_plays_a_script_by_chat_completions(start: Start, is_streamed: bool) -> None:
    tools: Any = [{"type": "function", "function": {"name": name}} for name in (LIST, POST)]
    messages: list[Any] = [{"role": "system", "content": "s"}, {"role": "user", "content": "Post."}]
    made: list[Any] = []
    texts: list[Any] = []
    reasons: list[Any] = []

    with OpenAI(base_url=start().base_url(), api_key="any") as client:
        while not reasons or reasons[-1] != "stop":
            if is_streamed:
                with client.chat.completions.stream(
                    model="m", messages=messages, tools=tools, stream_options={"include_usage": True}
                ) as stream:
                    reply: Any = stream.get_final_completion()
            else:
                reply = client.chat.completions.create(model="m", messages=messages, tools=tools)
            message = reply.choices[0].message
            assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens > 1
            assert reply.model == "scripted"
            reasons.append(reply.choices[0].finish_reason)
            texts.append(message.content)
            messages.append(message.model_dump(exclude_none=True))
            for call in message.tool_calls or ():
                made.append((call.function.name, json.loads(call.function.arguments)))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result_of(call.function.name)})

    assert made == CALLS
    assert texts == [None, "I post twice.", "Posted as 1.5, é."]
    assert reasons == ["tool_calls", "tool_calls", "stop"]


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize("is_chained", [False, True])
def test_the_client_plays_a_script_by_responses(start: Start, is_streamed: bool, is_chained: bool) -> None:
    tools: Any = [
        {"type": "function", "name": name, "parameters": {"type": "object", "properties": {}}, "strict": False}
        for name in (LIST, POST)
    ]
    everything: list[Any] = [{"role": "user", "content": "Post."}]
    new: list[Any] = everything
    made, texts, previous = [], [], None

    with OpenAI(base_url=start().base_url(), api_key="any") as client:
        while new:
            wish: Any = {"model": "m", "tools": tools, "input": new if is_chained else everything}
            if is_chained and previous:
                wish["previous_response_id"] = previous
            if is_streamed:
                with client.responses.stream(**wish) as stream:
                    numbers = [event.sequence_number for event in stream]
                    reply: Any = stream.get_final_response()
                assert numbers == list(range(len(numbers)))
            else:
                reply = client.responses.create(**wish)
            assert (reply.status, reply.model) == ("completed", "scripted")
            texts.append(reply.output_text)
            calls = [item for item in reply.output if item.type == "function_call"]
            made += [(call.name, json.loads(call.arguments)) for call in calls]
            new = [
                {"type": "function_call_output", "call_id": call.call_id, "output": result_of(call.name)}
                for call in calls
            ]
            said = [item.model_dump(exclude_none=True, exclude={"parsed", "parsed_arguments"}) for item in reply.output]
            everything = [*everything, *said, *new]
            previous = reply.id

    assert made == CALLS
    assert texts == ["", "I post twice.", "Posted as 1.5, é."]


@pytest.mark.parametrize("is_streamed", [False, True])
def test_anthropics_messages_play_a_script(start: Start, is_streamed: bool) -> None:
    endpoint = start()
    tools = [{"name": name, "input_schema": {"type": "object"}} for name in (LIST, POST)]
    talk: list[Any] = [{"role": "user", "content": "Post."}]
    made: list[Any] = []
    reasons: list[Any] = []

    while not reasons or reasons[-1] != "end_turn":
        wish = {"model": "m", "max_tokens": 9, "system": "s", "messages": talk, "tools": tools, "stream": is_streamed}
        if is_streamed:
            blocks: list[Any] = []
            for event in events(endpoint, "/v1/messages", wish):
                match event:
                    case {"type": "content_block_start", "index": index, "content_block": block}:
                        assert index == len(blocks)
                        blocks.append({**block, "input": ""} if block["type"] == "tool_use" else block)
                    case {"type": "content_block_delta", "delta": {"type": "text_delta", "text": text}}:
                        blocks[-1]["text"] += text
                    case {"type": "content_block_delta", "delta": {"type": "input_json_delta", "partial_json": text}}:
                        blocks[-1]["input"] += text
                    case {"type": "content_block_stop"} if blocks[-1]["type"] == "tool_use":
                        blocks[-1]["input"] = json.loads(blocks[-1]["input"])
                    case {"type": "message_delta", "delta": {"stop_reason": reason}}:
                        reasons.append(reason)
            assert event == {"type": "message_stop"}
        else:
            status, told = ask(endpoint, "/v1/messages?beta=true", wish)
            assert (status, told["type"], told["role"]) == (200, "message", "assistant")
            blocks = told["content"]
            reasons.append(told["stop_reason"])
        talk.append({"role": "assistant", "content": blocks})
        calls = [block for block in blocks if block["type"] == "tool_use"]
        made += [(call["name"], call["input"]) for call in calls]
        results = [{"type": "text", "text": result_of(call["name"])} for call in calls]
        talk.append(
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": call["id"], "content": [result]}
                    for call, result in zip(calls, results, strict=True)
                ],
            }
        )

    assert made == CALLS
    assert blocks == [{"type": "text", "text": "Posted as 1.5, é."}]
    assert reasons == ["tool_use", "tool_use", "end_turn"]
    assert endpoint.play("").requests[0]["instructions"] == "s"


@pytest.mark.parametrize("is_named", [False, True], ids=["bare", "as Vercel's AI SDK has it"])
@pytest.mark.parametrize("has_ids", [True, False])
@pytest.mark.parametrize("verb", ["generateContent", "streamGenerateContent"])
def test_geminis_contents_play_a_script(start: Start, verb: str, has_ids: bool, is_named: bool) -> None:
    endpoint = start()
    path = f"/v1beta/models/gemini:{verb}"
    tools = [{"functionDeclarations": [{"name": LIST}, {"name": POST}]}]
    system = {"parts": [{"text": "s"}]}
    talk: list[Any] = [{"role": "user", "parts": [{"text": "Post."}]}]
    made: list[Any] = []
    calls: list[Any] = [None]

    while calls:
        wish = {"contents": talk, "tools": tools, "systemInstruction": system}
        told = events(endpoint, f"{path}?alt=sse", wish) if "stream" in verb else [ask(endpoint, path, wish)[1]]
        parts = [part for each in told for part in each["candidates"][0]["content"]["parts"]]
        assert [each["candidates"][0].get("finishReason") for each in told][-1] == "STOP"
        calls = [part["functionCall"] for part in parts if "functionCall" in part]
        made += [(call["name"], call["args"]) for call in calls]
        told_as = "content" if is_named else "output"
        results = [{"name": call["name"], "response": {told_as: result_of(call["name"])}} for call in calls]
        if is_named:
            results = [{**each, "response": {"name": each["name"], **each["response"]}} for each in results]
        for call, result in zip(calls, results, strict=True):
            if has_ids:
                result["id"] = call["id"]
            else:
                del call["id"]
        talk += [
            {"role": "model", "parts": parts},
            {"role": "user", "parts": [{"functionResponse": result} for result in results]},
        ]

    assert made == CALLS
    assert "".join(part["text"] for part in parts) == "Posted as 1.5, é."
    assert endpoint.play("").requests[0]["instructions"] == "s"


def test_arguments_that_are_no_object_are_not_said_where_an_api_carries_objects(start: Start) -> None:
    endpoint = start([{"tool": "a", "offered": False, "arguments": "{broken"}])

    for path, name in [("/v1/messages", "messages"), ("/v1beta/models/m:generateContent", "contents")]:
        status, told = ask(endpoint, path, {name: []})
        assert status == 400
        assert "the arguments of 'a' are no object, and this API carries nothing else" in told["error"]["message"]


def test_tokens_are_counted_where_an_api_asks(start: Start) -> None:
    for path in ("/v1/messages/count_tokens", "/v1beta/models/m:countTokens"):
        assert ask(start(), path, b'{"a": 1}') == (200, {"input_tokens": 2, "totalTokens": 2})


def test_the_client_reads_why_a_script_has_no_answer(start: Start) -> None:
    named = start({"models": {"one": ["Hi."]}})
    said: Any = [{"role": "assistant", "content": "Hi."}, {"role": "user", "content": "And?"}]

    with OpenAI(base_url=named.base_url(), api_key="any") as client:
        assert [model.id for model in client.models.list()] == ["one"]
        with pytest.raises(NotFoundError, match="no script for model 'two'; have one") as missing:
            client.responses.create(model="two", input="Hello?")
        with pytest.raises(BadRequestError, match="script 'one', turn 2: there are only 1") as ended:
            client.chat.completions.create(model="one", messages=said)
        with pytest.raises(NotFoundError, match="Previous response with id 'resp_0' not found"):
            client.responses.create(model="one", input="Hello?", previous_response_id="resp_0")

    assert (missing.value.code, ended.value.code) == ("model_not_found", "script")


@pytest.mark.parametrize(
    "wrapped",
    [
        json.dumps(CHANNELS),
        [{"type": "text", "text": json.dumps(CHANNELS)}],
        json.dumps([{"type": "text", "text": json.dumps(CHANNELS)}]),
        json.dumps({"type": "text", "text": json.dumps(CHANNELS), "annotations": None}),
        json.dumps({"meta": None, "content": [{"type": "text", "text": json.dumps(CHANNELS)}], "isError": False}),
        json.dumps({"result": CHANNELS}),
        f"Wall time: 0.0312 seconds\nOutput:\n{json.dumps([{'type': 'text', 'text': json.dumps(CHANNELS)}])}",
        f"<untrusted_context>\n{json.dumps(CHANNELS)}\n</untrusted_context>",
        json.dumps({"output": f"<untrusted_context>{json.dumps(CHANNELS)}</untrusted_context>"}),
        f"meta=None content=[TextContent(type='text', text={json.dumps(CHANNELS)!r}, annotations=None)] isError=False",
        repr(CHANNELS),
        f"1 result {{}}: {json.dumps(CHANNELS)} [end]",
    ],
    ids=[
        "text",
        "blocks",
        "blocks as text",
        "block as text",
        "result",
        "structured content",
        "words in front",
        "tags around",
        "tags around in JSON",
        "repr of a result",
        "repr of a body",
        "words on both sides",
    ],
)
def test_a_result_is_read_out_of_what_a_framework_wraps_it_in(start: Start, wrapped: Any) -> None:
    endpoint = start()
    call = {"id": "call_1", "type": "function", "function": {"name": LIST, "arguments": "{}"}}
    messages: list[Body] = [{"role": "user", "content": "Post."}, {"role": "assistant", "tool_calls": [call]}]

    _, told = chat(endpoint, [*messages, {"role": "tool", "tool_call_id": "call_1", "content": wrapped}], LIST, POST)

    asked = told["choices"][0]["message"]["tool_calls"]
    assert [json.loads(each["function"]["arguments"])["to"] for each in asked] == ["C2", "C1"]


@pytest.mark.parametrize(
    ("tool", "offered", "found"),
    [
        ("post", ["post", "re_post"], "post"),
        ("post_message", ["mcp__chat__post_message", "list"], "mcp__chat__post_message"),
        ("chat_post_message", ["mcp__chat__post_message", "mcp__mail__post_message"], "mcp__chat__post_message"),
        ("calendar.v4.list", ["cal_calendar_v4_list"], "cal_calendar_v4_list"),
    ],
)
def test_a_tool_is_the_one_whose_name_ends_so(start: Start, tool: str, offered: list[str], found: str) -> None:
    _, told = chat(start([{"tool": tool}]), [{"role": "user", "content": "Go."}], *offered)

    assert told["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == found


@pytest.mark.parametrize(
    ("offered", "more", "said"),
    [
        ((), {}, "script, turn 1 of 1: no tool 'post' is offered; have none"),
        (("repost", "past"), {}, "no tool 'post' is offered; have repost, past; did you mean 'repost'?"),
        (("a_post", "b-post"), {}, "'post' may be a_post, b-post; write more of the name"),
        (("post",), {"tool_choice": "none"}, "it asks for 'post', and the request forbids tools (tool_choice is none)"),
        (("post",), {"n": 2}, "a script has one answer; leave out 'n'"),
    ],
)
def test_a_tool_that_cannot_be_asked_for_is_told(
    start: Start, offered: tuple[str, ...], more: Mapping[str, Any], said: str
) -> None:
    assert said in problem(start([{"tool": "post"}]), [{"role": "user", "content": "Go."}], *offered, **more)


def test_several_calls_at_once_are_not_asked_of_who_wants_one(start: Start) -> None:
    told = problem(
        start([[{"tool": "a"}, {"tool": "b"}]]),
        [{"role": "user", "content": "Go."}],
        "a",
        "b",
        parallel_tool_calls=False,
    )

    assert told == "script, turn 1 of 1: it asks for 2 tools at once, and the request allows one; make them turns"


def test_a_model_may_be_wrong_about_tools_and_arguments(start: Start) -> None:
    script = [{"tool": "guess", "offered": False, "arguments": "{broken"}]

    _, told = chat(start(script), [{"role": "user", "content": "Go."}], "other")

    asked = told["choices"][0]["message"]["tool_calls"][0]["function"]
    assert asked == {"name": "guess", "arguments": "{broken"}


def test_a_turn_that_expects_something_else_says_what_came(start: Start) -> None:
    endpoint = start([{"when": ["now", "chairs"], "text": "Yes."}])

    assert problem(endpoint, [{"role": "system", "content": "chairs"}, {"role": "user", "content": "Tables now?"}]) == (
        "script, turn 1 of 1: 'chairs' is not in what came: \"Tables now?\""
    )
    assert chat(endpoint, [{"role": "user", "content": [{"type": "text", "text": "chairs now?"}]}])[0] == 200


def test_a_turn_that_expects_another_case_says_so_and_shows_both_ends_of_what_came(start: Start) -> None:
    endpoint = start([{"when": "twenty-four", "text": "Yes."}])
    long = f"first {'x' * 1000} Twenty-four"

    said = problem(endpoint, [{"role": "user", "content": long}])

    assert said.startswith("script, turn 1 of 1: 'twenty-four' is not in what came, but 'Twenty-four' is: \"first xxx")
    assert said.endswith('xxx Twenty-four"')
    assert len(said) < 400


@pytest.mark.parametrize("wrap", [str, lambda text: json.dumps({"type": "text", "text": text})], ids=["text", "block"])
def test_a_turn_expects_what_a_result_says_not_how_it_was_printed(start: Start, wrap: Callable[[str], str]) -> None:
    endpoint = start([{"tool": "find"}, {"when": '"name": "开业"', "text": "Yes."}])
    call = {"id": "call_1", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    said: list[Body] = [{"role": "user", "content": "Go."}, {"role": "assistant", "tool_calls": [call]}]

    for printed in ('{"name":"开业"}', '{"name": "\\u5f00\\u4e1a"}'):
        result = {"role": "tool", "tool_call_id": "call_1", "content": wrap(printed)}
        assert chat(endpoint, [*said, result])[0] == 200


def test_a_piece_that_no_result_has_is_told_with_the_result(start: Start) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    said: list[Body] = [{"role": "user", "content": "Go."}, {"role": "assistant", "tool_calls": [call]}]
    endpoint = start([{"tool": "find"}, "It is {find.items[0].id}."])

    refused = problem(endpoint, [*said, {"role": "tool", "tool_call_id": "call_1", "content": "not found"}])
    unanswered = problem(endpoint, said)

    assert refused == "script, turn 2 of 2: {find.items[0].id}: no 'items' there; have str; find is \"not found\""
    assert unanswered == "OpenAI refuses a conversation in which the call 'call_1' has no result after it"


def test_a_turn_is_known_however_a_framework_puts_it_down(start: Start) -> None:
    endpoint = start([[{"tool": "a"}, {"tool": "b"}], "{a.n} and {b.n}"])
    tools = [{"type": "function", "name": name} for name in "ab"]
    _, first = ask(endpoint, "/v1/responses", {"model": "m", "input": "Go.", "tools": tools})
    one, two = first["output"]
    results = [
        {"type": "function_call_output", "call_id": each["call_id"], "output": '{"n": 1}'} for each in (one, two)
    ]

    for order in ([one, two, *results], [one, results[0], two, results[1]], [one, two, results[1], results[0]]):
        _, told = ask(endpoint, "/v1/responses", {"model": "m", "input": [{"role": "user", "content": "Go."}, *order]})
        assert told["output"][0]["content"][0]["text"] == "1 and 1"


def test_items_may_be_pointed_to(start: Start) -> None:
    endpoint = start([{"tool": "a"}, "Done."])
    _, first = ask(
        endpoint, "/v1/responses", {"model": "m", "input": "Go.", "tools": [{"type": "function", "name": "a"}]}
    )
    pointed = {"type": "item_reference", "id": first["output"][0]["id"]}
    result = {"type": "function_call_output", "call_id": first["output"][0]["call_id"], "output": "1"}

    _, told = ask(endpoint, "/v1/responses", {"model": "m", "input": [pointed, result]})
    status, missing = ask(endpoint, "/v1/responses", {"model": "m", "input": [{**pointed, "id": "fc_0"}]})

    assert told["output"][0]["content"][0]["text"] == "Done."
    assert (status, missing["error"]["message"]) == (404, "Item with id 'fc_0' not found.")


def test_a_model_that_takes_over_begins_at_its_own_first_turn(start: Start) -> None:
    endpoint = start({"models": {"front": [{"tool": "transfer"}], "desk": ["Desk here.", "Bye."]}})
    user = {"role": "user", "content": "Hello."}
    _, front = chat(endpoint, [user], "transfer_to_desk", "transfer", model="front")
    asked = front["choices"][0]["message"]
    handed = [user, asked, {"role": "tool", "tool_call_id": asked["tool_calls"][0]["id"], "content": "{}"}]

    _, first = chat(endpoint, handed, model="desk")
    _, second = chat(endpoint, [*handed, first["choices"][0]["message"], user], model="desk")

    texts = [each["choices"][0]["message"]["content"] for each in (first, second)]
    assert texts == ["Desk here.", "Bye."]


def test_a_last_turn_may_repeat_and_the_same_request_gets_the_same_answer(start: Start) -> None:
    endpoint = start([{"text": "Again.", "repeat": True}])
    messages: list[Body] = [{"role": "user", "content": "Go."}]
    for _ in range(3):
        status, told = chat(endpoint, messages)
        assert (status, told) == chat(endpoint, messages)
        messages += [told["choices"][0]["message"], {"role": "user", "content": "More."}]

    assert told["choices"][0]["message"]["content"] == "Again."
    assert endpoint.play("").find_unfinished() is None


def test_tokens_are_those_of_the_script_or_one_for_four_bytes(start: Start) -> None:
    counted = start([{"text": "Hi.", "usage": {"input": 100, "output": 10, "cached": 20}}])

    _, told = chat(counted, [])
    _, guessed = chat(start(["12345678"]), [])

    usage = told["usage"]
    assert (usage["prompt_tokens"], usage["completion_tokens"], usage["total_tokens"]) == (100, 10, 110)
    assert usage["prompt_tokens_details"]["cached_tokens"] == 20
    assert guessed["usage"]["completion_tokens"] == 2


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "said"),
    [
        ("POST", "/v1/embeddings", {}, 404, "no /v1/embeddings here; have /v1/chat/completions, /v1/responses"),
        ("GET", "/v1/responses", None, 405, "/v1/responses takes POST"),
        ("POST", "/chat/completions", {}, 404, "a client's base URL ends in /v1"),
        ("POST", "/script-9/v1/responses", {}, 404, "no script 'script-9' here"),
        ("POST", "/v1/responses", b"{", 400, "the request's body is not a JSON object"),
        ("POST", "/v1/responses", [], 400, "the request's body is not a JSON object"),
        ("POST", "/v1/responses", b"[" * 1_000_000, 400, "the request's body has over 200,000 values; send less"),
        ("POST", "/v1/responses", b"[" * 100_000, 400, "the request's body is nested over 190 deep; send less"),
        ("POST", "/v1/messages", b'{"a":' * 191 + b"1" + b"}" * 191, 400, "the request's body is nested over 190 deep"),
        ("POST", "/v1/messages", b'{"a":' * 100_000, 400, "the request's body is nested over 190 deep"),
        ("POST", "/scripts", {"file": "a.toml", "text": "a = " + "[" * 50_000}, 400, "a.toml is nested too deep"),
        ("POST", "/scripts", {"file": "a.json", "text": "[" * 50_000}, 400, "a.json is nested too deep"),
        ("POST", "/v1/chat/completions", {"messages": "Go."}, 400, "'messages' must be a list of objects"),
        ("POST", "/v1/responses", {"input": 1}, 400, "'input' must be a text or a list of objects"),
        ("POST", "/v1/responses", {"conversation": "c"}, 400, "conversations are not kept here"),
        ("POST", "/scripts", {"turns": [{}]}, 400, "turns[1]: says nothing"),
        ("GET", "/scripts/script-9", None, 404, "no script 'script-9' here"),
    ],
)
def test_what_is_not_there_is_told(start: Start, method: str, path: str, body: Any, status: int, said: str) -> None:
    found, told = ask(start(), path, body, method)

    assert found == status
    assert said in told["error"]["message"]


def test_a_tool_result_that_is_deep_json_is_a_text(start: Start) -> None:
    deep = "[" * 100_000
    told: list[Body] = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "look"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": deep},
    ]

    status, _ = chat(start([{"tool": "look"}, "Seen."]), told, "look")

    assert status == 200


def test_a_body_of_over_32_mib_is_refused_before_it_is_read(start: Start) -> None:
    endpoint = start(["Hi."])
    with socket.create_connection(("127.0.0.1", endpoint.server_address[1]), timeout=60) as client:
        client.sendall(b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 33554433\r\n\r\n")
        answer = b"".join(iter(lambda: client.recv(65536), b""))

    assert b" 400 " in answer.split(b"\r\n")[0]
    assert b"of 32 MiB at most" in answer


def test_of_many_long_requests_the_newest_are_remembered_and_how_far_the_script_came(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farm.testing.mock_model.endpoint.KEPT_BYTES_MAX", 10_000)
    endpoint = start(["Hi."])
    for number in range(10):
        chat(endpoint, [{"role": "user", "content": f"{number}" + "x" * 4_000}])

    told = endpoint.play("").as_json()

    assert [each["newest"][0] for each in told["requests"]] == ["8", "9"]
    assert told["left_out"] == 8
    assert told["unfinished"] is None


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/chat/completions", {"messages": [3]}),
        ("/v1/chat/completions", {"messages": [], "tools": "all"}),
        ("/v1/chat/completions", {"messages": [{"role": "assistant", "tool_calls": ["a"]}]}),
        ("/v1/chat/completions", {"messages": [], "tools": [{"type": "function", "function": 3}]}),
        ("/v1/chat/completions", {"messages": [], "stream": True, "stream_options": 3}),
        ("/v1/responses", {"input": [3]}),
        ("/v1/responses", {"input": [{"type": "item_reference", "id": []}]}),
        ("/v1/responses", {"input": "a", "previous_response_id": {}}),
        ("/v1/responses", {"input": "a", "tools": [{"type": "function"}]}),
        ("/v1/messages", {"messages": [{"role": "user", "content": 3}], "tools": [3]}),
        ("/v1/messages", {"messages": [], "tool_choice": "none"}),
        ("/v1beta/models/m:generateContent", {"contents": [{"role": "model", "parts": [3]}]}),
        ("/v1beta/models/m:generateContent", {"contents": [], "tools": [{"functionDeclarations": [{}]}]}),
        ("/v1beta/models/m:generateContent", {"contents": [], "toolConfig": {"functionCallingConfig": 3}}),
    ],
)
def test_a_request_of_another_form_is_told_where(start: Start, path: str, body: Body) -> None:
    status, told = ask(start(["Hi."]), path, body)

    assert status in (400, 404)
    assert re.search(r"must be|not found", told["error"]["message"])


def test_scripts_come_and_go_and_tell_what_was_asked(start: Start) -> None:
    endpoint = start()
    _, one = ask(endpoint, "/scripts", {"turns": ["One."]})
    _, two = ask(endpoint, "/scripts", {"file": "two.toml", "text": '[[models.b]]\ntext = "Two."\n'})
    path = two["base_url"].removeprefix(endpoint.url)

    _, said = ask(
        endpoint, f"{path}/chat/completions", {"model": "b", "messages": [{"role": "user", "content": "Hi."}]}
    )
    ask(endpoint, f"{path}/chat/completions", {"model": "c", "messages": []})
    _, told = ask(endpoint, f"/scripts/{two['id']}", None, "GET")
    _, untouched = ask(endpoint, f"/scripts/{one['id']}", None, "GET")
    ask(endpoint, f"/scripts/{two['id']}", None, "DELETE")

    assert said["choices"][0]["message"]["content"] == "Two."
    assert [(each["newest"], each["turn"], each["text"]) for each in told["requests"]] == [
        ("Hi.", 1, "Two."),
        ("", None, None),
    ]
    assert told["unfinished"] == "no script for model 'c'; have b"
    assert untouched["unfinished"] == "the agent asked for 0 of 1 turns; it never came to turn 1"
    assert ask(endpoint, f"/scripts/{two['id']}", None, "GET")[0] == 404
    assert ask(endpoint, "/scripts", None, "GET")[1]["unfinished"].startswith("the agent asked for 0 of 3 turns")


def test_an_endpoint_without_a_script_of_its_own_says_where_to_put_one() -> None:
    endpoint = Endpoint()
    endpoint.start()

    status, told = ask(endpoint, "/v1/models", None, "GET")

    endpoint.close()
    assert (status, told["error"]["code"]) == (404, "not_found")
    assert told["error"]["message"] == "no script at /v1; name one with --script, or add one with POST /scripts"


def test_no_connection_is_kept_for_a_test_that_has_another_event_loop(start: Start) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", start().server_address[1], timeout=60)
    connection.request("GET", "/v1/models")
    answer = connection.getresponse()
    answer.read()

    assert answer.getheader("connection") == "close"
    assert connection.sock is None


def test_a_port_in_use_is_told_and_a_closed_endpoint_leaves_no_connection(start: Start) -> None:
    endpoint = start()
    port = endpoint.server_address[1]
    kept = socket.create_connection(("127.0.0.1", port))
    kept.sendall(b"GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n")
    assert kept.recv(12) == b"HTTP/1.1 200"

    with pytest.raises(FarmError, match=f"port {port} of 127.0.0.1 cannot be used .*; choose another with --port"):
        Endpoint(port=int(port))
    endpoint.close()

    kept.settimeout(60)
    while kept.recv(4096):
        pass
    kept.close()


# -- clients' own ways ------------------------------------------------------------------------------------------------


def test_a_title_is_given_beside_the_script_and_counts_as_no_turn(start: Start) -> None:
    endpoint = start([{"tool": "list"}, "Done."])
    title: list[Body] = [
        {"role": "system", "content": "You are a title generator."},
        {"role": "user", "content": "Generate a title for this conversation: list my channels"},
    ]

    status, told = chat(endpoint, title)
    early = endpoint.play("").find_unfinished()
    asked = chat(endpoint, [{"role": "user", "content": "Go."}], "list")[1]["choices"][0]["message"]
    answer = {"role": "tool", "tool_call_id": asked["tool_calls"][0]["id"], "content": "{}"}
    chat(endpoint, [{"role": "user", "content": "Go."}, asked, answer], "list")

    assert status == 200
    assert told["choices"][0]["message"]["content"]
    assert early == ("the agent asked for 0 of 2 turns; it never came to turn 1; 1 request without tools got a title")
    assert endpoint.play("").find_unfinished() is None


def test_a_tool_behind_a_search_is_searched_for_once(start: Start) -> None:
    endpoint = start([{"tool": "list_channels"}, "Done."])
    messages: list[Body] = [{"role": "user", "content": "Go."}]

    searching = chat(endpoint, messages, "ToolSearch", "Read")[1]["choices"][0]["message"]
    (search,) = searching["tool_calls"]
    messages += [searching, {"role": "tool", "tool_call_id": search["id"], "content": "found"}]
    calling = chat(endpoint, messages, "ToolSearch", "Read", LIST)[1]["choices"][0]["message"]
    (call,) = calling["tool_calls"]
    ended = chat(endpoint, [*messages, calling, {"role": "tool", "tool_call_id": call["id"], "content": "{}"}], LIST)
    lost = problem(start([{"tool": "list_channels"}]), messages, "ToolSearch", "Read")

    assert search["function"]["name"] == "ToolSearch"
    assert json.loads(search["function"]["arguments"])["query"] == "list_channels"
    assert call["function"]["name"] == LIST
    assert ended[1]["choices"][0]["message"]["content"] == "Done."
    assert "no tool 'list_channels' is offered" in lost


# Limits of the providers, as their documentation and their errors have it: 128 tools and 64 letters (OpenAI), 64
# letters of which the first is a letter (Gemini), an object at the top of a schema and no alternatives there, items of
# every array, closed objects if strict.
OBJECT: Body = {"type": "object", "properties": {}}
OPEN: Body = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("functions", "said"),
    [
        ([{"name": f"t{n}"} for n in range(129)], "OpenAI takes 128 tools in a request, and these are 129"),
        ([{"name": "x" * 65}], "(65 letters)"),
        ([{"name": "a.b"}], "OpenAI refuses the tool name 'a.b'"),
        ([{"name": "a"}, {"name": "a"}], "two tools of one name, 'a'"),
        ([{"name": "a", "parameters": {}}], 'its type must be "object"'),
        ([{"name": "a", "parameters": {**OBJECT, "anyOf": [OBJECT]}}], "'anyOf' at its top level"),
        (
            [{"name": "a", "parameters": {**OBJECT, "properties": {"b": {"type": "array"}}}}],
            "the array at 'b' has no 'items'",
        ),
        ([{"name": "a", "strict": True, "parameters": OBJECT}], "additionalProperties must be false"),
        ([{"name": "a", "strict": True, "parameters": OPEN}], "'a' must be required"),
    ],
)
def test_what_openai_refuses_is_refused(start: Start, functions: list[Body], said: str) -> None:
    tools = [{"type": "function", "function": each} for each in functions]
    body = {"model": "m", "messages": [{"role": "user", "content": "Go."}], "tools": tools}
    flat = {"model": "m", "input": "Go.", "tools": [{"type": "function", **each} for each in functions]}

    for path, asked in (("/v1/chat/completions", body), ("/v1/responses", flat)):
        status, told = ask(start(["Done."]), path, asked)
        assert (status, said in told["error"]["message"]) == (400, True), told


def test_anthropic_and_gemini_refuse_what_they_refuse(start: Start) -> None:
    use = {"type": "tool_use", "id": "t1", "name": "a", "input": {}}
    tool = {"name": "a", "input_schema": OBJECT}

    def messages(*tools: Body, told: Any = "And?") -> tuple[int, Any]:
        said = [{"role": "user", "content": "Go."}, {"role": "assistant", "content": [use]}]
        body = {"model": "m", "max_tokens": 9, "tools": tools, "messages": [*said, {"role": "user", "content": told}]}
        return ask(start(["Done.", "Done."]), "/v1/messages", body)

    def contents(name: str) -> tuple[int, Any]:
        body = {"contents": [{"role": "user", "parts": [{"text": "Go."}]}]}
        declared = {"functionDeclarations": [{"name": name}]}
        return ask(start(["Done."]), "/v1beta/models/m:generateContent", {**body, "tools": [declared]})

    assert messages(tool, told=[{"type": "tool_result", "tool_use_id": "t1", "content": "x"}])[0] == 200
    assert "the call 't1' has no result" in messages(tool)[1]["error"]["message"]
    assert "two tools of one name" in messages(tool, tool)[1]["error"]["message"]
    assert contents("a.b:c-d")[0] == 200
    assert [contents(name)[0] for name in ("1a", "x" * 65)] == [400, 400]


def test_a_result_that_comes_as_a_text_of_the_user_is_that_of_the_one_call_before(start: Start) -> None:
    endpoint = start([{"tool": "list_channels"}, "The first is {list_channels.channels[0].name}."])
    messages: list[Body] = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": "Calling tools: list_channels"},
        {"role": "user", "content": f"Observation:\n{json.dumps(CHANNELS)}"},
    ]

    told = chat(endpoint, messages, LIST)[1]["choices"][0]["message"]["content"]

    assert told == "The first is general."


def test_a_tool_is_found_under_a_name_in_another_case(start: Start) -> None:
    endpoint = start([{"tool": "user_batchGetId"}])

    (call,) = chat(endpoint, [{"role": "user", "content": "Go."}], "contact_v3_user_batch_get_id", "user_batch_get")[1][
        "choices"
    ][0]["message"]["tool_calls"]

    assert call["function"]["name"] == "contact_v3_user_batch_get_id"
