"""Recorded calls of a real server: one JSON line each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from farm.appkit.envelope import texts_of
from farm.content import LoadedApp
from farm.errors import FarmError

# The placeholder in a recording for a text that needed a browser.
NEEDS_BROWSER = "<<needs the browser>>"
# Keys of a body that mark a failure when their value is false.
_SAYS_NO = ("ok", "success", "successful")
# Keys in a recording that mark a server which ended or never answered.
_SILENCES = ("_process_exit", "_no_response_within_s", "process_exited")


@dataclass(frozen=True)
class Request:
    """A client's request.

    Attributes:
        arguments: any JSON value: real servers were also sent lists and texts.
        omits_arguments: whether the key was absent.
    """

    tool: str
    arguments: Any = None
    omits_arguments: bool = False

    @property
    def params(self) -> dict[str, Any]:
        """The ``params`` of the tools/call."""
        return {"name": self.tool} if self.omits_arguments else {"name": self.tool, "arguments": self.arguments}


@dataclass(frozen=True)
class Recorded:
    """One recorded call.

    Attributes:
        line: its line number in the file.
        request: the request.
        result: a CallToolResult, ``{"error": {"code", "message"}}`` for a protocol error, or ``{"silence": …}`` if the
            server ended or never answered.
        error_class: the intended kind of call.
        at: when it was made.
        pre: calls made before it.
        sequence: its number, if the lines of the file are one session on one state.
        condition: an unusual condition of the server's environment, or None.
        server: the server that answered, if the file holds several.
        labels: the line's labels for the version that answered, besides the server's name.
        is_shape: whether only the form of its answer is comparable: the values came from a substitute.
        trace: the start of the server in which it was made; None if the lines are not traces.
        step: its number in the trace, from 0, in the order of sending.
        operation: the operation that made it from a seed, or None for a seed.
        path: the part of the arguments that the operation changed.
        seed_step: the seed's number in the trace.
        verdict: the kind of answer: ``success``, ``refused`` or ``infrastructure``; None before it is judged.
        why: the reason of the verdict.
        elapsed_ms: the time until the answer, in milliseconds.
        version: the server's version, as it declares it.
        side: ``train``, ``check`` or ``held``, in a pool.
        is_scored: whether a pool scores it.
        is_duplicate: whether the pool holds the same call with the same answer before it.
        is_derived: whether the call was never made: the answer was derived from the server's published code.
    """

    line: int
    request: Request
    result: dict[str, Any]
    error_class: str
    at: datetime | None
    pre: tuple[Request, ...]
    sequence: int | None
    condition: str | None
    server: str | None
    labels: frozenset[str]
    is_shape: bool
    trace: int | None = None
    step: int | None = None
    operation: str | None = None
    path: tuple[str | int, ...] | None = None
    seed_step: int | None = None
    verdict: str | None = None
    why: str | None = None
    elapsed_ms: float | None = None
    version: str | None = None
    side: str | None = None
    is_scored: bool = True
    is_duplicate: bool = False
    is_derived: bool = False

    @property
    def tool(self) -> str:
        """The tool's name."""
        return self.request.tool

    def is_version_of(self, loaded: LoadedApp) -> bool:
        """Return whether the server's version that answered is the one that the app imitates in this profile."""
        for name, each in loaded.profiles.items():
            if name in self.labels or not self.labels.isdisjoint(each.recorded):
                return name == loaded.profile
        if self.server not in (None, loaded.server["name"], "base"):
            return False
        return not (self.labels and loaded.recorded)

    def is_served(self, loaded: LoadedApp) -> bool:
        """Return whether this profile, or no profile, has the tool; a tool of other profiles only is not served."""
        is_elsewhere = any(self.tool in each.bound for each in loaded.profiles.values())
        return self.tool in loaded.bound or not is_elsewhere or not self.labels.isdisjoint(loaded.recorded)


def read_calls(path: Path) -> list[Recorded]:
    """Return the calls of a file.

    Raises:
        FarmError: the file is unreadable, or a line is not a recorded call; the message names the line.
    """
    try:
        raw = path.read_bytes()
    except OSError as problem:
        raise FarmError(f"{path} cannot be read ({problem.strerror})") from None
    found = [read_line(line, number, path) for number, line in enumerate(raw.splitlines(), 1) if line.strip()]
    if not found:
        raise FarmError(f"{path} holds no recorded call")
    return found


def hash_calls(path: Path) -> str:
    """Return the SHA-256 of the file, as PROVENANCE.toml records it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_line(line: bytes, number: int, path: Path) -> Recorded:
    """Return the call of one line.

    Raises:
        FarmError: the line is not a recorded call; the message names the file and the line's number.
    """
    where = f"{path}, line {number}"
    try:
        # Not orjson: a request may hold lone surrogates or integers of any length.
        raw = json.loads(line)
    except ValueError as problem:
        raise FarmError(f"{where} is not JSON: {problem}") from None
    if not isinstance(raw, dict) or not isinstance(raw.get("tool"), str) or not isinstance(raw.get("result"), dict):
        raise FarmError(f"{where} is no recorded call; one has at least 'tool', 'arguments' and 'result'")
    is_derived = raw.get("derived") is True
    result = read_result(_as_result(raw["result"]) if is_derived else raw["result"], where)
    sequence = raw.get("seq")
    return Recorded(
        line=number,
        request=_request(raw),
        result=result,
        error_class=str(raw.get("error_class") or ("refused" if is_refusal(result) else "success")),
        at=_time(raw.get("at"), where),
        pre=tuple(_pre(each, where) for each in raw.get("pre") or ()),
        sequence=sequence if isinstance(sequence, int) else None,
        condition=raw.get("condition") or raw.get("precondition"),
        server=raw.get("server"),
        labels=frozenset(str(raw[key]) for key in ("profile", "server", "version", "sdk") if raw.get(key)),
        is_shape=isinstance(raw.get("backend"), dict) or NEEDS_BROWSER in text_of(result),
        trace=_one(raw, "trace", int, where),
        step=_one(raw, "step", int, where),
        operation=_one(raw, "operation", str, where),
        path=_path(raw.get("path"), where),
        seed_step=_one(raw, "seed_step", int, where),
        verdict=_one(raw, "verdict", str, where),
        why=_one(raw, "why", str, where),
        elapsed_ms=None if raw.get("elapsed_ms") is None else float(_one(raw, "elapsed_ms", (int, float), where)),
        version=None if raw.get("version") is None else str(raw["version"]),
        side=_one(raw, "side", str, where),
        is_scored=raw.get("scored", True) is True,
        is_duplicate=raw.get("duplicate", False) is True,
        is_derived=is_derived,
    )


def _as_result(raw: dict[str, Any]) -> dict[str, Any]:
    """Return a derived answer as a result; a body alone becomes the text of an ordinary result."""
    if "content" in raw or isinstance(raw.get("error"), dict) or isinstance(raw.get("jsonrpc_error"), dict):
        return raw
    text = json.dumps(raw, ensure_ascii=False, separators=(",", ":"))
    return {"content": [{"type": "text", "text": text}], "isError": False}


def _one(raw: Mapping[str, Any], key: str, kind: type | tuple[type, ...], where: str) -> Any:
    value = raw.get(key)
    if value is None or (isinstance(value, kind) and not isinstance(value, bool)):
        return value
    wanted = "a text" if kind is str else "a number"
    raise FarmError(f"{where}: '{key}' must be {wanted}, not {value!r:.80}")


def _path(raw: Any, where: str) -> tuple[str | int, ...] | None:
    if raw is None:
        return None
    if not isinstance(raw, list) or not all(isinstance(each, (str, int)) for each in raw):
        raise FarmError(f"{where}: 'path' must be a list of names and positions, not {raw!r:.80}")
    return tuple(raw)


def _request(raw: Mapping[str, Any]) -> Request:
    arguments = raw.get("arguments", {})
    # Recorders also write null for an absent key; the real servers were asked which of the two a request was.
    return Request(raw["tool"], arguments, bool(raw.get("arguments_omitted", arguments is None)))


def _pre(raw: Any, where: str) -> Request:
    if not isinstance(raw, dict) or not isinstance(raw.get("tool"), str):
        raise FarmError(f"{where}: 'pre' must be a list of calls, each with 'tool' and 'arguments'")
    return _request(raw)


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


def read_result(raw: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return an answer in the form of ``Recorded.result``.

    Args:
        where: its place in error messages.

    Raises:
        FarmError: the value is not an answer.
    """
    error = raw.get("error") or raw.get("jsonrpc_error")
    if isinstance(error, dict):
        kept = {"data": error["data"]} if "data" in error else {}
        return {"error": {"code": error.get("code"), "message": error.get("message"), **kept}}
    if isinstance(raw.get("silence"), str):
        return {"silence": raw["silence"]}
    if isinstance(raw.get("content"), list):
        for item in raw["content"]:
            if not isinstance(item, dict):
                raise FarmError(f"{where}: 'content' holds {item!r:.80}, which is no object")
        return dict(raw)
    silences = [f"{key}: {raw[key]}" for key in _SILENCES if key in raw]
    if silences:
        return {"silence": ", ".join(silences)}
    raise FarmError(f"{where}: 'result' has neither 'content' nor 'error'")


def result_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a tools/call in the form of ``Recorded.result``.

    Args:
        message: the JSON-RPC answer. An answer that no replay can reproduce, such as a running task or a question to
            the client, counts as silence.
    """
    match message:
        case {"error": dict(error)}:
            return {"error": error}
        case {"result": {"content": [*content]}} if all(isinstance(item, dict) for item in content):
            return dict(message["result"])
    said = json.dumps(message.get("result", message.get("error")), ensure_ascii=False)
    return {"silence": f"an answer that is no tool's result: {said:.200}"}


def text_of(result: Mapping[str, Any]) -> str:
    """Return the text that an agent reads: the texts of the content, or the message of a protocol error."""
    if "error" in result:
        return str(result["error"]["message"])
    if "contents" in result or "messages" in result:
        return "\n".join(texts_of(result))
    if "content" not in result:
        return str(result.get("silence") or result.get("crash"))
    return "\n".join(str(item.get("text", f"[{item.get('type')}]")) for item in result["content"])


def parsed_text(result: Mapping[str, Any]) -> Any:
    """Return the parsed JSON of the text, or the text if it is not JSON."""
    text = text_of(result)
    try:
        return json.loads(text)
    except ValueError:
        return text


def kind_of(result: Mapping[str, Any]) -> str:
    """Return the kind of a result, as an agent sees it.

    One of ``protocol_error``, ``tool_error`` (isError), ``body_error`` (an ordinary result whose JSON marks a failure),
    ``success``, ``silence`` (the real server ended or hung) and ``crash`` (our server failed).
    """
    for kind, key in (("crash", "crash"), ("silence", "silence"), ("protocol_error", "error")):
        if key in result:
            return kind
    if result.get("isError"):
        return "tool_error"
    body = parsed_text(result)
    if isinstance(body, dict):
        code = body.get("code")
        is_number = isinstance(code, int) and not isinstance(code, bool)
        if any(body.get(key) is False for key in _SAYS_NO) or (is_number and code and "msg" in body):
            return "body_error"
    return "success"


def is_refusal(result: Mapping[str, Any]) -> bool:
    """Return whether the call was refused, in any form."""
    return kind_of(result) != "success"
