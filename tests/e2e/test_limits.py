"""Limits over the wire: whoever calls, on whichever address and however fast, and whatever is killed meanwhile."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from farm.client import mcp_call
from farm.errors import FarmError
from tests.e2e.conftest import RunningFarm, farm_command, one_line, until
from tests.e2e.test_gateway import rpc, send

pytestmark = pytest.mark.xdist_group("farm")

OVER = "Refused: the limit of {} calls for this task is reached."
TOOLS = {"slack": ("slack_list_channels", {"limit": 1}), "rednote": ("check_login_status", {})}


def said(answer: dict[str, Any]) -> str:
    content: str = answer["content"][0]["text"]
    return content


def is_over(answer: dict[str, Any]) -> bool:
    return "for this task is reached" in said(answer)


@pytest.mark.parametrize("is_modern", [False, True])
def test_calls_on_every_address_at_once_never_exceed_the_limit(farm: RunningFarm, is_modern: bool) -> None:
    made = farm.client.create(apps=["rednote", "slack"], calls_max=12, seed=7)
    bearer = {"authorization": f"Bearer {made['token']}"}
    ways = [(made[kind][app], *TOOLS[app]) for kind in ("mcp", "direct") for app in TOOLS]
    ways += [(made["mcp_all"], f"{app}__{tool}", arguments) for app, (tool, arguments) in TOOLS.items()]

    def call(number: int) -> bool:
        url, tool, arguments = ways[number % len(ways)]
        body, headers = rpc("tools/call", {"name": tool, "arguments": arguments}, is_modern=is_modern)
        status, _, answer = send(url, "POST", body, headers | bearer)
        assert status == 200, answer
        result = json.loads(answer)["result"]
        assert said(result).startswith(OVER.format(12)) is (result.get("isError") is True)
        return not is_over(result)

    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(call, range(120)))

    now = farm.client.episode(made["id"])
    assert Counter(taken) == {True: 12, False: 108}
    assert (now["calls"], now["calls_max"], now["over_limit"]) == (12, 12, 108)
    assert len(farm.client.calls(made["id"])) == 12
    farm.client.drop(made["id"])


def test_846_calls_of_a_fast_script_come_to_12_and_change_nothing_more(farm: RunningFarm) -> None:
    made = farm.client.create(apps=["slack"], calls_max=12, seed=7)
    channel = json.loads(said(farm.call(made, "slack", "slack_list_channels", limit=1)))["channels"][0]["id"]

    answers = [
        farm.call(made, "slack", "slack_post_message", channel_id=channel, text=str(number)) for number in range(845)
    ]

    assert [is_over(each) for each in answers] == [False] * 11 + [True] * 834
    written = farm.client.diff(made["id"])["slack"]["messages"]
    assert [change["new"]["text"] for change in written] == [str(number) for number in range(11)]
    assert farm.client.episode(made["id"])["over_limit"] == 834
    farm.client.drop(made["id"])


def test_lists_cost_nothing_and_refusals_of_the_app_do(farm: RunningFarm) -> None:
    made = farm.client.create(apps=["slack"], calls_max=2, seed=7)
    body, headers = rpc("tools/list", {})
    for url in (made["mcp_all"], made["mcp"]["slack"], made["direct"]["slack"]):
        send(url, "POST", body, headers | {"authorization": f"Bearer {made['token']}"})
    assert farm.client.episode(made["id"])["calls"] == 0

    farm.call(made, "slack", "slack_get_channel_history", channel_id="C0NOSUCHONE")
    mcp_call(made["mcp_all"], "slack__slack_fly", {}, made["token"])

    assert is_over(farm.call(made, "slack", "slack_list_channels"))
    farm.client.drop(made["id"])


def test_reset_restore_and_fork_bring_their_counts(farm: RunningFarm) -> None:
    made = farm.client.create(apps=["rednote", "slack"], calls_max=4, seed=7)
    client, name = farm.client, made["id"]

    def call(episode: dict[str, Any], *apps: str) -> list[bool]:
        return [is_over(farm.call(episode, app, TOOLS[app][0], **TOOLS[app][1])) for app in apps]

    def counts(of: str) -> tuple[int, int]:
        found = client.episode(of)
        return found["calls"], found["over_limit"]

    call(made, "slack", "rednote")
    client.snapshot(name, "two")
    assert call(made, "slack", "rednote", "slack") == [False, False, True]
    ((now,), (then,)) = client.fork(name), client.fork(name, snapshot="two")
    assert (counts(name), counts(now["id"]), counts(then["id"])) == ((4, 1), (4, 0), (2, 0))
    assert call(now, "rednote") == [True]
    assert call(then, "rednote", "rednote", "slack") == [False, False, True]

    assert client.restore(name, "two")["calls"] == 2
    assert call(made, "slack", "slack", "rednote") == [False, False, True]
    client.reset(name)
    assert counts(name) == (0, 0)
    assert call(made, *["slack", "rednote"] * 2, "slack") == [False] * 4 + [True]
    for each in (name, now["id"], then["id"]):
        client.drop(each)


def test_killed_apps_and_a_killed_gateway_neither_lose_nor_double_a_count(breakable: RunningFarm) -> None:
    made = breakable.client.create(calls_max=400, seed=7)
    acknowledged: Counter[str] = Counter()

    def keep_calling(app: str) -> None:
        tool, arguments = TOOLS[app]
        tries = 0
        while tries < 2000:
            tries += 1
            try:
                answer = mcp_call(made["mcp"][app], tool, arguments, made["token"])
            except FarmError:
                continue  # killed under this call, or not back yet
            if "error" in answer:
                continue
            if is_over(answer):
                return
            acknowledged[app] += 1

    threads = [threading.Thread(target=keep_calling, args=(app,)) for app in ("slack", "slack", "rednote", "rednote")]
    for thread in threads:
        thread.start()
    for calls in (100, 200):
        until(lambda calls=calls: acknowledged.total() > calls, f"{calls} calls")  # type: ignore[misc]
        before = breakable.settled
        for pid in (*(app.pid for app in before.apps), before.gateway_pid):
            os.kill(pid, signal.SIGKILL)
    for thread in threads:
        thread.join()

    found = breakable.connect().episode(made["id"])
    in_trace = Counter(call["app"] for call in breakable.connect().calls(made["id"]))
    assert found["calls"] == in_trace.total() == 400
    # A call may be in the trace whose answer was lost with a process: for each of two threads one with the app, and one
    # that waited for the app when the gateway went, both times.
    assert all(0 <= in_trace[app] - acknowledged[app] <= 8 for app in TOOLS)


def test_after_its_time_an_episode_takes_no_call_on_any_address(farm: RunningFarm) -> None:
    # What expired long ago, the farm removes when it next looks round.
    expired = (datetime.now(UTC) - timedelta(minutes=1)).isoformat()
    made = farm.client.create(expires_at=expired, apps=["slack"], seed=7)
    addresses = (made["mcp_all"], made["mcp"]["slack"], made["direct"]["slack"])

    for url in addresses:
        tool = "slack__slack_list_channels" if url == made["mcp_all"] else "slack_list_channels"
        answer = mcp_call(url, tool, {}, made["token"])
        assert answer["isError"]
        assert said(answer).startswith("Refused: the time for this task is over.")

    assert farm.client.calls(made["id"]) == []
    farm.client.drop(made["id"])


def test_the_default_episode_has_no_limits(farm: RunningFarm) -> None:
    default = farm.client.episode("default")

    assert (default["calls_max"], default["expires_at"], default["over_limit"]) == (None, None, 0)


@pytest.mark.parametrize("calls_max", [0, -1, True, "12", 1.5, 2**63])
def test_a_limit_that_is_none_is_refused(farm: RunningFarm, calls_max: Any) -> None:
    with pytest.raises(FarmError, match="'calls_max' must be an integer from 1 on, not "):
        farm.client.create(calls_max=calls_max)


def test_limits_can_be_given_from_the_shell(farm: RunningFarm) -> None:
    where = ("--data", farm.data)
    limits = ("--calls-max=3", "--expires-at=2999-01-01T00:00:00Z")

    made = json.loads(farm_command("episode", "create", "--apps=slack", *limits, *where, "--json").stdout)

    assert (made["calls_max"], made["expires_at"]) == (3, "2999-01-01T00:00:00+00:00")
    assert re.search(r"^over_limit +0$", farm_command("episode", "show", made["id"], *where).stdout, re.M)
    assert "'calls_max' must be" in one_line(farm_command("episode", "create", "--calls-max=0", *where))
    farm.client.drop(made["id"])
