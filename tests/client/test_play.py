"""Trials that mcp_farm_client holds on a farm are those that farm.play holds in this process."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Literal

import pytest
from mcp_farm_client import McpFarmError, Play, tasks
from mcp_farm_client.tools import joint_name

from farm import play as in_process
from farm.client import mcp_tools
from farm.server import joint_names
from tests.client.oracle import comparable, finish_by_oracle

TASK = "demo/slack-unlock-scheduler"
Address = dict[str, Any]


def line_here(task: str, seed: int) -> dict[str, Any]:
    with in_process.Play(task, seed) as play:
        return play.finish_result(in_process.play_oracle(play))


@pytest.mark.parametrize("task", [TASK, "demo/lark-new-room", "demo/cross-hike-water"])
def test_the_oracle_earns_the_line_that_it_earns_in_this_process(address: Address, task: str) -> None:
    with Play(task, 3, **address) as play:
        line = finish_by_oracle(play)

    assert line["acc"] == 1.0
    assert comparable(line) == comparable(line_here(task, 3))
    assert (line["id"], line["time_s"] > 0) == (play.trial, True)


@pytest.mark.slow
def test_every_oracle_earns_the_line_that_it_earns_in_this_process(address: Address) -> None:
    cards = tasks("demo", **address)

    assert len(cards) > 70
    for card in cards:
        with Play(card.task, 5, **address) as play:
            assert comparable(finish_by_oracle(play)) == comparable(line_here(card.task, 5)), card.task


def test_an_agent_that_does_nothing_fails_as_in_this_process(address: Address) -> None:
    with Play(TASK, **address) as play, in_process.Play(TASK) as here:
        usage = {"prompt_tokens": 9, "completion_tokens": 2}
        line = play.finish("", turns=(), usage=usage, transcript=[{"role": "user"}])
        told = here.finish("", turns=(), transcript=[{"role": "user"}])

    assert line["acc"] == 0.0
    assert line["usage"] == {**usage, "cached_tokens": 0}
    assert comparable(line) == comparable(told) | {"usage": line["usage"]}


@pytest.mark.parametrize("prompt", [None, "person-1"])
def test_cards_say_what_farm_play_says_and_shards_are_its_shards(address: Address, prompt: str | None) -> None:
    options: Any = {} if prompt is None else {"prompt": prompt}

    found = tasks("demo", (2, 5), **address, **options)

    assert [asdict(card) for card in found] == [asdict(card) for card in in_process.tasks("demo", (2, 5), **options)]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"answers": "prose", "prompt": "person-1", "seed": 4},
        {"menu": "k=40", "seed": 4, "calls_max": 3, "time_s_max": 90.0},
        {"menu": "k=40", "menu_seed": 1},
        {"menu": "all", "profile": "paper-2025"},
    ],
)
def test_a_play_offers_what_farm_play_offers(address: Address, options: dict[str, Any]) -> None:
    with Play(TASK, **address, **options) as play, in_process.Play(TASK, **options) as here:
        assert (play.system, play.instruction, play.now) == (here.system, here.instruction, here.now)
        assert play.calls_max == here.limits.calls_max
        forms: tuple[Literal["mcp", "openai", "anthropic"], ...] = ("mcp", "openai", "anthropic")
        for form in forms:
            assert play.tools(form) == here.tools(form)


def test_a_name_of_many_letters_is_shortened_as_farm_play_shortens_it() -> None:
    for tool in ("t", "t" * 54, "t" * 55, "t" * 80):
        assert joint_name("deep_research", tool) == joint_names.joint_name("deep_research", tool)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("slack__slack_list_channels", '{"limit": 2}'),
        ("slack__slack_list_channels", ""),
        ("slack__slack_list_channels", None),
        ("slack__slack_list_channels", '{"limit": "many"}'),
        ("slack__slack_list_channels", "[1]"),
        ("slack__slack_list_channels", "{"),
        ("slack__slack_list_channels", '{"limit": NaN}'),
        ("slack__slack_list_channels", '{"cursor": "\\ud800"}'),
        ("slack__slack_list_channels", "[" * 100_000),
        ("slack__slack_post_message", {"channel_id": "C0"}),
        ("slack_list_channels", {}),
        ("", "{}"),
    ],
)
def test_what_a_model_writes_is_answered_as_by_farm_play(address: Address, name: str, arguments: Any) -> None:
    with Play(TASK, **address) as play, in_process.Play(TASK) as here:
        assert asdict(play.call(name, arguments)) == asdict(here.call(name, arguments))


@pytest.mark.parametrize("letter", ["x", "汉"])
def test_arguments_of_many_megabytes_are_refused_and_shorter_ones_are_sent(address: Address, letter: str) -> None:
    fitting = {"text": letter * (4000 * 1024 // len(letter.encode()))}
    with (
        Play(TASK, **address) as client,
        in_process.Play(TASK, **address) as there,
        in_process.Play(TASK) as here,
    ):
        for play in (client, there, here):
            refused = play.call("slack__slack_post_message", {"text": letter * (20 << 20)})
            sent = play.call("slack__slack_post_message", fitting)

            assert (refused.is_error, refused.text) == (True, "Error: the arguments are over 4095 KiB")
            assert "over 4095 KiB" not in sent.text
            calls = play.session.calls()
            assert [len(call["arguments"]["text"]) for call in calls] == [len(fitting["text"])], play


async def test_a_play_is_held_in_an_event_loop(address: Address) -> None:
    async with Play(TASK, **address) as play:
        done = await play.acall("slack__slack_list_channels", "{}")

    assert not done.is_error
    assert json.loads(done.text)["ok"]
    with pytest.raises(McpFarmError, match="this play is over"):
        play.call("slack__slack_list_channels")


def test_a_fork_has_the_calls_so_far_and_goes_its_own_way(address: Address) -> None:
    with Play(TASK, 1, **address) as play:
        play.call("slack__slack_list_channels")
        with play.fork() as copy:
            copy.call("slack__slack_get_users")
            forked = copy.finish("")
        line = play.finish("")

    assert [[call["tool"] for call in each["calls"]] for each in (line, forked)] == [
        ["slack_list_channels"],
        ["slack_list_channels", "slack_get_users"],
    ]
    assert copy.trial != play.trial


def test_servers_are_those_of_the_episode_with_its_bearer(address: Address) -> None:
    with Play(TASK, **address) as play:
        (server,) = play.servers.values()

    assert list(play.servers) == ["slack"]
    assert server.url.endswith(f"/{play.session.id}/slack")
    assert server.headers == {"Authorization": f"Bearer {play.session.token}"}


def test_one_server_has_the_tools_of_all_apps_under_the_names_of_the_play(address: Address) -> None:
    with Play("demo/cross-hike-water", **address) as play:
        listed = mcp_tools(play.server.url, play.session.token)
        names = [each["name"] for each in play.tools("mcp")]

    assert len({name.partition("__")[0] for name in names}) > 1
    assert sorted(each["name"] for each in listed) == sorted(names)


def test_a_play_that_is_over_leaves_no_episode_and_takes_nothing_more(address: Address) -> None:
    with Play(TASK, **address) as play:
        play.finish("")

    for late in (lambda: play.finish(""), lambda: play.call("x"), play.fork, play.tools):
        with pytest.raises(McpFarmError, match="this play is over: it was finished or closed; start another"):
            late()
    with Play(TASK, **address) as other:
        kept = other._use.farm.ask("GET", "/v1/episodes")["episodes"]
    assert [each["id"] for each in kept if each["id"] != "default"] == [other.session.id]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"task": "demo/none"}, "no task 'none' in suite 'demo'; have"),
        ({"task": "demo"}, "a task is named SUITE/TASK, not 'demo'"),
        ({"task": "none/x"}, "no suite 'none'"),
        ({"task": None}, "a task is named SUITE/TASK, not None"),
        ({"menu": "some"}, r"no menu 'some'; have selected \(the task's apps\), all"),
        ({"menu": "k=9999"}, "menu 'k=9999' wants more tools than there are"),
        ({"profile": "paper-1999"}, "no app has a profile 'paper-1999'; have latest"),
        ({"prompt": "person-9"}, "no prompt 'person-9'; have counted, person-1, person-2, plain"),
        ({"answers": "song"}, "no form of answers 'song'; have sheet, prose"),
        ({"calls_max": -1}, "'calls_max' must be a number of calls from 1 on, not -1"),
        ({"time_s_max": -1.0}, "'time_s_max' must be seconds up to a week, not -1.0"),
        ({"time_s_max": "long"}, "'time_s_max' must be a number of seconds, not 'long'"),
        ({"seed": -1}, "'seed' must be an integer from 0 to 2\\*\\*63 - 1, not -1"),
        ({"seed": 2**70}, r"'seed' must be an integer from 0 to 2\*\*63 - 1"),
        ({"token": "another"}, "wants another token; its file is what 'farm status' calls token"),
        ({"token": ""}, "the token is no operator token"),
        ({"token": "two\nlines"}, "the token is no operator token"),
        ({"token": None}, "a farm is named by its operators' URL and its operator token, both texts"),
        ({"url": "http://127.0.0.1:9"}, "no farm answers at http://127.0.0.1:9 .*'farm status'"),
        ({"url": "127.0.0.1:8701"}, "'127.0.0.1:8701/v1/farm' is no URL of a farm; it looks like"),
        ({"url": "http://127.0.0.1:port"}, "is no URL of a farm"),
    ],
)
def test_a_play_that_cannot_be_held_is_told_in_one_line(address: Address, options: dict[str, Any], said: str) -> None:
    with pytest.raises(McpFarmError, match=said) as refused:
        Play(**{"task": TASK, **address, **options})

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"answer": None}, "the answer must be a text, not None"),
        ({"ended": "bored"}, "'ended' must be one of answered, rounds"),
        ({"turns": 3}, "'turns' must be a list of turns"),
        ({"turns": [[("slack", "x")]]}, r"'turns' must be a list of turns, each a list of \[app, tool, arguments\]"),
        ({"usage": 7}, "'usage' must be a mapping of counts of tokens, not 7"),
        ({"usage": {"tokens": 7}}, "'usage' must be an object of counts: prompt_tokens"),
        ({"turns": [[("slack", "x", {"a": {1}})]]}, "the request cannot be sent as JSON"),
    ],
)
def test_a_finish_that_is_refused_can_be_repeated(address: Address, given: dict[str, Any], said: str) -> None:
    with Play(TASK, **address) as play:
        with pytest.raises(McpFarmError, match=said):
            play.finish(**{"answer": "", **given})

        assert play.finish("")["outcome"]


def test_tools_in_an_unknown_form_and_a_shard_that_is_none_are_refused(address: Address) -> None:
    with (
        Play(TASK, **address) as play,
        pytest.raises(McpFarmError, match="no form of tools 'gemini'; have mcp, openai"),
    ):
        play.tools("gemini")  # type: ignore[arg-type]
    for shard, said in (
        ((0, 3), "there is no shard 0 of 3; they are numbered from 1"),
        ((500, 500), r"shard 500/500 is empty: the suite has only \d+ tasks"),
        ("2/4", "a shard is a number and a count"),
    ):
        with pytest.raises(McpFarmError, match=said):
            tasks("demo", shard, **address)  # type: ignore[arg-type]
    with pytest.raises(McpFarmError, match="no suite 'none'; have demo"):
        tasks("none", **address)
