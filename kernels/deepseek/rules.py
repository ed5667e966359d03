"""What the server's schemas ask beyond what JSON Schema shows: of several arguments together, and of texts inside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

Fault = tuple[tuple[str | int, ...], str]

_BASE64 = re.compile(r"[a-zA-Z0-9+/]+={0,2}")
_DATA_URL = re.compile(r"data:image/(?:jpeg|png|gif|webp);base64,([a-zA-Z0-9+/]+={0,2})")
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BYTES_MAX = 64 * 1024 * 1024
_ADDRESS_MAX = 8192

FILE_ID = "^file-api-[a-zA-Z0-9_-]+$"
PATTERNS = {FILE_ID: "Expected a DeepSeek file ID starting with `file-api-`"}


def chat(given: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what is wrong with the arguments of chat_completion."""
    if isinstance(message := given.get("message"), list):
        yield from _parts(message, ("message",))
    for number, each in enumerate(given.get("messages") or ()):
        if isinstance(content := each.get("content"), list):
            yield from _parts(content, ("messages", number, "content"))
            if each["role"] not in ("user", "tool"):
                yield (
                    ("messages", number, "content"),
                    "Multimodal content is supported only in user and tool messages",
                )
    # An empty list is something to JavaScript.
    if given.get("message") in (None, "") and given.get("messages") is None:
        yield (), "Either `message` or `messages` must be provided"
    if given.get("top_logprobs") is not None and not given.get("logprobs"):
        yield (), "`top_logprobs` requires `logprobs=true`"


def response(given: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what is wrong with the arguments of create_response."""
    for number, each in enumerate(given["input"] if isinstance(given.get("input"), list) else ()):
        content = each.get("content")
        if isinstance(content, list):
            yield from _images(content, ("input", number, "content"))
            has_image = any(isinstance(part, dict) and part.get("type") == "input_image" for part in content)
            if each.get("role") in ("system", "assistant") and has_image:
                yield (
                    ("input", number, "content"),
                    "Responses images are not supported in system or assistant messages",
                )
        if isinstance(output := each.get("output"), list):
            yield from _images(output, ("input", number, "output"))
    if given.get("input") is None and given.get("instructions") is None:
        yield (), "At least one of `input` or `instructions` must be provided"


def upload(given: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what is wrong with the data of upload_file."""
    data = given["file_data"]
    if not (is_image_url(data) if data.startswith("data:") else _is_base64(data.partition(",")[2] or data)):
        told = "Expected raw base64 or a JPEG, PNG, GIF, or WebP base64 data URL no larger than 64 MiB"
        yield ("file_data",), told


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
    try:
        parts = urlsplit(value.strip())
    except ValueError:
        return False
    return len(value) <= _ADDRESS_MAX and parts.scheme in ("http", "https") and bool(parts.netloc)


def _parts(content: list[Any], at: tuple[str | int, ...]) -> Iterator[Fault]:
    for number, part in enumerate(content):
        here = (*at, number)
        if part.get("type") == "image_url" and not _is_image_reference(part["image_url"]["url"]):
            yield (*here, "image_url", "url"), "Expected an HTTP(S) image URL or supported image data URL"
        if part.get("type") != "file":
            continue
        if part.get("file_data") is not None and not is_image_url(part["file_data"]):
            yield (*here, "file_data"), "Expected a JPEG, PNG, GIF, or WebP base64 data URL"
        if (part.get("file_id") is None) == (part.get("file_data") is None):
            yield here, "A file content part requires exactly one of `file_id` or `file_data`"
        if part.get("filename") is not None and part.get("file_data") is None:
            yield (*here, "filename"), "`filename` is valid only with `file_data`"


def _images(content: list[Any], at: tuple[str | int, ...]) -> Iterator[Fault]:
    for number, part in enumerate(content):
        if not isinstance(part, dict) or part.get("type") != "input_image":
            continue
        if part.get("image_url") is not None and not _is_image_reference(part["image_url"]):
            yield (*at, number, "image_url"), "Expected an HTTP(S) image URL or supported image data URL"
        if (part.get("image_url") is None) == (part.get("file_id") is None):
            yield (*at, number), "An input image requires exactly one of `image_url` or `file_id`"
