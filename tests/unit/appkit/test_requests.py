"""How each family of SDKs refuses requests of prompts and resources; and how a tools.json tells what a server has."""

from __future__ import annotations

import json
from typing import Any

import pytest

from farm.appkit import App, Prompt, Resource, ResourceTemplate
from farm.appkit.dialects import (
    Dialect,
    GenericJsonSchema,
    GoSdk,
    InvalidArgumentsError,
    Jsonschema,
    McpGo,
    Pydantic,
    RequestWording,
    Unchecked,
    Zod3,
    Zod4,
)
from farm.appkit.dialects._requests import js_url
from farm.appkit.feature_requests import ResourceAddresses, bind_requests
from farm.appkit.server_features import ServerFeatures, read_server_features
from farm.errors import FarmError

Told = tuple[int | None, str, Any]


def told(error: InvalidArgumentsError | None) -> Told | None:
    return None if error is None else (error.code, error.message, error.data)


def refusal(wording: RequestWording, uri: str) -> Told | None:
    try:
        return told(wording.unknown_resource(uri, wording.address(uri)))
    except InvalidArgumentsError as malformed:
        return told(malformed)


# Recorded of servers on these SDKs, but for the two in Go, whose code was read.
PYTHON = (-32602, "Invalid request parameters", "")
UNKNOWN: list[tuple[Dialect, Told, Told, Told]] = [
    (
        Zod4(sdk="2.0.0"),
        (-32601, "Method not found", None),
        (-32602, "Prompt x not found", None),
        (-32602, "Resource not found: a:b", {"uri": "a:b"}),
    ),
    (
        Zod4(sdk="1.29.0"),
        (-32601, "Method not found", None),
        (-32602, "MCP error -32602: Prompt x not found", None),
        (-32602, "MCP error -32602: Resource a:b not found", None),
    ),
    (
        Pydantic(),
        (-32601, "Method not found", None),
        (0, "Unknown prompt: x", None),
        (0, "Unknown resource: a:b", None),
    ),
    (
        McpGo(sdk="0.8.2"),
        (-32601, "Prompts not supported", None),
        (-32602, "Prompt not found: x", None),
        (-32602, "No handler found for resource URI: a:b", None),
    ),
    (
        GoSdk(),
        (-32601, 'method not found: "prompts/list"', None),
        (-32602, 'unknown prompt "x"', None),
        (-32002, "Resource not found", {"uri": "a:b"}),
    ),
]


@pytest.mark.parametrize(("dialect", "method", "prompt", "resource"), UNKNOWN, ids=lambda each: type(each).__name__)
def test_what_there_is_not_is_refused_in_the_words_of_the_sdk(
    dialect: Dialect, method: Told, prompt: Told, resource: Told
) -> None:
    wording = dialect.requests

    assert told(wording.unknown_method("prompts/list", None)) == method
    assert told(wording.unknown_prompt("x")) == prompt
    assert refusal(wording, "a:b") == resource


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        (Zod4(sdk="2.0.0"), (-32602, "Resource URI b is invalid", {"uri": "b", "reason": "invalid_uri"})),
        (Zod3(sdk="1.3.1"), (-32603, "Invalid URL", None)),
    ],
)
def test_an_address_that_is_none_is_refused(dialect: Dialect, expected: Told) -> None:
    assert refusal(dialect.requests, "b") == expected


@pytest.mark.parametrize(
    ("dialect", "params", "expected"),
    [
        (Zod4(sdk="2.0.0"), {"name": 5}, {"expected": "string", "code": "invalid_type", "path": ["params", "name"]}),
        (Zod3(sdk="1.3.1"), {}, {"code": "invalid_type", "received": "undefined", "message": "Required"}),
        (Zod4(), {"name": "x", "arguments": None}, {"expected": "record", "path": ["params", "arguments"]}),
        (Zod4(), None, {"expected": "object", "path": ["params"]}),
    ],
)
def test_typescript_prints_zod_s_issues_of_a_malformed_request(
    dialect: Dialect, params: Any, expected: dict[str, Any]
) -> None:
    refused = dialect.requests.malformed("prompts/get", params)

    assert refused is not None
    assert refused.code == -32603
    (issue,) = json.loads(refused.message)
    assert expected.items() <= issue.items()


@pytest.mark.parametrize("dialect", [Pydantic(), Jsonschema(), Unchecked(sdk="python 1.1.2")])
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("prompts/get", {}),
        ("prompts/get", {"name": "x", "arguments": {"a": 5}}),
        ("resources/read", {"uri": "x"}),
        ("resources/list", {"cursor": 5}),
        ("logging/setLevel", {"level": "bad"}),
        ("completion/complete", {}),
        ("tasks/get", None),
        ("nope/x", None),
    ],
)
def test_python_says_one_thing_of_every_malformed_request(dialect: Dialect, method: str, params: Any) -> None:
    assert told(dialect.requests.unknown_method(method, params)) == PYTHON


@pytest.mark.parametrize("params", [None, {}, {"cursor": "x"}])
@pytest.mark.parametrize("dialect", [Zod4(), Pydantic(), McpGo(), GoSdk(), GenericJsonSchema()])
def test_a_list_takes_any_cursor_and_no_parameters(dialect: Dialect, params: Any) -> None:
    assert dialect.requests.malformed("prompts/list", params) is None


# As `new URL(text).href` in Node.
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" A://b/C ", "a://b/C"),
        ("a://b/中", "a://b/%E4%B8%AD"),
        ("a:b c", "a:b c"),
        ("a://b/c d", "a://b/c%20d"),
        ("http://x", "http://x/"),
        ("http://", None),
        ("b", None),
        ("", None),
        ("a://b/%", "a://b/%"),
    ],
)
def test_an_address_is_written_as_javascript_writes_it(text: str, expected: str | None) -> None:
    assert js_url(text) == expected


def _app(**rows: Any) -> App:
    return App(name="a", title="A", category="c", dialect=Zod4(sdk="2.0.0"), tools=(), **rows)


def test_a_template_stands_for_one_part_of_an_address() -> None:
    template = ResourceTemplate("a://{one}/x", lambda ep, one: one)
    features = ServerFeatures(resources=(), templates=({"uriTemplate": "a://{one}/x", "name": "n"},))
    addresses = ResourceAddresses(_app(templates=(template,)), features)

    assert addresses.find("a://b%20c/x").parts == {"one": "b%20c"}
    for other in ("a://b/c/x", "a:///x", "a://b/y", "a://b,c/x"):
        with pytest.raises(InvalidArgumentsError):
            addresses.find(other)


def test_a_description_without_a_row_is_a_mistake() -> None:
    features = ServerFeatures(prompts=({"name": "p"},))

    with pytest.raises(FarmError, match="differ in"):
        bind_requests(_app(), features)
    assert set(bind_requests(_app(prompts=(Prompt("p", lambda ep: "x"),)), features)) == {"prompts/get"}


def test_a_list_of_resources_varies_only_if_a_template_lists_some() -> None:
    fixed = {"uri": "a:b", "name": "n"}
    features = ServerFeatures(resources=(fixed,), templates=({"uriTemplate": "a:{b}", "name": "t"},))
    resource = Resource("a:b", lambda ep: "x")

    def methods(template: ResourceTemplate) -> set[str]:
        return set(bind_requests(_app(resources=(resource,), templates=(template,)), features))

    assert methods(ResourceTemplate("a:{b}", lambda ep, b: b)) == {"resources/read"}
    assert methods(ResourceTemplate("a:{b}", lambda ep, b: b, lists=lambda ep: [])) == {
        "resources/read",
        "resources/list",
    }


def test_a_file_without_the_keys_has_tools_alone() -> None:
    features = read_server_features({"tools": []}, "f")

    assert features.served_methods == frozenset()
    assert set(features.capabilities) == {"tools"}
    assert features.agreed_protocol("2024-11-05") == "2024-11-05"


def test_a_file_with_lists_declares_them() -> None:
    features = read_server_features({"tools": [], "prompts": [], "resourceTemplates": []}, "f")

    assert set(features.capabilities) == {"tools", "prompts", "resources"}
    assert features.resources == ()
    assert "resources/read" in features.served_methods


@pytest.mark.parametrize(
    "wire", [{"protocol": "1999-01-01"}, {"capabilities": []}, {"prompts": [{}]}, {"resources": [{"uri": 5}]}]
)
def test_a_mistake_in_the_file_is_told(wire: dict[str, Any]) -> None:
    with pytest.raises(FarmError, match="f:"):
        read_server_features(wire, "f")
