"""A play: what is told, calls by joint names, forks, and the line of its end; in process and on a farm."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from farm import content
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.run import run_suite
from farm.client import mcp_call
from farm.errors import FarmError, NotFoundError
from farm.play import LocalHost, Play, card_of, play_oracle, tasks
from farm.server.joint_names import joint_name
from tests.suites import parsed_suite
from tests.unit._farm_here import FarmHere

TASK = "demo/slack-boards-rate"
LISTING = joint_name("slack", "slack_list_channels")


@pytest.fixture(scope="module")
def host() -> Iterator[LocalHost]:
    with LocalHost() as made:
        yield made


@pytest.fixture
def play(host: LocalHost) -> Iterator[Play]:
    with Play(TASK, host=host) as made:
        yield made


def test_a_play_tells_what_its_card_tells(play: Play) -> None:
    card = card_of(TASK, answers="sheet")

    assert (play.system, play.instruction) == (card.system, card.instruction)
    assert (play.now, play.limits.calls_max) == (card.now, card.calls_max)
    assert "slack-boards-rate" not in play.trial


def test_the_tools_are_those_of_the_task_in_three_forms(play: Play) -> None:
    (openai, *_), (anthropic, *_), (mcp, *_) = (play.tools(form) for form in ("openai", "anthropic", "mcp"))

    schema = content.load_app("slack").tool_schemas[0]
    assert openai["function"]["name"] == anthropic["name"] == mcp["name"] == LISTING
    assert openai["function"]["parameters"] == anthropic["input_schema"] == mcp["inputSchema"] == schema["inputSchema"]
    with pytest.raises(FarmError, match="no form of tools 'gemini'; have mcp, openai, anthropic"):
        play.tools("gemini")  # type: ignore[arg-type] # as a caller without types might


@pytest.mark.parametrize("arguments", [{"limit": 3}, '{"limit": 3}'])
def test_a_call_takes_an_object_or_its_json(play: Play, arguments: Any) -> None:
    done = play.call(LISTING, arguments)

    assert done.is_error is False
    assert done.text.startswith('{"ok":true')
    assert play.session.calls()[0]["arguments"] == {"limit": 3}


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("slack__nothing", {}, "Error: there is no tool 'slack__nothing'"),
        (LISTING, "{", "Error: the arguments are not JSON"),
        (LISTING, "[1]", "Error: the arguments are not a JSON object"),
        (LISTING, 7, "Error: the arguments are not a JSON object"),
    ],
)
def test_what_a_model_writes_wrongly_is_refused_and_not_raised(
    play: Play, name: str, arguments: Any, said: str
) -> None:
    done = play.call(name, arguments)

    assert (done.text, done.is_error) == (said, True)
    assert play.session.calls() == []


def test_calls_can_be_awaited(host: LocalHost) -> None:
    async def act() -> str:
        async with Play(TASK, host=host) as play:
            return (await play.acall(LISTING, {"limit": 1})).text

    assert asyncio.run(act()).startswith('{"ok":true')


def test_the_servers_of_a_play_answer_over_mcp(play: Play) -> None:
    server = play.servers["slack"]

    result = mcp_call(server.url, "slack_list_channels", {"limit": 1}, server.headers["Authorization"].split()[1])

    assert result["content"][0]["text"].startswith('{"ok":true')
    assert len(play.session.calls()) == 1


def test_a_fork_has_the_calls_so_far_and_goes_its_own_way(play: Play) -> None:
    play.call(LISTING, {"limit": 1})

    with play.fork() as copy:
        copy.call(LISTING, {"limit": 2})

        assert [call["arguments"] for call in copy.session.calls()] == [{"limit": 1}, {"limit": 2}]
        assert [call["arguments"] for call in play.session.calls()] == [{"limit": 1}]
        assert copy.trial != play.trial
        assert copy.finish("")["acc"] == 0.0
    assert play.finish("")["outcome"] == "fail"


def test_a_play_is_finished_once(play: Play) -> None:
    played = play_oracle(play)

    line = play.finish(played.answer, turns=played.turns)

    assert (line["acc"], line["outcome"], line["tfs"], line["tefs"]) == (1.0, "pass", True, True)
    for again in (lambda: play.finish(""), lambda: play.call(LISTING), play.fork):
        with pytest.raises(FarmError, match="this play is over: it was finished or closed; start another"):
            again()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ended": "nope"}, "'ended' must be one of answered, "),
        ({"turns": [3]}, "'turns' must be a list of turns"),
        ({"usage": {"prompt_tokens": 1}}, "'usage' must be a Usage"),
        ({"answer": 3}, "the answer must be a text"),
    ],
)
def test_a_play_that_cannot_be_graded_so_stays_open(play: Play, given: dict[str, Any], said: str) -> None:
    with pytest.raises(FarmError, match=said):
        play.finish(**{"answer": "", **given})

    assert play.finish("")["outcome"] == "fail"


def test_of_several_threads_one_finishes_a_play(play: Play) -> None:
    def finish(_: int) -> str:
        try:
            return str(play.finish("")["outcome"])
        except FarmError as refused:
            return str(refused)

    with ThreadPoolExecutor(4) as pool:
        found = sorted(pool.map(finish, range(4)))

    assert found == ["fail", *["this play is over: it was finished or closed; start another"] * 3]


def test_a_farm_that_is_gone_does_not_hide_what_went_wrong_before(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise FarmError("no farm answers")

    monkeypatch.setattr(play.session, "close", fail)

    with pytest.raises(ZeroDivisionError), play.fork(), play:
        _ = 1 / 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX forks")
def test_a_forked_process_leaves_the_play_of_its_parent_alone(play: Play) -> None:
    play.call(LISTING, {"limit": 1})
    child = os.fork()
    if child == 0:
        try:
            play.close()
            play.finish("")
        except FarmError as refused:
            os._exit(7 if "belongs to process" in str(refused) else 1)
        os._exit(2)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert len(play.finish("")["calls"]) == 1


def test_calls_after_the_time_are_refused(host: LocalHost) -> None:
    with Play(TASK, host=host, time_s_max=1e-6) as play:
        done = play.call(LISTING)
        line = play.finish("", ended="time")

    assert (done.is_error, done.text.split(".")[0]) == (True, "Refused: the time for this task is over")
    assert (line["calls"], line["over_limit"]) == ([], 0)


def test_calls_beyond_the_limit_are_refused_and_counted(host: LocalHost) -> None:
    with Play(TASK, host=host, calls_max=1) as play:
        play.call(LISTING)
        assert play.call(LISTING).is_error
        line = play.finish("")

    assert (line["over_limit"], line["outcome"]) == (1, "over_limit")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"task": "demo/nothing"}, "no task 'nothing' in suite 'demo'"),
        ({"task": "slack-boards-rate"}, "a task is named SUITE/TASK"),
        ({"menu": "some"}, "no menu 'some'"),
        ({"profile": "y"}, "no app has a profile 'y'"),
        ({"prompt": "z"}, "no prompt 'z'"),
        ({"answers": "z"}, "no form of answers 'z'; have sheet, prose"),
        ({"calls_max": 0}, "'calls_max' must be a number of calls from 1 on, not 0"),
        ({"time_s_max": float("inf")}, "'time_s_max' must be seconds up to a week, not inf"),
        ({"task": None}, "a task is named SUITE/TASK, not None"),
        ({"url": "http://127.0.0.1:1"}, "a farm is named by its operators' URL and its operator token, both"),
        ({"token": "t"}, "a farm is named by its operators' URL and its operator token, both"),
        ({"url": "http://127.0.0.1:1", "token": "t"}, "no farm answers at http://127.0.0.1:1"),
    ],
)
def test_a_play_that_cannot_be_started_is_one_line(options: dict[str, Any], said: str) -> None:
    with pytest.raises(FarmError, match=f"^{said}") as refused:
        Play(**{"task": TASK, **options})

    assert "\n" not in str(refused.value)


def test_a_closed_host_is_named(host: LocalHost) -> None:
    other = LocalHost()
    other.close()

    with pytest.raises(FarmError, match="this host is closed"):
        Play(TASK, host=other)
    with pytest.raises(FarmError, match="not both"):
        Play(TASK, host=host, url="http://127.0.0.1:1", token="t")


def test_a_suite_is_listed_without_an_episode_and_in_shards() -> None:
    cards = tasks("demo")

    assert [card.task for card in cards] == [f"demo/{task.id}" for task in parsed_suite("demo").tasks]
    assert tasks("demo", (2, 3)) == cards[1::3]
    with pytest.raises(NotFoundError, match="no suite 'x'"):
        tasks("x")


def test_a_play_in_process_and_a_run_on_a_farm_write_the_same_line(
    host: LocalHost, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = FarmHere(tmp_path)
    here.stand_in(monkeypatch)
    lines: list[dict[str, Any]] = []
    from farm.benchmark.agents.scripted import Oracle

    suite = parsed_suite("demo")
    one = type(suite)(suite.name, suite.title, (suite.task("slack-boards-rate"), suite.task("lark-new-room")))
    address: Any = here
    run_suite(one, Oracle(), address, Options(parallel=1, seed=3), on_trial=lambda line, _: lines.append(line))
    here.end()

    for line in lines:
        with Play(f"demo/{line['task']}", 3, host=host) as play:
            played = play_oracle(play)
            own = play.finish(played.answer, turns=played.turns)
        assert _without_times(own) == _without_times(line)


def _without_times(line: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in line.items() if name not in ("id", "time_s")}
    calls = [{name: of for name, of in call.items() if not name.endswith("ed_at")} for call in line["calls"]]
    return kept | {"calls": calls}
