"""Plays recorded calls by mcp_farm_client in an environment without mcp-farm, and prints the mean score as JSON.

It needs nothing of this repository but ``calls.json`` beside it. FARM_URL and FARM_TOKEN name a running farm. Each
``requirements-*.txt`` is an environment of its own, into which ``plugins/client`` is installed, too.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import sys
from pathlib import Path

from mcp_farm_client import Play


def main() -> int:
    """Play every recorded task and print ``{"tasks", "acc", "mcp"}``."""
    if importlib.util.find_spec("farm") is not None:
        sys.stderr.write("mcp-farm is installed here, so this environment shows nothing\n")
        return 1
    url, token = os.environ["FARM_URL"], os.environ["FARM_TOKEN"]
    recorded = json.loads(Path(__file__).with_name("calls.json").read_text("utf-8"))
    scores = []
    for trial in recorded["trials"]:
        with Play(trial["task"], recorded["seed"], url=url, token=token) as play:
            offered = {tool["function"]["name"] for tool in play.tools("openai")}
            for call in trial["calls"]:
                assert call["name"] in offered, call["name"]
                # As a model does, with arguments as text.
                done = play.call(call["name"], json.dumps(call["arguments"]))
                assert not done.is_error, done.text
            scores.append(play.finish(trial["answer"])["acc"])
    found = {"tasks": len(scores), "acc": sum(scores) / len(scores), "mcp": importlib.metadata.version("mcp")}
    sys.stdout.write(json.dumps(found) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
