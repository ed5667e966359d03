"""The smallest agent: looks what tools there are, calls one, and answers. Needs nothing but Python.

farm run demo --agent "command:python3 examples/agents/ten_lines.py" --tasks slack-boards-rate
"""

import json
import os
import urllib.request
from pathlib import Path

servers = json.loads(Path(os.environ["FARM_MCP_CONFIG"]).read_text())["mcpServers"]


def ask(app, method, **params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    request = urllib.request.Request(servers[app]["url"], body, headers | servers[app]["headers"])
    return json.load(urllib.request.urlopen(request))["result"]


tools = {app: [tool["name"] for tool in ask(app, "tools/list")["tools"]] for app in servers}
channels = ask("slack", "tools/call", name="slack_list_channels", arguments={"limit": 5})["content"][0]["text"]
print(f"I was asked: {os.environ['FARM_INSTRUCTION']} I have {tools}, and saw {channels}")
