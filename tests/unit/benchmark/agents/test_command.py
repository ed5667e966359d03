"""Programs as agents: their configuration, what they are made of, and what they print."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from farm.benchmark.agents.base import Usage
from farm.benchmark.agents.command import last_message, mcp_config
from farm.benchmark.agents.factory import make_agent
from farm.errors import FarmError


def test_a_variable_that_is_not_set_is_not_promised_to_an_agent() -> None:
    with pytest.raises(FarmError, match="--agent-env names NO_SUCH_KEY, which is not set"):
        make_agent("command:true", environment=["NO_SUCH_KEY"])


@pytest.mark.parametrize(
    ("printed", "answer"),
    [
        ("plain words\n", "plain words"),
        ('{"type":"result","result":"It is 38.","usage":{"input_tokens":5,"output_tokens":2}}', "It is 38."),
        ('{"type":"item","item":{"text":"first"}}\n{"type":"item","item":{"text":"last"}}\n', "last"),
        ('[{"message":{"content":[{"type":"text","text":"hello"}]}},{"type":"result","result":"bye"}]', "bye"),
        ("1,080,000", "1,080,000"),
        ('{"type":"text","part":{"text":"Let me look."}}\n{"answer":""}\n', ""),
    ],
)
def test_an_answer_is_what_was_printed_or_the_last_message_of_it(printed: str, answer: str) -> None:
    assert last_message(printed).answer == answer


def test_tokens_are_read_where_a_program_reports_them() -> None:
    usage = last_message('{"result":"x","usage":{"input_tokens":5,"output_tokens":2}}').usage

    assert usage is not None
    assert (usage.prompt_tokens, usage.completion_tokens) == (5, 2)
    assert last_message("x").usage is None


def test_tokens_are_counted_by_model_in_the_forms_that_tell_them() -> None:
    claude = (
        '{"result":"x","modelUsage":{"large":{"inputTokens":5,"outputTokens":2,"cacheReadInputTokens":3},'
        '"small":{"inputTokens":1,"outputTokens":1}}}'
    )
    gemini = '{"response":"x","stats":{"models":{"pro":{"tokens":{"prompt":9,"candidates":4,"cached":2}}}}}'

    assert last_message(claude).usage_by_model == {"large": Usage(8, 2, 3), "small": Usage(1, 1)}
    assert last_message(claude).usage == Usage(9, 3, 3)
    assert last_message(gemini).usage_by_model == {"pro": Usage(9, 4, 2)}
    assert last_message('{"result":"x","usage":{"input_tokens":5,"output_tokens":2}}').usage_by_model == {}


def test_a_configuration_has_a_server_an_app_and_the_bearer() -> None:
    made = mcp_config({"slack": "http://h/mcp/e/slack"}, "secret")

    server = made["mcpServers"]["slack"]
    assert (server["url"], server["headers"]) == ("http://h/mcp/e/slack", {"Authorization": "Bearer secret"})


def test_what_an_agent_is_made_of_is_told_to_the_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "mine.sh"
    script.write_text("echo 1\n")
    monkeypatch.setenv("MY_KEY", "secret")
    command = f"sh {shlex.quote(str(script))} {{config}}"
    first = make_agent(f"command:{command}", environment=["MY_KEY"]).about()
    script.write_text("echo 2\n")
    second = make_agent(f"command:{command}", environment=["MY_KEY"]).about()

    assert first["command"] == second["command"] == command
    assert first["files_sha256"][str(script)] != second["files_sha256"][str(script)]
    assert first["environment"] == ["MY_KEY"]
    assert "secret" not in str(first)
