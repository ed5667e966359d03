"""The real deepseek-mcp-server beside ours: the handshake, prompts, resources, and methods that it does not have."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from farm.appkit.tool_schemas import structure
from farm.testing import LocalApp
from farm.traverse.transport.connection import connect
from farm.traverse.transport.source import Source
from tests.upstream.deepseek.service import service
from tests.upstream.real import npm_package, serving

GET, READ, STARTER = "prompts/get", "resources/read", "deepseek_chat_starter"
ROOT, TALKS = "deepseek://api/", "deepseek://conversations/"
WRONG: tuple[Any, ...] = (5, None, ["a"])
ARGUMENTS: tuple[Any, ...] = (
    {"task": "write"},
    {"task": "write", "style": "short"},
    {"task": "write", "style": "short", "model": "m"},
    {"task": "x", "style": ""},
    {"task": "x", "model": ""},
    {"task": '你好 "q"\n🦊'},
    {"task": "x", "other": "y"},
    {"task": ""},
    {},
    *({"task": each} for each in WRONG),
    {"task": "x", "style": 5},
    [],
    "x",
    None,
)
PARAMS: tuple[Any, ...] = (None, {}, {"name": STARTER}, {"name": "no", "arguments": {"a": 5}})

ASKED: list[tuple[str, Any]] = [
    *((method, params) for method in ("prompts/list", "resources/list") for params in (None, {}, {"cursor": "x"})),
    *((method, {"cursor": 5}) for method in ("prompts/list", "resources/list", "resources/templates/list")),
    ("resources/templates/list", None),
    *((GET, {"name": STARTER, "arguments": each}) for each in ARGUMENTS),
    *((GET, each) for each in PARAMS),
    *((GET, {"name": each}) for each in ("no", "", *WRONG)),
    *((READ, {"uri": ROOT + each}) for each in ("runtime", "models/live", "no", "runtime/")),
    *(
        (READ, {"uri": TALKS + each})
        for each in ("c1", "%E4%B8%AD", "中", "a%20b", "", "a/b", "%", "a?x=1", "a#f", "a,b")
    ),
    *(
        (READ, {"uri": each})
        for each in ("DEEPSEEK://api/runtime", " deepseek://api/runtime", "deepseek://API/runtime")
    ),
    *((READ, {"uri": each}) for each in ("no", "", "http://x", "http://", *WRONG)),
    (READ, None),
    (READ, {}),
    *((method, {"uri": f"{ROOT}runtime"}) for method in ("resources/subscribe", "resources/unsubscribe")),
    (
        "completion/complete",
        {"ref": {"type": "ref/prompt", "name": STARTER}, "argument": {"name": "task", "value": ""}},
    ),
    ("logging/setLevel", {"level": "info"}),
    *((method, None) for method in ("ping", "tasks/list", "no/method")),
    *(
        ("tools/call", {"name": "chat_completion", "arguments": {"message": "hi", "conversation_id": each}})
        for each in ("c1", "a b/中")
    ),
    ("resources/list", None),
    *((READ, {"uri": TALKS + each}) for each in ("c1", "a%20b%2F%E4%B8%AD")),
    (READ, {"uri": f"{ROOT}runtime"}),
]


async def _answers(source: Source) -> list[Any]:
    async with connect(source) as connection:
        return [connection.hello, *[await connection.request(method, params) for method, params in ASKED]]


def test_ours_says_what_the_real_one_says(tmp_path: Path) -> None:
    entry = npm_package("deepseek-mcp-server", "1.0.1") / "build" / "index.js"
    with LocalApp("deepseek", tmp_path / "stand-in", now="live") as behind, serving(service(behind)) as url:
        environment = {"PATH": os.environ["PATH"], "DEEPSEEK_API_KEY": "none", "DEEPSEEK_BASE_URL": url}
        real = asyncio.run(_answers(Source("real", ("node", str(entry)), environment, tmp_path)))
    with LocalApp("deepseek", tmp_path / "ours", now="live") as app:
        ours = asyncio.run(_answers(Source("ours", url=app.url)))

    # Descriptions are ours, and a call's answer is compared elsewhere.
    differing = [
        asked
        for asked, left, right in zip(["hello", *ASKED], real, ours, strict=True)
        if asked[0] != "tools/call" and structure(left) != structure(right)
    ]
    assert len(ASKED) >= 60
    assert differing == []
