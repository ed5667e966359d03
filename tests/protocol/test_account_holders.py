"""Several people in one episode: a token each, the same rows, and every call made as its sender."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from pytest_mcp_farm._client.wire import Farm as WireFarm
from pytest_mcp_farm._client.wire import WireSession

from farm.client import mcp_call, mcp_tools
from farm.context.log import read_lines
from farm.errors import ConflictError, FarmError, NotFoundError
from tests.protocol.in_process import OPERATOR_TOKEN, Farm, farm
from tests.protocol.test_gateway_farm import agent, send
from tests.protocol.wire import request

APPS = ("obsidian", "slack", "tushare")
PEOPLE = ["ada", "ben"]


@pytest_asyncio.fixture
async def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Farm]:
    async with farm(tmp_path, *APPS, monkeypatch=monkeypatch) as made:
        yield made


def token(made: dict[str, Any], person: str) -> str:
    found: str = made["holders"][person]["token"]
    return found


async def channel_of(running: Farm, made: dict[str, Any]) -> str:
    rows = await running.ask("GET", f"/v1/episodes/{made['id']}/state/slack/channels")
    return next(str(row["id"]) for row in rows["rows"] if not row.get("is_archived"))


async def authors(running: Farm, made: dict[str, Any], *texts: str) -> list[str]:
    """Return the people who wrote these messages, by their keys."""
    path = f"/v1/episodes/{made['id']}/state/slack/"
    users = {row["id"]: row["person"] for row in (await running.ask("GET", path + "users", limit="1000"))["rows"]}
    messages = (await running.ask("GET", path + "messages", limit="1000"))["rows"]
    return [users[row["user_id"]] for text in texts for row in messages if row["text"] == text]


async def calls(running: Farm, made: dict[str, Any]) -> list[tuple[Any, Any, Any]]:
    """Return who made each call, its arguments and its result."""
    found = await running.ask("GET", f"/v1/episodes/{made['id']}/calls")
    return [(each.get("by"), each["arguments"], each["result"]) for each in found]


async def say(running: Farm, made: dict[str, Any], person: str, text: str, where: str = "app") -> dict[str, Any]:
    channel = await channel_of(running, made)
    tool = "slack__slack_post_message" if where == "all" else "slack_post_message"
    url = {"app": made["mcp"]["slack"], "all": made["mcp_all"], "direct": made["direct"]["slack"]}[where]
    arguments = {"channel_id": channel, "text": text}
    return await asyncio.to_thread(mcp_call, url, tool, arguments, token(made, person))


async def test_each_token_acts_as_its_person_by_every_address(running: Farm) -> None:
    made = await running.create(world="mini", now=None, me=PEOPLE, apps=["slack"])

    for person in PEOPLE:
        for where in ("app", "all", "direct"):
            assert not (await say(running, made, person, f"{person} by {where}", where)).get("isError")

    texts = [f"{person} by {where}" for person in PEOPLE for where in ("app", "all", "direct")]
    assert await authors(running, made, *texts) == ["ada"] * 3 + ["ben"] * 3
    assert (made["me"], made["token"]) == ("ada", token(made, "ada"))
    assert token(made, "ada") != token(made, "ben")


async def test_the_trace_names_who_called_if_it_was_not_the_first(running: Farm) -> None:
    made = await running.create(world="mini", now=None, me=PEOPLE, apps=["slack"])
    await say(running, made, "ada", "one")
    await say(running, made, "ben", "two")
    await say(running, made, "ada", "three")

    calls = await running.ask("GET", f"/v1/episodes/{made['id']}/calls")

    assert [each.get("by") for each in calls] == [None, "ben", None]
    assert ["by" in each for each in calls] == [False, True, False]


async def test_a_person_sees_only_the_apps_where_they_have_an_account(running: Farm) -> None:
    made = await running.create(world="mini", now=None, me=PEOPLE)

    seen = {
        person: {name.partition("__")[0] for name in await running.tools(made["mcp_all"], token(made, person))}
        for person in PEOPLE
    }

    assert made["apps"] == ["obsidian", "slack", "tushare"]
    assert seen == {"ada": {"obsidian", "slack", "tushare"}, "ben": {"slack", "tushare"}}
    assert made["holders"]["ben"]["apps"] == ["slack", "tushare"]
    refusal = "'ben' has no account in obsidian, .*; 'ben' has slack, tushare"
    for url in (made["mcp"]["obsidian"], made["direct"]["obsidian"]):
        with pytest.raises(FarmError, match=refusal):
            await asyncio.to_thread(mcp_tools, url, token(made, "ben"))
    assert await asyncio.to_thread(mcp_tools, made["mcp"]["obsidian"], token(made, "ada"))


async def test_apps_that_are_not_named_are_those_of_the_people(running: Farm) -> None:
    alone = await running.create(world="mini", now=None, me="ben")
    listed = await running.create(world="mini", now=None, me=["ben"])

    assert alone["apps"] == listed["apps"] == ["slack", "tushare"]
    assert list(alone["holders"]) == ["ben"]
    with pytest.raises(NotFoundError, match="'ben' has no account in obsidian; have ada"):
        await running.create(world="mini", now=None, me="ben", apps=["obsidian"])
    with pytest.raises(NotFoundError, match="'ben' and 'cleo' have no account in obsidian; have ada"):
        await running.create(world="mini", now=None, me=["ben", "cleo"], apps=["obsidian"])
    with pytest.raises(NotFoundError, match="no person 'zoe' in world 'mini'"):
        await running.create(world="mini", now=None, me=["ada", "zoe"])
    with pytest.raises(FarmError, match="'me' must be a person's key or a list of such"):
        await running.create(world="mini", now=None, me=[])


async def test_copies_have_the_same_people_with_tokens_of_their_own(running: Farm) -> None:
    made = await running.create(world="mini", now=None, me=PEOPLE, apps=["slack"])
    await say(running, made, "ben", "before")
    await running.ask("POST", f"/v1/episodes/{made['id']}/snapshots", {"name": "s"})
    copy = await running.ask("POST", f"/v1/episodes/{made['id']}/fork", {})
    await say(running, made, "ben", "lost")
    await running.ask("POST", f"/v1/episodes/{made['id']}/restore", {"snapshot": "s"})

    await say(running, made, "ben", "after")
    await say(running, copy, "ben", "after")

    assert await authors(running, made, "before", "lost", "after") == ["ben", "ben"]
    assert await authors(running, copy, "before", "after") == ["ben", "ben"]
    assert token(copy, "ben") != token(made, "ben")
    with pytest.raises(FarmError, match="needs its token"):
        await asyncio.to_thread(mcp_tools, copy["mcp"]["slack"], token(made, "ben"))
    first, second = await calls(running, made), await calls(running, copy)
    assert first == second


async def test_a_token_opens_its_episode_without_its_id(running: Farm) -> None:
    made = await running.create(world="mini", now=None, me=PEOPLE)

    seen = await running.tools(f"{running.agents_url}/mcp", token(made, "ben"))

    assert {name.partition("__")[0] for name in seen} == {"slack", "tushare"}
    assert await running.tools(f"{running.agents_url}/mcp/slack", token(made, "ben"))


async def test_an_episode_of_one_person_is_written_as_before(running: Farm, tmp_path: Path) -> None:
    made = await running.create(world="mini", now=None, me="ada", apps=["slack"])
    await say(running, made, "ada", "hello")

    folder = tmp_path / "episodes" / made["id"]
    assert "holders" not in json.loads((folder / "episode.json").read_bytes())
    assert all("by" not in entry for entry in read_lines(folder / "slack.0.log"))


async def test_requests_that_the_sdk_answers_are_made_by_their_sender_too(running: Farm) -> None:
    made = await running.create(world="mini", now=None, me=PEOPLE, apps=["slack"])
    channel = await channel_of(running, made)
    # A parameter that no tools/call has is left to the SDK.
    body, _ = request("tools/call", {"name": "slack_post_message", "arguments": {"channel_id": channel, "text": "x"}})
    body["params"]["extra"] = 1
    answer = await send(made["direct"]["slack"], body, agent(token(made, "ben")))

    assert answer.status == 200
    assert await authors(running, made, "x") == ["ben"]


async def test_a_further_person_joins_an_episode_that_has_begun(running: Farm) -> None:
    made = await running.create(world="mini", now=None)
    await say(running, made, "ada", "alone")
    path = f"/v1/episodes/{made['id']}/holders"

    joined = await running.ask("POST", path, {"me": "ben"})

    assert await running.ask("POST", path, {"me": "ben"}) == joined
    assert (joined["me"], joined["apps"]) == ("ben", ["slack", "tushare"])
    told = await running.ask("GET", f"/v1/episodes/{made['id']}")
    assert (told["me"], told["token"]) == ("ada", made["token"])
    assert {person: each["token"] for person, each in told["holders"].items()} == {
        "ada": made["token"],
        "ben": joined["token"],
    }
    await say(running, told, "ben", "beside")
    await say(running, told, "ada", "still here")
    assert await authors(running, made, "alone", "beside", "still here") == ["ada", "ben", "ada"]
    assert len(await running.tools(made["mcp"]["obsidian"], made["token"])) > 0
    for person, message in (
        ("zoe", "no person 'zoe' in world 'mini'"),
        (None, "'me' is missing"),
    ):
        with pytest.raises(FarmError, match=message):
            await running.ask("POST", path, {"me": person})
    with pytest.raises(ConflictError, match="episode 'default' asks for no token"):
        await running.ask("POST", "/v1/episodes/default/holders", {"me": "ben"})


async def test_somebody_without_an_account_in_any_app_cannot_join(running: Farm) -> None:
    made = await running.create(world="mini", now=None, apps=["obsidian"])

    with pytest.raises(NotFoundError, match="'ben' has no account in obsidian; have ada"):
        await running.ask("POST", f"/v1/episodes/{made['id']}/holders", {"me": "ben"})


async def test_a_client_calls_as_another_person(running: Farm) -> None:
    made = await running.create(world="mini", now=None)
    channel = await channel_of(running, made)

    def act() -> tuple[str | None, tuple[str, ...], bool]:
        client = WireFarm(running.operators_url, OPERATOR_TOKEN)
        try:
            ben = WireSession(client, client.ask("GET", f"/v1/episodes/{made['id']}")).as_("ben")
            _, refused = ben.call("slack", "slack_post_message", {"channel_id": channel, "text": "hi"})
            return ben.me, ben.apps, refused
        finally:
            client.close()

    assert await asyncio.to_thread(act) == ("ben", ("slack", "tushare"), False)
    assert await authors(running, made, "hi") == ["ben"]
