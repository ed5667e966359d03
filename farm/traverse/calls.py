"""Recorded calls of a real server: one JSON line each."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from farm.content import LoadedApp
from farm.errors import FarmError

# What a recording says instead of a text that it had no browser for.
NEEDS_BROWSER = "<<needs the browser>>"


@dataclass(frozen=True)
class Recorded:
    """One recorded call.

    Attributes:
        line: where it stands in its file.
        tool: the tool's name.
        arguments: the arguments; None when the key was absent.
        result: a CallToolResult, or ``{"error": {"code", "message"}}`` for a protocol error.
        error_class: what kind of call it was meant to be.
        at: when it was made.
        pre: calls made before it, as (tool, arguments).
        server: which server answered, where the file holds several.
        is_shape: whether only the form of its answer can be compared: its values came from a stand-in.
    """

    line: int
    tool: str
    arguments: Any
    result: dict[str, Any]
    error_class: str
    at: datetime | None
    pre: tuple[tuple[str, Any], ...]
    server: str | None
    is_shape: bool

    def is_of(self, loaded: LoadedApp) -> bool:
        """Whether the server that the app imitates answered."""
        return self.server is None or self.server in (loaded.server["name"], "base")


def read_calls(path: Path) -> list[Recorded]:
    """Return the calls of a file.

    Raises:
        FarmError: it cannot be read, or a line is no recorded call; the message names the line.
    """
    try:
        raw = path.read_bytes()
    except OSError as problem:
        raise FarmError(f"{path} cannot be read ({problem.strerror})") from None
    found = [_read(number, line, path) for number, line in enumerate(raw.splitlines(), 1) if line.strip()]
    if not found:
        raise FarmError(f"{path} holds no recorded call")
    return found


def hash_calls(path: Path) -> str:
    """Return the SHA-256 of the file, as PROVENANCE.toml names it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _read(number: int, line: bytes, path: Path) -> Recorded:
    where = f"{path}, line {number}"
    try:
        raw = orjson.loads(line)
    except orjson.JSONDecodeError as problem:
        raise FarmError(f"{where} is not JSON: {problem}") from None
    if not isinstance(raw, dict) or not isinstance(raw.get("tool"), str) or not isinstance(raw.get("result"), dict):
        raise FarmError(f"{where} is no recorded call; one has at least 'tool', 'arguments' and 'result'")
    result = _result(raw["result"], where)
    return Recorded(
        line=number,
        tool=raw["tool"],
        arguments=_arguments(raw),
        result=result,
        error_class=str(raw.get("error_class") or ("refused" if is_refusal(result) else "success")),
        at=_time(raw.get("at"), where),
        pre=tuple(_pre(each, where) for each in raw.get("pre") or ()),
        server=raw.get("server"),
        is_shape=isinstance(raw.get("backend"), dict) or NEEDS_BROWSER in text_of(result),
    )


def _arguments(raw: Mapping[str, Any]) -> Any:
    return None if raw.get("arguments_omitted") else raw.get("arguments", {})


def _pre(raw: Any, where: str) -> tuple[str, Any]:
    if not isinstance(raw, dict) or not isinstance(raw.get("tool"), str):
        raise FarmError(f"{where}: 'pre' must be a list of calls, each with 'tool' and 'arguments'")
    return raw["tool"], _arguments(raw)


def _time(value: Any, where: str) -> datetime | None:
    if value is None:
        return None
    try:
        at = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise FarmError(f"{where}: 'at' must be a time such as 2026-03-09T09:00:00+08:00, not {value!r}") from None
    if at.tzinfo is None:
        raise FarmError(f"{where}: 'at' needs an offset from UTC, such as {value}+08:00")
    return at


def _result(raw: dict[str, Any], where: str) -> dict[str, Any]:
    error = raw.get("error") or raw.get("jsonrpc_error")
    if isinstance(error, dict):
        return {"error": {"code": error.get("code"), "message": error.get("message")}}
    if not isinstance(raw.get("content"), list):
        raise FarmError(f"{where}: 'result' has neither 'content' nor 'error'")
    return raw


def text_of(result: Mapping[str, Any]) -> str:
    """Return what an agent reads: the texts of the content, or the message of a protocol error."""
    if "error" in result:
        return str(result["error"]["message"])
    return "\n".join(str(item.get("text", f"[{item.get('type')}]")) for item in result["content"])


def body_of(result: Mapping[str, Any]) -> Any:
    """Return the parsed JSON of the text, or the text where it is none."""
    text = text_of(result)
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def kind_of(result: Mapping[str, Any]) -> str:
    """Return what an agent sees at first sight.

    One of ``protocol_error``, ``tool_error`` (isError), ``body_error`` (an ordinary result whose JSON says no) and
    ``success``.
    """
    if "error" in result:
        return "protocol_error"
    if result.get("isError"):
        return "tool_error"
    body = body_of(result)
    if isinstance(body, dict):
        code = body.get("code")
        is_number = isinstance(code, int) and not isinstance(code, bool)
        if body.get("ok") is False or body.get("success") is False or (is_number and code and "msg" in body):
            return "body_error"
    return "success"


def is_refusal(result: Mapping[str, Any]) -> bool:
    """Whether the call was refused, in whichever way."""
    return kind_of(result) != "success"
