"""Plays every task by ``vf-eval`` on a farm, with a model that replays the oracle or does nothing; prints the scores.

``ORACLES`` names a file with each task's instruction, the oracle's turns and its answer, as no farm is installed here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ORACLES = {each["instruction"].strip(): each for each in json.loads(Path(os.environ["ORACLES"]).read_text("utf-8"))}
USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


class Model(BaseHTTPRequestHandler):
    """A chat completion API; the name of the model says whose part it plays."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""

    def do_POST(self) -> None:
        """Answer with the next turn, as a stream."""
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        messages = asked["messages"]
        said = next(_text(each) for each in messages if each["role"] == "user").strip()
        at = sum(each["role"] == "assistant" for each in messages)
        script = ORACLES[said] if asked["model"] == "oracle" else {"turns": [], "answer": ""}
        if at < len(script["turns"]):
            calls = [
                {"index": n, "id": f"{at}-{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
                for n, (name, arguments) in enumerate((name, json.dumps(of)) for name, of in script["turns"][at])
            ]
            delta, reason = {"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls"
        else:
            # verifiers takes an empty reply for a failure of the model.
            delta, reason = {"role": "assistant", "content": script["answer"] or "."}, "stop"
        head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": asked["model"]}
        chunks = [
            head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
            head | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": USAGE},
        ]
        body = "".join(f"data: {json.dumps(each)}\n\n" for each in chunks) + "data: [DONE]\n\n"
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())


def _text(message: dict[str, Any]) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(each.get("text", "") for each in content)


def scores(model: str, url: str, folder: Path) -> dict[str, float]:
    command = [
        *(str(Path(sys.executable).with_name("vf-eval")), "mcp_farm_verifiers", "--no-push", "-m", model),
        *("--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess"),
        *("--client.base-url", url, "--client.api-key-var", "MODEL_KEY", "--max-concurrent", "4"),
    ]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    own = {**os.environ, "PATH": path, "MODEL_KEY": "x"}
    done = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, timeout=840, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    (traces,) = folder.glob("outputs/*/traces.jsonl")
    found = {}
    for line in traces.read_text("utf-8").splitlines():
        for trace in json.loads(line)["traces"]:
            assert not trace["errors"], trace["errors"]
            found[trace["task"]["data"]["name"]] = trace["info"]["farm"]["acc"]
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found = {}
        for model in ("oracle", "null"):
            folder = Path(name) / model
            folder.mkdir()
            found[model] = scores(model, f"http://127.0.0.1:{server.server_port}/v1", folder)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
