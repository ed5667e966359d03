"""Starts OpenClaw in a trial: ``--agent "command:openclaw --model PROVIDER/MODEL"``. Written for 2026.9.6.

OpenClaw reads its servers from OPENCLAW_STATE_DIR/openclaw.json. `tools.toolSearch` off shows the model all tools; with
it, they hide behind a search. The prompt is an argument. Arguments such as --model are passed on.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

servers = json.loads(Path(os.environ["FARM_MCP_CONFIG"]).read_text())["mcpServers"]
entries = {
    name: {"url": each["url"], "transport": "streamable-http", "headers": each.get("headers", {})}
    for name, each in servers.items()
}
state = Path.home() / ".openclaw"
state.mkdir()
config = state / "openclaw.json"
config.write_text(json.dumps({"mcp": {"servers": entries}, "tools": {"toolSearch": False}}))

options = ["--config", str(config), "--cwd", str(Path.cwd()), "--json"]
prompt = sys.stdin.read()
environment = {**os.environ, "OPENCLAW_STATE_DIR": str(state)}
done = subprocess.run(["openclaw", "agent", "exec", prompt, *options, *sys.argv[1:]], env=environment)
sys.exit(done.returncode)
