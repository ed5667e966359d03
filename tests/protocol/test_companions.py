"""The farm's own server beside the apps, over HTTP: it waits in the gateway and moves the clocks of all apps."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from farm.client import mcp_call
from farm.errors import ConflictError, FarmError
from tests.protocol.in_process import Farm, farm

REFUSED = "needs its token|the access token expired|no episode has this bearer"
USER = {"answers": [{"asks": {"contains": "colour"}, "says": "Red."}], "unknown": "No idea."}


@pytest_asyncio.fixture
async def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Farm]:
    before = signal.getsignal(signal.SIGALRM)
    async with farm(tmp_path, "slack", "lark", monkeypatch=monkeypatch) as made:
        yield made
    assert signal.getsignal(signal.SIGALRM) == before, "whoever serves a companion cuts the calls of others"


async def _create(running: Farm, **wishes: Any) -> dict[str, Any]:
    wanted = {"world": "mini", "now": None, "apps": ["clock", "lark", "slack"]}
    made: dict[str, Any] = await running.create(**wanted, **wishes)
    return made


def _body(result: dict[str, Any]) -> Any:
    return json.loads(result["content"][0]["text"])


async def test_an_episode_has_it_if_it_names_it(running: Farm) -> None:
    named, other = await _create(running), await running.create()

    assert named["apps"] == ["clock", "lark", "slack"]
    assert await running.tools(named["mcp"]["clock"], named["token"]) == ["wait", "ask_user"]
    assert "clock__wait" in await running.tools(named["mcp_all"], named["token"])
    assert other["apps"] == ["lark", "slack"]
    assert [each["app"] for each in (await running.ask("GET", "/v1/farm"))["apps"]] == ["lark", "slack"]
    assert "clock" not in (await running.ask("GET", "/v1/episodes/default"))["apps"]


async def test_a_call_waits_for_the_first_notice_and_moves_every_clock(running: Farm) -> None:
    made = await _create(running)
    first = _body(await running.call(made, "clock", "wait", minutes=600))
    joint = await asyncio.to_thread(mcp_call, made["mcp_all"], "clock__wait", {"minutes": 5}, made["token"])
    direct = await asyncio.to_thread(mcp_call, made["direct"]["clock"], "wait", {"minutes": 600}, made["token"])

    assert (first["now"], len(first["notices"])) == ("2026-06-01T15:00:00+00:00", 1)
    assert _body(joint) == {"now": "2026-06-01T15:05:00+00:00", "notices": []}
    assert _body(direct)["now"] == "2026-06-01T17:00:00+00:00"
    assert {app.store.clock_ms(made["id"]) for app in running.apps.values()} == {1780333200000}
    calls = await running.ask("GET", f"/v1/episodes/{made['id']}/calls")
    assert [(each["app"], each["tool"]) for each in calls] == [("clock", "wait")] * 3
    assert (await running.ask("GET", f"/v1/episodes/{made['id']}/diff"))["apps"] == {
        "clock": {},
        "lark": {},
        "slack": {},
    }


async def test_two_calls_that_wait_at_once_each_hear_of_something_else(running: Farm) -> None:
    made = await _create(running)
    told = await asyncio.gather(*(running.call(made, "clock", "wait", minutes=600) for _ in range(2)))

    assert sorted(_body(each)["now"] for each in told) == ["2026-06-01T15:00:00+00:00", "2026-06-01T17:00:00+00:00"]


async def test_copies_wait_and_remember_as_the_original_would(running: Farm) -> None:
    made = await _create(running, user=USER)
    await running.call(made, "clock", "wait", minutes=600)
    await running.call(made, "clock", "ask_user", question="Which colour?")
    copy = await running.ask("POST", f"/v1/episodes/{made['id']}/fork", {})

    both = [await running.call(each, "clock", "ask_user", question="Which colour?") for each in (made, copy)]
    later = [_body(await running.call(each, "clock", "wait", minutes=600)) for each in (made, copy)]
    assert [each["content"][0]["text"] for each in both] == ["As I said: Red."] * 2
    assert later[0] == later[1]
    await running.ask("POST", f"/v1/episodes/{made['id']}/reset")
    assert (await running.call(made, "clock", "ask_user", question="Which colour?"))["content"][0]["text"] == "Red."
    assert _body(await running.call(made, "clock", "wait", minutes=600))["now"] == "2026-06-01T15:00:00+00:00"


async def test_it_is_judged_by_its_calls_too(running: Farm) -> None:
    made = await _create(running, user=USER)
    await running.call(made, "clock", "ask_user", question="Which colour?")

    asked = {"id": "asked", "kind": "other", "predicate": "called", "app": "clock", "tool": "ask_user", "max": 1}
    found = await running.ask("POST", f"/v1/episodes/{made['id']}/check", {"checkpoints": [asked]})
    assert [each["score"] for each in found["checkpoints"]] == [1]


async def test_a_refused_wait_moves_nothing_and_a_stranger_is_refused(running: Farm) -> None:
    made = await _create(running)
    refused = await running.call(made, "clock", "wait")

    assert refused["isError"] is True
    with pytest.raises(FarmError, match=REFUSED):
        await asyncio.to_thread(mcp_call, made["mcp"]["clock"], "wait", {"minutes": 600}, "another")
    assert (await running.ask("GET", f"/v1/episodes/{made['id']}/clock"))["now"] == "2026-06-01T09:00:00.000+00:00"


async def test_an_expired_token_stays_refused_until_a_new_one_is_issued(running: Farm) -> None:
    made = await _create(running)
    path = f"/v1/episodes/{made['id']}"
    await running.ask("POST", f"{path}/faults", {"app": "slack", "kind": "unauthorized"})

    for _ in range(2):
        with pytest.raises(FarmError, match=REFUSED):
            await running.call(made, "slack", "slack_list_channels")
    with pytest.raises(FarmError, match=REFUSED):
        await running.tools(made["mcp"]["slack"], made["token"])
    renewed = await running.ask("POST", f"{path}/token")
    assert renewed["token"] == (await running.ask("GET", path))["token"] != made["token"]
    with pytest.raises(FarmError, match=REFUSED):
        await running.call(made, "slack", "slack_list_channels")
    for app in ("slack", "clock"):
        assert await running.tools(made["mcp"][app], renewed["token"])
    assert "channels" in _body(await running.call({**made, **renewed}, "slack", "slack_list_channels"))
    (fault,) = (await running.ask("GET", f"{path}/faults"))["faults"]
    assert (fault["failed"], fault["healed"]) == (1, True)
    with pytest.raises(FarmError, match=REFUSED):
        await running.tools(made["mcp_all"], made["token"])
    assert await running.tools(made["mcp_all"].partition("/mcp/")[0] + "/mcp/slack", renewed["token"])


async def test_an_ended_fault_lets_the_same_token_in_again(running: Farm) -> None:
    made = await _create(running)
    path = f"/v1/episodes/{made['id']}/faults"
    await running.ask("POST", path, {"app": "slack", "kind": "unauthorized", "id": "out"})
    with pytest.raises(FarmError, match=REFUSED):
        await running.call(made, "slack", "slack_list_channels")
    await running.ask("DELETE", f"{path}/slack/out")

    assert await running.tools(made["mcp"]["slack"], made["token"])


async def test_an_episode_without_a_token_has_none_to_renew(running: Farm) -> None:
    with pytest.raises(ConflictError, match="asks for no token"):
        await running.ask("POST", "/v1/episodes/default/token")


async def test_a_restarted_gateway_knows_the_new_token_and_what_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with farm(tmp_path, "slack", "lark", monkeypatch=monkeypatch) as first:
        made = await _create(first, user=USER)
        await first.call(made, "clock", "ask_user", question="Which colour?")
        token = (await first.ask("POST", f"/v1/episodes/{made['id']}/token"))["token"]
    async with farm(tmp_path, "slack", "lark", monkeypatch=monkeypatch) as second:
        again = await second.ask("GET", f"/v1/episodes/{made['id']}")
        assert again["token"] == token
        told = await second.call(again, "clock", "ask_user", question="Which colour?")
        assert told["content"][0]["text"] == "As I said: Red."
        assert await second.tools(f"{second.agents_url}/mcp/slack", token)
        with pytest.raises(FarmError, match=REFUSED):
            await second.tools(f"{second.agents_url}/mcp/slack", made["token"])


async def test_beyond_the_limit_of_calls_nothing_waits(running: Farm) -> None:
    made = await _create(running, calls_max=1)
    await running.call(made, "clock", "ask_user", question="Which colour?")

    refused = await running.call(made, "clock", "wait", minutes=600)

    assert "the limit of 1 call for this task is reached" in refused["content"][0]["text"]
    assert (await running.ask("GET", f"/v1/episodes/{made['id']}/clock"))["now"] == "2026-06-01T09:00:00.000+00:00"
