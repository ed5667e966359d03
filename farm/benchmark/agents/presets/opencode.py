"""Starts opencode in a trial: ``--agent "command:opencode --model PROVIDER/MODEL"``. Tried with 1.18.33.

opencode reads its servers and its models from ~/.config/opencode/opencode.json. All tools but the farm's are denied, so
the model does not see them; a call that is repeated would be asked about, and nobody is there. The prompt is on
standard input: in an argument, opencode escapes its quotes. The session has a title, or a model would be asked for one.
The model `local/NAME` is asked at OPENAI_BASE_URL by chat completions. Arguments such as --model are passed on.
"""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

# A loaded machine needs longer than opencode's 5 s until all servers have listed their tools.
SERVER_TIMEOUT_MS = 120_000
ADDRESSES = {
    "openai": ("OPENAI_BASE_URL", ""),
    "anthropic": ("ANTHROPIC_BASE_URL", "/v1"),
    "google": ("GOOGLE_GEMINI_BASE_URL", "/v1beta"),
}


def configured_provider(provider: str, name: str) -> dict[str, object]:
    """Return the configuration of a model's provider, if it is asked at another address than its own."""
    models = {name: {"name": name}}
    if provider == "local":
        if not os.environ.get("OPENAI_BASE_URL"):
            sys.exit(f"the model local/{name} needs the address of its API in OPENAI_BASE_URL")
        options = {"baseURL": os.environ["OPENAI_BASE_URL"], "apiKey": os.environ.get("OPENAI_API_KEY", "none")}
        return {"local": {"npm": "@ai-sdk/openai-compatible", "options": options, "models": models}}
    variable, path = ADDRESSES.get(provider, ("", ""))
    if address := os.environ.get(variable):
        return {provider: {"options": {"baseURL": address.rstrip("/") + path}, "models": models}}
    return {}


arguments = [part for each in sys.argv[1:] for part in (each.split("=", 1) if each.startswith("--model=") else [each])]
model = next((value for name, value in pairwise(arguments) if name in ("-m", "--model")), "")
provider, _, name = model.partition("/")
servers = json.loads(Path(os.environ["FARM_MCP_CONFIG"]).read_text())["mcpServers"]
entries = {
    server: {
        "type": "remote",
        "url": each["url"],
        "enabled": True,
        "headers": each.get("headers", {}),
        "oauth": False,
        "timeout": SERVER_TIMEOUT_MS,
    }
    for server, each in servers.items()
}
settings = {
    "mcp": entries,
    "provider": configured_provider(provider, name),
    "permission": {"*": "deny", "doom_loop": "allow", **{f"{server}_*": "allow" for server in servers}},
    "autoupdate": False,
    "share": "disabled",
}
folder = Path.home() / ".config" / "opencode"
folder.mkdir(parents=True)
(folder / "opencode.json").write_text(json.dumps(settings))

options = ["--format", "json", "--title", "trial", "--print-logs", "--log-level", "ERROR"]
environment = dict(os.environ)
if key := environment.get("GEMINI_API_KEY"):
    environment["GOOGLE_GENERATIVE_AI_API_KEY"] = key  # the name by which its Google provider reads the key
# Not a pipe: opencode ends before all that it printed has gone through one.
events = Path.home() / "events.jsonl"
with events.open("wb") as file:
    done = subprocess.run(["opencode", "run", *options, *arguments], env=environment, stdout=file)
answer, prompt, completion, cached = "", 0, 0, 0
# Texts in the events may have line separators of Unicode, at which splitlines() would cut.
for line in events.read_text("utf-8", "replace").removesuffix("\n").split("\n"):
    sys.stdout.write(f"{line}\n")
    try:
        event = json.loads(line)
    except ValueError:
        continue
    part = event.get("part", {})
    if event.get("type") == "text":
        answer = part["text"]
    elif event.get("type") == "step_finish":
        tokens, cache = part["tokens"], part["tokens"]["cache"]
        before = tokens["input"] + cache["read"] + cache["write"]
        prompt, cached = prompt + before, cached + cache["read"]
        # The total counts the tokens of reasoning, too.
        completion += max(tokens["output"], tokens.get("total", 0) - before)
usage = {"prompt_tokens": prompt, "completion_tokens": completion, "cached_input_tokens": cached}
sys.stdout.write(json.dumps({"answer": answer, **({"usage": usage} if prompt else {})}) + "\n")
sys.exit(done.returncode)
