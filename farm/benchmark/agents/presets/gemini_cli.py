"""Starts Gemini CLI in a trial: ``--agent command:gemini-cli``. Tried with 0.61.0.

Gemini CLI reads its servers from ~/.gemini/settings.json, an address over HTTP as `httpUrl`. `trust` lets their tools
be called without asking; of its own tools, those that would ask are refused. The prompt is on standard input.
Arguments such as --model are passed on; without it, a model is asked first which model to ask.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

servers = json.loads(Path(os.environ["FARM_MCP_CONFIG"]).read_text())["mcpServers"]
mcp = {
    name: {"httpUrl": each["url"], "headers": each.get("headers", {}), "trust": True} for name, each in servers.items()
}
settings = {
    "mcpServers": mcp,
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
}
(Path.home() / ".gemini").mkdir()
(Path.home() / ".gemini" / "settings.json").write_text(json.dumps(settings))

done = subprocess.run(["gemini", "--output-format", "json", "--skip-trust", *sys.argv[1:]])
sys.exit(done.returncode)
