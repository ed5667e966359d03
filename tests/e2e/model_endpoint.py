"""A model that real command-line agents can be pointed at: it calls the first tool it knows and then answers.

Speaks the streaming forms of Anthropic's messages, OpenAI's responses and Gemini's content, no more of each than the
agents of ``examples/agents`` need.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Event = dict[str, Any]


class ModelEndpoint(ThreadingHTTPServer):
    """Calls the tool whose shown name ends as given, once in a conversation, then says ``answer``."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, tool: str, arguments: dict[str, Any], answer: str) -> None:
        self.tool, self.arguments, self.answer = tool, arguments, answer
        self.asked: list[tuple[str, Any]] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._send(b"{}", "application/json")

            def do_HEAD(self) -> None:
                self._send(b"", "application/json")

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
                endpoint.asked.append((self.path, asked))
                if "/v1/messages" in self.path and "count_tokens" not in self.path:
                    events, named = endpoint.messages(asked), True
                elif "/responses" in self.path:
                    events, named = endpoint.responses(asked), True
                elif "GenerateContent" in self.path:
                    events, named = endpoint.contents(asked), False
                elif "generateContent" in self.path:
                    self._send(json.dumps(next(endpoint.contents(asked))).encode(), "application/json")
                    return
                else:
                    self._send(b'{"input_tokens": 1, "totalTokens": 1}', "application/json")
                    return
                lines = (
                    (f"event: {each['type']}\n" if named else "") + f"data: {json.dumps(each)}\n\n" for each in events
                )
                self._send("".join(lines).encode(), "text/event-stream")

            def _send(self, body: bytes, kind: str) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def _name(self, names: Iterator[str]) -> str | None:
        return next((name for name in names if name.endswith(self.tool)), None)

    def messages(self, asked: Any) -> Iterator[Event]:
        """Answer as Anthropic's messages do."""
        name = self._name(each["name"] for each in asked.get("tools", ()))
        if name is None or "tool_result" in json.dumps(asked["messages"]):
            block: Event = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": self.answer}
        else:
            block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(self.arguments)}
        usage = {"input_tokens": 100, "output_tokens": 10}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": asked["model"], "content": []}
        yield {"type": "message_start", "message": {**message, "usage": usage, "stop_reason": None}}
        yield {"type": "content_block_start", "index": 0, "content_block": block}
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
        yield {"type": "content_block_stop", "index": 0}
        stop = "end_turn" if block["type"] == "text" else "tool_use"
        yield {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage}
        yield {"type": "message_stop"}

    def responses(self, asked: Any) -> Iterator[Event]:
        """Answer as OpenAI's responses do."""
        # A namespace holds the tools of one server.
        tools = [(each.get("name", ""), each) for each in asked.get("tools", ())]
        known = [(None, name) for name, each in tools if each["type"] == "function"]
        known += [(space, each["name"]) for space, holds in tools for each in holds.get("tools", ()) if "name" in each]
        found = next((each for each in known if each[1].endswith(self.tool)), None)
        if found is None or "function_call_output" in json.dumps(asked["input"]):
            text = {"type": "output_text", "text": self.answer, "annotations": []}
            item: Event = {"type": "message", "id": "m1", "role": "assistant", "content": [text], "status": "completed"}
        else:
            item = {"type": "function_call", "id": "f1", "call_id": "c1", "name": found[1], "status": "completed"}
            item |= {"arguments": json.dumps(self.arguments), **({"namespace": found[0]} if found[0] else {})}
        response = {"id": "r1", "object": "response", "model": asked["model"], "status": "in_progress", "output": []}
        usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
        yield {"type": "response.created", "response": response}
        yield {"type": "response.output_item.added", "output_index": 0, "item": item}
        yield {"type": "response.output_item.done", "output_index": 0, "item": item}
        done = {**response, "status": "completed", "output": [item], "usage": usage}
        yield {"type": "response.completed", "response": done}

    def contents(self, asked: Any) -> Iterator[Event]:
        """Answer as Gemini's generateContent does."""
        declared = (each for tool in asked.get("tools", ()) for each in tool.get("functionDeclarations", ()))
        name = self._name(each["name"] for each in declared)
        if name is None or "functionResponse" in json.dumps(asked["contents"]):
            part: Event = {"text": self.answer}
        else:
            part = {"functionCall": {"name": name, "args": self.arguments}}
        candidate = {"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
        usage = {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}
        yield {"candidates": [candidate], "usageMetadata": usage}
