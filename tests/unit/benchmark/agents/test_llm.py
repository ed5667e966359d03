"""Models as agents: the names of tools, and what is told of an endpoint."""

from __future__ import annotations

from farm import content
from farm.benchmark.agents.factory import make_agent
from farm.server.joint_names import joint_name


def test_every_tools_shown_name_is_short_enough_and_its_own() -> None:
    names = [
        joint_name(app, tool["name"]) for app in content.app_names() for tool in content.load_app(app).tool_schemas
    ]

    assert len(set(names)) == len(names)
    # Providers take 64; Claude Code and others write ``mcp__farm__`` in front.
    assert max(map(len, names)) <= 64 - len("mcp__farm__")


def test_of_an_endpoints_address_only_the_host_is_told() -> None:
    agent = make_agent("llm:m", base_url="https://user:secret@api.example:8443/v1?key=secret", temperature=0.5)

    assert agent.about() == {"model": "m", "host": "api.example:8443", "temperature": 0.5, "images": False}
