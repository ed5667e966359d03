"""Records the answers of labelled/*.jsonl: real servers, asked by hand-written calls, well and through faults.

    SERVERS=folder python -m tests.traverse.record_labelled

``SERVERS`` holds the installed servers: node_modules/ and the environments pv1 (mcp 1), pv2 (fastmcp 4), v_ex. The calls and their
labels are in labelled_calls.py. Recording again changes times and ids, so the frozen files are read and not made again by tests.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from farm.traverse.recordings.calls import Request
from farm.traverse.transport.connection import Connection, connect
from farm.traverse.transport.source import Source
from tests.traverse.faulty import Backend, HttpMiddle
from tests.traverse.labelled_calls import ANSWERS, BACKEND_PORT, OPEN, TRACES, Call

ROOT = Path("/tmp/traverse")
LABELS = {"S": "success", "R": "refused", "I": "infrastructure"}
CLASSES = {"": "success", "t": "type_mismatch", "s": "schema_violation", "b": "boundary", "c": "semantic_conflict"}
REASONS = {
    "S": "the tool did what was asked",
    "R": "the tool says no to this request",
    "I": "not the tool's answer to the request",
}
_HERE = Path(__file__).parent
_LIMIT_S, _SHORT_S = 20.0, 1.5
_MIDDLE_PORT, _UPSTREAM_PORT = 8932, 8933

# Some servers have the vendor's address built in: their requests go to the stand-in, in whichever of node's two ways they are made.
_REDIRECT = f"""
import http from "node:http";
import https from "node:https";
import {{ syncBuiltinESMExports }} from "node:module";
const real = globalThis.fetch;
globalThis.fetch = async (input, init) => {{
  const url = new URL(typeof input === "string" || input instanceof URL ? input : input.url);
  const answer = await real(`http://127.0.0.1:{BACKEND_PORT}/${{url.host}}${{url.pathname}}${{url.search}}`, init);
  Object.defineProperty(answer, "url", {{ value: url.href }});
  return answer;
}};
https.request = (...given) => {{
  const options = typeof given[0] === "string" || given[0] instanceof URL ? new URL(given.shift()) : given.shift();
  const more = typeof given[0] === "object" ? given.shift() : {{}};
  const path = options.path ?? options.pathname + options.search;
  const sent = {{ method: options.method, headers: options.headers, ...more, agent: undefined, protocol: "http:", port: {BACKEND_PORT} }};
  return http.request({{ ...sent, host: "127.0.0.1", hostname: "127.0.0.1", path: "/" + (options.hostname ?? options.host) + path }}, ...given);
}};
syncBuiltinESMExports();
"""


def _commands(servers: Path) -> dict[str, tuple[list[str], dict[str, str]]]:
    def node(name: str) -> list[str]:
        return ["node", str((servers / "node_modules/.bin" / name).resolve())]

    def python(name: str, environment: str = "pv1") -> list[str]:
        return [str(servers / environment / "bin" / name)]

    redirect = {"NODE_OPTIONS": f"--import={ROOT}/redirect.mjs"}
    return {
        "memory": (node("mcp-server-memory"), {"MEMORY_FILE_PATH": f"{ROOT}/state/memory.jsonl"}),
        "filesystem": ([*node("mcp-server-filesystem"), f"{ROOT}/files"], {}),
        "everything": (node("mcp-server-everything"), {}),
        "time": ([*python("mcp-server-time"), "--local-timezone", "Asia/Shanghai"], {}),
        "sqlite": ([*python("mcp-server-sqlite"), "--db-path", f"{ROOT}/state/shop.db"], {}),
        "git": (python("mcp-server-git"), {}),
        "fetch": ([*python("mcp-server-fetch"), "--allow-private-ips"], {}),
        "fetch-public": (python("mcp-server-fetch"), {}),
        "taskflow": (python("mcp-task-flow-pro", "pv2"), {}),
        "obsidian": ([*node("mcp-obsidian"), f"{ROOT}/files"], {}),
        "amap": (node("mcp-amap"), {"AMAP_MAPS_API_KEY": "key", **redirect}),
        "context7": (node("context7-mcp"), redirect),
        "slack": (node("mcp-server-slack"), {"SLACK_BOT_TOKEN": "xoxb-token", "SLACK_TEAM_ID": "T01", **redirect}),
        "taskmanager": (node("mcp-taskmanager"), {"TASK_MANAGER_FILE_PATH": f"{ROOT}/state/tasks.json"}),
        "calc": (node("calc-mcp"), {}),
        "mcp-sqlite": ([*node("mcp-sqlite-server"), f"{ROOT}/state/notes.db"], {}),
        "fetch-ts": (node("mcp-fetch-server"), redirect),
        "duckdb": ([*python("duckdb-mcp-server"), "--db-path", f"{ROOT}/state/farm.duckdb"], {}),
        "agent-toolkit": (python("agent-toolkit-mcp-server"), {"AGENT_TOOLKIT_HOME": f"{ROOT}/state/toolkit"}),
        # It reports its use to its maker: not from here.
        "expense": (
            python("expense_tracker_ai_mcp", "v_ex"),
            {"HTTP_PROXY": "http://127.0.0.1:1", "HTTPS_PROXY": "http://127.0.0.1:1"},
        ),
        "bill": (python("mcp_bill_track"), {}),
        "calculator": (python("mcp-server-calculator"), {}),
    }


def _reset() -> None:
    for name in ("files", "state", "home"):
        shutil.rmtree(ROOT / name, ignore_errors=True)
        (ROOT / name).mkdir(parents=True)
    for name, text in {
        "readme.md": "# Readme\n\nNothing here yet.\n",
        "error.log": "Error: 429 rate limit\nretry after 30 seconds\n",
        "Failed.md": "# Failed\n\nThe experiments that failed, and why.\n",
        "timeout notes.md": "The request timed out twice on Monday; 503 from the vendor. Closed.\n",
        "page.html": "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>\n",
        "answer.json": '{"success": false, "error": "internal server error"}\n',
        "empty.txt": "",
        "说明.md": "错误处理：系统繁忙时请稍后再试。\n",
        "sales.csv": "day,city,amount\n2026-01-01,Oslo,12\n2026-01-02,Bergen,0\n2026-01-03,Oslo,\n",
        "crash.md": "Traceback (most recent call last):\n  ConnectionRefusedError: [Errno 111] Connection refused\n",
    }.items():
        (ROOT / "files" / name).write_text(text)
    (ROOT / "files/empty").mkdir()
    (ROOT / "redirect.mjs").write_text(_REDIRECT)
    repository = ROOT / "files/repository"
    for command in (
        ["init", "-q", "-b", "main", str(repository)],
        ["-C", str(repository), "config", "user.name", "Ada"],
        ["-C", str(repository), "config", "user.email", "ada@example.com"],
    ):
        subprocess.run(["git", *command], check=True)
    for name, staged in (("one.txt", False), ("two.txt", True)):
        (repository / name).write_text(f"{name}\n")
        subprocess.run(["git", "-C", str(repository), "add", name], check=True)
        if not staged:
            subprocess.run(["git", "-C", str(repository), "commit", "-q", "-m", "Begin"], check=True)


class _Recorder:
    def __init__(self) -> None:
        self.commands = _commands(Path(os.environ["SERVERS"]))
        self.backend = Backend(BACKEND_PORT, ANSWERS)
        self.middle = HttpMiddle(_MIDDLE_PORT, _UPSTREAM_PORT)
        self.lines: list[dict[str, Any]] = []

    async def trace(self, number: int, name: str, calls: list[Call]) -> None:
        """Start the server and make the calls of one trace."""
        _reset()
        key, _, over_http = name.partition("@")
        command, environment = self.commands[key]
        environment = {"PATH": os.environ["PATH"], "HOME": f"{ROOT}/home", "TZ": "UTC", **environment}
        faults = {step: call.fault for step, call in enumerate(calls) if call.fault and not over_http}
        upstream = None
        if over_http:
            upstream = subprocess.Popen(
                [*command, "streamableHttp"],
                env={**environment, "PORT": str(_UPSTREAM_PORT)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            await asyncio.sleep(2.5)
            source = Source(key, url=f"http://127.0.0.1:{_MIDDLE_PORT}/mcp")
        else:
            if faults:
                command = [sys.executable, str(_HERE / "faulty.py"), json.dumps(faults), "--", *command]
            source = Source(key, tuple(command), environment, ROOT / "home")
        try:
            async with connect(source) as connection:
                for step, call in enumerate(calls):
                    self.lines.append(await self._call(connection, number, step, call))
        finally:
            self.backend.fault = self.middle.fault = None
            if upstream is not None:
                upstream.terminate()
                upstream.wait()

    async def _call(self, connection: Connection, number: int, step: int, call: Call) -> dict[str, Any]:
        self.backend.fault, self.middle.fault = call.behind, call.fault
        begun, at = time.perf_counter(), datetime.now(UTC)
        limit = _SHORT_S if call.fault or call.is_short else _LIMIT_S
        result = await connection.call(Request(call.tool, call.arguments, call.arguments is None), limit_s=limit)
        letter, kind = call.label[0], call.label[1:]
        line: dict[str, Any] = {"trace": number, "step": step, "tool": call.tool}
        line |= {"arguments_omitted": True} if call.arguments is None else {"arguments": call.arguments}
        line |= {"result": result, "error_class": CLASSES[kind]}
        elapsed_ms = round((time.perf_counter() - begun) * 1000, 1)
        line |= {"at": at.isoformat(timespec="milliseconds"), "elapsed_ms": elapsed_ms}
        line |= {"server": connection.server.name, "version": connection.server.version}
        if letter in LABELS:
            line |= {"label": LABELS[letter], "label_reason": call.reason or REASONS[letter]}
        return line


async def main(only: list[str]) -> None:
    """Record everything, or only some servers to standard output."""
    recorder = _Recorder()
    for number, (name, calls) in enumerate(TRACES):
        if not only or name in only:
            print(number, name, len(calls), file=sys.stderr, flush=True)
            await recorder.trace(number, name, calls)
    opened = {number for number, (name, _) in enumerate(TRACES) if name in OPEN}
    if only:
        for line in recorder.lines:
            print(json.dumps(line, ensure_ascii=False))
        return
    for name, is_open in (("open", True), ("held", False)):
        chosen = [line for line in recorder.lines if (line["trace"] in opened) is is_open]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in chosen)
        (_HERE / "labelled" / f"{name}.jsonl").write_text(text)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
