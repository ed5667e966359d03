"""Which URLs whoever asks the control API is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gateway.addresses import Address, Addresses
from gateway.config import GatewayConfig

CONFIG = GatewayConfig(Path("/nowhere"), "http://127.0.0.1:8700", "", None, "", "", "", {"slack": ((41, 42),)})
PUBLIC = replace(CONFIG, agents_url="https://agents.example/farm", has_public_url=True)
PROXIED = replace(CONFIG, behind_proxy=True)


def seen_by(config: GatewayConfig, **headers: str) -> Address:
    fields = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Addresses(config).seen_by({"headers": fields})


@pytest.mark.parametrize(
    ("host", "agents", "own"),
    [
        ("127.0.0.1:8701", "http://127.0.0.1:8700", "127.0.0.1"),
        ("farm.example:8701", "http://farm.example:8700", "farm.example"),
        ("farm.example", "http://farm.example:8700", "farm.example"),
        ("[fd00::5]:8701", "http://[fd00::5]:8700", "[fd00::5]"),
    ],
)
def test_the_urls_have_the_name_the_caller_used_and_the_port_of_the_agents(host: str, agents: str, own: str) -> None:
    assert seen_by(CONFIG, host=host) == Address(agents, own)


@pytest.mark.parametrize("host", ["", "a b", "farm.example/evil", "x@farm.example", "farm.example:port", "[::1"])
def test_what_cannot_stand_in_a_url_is_not_put_in_one(host: str) -> None:
    assert seen_by(CONFIG, host=host) == Address("http://127.0.0.1:8700", "127.0.0.1")


def test_a_url_the_farm_was_given_goes_before_the_name_the_caller_used() -> None:
    assert seen_by(PUBLIC, host="farm.example:8701").agents == "https://agents.example/farm"
    assert seen_by(replace(PUBLIC, behind_proxy=True), host="a", x_forwarded_proto="https").agents == (
        "https://agents.example/farm"
    )


@pytest.mark.parametrize(
    ("host", "proto", "agents"),
    [
        ("farm.example", "https", "https://farm.example"),
        ("farm.example:8443", "https", "https://farm.example:8443"),
        ("farm.example", "https, http", "https://farm.example"),
        ("farm.example", "http", "http://farm.example"),
        ("farm.example", "javascript", "http://farm.example:8700"),
    ],
)
def test_behind_a_proxy_the_urls_are_the_proxys(host: str, proto: str, agents: str) -> None:
    assert seen_by(PROXIED, host=host, x_forwarded_proto=proto).agents == agents


def test_whoever_does_not_come_by_the_proxy_is_told_the_agents_port() -> None:
    assert seen_by(PROXIED, host="127.0.0.1:8701").agents == "http://127.0.0.1:8700"


def test_nobody_is_believed_to_be_a_proxy_unless_the_farm_was_told() -> None:
    assert seen_by(CONFIG, host="farm.example:8701", x_forwarded_proto="https").agents == "http://farm.example:8700"


def test_the_processes_of_apps_are_at_the_same_name() -> None:
    urls = Addresses(CONFIG).urls({"headers": [(b"host", b"farm.example:8701")]}, "e", ("slack",))

    assert urls == {
        "mcp": {"slack": "http://farm.example:8700/mcp/e/slack"},
        "mcp_all": "http://farm.example:8700/mcp/e",
        "direct": {"slack": "http://farm.example:41/mcp/e"},
    }
