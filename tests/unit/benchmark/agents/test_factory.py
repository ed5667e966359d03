"""Agents by their names, and one line for each that cannot be had."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm.benchmark.agents.factory import make_agent
from farm.errors import FarmError


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("oracel", "no agent 'oracel'; have oracle, null, replay:FILE"),
        ("llm:", "lacks what comes after the colon"),
        ("replay:/no/such.jsonl", "cannot be read"),
        ("command:claude 'x", "cannot be split"),
        ("python:no_such_module:f", "no function python:no_such_module:f"),
    ],
)
def test_an_agent_that_cannot_be_had_is_refused_in_one_line(wish: str, said: str) -> None:
    with pytest.raises(FarmError, match=said) as refused:
        make_agent(wish)

    assert "\n" not in str(refused.value)


def test_a_program_that_is_not_there_is_refused_before_anything_is_run() -> None:
    with pytest.raises(FarmError, match="no program 'no-such-agent' for the agent; name one on the PATH"):
        make_agent("command:no-such-agent {config}")


def test_an_image_is_for_commands_only() -> None:
    with pytest.raises(FarmError, match="--agent-image is for command: agents, not 'oracle'"):
        make_agent("oracle", image="python")


def test_an_agent_in_an_image_needs_docker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(FarmError, match="--agent-image needs the program 'docker'; install it"):
        make_agent("command:no-program-of-ours {config}", image="python")
