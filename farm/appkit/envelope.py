"""Envelopes: how each real server turns a handler's body or refusal into the result of a call.

An app declares one ``Envelope``; the pipeline applies it to every tool. The known families::

    Envelope()                                         # JavaScript: one compact text, isError only where it is true
    Envelope(json=Json(indented=True))                 # the same with JSON.stringify(body, null, 2)
    Envelope(json=Json(sort_keys=True))                # the same for a service that sorts keys
    Envelope(json=JavaScriptJson(indented=True))       # for a server that echoes a client's numbers
    Envelope(json=GoJson())                            # Go: json.MarshalIndent
    Envelope(json=PythonJson(indent=2), is_error=False)             # Python's low-level server: always sends isError
    Envelope(is_error=False, structured=by_output_schema)           # FastMCP from SDK 1.10 on: {"result": …} for a text
    Envelope(json=Json(indented=True), structured=object_or_value)  # the object itself beside its text
    Envelope(refusal=Worded("Error: {message}", is_error=None))     # a refusal that looks like a success
    Envelope(refusal=Worded("Error executing tool {tool}: {message}"))
    Envelope(is_error=False, wrap=composio_success)                 # Composio's hosted toolkits

A handler overrides parts of the envelope by returning an ``Answer``; it raises ``ProtocolError`` for a JSON-RPC error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import orjson

from farm._util.json_io import LONE_SURROGATE, dumps_lossy, loads
from farm.appkit.formats.javascript import js_number_text
from farm.appkit.handler_api import Answer, Content, Image, Item, ProtocolError, Result, VendorError
from farm.appkit.row_cache import embed, quoted, unprinted

_GO_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
# The same in UTF-8, inside a JSON string.
_GO_ESCAPES_QUOTED = [(each.encode(), b"\\" + escape.encode()) for each, escape in _GO_ESCAPES.items()]
# Strings come first, so that text in a string that looks like a number does not match.
_LARGE_OR_SMALL = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]{16,}(?:\.[0-9]+)?|-?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]+')
_IS_ERROR = {None: b"}", False: b',"isError":false}', True: b',"isError":true}'}


# -- how a body becomes text ------------------------------------------------------------------------------------------


class Printer(Protocol):
    """Serializes bodies that are not texts. They may contain memoised rows, printed for their depth in the body."""

    def text(self, body: Any) -> str:
        """Return a body as text."""
        ...

    def quoted(self, body: Any) -> bytes:
        """Return that text in UTF-8, as it stands inside a JSON string."""
        ...


def _compact_escapes(printed: bytes) -> bytes:
    """Escape printed JSON for use inside a JSON string; much faster than decoding and encoding it again.

    The only characters of printed JSON that need an escape are quotes, backslashes and, if indented, line ends.
    """
    return printed.replace(b"\\", b"\\\\").replace(b'"', b'\\"')


def _indented_escapes(printed: bytes) -> bytes:
    return _compact_escapes(printed).replace(b"\n", b"\\n")


def _go_escapes(printed: bytes) -> bytes:
    text = _indented_escapes(printed)
    for character, escape in _GO_ESCAPES_QUOTED:
        text = text.replace(character, escape)
    return text


@dataclass(frozen=True, slots=True)
class Json:
    """JSON as JavaScript's ``JSON.stringify`` and pydantic print it, with non-ASCII characters unescaped.

    Attributes:
        indented: indent by two spaces, as ``JSON.stringify(body, null, 2)``; otherwise print no spaces.
        sort_keys: sort the keys of every object; memoised rows need their own ``sort_keys``.
    """

    indented: bool = False
    sort_keys: bool = False

    def text(self, body: Any) -> str:
        """Return a body as text."""
        try:
            return orjson.dumps(body, embed, self._option).decode()
        except orjson.JSONEncodeError:
            # A lone surrogate or an integer beyond 64 bits.
            if self.indented:
                text = json.dumps(body, indent=2, ensure_ascii=False, default=unprinted, sort_keys=self.sort_keys)
                return LONE_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
            return json.dumps(body, separators=(",", ":"), default=unprinted, sort_keys=self.sort_keys)

    def quoted(self, body: Any) -> bytes:
        """Return that text in UTF-8, as it stands inside a JSON string."""
        try:
            return quoted(body, _indented_escapes if self.indented else _compact_escapes, self._option)
        except orjson.JSONEncodeError:
            return _dump(self.text(body))[1:-1]

    @property
    def _option(self) -> int:
        return (orjson.OPT_INDENT_2 if self.indented else 0) | (orjson.OPT_SORT_KEYS if self.sort_keys else 0)


@dataclass(frozen=True, slots=True)
class JavaScriptJson(Json):
    """``Json`` with numbers converted to JavaScript's doubles: for servers that echo a client's values."""

    def text(self, body: Any) -> str:
        """Return a body as text."""
        return _LARGE_OR_SMALL.sub(_js_number, Json.text(self, body))

    def quoted(self, body: Any) -> bytes:
        """Return that text in UTF-8, as it stands inside a JSON string."""
        return _dump(self.text(body))[1:-1]


def _js_number(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else js_number_text(float(found[0]))


_COMPACT = Json()
_INDENTED = Json(indented=True)


@dataclass(frozen=True, slots=True)
class GoJson:
    """JSON as Go's ``json.MarshalIndent`` prints it: indented by two spaces, ``<``, ``>`` and ``&`` escaped."""

    def text(self, body: Any) -> str:
        """Return a body as text."""
        text = _INDENTED.text(body)
        for character, escape in _GO_ESCAPES.items():
            text = text.replace(character, escape)
        return text

    def quoted(self, body: Any) -> bytes:
        """Return that text in UTF-8, as it stands inside a JSON string."""
        try:
            return quoted(body, _go_escapes, orjson.OPT_INDENT_2)
        except orjson.JSONEncodeError:
            return _dump(self.text(body))[1:-1]


@dataclass(frozen=True, slots=True)
class PythonJson:
    """JSON as Python's ``json.dumps`` prints it, with its own defaults."""

    indent: int | None = None
    ensure_ascii: bool = True
    separators: tuple[str, str] | None = None

    def text(self, body: Any) -> str:
        """Return a body as text."""
        return json.dumps(
            body, indent=self.indent, ensure_ascii=self.ensure_ascii, separators=self.separators, default=unprinted
        )

    def quoted(self, body: Any) -> bytes:
        """Return that text in UTF-8, as it stands inside a JSON string."""
        return _dump(self.text(body))[1:-1]


def compact_json(body: Any) -> str:
    """Return JSON without spaces, a text in quotes: for messages that contain JSON."""
    return _COMPACT.text(body)


def _dump(value: Any) -> bytes:
    try:
        return orjson.dumps(value, embed)
    except orjson.JSONEncodeError:
        # The arguments held a lone surrogate or an integer beyond 64 bits.
        return dumps_lossy(value, unprinted)


# -- structuredContent ------------------------------------------------------------------------------------------------

Structure = Callable[[Any], Mapping[str, Any] | None]
"""A body → what stands beside its text."""

Structured = Callable[[Mapping[str, Any] | None], Structure | None]
"""A tool's outputSchema → how its bodies are shown beside their text; None: not at all."""


def by_output_schema(output_schema: Mapping[str, Any] | None) -> Structure | None:
    """Return FastMCP's rule: only tools with an output schema; a body that is not an object is put under ``result``."""
    if output_schema is None:
        return None
    if list(output_schema.get("properties", ())) == ["result"] and str(output_schema.get("title")).endswith("Output"):
        return _as_result
    return _as_object


def _as_result(body: Any) -> Mapping[str, Any]:
    return {"result": body}


def _as_object(body: Any) -> Mapping[str, Any] | None:
    return body if isinstance(body, Mapping) else None


def object_or_value(output_schema: Mapping[str, Any] | None) -> Structure:
    """Return the rule that sends an object itself, a list or a number as ``value``, and nothing beside a text."""
    return _object_or_value


def _object_or_value(body: Any) -> Mapping[str, Any] | None:
    if isinstance(body, str):
        return None
    return body if isinstance(body, Mapping) else {"value": body}


@dataclass(frozen=True, slots=True)
class Beside:
    """The structured content of one tool, if it is neither its body nor follows from its output schema.

    Attributes:
        name: the member that holds the body.
        others: further members, the same in every answer.
    """

    name: str
    others: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, body: Any) -> Mapping[str, Any]:
        """Return what stands beside a body's text."""
        return {**self.others, self.name: body}


# -- refusals ---------------------------------------------------------------------------------------------------------

Refusal = Callable[[str, VendorError], Answer]
"""The tool's name and what was raised → what the agent gets."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A refusal that is one text.

    Attributes:
        words: the template, with ``{message}``, ``{code}`` and ``{tool}``.
        is_error: ``isError``; None if a refusal looks like a success.
        names: tool → the text for ``{tool}``, if it is not the tool's name.
    """

    words: str = "{message}"
    is_error: bool | None = True
    names: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, tool: str, error: VendorError) -> Answer:
        """Return the answer to a refused call."""
        said = self.words.format(message=error.message, code=error.code, tool=self.names.get(tool, tool))
        return Answer(said, is_error=self.is_error, structured=self.is_error is not True)


# -- Composio ---------------------------------------------------------------------------------------------------------


def composio_success(data: Any) -> dict[str, Any]:
    """Wrap a success as Composio does, with both the misspelt and the correct key that it sends."""
    return {"successful": True, "successfull": True, "error": None, "data": data}


def composio_refusal(error: str, data: Mapping[str, Any]) -> Answer:
    """Return Composio's form of a refusal: a sentence, and the service's response as its data."""
    return Answer({"successful": False, "data": data, "error": error})


# -- the envelope -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Envelope:
    """How one real server answers.

    Attributes:
        json: serializes bodies that are neither text nor content items.
        is_error: ``isError`` of successes; None omits the key.
        structured: builds ``structuredContent``; None omits it.
        wrap: wraps every body before it is serialized.
        refusal: turns a ``VendorError`` that a handler raises into an answer.
        annotations: MCP's annotations of every single text; None omits them.
    """

    json: Printer = Json()
    is_error: bool | None = None
    structured: Structured | None = None
    wrap: Callable[[Any], Any] | None = None
    refusal: Refusal = Worded()
    annotations: Mapping[str, Any] | None = None

    def compile(self, output_schema: Mapping[str, Any] | None = None) -> Renderer:
        """Return the renderer for one tool's answers."""
        return Renderer(self, output_schema)

    def text_of(self, body: Result) -> str:
        """Return the text of a body that renders as a single text."""
        return body if isinstance(body, str) else self.json.text(body)


class Renderer:
    """Renders the answers of one tool.

    Attributes:
        success: a handler's result → the bytes of a CallToolResult.
    """

    __slots__ = ("_envelope", "_structure", "_tail", "success")

    def __init__(self, envelope: Envelope, output_schema: Mapping[str, Any] | None) -> None:
        self._envelope = envelope
        self._structure = envelope.structured(output_schema) if envelope.structured else None
        self._tail = _item_tail(envelope.annotations)
        is_plain = self._structure is None and envelope.wrap is None
        self.success: Callable[[Result], bytes] = self._text_renderer() if is_plain else self._success

    def refusal(self, tool: str, error: VendorError) -> tuple[bytes, bool]:
        """Return the bytes of a CallToolResult or of a JSON-RPC error object, and whether it is an error object."""
        if isinstance(error, ProtocolError):
            return protocol_error(error.code, error.message, error.data), True
        return self._answer(self._envelope.refusal(tool, error)), False

    def _text_renderer(self) -> Callable[[Result], bytes]:
        """Return the fast renderer for servers that send only a text; it is on the hot path."""
        quoted = self._envelope.json.quoted
        head = b'{"content":[{"type":"text","text":"'
        tail = b'"%b]%b' % (self._tail, _IS_ERROR[self._envelope.is_error])

        def success(body: Result) -> bytes:
            if type(body) is dict:
                return b"%b%b%b" % (head, quoted(body), tail)
            return self._success(body)

        return success

    def _success(self, body: Result) -> bytes:
        if isinstance(body, Answer):
            assert body.is_error is not True, "a refusal is raised, not returned: it would be logged as a success"
            return self._answer(body)
        return self._answer(Answer(body if self._envelope.wrap is None else self._envelope.wrap(body)))

    def _answer(self, answer: Answer) -> bytes:
        is_error = self._envelope.is_error if answer.is_error is None else answer.is_error
        content = self._content(answer.body)
        structured = self._structured(answer)
        if structured is None:
            return b'{"content":%b%b' % (content, _IS_ERROR[is_error])
        beside = _one_line(structured)
        return b'{"content":%b,"structuredContent":%b%b' % (content, beside, _IS_ERROR[is_error])

    def _structured(self, answer: Answer) -> Mapping[str, Any] | None:
        if not isinstance(answer.structured, bool):
            return answer.structured
        if not answer.structured or self._structure is None or isinstance(answer.body, Content):
            return None
        return self._structure(answer.body)

    def _content(self, body: Any) -> bytes:
        match body:
            case str():
                return b'[{"type":"text","text":%b%b]' % (_dump(body), self._tail)
            case Content():
                return _dump([_item(each) for each in body.items])
            case _:
                return b'[{"type":"text","text":"%b"%b]' % (self._envelope.json.quoted(body), self._tail)


def _item(item: Item) -> Mapping[str, Any]:
    match item:
        case str():
            return {"type": "text", "text": item}
        case Image():
            return {"type": "image", "data": item.data, "mimeType": item.mime_type}
        case _:
            return item


def _one_line(structured: Any) -> bytes:
    """Return compact JSON, also of rows that were printed for an indented text."""
    printed = _dump(structured)
    return orjson.dumps(orjson.loads(printed)) if b"\n" in printed else printed


def text_result(text: str, *, is_error: bool | None = None, annotations: Mapping[str, Any] | None = None) -> bytes:
    """Return a result with one text; ``isError`` and annotations are omitted if they are None."""
    return b'{"content":[{"type":"text","text":%b%b]%b' % (_dump(text), _item_tail(annotations), _IS_ERROR[is_error])


def _item_tail(annotations: Mapping[str, Any] | None) -> bytes:
    """Return what follows the text of a content item, up to the item's end."""
    return b"}" if annotations is None else b',"annotations":%b}' % _dump(annotations)


def protocol_error(code: int, message: str, data: Any = None) -> bytes:
    """Return the bytes of a JSON-RPC error object."""
    error: dict[str, Any] = {"code": code, "message": message}
    return _dump(error if data is None else {**error, "data": data})


# -- reading a result -------------------------------------------------------------------------------------------------


def texts_of(result: Mapping[str, Any]) -> list[str]:
    """Return the texts of a result: of a tool's content, a resource's contents, or a prompt's messages."""
    items = [*result.get("content", ()), *result.get("contents", ())]
    items += [message["content"] for message in result.get("messages", ())]
    return [item["text"] for item in items if item.get("type", "text") == "text" and "text" in item]


def body_of(result: Mapping[str, Any]) -> Any:
    """Return a result as data: the JSON in its text, else its structured content, else the text.

    For a JSON-RPC error, ``{"error": {"code", "message"}}``, return the error.
    """
    if "error" in result:
        return dict(result["error"])
    text = "\n".join(texts_of(result))
    if text.lstrip()[:1] in ("{", "["):
        try:
            return loads(text)
        except orjson.JSONDecodeError:
            pass
    structured = result.get("structuredContent")
    return text if structured is None or structured == {"result": text} else structured
