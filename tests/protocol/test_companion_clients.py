"""What a companion gives a client that declares more: questions to its user, progress, and changes of resources.

The clients are the SDK's own, over HTTP through the gateway, once for each era of the protocol.
"""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import httpx2
import pytest
import pytest_asyncio
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourceUpdated
from mcp_types import ElicitResult, TextResourceContents

from tests.protocol.in_process import Farm, farm

USER = {"answers": [{"asks": {"contains": "colour"}, "says": "Red."}], "unknown": "No idea."}
Era = Literal["legacy", "auto"]
ERAS: tuple[Era, ...] = ("legacy", "auto")
NOTICES = "clock://notices"


@pytest_asyncio.fixture
async def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Farm]:
    before = signal.getsignal(signal.SIGALRM)
    async with farm(tmp_path, "slack", "lark", monkeypatch=monkeypatch) as made:
        yield made
    assert signal.getsignal(signal.SIGALRM) == before


async def _create(running: Farm, **wishes: Any) -> dict[str, Any]:
    made: dict[str, Any] = await running.create(world="mini", now=None, apps=["clock", "lark", "slack"], **wishes)
    return made


@asynccontextmanager
async def _client(url: str, made: dict[str, Any], era: Era, **options: Any) -> AsyncIterator[Client]:
    headers = {"authorization": f"Bearer {made['token']}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(url, http_client=http), mode=era, **options) as client,
    ):
        yield client


class _Person:
    """The user of a client, who answers every question alike."""

    def __init__(self, *answers: ElicitResult) -> None:
        self.asked: list[str] = []
        self._answers = list(answers)

    async def __call__(self, _: Any, params: Any) -> ElicitResult:
        self.asked.append(params.message)
        return self._answers.pop(0)


def _content(result: dict[str, Any]) -> str:
    return str(result["content"][0]["text"])


def _accepts(text: str) -> ElicitResult:
    return ElicitResult(action="accept", content={"answer": text})


async def _read(client: Client) -> Any:
    (told,) = (await client.read_resource(NOTICES, cache_mode="bypass")).contents
    assert isinstance(told, TextResourceContents)
    return json.loads(told.text)


def _text(result: Any) -> str:
    return str(result.content[0].text)


@pytest.mark.parametrize("era", ERAS)
async def test_the_clients_user_answers_where_the_client_can_ask(running: Farm, era: Era) -> None:
    made = await _create(running)
    person = _Person(_accepts("Blue, please."))
    async with _client(made["mcp"]["clock"], made, era, elicitation_callback=person) as client:
        told = await client.call_tool("ask_user", {"question": "Which colour?"})

    assert (_text(told), told.is_error, person.asked) == ("Blue, please.", False, ["Which colour?"])
    calls = await running.ask("GET", f"/v1/episodes/{made['id']}/calls")
    assert [(each["tool"], each["arguments"]) for each in calls] == [("ask_user", {"question": "Which colour?"})]


@pytest.mark.parametrize("era", ERAS)
async def test_a_user_who_declines_leaves_the_answer_to_the_script(running: Farm, era: Era) -> None:
    made = await _create(running, user=USER)
    person = _Person(ElicitResult(action="decline"), ElicitResult(action="cancel"), _accepts(" "), _accepts("Blue."))
    async with _client(made["mcp"]["clock"], made, era, elicitation_callback=person) as client:
        told = [_text(await client.call_tool("ask_user", {"question": "Which colour?"})) for _ in range(4)]

    assert told == ["Red.", "As I said: Red.", "I have told you that already. Please go on.", "Blue."]


@pytest.mark.parametrize("era", ERAS)
async def test_who_has_no_time_for_more_is_not_asked(running: Farm, era: Era) -> None:
    made = await _create(running, user={**USER, "questions_max": 1, "tired": "Enough."})
    person = _Person(_accepts("Blue."))
    async with _client(made["mcp"]["clock"], made, era, elicitation_callback=person) as client:
        told = [_text(await client.call_tool("ask_user", {"question": "Which colour?"})) for _ in range(2)]
        refused = await client.call_tool("ask_user", {"question": ""})

    assert (told, person.asked) == (["Blue.", "Enough."], ["Which colour?"])
    assert refused.is_error


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_cannot_ask_hears_the_script(running: Farm, era: Era) -> None:
    scripted, alone = await _create(running, user=USER), await _create(running)
    async with _client(scripted["mcp"]["clock"], scripted, era) as client:
        assert _text(await client.call_tool("ask_user", {"question": "Which colour?"})) == "Red."
    async with _client(alone["mcp"]["clock"], alone, era) as client:
        refused = await client.call_tool("ask_user", {"question": "Which colour?"})

    assert (_text(refused), refused.is_error) == ("Nobody is there to be asked.", True)


@pytest.mark.parametrize("era", ERAS)
async def test_a_wait_reports_its_progress_in_minutes(running: Farm, era: Era) -> None:
    made = await _create(running)
    seen: list[tuple[float, float | None]] = []

    async def report(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total))

    async with _client(made["mcp"]["clock"], made, era) as client:
        told = await client.call_tool("wait", {"minutes": 600}, progress_callback=report)
        refused = await client.call_tool("wait", {}, progress_callback=report)

    assert json.loads(_text(told))["now"] == "2026-06-01T15:00:00+00:00"
    assert seen == [(0, 600), (360, 600)]
    assert refused.is_error


async def test_the_joint_address_passes_on_progress_and_what_needs_no_session(running: Farm) -> None:
    made = await _create(running, user=USER)
    seen: list[float] = []

    async def report(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    told = []
    person = _Person(_accepts("Blue."))
    for era in ERAS:
        async with _client(made["mcp_all"], made, era, elicitation_callback=person) as client:
            await client.call_tool("clock__wait", {"minutes": 10}, progress_callback=report)
            told.append(_text(await client.call_tool("clock__ask_user", {"question": "Which colour?"})))

    assert seen == [0, 10, 0, 10]
    assert told == ["Red.", "Blue."]


@pytest.mark.parametrize("era", ERAS)
async def test_notices_can_be_read(running: Farm, era: Era) -> None:
    made = await _create(running)
    async with _client(made["mcp"]["clock"], made, era) as client:
        listed = await client.list_resources()
        first = await _read(client)
        waited = await client.call_tool("wait", {"minutes": 600})
        second = await _read(client)

    assert [each.uri for each in listed.resources] == [NOTICES]
    assert first == {"now": "2026-06-01T09:00:00+00:00", "notices": []}
    assert second == json.loads(_text(waited))


async def test_notices_are_the_same_however_time_passed(running: Farm) -> None:
    rule = {
        "who": "ben",
        "when": {"app": "slack", "table": "messages", "where": {"channel": "#opening"}},
        "then": [{"do": "reply", "after": "5m", "text": "24."}, {"do": "reply", "after": "8m", "text": "No, 25."}],
    }
    waits, leaps = [await _create(running, people=[rule]) for _ in range(2)]
    for made in (waits, leaps):
        await running.call(made, "slack", "slack_post_message", channel_id="#opening", text="How many chairs?")
    waited: list[Any] = []
    while found := json.loads(_content(await running.call(waits, "clock", "wait", minutes=6000)))["notices"]:
        waited += found
    await running.ask("POST", f"/v1/episodes/{leaps['id']}/clock", {"quiet": True})
    copy = await running.ask("POST", f"/v1/episodes/{leaps['id']}/fork", {})

    for made in (waits, leaps, copy):
        async with _client(made["mcp"]["clock"], made, "auto") as client:
            assert (await _read(client))["notices"] == waited
    assert [each["text"] for each in waited if each["app"] == "slack"] == [
        "Ben Brook in #opening: 24.",
        "Ben Brook in #opening: No, 25.",
    ]


async def test_whoever_listens_is_told_that_something_arrived(running: Farm) -> None:
    made = await _create(running)
    async with (
        _client(made["mcp"]["clock"], made, "auto") as client,
        client.listen(resource_subscriptions=[NOTICES, "clock://other"], tools_list_changed=True) as changes,
    ):
        await running.ask("POST", f"/v1/episodes/{made['id']}/clock", {"advance_s": 21600})
        async with asyncio.timeout(30):
            event = await anext(aiter(changes))

        assert event == ResourceUpdated(NOTICES)
        assert changes.honored.resource_subscriptions == [NOTICES]
        assert not changes.honored.tools_list_changed


async def test_the_stream_ends_with_the_episode(running: Farm) -> None:
    made = await _create(running)
    async with (
        _client(made["mcp"]["clock"], made, "auto") as client,
        client.listen(resource_subscriptions=[NOTICES]) as changes,
    ):
        await running.ask("DELETE", f"/v1/episodes/{made['id']}")
        async with asyncio.timeout(30):
            assert [event async for event in changes] == []


async def test_the_stream_ends_with_the_farm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(farm(tmp_path, "slack", "lark", monkeypatch=monkeypatch))
        made = await _create(running)
        client = await stack.enter_async_context(_client(made["mcp"]["clock"], made, "auto"))
        changes = await stack.enter_async_context(client.listen(resource_subscriptions=[NOTICES]))
        running.end()

        async with asyncio.timeout(30):
            assert [event async for event in changes] == []


async def test_an_episode_has_a_few_streams_at_most(running: Farm) -> None:
    made = await _create(running)
    async with _client(made["mcp"]["clock"], made, "auto") as client, AsyncExitStack() as stack:
        for _ in range(8):
            await stack.enter_async_context(client.listen(resource_subscriptions=[NOTICES]))
        with pytest.raises(MCPError, match="at most 8 streams"):
            await stack.enter_async_context(client.listen(resource_subscriptions=[NOTICES]))


async def test_only_the_stateless_revision_can_listen(running: Farm) -> None:
    made = await _create(running)
    url = made["mcp"]["clock"]
    async with _client(url, made, "auto") as modern, _client(url, made, "legacy") as old:
        declared = [client.server_capabilities.resources for client in (modern, old)]
    refused = await _post(url, made, {"id": 1, "method": "resources/subscribe", "params": {"uri": NOTICES}})

    assert [each is not None and each.subscribe for each in declared] == [True, None]
    assert "Method not found" in refused.text


async def test_a_client_that_declares_nothing_gets_what_every_app_answers(running: Farm) -> None:
    made = await _create(running, user=USER)
    url = made["mcp"]["clock"]
    begun = await _post(url, made, _initialize({}))
    told = await _post(url, made, _ask())
    stale = await _post(url, made, _ask(), **{"mcp-session-id": "of-a-gateway-that-ended"})

    for answer in (begun, told, stale):
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
        assert "mcp-session-id" not in answer.headers
    assert [_said(told), _said(stale)] == ["Red.", "As I said: Red."]


async def test_only_a_client_that_can_be_asked_has_a_session(running: Farm) -> None:
    made = await _create(running)
    modes: tuple[dict[str, Any], ...] = {}, {"url": {}}
    begun = [await _post(made["mcp"]["clock"], made, _initialize({"elicitation": each})) for each in modes]
    slack = await _post(made["mcp"]["slack"], made, _initialize({"elicitation": {}}))

    assert ["mcp-session-id" in each.headers for each in (*begun, slack)] == [True, False, False]


async def test_a_session_opens_no_episode(running: Farm) -> None:
    mine, other = await _create(running), await _create(running)
    begun = await _post(mine["mcp"]["clock"], mine, _initialize({"elicitation": {}}))
    session = {"mcp-session-id": begun.headers["mcp-session-id"]}
    refused = await _post(other["mcp"]["clock"], mine, _ask(), **session)

    assert refused.status_code == 401


async def test_a_request_that_is_rejected_moves_no_clock(running: Farm) -> None:
    made = await _create(running)
    wait = {"id": 1, "method": "tools/call", "params": {"name": "wait", "arguments": {"minutes": 600}}}
    refused = await _post(made["direct"]["clock"], made, wait, host="evil.example")

    assert refused.status_code == 421
    assert (await running.ask("GET", f"/v1/episodes/{made['id']}/clock"))["now"] == "2026-06-01T09:00:00.000+00:00"


async def _post(url: str, made: dict[str, Any], request: dict[str, Any], **headers: str) -> httpx2.Response:
    fields = {
        "authorization": f"Bearer {made['token']}",
        "accept": "application/json, text/event-stream",
        **headers,
    }
    async with httpx2.AsyncClient(headers=fields, timeout=30) as client:
        return await client.post(url, json={"jsonrpc": "2.0", **request})


def _initialize(capabilities: dict[str, Any]) -> dict[str, Any]:
    client = {"name": "a-test", "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": client}
    return {"id": 1, "method": "initialize", "params": params}


def _ask() -> dict[str, Any]:
    params = {"name": "ask_user", "arguments": {"question": "Which colour?"}}
    return {"id": 2, "method": "tools/call", "params": params}


def _said(answer: httpx2.Response) -> str:
    return str(answer.json()["result"]["content"][0]["text"])
