"""Starts Claude Code in a trial: ``--agent command:claude-code``. Tried with 2.1.332.

--bare leaves out what would come from your own machine: plugins, memory, keychain. --tools "" takes away the built-in
tools, so that the farm's are all there is; those may be called without asking. ENABLE_TOOL_SEARCH would hide a long
menu behind a search. The prompt is on standard input. Arguments such as --model are passed on.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

config = os.environ["FARM_MCP_CONFIG"]
allowed = [f"mcp__{name}" for name in json.loads(Path(config).read_text())["mcpServers"]]

options = ["--bare", "--tools", "", "--mcp-config", config, "--strict-mcp-config", "--allowed-tools", ",".join(allowed)]
options += ["--no-session-persistence", "--output-format", "json"]
environment = {**os.environ, "ENABLE_TOOL_SEARCH": "false"}
done = subprocess.run(["claude", "--print", *options, *sys.argv[1:]], env=environment)
sys.exit(done.returncode)
