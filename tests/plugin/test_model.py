"""The plugin's scripted models: in the test's process, and by a farm's command."""

from __future__ import annotations

import shlex
import sys
import threading
from pathlib import Path

import pytest
from pytest_mcp_farm.errors import McpFarmError
from pytest_mcp_farm.farm import Options
from pytest_mcp_farm.model import find_scripts

from tests.plugin.conftest import Run
from tests.threads import still_running

FARM = f"{shlex.quote(sys.executable)} -m farm"

# What an agent does: ask the model, make the calls it wants, tell it the results, until it says something.
AGENT = """
import json
import urllib.request

import pytest


def agent(model, world, prompt, name="gpt"):
    messages = [{"role": "system", "content": f"You are {world.me.name}'s."}, {"role": "user", "content": prompt}]
    names = ["slack_list_channels", "slack_post_message"]
    tools = [{"type": "function", "function": {"name": f"mcp__slack__{each}"}} for each in names]
    while True:
        body = json.dumps({"model": name, "messages": messages, "tools": tools}).encode()
        with urllib.request.urlopen(f"{model.base_url}/chat/completions", body) as answer:
            message = json.load(answer)["choices"][0]["message"]
        messages.append(message)
        if not message.get("tool_calls"):
            return message["content"]
        for call in message["tool_calls"]:
            tool = call["function"]["name"].removeprefix("mcp__slack__")
            found = world.call("slack", tool, **json.loads(call["function"]["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(found)})


SCRIPT = [
    {"tool": "list_channels", "arguments": {"limit": 100}},
    {"tool": "post_message", "arguments": {"channel_id": "{list_channels.channels[name=opening].id}", "text": "24."}},
    "Posted.",
]
"""

TESTS = """
@pytest.mark.parametrize("n", range(2))
def test_posts(mcp_farm, mcp_farm_model, n):
    world, model = mcp_farm.world(apps=["slack"]), mcp_farm_model(SCRIPT)

    assert agent(model, world, "How many?") == "Posted."

    world.assert_changed("slack.messages", after={"text": "24."})
    world.assert_only("slack.messages")
    model.assert_finished()
    assert [each.turn for each in model.requests] == [1, 2, 3]
    first, second, _ = model.requests
    assert (first.newest, first.instructions) == ("How many?", f"You are {world.me.name}'s.")
    assert first.tools == ("mcp__slack__slack_list_channels", "mcp__slack__slack_post_message")
    assert '"opening"' in second.newest and second.calls[0]["tool"] == "mcp__slack__slack_post_message"
    assert first.body["model"] == "gpt"
    assert model.environment.items() >= {"OPENAI_BASE_URL": model.base_url, "OPENAI_API_KEY": model.api_key}.items()
    assert model.base_url == f"{model.environment['ANTHROPIC_BASE_URL']}/v1" == f"{model.root}/v1"


def test_reads_files_and_keeps_models_apart(mcp_farm, mcp_farm_model, tmp_path):
    (tmp_path / "script.toml").write_text('[[models.one]]\\ntext = "One."\\n[[models.two]]\\ntext = "Two."')
    world = mcp_farm.world(apps=["slack"])
    model, other = mcp_farm_model(tmp_path / "script.toml"), mcp_farm_model(["No."])

    assert (model.name, model.names, other.name) == ("one", ("one", "two"), "scripted")
    assert [agent(model, world, "?", name) for name in model.names] == ["One.", "Two."]
    assert agent(other, world, "?", other.name) == "No."
    model.assert_finished()


def test_says_what_was_not_finished(mcp_farm, mcp_farm_model):
    model = mcp_farm_model(["Hello.", "And?"])
    agent(model, mcp_farm.world(apps=["slack"]), "Hi.")
    with pytest.raises(AssertionError, match="the agent asked for 1 of 2 turns; it never came to turn 2"):
        model.assert_finished()
"""


@pytest.mark.parametrize("options", [(), (f"--mcp-farm-command={FARM}",)], ids=["here", "started"])
def test_a_model_says_what_a_test_has_written(run: Run, options: tuple[str, ...]) -> None:
    before = threading.enumerate()

    done = run(AGENT + TESTS, *options)

    done.assert_outcomes(passed=4)
    assert still_running(before) == []


def test_a_failure_shows_what_the_model_was_asked(run: Run) -> None:
    failing = """
def test_it(mcp_farm, mcp_farm_model):
    agent(mcp_farm_model(SCRIPT[:1]), mcp_farm.world(apps=["slack"]), "How many?")
"""

    done = run(AGENT + failing)

    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        [
            "*HTTP Error 400*",
            "*what the scripted model was asked*",
            '  #1  How many?  →  turn 1: mcp__slack__slack_list_channels {"limit": 100}',
            "  #2  {*  →  script, turn 2: there are only 1, and the agent asked again after *",
        ]
    )


@pytest.mark.parametrize("command", [None, FARM], ids=["here", "started"])
def test_a_wrong_script_is_told_in_one_line(command: str | None) -> None:
    scripts = find_scripts(Options(command=command))

    with pytest.raises(McpFarmError, match=r"^script: turns\[1\]: says nothing; give it 'text', 'tool' or 'calls'$"):
        scripts.add({"turns": [{}]})

    scripts.close()


def test_an_absent_file_and_a_command_that_serves_no_models_are_told(run: Run, tmp_path: Path) -> None:
    code = "def test_it(mcp_farm_model):\n    mcp_farm_model('absent.toml')\n"

    run(code).stdout.fnmatch_lines(["E *script absent.toml cannot be read (No such file or directory); name a .toml*"])
    run(code, f"--mcp-farm-command={tmp_path / 'none'}").stdout.fnmatch_lines(["E *none' cannot be run (No such file*"])
    run(code, "--mcp-farm-command=false").stdout.fnmatch_lines(["E *'false model --ephemeral' starts no models: *"])


def test_without_a_farm_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_mcp_farm.model.has_farm_here", lambda: False)
    monkeypatch.setenv("PATH", "")

    with pytest.raises(McpFarmError, match="no model can be had: a farm's URL serves none; name what to install"):
        find_scripts(Options(url="http://127.0.0.1:1"))
