"""Starts Codex in a trial: ``--agent command:codex``. Tried with 0.171.0.

Codex reads its servers from CODEX_HOME/config.toml; `http_headers` is the table it takes a bearer from. As nobody is
there to be asked, tools are approved in advance; its own shell stays, in a sandbox that may only read. Codex ignores
OPENAI_BASE_URL, so the address is written there, too; what answers at it must have the responses API. The prompt is on
standard input. Arguments such as --model are passed on.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

home = Path.home() / ".codex"
home.mkdir()
lines = []
if address := os.environ.get("OPENAI_BASE_URL"):
    key = "OPENAI_API_KEY" if os.environ.get("OPENAI_API_KEY") else "CODEX_API_KEY"
    lines += ['model_provider = "address"', "[model_providers.address]", 'name = "address"']
    lines += [f"base_url = {json.dumps(address)}", f'env_key = "{key}"', 'wire_api = "responses"']
    lines += ["supports_websockets = false"]
for name, server in json.loads(Path(os.environ["FARM_MCP_CONFIG"]).read_text())["mcpServers"].items():
    # A loaded machine needs longer than Codex's 10 s until a server has listed its tools.
    lines += [f"[mcp_servers.{name}]", f"url = {json.dumps(server['url'])}", "required = true"]
    lines += ["startup_timeout_sec = 120", 'default_tools_approval_mode = "approve"']
    lines += [f"[mcp_servers.{name}.http_headers]"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in server.get("headers", {}).items()]
(home / "config.toml").write_text("\n".join(lines) + "\n")

options = ["--json", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only"]
done = subprocess.run(["codex", "exec", *options, *sys.argv[1:], "-"], env={**os.environ, "CODEX_HOME": str(home)})
sys.exit(done.returncode)
