"""People who answer on a real farm: over apps in processes of their own, through a kill, on a live clock."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.conftest import RunningFarm, farm_command, until
from tests.people_rules import APPS, RULES, YES, ask, rule, state

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
    pytest.mark.xdist_group("farm"),
]


def test_ten_rules_over_five_apps_give_the_same_in_every_run_fork_and_after_a_kill(
    start_farm: Callable[..., RunningFarm], tmp_path: Path
) -> None:
    farm = start_farm(f"--apps={','.join(APPS)}", "--world=mini")
    runs = [farm.client.create(people=RULES) for _ in range(3)]
    for made in runs:
        ask(farm.client, made)
    one, leap, killed = runs
    own = farm.client.diff(one["id"])

    moved = farm.client.set_clock(one["id"], quiet=True)["came"]
    came = [each for each in moved if "rule" in each]  # not what comes due
    farm.client.set_clock(leap["id"], advance_s=60)
    (fork,) = farm.client.fork(leap["id"])
    farm.client.set_clock(killed["id"], advance_s=200)
    for app in farm.settled.apps:
        if app.app in APPS:
            os.kill(app.pid, signal.SIGKILL)
    farm.settled  # noqa: B018 # waits until every app is back
    for made in (leap, fork, killed):
        farm.client.set_clock(made["id"], advance_s=7 * 86_400)

    assert {each["rule"] for each in came} == {each["id"] for each in RULES}
    assert not any(each.get("dropped") for each in came)
    assert [each["at"] for each in came] == sorted(each["at"] for each in came)
    wanted = state(farm.client, one)
    for made in (leap, fork, killed):
        assert state(farm.client, made) == wanted
        assert farm.client.person_rules(made["id"])["waiting"] == []
    assert farm.client.diff(one["id"]) == own

    copy = str(tmp_path / "copy")
    (waits,) = farm.client.fork(farm.client.create(people=RULES)["id"])
    ask(farm.client, waits)
    for command in (("export", waits["id"], "--to", copy), ("import", copy)):
        done = farm_command("episode", *command, "--data", farm.data)
        assert done.returncode == 0, done.stderr
    brought = farm.client.episodes()[-1]
    farm.client.set_clock(brought["id"], quiet=True)
    assert state(farm.client, brought) == wanted


def test_on_a_live_clock_an_act_comes_to_another_app_by_itself(start_farm: Callable[..., RunningFarm]) -> None:
    farm = start_farm("--apps=lark,slack", "--world=mini")
    made = farm.client.create(
        now="live",
        people=[
            rule("it", "ben", "slack.messages", [{"do": "message", "app": "lark", "to": "@ada", "after": "1s", **YES}])
        ],
    )
    before = farm.client.rows(made["id"], "lark", "messages")["total"]
    farm.call(made, "slack", "slack_post_message", channel_id="#opening", text="Ben?")

    until(lambda: farm.client.rows(made["id"], "lark", "messages")["total"] == before + 1, "answered")
    assert [each["do"] for each in farm.client.person_rules(made["id"])["acted"]] == ["message"]
