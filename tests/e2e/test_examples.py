"""The agents by name and of ``examples/agents``: each reads the farm's configuration in its form, acts, and answers.

The command-line agents are played by small programs that take the same options and files and print the same form; where
the real one is installed, it is run, too, against a model of ours.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from farm.benchmark.agents.factory import make_agent
from farm.benchmark.agents.presets import PRESETS
from farm.benchmark.runner.farm_address import FarmAddress, own_farm
from farm.benchmark.runner.log import RunLog
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.run import run_suite
from farm.benchmark.tasks import Suite
from farm.testing.mock_model import Endpoint, parse_script
from tests.suites import parsed_suite

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("run")]

EXAMPLES = Path(__file__).parents[2] / "examples" / "agents"
ANSWER = "38 of 600 boards, 6.3 %; the limit is 1.0 %."
POSTED = {"channel_id": "#general", "text": "hello"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FarmAddress]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("own")))
        with own_farm(["slack"]) as running:
            yield running


def played(place: FarmAddress, folder: Path, example: str, *options: str, environment: tuple[str, ...] = ()) -> Any:
    """Run one task with an example and return its trial."""
    demo = parsed_suite("demo")
    suite = Suite("demo", demo.title, (demo.task("slack-boards-rate"),))
    words = [example] if example in PRESETS else [sys.executable, str(EXAMPLES / example)]
    agent = make_agent(f"command:{shlex.join([*words, *options])}", environment=environment)
    run_suite(suite, agent, place, Options(time_s_max=60), out=folder)
    (trial,) = RunLog(folder).trials()
    return trial


def test_ten_lines_of_python_are_an_agent(place: FarmAddress, tmp_path: Path) -> None:
    trial = played(place, tmp_path / "run", "ten_lines.py")

    assert trial["ended"] == "answered", trial["transcript"]
    assert [call["tool"] for call in trial["calls"]] == ["slack_list_channels"]
    assert "slack_post_message" in trial["answer"]


# What each stand-in does before and after it posts a message: find the servers where the real one looks for them,
# refuse what it would refuse, and print as it prints.
FIND = {
    "claude": """
options = dict(zip(sys.argv, sys.argv[1:]))
assert {"--print", "--bare", "--strict-mcp-config"} <= set(sys.argv) and options["--output-format"] == "json"
servers = json.load(open(options["--mcp-config"]))["mcpServers"]
assert all(each["type"] == "http" and f"mcp__{name}" in options["--allowed-tools"] for name, each in servers.items())
""",
    "codex": """
assert sys.argv[1] == "exec" and {"--json", "--skip-git-repo-check"} <= set(sys.argv) and sys.argv[-1] == "-"
config = tomllib.load(open(os.environ["CODEX_HOME"] + "/config.toml", "rb"))
assert config["model_providers"][config["model_provider"]]["base_url"] == os.environ["OPENAI_BASE_URL"]
servers = config["mcp_servers"]
assert all(each["default_tools_approval_mode"] == "approve" for each in servers.values())
servers = {name: {"url": each["url"], "headers": each["http_headers"]} for name, each in servers.items()}
""",
    "openclaw": """
assert sys.argv[1:3] == ["agent", "exec"] and "--json" in sys.argv
options = dict(zip(sys.argv, sys.argv[1:]))
assert (options["--message-file"], options["--timeout"], options["--model"]) == ("-", "0", "local/a-model")
config = json.load(open(options["--config"]))
assert options["--config"].startswith(os.environ["OPENCLAW_STATE_DIR"])
assert config["tools"] == {"allow": ["bundle-mcp"], "toolSearch": False, "codeMode": {"enabled": False}}
(model,) = config["models"]["providers"]["local"]["models"]
assert (model["id"], config["models"]["providers"]["local"]["baseUrl"]) == ("a-model", os.environ["OPENAI_BASE_URL"])
servers = config["mcp"]["servers"]
assert all(each["transport"] == "streamable-http" for each in servers.values())
""",
    "opencode": """
options = dict(zip(sys.argv, sys.argv[1:]))
assert sys.argv[1] == "run" and (options["--format"], options["--model"]) == ("json", "local/a-model")
config = json.load(open(os.path.expanduser("~/.config/opencode/opencode.json")))
assert config["permission"] == {"*": "deny", "doom_loop": "allow", "slack_*": "allow"}
assert config["provider"]["local"]["options"]["baseURL"] == os.environ["OPENAI_BASE_URL"]
assert list(config["provider"]["local"]["models"]) == ["a-model"]
servers = config["mcp"]
assert all(each["type"] == "remote" and each["enabled"] for each in servers.values())
""",
    "gemini": """
assert "--output-format" in sys.argv and "--skip-trust" in sys.argv
servers = json.load(open(os.path.expanduser("~/.gemini/settings.json")))["mcpServers"]
assert all(each["trust"] for each in servers.values())
servers = {name: {"url": each["httpUrl"], "headers": each["headers"]} for name, each in servers.items()}
""",
}
POST = f"""
assert "Helen wants it" in sys.stdin.read()
assert {{"ANTHROPIC_API_KEY", "CODEX_API_KEY", "GEMINI_API_KEY"}} & os.environ.keys()
body = {{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}}
body["params"] = {{"name": "slack_post_message", "arguments": {POSTED}}}
headers = {{"content-type": "application/json", "accept": "application/json, text/event-stream"}}
headers |= servers["slack"]["headers"]
urllib.request.urlopen(urllib.request.Request(servers["slack"]["url"], json.dumps(body).encode(), headers)).read()
"""
_TOKENS = {"prompt": 100, "candidates": 10, "cached": 40}
# Reasoning is in the total only.
_STEP = {"tokens": {"total": 55, "input": 30, "output": 2, "reasoning": 3, "cache": {"read": 20, "write": 0}}}
SAY: dict[str, list[dict[str, Any]]] = {
    "claude": [
        {
            "type": "result",
            "result": ANSWER,
            "usage": {"input_tokens": 60, "cache_read_input_tokens": 40, "output_tokens": 10},
            "modelUsage": {"a-model": {}},
        }
    ],
    "codex": [
        {"type": "thread.started", "thread_id": "1"},
        {"type": "item.completed", "item": {"id": "item_0", "type": "agent_message", "text": "Let me look."}},
        {"type": "item.completed", "item": {"id": "item_1", "type": "agent_message", "text": ANSWER}},
        {"type": "turn.completed", "usage": {"input_tokens": 100, "cached_input_tokens": 40, "output_tokens": 10}},
    ],
    "openclaw": [
        {
            "ok": True,
            "final": ANSWER,
            "payloads": [{"text": ANSWER}],
            "usage": {"input": 60, "output": 10, "cacheRead": 40, "cacheWrite": 0, "total": 110},
            "model": "a-model",
        }
    ],
    "opencode": [
        {"type": "text", "part": {"type": "text", "text": "Let me look."}},
        {"type": "step_finish", "part": _STEP},
        {"type": "text", "part": {"type": "text", "text": ANSWER}},
        {"type": "step_finish", "part": _STEP},
    ],
    "gemini": [{"session_id": "1", "response": ANSWER, "stats": {"models": {"a-model": {"tokens": _TOKENS}}}}],
}
PRESET = {
    "claude": "claude-code",
    "codex": "codex",
    "gemini": "gemini-cli",
    "openclaw": "openclaw",
    "opencode": "opencode",
}
KEY = {"claude": "ANTHROPIC_API_KEY", "codex": "CODEX_API_KEY", "gemini": "GEMINI_API_KEY"}
OPTIONS = {"openclaw": ("--model", "local/a-model"), "opencode": ("--model", "local/a-model")}


@pytest.mark.parametrize("name", PRESET)
def test_an_agent_by_name_gives_its_program_the_servers_and_gets_its_answer(
    place: FarmAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    program = tmp_path / "bin" / name
    program.parent.mkdir()
    imports = "import json, os, sys, tomllib, urllib.request"
    say = "\n".join(f"print({json.dumps(json.dumps(each))})" for each in SAY[name])
    program.write_text(f"#!{sys.executable}\n{imports}\n{FIND[name]}{POST}{say}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv(KEY.get(name, "ANTHROPIC_API_KEY"), "key")

    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")

    trial = played(place, tmp_path / "run", PRESET[name], *OPTIONS.get(name, ()))

    assert (trial["ended"], trial["answer"]) == ("answered", ANSWER), trial["transcript"]
    assert [(call["tool"], call["refused"]) for call in trial["calls"]] == [("slack_post_message", False)]
    assert trial["usage"] == {"prompt_tokens": 100, "completion_tokens": 10, "cached_tokens": 40}
    assert trial["models"] == ([] if name in ("codex", "opencode") else ["a-model"])


@pytest.mark.parametrize("name", ["openclaw", "opencode"])
def test_a_local_model_without_an_address_crashes_the_trial_with_one_line(
    place: FarmAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    program = tmp_path / "bin" / name
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    trial = played(place, tmp_path / "run", name, "--model=local/a-model")

    needed = "the model local/a-model needs the address of its API in OPENAI_BASE_URL\n"
    assert (trial["ended"], trial["transcript"][0]["stderr"]) == ("failed", needed)


@pytest.mark.parametrize("name", KEY)
def test_the_real_program_calls_a_writing_tool_and_answers(
    place: FarmAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed; docs/agents.md says which version was tried")
    turns: list[dict[str, Any]] = [{"tool": "slack_post_message", "arguments": POSTED}, {"text": ANSWER}]
    endpoint = Endpoint(parse_script([{**turn, "usage": {"input": 100, "output": 10}} for turn in turns]))
    endpoint.start()
    addresses = {"ANTHROPIC_BASE_URL": endpoint.url, "GOOGLE_GEMINI_BASE_URL": endpoint.url}
    keys = dict.fromkeys(("ANTHROPIC_API_KEY", "CODEX_API_KEY", "GEMINI_API_KEY"), "key")
    for variable, value in {**addresses, **keys}.items():
        monkeypatch.setenv(variable, value)
    local = f'{{name="local",base_url="{endpoint.url}/v1",wire_api="responses",supports_websockets=false}}'
    options = {
        "claude": [],
        "codex": ["-m", "gpt-5", "-c", "model_provider=local", "-c", f"model_providers.local={local}"],
        # Otherwise a model is asked which model to ask.
        "gemini": ["--model", "gemini-2.5-flash"],
    }

    trial = played(place, tmp_path / "run", PRESET[name], *options[name], environment=(*addresses, *keys))

    endpoint.close()
    assert (trial["ended"], trial["answer"]) == ("answered", ANSWER), trial["transcript"]
    assert [(call["tool"], call["refused"]) for call in trial["calls"]] == [("slack_post_message", False)]
    assert trial["usage"]["prompt_tokens"] == 200
