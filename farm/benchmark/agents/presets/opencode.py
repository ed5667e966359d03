"""Starts opencode in a trial: ``--agent "command:opencode --model PROVIDER/MODEL"``. Written for 1.18.4.

opencode reads its servers from ~/.config/opencode/opencode.json. The prompt is an argument. Arguments such as --model
are passed on.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

servers = json.loads(Path(os.environ["FARM_MCP_CONFIG"]).read_text())["mcpServers"]
entries = {
    name: {"type": "remote", "url": each["url"], "enabled": True, "headers": each.get("headers", {})}
    for name, each in servers.items()
}
folder = Path.home() / ".config" / "opencode"
folder.mkdir(parents=True)
settings = {"mcp": entries, "autoupdate": False, "share": "disabled"}
(folder / "opencode.json").write_text(json.dumps(settings))

done = subprocess.run(["opencode", "run", *sys.argv[1:], sys.stdin.read()])
sys.exit(done.returncode)
