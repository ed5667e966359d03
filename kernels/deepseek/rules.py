"""What the server's schemas ask beyond what JSON Schema shows: of several arguments together, and of texts inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from ipaddress import IPv6Address
from typing import Any
from urllib.parse import unquote

from farm.appkit.formats.javascript import js_length

Fault = tuple[tuple[str | int, ...], str]

_BASE64 = re.compile(r"[a-zA-Z0-9+/]+={0,2}")
_DATA_URL = re.compile(r"data:image/(?:jpeg|png|gif|webp);base64,([a-zA-Z0-9+/]+={0,2})")
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BYTES_MAX = 64 * 1024 * 1024
_ADDRESS_MAX = 8192
_PORT, _PORT_MAX = re.compile("[0-9]{1,99}"), 65535
_WEB = re.compile(r"https?:[/\\]*([^/\\?#]*).*", re.IGNORECASE | re.DOTALL)
_CONTROL_AROUND = re.compile(r"\A[\0- ]+|[\0- ]+\Z")
_LINE_ENDS = dict.fromkeys(map(ord, "\t\n\r"))
_FORBIDDEN = re.compile(r"[\0- #/:<>?@\[\\\]^|%\x7f]")

FILE_ID = "^file-api-[a-zA-Z0-9_-]+$"
PATTERNS = {FILE_ID: "Expected a DeepSeek file ID starting with `file-api-`"}


def chat(given: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what is wrong with the arguments of chat_completion together."""
    # An empty list is something to JavaScript.
    if given.get("message") in (None, "") and given.get("messages") is None:
        yield (), "Either `message` or `messages` must be provided"
    if given.get("top_logprobs") is not None and not given.get("logprobs"):
        yield (), "`top_logprobs` requires `logprobs=true`"


def chat_part(part: Any) -> Iterator[Fault]:
    """Yield what is wrong with a part of a message."""
    if not isinstance(part, dict):
        return
    if part.get("type") == "image_url" and not _is_image_reference(part["image_url"]["url"]):
        yield ("image_url", "url"), "Expected an HTTP(S) image URL or supported image data URL"
    if part.get("type") != "file":
        return
    if part.get("file_data") is not None and not is_image_url(part["file_data"]):
        yield ("file_data",), "Expected a JPEG, PNG, GIF, or WebP base64 data URL"
    if (part.get("file_id") is None) == (part.get("file_data") is None):
        yield (), "A file content part requires exactly one of `file_id` or `file_data`"
    if part.get("filename") is not None and part.get("file_data") is None:
        yield ("filename",), "`filename` is valid only with `file_data`"


def chat_message(message: Any) -> Iterator[Fault]:
    """Yield what is wrong with a message."""
    content = message.get("content")
    if isinstance(content, list):
        yield from _below("content", content, chat_part)
        if message["role"] not in ("user", "tool"):
            yield ("content",), "Multimodal content is supported only in user and tool messages"


def response(given: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what is wrong with the arguments of create_response together."""
    if given.get("input") is None and given.get("instructions") is None:
        yield (), "At least one of `input` or `instructions` must be provided"


def response_item(item: Any) -> Iterator[Fault]:
    """Yield what is wrong with one item of the input."""
    if not isinstance(item, dict):
        return
    content = item.get("content")
    if isinstance(content, list):
        yield from _below("content", content, _image)
        has_image = any(isinstance(part, dict) and part.get("type") == "input_image" for part in content)
        if item.get("role") in ("system", "assistant") and has_image:
            yield ("content",), "Responses images are not supported in system or assistant messages"
    if isinstance(output := item.get("output"), list):
        yield from _below("output", output, _image)


def upload_data(data: str) -> Iterator[Fault]:
    """Yield what is wrong with the data of upload_file."""
    if not (is_image_url(data) if data.startswith("data:") else _is_base64(data.partition(",")[2] or data)):
        yield (), "Expected raw base64 or a JPEG, PNG, GIF, or WebP base64 data URL no larger than 64 MiB"


def is_image_url(value: str) -> bool:
    """Tell whether a text is a data URL of a picture; what the picture really is shows later."""
    found = _DATA_URL.fullmatch(value)
    return found is not None and _is_base64(found[1])


def _is_base64(payload: str) -> bool:
    """Tell whether a text is base64 in the one form that there is of each: nothing in the last, unused bits."""
    if not payload or len(payload) % 4 or not _BASE64.fullmatch(payload) or len(payload) // 4 * 3 > _BYTES_MAX + 2:
        return False
    padding = len(payload) - len(payload.rstrip("="))
    unused = {0: 0, 1: 0b11, 2: 0b1111}[padding]
    return not _ALPHABET.index(payload[-1 - padding]) & unused


def _is_image_reference(value: str) -> bool:
    if is_image_url(value):
        return True
    return js_length(value) <= _ADDRESS_MAX and _is_web_address(value)


def _is_web_address(value: str) -> bool:
    """Tell whether ``new URL`` makes something of a text with http or https: slashes may lean or be missing there.

    Hosts are not looked up in Unicode's tables, which forbid some that pass here.

    Source: https://url.spec.whatwg.org/#url-parsing
    """
    found = _WEB.fullmatch(_CONTROL_AROUND.sub("", value).translate(_LINE_ENDS))
    if found is None:
        return False
    host, port = found[1].rpartition("@")[2], ""
    if ":" in host and not host.endswith("]"):
        host, _, port = host.rpartition(":")
    if port and not (_PORT.fullmatch(port) and int(port) <= _PORT_MAX):
        return False
    if host.startswith("["):
        return _is_ipv6(host)
    plain = unquote(host)
    return bool(plain) and not _FORBIDDEN.search(plain)


def _is_ipv6(host: str) -> bool:
    try:
        IPv6Address(host[1:-1])
    except ValueError:
        return False
    return host.endswith("]") and "%" not in host


def _below(key: str, parts: list[Any], rule: Callable[[Any], Iterator[Fault]]) -> Iterator[Fault]:
    for number, part in enumerate(parts):
        yield from (((key, number, *path), message) for path, message in rule(part))


def _image(part: Any) -> Iterator[Fault]:
    if not isinstance(part, dict) or part.get("type") != "input_image":
        return
    if part.get("image_url") is not None and not _is_image_reference(part["image_url"]):
        yield ("image_url",), "Expected an HTTP(S) image URL or supported image data URL"
    if (part.get("image_url") is None) == (part.get("file_id") is None):
        yield (), "An input image requires exactly one of `image_url` or `file_id`"
