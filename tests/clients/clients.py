"""Starts the desktop clients as a person would: with the file that ``farm connect`` writes, and one prompt."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PROGRAM_S_MAX = 240.0
FARM = (sys.executable, "-m", "farm")


@dataclass(frozen=True)
class Given:
    """What a program gets.

    Attributes:
        folder: its home and working folder.
        path: the folder of its commands.
        node: the folder of Node's program.
        url, token: the app's address and bearer.
        job: the prompt.
        turns: the script's turns, for programs without an agent.
        model: the environment variables that name the model.
        connect: the options of ``farm connect`` for the farm and the episode.
    """

    folder: Path
    path: Path
    node: Path
    url: str
    token: str
    job: str
    turns: list[Any]
    model: Mapping[str, str]
    connect: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)

    def variables(self, **more: str) -> dict[str, str]:
        """Return the environment of the program: a home of its own, and nothing of this checkout."""
        own = {key: os.environ[key] for key in ("LANG", "TMPDIR", "SSL_CERT_FILE") if key in os.environ}
        path = os.pathsep.join([str(self.path), str(self.node), "/usr/local/bin", "/usr/bin", "/bin"])
        home = {"HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder / ".config"), "PATH": path}
        silent = {"NO_COLOR": "1", "CI": "1", "DO_NOT_TRACK": "1"}
        return {**own, **home, **silent, **self.model, **self.environment, **more}

    def run(self, *command: str, given: str | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the program's folder."""
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.variables(**more),
            input=given if given is not None else "",
            capture_output=True,
            text=True,
            timeout=PROGRAM_S_MAX,
            check=False,
        )

    def connected(self, client: str, file: str, *options: str) -> Path:
        """Write the client's file by ``farm connect`` and return it."""
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        command = [*FARM, "connect", client, *self.connect, "--write", "--file", str(path), *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        return path


Done = subprocess.CompletedProcess[str]


def _claude_code(given: Given) -> Done:
    file = given.connected("claude-code", ".mcp.json")
    options = ["--mcp-config", str(file), "--strict-mcp-config", "--allowed-tools", "mcp__lark"]
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1", "IS_SANDBOX": "1"}
    return given.run("claude", "--print", given.job, *options, ENABLE_TOOL_SEARCH="false", **quiet)


def _codex(given: Given) -> Done:
    file = given.connected("codex", ".codex/config.toml")
    provider = {"name": "mock", "base_url": given.model["OPENAI_BASE_URL"], "env_key": "OPENAI_API_KEY"}
    table = "\n".join(f"{key} = {json.dumps(value)}" for key, value in provider.items())
    head = 'model = "gpt-5"\nmodel_provider = "mock"\n'
    file.write_text(
        f'{head}{file.read_text("utf-8")}\n[model_providers.mock]\n{table}\nwire_api = "responses"\n', "utf-8"
    )
    assert tomllib.loads(file.read_text("utf-8"))
    options = ["--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only"]
    return given.run("codex", "exec", *options, "-", given=given.job, CODEX_HOME=str(file.parent))


def _gemini_cli(given: Given) -> Done:
    file = given.connected("gemini-cli", ".gemini/settings.json")
    config: dict[str, Any] = json.loads(file.read_text("utf-8"))
    config |= {"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False}}
    file.write_text(json.dumps(config), "utf-8")
    return given.run("gemini", "--skip-trust", "--model", "gemini-2.5-flash", "--prompt", given.job)


def _openclaw(given: Given) -> Done:
    file = given.connected("openclaw", ".openclaw/openclaw.json")
    config: dict[str, Any] = json.loads(file.read_text("utf-8"))
    model = {"id": "m", "name": "m", "contextWindow": 1_000_000, "maxTokens": 8000}
    mock = {
        "baseUrl": given.model["OPENAI_BASE_URL"],
        "apiKey": given.model["OPENAI_API_KEY"],
        "api": "openai-completions",
        "models": [model],
    }
    # As the printed advice has it: openclaw config set tools.toolSearch false
    config |= {"models": {"providers": {"mock": mock}}, "tools": {"toolSearch": False}}
    file.write_text(json.dumps(config), "utf-8")
    options = ["--config", str(file), "--model", "mock/m", "--cwd", str(given.folder), "--json"]
    return given.run("openclaw", "agent", "exec", given.job, *options, OPENCLAW_STATE_DIR=str(file.parent))


def _opencode(given: Given) -> Done:
    file = given.connected("opencode", ".config/opencode/opencode.json")
    config: dict[str, Any] = json.loads(file.read_text("utf-8"))
    options = {"baseURL": given.model["OPENAI_BASE_URL"], "apiKey": given.model["OPENAI_API_KEY"]}
    models = {"m": {"name": "m", "limit": {"context": 200_000, "output": 8000}, "tool_call": True}}
    config["provider"] = {"mock": {"npm": "@ai-sdk/openai-compatible", "options": options, "models": models}}
    config |= {"autoupdate": False, "share": "disabled"}
    file.write_text(json.dumps(config), "utf-8")
    return given.run("opencode", "run", "--model", "mock/m", given.job)


def _inspector(given: Given) -> Done:
    file = given.connected("inspector", "mcp-inspector.json")

    def ask(*arguments: str) -> Any:
        command = [
            "mcp-inspector",
            "--cli",
            "--config",
            str(file),
            "--server",
            "lark",
            *arguments,
            "--format",
            "json",
            "-q",
        ]
        done = given.run(*command)
        if done.returncode:
            raise RuntimeError((done.stderr or done.stdout).strip()[-300:])
        return _inner(json.loads(done.stdout))

    tools = len(ask("--method", "tools/list")["tools"])

    def call(tool: str, arguments: Any) -> Any:
        options = ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments)]
        return json.loads(ask(*options)["content"][0]["text"])

    return _by_hand(given, tools, call)


def _inner(told: Any) -> Any:
    """Return the result inside of the envelope that Inspector may print."""
    return told["result"] if isinstance(told, dict) and "result" in told and "content" not in told else told


def _over_stdio(given: Given, command: list[str], environment: Mapping[str, str]) -> Done:
    """Play the calls by lines over a program's stdin and stdout."""
    program = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd="/",
        env=dict(environment),
    )
    source, target = program.stdout, program.stdin
    assert source is not None
    assert target is not None
    numbers = iter(range(1, 1000))

    def ask(method: str, params: Any) -> Any:
        number = next(numbers)
        target.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
        target.flush()
        for line in source:
            told = json.loads(line)
            if told.get("id") == number:
                if "error" in told:
                    raise RuntimeError(str(told["error"]))
                return told["result"]
        raise RuntimeError(f"{command[0]} ended without an answer")

    try:
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        ask("initialize", about)
        target.write(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n")
        tools = len(ask("tools/list", {})["tools"])

        def call(tool: str, arguments: Any) -> Any:
            told = ask("tools/call", {"name": tool, "arguments": arguments})
            return json.loads(told["content"][0]["text"])

        return _by_hand(given, tools, call)
    finally:
        target.close()
        try:
            program.wait(20)
        except subprocess.TimeoutExpired:
            program.kill()


def _mcp_remote(given: Given) -> Done:
    file = given.connected("mcp-remote", "mcp.json")
    entry = json.loads(file.read_text("utf-8"))["mcpServers"]["lark"]
    # npx would fetch it; it is installed here.
    assert entry["args"][:2] == ["--yes", "mcp-remote"]
    return _over_stdio(given, ["mcp-remote", *entry["args"][2:]], given.variables())


def _mcpb(given: Given) -> Done:
    bundle = given.folder / "lark.mcpb"
    given.connected("claude-desktop", "claude.json", "--mcpb", str(bundle))
    there = given.folder / "bundle"
    with zipfile.ZipFile(bundle) as packed:
        packed.extractall(there)
    for command in (["validate", str(there / "manifest.json")], ["pack", str(there), str(given.folder / "x.mcpb")]):
        done = given.run("mcpb", *command)
        if done.returncode:
            return done
    start = json.loads((there / "manifest.json").read_text("utf-8"))["server"]["mcp_config"]
    arguments = [each.replace("${__dirname}", str(there)) for each in start["args"]]
    return _over_stdio(given, [sys.executable, *arguments], {**os.environ})


def _fastmcp(given: Given) -> Done:
    file = given.connected("generic", "mcp.json")

    def ask(*arguments: str) -> Any:
        done = given.run("fastmcp", *arguments, "--json")
        if done.returncode:
            raise RuntimeError((done.stderr or done.stdout).strip()[-300:])
        return json.loads(done.stdout)

    server = [str(file)]
    listed = ask("list", *server)
    tools = len(listed["tools"] if isinstance(listed, dict) else listed)

    def call(tool: str, arguments: Any) -> Any:
        told = ask("call", *server, tool, "--input-json", json.dumps(arguments))
        return json.loads(told["content"][0]["text"])

    return _by_hand(given, tools, call)


def _by_hand(given: Given, tools: int, call: Callable[[str, Any], Any]) -> Done:
    """Make the script's calls one by one."""
    sys.path.insert(0, str(Path(__file__).resolve().parent / "drivers"))
    try:
        from _by_hand import fill  # type: ignore[import-not-found]
    finally:
        sys.path.pop(0)
    results: dict[str, Any] = {}
    for turn in given.turns:
        if isinstance(turn, dict):
            results[str(turn.get("as", turn["tool"]))] = call(turn["tool"], fill(turn.get("arguments", {}), results))
    return subprocess.CompletedProcess([], 0, json.dumps({"tools": tools}), "")


CLIENTS: Mapping[str, Callable[[Given], Done]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "gemini-cli": _gemini_cli,
    "openclaw": _openclaw,
    "opencode": _opencode,
    "inspector": _inspector,
    "mcp-remote": _mcp_remote,
    "mcpb": _mcpb,
    "fastmcp": _fastmcp,
}


def run_driver(given: Given, name: str, kind: str = "drive") -> Done:
    """Run a framework's driver in its environment; one of another kind does another job."""
    driver = Path(__file__).resolve().parent / "drivers" / f"{kind}_{name.replace('-', '_')}.py"
    job = {"MCP_URL": given.url, "MCP_TOKEN": given.token, "JOB": given.job, "TURNS": json.dumps(given.turns)}
    quiet = {
        "OTEL_SDK_DISABLED": "true",
        "CREWAI_DISABLE_TELEMETRY": "true",
        "MCP_USE_ANONYMIZED_TELEMETRY": "false",
        "ANONYMIZED_TELEMETRY": "false",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return given.run(str(given.path / "python"), "-u", str(driver), **job, **quiet)


def shown(done: Done) -> str:
    """Return the last words of a program."""
    said = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return said[-1][:300] if said else f"ended with {done.returncode}"
