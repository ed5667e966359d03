"""Several processes an app: episodes are spread over them, and nobody outside can tell."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.conftest import RunningFarm, until

pytestmark = pytest.mark.slow

StartFarm = Callable[..., RunningFarm]
GENERAL = {"channel_id": "#general", "text": "hello"}


def port_of(episode: dict[str, Any]) -> str:
    return str(episode["direct"]["slack"].split("/mcp/")[0])


def said(farm: RunningFarm, episode: dict[str, Any]) -> int:
    return len(farm.client.diff(episode["id"])["slack"].get("messages", []))


@pytest.fixture
def two_workers(start_farm: StartFarm) -> RunningFarm:
    return start_farm("--apps=slack", "--workers=2")


@pytest.mark.e2e
def test_episodes_are_spread_over_the_workers_and_stay_where_they_are(two_workers: RunningFarm) -> None:
    made = [two_workers.client.create() for _ in range(4)]

    assert [port_of(each) for each in made[:2]] == [port_of(each) for each in made[2:]]
    assert len({port_of(each) for each in made}) == 2
    for number, each in enumerate(made):
        for _ in range(number):
            assert "error" not in two_workers.call(each, "slack", "slack_post_message", **GENERAL)
    assert [said(two_workers, each) for each in made] == [0, 1, 2, 3]


@pytest.mark.e2e
def test_a_copy_lives_where_its_original_does(two_workers: RunningFarm) -> None:
    for original in (two_workers.client.create(), two_workers.client.create()):
        two_workers.call(original, "slack", "slack_post_message", **GENERAL)

        copies = two_workers.client.fork(original["id"], count=2)

        assert {port_of(each) for each in copies} == {port_of(original)}
        assert [said(two_workers, each) for each in copies] == [1, 1]


@pytest.mark.e2e
def test_a_killed_worker_comes_back_and_the_other_goes_on(two_workers: RunningFarm) -> None:
    one, other = two_workers.client.create(), two_workers.client.create()
    killed = next(each for each in two_workers.settled.apps if each.port == int(port_of(one).rpartition(":")[2]))

    os.kill(killed.pid, signal.SIGKILL)

    assert "error" not in two_workers.call(other, "slack", "slack_post_message", **GENERAL)
    until(lambda: killed.pid not in {each.pid for each in two_workers.state.apps}, "another process")
    assert "error" not in two_workers.call(one, "slack", "slack_post_message", **GENERAL)
    assert (said(two_workers, one), said(two_workers, other)) == (1, 1)


@pytest.mark.e2e
def test_episodes_outlive_a_change_in_the_number_of_workers(start_farm: StartFarm) -> None:
    first = start_farm("--apps=slack", "--workers=2")
    made = [first.client.create() for _ in range(2)]
    for each in made:
        first.call(each, "slack", "slack_post_message", **GENERAL)
    assert first.end() == 0

    again = start_farm("--apps=slack")

    assert [said(again, again.client.episode(each["id"])) for each in made] == [1, 1]
