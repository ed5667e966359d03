"""The gateway's judging process in a whole farm: it is there when it is needed, and gone with its gateway."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from farm.benchmark.agents.process_group import descendants
from farm.errors import FarmError
from farm.runtime.supervisor.state import is_alive
from tests.e2e.conftest import RunningFarm, assert_all_end, until

pytestmark = [pytest.mark.slow, pytest.mark.e2e]

Start = Callable[..., RunningFarm]
POSTED = {"id": "p", "kind": "operate", "change": "create", "app": "slack", "table": "messages"}


@pytest.fixture
def running(start_farm: Start) -> RunningFarm:
    return start_farm("--apps=slack")


def post(running: RunningFarm) -> dict[str, Any]:
    """Return a new episode in which one message was posted."""
    episode = running.client.create(seed=1)
    channel = running.client.rows(episode["id"], "slack", "channels")["rows"][0]["id"]
    running.call(episode, "slack", "slack_post_message", channel_id=channel, text="The fridge is full.")
    return episode


def check(running: RunningFarm, episode: dict[str, Any], wanted: str = "fridge") -> float:
    """Return the score of one checkpoint."""
    body = {"checkpoints": [{**POSTED, "after": {"text": {"contains": wanted}}}]}
    score: float = running.client.request("POST", f"/v1/episodes/{episode['id']}/check", body)["checkpoints"][0][
        "score"
    ]
    return score


def judging(running: RunningFarm) -> set[int]:
    """Return the processes of the gateway's own."""
    return set(descendants(running.settled.gateway_pid))


def test_it_starts_with_the_first_check_judges_the_next_and_ends_with_the_farm(running: RunningFarm) -> None:
    episode = post(running)
    before = judging(running)

    scores = [check(running, episode), check(running, episode, "beans")]
    (pid,) = judging(running)
    running.client.request("GET", "/v1/tasks/demo/lark-new-room")
    pids = running.pids()

    assert (before, scores, judging(running)) == (set(), [1.0, 0.5], {pid})
    assert pid in pids
    assert running.end() == 0
    assert_all_end(pids)


def test_a_check_after_it_was_killed_is_judged_by_the_next(running: RunningFarm) -> None:
    episode = post(running)
    check(running, episode)
    (pid,) = judging(running)

    os.kill(pid, signal.SIGKILL)
    until(lambda: not is_alive(pid), "the end of the process")

    assert check(running, episode) == 1.0
    (other,) = judging(running)
    assert other != pid


def test_it_does_not_outlive_a_gateway_that_was_killed(running: RunningFarm) -> None:
    episode = post(running)
    check(running, episode)
    gateway, (pid,) = running.settled.gateway_pid, judging(running)

    os.kill(gateway, signal.SIGKILL)

    assert_all_end({gateway, pid})

    def is_judged() -> bool:
        try:
            return check(running, episode) == 1.0
        except FarmError:  # the gateway is on its way back
            return False

    until(is_judged, "a check by the next gateway")


def test_a_text_that_takes_for_ever_to_judge_holds_up_no_call(running: RunningFarm) -> None:
    episode, beside = post(running), running.client.create(seed=2)
    channel = running.client.rows(episode["id"], "slack", "channels")["rows"][0]["id"]
    running.call(episode, "slack", "slack_post_message", channel_id=channel, text="a" * 60 + "!")
    endless = {**POSTED, "id": "endless", "after": {"text": {"regex": "^(a+)+$"}}}
    sure = {**POSTED, "id": "sure", "count": 2}
    operators, calls = running.connect(), 0

    with ThreadPoolExecutor(1) as pool:
        body = {"checkpoints": [endless, sure]}
        checking = pool.submit(operators.request, "POST", f"/v1/episodes/{episode['id']}/check", body)
        while not checking.done():
            running.call(beside, "slack", "slack_list_channels")
            calls += 1

    points = checking.result()["checkpoints"]
    assert calls > 20  # one or two where the gateway itself judges, which takes seconds
    assert [(each["id"], each["low"], each["high"]) for each in points] == [("endless", 0.5, 1.0), ("sure", 1.0, 1.0)]
    assert "not read" in points[0]["why"]
