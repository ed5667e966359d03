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
    # Its stand-in refused this model for want of money.
    poor = [call for call in calls if call["arguments"].get("model") == "rate"]
    for call in calls:
        if call not in poor:
            assert app.result(call["tool"], **call["arguments"]) == call["result"], call

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


CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function", **TOOLS[0]}]}
HI, FOUND = {"role": "user", "content": "hi"}, {"role": "tool", "tool_call_id": "call_1", "content": "found"}
NO_CALL = "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'"
UNANSWERED = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
    "(insufficient tool messages following tool_calls message)"
)


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


@pytest.mark.fact("demands")
def test_what_the_api_just_takes_is_answered(deepseek: LocalApp) -> None:
    assert _said(deepseek, messages=[HI, CALL, FOUND])["finish_reason"] == "stop"
    assert _said(deepseek, messages=[HI, CALL, FOUND, FOUND, HI])["finish_reason"] == "stop"
    assert _said(deepseek, message="hi", max_tokens=393_216)["finish_reason"] == "stop"


@pytest.mark.fact("demands")
def test_a_call_that_the_server_remembers_wants_its_result_first(deepseek: LocalApp) -> None:
    called = _said(deepseek, message="hi", conversation_id="c", tools=TOOLS, tool_choice="required")

    early = deepseek.result("chat_completion", message="and?", conversation_id="c")
    found = {**FOUND, "tool_call_id": called["tool_calls"][0]["id"]}
    late = _said(deepseek, messages=[found], conversation_id="c")

    assert early["structuredContent"]["message"] == UNANSWERED
    assert late["finish_reason"] == "stop"


@pytest.mark.fact("functions")
def test_a_function_is_called_only_where_one_must_be(deepseek: LocalApp) -> None:
    free = _said(deepseek, message="hi", tools=TOOLS, tool_choice="auto")
    forced = _said(deepseek, message="hi", tools=TOOLS, tool_choice="required")

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
    _said(app, message="abcd" * 10)
    left = app.call("get_user_balance")
    assert left["balance_infos"][0] == {
        "currency": "CNY", "total_balance": "0.01", "granted_balance": "0.00", "topped_up_balance": "0.01",
    }  # fmt: skip
    _said(app, message="abcd" * 10)
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
