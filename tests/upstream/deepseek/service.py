"""A stand-in for DeepSeek's API that answers with what our own app has."""

from __future__ import annotations

import json
from base64 import b64encode
from email import policy
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from farm.testing import LocalApp

_CHUNK = 16


def service(app: LocalApp) -> type[BaseHTTPRequestHandler]:
    """Return what answers requests of the API."""

    class Service(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, query = _split(self.path)
            if path == "/files":
                given: dict[str, Any] = {**query}
                self._send(app.result("list_files", **_numbers(given)))
            elif path.startswith("/files/"):
                self._send(app.result("retrieve_file", file_id=unquote(path.rpartition("/")[2])))
            else:
                self._send(app.result("list_models" if path == "/models" else "get_user_balance"))

        def do_DELETE(self) -> None:
            self._send(app.result("delete_file", file_id=unquote(self.path.rpartition("/")[2])))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.path == "/files":
                self._send(app.result("upload_file", **_form(self.headers["content-type"], body)))
                return
            tool = {"/chat/completions": "chat_completion", "/beta/completions": "completion"}.get(self.path)
            asked = json.loads(body)
            result = app.result(tool or "create_response", **{**asked, "include_raw_response": True})
            if asked.get("stream") and "isError" not in result:
                self._stream(tool, result["structuredContent"]["raw_response"])
            else:
                self._send(result, "raw_response")

        def _send(self, result: dict[str, Any], key: str | None = None) -> None:
            told = result["structuredContent"]
            status = told["status"] if "isError" in result else 200
            body = {"error": {"message": told["message"]}} if "isError" in result else told[key] if key else told
            self._write(status, "application/json", json.dumps(body).encode())

        def _stream(self, tool: str | None, raw: dict[str, Any]) -> None:
            events = _response_events(raw) if tool is None else _chunks(tool, raw)
            lines = [f"data: {json.dumps(event)}\n\n" for event in events]
            self._write(200, "text/event-stream", "".join([*lines, "data: [DONE]\n\n"]).encode())

        def _write(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    return Service


def _split(address: str) -> tuple[str, dict[str, str]]:
    parts = urlsplit(address)
    return parts.path, dict(parse_qsl(parts.query))


def _numbers(given: dict[str, Any]) -> dict[str, Any]:
    return {name: int(value) if name == "limit" else value for name, value in given.items()}


def _form(kind: str, body: bytes) -> dict[str, Any]:
    head = f"content-type: {kind}\r\n\r\n".encode()
    given: dict[str, Any] = {}
    for part in BytesParser(policy=policy.HTTP).parsebytes(head + body).iter_parts():
        name, data = part.get_param("name", header="content-disposition"), part.get_payload(decode=True)
        assert isinstance(data, bytes)
        if name == "file":
            given |= {"filename": part.get_filename(), "file_data": b64encode(data).decode()}
        if name == "expires_after[seconds]":
            given["expires_after_seconds"] = int(data)
    return given


def _pieces(text: str) -> list[str]:
    return [text[at : at + _CHUNK] for at in range(0, len(text), _CHUNK)]


def _chunks(tool: str, raw: dict[str, Any]) -> list[dict[str, Any]]:
    head = {key: raw[key] for key in ("id", "object", "created", "model")}
    (choice,) = raw["choices"]
    end = {**head, "choices": [{"index": 0, "finish_reason": choice["finish_reason"]}], "usage": raw["usage"]}
    if tool == "completion":
        texts = [{"text": each} for each in ["", *_pieces(choice["text"])]]
        return [*({**head, "choices": [{"index": 0, **each}]} for each in texts), end]
    message = choice["message"]
    deltas: list[dict[str, Any]] = [{"role": "assistant"}]
    deltas += [{"reasoning_content": each} for each in _pieces(message.get("reasoning_content", ""))]
    deltas += [{"content": each} for each in _pieces(message["content"] or "")]
    if calls := message.get("tool_calls"):
        end["choices"][0]["delta"] = {"tool_calls": [{"index": number, **call} for number, call in enumerate(calls)]}
    return [*({**head, "choices": [{"index": 0, "delta": each}]} for each in deltas), end]


def _response_events(raw: dict[str, Any]) -> list[dict[str, Any]]:
    texts = [part["text"] for item in raw["output"] for part in item.get("content", ())]
    events: list[dict[str, Any]] = [{"type": "response.created"}]
    events += [{"type": "response.output_text.delta", "delta": each} for text in texts for each in _pieces(text)]
    return [*events, {"type": f"response.{raw['status']}", "response": raw}]
