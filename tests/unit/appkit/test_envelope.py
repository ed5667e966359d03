"""How answers become results: written in one pass, and the same to the byte as JSON printed twice."""

from __future__ import annotations

import json
import math
from typing import Any

import orjson
import pytest

from farm.appkit.envelope import (
    Beside,
    Envelope,
    GoJson,
    JavaScriptJson,
    Json,
    Printer,
    PythonJson,
    Worded,
    body_of,
    by_output_schema,
    object_or_value,
)
from farm.appkit.handler_api import Answer, Content, Image, ProtocolError, VendorError
from farm.appkit.row_cache import memoised_row

BODIES: tuple[dict[str, Any], ...] = (
    {},
    {"plain": [1, 2.5, True, None, "x"]},
    {"quotes": 'she said "no"', "path": "C:\\temp", "both": '\\"'},
    {"lines": "a\nb\r\n\tc", "control": "\x00\x01\x1f\x7f"},
    {"chinese": "第二批周四下线", "emoji": "🙂", "separators": "\u2028\u2029"},
    {"markup": "<b>&amp;</b>", 'key "with" quotes': {"nested": ["\\n"]}},
    {"half a pair": "\ud83d", "long": 2**70},
)
PRINTERS: tuple[Printer, ...] = (
    Json(),
    Json(indented=True),
    GoJson(),
    PythonJson(),
    PythonJson(indent=2),
    PythonJson(ensure_ascii=False, separators=(",", ":")),
)
WRAPPED = {"properties": {"result": {"type": "string"}}, "required": ["result"], "title": "searchOutput"}


class Gone(VendorError):
    """It is {gone}."""

    code = "gone"


class Hung(ProtocolError):
    """Request timed out"""

    code = -32001


def rendered(envelope: Envelope, body: Any, output_schema: dict[str, Any] | None = None) -> str:
    return envelope.compile(output_schema).success(body).decode()


def refused(envelope: Envelope, error: VendorError) -> str:
    result, is_protocol_error = envelope.compile().refusal("search", error)

    assert not is_protocol_error
    return result.decode()


@pytest.mark.parametrize("printer", PRINTERS)
@pytest.mark.parametrize("body", BODIES)
def test_a_body_is_rendered_as_its_text_in_a_json_string(printer: Printer, body: dict[str, Any]) -> None:
    result = orjson.loads(rendered(Envelope(json=printer), body))

    # Half a pair that a printer leaves as it is cannot be sent.
    assert result == {"content": [{"type": "text", "text": printer.text(body).replace("\ud83d", "\ufffd")}]}
    assert json.loads(result["content"][0]["text"].replace("\ufffd", "\ud83d")) == body


def test_texts_are_printed_as_each_language_prints_them() -> None:
    body = {"a": ["é<", 1], "b": {}}

    assert Json().text(body) == '{"a":["é<",1],"b":{}}'
    assert Json(indented=True).text(body) == '{\n  "a": [\n    "é<",\n    1\n  ],\n  "b": {}\n}'
    assert GoJson().text(body) == '{\n  "a": [\n    "é\\u003c",\n    1\n  ],\n  "b": {}\n}'
    assert PythonJson().text(body) == '{"a": ["\\u00e9<", 1], "b": {}}'
    assert PythonJson(ensure_ascii=False).text(body) == '{"a": ["é<", 1], "b": {}}'
    assert PythonJson(indent=2).text(body) == '{\n  "a": [\n    "\\u00e9<",\n    1\n  ],\n  "b": {}\n}'


@pytest.mark.parametrize("body", [{"b": 1, "a": {"d": [{"f": 1, "e": 2}], "c": 3}}, {"b": 2**70, "a": "\ud83d"}])
@pytest.mark.parametrize("indented", [False, True])
def test_keys_are_in_order_where_the_service_prints_maps(body: dict[str, Any], indented: bool) -> None:
    printer = Json(indented=indented, sort_keys=True)
    row = memoised_row(depth=2 if indented else None, sort_keys=True)(lambda row: row)

    text = printer.text({"z": [body], "y": [row(body)]})

    assert list(json.loads(text)) == ["y", "z"]
    assert text == json.dumps(
        {"z": [body], "y": [body]},
        sort_keys=True,
        ensure_ascii=not indented and "\ud83d" in body.values(),
        indent=2 if indented else None,
        separators=(",", ": ") if indented else (",", ":"),
    ).replace("\ud83d", "\\ud83d")


@pytest.mark.parametrize("printer", [Json(), Json(indented=True), GoJson(), PythonJson(), PythonJson(indent=2)])
@pytest.mark.parametrize("body", BODIES)
def test_a_memoised_row_in_a_body_is_printed_as_what_it_stands_for(printer: Printer, body: dict[str, Any]) -> None:
    row = memoised_row(depth=2 if printer in (Json(indented=True), GoJson()) else None)(lambda row: row)

    assert printer.quoted({"items": [row(body)]}) == printer.quoted({"items": [body]})
    assert printer.text({"items": [row(body)]}) == printer.text({"items": [body]})


def test_a_row_printed_for_its_depth_takes_one_line_in_structured_content() -> None:
    row = memoised_row(depth=2)(lambda row: row)

    result = rendered(Envelope(json=Json(indented=True), structured=object_or_value), {"items": [row({"a": 1})]})

    # A line break here would break the call's line in the log.
    assert result.endswith('"structuredContent":{"items":[{"a":1}]}}')


@pytest.mark.parametrize(("is_error", "end"), [(None, "]}"), (False, '],"isError":false}')])
def test_a_success_says_of_is_error_what_its_server_says(is_error: bool | None, end: str) -> None:
    envelope = Envelope(is_error=is_error)

    assert rendered(envelope, "done") == '{"content":[{"type":"text","text":"done"}' + end
    assert rendered(envelope, {"a": 1}) == '{"content":[{"type":"text","text":"{\\"a\\":1}"}' + end
    assert rendered(envelope, [1]) == '{"content":[{"type":"text","text":"[1]"}' + end


def test_several_contents_keep_their_order() -> None:
    link = {"type": "resource_link", "uri": "file:///a", "name": "a"}

    result = json.loads(rendered(Envelope(), Content((Image("aGk=", "image/png"), "seen", link))))

    assert result["content"] == [
        {"type": "image", "data": "aGk=", "mimeType": "image/png"},
        {"type": "text", "text": "seen"},
        link,
    ]


def test_structured_content_stands_between_content_and_is_error() -> None:
    envelope = Envelope(is_error=False, structured=by_output_schema)

    result = rendered(envelope, "完", WRAPPED)

    text = '{"content":[{"type":"text","text":"完"}]'
    assert result == text + ',"structuredContent":{"result":"完"},"isError":false}'


def test_without_an_output_schema_nothing_stands_beside_the_text() -> None:
    assert "structuredContent" not in rendered(Envelope(structured=by_output_schema), "done")


def test_an_object_with_an_output_schema_of_its_own_is_structured_content_itself() -> None:
    schema = {"properties": {"result": {"type": "string"}}, "title": "Found"}

    result = json.loads(rendered(Envelope(structured=by_output_schema), {"result": "x"}, schema))

    assert result["structuredContent"] == {"result": "x"}


@pytest.mark.parametrize(("body", "structured"), [({"a": 1}, {"a": 1}), ([1], {"value": [1]}), ("text", None)])
def test_objects_stand_beside_their_text_and_lists_in_a_value(body: Any, structured: Any) -> None:
    result = json.loads(rendered(Envelope(structured=object_or_value), body))

    assert result.get("structuredContent") == structured


def test_an_answer_says_what_stands_beside_its_text() -> None:
    result = rendered(Envelope(), Answer("Hello", structured={"b": None, "a": 1}))

    assert result == '{"content":[{"type":"text","text":"Hello"}],"structuredContent":{"b":null,"a":1}}'


def test_a_server_may_put_something_around_every_body() -> None:
    envelope = Envelope(wrap=lambda body: {"ok": True, "data": body})

    assert body_of(json.loads(rendered(envelope, [1]))) == {"ok": True, "data": [1]}
    assert body_of(json.loads(rendered(envelope, Answer([1])))) == [1]


def test_a_refusal_is_an_error_with_the_message_unless_declared_otherwise() -> None:
    assert refused(Envelope(), Gone()) == '{"content":[{"type":"text","text":"It is {gone}."}],"isError":true}'


def test_a_refusal_may_look_like_a_success() -> None:
    envelope = Envelope(is_error=False, refusal=Worded("Error: {message}", is_error=None))

    assert refused(envelope, Gone()) == '{"content":[{"type":"text","text":"Error: It is {gone}."}],"isError":false}'


def test_a_refusal_is_told_the_tool() -> None:
    named = Envelope(refusal=Worded("Error executing tool {tool}: {code}"))
    translated = Envelope(refusal=Worded("Error {tool}: {message}", names={"search": "searching"}))

    assert '"Error executing tool search: gone"' in refused(named, Gone())
    assert '"Error searching: It is {gone}."' in refused(translated, Gone())


def test_a_refusal_may_have_a_body_that_is_printed_and_structured_like_any_other() -> None:
    envelope = Envelope(
        json=Json(indented=True),
        structured=object_or_value,
        refusal=lambda _, error: Answer({"error": error.code}, is_error=True),
    )

    text = '{"content":[{"type":"text","text":"{\\n  \\"error\\": \\"gone\\"\\n}"}]'
    assert refused(envelope, Gone()) == text + ',"structuredContent":{"error":"gone"},"isError":true}'


def test_a_protocol_error_is_no_result_whatever_the_envelope() -> None:
    for error, expected in (
        (Hung(), '{"code":-32001,"message":"Request timed out"}'),
        (ProtocolError("broken", data={"at": 1}), '{"code":-32603,"message":"broken","data":{"at":1}}'),
    ):
        assert Envelope(is_error=False).compile().refusal("search", error) == (expected.encode(), True)


def test_a_handler_that_returns_a_refusal_instead_of_raising_it_is_a_bug() -> None:
    with pytest.raises(AssertionError, match="raised, not returned"):
        rendered(Envelope(), Answer("no", is_error=True))


def test_a_lone_surrogate_is_replaced_wherever_it_stands() -> None:
    broken, shown = "\ud83d", "\ufffd"
    envelope = Envelope(structured=object_or_value)

    assert rendered(envelope, broken) == f'{{"content":[{{"type":"text","text":"{shown}"}}]}}'
    assert orjson.loads(rendered(envelope, {"a": broken}))["structuredContent"] == {"a": shown}
    assert orjson.loads(rendered(envelope, Content((broken,))))["content"][0]["text"] == shown
    refused = f'{{"code":-32001,"message":"{shown}"}}'.encode()
    assert envelope.compile().refusal("search", Hung(broken)) == (refused, True)


def test_a_number_that_no_double_holds_is_null_beside_a_text() -> None:
    shown = rendered(Envelope(structured=object_or_value), {"a": [math.inf, math.nan, 10**400, 2**70, "NaN", '\\"NaN']})

    assert orjson.loads(shown)["structuredContent"] == {"a": [None, None, None, 2**70, "NaN", '\\"NaN']}


def test_a_results_body_is_its_json_its_structured_content_its_text_or_its_error() -> None:
    def said(text: str, **more: Any) -> Any:
        return body_of({"content": [{"type": "text", "text": text}], **more})

    assert said('{"ok":true}') == {"ok": True}
    assert said("done") == "done"
    assert said("1 found", structuredContent={"count": 1}) == {"count": 1}
    # What Python's FastMCP makes of every text says nothing more.
    assert said("done", structuredContent={"result": "done"}) == "done"
    assert body_of({"error": {"code": -1, "message": "no"}}) == {"code": -1, "message": "no"}


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (12345678901234567890, "12345678901234567000"),
        (2**53 + 1, "9007199254740992"),
        (-1234567890123456789.0, "-1234567890123456800"),
        (1e21, "1e+21"),
        (1e-7, "1e-7"),
        (0.000001, "0.000001"),
        (2.5e300, "2.5e+300"),
        (1.5, "1.5"),
        (7, "7"),
    ],
)
def test_numbers_are_printed_as_javascript_has_them(number: float, text: str) -> None:
    """As Node 20 prints them with JSON.stringify."""
    body = {"number": number, "text": '1e21 \\" 12345678901234567890'}
    printed = f'{{"number":{text},"text":"1e21 \\\\\\" 12345678901234567890"}}'

    assert JavaScriptJson().text(body) == printed
    assert json.loads(rendered(Envelope(json=JavaScriptJson()), body))["content"][0]["text"] == printed


@pytest.mark.parametrize("structured", [None, by_output_schema])
@pytest.mark.parametrize("body", ["plain", {"a": 1}])
def test_every_text_bears_the_annotations_of_its_server(body: Any, structured: Any) -> None:
    annotated = Envelope(is_error=False, structured=structured, annotations={"audience": ["user"]})

    renderer = annotated.compile({"properties": {"result": {"type": "string"}}, "title": "xOutput"})

    success, (refusal, _) = renderer.success(body), renderer.refusal("x", VendorError("no"))
    for result in (success, refusal):
        assert json.loads(result)["content"][0]["annotations"] == {"audience": ["user"]}
    assert b"annotations" not in Envelope().compile().success(body)


def test_one_tools_structured_content_may_hold_its_body_in_a_member() -> None:
    envelope = Envelope(structured=lambda _: Beside("message", {"success": True}))

    answer = json.loads(envelope.compile().success("Done"))

    assert answer["structuredContent"] == {"success": True, "message": "Done"}
