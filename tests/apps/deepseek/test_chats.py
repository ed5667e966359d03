"""Chats, completions and responses: what is said, remembered and paid."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.deepseek.conftest import Play

RECORDED = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "deepseek" / "envelope_samples.jsonl"
MARKS = ("simulat", "No language model", "No model", "no model", "stand-in")
TOOLS = [{"type": "function", "function": {"name": "look_up"}}]
IMAGE = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}


def _said(app: LocalApp, tool: str = "chat_completion", /, **arguments: Any) -> dict[str, Any]:
    result = app.result(tool, **arguments)
    assert "isError" not in result, result
    return dict(result["structuredContent"])


def _issues(app: LocalApp, tool: str, **arguments: Any) -> str:
    result = app.result(tool, **arguments)
    assert result["isError"] is True
    return str(result["content"][0]["text"]).removeprefix(
        f"Input validation error: Invalid arguments for tool {tool}: "
    )


@pytest.mark.fact("recorded")
def test_every_recorded_envelope_comes_out_again(play: Play) -> None:
    if not RECORDED.is_file():
        pytest.skip("the recorded calls are not on this machine")
    tokens = {"prompt_tokens": 9, "completion_tokens": 5, "id": "c-1"}
    hi = {"kind": "chat", "asked": "hi", "text": "Hello", "reasoning": "think", **tokens}
    app = play(
        {
            "models": [{"id": "deepseek-flash", "position": 1, "owned_by": "deepseek", "is_listed": 1}],
            "canned": [
                hi,
                {**hi, "kind": "response", "reasoning": ""},
                {**hi, "kind": "completion", "asked": "hello", "text": " world", "reasoning": ""},
            ],
        }
    )
    calls = [json.loads(line) for line in RECORDED.read_text("utf-8").splitlines()]

    def answered(app: LocalApp, call: dict[str, Any]) -> dict[str, Any]:
        """Return our answer with as many counts, and as much of the raw answer, as the recording's stand-in gave."""
        ours, said = app.result(call["tool"], **call["arguments"]), call["result"].get("structuredContent", {})
        told = ours.get("structuredContent", {})
        for ours_part, part in ((told, said), (told.get("raw_response", {}), said.get("raw_response", {}))):
            if "usage" in part:
                ours_part["usage"] = {key: ours_part["usage"][key] for key in part["usage"]}
        if raw := said.get("raw_response"):
            choice, (ours_choice,) = raw["choices"][0], told["raw_response"]["choices"]
            told["raw_response"] = {key: told["raw_response"][key] for key in raw}
            told["raw_response"]["choices"] = [{key: ours_choice[key] for key in choice}]
        return ours

    # Its stand-in refused this model for want of money.
    poor = [call for call in calls if call["arguments"].get("model") == "rate"]
    for call in calls:
        if call not in poor:
            assert answered(app, call) == call["result"], call

    model = {"id": "rate", "position": 1, "owned_by": "deepseek", "is_listed": 1}
    empty = play({"models": [model], "accounts": []})
    for call in poor:
        assert empty.result(call["tool"], **call["arguments"]) == call["result"]
    assert (len(poor), len(calls)) == (1, 11)


@pytest.mark.fact("texts")
@pytest.mark.parametrize(
    ("tool", "key", "asked"),
    [
        ("chat_completion", "response_text", "message"),
        ("create_response", "output_text", "input"),
        ("completion", "text", "prompt"),
    ],
)
def test_every_text_says_that_no_model_speaks(deepseek: LocalApp, tool: str, key: str, asked: str) -> None:
    texts = {_said(deepseek, tool, **{asked: f"Are you DeepSeek? {number}"})[key] for number in range(24)}

    assert all(any(mark in text for mark in MARKS) for text in texts)
    again = [_said(deepseek, tool, **{asked: "the same"})[key] for _ in range(2)]
    assert again[0] == again[1]


@pytest.mark.fact("texts")
def test_reasoning_stands_below_the_text_unless_turned_off(deepseek: LocalApp) -> None:
    said = _said(deepseek, message="hi")

    assert "1 word" in said["reasoning_content"]
    assert "1 words" not in said["reasoning_content"] + said["response_text"]
    assert deepseek.text("chat_completion", message="hi") == (
        f"{said['response_text']}\n\nReasoning:\n{said['reasoning_content']}"
    )
    for off in ({"thinking": {"type": "disabled"}}, {"reasoning_effort": "none"}):
        assert _said(deepseek, message="hi", **off)["reasoning_content"] is None
    as_json = _said(deepseek, message="hi, as JSON", response_format={"type": "json_object"})["response_text"]
    assert json.loads(as_json)["simulated"] is True


@pytest.mark.fact("cut")
def test_an_answer_is_cut_by_length_and_by_stop(deepseek: LocalApp) -> None:
    short = _said(deepseek, message="hi", max_tokens=3, reasoning_effort="none")
    stopped = _said(deepseek, message="hi", stop=[" "], reasoning_effort="none")

    assert (len(short["response_text"]), short["finish_reason"]) == (12, "length")
    assert short["usage"]["completion_tokens"] == 3
    assert (" " in stopped["response_text"], stopped["finish_reason"]) == (False, "stop")


CALL = {
    "role": "assistant",
    "content": None,
    "reasoning_content": "",
    "tool_calls": [{"id": "call_1", "type": "function", **TOOLS[0]}],
}
HI, FOUND = {"role": "user", "content": "hi"}, {"role": "tool", "tool_call_id": "call_1", "content": "found"}
NO_CALL = "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'"
UNANSWERED = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
    "(insufficient tool messages following tool_calls message)"
)


LOST = "The `reasoning_content` in the thinking mode must be passed back to the API."
UNSUPPORTED = "Thinking mode does not support this tool_choice"
QUIET = {"thinking": {"type": "disabled"}}


def _tools(*names: str) -> list[dict[str, Any]]:
    return [{"type": "function", "function": {"name": name}} for name in names]


@pytest.mark.fact("demands")
@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"messages": [FOUND]}, NO_CALL),
        ({"messages": [HI, FOUND]}, NO_CALL),
        ({"messages": [CALL, FOUND, HI, FOUND]}, NO_CALL),
        ({"messages": [HI, CALL]}, UNANSWERED),
        ({"messages": [CALL, HI, FOUND]}, UNANSWERED),
        ({"messages": [CALL, {**FOUND, "tool_call_id": "call_2"}]}, UNANSWERED),
        (
            {"message": "hi", "response_format": {"type": "json_object"}},
            "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.",
        ),
        (
            {"message": "hi", "max_tokens": 393_217},
            "Invalid max_tokens value, the valid range of max_tokens is [1, 393216]",
        ),
    ],
)
def test_what_the_api_refuses_of_a_chat_costs_nothing(deepseek: LocalApp, arguments: dict[str, Any], why: str) -> None:
    result = deepseek.result("chat_completion", **arguments)

    assert (result["isError"], result["structuredContent"]["status"]) == (True, 400)
    assert result["structuredContent"]["message"] == why
    assert deepseek.changes() == {}


def _refusal(app: LocalApp, **arguments: Any) -> str:
    result = app.result("chat_completion", **arguments)
    assert (result.get("isError"), result["structuredContent"].get("status")) == (True, 400), result
    assert app.changes() == {}
    return str(result["structuredContent"]["message"])


@pytest.mark.fact("fields")
def test_a_message_without_its_content_is_told_where_it_ends_in_the_body_that_is_sent(deepseek: LocalApp) -> None:
    unread = "Failed to deserialize the JSON body into the target type: messages["
    first = len('{"model":"deepseek-flash","messages":[{"role":"user"}')
    later = len('{"model":"deepseek-v4-pro","messages":[{"role":"user","content":"你好"},{"role":"system"}'.encode())
    null = len('{"model":"deepseek-flash","messages":[{"role":"user","content":null}')
    unnamed = len('{"model":"deepseek-flash","messages":[{"role":"tool","content":"found"}')

    assert _refusal(deepseek, messages=[{"role": "user"}]) == (
        f"{unread}0]: missing field `content` at line 1 column {first}"
    )
    history = [{"role": "user", "content": "你好"}, {"role": "system"}]
    assert _refusal(deepseek, messages=history, model="deepseek-v4-pro") == (
        f"{unread}1]: missing field `content` at line 1 column {later}"
    )
    assert _refusal(deepseek, messages=[{"role": "tool", "content": "found"}]) == (
        f"{unread}0]: missing field `tool_call_id` at line 1 column {unnamed}"
    )
    assert _refusal(deepseek, messages=[{"role": "user", "content": None}]) == (
        f"{unread}0]: data did not match any variant of untagged enum ChatCompletionRequestContent "
        f"at line 1 column {null}"
    )


@pytest.mark.fact("silent")
@pytest.mark.parametrize("silent", [{"role": "assistant"}, {"role": "assistant", "content": None, "tool_calls": []}])
def test_an_assistant_that_said_and_called_nothing_is_refused(deepseek: LocalApp, silent: dict[str, Any]) -> None:
    why = "Invalid assistant message: content or tool_calls must be set"

    assert _refusal(deepseek, messages=[HI, silent, HI]) == why
    assert _said(deepseek, messages=[HI, {"role": "assistant", "content": ""}, HI])["finish_reason"] == "stop"


@pytest.mark.fact("tool-names")
def test_a_function_s_name_has_an_alphabet_and_a_length(deepseek: LocalApp) -> None:
    pattern = (
        "Invalid 'tools[0].function.name': string does not match pattern. "
        "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
    )
    long = (
        "Invalid 'tools[1].function.name': string too long. "
        "Expected a string with maximum length 64, but got a string with length 65 instead."
    )

    assert [_refusal(deepseek, message="x", tools=_tools(name)) for name in ("a b", "a.b", "看")] == [pattern] * 3
    assert _refusal(deepseek, message="x", tools=_tools("a", "b" * 65)) == long
    assert _said(deepseek, message="x", tools=_tools("a-B_9", "b" * 64))["finish_reason"] == "stop"


@pytest.mark.fact("tool-count")
def test_more_than_128_functions_are_refused(deepseek: LocalApp) -> None:
    names = [f"f{number}" for number in range(129)]

    assert _refusal(deepseek, message="x", tools=_tools(*names)) == (
        "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 "
        "instead."
    )
    assert _said(deepseek, message="x", tools=_tools(*names[:128]))["finish_reason"] == "stop"


@pytest.mark.fact("tool-choice-thinking")
def test_thinking_forces_no_call_and_takes_its_reasoning_back(deepseek: LocalApp) -> None:
    named = {"type": "function", "function": {"name": "look_up"}}
    unreasoned = {key: value for key, value in CALL.items() if key != "reasoning_content"}

    for choice in ("required", named):
        forced = {"message": "hi", "tools": TOOLS, "tool_choice": choice}
        assert _refusal(deepseek, **forced) == UNSUPPORTED
        assert _refusal(deepseek, **forced, model="deepseek-chat", thinking={"type": "enabled"}) == UNSUPPORTED
    assert _refusal(deepseek, messages=[HI, unreasoned, FOUND]) == LOST
    for choice in ("auto", "none"):
        assert _said(deepseek, message="hi", tools=TOOLS, tool_choice=choice)["finish_reason"] == "stop"
    assert _said(deepseek, messages=[HI, unreasoned, FOUND], **QUIET)["finish_reason"] == "stop"
    assert _said(deepseek, message="hi", model="deepseek-chat")["reasoning_content"] is None
    old = _said(deepseek, message="hi", tools=TOOLS, tool_choice="required", model="deepseek-chat")
    assert old["finish_reason"] == "tool_calls"


@pytest.mark.fact("tool-choice-offered")
def test_only_what_is_offered_can_be_called(deepseek: LocalApp) -> None:
    nope = {"type": "function", "function": {"name": "nope"}}

    assert _refusal(deepseek, message="hi", tools=TOOLS, tool_choice=nope, **QUIET) == (
        "Tool choice 'nope' not found in 'tools' parameter."
    )
    for choice in ("required", nope):
        assert _refusal(deepseek, message="hi", tool_choice=choice, **QUIET) == (
            "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."
        )


@pytest.mark.fact("reasoning-counts")
def test_reasoning_counts_towards_max_tokens_and_comes_first(deepseek: LocalApp) -> None:
    whole = _said(deepseek, message="hi there you")
    reasoning = whole["usage"]["completion_tokens_details"]["reasoning_tokens"]
    one = _said(deepseek, message="hi there you", max_tokens=1)
    few = _said(deepseek, message="hi there you", max_tokens=reasoning + 2)
    forced = {"tools": TOOLS, "tool_choice": "required", **QUIET}
    cut = _said(deepseek, message="hi", max_tokens=1, **forced)

    assert (one["response_text"], one["finish_reason"], one["usage"]["completion_tokens"]) == ("", "length", 1)
    assert whole["reasoning_content"].startswith(one["reasoning_content"])
    assert (len(few["response_text"]), few["finish_reason"]) == (8, "length")
    assert few["reasoning_content"] == whole["reasoning_content"]
    assert few["usage"]["completion_tokens"] == reasoning + 2
    assert (cut["tool_calls"], cut["finish_reason"], cut["usage"]["completion_tokens"]) == ([], "length", 1)


@pytest.mark.fact("raw-answer")
def test_a_raw_answer_is_what_the_api_sent_and_of_a_stream_what_the_server_put_together(deepseek: LocalApp) -> None:
    sent = _said(deepseek, message="hi", include_raw_response=True)["raw_response"]
    joined = _said(deepseek, message="hi", include_raw_response=True, stream=True)["raw_response"]
    text = _said(deepseek, "completion", prompt="hi", include_raw_response=True)["raw_response"]

    keys = ["id", "object", "created", "model", "choices", "usage"]
    assert list(sent) == list(text) == [*keys, "system_fingerprint"]
    assert list(sent["choices"][0]) == ["index", "message", "logprobs", "finish_reason"]
    assert list(text["choices"][0]) == ["text", "index", "logprobs", "finish_reason"]
    assert sent["choices"][0]["logprobs"] is text["choices"][0]["logprobs"] is None
    assert (list(joined), list(joined["choices"][0])) == (keys, ["index", "finish_reason", "message"])
    assert list(sent["usage"]) == list(joined["usage"]) == [
        "prompt_tokens", "completion_tokens", "total_tokens", "prompt_tokens_details", "completion_tokens_details",
        "prompt_cache_hit_tokens", "prompt_cache_miss_tokens",
    ]  # fmt: skip
    assert sent["system_fingerprint"] == "fp_8b330d02d0_prod0820_fp8_kvcache_20260402"


@pytest.mark.fact("logprobs")
def test_chances_of_tokens_stand_in_the_raw_answer(deepseek: LocalApp) -> None:
    asked = {"message": "你好", "include_raw_response": True}
    said = _said(deepseek, **asked, logprobs=True, top_logprobs=2)
    plain = _said(deepseek, **asked, logprobs=True)["raw_response"]["choices"][0]["logprobs"]
    text = _said(deepseek, "completion", prompt="hi", logprobs=3, echo=True, include_raw_response=True)

    chances = said["raw_response"]["choices"][0]["logprobs"]
    assert list(chances) == ["content", "reasoning_content"]
    assert "".join(each["token"] for each in chances["content"]) == said["response_text"]
    assert bytes(code for each in chances["content"] for code in each["bytes"]).decode() == said["response_text"]
    assert "".join(each["token"] for each in chances["reasoning_content"]) == said["reasoning_content"]
    first = {key: value for key, value in chances["content"][0].items() if key != "top_logprobs"}
    assert chances["content"][0]["top_logprobs"] == [first]
    assert plain["content"][0] == {**first, "top_logprobs": []} | {
        key: plain["content"][0][key] for key in ("token", "bytes")
    }
    of_text = text["raw_response"]["choices"][0]["logprobs"]
    assert "".join(of_text["tokens"]) == text["text"]
    assert of_text["text_offset"][:3] == [0, 4, 8]
    assert len(of_text["token_logprobs"]) == len(of_text["top_logprobs"]) == len(of_text["tokens"])
    assert of_text["top_logprobs"][0] == {of_text["tokens"][0]: of_text["token_logprobs"][0]}


@pytest.mark.fact("prompt-counts")
def test_what_the_template_puts_around_a_message_counts(deepseek: LocalApp) -> None:
    # A public answer to this history counts ten tokens, six of them its texts'.
    history = [{"role": "system", "content": "You are a helpful assistant"}, {"role": "user", "content": "Hi"}]
    four_by_four = -(-len("You are a helpful assistantHi") // 4)

    assert _said(deepseek, messages=history)["usage"]["prompt_tokens"] == four_by_four + 4
    assert _said(deepseek, message="hi")["usage"]["prompt_tokens"] == 5


@pytest.mark.fact("demands")
def test_what_the_api_just_takes_is_answered(deepseek: LocalApp) -> None:
    assert _said(deepseek, messages=[HI, CALL, FOUND])["finish_reason"] == "stop"
    assert _said(deepseek, messages=[HI, CALL, FOUND, FOUND, HI])["finish_reason"] == "stop"
    assert _said(deepseek, message="hi", max_tokens=393_216)["finish_reason"] == "stop"


@pytest.mark.fact("demands")
def test_a_call_that_the_server_remembers_wants_its_result_first(deepseek: LocalApp) -> None:
    forced = {"tools": TOOLS, "tool_choice": "required", "thinking": {"type": "disabled"}}
    called = _said(deepseek, message="hi", conversation_id="c", **forced)

    early = deepseek.result("chat_completion", message="and?", conversation_id="c")
    found = {**FOUND, "tool_call_id": called["tool_calls"][0]["id"]}
    thinking = deepseek.result("chat_completion", messages=[found], conversation_id="c")
    late = _said(deepseek, messages=[found], conversation_id="c", thinking={"type": "disabled"})

    assert early["structuredContent"]["message"] == UNANSWERED
    assert thinking["structuredContent"]["message"] == LOST
    assert late["finish_reason"] == "stop"


@pytest.mark.fact("functions")
def test_a_function_is_called_only_where_one_must_be(deepseek: LocalApp) -> None:
    free = _said(deepseek, message="hi", tools=TOOLS, tool_choice="auto")
    forced = _said(deepseek, message="hi", tools=TOOLS, tool_choice="required", reasoning_effort="none")

    assert (free["tool_calls"], free["finish_reason"]) == ([], "stop")
    assert forced["finish_reason"] == "tool_calls"
    assert [call["function"] for call in forced["tool_calls"]] == [{"name": "look_up", "arguments": "{}"}]
    response = _said(
        deepseek, "create_response", input="hi", tools=[{"type": "function", "name": "f"}], tool_choice="required"
    )
    assert [call["name"] for call in response["function_calls"]] == ["f"]


@pytest.mark.fact("conversation")
def test_a_conversation_goes_in_front_and_is_kept_to_two_hundred(deepseek: LocalApp) -> None:
    alone = _said(deepseek, message="and now?")
    _said(deepseek, message="first " * 40, conversation_id="b")
    after = _said(deepseek, message="and now?", conversation_id="b")
    deepseek.call("chat_completion", message="x", conversation_id="Ä")

    assert after["usage"]["prompt_tokens"] > alone["usage"]["prompt_tokens"] + 50
    history = [{"role": "user", "content": str(number)} for number in range(205)]
    _said(deepseek, messages=history, conversation_id="a")
    rows = deepseek.episode.db.all("SELECT message FROM messages WHERE conversation_id = 'a' ORDER BY position")
    assert len(rows) == 200
    assert json.loads(rows[0]["message"])["content"] == "6"
    assert deepseek.text("list_conversations") == "a\nb\nÄ"
    assert deepseek.text("reset_conversation", conversation_id="b") == 'Conversation "b" was removed.'
    assert deepseek.text("reset_conversation", conversation_id="b") == 'Conversation "b" did not exist.'


@pytest.mark.fact("clear")
def test_what_was_cleared_stays_cleared_when_the_call_fails(deepseek: LocalApp) -> None:
    _said(deepseek, message="x", conversation_id="a")

    with pytest.raises(VendorError) as refused:
        deepseek.call("chat_completion", message="y", conversation_id="a", clear_conversation=True, model="bad")

    assert refused.value.message == "Model Not Exist"
    assert deepseek.text("list_conversations") == "(no stored conversations)"
    with pytest.raises(VendorError):
        deepseek.call("chat_completion", message="y", conversation_id="new", model="bad")
    assert deepseek.text("list_conversations") == "(no stored conversations)"


@pytest.mark.fact("balance")
def test_what_is_said_is_paid_until_nothing_is_left(play: Play) -> None:
    account = {"currency": "CNY", "granted_cents": 1, "topped_up_cents": 1}
    app = play({"accounts": [{**account, "prompt_price_cents": 100_000, "completion_price_cents": 0}]})

    assert app.call("get_user_balance")["balance_infos"][0]["total_balance"] == "0.02"
    _said(app, message="abcd" * 6)
    left = app.call("get_user_balance")
    assert left["balance_infos"][0] == {
        "currency": "CNY", "total_balance": "0.01", "granted_balance": "0.00", "topped_up_balance": "0.01",
    }  # fmt: skip
    _said(app, message="abcd" * 6)
    assert app.call("get_user_balance")["is_available"] is False
    for tool, asked in (("chat_completion", "message"), ("completion", "prompt"), ("create_response", "input")):
        with pytest.raises(VendorError) as refused:
            app.call(tool, **{asked: "x"})
        assert refused.value.message == "Insufficient Balance"


@pytest.mark.fact("responses")
def test_a_response_that_is_cut_is_incomplete(deepseek: LocalApp) -> None:
    items = [{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}]
    whole = _said(deepseek, "create_response", input=items)
    cut = _said(deepseek, "create_response", input=items, max_output_tokens=2, include_raw_response=True)

    assert (whole["status"], whole["incomplete_details"], whole["model"]) == ("completed", None, "deepseek-flash")
    assert (cut["status"], cut["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})
    assert cut["raw_response"]["output"][0]["content"][0]["text"] == cut["output_text"]
    assert deepseek.text("list_conversations") == "(no stored conversations)"


@pytest.mark.fact("files-said")
@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("retrieve_file", {"file_id": "x"}, "file_id: Expected a DeepSeek file ID starting with `file-api-`"),
        (
            "upload_file",
            {"filename": "a", "file_data": "!"},
            "file_data: Expected raw base64 or a JPEG, PNG, GIF, or WebP base64 data URL no larger than 64 MiB",
        ),
        (
            "chat_completion",
            {"message": [{"type": "image_url", "image_url": {"url": "ftp://x"}}]},
            "message.0.image_url.url: Expected an HTTP(S) image URL or supported image data URL",
        ),
        (
            "chat_completion",
            {"message": [{"type": "file", "filename": "a"}]},
            "message.0: A file content part requires exactly one of `file_id` or `file_data`, "
            "message.0.filename: `filename` is valid only with `file_data`",
        ),
        (
            "chat_completion",
            {"messages": [{"role": "assistant", "content": [IMAGE]}], "top_logprobs": 1},
            "messages.0.content: Multimodal content is supported only in user and tool messages, "
            "`top_logprobs` requires `logprobs=true`",
        ),
        ("create_response", {}, "At least one of `input` or `instructions` must be provided"),
    ],
)
def test_what_the_schemas_check_beyond_types_has_its_own_words(
    deepseek: LocalApp, tool: str, arguments: dict[str, Any], said: str
) -> None:
    assert _issues(deepseek, tool, **arguments) == said


# What Node 20's new URL() makes something of.
@pytest.mark.fact("files-said")
@pytest.mark.parametrize(
    ("address", "is_taken"),
    [
        *(
            (each, True)
            for each in ("http:e.org", "http:\\\\e.org", "http://e.org:65535", "http://e.org:", " HTTPS://E.ORG ")
        ),
        *((each, True) for each in ("http://[::1]:80/x", "http://user:pw@e.org/", "http://%41.org", "http://a\nb.org")),
        *(
            (each, False)
            for each in ("http://e.org:65536/", "http://a b.org/", "http://[::1", "http://[1]", "http://u@")
        ),
        *((each, False) for each in ("https://", "//e.org", "ftp://e.org", "http://e.org:8a", "http://a%20b", "")),
    ],
)
def test_an_address_of_a_picture_is_read_as_node_reads_it(deepseek: LocalApp, address: str, is_taken: bool) -> None:
    part = {"type": "image_url", "image_url": {"url": address}}

    result = deepseek.result("chat_completion", message=[part])

    fault = "message.0.image_url.url: Expected an HTTP(S) image URL or supported image data URL"
    assert ("isError" not in result) == is_taken
    assert result["content"][0]["text"].endswith(fault) != is_taken
