"""The control endpoints: what the gateway asks of an app, and what an agent can never reach."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from farm.server import control, episode_gate
from farm.server.app import AppServer
from farm.server.control import ControlApp
from tests.protocol.wire import Answer, make_episode, send, settings, tool

TOKEN = "control-token"


class Operator:
    """Sends control requests."""

    def __init__(self, server: AppServer) -> None:
        self.app = ControlApp(server, TOKEN)
        self.gateway: int | None = None

    async def ask(self, method: str, path: str, body: Any = None, *, query: str = "", token: str = TOKEN) -> Answer:
        fields = [("host", "x"), ("authorization", f"Bearer {token}")]
        if self.gateway is not None:
            fields.append(("farm-gateway", str(self.gateway)))
        return await send(self.app, body, fields, path=path, method=method, query=query)

    async def get(self, path: str, query: str = "") -> Any:
        answer = await self.ask("GET", path, query=query)
        assert answer.status == 200, answer.body
        return answer.json

    async def post(self, path: str, body: Any = None) -> Any:
        answer = await self.ask("POST", path, body)
        assert answer.status == 200, answer.body
        return answer.json

    async def refusal(self, method: str, path: str, body: Any = None, *, query: str = "") -> tuple[int, str, str]:
        answer = await self.ask(method, path, body, query=query)
        error = answer.json["error"]
        return answer.status, error["code"], error["message"]


@pytest.fixture
def operator(toy: AppServer) -> Operator:
    return Operator(toy)


async def _notes(toy: AppServer, episode: str = "ep") -> list[str]:
    answer = await tool(toy, "note_show", {}, path=f"/mcp/{episode}")
    text = answer["result"]["content"][0]["text"]
    notes: list[str] = json.loads(text)["notes"]
    return notes


async def _add(toy: AppServer, text: str, episode: str = "ep") -> None:
    answer = await tool(toy, "note_add", {"text": text}, path=f"/mcp/{episode}")
    assert "result" in answer, answer


@pytest.mark.parametrize("token", ["", "other", TOKEN + "x"])
async def test_without_the_token_nothing_is_answered(operator: Operator, token: str) -> None:
    for method, path in (("GET", "/healthz"), ("POST", "/episodes/ep/reset"), ("GET", "/nowhere")):
        answer = await operator.ask(method, path, token=token)

        assert answer.status == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json["error"]["code"] == "unauthorized"


async def test_health_counts_tools_episodes_and_calls(toy: AppServer, operator: Operator) -> None:
    await _add(toy, "x")

    health = await operator.get("/healthz")

    assert health["app"] == "toy"
    assert health["tools"] == len(toy.loaded.tool_schemas)
    assert (health["episodes_open"], health["calls"]) == (1, 1)


async def test_create_is_the_same_once_or_twice(toy: AppServer, operator: Operator) -> None:
    folder = toy.store.episodes / "new"
    folder.mkdir()
    settings("new").save(folder)

    assert await operator.post("/episodes/new/create") == {"id": "new"}
    await _add(toy, "kept", "new")
    assert await operator.post("/episodes/new/create") == {"id": "new"}

    assert await _notes(toy, "new") == ["kept"]


async def test_an_episode_nobody_made_cannot_be_created(operator: Operator) -> None:
    assert await operator.refusal("POST", "/episodes/ghost/create") == (404, "not_found", "no episode 'ghost'")


async def test_snapshot_restore_and_reset_bring_rows_and_calls_back(toy: AppServer, operator: Operator) -> None:
    await _add(toy, "one")
    assert await operator.post("/episodes/ep/snapshots", {"name": "s1"}) == {"snapshot": "s1"}
    await _add(toy, "two")

    await operator.post("/episodes/ep/restore", {"snapshot": "s1"})
    assert await _notes(toy) == ["one"]
    assert [call["tool"] for call in (await operator.get("/episodes/ep/calls"))["calls"]] == ["note_add", "note_show"]
    assert await operator.get("/episodes/ep/snapshots") == {"snapshots": ["s1"]}
    assert await operator.post("/episodes/ep/reset") == {"id": "ep", "calls": 0}

    assert await operator.get("/episodes/ep/calls") == {"calls": [], "last": 0}
    assert await _notes(toy) == []


async def test_a_fork_goes_its_own_way(toy: AppServer, operator: Operator) -> None:
    await _add(toy, "shared")
    folder = toy.store.episodes / "twin"
    folder.mkdir()
    settings("twin").save(folder)

    assert await operator.post("/episodes/ep/fork", {"target": "twin"}) == {"id": "twin"}
    await _add(toy, "mine", "twin")

    assert await _notes(toy) == ["shared"]
    assert await _notes(toy, "twin") == ["shared", "mine"]


async def test_diff_names_the_call_behind_every_change(toy: AppServer, operator: Operator) -> None:
    await _notes(toy)
    await _add(toy, "two")
    await operator.post("/episodes/ep/snapshots", {"name": "s"})

    changes = (await operator.get("/episodes/ep/diff"))["changes"]["notes"]

    assert [(change["op"], change["new"]["text"], change["call"]) for change in changes] == [("insert", "two", 2)]
    assert await operator.get("/episodes/ep/diff", "since=s") == {"changes": {}}


async def test_calls_are_paged_and_their_results_may_stay_away(toy: AppServer, operator: Operator) -> None:
    for text in "abc":
        await _add(toy, text)

    page = await operator.get("/episodes/ep/calls", "after=1&limit=1&results=0")

    assert page["last"] == 3
    assert [(call["n"], call["arguments"], "result" in call) for call in page["calls"]] == [(2, {"text": "b"}, False)]


async def test_a_page_of_long_calls_ends_early_and_has_one_at_least(
    toy: AppServer, operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("farm.server.control.PAGE_BYTES_MAX", 10_000)
    for size in (1_000, 1_000, 9_000, 1_000):  # of arguments, and as much in the result
        await tool(toy, "note_echo", {"x": "y" * size})

    pages = [await operator.get("/episodes/ep/calls", f"after={after}&results=1") for after in range(5)]
    times = await operator.get("/episodes/ep/calls", "results=times")

    assert [[call["n"] for call in page["calls"]] for page in pages] == [[1, 2], [2], [3], [4], []]
    assert {page["last"] for page in pages} == {4}
    assert [{*call} for call in times["calls"]] == [
        {"n", "size_bytes", "started_ns", "ended_ns", "at_ms", "now_ms"}
    ] * 4


async def test_the_newest_calls_of_a_long_log_are_those_of_the_whole(toy: AppServer, operator: Operator) -> None:
    folder = toy.store.episodes / "twin"
    folder.mkdir()
    settings("twin").save(folder)
    for number in range(90):
        await tool(toy, "note_echo", {"n": number, "x": "y" * 2_000})
    await operator.post("/episodes/ep/fork", {"target": "twin"})
    for number in range(90, 200):
        await tool(toy, "note_echo", {"n": number, "x": "z" * 2_000}, path="/mcp/twin")

    whole = toy.store.calls("twin")

    for after in (0, 1, 50, 89, 90, 91, 150, 199, 200, 500):
        found = await operator.get("/episodes/twin/calls", f"after={after}")
        assert found == {"calls": whole[after:], "last": 200}


async def test_rows_are_shown_as_they_are_and_as_they_were(toy: AppServer, operator: Operator) -> None:
    await _add(toy, "old")
    await operator.post("/episodes/ep/snapshots", {"name": "s"})
    await _add(toy, "new")

    now = await operator.get("/episodes/ep/state/notes", "limit=1")
    then = await operator.get("/episodes/ep/state/notes", "at=s")

    assert (now["total"], now["next"], len(now["rows"])) == (2, 1, 1)
    assert [row["text"] for row in then["rows"]] == ["old"]


async def test_the_clock_only_moves_forward(toy: AppServer, operator: Operator) -> None:
    before = await operator.get("/episodes/ep/clock")
    later = before["clock_ms"] + 60_000

    assert before["live"] is False
    moved = await operator.post("/episodes/ep/clock", {"to_ms": later})
    nothing = {"next_ms": None, "last_ms": None, "act_ms": None, "outgoing": False}
    assert moved == {"clock_ms": later, "live": False, "rate": 0, **nothing, "came": []}
    status, code, message = await operator.refusal("POST", "/episodes/ep/clock", {"to_ms": 5})

    assert (status, code) == (400, "bad_request")
    assert "only moves forward" in message


async def test_a_start_can_be_built_ahead(operator: Operator) -> None:
    assert (await operator.post("/starts", {"world": None, "shift_days": 7}))["bytes"] > 0
    assert (await operator.refusal("POST", "/starts", {"world": "atlantis"}))[:2] == (404, "not_found")


async def test_a_dropped_episode_leaves_nothing_of_the_app(toy: AppServer, operator: Operator) -> None:
    await _add(toy, "x")
    await operator.post("/episodes/ep/snapshots", {"name": "s"})

    assert (await operator.ask("DELETE", "/episodes/ep")).status == 200

    assert list((toy.store.episodes / "ep").rglob("toy.*")) == []
    assert (await operator.ask("DELETE", "/episodes/ep")).status == 200


async def test_calls_wait_while_an_episode_is_held(toy: AppServer, operator: Operator) -> None:
    make_episode(toy, "free")
    await operator.post("/episodes/ep/snapshots", {"name": "empty"})
    await _add(toy, "first")
    assert await operator.post("/episodes/ep/hold") == {"held": True}

    waiting = [asyncio.create_task(_notes(toy)) for _ in range(3)]
    assert await _notes(toy, "free") == []
    await operator.post("/episodes/ep/restore", {"snapshot": "empty"})
    assert not any(task.done() for task in waiting)
    assert await operator.post("/episodes/ep/release") == {"released": True}

    # They run on what is there now, not on what was there when they came.
    assert await asyncio.gather(*waiting) == [[], [], []]


async def test_a_hold_ends_by_itself_and_release_says_so(
    toy: AppServer, operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(episode_gate, "HOLD_S_MAX", 0.01)
    await operator.post("/episodes/ep/hold")

    assert await asyncio.wait_for(_notes(toy), 30) == []

    assert await operator.post("/episodes/ep/release") == {"released": False}


async def test_the_first_word_of_a_new_gateway_ends_every_hold_of_the_one_before(
    toy: AppServer, operator: Operator
) -> None:
    make_episode(toy, "free")
    operator.gateway = 5
    await operator.post("/episodes/ep/hold")
    await operator.post("/episodes/free/hold")
    waiting = asyncio.create_task(_notes(toy))
    await operator.get("/episodes/ep/clock")
    assert toy.gates.known["ep"].held, "the same gateway may ask for more meanwhile"

    operator.gateway = 6
    await operator.get("/healthz")

    assert await asyncio.wait_for(waiting, 30) == []
    assert await asyncio.wait_for(_notes(toy, "free"), 30) == []
    assert await operator.post("/episodes/ep/release") == {"released": False}


@pytest.mark.parametrize("action", ["hold", "snapshots", "reset", "fork", "clock", "create"])
async def test_what_a_killed_gateway_had_sent_is_not_done_after_the_next_one_was_here(
    toy: AppServer, operator: Operator, action: str
) -> None:
    await _add(toy, "one")
    before = toy.store.files("ep").names()
    operator.gateway = 6
    await operator.get("/healthz")
    operator.gateway = 5

    refused = await operator.refusal("POST", f"/episodes/ep/{action}", {"name": "cut", "target": "ep", "to_ms": 1})

    assert refused == (409, "conflict", "another gateway has taken over from the one that asks")
    assert await asyncio.wait_for(_notes(toy), 30) == ["one"]
    assert toy.store.files("ep").names() == before
    operator.gateway = None
    await operator.post("/episodes/ep/hold")
    await operator.post("/episodes/ep/release")


async def test_a_call_held_while_its_episode_is_dropped_finds_it_gone(toy: AppServer, operator: Operator) -> None:
    await _notes(toy)
    await operator.post("/episodes/ep/hold")
    waiting = asyncio.create_task(tool(toy, "note_show", {}))
    while not toy.gates.known["ep"].held or waiting.get_coro() is None:
        await asyncio.sleep(0)
    await asyncio.sleep(0)

    await operator.ask("DELETE", "/episodes/ep")

    answer = await waiting
    assert "ep" in answer["error"]["message"]


async def test_watching_answers_with_the_next_call_and_the_rows_it_changed(toy: AppServer, operator: Operator) -> None:
    await _add(toy, "before")
    watching = asyncio.create_task(operator.get("/episodes/ep/watch"))
    gate = toy.gates.require("ep")
    while not gate.watchers:
        await asyncio.sleep(0)

    await _add(toy, "after")

    (call,) = (await asyncio.wait_for(watching, 30))["calls"]
    assert (call["n"], call["tool"]) == (2, "note_add")
    assert [change["new"]["text"] for change in call["changes"]["notes"]] == ["after"]


@pytest.mark.parametrize("number", [str(2**63), str(-(2**63) - 1), "9" * 300, "x" * 300])
@pytest.mark.parametrize(
    ("place", "name"), [("calls", "after"), ("calls", "limit"), ("watch", "after"), ("state/notes", "after")]
)
async def test_a_number_no_database_holds_is_refused(
    toy: AppServer, operator: Operator, place: str, name: str, number: str
) -> None:
    status, code, message = await operator.refusal("GET", f"/episodes/ep/{place}", query=f"{name}={number}")

    assert (status, code) == (400, "bad_request")
    assert f"'{name}' must be an integer" in message
    assert len(message) < 200


async def test_what_nobody_expected_is_answered_as_an_error_too(
    toy: AppServer, operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise KeyError("a bug")

    monkeypatch.setattr(toy.store, "diff", broken)

    status, code, message = await operator.refusal("GET", "/episodes/ep/diff")

    assert (status, code) == (500, "failed")
    assert "KeyError" in message


async def test_watching_what_has_been_answers_at_once(toy: AppServer, operator: Operator) -> None:
    await _add(toy, "x")
    await _notes(toy)

    answer = await operator.get("/episodes/ep/watch", "after=0")

    assert [(call["n"], sorted(call["changes"])) for call in answer["calls"]] == [(1, ["notes"]), (2, [])]


async def test_watching_a_quiet_episode_answers_empty_after_a_while(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control, "WATCH_S_MAX", 0.01)

    assert await operator.get("/episodes/ep/watch") == {"calls": [], "last": 0}


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/", None, 404),
        ("POST", "/episodes/ep", None, 404),
        ("GET", "/episodes/ghost", None, 404),
        ("GET", "/episodes/ep/reset", None, 404),
        ("POST", "/episodes/ep/dance", {}, 404),
        ("POST", "/episodes/../reset", {}, 404),
        ("POST", "/episodes/ghost/reset", {}, 404),
        ("POST", "/episodes/ghost/hold", {}, 404),
        ("GET", "/episodes/ghost/calls", None, 404),
        ("GET", "/episodes/ep/state/nothing", None, 404),
        ("GET", "/episodes/ep/diff?since=never", None, 404),
        ("GET", "/episodes/ep/diff?since=../../x", None, 400),
        ("GET", "/episodes/ep/calls?after=x", None, 400),
        ("GET", "/episodes/ep/state/notes?limit=1.5", None, 400),
        ("POST", "/episodes/ep/snapshots", {"name": "../up"}, 400),
        ("POST", "/episodes/ep/snapshots", {}, 400),
        ("POST", "/episodes/ep/restore", {"snapshot": "never"}, 404),
        ("POST", "/episodes/ep/fork", {"target": "../up"}, 404),
        ("POST", "/episodes/ep/fork", {"target": "ghost"}, 404),
        ("POST", "/episodes/ep/fork", {"target": "ep"}, 409),
        ("POST", "/episodes/ep/clock", {"to_ms": "soon"}, 400),
        ("POST", "/episodes/ep/clock", {"to_ms": True}, 400),
        ("POST", "/episodes/ep/clock", b"{", 400),
        ("POST", "/episodes/ep/clock", [1], 400),
        ("POST", "/starts", {"world": 5}, 400),
        ("POST", "/episodes/ep/snapshots", b'{"name":"' + b"x" * (5 << 20) + b'"}', 413),
    ],
)
async def test_a_bad_request_gets_one_clear_line(
    operator: Operator, method: str, path: str, body: Any, status: int
) -> None:
    path, _, query = path.partition("?")

    got, code, message = await operator.refusal(method, path, body, query=query)

    assert got == status
    assert code in ("not_found", "conflict", "bad_request", "too_large")
    assert message
    assert "\n" not in message


async def test_a_snapshot_name_is_used_once(operator: Operator) -> None:
    await operator.post("/episodes/ep/snapshots", {"name": "s"})

    assert (await operator.refusal("POST", "/episodes/ep/snapshots", {"name": "s"}))[:2] == (409, "conflict")


async def test_a_full_disk_is_an_error_of_ours_and_tells_which(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device", "x")

    monkeypatch.setattr("farm.context.files._make_new", full)

    status, code, message = await operator.refusal("POST", "/episodes/ep/snapshots", {"name": "s"})

    assert (status, code) == (500, "failed")
    assert "No space left" in message


async def test_the_agents_port_has_no_control_endpoint(toy: AppServer, tmp_path: Path) -> None:
    fields = [("host", "127.0.0.1:1"), ("authorization", f"Bearer {TOKEN}"), ("content-type", "application/json")]

    for method, path in (("POST", "/episodes/ep/reset"), ("DELETE", "/episodes/ep"), ("GET", "/episodes/ep/calls")):
        assert (await send(toy, {}, fields, path=path, method=method)).status == 404
