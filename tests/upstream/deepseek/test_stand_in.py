"""The stand-in for DeepSeek's API, asked without the real server: it asks our tools, which change unseen by it."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from typing import Any

from farm.testing import LocalApp
from tests.upstream.deepseek.service import service
from tests.upstream.real import serving


def test_it_answers_with_what_our_app_has(start: Callable[..., LocalApp]) -> None:
    chat: dict[str, Any] = {"model": "deepseek-v4-pro", "messages": [{"role": "user", "content": "hi"}]}

    def ask(path: str, body: Any = None) -> str:
        with urllib.request.urlopen(f"{url}{path}", body and json.dumps(body).encode()) as reply:
            return str(reply.read().decode())

    with serving(service(start("deepseek"))) as url:
        models, files = json.loads(ask("/models")), json.loads(ask("/files?limit=2"))
        said = json.loads(ask("/chat/completions", chat))
        events = ask("/chat/completions", {**chat, "stream": True}).split("\n\n")

    assert chat["model"] in {each["id"] for each in models["data"]}
    assert files["data"] == []
    assert (said["model"], said["choices"][0]["message"]["role"]) == (chat["model"], "assistant")
    chunks = [json.loads(each.removeprefix("data: ")) for each in events[:-2]]
    assert (chunks[0]["model"], events[-2:]) == (chat["model"], ["data: [DONE]", ""])
