"""Whole answers before a service that says what it is told to say."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.deepseek.conftest import Play

NOW_S = 1767225600  # the first of January 2026
TEXT, REASONING = "12345678901234567", "thirty-two characters of thought"
CALL_ID = re.compile("call_00_[a-zA-Z0-9]{24}")
UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TOOLS = [{"type": "function", "function": {"name": name}} for name in ("first", "second")]
# A model's price of a token is then a hundredth of the currency, a cent.
ACCOUNT = {"currency": "CNY", "granted_cents": 10, "topped_up_cents": 20, "prompt_price_cents": 1_000_000}


def canned(kind: str, asked: str, text: str = TEXT, reasoning: str = REASONING) -> dict[str, Any]:
    return {"kind": kind, "asked": asked, "text": text, "reasoning": reasoning}


def told(app: LocalApp, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """Return text and structured content of a success."""
    result = app.result(tool, **arguments)
    assert result.keys() == {"content", "structuredContent"}, result
    return result["content"][0]["text"], result["structuredContent"]


def usage(first: str, prompt: int, second: str, answer: int) -> dict[str, int]:
    return {first: prompt, second: answer, "total_tokens": prompt + answer}


def counts(prompt: int, answer: int, reasoning: int = 0) -> dict[str, Any]:
    """Return the usage that the API tells of chats and completions."""
    thought = {"completion_tokens_details": {"reasoning_tokens": reasoning}} if reasoning else {}
    return {
        **usage("prompt_tokens", prompt, "completion_tokens", answer),
        "prompt_tokens_details": {"cached_tokens": 0},
        **thought,
        "prompt_cache_hit_tokens": 0,
        "prompt_cache_miss_tokens": prompt,
    }


# Around a question: the beginning, whose turn it is, whose turn comes, and whether it thinks.
MARKERS = 4


@pytest.mark.fact("texts")
def test_a_chat_is_told_counted_paid_and_remembered(play: Play) -> None:
    app = play({"canned": [canned("chat", "hello")]})

    text, said = told(
        app, "chat_completion", message="hello", stream=True, include_raw_response=True, conversation_id="c"
    )

    # Characters by four, rounded up: five, and 17 and 32.
    tokens = counts(2 + MARKERS, 13, 8)
    message = {"role": "assistant", "content": TEXT, "reasoning_content": REASONING}
    assert UUID.fullmatch(said["raw_response"]["id"])
    assert said == {
        "model": "deepseek-flash",
        "conversation_id": "c",
        "response_text": TEXT,
        "reasoning_content": REASONING,
        "tool_calls": [],
        "finish_reason": "stop",
        "usage": tokens,
        # Beginning and end, two pieces of up to sixteen characters and two more of the reasoning.
        "stream_chunk_count": 6,
        "raw_response": {
            "id": said["raw_response"]["id"],
            "object": "chat.completion",
            "created": NOW_S,
            "model": "deepseek-flash",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": tokens,
        },
    }
    assert text == f"{TEXT}\n\nReasoning:\n{REASONING}"
    rows = app.episode.db.all("SELECT * FROM messages ORDER BY position")
    assert [(row["conversation_id"], row["position"], json.loads(row["message"])) for row in rows] == [
        ("c", 1, {"role": "user", "content": "hello"}),
        ("c", 2, message),
    ]
    # Two and three yuan for a million tokens: 2 * 6 and 3 * 13 millionths.
    assert app.episode.db.all("SELECT * FROM charges") == [
        {
            "number": 1, "model": "deepseek-flash", "prompt_tokens": 6, "completion_tokens": 13, "cost_micros": 51,
            "charged_ms": NOW_S * 1000,
        }
    ]  # fmt: skip
    assert told(app, "list_conversations") == ("c", {"conversation_ids": ["c"], "count": 1})
    removed = ('Conversation "c" was removed.', {"conversation_id": "c", "removed": True})
    assert told(app, "reset_conversation", conversation_id="c") == removed
    gone = ('Conversation "c" did not exist.', {"conversation_id": "c", "removed": False})
    assert told(app, "reset_conversation", conversation_id="c") == gone
    assert told(app, "list_conversations") == ("(no stored conversations)", {"conversation_ids": [], "count": 0})
    assert app.episode.db.all("SELECT * FROM messages") == []


@pytest.mark.fact("functions")
@pytest.mark.parametrize(
    ("choice", "name"),
    [("required", "first"), ({"type": "function", "function": {"name": "second"}}, "second")],
)
@pytest.mark.parametrize("stream", [True, False])
def test_a_chat_that_must_call_a_function_says_nothing_else(play: Play, choice: Any, name: str, stream: bool) -> None:
    app = play({"canned": [canned("chat", "hello")]})

    text, said = told(
        app,
        "chat_completion",
        message="hello",
        tools=TOOLS,
        tool_choice=choice,
        stream=stream,
        thinking={"type": "disabled"},
        include_raw_response=True,
    )

    calls = said["tool_calls"]
    assert CALL_ID.fullmatch(calls[0]["id"])
    call = {"id": calls[0]["id"], "type": "function", "function": {"name": name, "arguments": "{}"}}
    # The API numbers calls; where the server puts pieces together the number is gone.
    assert calls == [call if stream else {"index": 0, **call}]
    assert text == f"(no assistant content returned)\n\nTool calls returned by model: {json.dumps(calls, indent=2)}"
    assert (said["response_text"], said["finish_reason"]) == ("", "tool_calls")
    # The name and two braces by four.
    assert said["usage"]["completion_tokens"] == 2
    assert said["stream_chunk_count"] == (2 if stream else None)
    message = {"role": "assistant", "content": None if stream else "", "tool_calls": calls}
    end = {"index": 0, "finish_reason": "tool_calls", "message": message}
    assert said["raw_response"]["choices"] == [end if stream else {**end, "logprobs": None}]


@pytest.mark.fact("functions")
@pytest.mark.parametrize("more", [{"tool_choice": "none"}, {"tool_choice": "auto"}, {}])
def test_no_function_is_called_where_none_must_be(play: Play, more: dict[str, Any]) -> None:
    app = play({"canned": [canned("chat", "hello")]})

    _, said = told(app, "chat_completion", message="hello", tools=TOOLS, **more)

    assert (said["response_text"], said["tool_calls"], said["finish_reason"]) == (TEXT, [], "stop")
    # What is offered stands in the prompt, as JSON: 47 and 48 characters, after five.
    assert said["usage"]["prompt_tokens"] == (5 + 47 + 48) // 4 + MARKERS


@pytest.mark.fact("cut")
@pytest.mark.parametrize(
    ("more", "text", "finish", "tokens"),
    [
        ({}, "one two three four", "stop", 5),
        ({"max_tokens": 5}, "one two three four", "stop", 5),
        ({"max_tokens": 4}, "one two three fo", "length", 4),
        ({"max_tokens": 1}, "one ", "length", 1),
        ({"stop": "three"}, "one two ", "stop", 2),
        ({"stop": ["four", "two"]}, "one ", "stop", 1),
        ({"stop": ["none", "o"]}, "", "stop", 0),
        ({"stop": "four", "max_tokens": 3}, "one two thre", "length", 3),
        ({"stop": "four", "max_tokens": 4}, "one two three ", "stop", 4),
    ],
)
@pytest.mark.parametrize(
    ("tool", "kind", "asked", "key", "none"),
    [
        ("chat_completion", "chat", "message", "response_text", "(no assistant content returned)"),
        ("completion", "completion", "prompt", "text", "(no completion text returned)"),
    ],
)
def test_an_answer_ends_where_it_is_told_to(
    play: Play, tool: str, kind: str, asked: str, key: str, none: str, more: dict[str, Any], text: str, finish: str,
    tokens: int,
) -> None:  # fmt: skip
    app = play({"canned": [canned(kind, "hello", "one two three four")]})
    quiet = {"reasoning_effort": "none"} if kind == "chat" else {}

    shown, said = told(app, tool, **{asked: "hello"}, **quiet, **more)

    assert (said[key], said["finish_reason"]) == (text, finish)
    assert said["usage"]["completion_tokens"] == tokens
    assert shown == (text or none)


REPLIES = [
    {"kind": kind, "text": "{model} read {words}: {quoted}", "reasoning": f"{{words}} of a {kind}"}
    for kind in ("chat", "completion", "response")
]


@pytest.mark.fact("texts")
@pytest.mark.parametrize(
    ("asked", "words", "quoted"),
    [
        ("hi", "1 word", "hi"),
        ("hi  you\nthere", "3 words", "hi  you\nthere"),
        ("{words}", "1 word", "{words}"),
        ("a" * 160, "1 word", "a" * 160),
        ("a" * 161, "1 word", "a" * 160 + "…"),
        (" ", "0 words", " "),
    ],
)
def test_a_text_names_the_model_how_many_words_came_and_how_they_begin(
    play: Play, asked: str, words: str, quoted: str
) -> None:
    app = play({"replies": REPLIES})

    text = f"deepseek-v4-pro read {words}: {quoted}"
    _, chat = told(app, "chat_completion", message=asked, model="deepseek-v4-pro")
    assert (chat["model"], chat["response_text"]) == ("deepseek-v4-pro", text)
    assert chat["reasoning_content"] == f"{words} of a chat"
    _, completion = told(app, "completion", prompt=asked, model="deepseek-v4-pro")
    assert (completion["model"], completion["text"]) == ("deepseek-v4-pro", text)
    _, response = told(app, "create_response", input=asked, model="deepseek-v4-pro", reasoning={"effort": "low"})
    assert (response["model"], response["output_text"]) == ("deepseek-v4-pro", text)
    assert response["reasoning_text"] == f"{words} of a response"


@pytest.mark.fact("texts")
def test_json_mode_answers_with_an_object_that_says_what_it_is(play: Play) -> None:
    app = play({"replies": REPLIES})

    text, said = told(
        app, "chat_completion", message="some JSON", response_format={"type": "json_object"}, reasoning_effort="none"
    )
    plain, _ = told(app, "chat_completion", message="hi", response_format={"type": "text"}, reasoning_effort="none")
    response, _ = told(app, "create_response", input="hi", text={"format": {"type": "json_object"}})
    words, _ = told(app, "create_response", input="hi", text={"format": {"type": "text"}})

    assert text == said["response_text"] == '{"simulated":true,"in_the_place_of":"deepseek-flash","words":2}'
    assert plain == words == "deepseek-flash read 1 word: hi"
    assert response == '{"simulated":true,"in_the_place_of":"deepseek-flash","words":1}'


@pytest.mark.fact("texts")
def test_what_is_asked_last_is_answered_and_all_that_was_sent_is_counted(play: Play) -> None:
    app = play({"replies": REPLIES})
    picture = {"type": "image_url", "image_url": {"url": "https://e.org/a.png"}}
    parts = [{"type": "text", "text": "look"}, picture, {"type": "text", "text": "here"}]
    history = [
        {"role": "system", "content": "four"},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": parts},
    ]

    _, said = told(app, "chat_completion", messages=history, message="not this")

    assert said["response_text"] == "deepseek-flash read 2 words: look here"
    # Four and nine characters; what begins and ends all, and what is said by whom.
    assert said["usage"]["prompt_tokens"] == 4 + 3 + 3 + 1
    _, response = told(
        app,
        "create_response",
        instructions="four",
        input=[
            {"role": "user", "content": "four"},
            {"role": "user", "content": [{"type": "input_text", "text": "look"}, {"type": "input_text", "text": "up"}]},
        ],
    )
    assert response["output_text"] == "deepseek-flash read 2 words: look up"
    assert response["usage"]["input_tokens"] == 4  # four, seven, four characters
    _, alone = told(app, "create_response", instructions="four")
    assert (alone["output_text"], alone["usage"]["input_tokens"]) == ("deepseek-flash read 1 word: four", 1)
    output = {"type": "function_call_output", "call_id": "c", "output": "found it"}
    _, found = told(app, "create_response", input=[output])
    assert found["output_text"] == "deepseek-flash read 2 words: found it"
    _, filled = told(app, "completion", prompt="four", suffix="five!")
    assert (filled["text"], filled["usage"]["prompt_tokens"]) == ("deepseek-flash read 1 word: four", 3)


@pytest.mark.fact("texts")
def test_what_changes_how_an_answer_comes_does_not_change_what_it_says(deepseek: LocalApp) -> None:
    def texts(**more: Any) -> list[str]:
        asked = (f"question {number}" for number in range(12))
        return [told(deepseek, "chat_completion", message=each, **more)[1]["response_text"] for each in asked]

    plain = texts()
    assert texts(stream=True) == texts(include_raw_response=True) == texts(extra_body={"a": 1}) == plain
    assert texts(clear_conversation=True) == plain
    for more in ({"temperature": 0.5}, {"top_p": 0.5}, {"user_id": "me"}, {"max_tokens": 1000}):
        assert texts(**more) != plain
    as_history = [
        told(deepseek, "chat_completion", messages=[{"role": "user", "content": f"question {number}"}])[1][
            "response_text"
        ]
        for number in range(12)
    ]
    assert as_history == plain


@pytest.mark.fact("texts")
def test_a_completion_is_told_whole(play: Play) -> None:
    app = play({"canned": [canned("completion", "hello", TEXT, "never shown")]})

    text, said = told(app, "completion", prompt="hello", echo=True, stream=True, include_raw_response=True)

    tokens = counts(2, 5)
    assert UUID.fullmatch(said["raw_response"]["id"])
    assert text == f"hello{TEXT}"
    assert said == {
        "model": "deepseek-flash",
        "text": f"hello{TEXT}",
        "finish_reason": "stop",
        "usage": tokens,
        "stream_chunk_count": 4,
        "raw_response": {
            "id": said["raw_response"]["id"],
            "object": "text_completion",
            "created": NOW_S,
            "model": "deepseek-flash",
            "choices": [{"index": 0, "text": f"hello{TEXT}", "finish_reason": "stop"}],
            "usage": tokens,
        },
    }
    plain = told(app, "completion", prompt="hello", echo=False)[1]
    assert (plain["text"], plain["stream_chunk_count"]) == (TEXT, None)


@pytest.mark.fact("responses")
def test_a_response_is_told_whole(play: Play) -> None:
    app = play({"canned": [canned("response", "hello")]})

    text, said = told(
        app, "create_response", input="hello", reasoning={"effort": "low"}, stream=True, include_raw_response=True,
        max_output_tokens=12,
    )  # fmt: skip

    tokens = usage("input_tokens", 2, "output_tokens", 12)
    why = {"reason": "max_output_tokens"}
    assert UUID.fullmatch(said["raw_response"]["id"])
    assert text == f"{TEXT[:16]}\n\nReasoning:\n{REASONING}"
    assert said == {
        "model": "deepseek-flash",
        "status": "incomplete",
        "output_text": TEXT[:16],
        "reasoning_text": REASONING,
        "function_calls": [],
        "usage": tokens,
        "error": None,
        "incomplete_details": why,
        "stream_event_count": 5,
        "raw_response": {
            "id": said["raw_response"]["id"],
            "object": "response",
            "created_at": NOW_S,
            "status": "incomplete",
            "model": "deepseek-flash",
            "output": [
                {"type": "reasoning", "content": [{"type": "reasoning_text", "text": REASONING}]},
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": TEXT[:16]}],
                },
            ],
            "usage": tokens,
            "error": None,
            "incomplete_details": why,
        },
    }


@pytest.mark.fact("functions")
@pytest.mark.parametrize(
    ("choice", "name"), [("required", "first"), ({"type": "function", "name": "second"}, "second")]
)
def test_a_response_that_must_call_a_function_says_nothing_else(play: Play, choice: Any, name: str) -> None:
    app = play({"canned": [canned("response", "hello")]})
    tools = [{"type": "web_search"}, *({"type": "function", "name": each} for each in ("first", "second"))]

    text, said = told(app, "create_response", input="hello", tools=tools, tool_choice=choice, include_raw_response=True)

    calls = said["function_calls"]
    assert CALL_ID.fullmatch(calls[0]["call_id"])
    assert calls == [{"type": "function_call", "call_id": calls[0]["call_id"], "name": name, "arguments": "{}"}]
    assert text == (f"(no response text returned)\n\nFunction calls returned by model: {json.dumps(calls, indent=2)}")
    assert (said["status"], said["output_text"], said["raw_response"]["output"]) == ("completed", "", calls)
    assert (said["stream_event_count"], said["incomplete_details"]) == (None, None)
    for more in ({"tools": tools}, {"tools": tools, "tool_choice": "auto"}, {"tool_choice": "required"}):
        assert told(app, "create_response", input="hello", **more)[1]["output_text"] == TEXT
    only_search = told(app, "create_response", input="hello", tools=tools[:1], tool_choice="required")[1]
    assert (only_search["output_text"], only_search["function_calls"]) == (TEXT, [])


@pytest.mark.fact("balance")
def test_models_and_money_are_told_whole(play: Play) -> None:
    models = [
        {"id": name, "position": position, "owned_by": owner, "is_listed": is_listed}
        for name, position, owner, is_listed in (("b", 1, "x", 1), ("a", 2, "y", 1), ("old", 3, "x", 0))
    ]
    app = play({"models": models, "accounts": [{**ACCOUNT, "granted_cents": 5, "completion_price_cents": 0}]})
    empty = {"currency": "CNY", "total_balance": "0.00", "granted_balance": "0.00", "topped_up_balance": "0.00"}

    assert told(app, "list_models") == (
        "b\na",
        {
            "object": "list",
            "data": [{"id": "b", "object": "model", "owned_by": "x"}, {"id": "a", "object": "model", "owned_by": "y"}],
        },
    )
    info = {**empty, "total_balance": "0.25", "granted_balance": "0.05", "topped_up_balance": "0.20"}
    balance = {"is_available": True, "balance_infos": [info]}
    assert told(app, "get_user_balance") == (json.dumps(balance, indent=2), balance)
    nothing = play({"models": models[2:], "accounts": []})
    assert told(nothing, "list_models") == ("(no models returned)", {"object": "list", "data": []})
    assert told(nothing, "get_user_balance")[1] == {"is_available": False, "balance_infos": [empty]}


@pytest.mark.fact("balance")
def test_what_was_granted_is_spent_before_what_was_paid_in_and_parts_of_a_cent_are_a_cent(play: Play) -> None:
    app = play(
        {"accounts": [{**ACCOUNT, "completion_price_cents": 1000}], "canned": [canned("chat", "abcd", "abcd", "")]}
    )

    def left() -> tuple[str, str, bool]:
        said = told(app, "get_user_balance")[1]
        return (
            said["balance_infos"][0]["granted_balance"],
            said["balance_infos"][0]["topped_up_balance"],
            said["is_available"],
        )

    # A cent for each token of the question and around it, and a thousandth of one for the answer's.
    told(app, "chat_completion", message="abcd")
    assert app.episode.db.scalar("SELECT cost_micros FROM charges") == 50_010
    assert left() == ("0.04", "0.20", True)
    told(app, "completion", prompt="a" * 16, max_tokens=1)
    assert left() == ("0.00", "0.20", True)
    told(app, "completion", prompt="aaaa", max_tokens=1)
    assert left() == ("0.00", "0.19", True)
    told(app, "completion", prompt="a" * 400, max_tokens=1)
    assert left() == ("0.00", "0.00", False)
    refused = app.result("completion", prompt="a")
    assert refused == {
        "content": [
            {
                "type": "text",
                "text": "DeepSeek API error (402): Insufficient Balance. Check account balance or billing status.",
            }
        ],
        "structuredContent": {
            "error_type": "deepseek_api_error", "status": 402, "message": "Insufficient Balance", "retryable": False,
            "suggestion": "Check account balance or billing status.",
        },
        "isError": True,
    }  # fmt: skip
    assert app.episode.db.all("SELECT number FROM charges ORDER BY number") == [{"number": n} for n in (1, 2, 3, 4)]


@pytest.mark.fact("conversation")
def test_what_was_said_stands_before_what_is_said(play: Play) -> None:
    app = play({"replies": REPLIES})

    told(app, "chat_completion", message="four", conversation_id="c", reasoning_effort="none")
    first = "deepseek-flash read 1 word: four"
    _, second = told(app, "chat_completion", message="next", conversation_id="c", reasoning_effort="none")
    _, other = told(app, "chat_completion", message="next", conversation_id="d", reasoning_effort="none")
    told(app, "chat_completion", message="anew", conversation_id="c", clear_conversation=True, reasoning_effort="none")

    # Beginning and end, two questions, and three around the answer.
    assert second["usage"]["prompt_tokens"] == (4 + len(first) + 4) // 4 + 3 + 2 + 3
    assert other["usage"]["prompt_tokens"] == 1 + MARKERS
    rows = app.episode.db.all("SELECT message FROM messages WHERE conversation_id = 'c' ORDER BY position")
    assert [json.loads(row["message"]) for row in rows] == [
        {"role": "user", "content": "anew"},
        {"role": "assistant", "content": "deepseek-flash read 1 word: anew"},
    ]
    assert told(app, "list_conversations")[1] == {"conversation_ids": ["c", "d"], "count": 2}


@pytest.mark.fact("conversation")
def test_conversations_are_listed_in_javascript_s_order(deepseek: LocalApp) -> None:
    # Of two halves each, a clef stands before what is beyond the halves.
    for name in ("\uffee", "𝄞", "b", "B"):
        told(deepseek, "chat_completion", message="x", conversation_id=name)

    assert told(deepseek, "list_conversations")[1]["conversation_ids"] == ["B", "b", "𝄞", "\uffee"]


@pytest.mark.fact("conversation")
def test_two_hundred_messages_are_kept_and_none_of_them_is_too_many(deepseek: LocalApp) -> None:
    def kept() -> list[str]:
        rows = deepseek.episode.db.all("SELECT message FROM messages ORDER BY position")
        return [json.loads(row["message"])["content"] for row in rows]

    told(
        deepseek,
        "chat_completion",
        messages=[{"role": "user", "content": str(n)} for n in range(199)],
        conversation_id="c",
    )
    assert (len(kept()), kept()[0]) == (200, "0")
    told(deepseek, "chat_completion", message="one more", conversation_id="c")
    assert (len(kept()), kept()[0], kept()[198]) == (200, "2", "one more")


# -- 2025 --------------------------------------------------------------------------------------------------------------


@pytest.mark.fact("old")
def test_the_old_server_says_a_text_and_nothing_else(play: Play) -> None:
    app = play({"replies": REPLIES}, profile="paper-2025")
    history = [{"role": "system", "content": "four"}, {"role": "user", "content": "two words"}]

    def said(**arguments: Any) -> dict[str, Any]:
        return app.result("chat_completion", **arguments)

    def text(words: str) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": words}]}

    assert said(message="hi") == text("deepseek-reasoner read 1 word: hi")
    assert said(message="hi", messages=history) == text("deepseek-reasoner read 1 word: hi")
    assert said(messages=history, model="deepseek-chat") == text("deepseek-chat read 2 words: two words")
    assert said(message="", messages=history) == text("deepseek-reasoner read 2 words: two words")
    assert said(messages=[]) == text("deepseek-reasoner read 0 words: ")
    assert said(message="hi", max_tokens=2) == text("deepseek")
    fallback = "Note: Fallback to deepseek-chat due to reasoner error.\n\ndeepseek-chat read 2 words: two words"
    assert said(messages=history, model="bad") == text(fallback)
    charges = app.episode.db.all("SELECT model, prompt_tokens FROM charges ORDER BY number")
    assert charges[2] == {"model": "deepseek-chat", "prompt_tokens": 4}  # four and nine characters
    assert charges[-1]["model"] == "deepseek-chat"


@pytest.mark.fact("old")
def test_the_old_server_has_one_history_in_which_a_message_stands_before_it_is_answered(play: Play) -> None:
    app = play({"replies": REPLIES}, profile="paper-2025")
    part = {"role": "system", "content": {"type": "text", "text": "two words"}}

    first = app.result("multi_turn_chat", messages="four")
    failed = app.result("multi_turn_chat", messages="lost", model="bad")
    second = app.result("multi_turn_chat", messages=[part, {**part, "role": "user"}])
    nothing = app.result("multi_turn_chat", messages=[])

    assert first == {"content": [{"type": "text", "text": "deepseek-chat read 1 word: four"}]}
    assert failed == {
        "content": [{"type": "text", "text": "DeepSeek API error: Model Not Exist"}],
        "isError": True,
    }
    assert second == {"content": [{"type": "text", "text": "deepseek-chat read 2 words: two words"}]}
    assert nothing == {
        "content": [{"type": "text", "text": "Cannot read properties of undefined (reading 'role')"}],
        "isError": True,
    }
    rows = app.episode.db.all("SELECT message FROM messages ORDER BY position")
    assert [json.loads(row["message"]) for row in rows] == [
        {"role": "user", "content": "four"},
        {"role": "assistant", "content": "deepseek-chat read 1 word: four"},
        {"role": "user", "content": "lost"},
        {"role": "system", "content": "two words"},
        {"role": "assistant", "content": "deepseek-chat read 2 words: two words"},
    ]
    # All that was said before counts: four, 31, four and nine characters.
    assert app.episode.db.scalar("SELECT prompt_tokens FROM charges ORDER BY number DESC") == 12


@pytest.mark.fact("old")
def test_the_old_server_cannot_pay_for_the_other_model_either(play: Play) -> None:
    app = play({"accounts": []}, profile="paper-2025")

    poor = {"content": [{"type": "text", "text": "DeepSeek API error: Insufficient Balance"}], "isError": True}
    assert app.result("chat_completion", message="hi", model="bad") == poor
    assert app.result("chat_completion", message="hi") == poor
