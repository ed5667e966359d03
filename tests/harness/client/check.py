"""Plays recorded calls by mcp_farm_client beside packages that exclude mcp-farm; prints the scores as one JSON line.

It needs nothing of this repository but ``calls.json`` beside it. FARM_URL and FARM_TOKEN name a running farm. Each
``requirements-*.txt`` is an environment of its own, into which ``plugins/client`` is installed, too.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcp_farm_client import Play

URL, TOKEN = os.environ["FARM_URL"], os.environ["FARM_TOKEN"]
RECORDED = json.loads(Path(__file__).with_name("calls.json").read_text("utf-8"))


def score(task: str, calls: list[Mapping[str, Any]], answer: str) -> float:
    """Return the score of some calls and an answer."""
    with Play(task, RECORDED["seed"], url=URL, token=TOKEN) as play:
        offered = {tool["function"]["name"] for tool in play.tools("openai")}
        for call in calls:
            assert call["name"] in offered, call["name"]
            # As a model does, with arguments as text.
            done = play.call(call["name"], json.dumps(call["arguments"]))
            assert not done.is_error, done.text
        acc: float = play.finish(answer)["acc"]
    return acc


assert importlib.util.find_spec("mcp"), "this environment has no mcp"
assert not importlib.util.find_spec("farm"), "mcp-farm is installed here, so this environment shows nothing"
scores = {
    "oracle": {each["task"]: score(each["task"], each["calls"], each["answer"]) for each in RECORDED["trials"]},
    "null": {each["task"]: score(each["task"], [], "") for each in RECORDED["trials"]},
}
print(json.dumps(scores))
