"""The server's prompt, its resources and the template of conversations; and those of version 0.2.1."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp

CONVERSATIONS = "deepseek://conversations/"


def _read(app: LocalApp, uri: str) -> Any:
    contents = app.request("resources/read", uri=uri)["contents"]
    assert [each["uri"] for each in contents] == [uri]
    return json.loads(contents[0]["text"])


def _prompt(app: LocalApp, **arguments: str) -> dict[str, Any]:
    return app.request("prompts/get", name="deepseek_chat_starter", arguments=arguments)


@pytest.mark.fact("prompt")
def test_the_prompt_names_model_and_style_before_the_task(deepseek: LocalApp) -> None:
    told = _prompt(deepseek, task="count", style="short")

    text = "Use model: deepseek-flash\nStyle constraints: short\nTask: count"
    assert told == {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}
    # An empty style is none, an empty model is one.
    assert _prompt(deepseek, task="count", style="", model="")["messages"][0]["content"]["text"] == (
        "Use model: \nTask: count"
    )


@pytest.mark.fact("prompt")
@pytest.mark.parametrize(
    ("arguments", "issue"),
    [
        ({}, "expected string, received undefined"),
        ({"task": ""}, "expected string to have >=1 characters"),
    ],
)
def test_the_prompt_wants_a_task(deepseek: LocalApp, arguments: dict[str, str], issue: str) -> None:
    error = _prompt(deepseek, **arguments)["error"]

    assert error["code"] == -32602
    assert error["message"].startswith("Invalid arguments for prompt deepseek_chat_starter: task: ")
    assert error["message"].endswith(issue)


@pytest.mark.fact("resources")
def test_the_resources_say_which_tools_and_models_there_are(deepseek: LocalApp) -> None:
    endpoints = _read(deepseek, "deepseek://api/endpoints")["endpoints"]
    runtime = _read(deepseek, "deepseek://api/runtime")
    models = _read(deepseek, "deepseek://api/models/live")

    listed = {entry["name"] for entry in deepseek.store.loaded.tool_schemas}
    assert {each["tool"] for each in endpoints} == listed - {"reset_conversation", "list_conversations"}
    assert (runtime["default_model"], runtime["conversation_count"]) == ("deepseek-flash", 0)
    assert models == deepseek.result("list_models")["structuredContent"]


@pytest.mark.fact("resources")
def test_a_conversation_is_a_resource_that_is_listed_while_it_is_remembered(deepseek: LocalApp) -> None:
    deepseek.call("chat_completion", message="hi", conversation_id="a b/中")
    uri = f"{CONVERSATIONS}a%20b%2F%E4%B8%AD"

    listed = deepseek.request("resources/list")["resources"][3:]
    assert [(each["uri"], each["name"], each["mimeType"]) for each in listed] == [
        (uri, "Conversation a b/中", "application/json")
    ]
    told = _read(deepseek, uri)
    assert (told["conversation_id"], told["message_count"]) == ("a b/中", 2)
    assert [each["role"] for each in told["messages"]] == ["user", "assistant"]
    assert _read(deepseek, "deepseek://api/runtime")["conversation_count"] == 1
    deepseek.call("reset_conversation", conversation_id="a b/中")
    assert deepseek.request("resources/list")["resources"][3:] == []
    assert _read(deepseek, uri)["messages"] == []


@pytest.mark.fact("resources")
@pytest.mark.parametrize(
    ("uri", "error"),
    [
        ("deepseek://api/x", (-32602, "Resource not found: deepseek://api/x", {"uri": "deepseek://api/x"})),
        (f"{CONVERSATIONS}a/b", (-32602, f"Resource not found: {CONVERSATIONS}a/b", {"uri": f"{CONVERSATIONS}a/b"})),
        ("x", (-32602, "Resource URI x is invalid", {"uri": "x", "reason": "invalid_uri"})),
        (f"{CONVERSATIONS}%", (-32603, "URI malformed", None)),
    ],
)
def test_an_address_of_nothing_is_refused(deepseek: LocalApp, uri: str, error: tuple[int, str, Any]) -> None:
    found = deepseek.request("resources/read", uri=uri)["error"]

    assert (found["code"], found["message"], found.get("data")) == error


@pytest.mark.fact("old-resources")
def test_the_old_server_shows_two_models_and_five_parameters(start: Callable[..., LocalApp]) -> None:
    old = start("deepseek", profile="paper-2025")

    uris = [each["uri"] for each in old.request("resources/list")["resources"]]
    parameters = ("temperature", "max_tokens", "top_p", "frequency_penalty", "presence_penalty")
    assert uris == [
        "models://deepseek-chat",
        "models://deepseek-reasoner",
        *(f"config://{each}" for each in parameters),
    ]
    assert _read(old, "models://deepseek-chat")["name"] == "DeepSeek Chat"
    contents = old.request("resources/read", uri="config://top_p")["contents"]
    assert [each["uri"] for each in contents] == [f"config://top_p/{each}" for each in parameters]
    assert "prompts/get" not in old.store.loaded.in_profile("paper-2025").requests
