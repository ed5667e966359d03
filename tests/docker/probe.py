"""An agent that looks around in its container, calls one tool, and prints what it found as JSON."""

import json
import os
import sys
import urllib.error
import urllib.request

BODY = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "slack_list_channels", "arguments": {"limit": 1}},
}


def ask(url: str, headers: dict[str, str]) -> str:
    """Return the status of a call and how its answer begins."""
    plain = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    request = urllib.request.Request(url, json.dumps(BODY).encode(), {**plain, **headers})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return f"{answer.status} {answer.read()[:40].decode()}"
    except urllib.error.HTTPError as refused:
        return str(refused.code)


with open(os.environ["FARM_MCP_CONFIG"]) as file:
    server = json.load(file)["mcpServers"]["slack"]
front = server["url"].split("/mcp/")[0]
found = {
    "own": ask(server["url"], server["headers"]),
    "others": [ask(f"{front}{path}", server["headers"]) for path in ("/mcp/default/slack", "/v1/farm", "/healthz")],
    "interfaces": sorted(os.listdir("/sys/class/net")),
    "environment": sorted(os.environ),
    "home": [os.environ["HOME"], os.getcwd(), os.listdir(".")],
    "prompt": len(sys.stdin.read()) > 20,
    "outside": os.path.exists("/work") or os.path.exists("/data/operator.token"),
}
sys.stdout.write(json.dumps({"result": json.dumps(found)}))
