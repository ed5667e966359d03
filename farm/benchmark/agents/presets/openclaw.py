"""Starts OpenClaw in a trial: ``--agent "command:openclaw --model PROVIDER/MODEL"``. Tried with 2026.9.6.

OpenClaw reads its servers and its models from OPENCLAW_STATE_DIR/openclaw.json. `tools.allow` leaves out its own tools,
some forty. The model sees the farm's as they are: `tools.toolSearch` would hide them behind a search, and `codeMode`,
which newer models get, behind a tool that runs scripts. The farm ends a trial, not OpenClaw's own deadline of 600 s.
The prompt is on standard input. The model `local/NAME` is asked at OPENAI_BASE_URL by chat completions. Arguments such
as --model are passed on.
"""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

SERVER_TIMEOUT_MS = 120_000
ADDRESSES = {
    "openai": ("OPENAI_BASE_URL", "", "openai-responses", "OPENAI_API_KEY"),
    "anthropic": ("ANTHROPIC_BASE_URL", "", "anthropic-messages", "ANTHROPIC_API_KEY"),
    "google": ("GOOGLE_GEMINI_BASE_URL", "/v1beta", "google-generative-ai", "GEMINI_API_KEY"),
    "local": ("OPENAI_BASE_URL", "", "openai-completions", "OPENAI_API_KEY"),
}


def configured_provider(provider: str, name: str) -> dict[str, object]:
    """Return the configuration of a model's provider, if it is asked at another address than its own."""
    variable, path, api, key = ADDRESSES.get(provider, ("", "", "", ""))
    address = os.environ.get(variable)
    if provider == "local" and not address:
        sys.exit(f"the model local/{name} needs the address of its API in OPENAI_BASE_URL")
    if not address:
        return {}
    models = [{"id": name, "name": name, "input": ["text"] if provider == "local" else ["text", "image"]}]
    entry = {"baseUrl": address.rstrip("/") + path, "api": api, "apiKey": os.environ.get(key, "none"), "models": models}
    return {provider: entry}


arguments = [part for each in sys.argv[1:] for part in (each.split("=", 1) if each.startswith("--model=") else [each])]
model = next((value for name, value in pairwise(arguments) if name == "--model"), "")
provider, _, name = model.partition("/")
servers = json.loads(Path(os.environ["FARM_MCP_CONFIG"]).read_text())["mcpServers"]
entries = {
    server: {
        "url": each["url"],
        "transport": "streamable-http",
        "headers": each.get("headers", {}),
        "connectionTimeoutMs": SERVER_TIMEOUT_MS,
        "requestTimeoutMs": SERVER_TIMEOUT_MS,
    }
    for server, each in servers.items()
}
settings = {
    "mcp": {"servers": entries},
    "models": {"providers": configured_provider(provider, name)},
    "tools": {"allow": ["bundle-mcp"], "toolSearch": False, "codeMode": {"enabled": False}},
}
state = Path.home() / ".openclaw"
state.mkdir()
config = state / "openclaw.json"
config.write_text(json.dumps(settings))

options = ["--config", str(config), "--cwd", str(Path.cwd()), "--json", "--timeout", "0", "--message-file", "-"]
environment = {**os.environ, "OPENCLAW_STATE_DIR": str(state)}
command = ["openclaw", "agent", "exec", *options, *arguments]
done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
try:
    told = json.loads(done.stdout)
except ValueError:
    sys.stdout.write(done.stdout)
    sys.exit(done.returncode or 1)
answer: dict[str, object] = {"answer": told.get("final") or ""}
if used := told.get("usage"):
    tokens = {"inputTokens": used.get("input", 0), "outputTokens": used.get("output", 0)}
    tokens |= {"cacheReadInputTokens": used.get("cacheRead", 0), "cacheCreationInputTokens": used.get("cacheWrite", 0)}
    answer["modelUsage"] = {told["model"]: tokens}
if problem := told.get("error"):
    answer["error"] = problem
sys.stdout.write(json.dumps(answer) + "\n")
sys.exit(done.returncode)
