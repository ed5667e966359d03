"""What a gateway is told, and where it finds each app: the worker of an id, hosts and ports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from farm._util.sizes import EXPIRED_RETENTION_S
from gateway.config import GatewayConfig, in_url, worker_of

TOLD: dict[str, Any] = {
    "data": "/data",
    "agents_url": "http://agents",
    "operators_url": "http://operators",
    "world": "harbor",
    "operator_token": "operator",
    "secret": "secret",
    "control_token": "control",
    "ports": {"slack": [[1, 2], [3, 4]], "lark": [[5, 6]]},
    "allowed_hosts": ["farm.example"],
    "has_default": False,
    "guards_default": True,
    "has_public_url": True,
    "behind_proxy": False,
}


@pytest.mark.parametrize(
    ("episode_id", "workers", "worker"),
    [
        ("c0-0-5f", 2, 0),
        ("c0-1-5f", 2, 1),
        ("c0-3-5f", 2, 1),
        ("c0-1-5f", 1, 0),
        ("default", 4, 0),
        ("not-of-ours", 4, 0),
        ("a-b-c-d", 4, 0),
        ("a-1-c-d", 4, 0),
    ],
)
def test_the_second_part_of_an_id_names_the_worker(episode_id: str, workers: int, worker: int) -> None:
    assert worker_of(episode_id, workers) == worker


def test_a_gateway_is_told_everything_by_its_supervisor() -> None:
    quotas = {"episodes_max": 9, "disk_max": 1 << 30, "expired_retention_s": 60.0}
    told = {**TOLD, "host": "::1", "cell": "c3", "hosts": {"lark": "lark.farm"}, **quotas}

    assert GatewayConfig.load(told) == GatewayConfig(
        data=Path("/data"),
        agents_url="http://agents",
        operators_url="http://operators",
        world="harbor",
        operator_token="operator",
        secret="secret",
        control_token="control",
        ports={"slack": ((1, 2), (3, 4)), "lark": ((5, 6),)},
        host="::1",
        allowed_hosts=("farm.example",),
        has_default=False,
        guards_default=True,
        episodes_max=9,
        disk_max=1 << 30,
        expired_retention_s=60.0,
        cell="c3",
        hosts={"lark": "lark.farm"},
        has_public_url=True,
        behind_proxy=False,
    )
    assert GatewayConfig.load({**told, "has_public_url": False, "behind_proxy": True}).behind_proxy is True


def test_one_on_a_machine_of_its_own_finds_its_apps_on_loopback() -> None:
    config = GatewayConfig.load(TOLD)

    assert (config.host, config.cell, config.hosts, config.workers) == ("127.0.0.1", "c0", {}, 2)
    assert (config.episodes_max, config.disk_max, config.expired_retention_s) == (None, None, EXPIRED_RETENTION_S)
    assert (config.host_of("lark"), config.control_host_of("lark")) == ("127.0.0.1", "127.0.0.1")


def test_the_control_endpoints_of_apps_stay_on_loopback_where_agents_come_from_elsewhere() -> None:
    config = GatewayConfig.load({**TOLD, "host": "::"})

    assert (config.host_of("slack"), config.control_host_of("slack")) == ("::", "127.0.0.1")
    assert (in_url("::1"), in_url("farm.example")) == ("[::1]", "farm.example")


def test_an_app_in_a_container_is_reached_there() -> None:
    config = GatewayConfig.load({**TOLD, "hosts": {"lark": "lark.farm"}})

    assert (config.host_of("lark"), config.control_host_of("lark")) == ("lark.farm", "lark.farm")
    assert config.host_of("slack") == "127.0.0.1"


def test_a_farm_without_apps_counts_as_one_worker() -> None:
    assert GatewayConfig.load({**TOLD, "ports": {}}).workers == 1
