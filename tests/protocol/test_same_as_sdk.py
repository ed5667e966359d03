"""The fast path and the SDK are one server: thousands of requests, ordinary and odd, are answered alike by both."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import pytest

from farm.server._sdk import SdkSide
from farm.server.app import AppServer
from tests.protocol.wire import ENVELOPE, LEGACY, MODERN, Answer, Header, request, send

pytestmark = pytest.mark.slow

VERSIONS = (None, "2024-11-05", "2025-06-18", LEGACY, MODERN, "2031-01-01")
CALLS: tuple[tuple[str, Any], ...] = (
    ("note_add", {"text": 'Ünïcode 笔记 \u2028 "quoted"'}),
    ("note_echo", {"a": [1, 2.5, None, True, {"b": "c"}]}),
    ("note_add", {"text": 5}),
    ("note_refuse", {}),
    ("note_fail", {}),
    ("no_such_tool", {}),
)

Body = dict[str, Any]
Mutation = Callable[[Body, list[Header]], Any]


def _body(**changes: Any) -> Mutation:
    return lambda body, _: body.update(changes)


def _without(*keys: str) -> Mutation:
    return lambda body, _: [body.pop(key, None) for key in keys] and None


def _params(**changes: Any) -> Mutation:
    return lambda body, _: body["params"].update(changes)


def _meta(**changes: Any) -> Mutation:
    def change(body: Body, _: list[Header]) -> None:
        meta = body["params"].setdefault("_meta", {})
        meta.update({key.replace("__", "io.modelcontextprotocol/"): value for key, value in changes.items()})

    return change


def _meta_without(key: str) -> Mutation:
    return lambda body, _: body["params"].get("_meta", {}).pop(f"io.modelcontextprotocol/{key}", None) and None


def _header(name: str, *values: str) -> Mutation:
    def change(_: Body, fields: list[Header]) -> None:
        fields[:] = [field for field in fields if field[0] != name] + [(name, value) for value in values]

    return change


def _twice(name: str) -> Mutation:
    def change(_: Body, fields: list[Header]) -> None:
        fields += [field for field in fields if field[0] == name]

    return change


def _raw(data: bytes) -> Mutation:
    return lambda *_: data


def _encoded_name(body: Body, fields: list[Header]) -> None:
    encoded = base64.b64encode(body["params"]["name"].encode()).decode()
    _header("mcp-name", f"=?base64?{encoded}?=")(body, fields)


def _deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


CALL_BYTES = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"note_echo","arguments":{"x":%b}}}'

MUTATIONS: dict[str, Mutation] = {
    "nothing": lambda *_: None,
    # the id
    "id text": _body(id="a-1"),
    "id empty": _body(id=""),
    "id unicode": _body(id="ид"),
    "id negative": _body(id=-3),
    "id wide": _body(id=2**70),
    "id float": _body(id=1.5),
    "id whole float": _body(id=1.0),
    "id null": _body(id=None),
    "id true": _body(id=True),
    "id list": _body(id=[1]),
    "id missing": _without("id"),
    # the request
    "jsonrpc missing": _without("jsonrpc"),
    "jsonrpc 1.0": _body(jsonrpc="1.0"),
    "method missing": _without("method"),
    "method number": _body(method=4),
    "method unknown": _body(method="tools/dance"),
    "extra key": _body(extra=1),
    "a response too": _body(result={}),
    "batch": lambda body, _: [body],
    "empty batch": lambda *_: [],
    "a text": lambda *_: "hello",
    "bad json": _raw(b'{"jsonrpc": "2.0", "id": 1,'),
    "empty body": _raw(b""),
    "not utf-8": _raw(CALL_BYTES % b'"\xff\xfe"'),
    "byte order mark": _raw(b"\xef\xbb\xbf" + CALL_BYTES % b"1"),
    "white space": _raw(b" \n\t" + CALL_BYTES % b"1" + b"\r\n "),
    "not a number": _raw(CALL_BYTES % b"NaN"),
    "beyond floats": _raw(CALL_BYTES % b"1e999"),
    "wide integer": _raw(CALL_BYTES % b"123456789012345678901234567890"),
    "widest native integer": _raw(CALL_BYTES % b"18446744073709551615"),
    "lone surrogate": _raw(CALL_BYTES % b'"\\ud800"'),
    "control character": _raw(CALL_BYTES % b'"\\u0000\\u001f"'),
    "repeated key": _raw(CALL_BYTES % b'1,"x":2'),
    # the params
    "params missing": _without("params"),
    "params null": _body(params=None),
    "params list": _body(params=[1]),
    "name missing": lambda body, _: body["params"].pop("name") and None,
    "name number": _params(name=5),
    "name null": _params(name=None),
    "name empty": _params(name=""),
    "name unicode": _params(name="工具"),
    "arguments null": _params(arguments=None),
    "arguments list": _params(arguments=[1]),
    "arguments text": _params(arguments="x"),
    "arguments missing": lambda body, _: body["params"].pop("arguments") and None,
    "arguments deep": _params(arguments={"x": _deep(100)}),
    "arguments too deep": _params(arguments={"x": _deep(300)}),
    "unknown param": _params(zzz=1),
    "input responses": _params(inputResponses={}),
    "input responses bad": _params(inputResponses=5),
    "request state": _params(requestState="s"),
    "request state bad": _params(requestState=7),
    "task": _params(task={"ttl": 5}),
    # _meta
    "meta missing": lambda body, _: body["params"].pop("_meta", None) and None,
    "meta null": _params(_meta=None),
    "meta list": _params(_meta=[1]),
    "meta empty": _params(_meta={}),
    "meta extra": _meta(**{"com.example/trace": {"a": 1}}),
    "progress token": _meta(progressToken=4),
    "progress token text": _meta(progressToken="p"),
    "progress token float": _meta(progressToken=1.5),
    "progress token true": _meta(progressToken=True),
    "progress token object": _meta(progressToken={"a": 1}),
    "progress token null": _meta(progressToken=None),
    "capabilities missing": _meta_without("clientCapabilities"),
    "capabilities bad": _meta(__clientCapabilities=5),
    "capabilities full": _meta(__clientCapabilities={"sampling": {}, "elicitation": {"form": {}}}),
    "version missing": _meta_without("protocolVersion"),
    "version differs": _meta(__protocolVersion=LEGACY),
    "version number": _meta(__protocolVersion=5),
    "client info": _meta(__clientInfo={"name": "c", "version": "1"}),
    "client info bad": _meta(__clientInfo={"x": 1}),
    "client info null": _meta(__clientInfo=None),
    "log level": _meta(__logLevel="debug"),
    "log level bad": _meta(__logLevel="shout"),
    # headers of the protocol
    "method header missing": _header("mcp-method"),
    "method header differs": _header("mcp-method", "tools/list"),
    "method header case": _header("mcp-method", "Tools/Call"),
    "name header missing": _header("mcp-name"),
    "name header differs": _header("mcp-name", "other"),
    "name header encoded": _encoded_name,
    "name header badly encoded": _header("mcp-name", "=?base64?%%%?="),
    "name header beyond ascii": _header("mcp-name", "\xe9"),
    "version header twice": _twice("mcp-protocol-version"),
    "two versions": _header("mcp-protocol-version", LEGACY, MODERN),
    "method header twice": _twice("mcp-method"),
    "name header twice": _twice("mcp-name"),
    "param header": _header("mcp-param-text", "x"),
    "stale session": _header("mcp-session-id", "00000000"),
    "last event": _header("last-event-id", "7"),
    # headers of HTTP
    "accept missing": _header("accept"),
    "accept html": _header("accept", "text/html"),
    "accept anything": _header("accept", "*/*"),
    "accept application": _header("accept", "application/*"),
    "accept json": _header("accept", "application/json"),
    "accept json with quality": _header("accept", "Application/JSON;q=0.9"),
    "accept stream only": _header("accept", "text/event-stream"),
    "accept twice": _header("accept", "text/html", "application/json"),
    "accept not twice": _header("accept", "application/json", "text/html"),
    "content type missing": _header("content-type"),
    "content type text": _header("content-type", "text/plain"),
    "content type with charset": _header("content-type", "application/json; charset=utf-8"),
    "content type in capitals": _header("content-type", "Application/JSON"),
    "content type longer": _header("content-type", "application/json-rpc"),
    "content type list": _header("content-type", "application/json, text/plain"),
    "content type twice": _header("content-type", "application/json", "text/plain"),
    "host missing": _header("host"),
    "host evil": _header("host", "evil.example"),
    "host evil prefix": _header("host", "127.0.0.1.evil.example:80"),
    "host without port": _header("host", "localhost"),
    "host of version 6": _header("host", "[::1]:8000"),
    "host twice": _header("host", "127.0.0.1:8000", "evil.example"),
    "origin own": _header("origin", "http://localhost:6274"),
    "origin evil": _header("origin", "https://evil.example"),
    "origin null": _header("origin", "null"),
    "origin empty": _header("origin", ""),
}

LISTS: tuple[tuple[str, Any], ...] = (
    ("tools/list", None),
    ("tools/list", {}),
    ("tools/list", {"cursor": None}),
    ("tools/list", {"cursor": "1"}),
    ("tools/list", {"cursor": 5}),
    ("tools/list", {"unknown": 1}),
    ("ping", None),
    ("ping", {}),
    ("ping", {"_meta": {"a": 1}}),
    ("server/discover", None),
    ("initialize", None),
    ("initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}),
    ("initialize", {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}),
    ("initialize", {"protocolVersion": MODERN, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}),
    ("initialize", {"protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}),
    ("initialize", {"protocolVersion": 5, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}),
    ("initialize", {"protocolVersion": LEGACY, "capabilities": {}}),
    ("initialize", {"protocolVersion": LEGACY, "capabilities": [], "clientInfo": {"name": "c", "version": "1"}}),
    ("notifications/initialized", None),
    ("notifications/cancelled", {"requestId": 1}),
    ("resources/list", None),
    ("prompts/list", {}),
    ("prompts/get", {"name": "p"}),
    ("resources/read", {"uri": "x://y"}),
    ("logging/setLevel", {"level": "debug"}),
    ("completion/complete", {}),
    ("subscriptions/listen", {"notifications": {}}),
    ("tools/dance", None),
    ("", None),
)
LIST_MUTATIONS = (
    "nothing",
    "id text",
    "id unicode",
    "id null",
    "id missing",
    "extra key",
    "jsonrpc 1.0",
    "batch",
    "accept json",
    "accept html",
    "content type with charset",
    "host evil",
    "stale session",
    "method header missing",
    "name header differs",
    "version header twice",
)


def _same(answer: Answer) -> tuple[Any, ...]:
    """Return what a client can tell: status, headers but for the length, and the JSON or the text."""
    told = {key: value for key, value in answer.headers.items() if key != "content-length"}
    assert answer.headers.get("content-length", "") in ("", str(len(answer.body)))
    is_json = told.get("content-type", "").startswith("application/json") and answer.body
    return answer.status, told, answer.json if is_json else answer.body


# The first request of a form is taken with care, the second is not.
TURNS = ("first", "again")


async def compare_paths(fast: AppServer, slow: AppServer, case: str, body: Any, fields: list[Header]) -> None:
    """Send one call down both paths and require the same answer."""
    for turn in TURNS:
        got = _same(await send(fast, body, fields))
        expected = _same(await send(slow, body, fields))
        assert got == expected, f"{case}, {turn}"


async def compare_with(expected: Any, fast: AppServer, case: str, body: Any, fields: list[Header]) -> None:
    """Send one request that changes nothing down the fast path and require the answer of the other."""
    for turn in TURNS:
        assert _same(await send(fast, body, fields)) == expected, f"{case}, {turn}"


@pytest.mark.parametrize("version", VERSIONS)
async def test_every_kind_of_call_is_answered_as_the_sdk_does(
    toy: AppServer, reference: AppServer, version: str | None
) -> None:
    for name, arguments in CALLS:
        for mutation, change in MUTATIONS.items():
            body, fields = request("tools/call", {"name": name, "arguments": arguments}, version=version)
            changed = change(body, fields)

            await compare_paths(toy, reference, f"{name} {mutation}", body if changed is None else changed, fields)


@pytest.mark.parametrize("version", VERSIONS)
async def test_every_other_request_is_answered_as_the_sdk_does(
    toy: AppServer, reference: AppServer, version: str | None
) -> None:
    for method, params in LISTS:
        for mutation in LIST_MUTATIONS:
            body, fields = request(method, params, version=version)
            if method.startswith("notifications/") and mutation == "nothing":
                del body["id"]
            changed = MUTATIONS[mutation](body, fields)
            sent = body if changed is None else changed

            expected = _same(await send(reference, sent, fields))
            await compare_with(expected, toy, f"{method} {params} {mutation}", sent, fields)


@pytest.mark.parametrize("version", VERSIONS)
async def test_metadata_of_other_requests_is_judged_as_the_sdk_does(
    toy: AppServer, reference: AppServer, version: str | None
) -> None:
    mutations = [
        name for name in MUTATIONS if name.split()[0] in ("meta", "progress", "capabilities", "version", "log")
    ]
    for method, params in LISTS:
        expected: dict[str, Any] = {}
        # There and back, so that every answer is kept already when its neighbour in the list is asked for.
        for mutation in [*mutations, *reversed(mutations)]:
            body, fields = request(method, params or {}, version=version)
            if method.startswith("notifications/"):
                del body["id"]
            MUTATIONS[mutation](body, fields)

            if mutation not in expected:
                expected[mutation] = _same(await send(reference, body, fields))
            await compare_with(expected[mutation], toy, f"{method} {params} {mutation}", body, fields)


async def test_both_paths_log_the_same_calls(toy: AppServer, reference: AppServer) -> None:
    for mutation in ("nothing", "wide integer", "lone surrogate", "arguments null", "arguments missing"):
        body, fields = request("tools/call", {"name": "note_echo", "arguments": {"x": 1}})
        changed = MUTATIONS[mutation](body, fields)
        await compare_paths(toy, reference, mutation, body if changed is None else changed, fields)

    def told(server: AppServer) -> list[Any]:
        return [(entry["n"], entry["tool"], entry["arguments"], entry["result"]) for entry in server.store.calls("ep")]

    assert told(toy) == told(reference)


async def test_a_plain_request_of_either_era_takes_the_fast_path(
    toy: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies = [request("tools/call", {"name": "note_show", "arguments": {}}, version=v) for v in (LEGACY, MODERN)]
    bodies += [request("tools/list", version=v) for v in (LEGACY, MODERN)]
    for body, fields in bodies:
        await send(toy, body, fields)

    async def never(*_: Any) -> None:
        raise AssertionError("left to the SDK")

    monkeypatch.setattr(SdkSide, "__call__", never)
    for body, fields in bodies:
        assert (await send(toy, {**body, "id": "other"}, fields)).json["id"] == "other"


async def test_the_list_keeps_the_order_of_the_contract(toy: AppServer) -> None:
    for version in (LEGACY, MODERN):
        body, fields = request("tools/list", version=version)

        tools = (await send(toy, body, fields)).json["result"]["tools"]

        assert [list(tool) for tool in tools] == [list(tool) for tool in toy.loaded.tool_schemas]


def test_the_envelope_of_these_tests_is_the_one_clients_send() -> None:
    assert ENVELOPE["io.modelcontextprotocol/protocolVersion"] == MODERN
