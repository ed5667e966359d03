"""The real MCPollinations beside ours: the same calls, in front of a stand-in for the service.

No registry has it: where ``FARM_REAL_SERVERS`` names a folder, its folder ``MCPollinations@6498564`` is that commit of
pinkpixel-dev/MCPollinations, with the packages it needs. The stand-in answers over HTTP with what our own app has: its
models, its pictures, its texts, and its refusals as statuses.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import shutil
import threading
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from farm import content
from farm.testing import LocalApp
from farm.traverse.fidelity.compare import Mask
from farm.traverse.fidelity.fidelity import measure
from farm.traverse.fidelity.replay import Start
from farm.traverse.fidelity.side_by_side import ask, read_questions
from farm.traverse.transport.source import Source
from tests.upstream.real import install_folder

REDIRECT = Path(__file__).with_name("redirect.mjs")
NODE = shutil.which("node") or ""

pytestmark = pytest.mark.skipif(not NODE, reason="Node is not installed")

MASKS = [
    Mask("name", re.compile(r"_(?P<value>\d{13}_\d{1,4})(?=(?:_\d+)?\.)"), "the time, and digits that are drawn"),
    # Seeds that are given have seven digits or none.
    Mask("drawn", re.compile(r"seed(?:=|\": )(?P<value>\d{1,6})(?=[&,])"), "a seed that nobody gave is drawn"),
]

SEED = 1_234_567
PICTURE = {"prompt": "a red fox", "seed": SEED, "width": 64, "height": 48}
URL = "https://example.org/a.png"
ALIKE: list[dict[str, Any]] = [
    *({**PICTURE, "fileName": "size", "width": width, "height": 40} for width in (1, 8, 33, 200, "50", 12.7)),
    *({**PICTURE, "fileName": "seed", "seed": seed} for seed in (SEED + 1, None, "abc", -3_000_000)),
    *({**PICTURE, "fileName": "model", "model": model} for model in ("turbo", "seedream")),
    *({**PICTURE, "fileName": "flags", "enhance": each, "safe": not each} for each in (True, False)),
    {"prompt": ""},
    {"prompt": 5},
    {"prompt": ["a"]},
    {},
    {**PICTURE, "safe": None},
    {**PICTURE, "model": "no-such-model"},
    {**PICTURE, "fileName": "fox"},
    {**PICTURE, "fileName": "fox"},
    {**PICTURE, "fileName": "fox", "format": "jpg"},
    {**PICTURE, "fileName": "a/b"},
    {**PICTURE, "fileName": "deep", "outputPath": "out/deeper/../pictures"},
    {**PICTURE, "outputPath": 5},
    {**PICTURE, "outputPath": None},
    {**PICTURE, "outputPath": ""},
    {**PICTURE, "outputPath": "mcpollinations-output/fox.png"},
    {**PICTURE, "outputPath": "mcpollinations-output/fox.png/below"},
    {**PICTURE, "fileName": "gif", "format": "gif"},
    {**PICTURE, "fileName": "x" * 260},
]
OF_OTHERS: list[dict[str, Any]] = [
    *({**each, "imageUrl": URL} for each in ALIKE),
    *({**PICTURE, "fileName": "other", "imageUrl": each} for each in (URL, [URL, ""], f"{URL}, {URL}", [], [URL, URL])),
    *(
        {**PICTURE, "imageUrl": each}
        for each in (None, "", 5, {"url": URL}, "/local.png", "data:image/png;base64,AA==")
    ),
    {**PICTURE, "fileName": "big.PNG", "imageUrl": URL, "format": "PNG"},
    {**PICTURE, "fileName": "no", "imageUrl": URL, "format": None},
    {**PICTURE, "fileName": "no", "imageUrl": URL, "format": 5},
    {**PICTURE, "fileName": 5, "imageUrl": URL},
    {"prompt": "Ünïcode 🦊 & more than twenty characters", "seed": SEED, "width": 16, "height": 16, "imageUrl": URL},
]
ASKED: dict[str, list[dict[str, Any]]] = {
    "generateImageUrl": [
        {"prompt": "a red fox & snow", "seed": SEED},
        {"prompt": "drawn"},
        {"prompt": "~!*'() ünï 红", "seed": SEED, "model": "a b~*'()", "enhance": False, "safe": True},
        {"prompt": "x", "seed": None, "width": "abc", "height": 0, "enhance": 0, "safe": "no"},
        {"prompt": "x", "seed": [1, 2], "model": {"a": 1}, "width": 1.5, "height": 1e21, "enhance": "false"},
        {"prompt": "x", "seed": SEED, "safe": None},
        {"prompt": "x", "seed": SEED, "model": None, "width": None, "height": "", "safe": {"a": 1}},
        *({"prompt": each} for each in ("", 5, None, ["a"], {"a": 1})),
        {},
    ],
    "generateImage": [
        *ALIKE,
        {**PICTURE, "fileName": 5},
        {**PICTURE, "fileName": "no", "format": None},
        {"prompt": "Ünïcode 🦊 & more than twenty characters", "seed": SEED, "width": 16, "height": 16},
        {"prompt": "night", "seed": None, "width": "abc", "height": 0},
    ],
    "editImage": OF_OTHERS,
    "generateImageFromReference": OF_OTHERS,
    "respondAudio": [
        {"prompt": "hello"},
        {"prompt": "hello", "voice": "nova", "seed": 3},
        {"prompt": "hello", "voiceInstructions": "slowly", "seed": None},
        *({"prompt": "hello", "voice": each} for each in ("nobody", None, 5)),
        *({"prompt": each} for each in ("", 5, None)),
        {},
    ],
    "respondText": [
        {"prompt": "hello there", "seed": SEED},
        {"prompt": "你好", "seed": SEED, "model": "mistral", "temperature": 0.5, "top_p": 1, "system": "short"},
        {"prompt": "a " * 200, "seed": SEED, "model": ""},
        *({"prompt": "hello", "seed": SEED, "model": each} for each in ("no-such-model", 5)),
        *({"prompt": each} for each in ("", 5, None)),
        {},
    ],
    **{name: [{}, {"a": 1}] for name in ("listImageModels", "listTextModels", "listAudioVoices")},
    **{name: [{}] for name in ("listVoices", "generateimage", "sayText")},
}
CALLS = [(tool, arguments) for tool, given in ASKED.items() for arguments in given]


@pytest.fixture
def stand_in(tmp_path: Path) -> Iterator[str]:
    """Serve what our app has, as the service does; its address."""
    app = LocalApp("pollinations", tmp_path / "stand-in")

    class Service(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            status, kind, body = _answer(app, unquote(asked.path), parse_qs(asked.query, keep_blank_values=True))
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
    app.close()


def _answer(app: LocalApp, path: str, query: dict[str, list[str]]) -> tuple[HTTPStatus, str, bytes]:
    given: dict[str, Any] = {name: values[0] for name, values in query.items() if name != "image"}
    _, service, *rest = path.split("/", 3 if path.startswith("/image/prompt/") else 2)
    if rest == ["models"]:
        said = app.call("listImageModels" if service == "image" else "listTextModels")
        return HTTPStatus.OK, "application/json", json.dumps(said if service == "image" else said["models"]).encode()
    given["prompt"] = rest[-1]
    if service == "text":
        tool = "respondAudio" if given.get("model") == "openai-audio" else "respondText"
    else:
        tool = "editImage" if "image" in query else "generateImage"
        given["imageUrl"] = query.get("image")
    result = app.result(tool, **given)
    if "isError" in result:
        said = result["content"][0]["text"]
        return next(each for each in HTTPStatus if said.endswith(f": {each.phrase}")), "text/plain", b""
    if tool.endswith("Image"):
        return HTTPStatus.OK, "image/jpeg", base64.b64decode(result["content"][0]["data"])
    return HTTPStatus.OK, "text/plain", result["content"][0]["text"].encode()


def test_ours_says_what_the_real_one_says(stand_in: str, tmp_path: Path) -> None:
    program = install_folder() / "MCPollinations@6498564" / "pollinations-mcp-server.js"
    if not program.is_file():
        pytest.skip(f"there is no {program}")
    questions, folder = tmp_path / "calls.jsonl", tmp_path / "real"
    folder.mkdir()
    asked = ({"tool": tool, "arguments": arguments, "result": {"content": []}} for tool, arguments in CALLS)
    questions.write_text("".join(json.dumps(each) + "\n" for each in asked))
    command = (NODE, "--import", str(REDIRECT), str(program))
    environment = {"PATH": os.environ["PATH"], "STAND_IN": stand_in, "TMPDIR": str(tmp_path)}

    real = asyncio.run(ask(Source("mcpollinations", command, environment, folder), read_questions(questions, None)))
    found = measure(content.load_app("pollinations"), real, Start(), tmp_path / "ours", masks=MASKS, is_sequence=False)

    successes = sum("error" not in each.result and not each.result.get("isError") for each in real)
    assert len(CALLS) >= 60
    assert 2 * successes >= len(CALLS)
    assert found["agreement"] >= 0.98, found["differences"]
    assert found["bodies"]["leaf_equal"] >= 0.95, found["differences"]
    assert found["exact"] >= 0.95, found["differences"]
