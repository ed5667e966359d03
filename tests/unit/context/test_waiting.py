"""The companion ``clock``: a call waits for what the person is notified of, and asks them what only they know."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitRequestParams, ElicitResult, TextContent, TextResourceContents

from farm import content
from farm.errors import FarmError, NotFoundError
from farm.testing import LocalWorld

USER = {
    "answers": [
        {"asks": {"contains_any": ["how many", "number"]}, "says": "Forty."},
        {"asks": [{"contains": "who"}, {"contains": "bring"}], "says": "Leo.", "patience": 1},
    ],
    "unknown": "No idea.",
    "tired": "Enough.",
    "questions_max": 5,
}


def harbor(*apps: str, **options: Any) -> LocalWorld:
    return LocalWorld("harbor", [*apps, "clock"], **{"arrivals": True, **options})


def wait(world: LocalWorld, **limit: Any) -> tuple[str, list[tuple[str, str]]]:
    told = world.call("clock", "wait", **limit)
    return told["now"][:16], [(each["app"], each["text"]) for each in told["notices"]]


def ask(world: LocalWorld, question: str) -> str:
    return str(world.call("clock", "ask_user", question=question))


def test_it_is_no_app_unless_it_is_named() -> None:
    assert "clock" in content.companion_names()
    assert "clock" not in content.app_names()
    with LocalWorld("mini") as world:
        assert "clock" not in world.apps


def test_a_call_waits_for_the_first_notice_over_all_apps() -> None:
    with harbor("lark", "slack", "email163") as world:
        first, second = wait(world, minutes=24 * 60), wait(world, minutes=24 * 60)

        assert first[0] == "2026-03-09T09:20"
        ((app, text),) = first[1]
        assert (app, text.split(": ")[1]) == (
            "lark",
            "S2 站会还有 10 分钟 09:30，飞书视频。今天轮到吴迪记要点 进入会议",
        )
        assert second[0] == "2026-03-09T09:47"
        assert {world._session.store(each).clock_ms(world.id) for each in world.apps} == {
            int(world.now.timestamp() * 1000)
        }
        assert world.diff() == {}


def test_a_limit_before_the_next_notice_is_reached_without_one() -> None:
    with harbor("slack") as world:
        assert wait(world, minutes=30) == ("2026-03-09T09:30", [])
        # Chatter in channels that mention nobody rings no phone.
        assert wait(world, until="2026-03-10T09:00:00+08:00") == ("2026-03-10T09:00", [])
        assert len(world.rows("slack", "messages")) > 1584


def test_what_begins_or_is_due_for_the_person_is_a_notice() -> None:
    with harbor("lark", arrivals=False) as world:
        assert wait(world, minutes=24 * 60) == (
            "2026-03-09T11:15",
            [("lark", "Calendar: S2 风险一页纸：先写 starts now")],
        )
        later = [wait(world, minutes=24 * 60)[1] for _ in range(4)]
        assert [("lark", "Calendar: Debrief：陆瑶 starts now")] in later  # of another, who invited her
        assert [("lark", "Tasks: 确认 Marcus 代替 Daniel 面试顾一鸣 is due")] in later


def test_what_was_due_before_the_episode_began_is_no_notice() -> None:
    with harbor("lark", now="2026-03-09T14:00:00+08:00") as world:
        assert wait(world, minutes=24 * 60)[0] == "2026-03-09T15:26"


def test_forks_and_restored_worlds_wait_for_the_same() -> None:
    with harbor("lark", "slack") as world:
        wait(world, minutes=60)
        saved = world.snapshot()
        rest = [wait(world, minutes=600) for _ in range(3)]

        with world.fork(saved) as fork:
            assert [wait(fork, minutes=600) for _ in range(3)] == rest
        world.restore(saved)
        assert [wait(world, minutes=600) for _ in range(3)] == rest


def test_each_person_hears_of_their_own() -> None:
    with harbor("lark", me=["lin.wan", "yu.han"]) as world:
        with world.fork() as fork:
            (mine,) = fork.call("clock", "wait", minutes=200)["notices"]
        told = world.as_("yu.han").call("clock", "wait", minutes=200)

        assert mine["at"] == "2026-03-09T09:20:00+08:00"
        assert all("风险一页纸" not in each["text"] for each in told["notices"])


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ({}, "Say how long to wait"),
        ({"minutes": 5, "until": "2026-03-09T10:00:00+08:00"}, "Say how long to wait"),
        ({"until": "ten o'clock"}, "is a time with an offset"),
        ({"until": "2026-03-09T10:00:00"}, "is a time with an offset"),
        ({"until": "2026-03-09T08:00:00+08:00"}, "It is 2026-03-09T09:00:00+08:00 already"),
        ({"minutes": 8 * 24 * 60}, "at most a week"),
        ({"minutes": -1}, "Invalid arguments"),
    ],
)
def test_a_wait_that_is_refused_moves_no_clock(limit: dict[str, Any], said: str) -> None:
    with harbor("slack") as world:
        before = world.now
        result = world.result("clock", "wait", **limit)

        assert result["isError"] is True
        assert said in result["content"][0]["text"]
        assert world.now == before


def test_the_person_tells_each_fact_when_asked_for_it_and_not_without_end() -> None:
    with LocalWorld("mini", ["slack", "clock"], user=USER) as world:
        assert ask(world, "How many tarts, and who brings them?") == "Forty. Leo."
        assert ask(world, "how many again?") == "As I said: Forty."
        assert ask(world, "How many?") == ask(world, "Who was it?") == "I have told you that already. Please go on."
        assert ask(world, "Which colour?") == "No idea."
        assert ask(world, "How many?") == "Enough."

        assert [call["refused"] for call in world.calls()] == [False] * 6


def test_what_was_asked_goes_with_a_fork_and_back_with_a_restore() -> None:
    with LocalWorld("mini", ["slack", "clock"], user=USER) as world:
        saved = world.snapshot()
        ask(world, "Who brings them?")
        with world.fork() as fork:
            assert ask(fork, "Who brings them?").startswith("I have told you")
        world.restore(saved)
        assert ask(world, "Who brings them?") == "Leo."


def test_nobody_can_be_asked_without_a_script() -> None:
    with LocalWorld("mini", ["slack", "clock"]) as world:
        assert (
            world.result("clock", "ask_user", question="Why?")["content"][0]["text"] == "Nobody is there to be asked."
        )


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ({"answer": []}, "unknown key 'answer' of 'user'; it takes answers, unknown, tired, questions_max"),
        ({"answers": [{"asks": {"contain": "x"}, "says": "y"}]}, "'user.answers[0].asks': no operator 'contain'"),
        ({"answers": [{"asks": "x", "says": "y"}]}, "'user.answers[0].asks': it is a table of operators"),
        ({"answers": [{"asks": {"contains": "x"}}]}, "'user.answers[0].says' must be a text, not None"),
        ({"answers": {}}, "'user.answers' must be a list of answers"),
        ({"questions_max": 0}, "'user.questions_max' must be a number from 1 on, not 0"),
        ({"unknown": ""}, "'user.unknown' must be a text"),
    ],
)
def test_a_script_that_is_wrong_is_refused_with_its_key(script: dict[str, Any], said: str) -> None:
    with pytest.raises(FarmError) as refused:
        LocalWorld("mini", ["slack", "clock"], user=script)

    assert said in str(refused.value)


def test_a_script_needs_somebody_who_asks() -> None:
    with pytest.raises(FarmError, match="nobody can ask the 'user' here; name one of clock among the apps"):
        LocalWorld("mini", ["slack"], user=USER)


@pytest.mark.parametrize("pace", ["0s", "2d", "soon", 30])
def test_a_pace_is_a_duration_of_a_day_at_most(pace: Any) -> None:
    with pytest.raises(FarmError, match=r"'pace' must be a duration|a duration is a number"):
        LocalWorld("mini", ["slack"], pace=pace)


def _posted(world: LocalWorld) -> int:
    world.call("slack", "slack_post_message", channel_id="#general", text="hi")
    return int(world.rows("slack", "messages")[-1]["ts"].partition(".")[0])


def test_each_call_takes_its_time_in_all_apps() -> None:
    with LocalWorld("mini", ["slack", "lark"], pace="30s") as world:
        began = world.now
        world.call("slack", "slack_list_channels")
        world.call("lark", "calendar_v4_calendar_primary")
        assert (world.now - began).total_seconds() == 60
        saved = world.snapshot()
        world.call("slack", "slack_post_message", channel_id="#general", text="hi")
        assert (world.now - began).total_seconds() == pytest.approx(90, abs=0.01)

        with world.fork(saved) as fork:
            assert (fork.now - began).total_seconds() == 60
        world.restore(saved)
        assert (world.now - began).total_seconds() == 60
        world.advance_to(began.replace(hour=12))
        assert world.now == began.replace(hour=12)
        world.call("lark", "calendar_v4_calendar_primary")
        assert (world.now - began.replace(hour=12)).total_seconds() == 30


def test_with_a_pace_an_agent_that_looks_again_sees_what_has_come() -> None:
    with LocalWorld("harbor", ["slack"], arrivals=True, pace="20m") as world:
        before = len(world.rows("slack", "messages"))
        for _ in range(4):
            world.call("slack", "slack_list_channels", limit=1)
        assert len(world.rows("slack", "messages")) > before


def test_a_companion_is_no_app_for_a_fault_of_the_others_but_has_its_own() -> None:
    with harbor("slack") as world:
        world.fault("clock", "unavailable", heals_after=1)
        with pytest.raises(Exception, match="Service Unavailable"):
            wait(world, minutes=5)
        assert wait(world, minutes=5)[1] == []


def test_an_app_that_waits_nowhere_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr("farm.benchmark.runner.in_process_farm.wait_in", fail)
    with harbor("slack") as world:
        world.call("slack", "slack_list_channels")
        ask_result: Callable[..., Any] = world.result
        ask_result("clock", "ask_user", question="?")


def test_a_tool_that_does_not_exist_moves_nothing() -> None:
    with harbor("slack") as world:
        before = world.now
        assert "Unknown tool" in str(world.result("clock", "sleep", minutes=5))
        assert world.now == before
        with pytest.raises(NotFoundError, match="no app 'fax'"):
            LocalWorld("mini", ["fax"])


CHAIRS = {
    "who": "ben",
    "when": {"app": "slack", "table": "messages", "where": {"channel": "#opening", "text": {"contains": "how many"}}},
    "then": [{"do": "reply", "after": "5m", "text": "24."}],
}


def test_an_agent_waits_for_the_answer_to_its_question() -> None:
    with LocalWorld("mini", ["slack", "clock"], people=[CHAIRS]) as world:
        world.call("slack", "slack_post_message", channel_id="#opening", text="Ben, how many chairs?")

        assert wait(world, minutes=60) == ("2026-06-01T09:05", [("slack", "Ben Brook in #opening: 24.")])
        assert wait(world, minutes=60) == ("2026-06-01T10:05", [])


def test_an_answer_in_another_app_ends_a_wait_too() -> None:
    elsewhere = {**CHAIRS, "then": [{"do": "message", "app": "lark", "after": "7m", "to": "@ada", "text": "24."}]}
    with LocalWorld("mini", ["slack", "lark", "clock"], people=[elsewhere]) as world:
        world.call("slack", "slack_post_message", channel_id="#opening", text="Ben, how many chairs?")

        assert wait(world, minutes=60) == ("2026-06-01T09:07", [("lark", "Ben Brook: 24.")])


async def test_a_world_in_process_asks_the_clients_user_and_lists_notices() -> None:
    async def answers(context: Any, params: ElicitRequestParams) -> ElicitResult:
        return ElicitResult(action="accept", content={"answer": f"{params.message} Blue."})

    seen: list[float] = []

    async def report(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    with LocalWorld("mini", ["lark", "clock"], user=USER) as world:
        http = httpx2.AsyncClient(headers={"authorization": f"Bearer {world.token}"})
        place = streamable_http_client(world.url("clock"), http_client=http)
        async with http, Client(place, mode="legacy", elicitation_callback=answers) as client:
            waited = await client.call_tool("wait", {"minutes": 600}, progress_callback=report)
            listed = await client.read_resource("clock://notices")
            told = await client.call_tool("ask_user", {"question": "Which colour?"})

    assert isinstance(told.content[0], TextContent)
    assert isinstance(waited.content[0], TextContent)
    assert isinstance(listed.contents[0], TextResourceContents)
    assert told.content[0].text == "Which colour? Blue."
    assert seen == [0, 360]
    assert json.loads(listed.contents[0].text) == json.loads(waited.content[0].text)
