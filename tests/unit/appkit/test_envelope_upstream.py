"""One ``Envelope`` expresses every real server: each recorded result is made again, to the order of its keys.

What a handler would have returned or raised is read out of a recorded line; the envelope that the app declares, or will
declare, must make the recorded result of it. What a server's SDK answers by itself goes the way of a dialect.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from farm.appkit.envelope import (
    Envelope,
    GoJson,
    Json,
    PythonJson,
    Worded,
    by_output_schema,
    compact_json,
    object_or_value,
    protocol_error,
    text_result,
)
from farm.appkit.handler_api import Answer, ProtocolError, VendorError

UPSTREAM = Path(__file__).parents[4] / "shared" / "upstream"
FILES = ("validation*.jsonl", "envelope_samples*.jsonl", "traces_*.jsonl")
# A server that dies or hangs answers nothing; ours will answer a ProtocolError there.
NO_ANSWERS = {"_no_response_within_s", "_process_exit", "process_exited"}
POLLINATIONS = {
    "generateImageUrl": "generating image URL",
    "generateImage": "generating image",
    "editImage": "editing image",
    "generateImageFromReference": "generating image from reference",
    "respondText": "generating text response",
    "respondAudio": "generating audio",
    "listImageModels": "listing image models",
    "listTextModels": "listing text models",
    "listAudioVoices": "listing audio voices",
}
WECOM = {
    "send_text": "send text message",
    "send_markdown": "send markdown message",
    "upload_file": "upload file",
}

Cause = Callable[[str, Any, Mapping[str, Any]], VendorError | None]
"""Tool, the recorded body and the recorded result → what the handler raised; None: it succeeded."""


def never(tool: str, body: Any, result: Mapping[str, Any]) -> VendorError | None:
    """Take everything as a success: the server has no refusals of its own on record."""
    return None


def when_error(tool: str, body: Any, result: Mapping[str, Any]) -> VendorError | None:
    """Take isError results as refusals whose message is the text."""
    return VendorError(str(body)) if result.get("isError") else None


def behind(words: str, names: Mapping[str, str] | None = None) -> Cause:
    """Take texts that begin with these words as refusals."""

    def cause(tool: str, body: Any, result: Mapping[str, Any]) -> VendorError | None:
        head = words.format(tool=(names or {}).get(tool, tool))
        return VendorError(body[len(head) :]) if isinstance(body, str) and body.startswith(head) else None

    return cause


def sentence(beginning: str) -> Cause:
    """Take texts that begin so as refusals with that whole text."""
    return lambda tool, body, result: VendorError(body) if str(body).startswith(beginning) else None


def in_body(*path: str) -> Cause:
    """Take bodies that hold nothing but an error as refusals."""

    def cause(tool: str, body: Any, result: Mapping[str, Any]) -> VendorError | None:
        for key in path:
            if not isinstance(body, dict) or list(body) != [key]:
                return None
            body = body[key]
        return VendorError(body)

    return cause


def with_body(tool: str, body: Any, result: Mapping[str, Any]) -> VendorError | None:
    """Take bodies that name a code as refusals, as both Slack and Lark do, each in its own way."""
    return (
        VendorError("", body=body) if isinstance(body, dict) and (body.get("ok") is False or "code" in body) else None
    )


def deepseek(tool: str, body: Any, result: Mapping[str, Any]) -> VendorError | None:
    """Take isError results as refusals with their details."""
    return VendorError(body, shown=result["structuredContent"]) if result.get("isError") else None


@dataclass(frozen=True)
class Server:
    """How a real server answers, and how to read its records.

    Attributes:
        envelope: what the app declares.
        cause: what its handler raised.
        sdk: what its SDK words by itself, as a regular expression.
        has_json: texts that look like JSON are printed bodies.
        verbatim: tools whose texts are a file's, whatever they look like.
    """

    envelope: Envelope
    cause: Cause = never
    sdk: str = "(?!)"
    has_json: bool = False
    verbatim: tuple[str, ...] = ()


FASTMCP = r"Unknown tool: |Error executing tool \w+: \d+ validation error"
PYTHON = r"Unknown tool: |Input validation error: "
ZOD = r"(MCP error -32602: )?(Input validation error: |Tool \S+ not found)"
SERVERS: dict[str, Server] = {
    "amap": Server(
        Envelope(json=Json(indented=True), is_error=False, refusal=lambda _, error: Answer({"error": error.message})),
        in_body("error"),
        FASTMCP,
        has_json=True,
    ),
    "baidu_maps": Server(
        Envelope(json=PythonJson(indent=2), is_error=False, structured=object_or_value), when_error, PYTHON
    ),
    "context7": Server(Envelope(refusal=Worded(is_error=None)), never, ZOD),
    "deep_research": Server(Envelope(), when_error),
    "deepseek": Server(
        Envelope(
            json=Json(indented=True),
            refusal=lambda _, error: Answer(error.message, structured=error.details["shown"], is_error=True),
        ),
        deepseek,
        ZOD,
        has_json=True,
    ),
    "discord": Server(Envelope(is_error=False), when_error, PYTHON),
    "email163": Server(Envelope(refusal=Worded("错误: {message}", is_error=None)), behind("错误: ")),
    "gmail": Server(Envelope(refusal=Worded("Error: {message}", is_error=None)), behind("Error: ")),
    "instagram": Server(Envelope(refusal=lambda _, error: Answer(compact_json(error.details)))),
    "lark": Server(
        Envelope(refusal=lambda _, error: Answer(compact_json(error.details["body"]), is_error=True)),
        with_body,
        ZOD,
        has_json=True,
    ),
    "medical": Server(Envelope(refusal=Worded("Error {tool}: {message}", is_error=None))),
    "monitor": Server(Envelope(json=GoJson()), when_error),
    "notion": Server(
        Envelope(
            json=Json(indented=True),
            structured=object_or_value,
            refusal=lambda _, error: Answer({"error": {"message": error.message}}, is_error=True),
        ),
        in_body("error", "message"),
        ZOD,
        has_json=True,
    ),
    "notion v1": Server(
        Envelope(
            json=Json(indented=True),
            refusal=lambda _, error: Answer(compact_json({"error": error.message})),
        ),
        in_body("error"),
        has_json=True,
    ),
    "obsidian": Server(
        Envelope(
            json=PythonJson(indent=2),
            is_error=False,
            refusal=Worded("Caught Exception. Error: {message}"),
        ),
        behind("Caught Exception. Error: "),
        PYTHON,
        has_json=True,
        verbatim=("obsidian_get_periodic_note",),
    ),
    "pollinations": Server(
        Envelope(json=Json(indented=True), refusal=Worded("Error {tool}: {message}", names=POLLINATIONS)),
        behind("Error {tool}: ", POLLINATIONS),
        has_json=True,
    ),
    "reddit": Server(Envelope(refusal=lambda _, error: Answer(compact_json(error.details)))),
    "rednote": Server(Envelope(json=GoJson()), when_error, has_json=True),
    "slack": Server(Envelope(refusal=lambda _, error: Answer(error.details["body"])), with_body, has_json=True),
    "telegram": Server(
        Envelope(is_error=False, structured=by_output_schema, refusal=Worded(is_error=None)),
        sentence("Invalid "),
        FASTMCP,
    ),
    "tushare": Server(
        Envelope(is_error=False, structured=by_output_schema, refusal=Worded(is_error=None)), never, FASTMCP
    ),
    "wecom": Server(
        Envelope(refusal=Worded("Failed to {tool}: {message}", names=WECOM)), behind("Failed to {tool}: ", WECOM)
    ),
}
APPS = sorted({name.split()[0] for name in SERVERS})


def require(app: str) -> None:
    """Skip where the recorded servers are not at hand."""
    if not (UPSTREAM / app).is_dir():
        pytest.skip("the recorded servers are not on this machine")


def lines(app: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the recorded lines of an app, each with where it stands."""
    require(app)
    for pattern in FILES:
        for path in sorted((UPSTREAM / app).glob(pattern)):
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                yield f"{path.name}:{number}", json.loads(line)


def output_schemas(app: str) -> dict[str, Any]:
    """Return tool → the output schema it lists."""
    require(app)
    listed = json.loads((UPSTREAM / app / "tools.json").read_text("utf-8"))["tools"]
    return {tool["name"]: tool.get("outputSchema") for tool in listed}


def made_again(server: Server, line: Mapping[str, Any], output_schema: Any) -> tuple[str, bytes]:
    """Return what kind of outcome a line is, and the result or error that our envelope makes of it."""
    result, tool = line["result"], line["tool"]
    error = result.get("error") or result.get("jsonrpc_error")
    if error is not None:

        class Raised(ProtocolError):
            code = error["code"]

        answer, is_protocol_error = server.envelope.compile(output_schema).refusal(tool, Raised(error["message"]))
        assert is_protocol_error
        return "protocol error", answer
    (item,) = result["content"]
    assert list(item) == ["type", "text"]
    text: str = item["text"]
    if result.get("isError") and re.match(server.sdk, text):
        return "argument error", text_result(text, is_error=True)
    is_printed = server.has_json and text[:1] in ("{", "[") and tool not in server.verbatim
    body = json.loads(text) if is_printed else text
    renderer = server.envelope.compile(output_schema)
    raised = server.cause(tool, body, result)
    if raised is not None:
        return "refusal", renderer.refusal(tool, raised)[0]
    if "structuredContent" in result and server.envelope.structured is None:
        return "success", renderer.success(Answer(body, structured=result["structuredContent"]))
    return "success", renderer.success(body)


def check(app: str) -> Counter[str]:
    """Make every recorded line of an app again; return how many there were of each kind."""
    schemas, counts = output_schemas(app), Counter[str]()
    for where, line in lines(app):
        result = line["result"]
        if not NO_ANSWERS.isdisjoint(result):
            counts["no answer"] += 1
            continue
        if line.get("derived"):
            # Only what stands in the text is known, and that it is JSON.
            refused = SERVERS[app].envelope.refusal(line["tool"], VendorError("", **result))
            assert json.dumps(json.loads(str(refused.body))) == json.dumps(result), where
            counts["derived refusal"] += 1
            continue
        is_old = str(line.get("server", "")).startswith("v1") and f"{app} v1" in SERVERS
        server = SERVERS[f"{app} v1" if is_old else app]

        kind, ours = made_again(server, line, schemas.get(line["tool"]))

        theirs = result.get("error") or result.get("jsonrpc_error") or result
        assert json.dumps(json.loads(ours)) == json.dumps(theirs), f"{where} {kind}"
        counts[kind] += 1
    return counts


@pytest.mark.parametrize("app", APPS)
def test_every_recorded_result_can_be_made_by_the_envelope_of_its_app(app: str) -> None:
    counts = check(app)

    assert counts.total() - counts["no answer"] > 0, f"{app} has no recorded answer"


@pytest.mark.parametrize("app", APPS)
def test_what_comes_out_is_one_line_as_the_log_needs_it(app: str) -> None:
    schemas = output_schemas(app)
    for where, line in lines(app):
        if NO_ANSWERS.isdisjoint(line["result"]) and not line.get("derived"):
            assert b"\n" not in made_again(SERVERS[app], line, schemas.get(line["tool"]))[1], where


def test_every_real_server_has_an_envelope() -> None:
    if not UPSTREAM.is_dir():
        pytest.skip("the recorded servers are not on this machine")

    assert sorted(path.parent.name for path in UPSTREAM.glob("*/BEHAVIOUR.md")) == APPS


def test_json_rpc_errors_have_their_keys_in_order() -> None:
    assert protocol_error(-32603, "no", {"a": 1}) == b'{"code":-32603,"message":"no","data":{"a":1}}'
