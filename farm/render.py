"""How bodies become MCP results. An app names one function for successes and one for refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import orjson

from farm.kernel import Content, Image, Result, VendorError
from farm.memo import embed, quoted, unprinted

# Both return the bytes of a CallToolResult, the value of "result" in the JSON-RPC answer.
Render = Callable[[Result], bytes]
RenderError = Callable[[VendorError], bytes]

_TEXT = b'{"content":[{"type":"text","text":"%b"}]}'
_GO_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
# The same as they stand in UTF-8, inside a JSON string.
_GO_ESCAPES_QUOTED = [(each.encode(), b"\\" + escape.encode()) for each, escape in _GO_ESCAPES.items()]


def text_result(text: str, *, is_error: bool = False) -> bytes:
    """Return a result with one text; ``isError`` is written only when it is true, as the JavaScript servers do."""
    quoted = _string(text)
    if is_error:
        return b'{"content":[{"type":"text","text":' + quoted + b'}],"isError":true}'
    return b'{"content":[{"type":"text","text":' + quoted + b"}]}"


def _string(text: str) -> bytes:
    try:
        return orjson.dumps(text)
    except orjson.JSONEncodeError:
        # A lone surrogate came in with the arguments; JSON can carry it only escaped.
        return json.dumps(text).encode()


def compact_json(body: Any) -> str:
    """Return JSON without spaces, characters as they are: what ``JSON.stringify`` prints."""
    try:
        return orjson.dumps(body, embed).decode()
    except orjson.JSONEncodeError:
        return json.dumps(body, separators=(",", ":"), default=unprinted)


def _compact_escapes(printed: bytes) -> bytes:
    """Escape JSON for the inside of a JSON string; much quicker than decoding and encoding a text once more.

    Printed JSON holds no character that needs an escape but quotes, backslashes and, indented, line ends.
    """
    return printed.replace(b"\\", b"\\\\").replace(b'"', b'\\"')


def _go_escapes(printed: bytes) -> bytes:
    text = _compact_escapes(printed).replace(b"\n", b"\\n")
    for character, escape in _GO_ESCAPES_QUOTED:
        text = text.replace(character, escape)
    return text


def text_of(body: Result) -> str:
    """Return the text that ``render_compact`` puts into a result, for bodies that are one text."""
    return body if isinstance(body, str) else compact_json(body)


def go_json(body: Any) -> str:
    """Return JSON indented by two spaces, ``<``, ``>`` and ``&`` escaped, as Go's ``json.MarshalIndent`` prints it."""
    try:
        text = orjson.dumps(body, embed, orjson.OPT_INDENT_2).decode()
    except orjson.JSONEncodeError:
        text = json.dumps(body, indent=2, ensure_ascii=False, default=unprinted)
    for character, escape in _GO_ESCAPES.items():
        text = text.replace(character, escape)
    return text


def _item(item: str | Image) -> dict[str, Any]:
    if isinstance(item, Image):
        return {"type": "image", "data": item.data, "mimeType": item.mime_type}
    return {"type": "text", "text": item}


def content_result(content: Content) -> bytes:
    """Return a result with several content items."""
    return orjson.dumps({"content": [_item(item) for item in content.items]})


def _ready(body: Result) -> bytes | None:
    """Return the result of a body that is no JSON still to be printed, or None."""
    match body:
        case str():
            return text_result(body)
        case Content():
            return content_result(body)
        case _:
            return None


def render_compact(body: Result) -> bytes:
    """Render a body as one text of compact JSON; a string body is the text itself."""
    ready = _ready(body)
    if ready is not None:
        return ready
    try:
        return _TEXT % quoted(body, _compact_escapes)
    except orjson.JSONEncodeError:
        return text_result(compact_json(body))


def render_go(body: Result) -> bytes:
    """Render a body as one text of Go's indented JSON; a string body is the text itself."""
    ready = _ready(body)
    if ready is not None:
        return ready
    try:
        return _TEXT % quoted(body, _go_escapes, orjson.OPT_INDENT_2)
    except orjson.JSONEncodeError:
        return text_result(go_json(body))


def render_error_text(error: VendorError) -> bytes:
    """Render a refusal as an ``isError`` result whose text is the message."""
    return text_result(error.message, is_error=True)
