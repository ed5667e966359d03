"""A farm as operators and agents meet it at the gateway's two ports, with real apps behind."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from farm import __version__
from farm.errors import ConflictError, FarmError, NotFoundError
from farm.server.limits.connection_limits import UNREAD_BYTES_MAX
from gateway.control import openapi
from tests.protocol.in_process import CONTROL_TOKEN, OPERATOR_TOKEN, Farm, farm
from tests.protocol.wire import Answer, headers, request

APPS = ("parrot", "toy")
START = "2026-03-09T09:00:00+08:00"


@pytest_asyncio.fixture
async def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Farm]:
    async with farm(tmp_path, *APPS, monkeypatch=monkeypatch) as made:
        yield made


async def notes(running: Farm, episode: dict[str, Any]) -> list[str]:
    answer = await running.call(episode, "toy", "note_show")
    found: list[str] = json.loads(answer["content"][0]["text"])["notes"]
    return found


async def add(running: Farm, episode: dict[str, Any], *texts: str) -> None:
    for text in texts:
        answer = await running.call(episode, "toy", "note_add", text=text)
        assert not answer.get("isError"), answer


async def send(url: str, body: Any = None, fields: dict[str, str] | None = None, *, method: str = "POST") -> Answer:
    """Send one request, with these headers and no others but its length."""

    def ask() -> Answer:
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        try:
            data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            connection.request(method, target, data, fields or {})
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    return await asyncio.to_thread(ask)


async def operator(running: Farm, path: str, body: Any = None, *, method: str = "GET", **fields: str) -> Answer:
    bearer = {"authorization": f"Bearer {OPERATOR_TOKEN}", **fields}
    return await send(running.operators_url + path, body, bearer, method=method)


def agent(token: str | None = None, **options: Any) -> dict[str, str]:
    found = {name: value for name, value in headers(**options) if name != "host"}
    return found if token is None else {**found, "authorization": f"Bearer {token}"}


# -- episodes --------------------------------------------------------------------------------------------------------


async def test_a_new_episode_says_all_that_it_was_made_with_and_where_it_is(running: Farm) -> None:
    wishes = {
        "seed": 7,
        "menu": {"toy": ["note_show", "note_add"]},
        "profile": "small",
        "label": "a try",
        "expires_at": "2999-01-01T00:00:00+00:00",
        "calls_max": 5,
    }

    made = await running.create(**wishes)

    ports = {app: urlsplit(url).port for app, url in made["direct"].items()}
    assert {name: value for name, value in made.items() if name not in ("id", "token", "created_at")} == {
        "world": None,
        "me": None,
        "holders": {},
        "now": START,
        "apps": ["parrot", "toy"],
        **wishes,
        "profiles": {"parrot": "latest", "toy": "small"},
        "mcp": {app: f"{running.agents_url}/mcp/{made['id']}/{app}" for app in APPS},
        "mcp_all": f"{running.agents_url}/mcp/{made['id']}",
        "direct": {app: f"http://127.0.0.1:{ports[app]}/mcp/{made['id']}" for app in APPS},
    }
    assert made["id"].startswith("c0-0-")
    (listed,) = (each for each in (await running.ask("GET", "/v1/episodes"))["episodes"] if each["id"] == made["id"])
    told = await running.ask("GET", f"/v1/episodes/{made['id']}")
    assert listed == made
    assert told == {
        **made,
        "calls": 0,
        "calls_by_app": {"parrot": 0, "toy": 0},
        "broken": {},
        "over_limit": 0,
        "clock": {"now": "2026-03-09T01:00:00.000+00:00", "live": False, "rate": 0},
    }


async def test_a_call_goes_to_its_app_by_every_address_and_is_counted_once(running: Farm) -> None:
    made = await running.create()
    body, _ = request("tools/call", {"name": "note_add", "arguments": {"text": "direct"}})

    await add(running, made, "gateway")
    assert (await send(made["direct"]["toy"], body, agent(made["token"]))).status == 200
    body["params"]["name"] = "toy__note_add"
    assert (await send(made["mcp_all"], body, agent(made["token"]))).status == 200

    assert await notes(running, made) == ["gateway", "direct", "direct"]
    told = await running.ask("GET", f"/v1/episodes/{made['id']}")
    assert told["calls"] == 4


async def test_calls_over_the_limit_are_counted_apart(running: Farm) -> None:
    made = await running.create(calls_max=1)

    await add(running, made, "one")
    answer = await running.call(made, "toy", "note_add", text="two")

    assert "error" in answer or answer["isError"]
    told = await running.ask("GET", f"/v1/episodes/{made['id']}")
    assert (told["calls"], told["over_limit"]) == (1, 1)


async def test_reset_snapshot_and_restore_bring_rows_and_calls_back(running: Farm) -> None:
    made = await running.create()
    at = f"/v1/episodes/{made['id']}"
    await add(running, made, "one")

    first = await running.ask("POST", f"{at}/snapshots", {"name": "cut"})
    await add(running, made, "two")
    second = await running.ask("POST", f"{at}/snapshots")

    assert (first["snapshot"], second["snapshot"]) == ("cut", "s2")
    assert await running.ask("GET", f"{at}/snapshots") == {"snapshots": [first, second]}
    back = await running.ask("POST", f"{at}/restore", {"snapshot": "cut"})
    assert (back["id"], back["calls"]) == (made["id"], 1)
    assert await notes(running, made) == ["one"]
    assert await running.ask("POST", f"{at}/reset") == {"id": made["id"], "calls": 0}
    assert await notes(running, made) == []
    await running.ask("POST", f"{at}/restore", {"snapshot": "s2"})
    assert await notes(running, made) == ["one", "two"]


async def test_what_changed_is_told_since_the_start_or_a_snapshot_and_reverted_when_asked_for(running: Farm) -> None:
    made = await running.create()
    at = f"/v1/episodes/{made['id']}"
    await add(running, made, "one")
    await running.ask("POST", f"{at}/snapshots", {"name": "cut"})
    await add(running, made, "two")

    def texts(found: Any) -> list[str]:
        return [change["new"]["text"] for change in found["apps"]["toy"]["notes"]]

    whole = await running.ask("GET", f"{at}/diff")
    assert set(whole) == {"apps"}
    assert whole["apps"]["parrot"] == {}
    assert texts(whole) == texts(await running.ask("GET", f"{at}/diff", since="start")) == ["one", "two"]
    assert texts(await running.ask("GET", f"{at}/diff", since="cut")) == ["two"]
    assert (await running.ask("GET", f"{at}/diff", reverted=1))["reverted"] == {}
    assert "reverted" not in await running.ask("GET", f"{at}/diff", reverted=0, since="cut")
    assert (await running.ask("GET", f"{at}/diff", reverted=1, since="cut"))["reverted"] == {}


async def test_the_trace_comes_over_all_apps_in_pages(running: Farm) -> None:
    made = await running.create()
    at = f"/v1/episodes/{made['id']}"
    await add(running, made, "one")
    await running.call(made, "parrot", "say")
    await add(running, made, "two")

    whole = await running.ask("GET", f"{at}/calls")
    assert [(each["n"], each["app"]) for each in whole] == [(1, "toy"), (2, "parrot"), (3, "toy")]
    assert all("result" in each for each in whole)
    page = await running.ask("GET", f"{at}/calls", after=1, limit=1, results=0)
    assert [(each["n"], "result" in each) for each in page] == [(2, False)]
    assert await running.ask("GET", f"{at}/calls", limit=0) == []
    assert await running.ask("GET", f"{at}/calls", after=3) == []


async def test_an_integer_beyond_64_bits_is_in_the_trace_as_it_was_sent(running: Farm) -> None:
    made = await running.create()
    at = f"/v1/episodes/{made['id']}"
    await running.call(made, "toy", "note_add", text="one", more=[2**64, -(2**63) - 1])

    for path in (f"{at}/calls", f"{at}/calls?results=0", f"{at}/calls?app=toy"):
        (call,) = await running.ask("GET", path)
        assert call["arguments"]["more"] == [18446744073709551616, -9223372036854775809]
    (watched,) = (await running.ask("GET", f"{at}/watch/toy", after=0))["calls"]
    assert watched["arguments"]["more"] == [18446744073709551616, -9223372036854775809]


async def test_operators_get_answers_longer_than_those_that_agents_may_leave_unread(running: Farm) -> None:
    made = await running.create()
    texts = [letter * (3 << 20) for letter in "abcdefgh"]
    await add(running, made, *texts)

    found = await running.ask("GET", f"/v1/episodes/{made['id']}/diff")

    # The system takes some megabytes for a client that has not read them yet.
    assert sum(map(len, texts)) == 2 * UNREAD_BYTES_MAX
    assert sorted(change["new"]["text"] for change in found["apps"]["toy"]["notes"]) == texts


async def test_a_page_of_the_trace_has_a_thousand_calls_and_at_most_ten_thousand(
    running: Farm, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    async def none(*_: Any, **options: Any) -> list[Any]:
        asked.append((options["after"], options["limit"], options["results"]))
        return []

    monkeypatch.setattr("gateway.episodes.trace", none)
    for query in ({}, {"limit": 20_000}, {"after": 999_999_999_999, "limit": 10_000, "results": 1}):
        await running.ask("GET", "/v1/episodes/default/calls", **query)

    assert asked == [(0, 1000, True), (0, 10_000, True), (999_999_999_999, 10_000, True)]


async def test_rows_are_shown_now_and_as_they_were_a_page_at_a_time(running: Farm) -> None:
    made = await running.create()
    at = f"/v1/episodes/{made['id']}"
    await add(running, made, "one")
    await running.ask("POST", f"{at}/snapshots", {"name": "cut"})
    await add(running, made, "two")

    page = await running.ask("GET", f"{at}/state/toy/notes", limit=1)
    rest = await running.ask("GET", f"{at}/state/toy/notes", after=page["next"])
    then = await running.ask("GET", f"{at}/state/toy/notes", at="cut")

    assert (page["total"], [row["text"] for row in then["rows"]]) == (2, ["one"])
    assert sorted(row["text"] for row in (*page["rows"], *rest["rows"])) == ["one", "two"]


@pytest.mark.parametrize("table", ["..", ".", "%3Fafter=1", "%23", "..%3F", "%E8%A1%A8", "x" * 200, "a%20b", "%2e%2e"])
async def test_a_table_is_a_name_and_never_another_question_to_the_app(running: Farm, table: str) -> None:
    answer = await operator(running, f"/v1/episodes/default/state/toy/{table}")

    assert (answer.status, answer.json["error"]["code"]) == (404, "not_found")
    assert answer.json["error"]["message"].startswith(("no table '", "nothing at /v1/"))


async def test_the_clock_moves_alike_in_every_app_and_only_forward(running: Farm) -> None:
    made = await running.create()
    at = f"/v1/episodes/{made['id']}/clock"
    await add(running, made, "one")  # a write moves the clock of its own app by a millisecond

    assert (await running.ask("GET", at))["now"] == "2026-03-09T01:00:00.001+00:00"
    moved = await running.ask("POST", at, {"advance_s": 1.5})
    still = {"live": False, "rate": 0, "came": []}
    assert moved == {"now": "2026-03-09T01:00:01.501+00:00", **still}
    to = await running.ask("POST", at, {"to": "2026-03-09T12:00:00+08:00"})
    assert to == {"now": "2026-03-09T04:00:00.000+00:00", **still}
    assert await running.ask("POST", at, {"to": "2026-03-09T04:00:00Z"}) == to

    refusals = {
        "a clock only moves forward; reset the episode to go back": {"to": "2026-03-09T03:59:59.999Z"},
        "simulated time runs from 1970 to 9998; choose a time in between": {"to": "9999-01-01T00:00:00Z"},
        "give one of 'advance_s', 'to', 'next' and 'quiet', or a 'rate'": {"advance_s": 1, "next": True},
        "'advance_s' must be a number of seconds from 0 on, not True": {"advance_s": True},
        "'to' must be a time such as 2026-03-09T09:00:00+08:00, not 'noon'": {"to": "noon"},
        "'to' must be a time such as 2026-03-09T09:00:00+08:00, not 5": {"to": 5},
        "'to' needs an offset from UTC, such as 2026-03-09T12:00:00+08:00": {"to": "2026-03-09T12:00:00"},
    }
    for message, body in refusals.items():
        with pytest.raises(FarmError) as refused:
            await running.ask("POST", at, body)
        assert str(refused.value) == message
    for app in APPS:
        assert running.apps[app].store.settings(made["id"]).id == made["id"]
    assert await running.ask("GET", at) == {name: to[name] for name in ("now", "live", "rate")}


async def test_watching_waits_for_the_next_call_of_one_app(running: Farm) -> None:
    made = await running.create()
    at = f"/v1/episodes/{made['id']}/watch/toy"
    await add(running, made, "one")

    found = await running.ask("GET", at, after=0)
    assert [call["tool"] for call in found["calls"]] == ["note_add"]
    watching = asyncio.create_task(running.ask("GET", at))
    while not running.apps["toy"].gates.require(made["id"]).watchers:
        await asyncio.sleep(0.001)
    answer, fresh = await asyncio.gather(running.call(made, "toy", "note_add", text="two"), watching)

    assert not answer.get("isError")
    assert [call["arguments"] for call in fresh["calls"]] == [{"text": "two"}]


async def test_forks_are_whole_copies_with_keys_of_their_own(running: Farm) -> None:
    made = await running.create(seed=3, calls_max=90)
    at = f"/v1/episodes/{made['id']}"
    await add(running, made, "one")
    await running.ask("POST", f"{at}/snapshots", {"name": "cut"})
    await add(running, made, "two")

    now = await running.ask("POST", f"{at}/fork")
    then = await running.ask("POST", f"{at}/fork", {"snapshot": "cut", "count": 2})

    assert now["episodes"] == [{name: value for name, value in now.items() if name != "episodes"}]
    assert len(then["episodes"]) == 2
    copies = [*now["episodes"], *then["episodes"]]
    assert [await notes(running, copy) for copy in copies] == [["one", "two"], ["one"], ["one"]]
    assert len({each["token"] for each in (made, *copies)}) == len({each["id"] for each in (made, *copies)}) == 4
    assert all((copy["seed"], copy["calls_max"], copy["now"]) == (3, 90, START) for copy in copies)
    await add(running, now, "mine")
    assert await notes(running, made) == ["one", "two"]
    for count, said in (
        (0, "'count' must be from 1 to 1000, not 0"),
        (1001, "'count' must be from 1 to 1000, not 1001"),
    ):
        with pytest.raises(FarmError, match=f"^{said}$"):
            await running.ask("POST", f"{at}/fork", {"count": count})
    for wrong in (True, "2", 1.0):
        with pytest.raises(FarmError) as refused:
            await running.ask("POST", f"{at}/fork", {"count": wrong})
        assert str(refused.value) == f"'count' must be an integer, not {wrong!r}"


async def test_a_dropped_episode_is_gone_with_its_files_and_opens_to_nobody(running: Farm, tmp_path: Path) -> None:
    made = await running.create()
    await add(running, made, "one")

    assert await running.ask("DELETE", f"/v1/episodes/{made['id']}") == {"id": made["id"]}

    assert not (tmp_path / "episodes" / made["id"]).exists()
    gone = await send(made["mcp"]["toy"], request("ping")[0], agent(made["token"]))
    assert (gone.status, gone.json["error"]["message"]) == (404, f"no episode '{made['id']}'")
    with pytest.raises(NotFoundError) as missing:
        await running.ask("DELETE", f"/v1/episodes/{made['id']}")
    assert str(missing.value) == f"no episode '{made['id']}'; have default (1)"
    with pytest.raises(ConflictError, match=r"^the default episode stays; reset it instead$"):
        await running.ask("DELETE", "/v1/episodes/default")


async def test_whoever_names_an_episode_by_its_label_is_told_its_id(running: Farm) -> None:
    made = [await running.create(label="claude-code") for _ in range(2)]

    with pytest.raises(NotFoundError) as missing:
        await running.ask("DELETE", "/v1/episodes/claude-code")

    newest = made[1]["id"]
    assert str(missing.value) == (
        f"no episode 'claude-code'; that is a label of {newest}, and episodes go by their ids"
    )
    assert newest in {each["id"] for each in (await running.ask("GET", "/v1/episodes"))["episodes"]}


async def test_an_unknown_episode_is_answered_with_a_few_of_those_there_are(running: Farm) -> None:
    made = [(await running.create())["id"] for _ in range(5)]

    with pytest.raises(NotFoundError) as missing:
        await running.ask("GET", "/v1/episodes/gone")

    known = [each["id"] for each in (await running.ask("GET", "/v1/episodes"))["episodes"]]
    assert set(known) == {"default", *made}
    assert str(missing.value) == f"no episode 'gone'; have {', '.join(known[:5])}, … (6)"


# -- the control API ---------------------------------------------------------------------------------------------------


async def test_the_state_of_the_farm_says_which_app_answers(running: Farm) -> None:
    await running.create()

    assert await running.ask("GET", "/v1/farm") == {
        "version": __version__,
        "cell": "c0",
        "agents_url": running.agents_url,
        "episodes": 2,
        "apps": [
            {"app": app, "worker": 0, "ready": True, "tools": len(running.apps[app].loaded.tool_schemas)}
            for app in APPS
        ],
    }


async def test_metrics_count_episodes_requests_and_calls(running: Farm) -> None:
    made = await running.create()
    await add(running, made, "one", "two")

    answer = await operator(running, "/metrics")

    lines = answer.body.decode().splitlines()
    started, free = (
        next(line for line in lines if line.startswith(f"{name} "))
        for name in ("farm_gateway_start_time_seconds", "farm_data_free_bytes")
    )
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert float(started.split()[1]) > 1_700_000_000
    assert int(free.split()[1]) > 0
    assert answer.body.decode() == "\n".join(
        [
            "# TYPE farm_episodes gauge",
            "farm_episodes 2",
            "# TYPE farm_data_free_bytes gauge",
            free,
            "# TYPE farm_gateway_requests_total counter",
            "farm_gateway_requests_total 2",
            "# TYPE farm_gateway_start_time_seconds gauge",
            started,
            "# TYPE farm_app_up gauge",
            'farm_app_up{app="parrot"} 1',
            'farm_app_up{app="toy"} 1',
            "# TYPE farm_app_calls_total counter",
            'farm_app_calls_total{app="parrot"} 0',
            'farm_app_calls_total{app="toy"} 2',
            "# TYPE farm_app_episodes_open gauge",
            'farm_app_episodes_open{app="parrot"} 0',
            'farm_app_episodes_open{app="toy"} 1',
            "",
        ]
    )


async def test_the_api_describes_itself_to_its_operator(running: Farm) -> None:
    assert await running.ask("GET", "/v1/openapi.json") == openapi()


async def test_who_asked_for_what_is_written_down_in_the_data_folder(running: Farm, tmp_path: Path) -> None:
    made = await running.create()
    await send(f"{running.operators_url}/v1/farm", None, {"authorization": "Bearer a-guess"}, method="GET")

    text = (tmp_path / "operators.log").read_text()
    lines = [json.loads(line) for line in text.splitlines()]

    found = [(line["method"], line["path"], line["status"], line["episode"]) for line in lines]
    assert found == [("POST", "/v1/episodes", 201, made["id"]), ("GET", "/v1/farm", 401, None)]
    assert not any(secret in text for secret in (OPERATOR_TOKEN, made["token"], "a-guess"))


@pytest.mark.parametrize(
    "field",
    [
        {},
        {"authorization": "Bearer"},
        {"authorization": "Bearer other"},
        {"authorization": f"Basic {OPERATOR_TOKEN}"},
        {"authorization": OPERATOR_TOKEN},
        {"authorization": f"Bearer {CONTROL_TOKEN}"},
        {"authorization": f"Bearer {OPERATOR_TOKEN[:-1]}"},
        {"authorization": f"Bearer {OPERATOR_TOKEN}x"},
    ],
)
async def test_without_the_operator_token_nobody_is_told_anything(running: Farm, field: dict[str, str]) -> None:
    for path in ("/v1/farm", "/v1/episodes", "/v1/openapi.json", "/metrics", "/nothing", "/healthz/"):
        answer = await send(running.operators_url + path, None, field, method="GET")

        assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert answer.json["error"]["code"] == "unauthorized"
        said = "the control API needs the operator token as 'Authorization: Bearer TOKEN'"
        assert answer.json["error"]["message"] == said


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER "])
async def test_the_operator_token_opens_whatever_the_schemes_case(running: Farm, scheme: str) -> None:
    fields = {"authorization": f"{scheme} {OPERATOR_TOKEN}"}

    assert (await send(f"{running.operators_url}/v1/farm", None, fields, method="GET")).status == 200


async def test_an_episodes_token_is_none_of_an_operator_nor_of_another_episode(running: Farm) -> None:
    made, other = await running.create(), await running.create()
    body = request("ping")[0]

    asked = await send(f"{running.operators_url}/v1/farm", None, agent(made["token"]), method="GET")
    assert asked.status == 401
    for url in (*made["mcp"].values(), *made["direct"].values(), made["mcp_all"]):
        assert (await send(url, body, agent(made["token"]))).status == 200
        for token in (None, other["token"], OPERATOR_TOKEN, CONTROL_TOKEN):
            refused = await send(url, body, agent(token))
            assert (refused.status, refused.headers["www-authenticate"][:6]) == (401, "Bearer")
            sent = "none was sent" if token is None else "what was sent is another"
            said = f"episode '{made['id']}' needs its token as 'Authorization: Bearer TOKEN', and {sent}"
            way_out = (
                f"in a test it is in world.connection(APP), on a farm 'farm connect --episode {made['id']}' prints it"
            )
            assert refused.json["error"]["message"] == f"{said}; {way_out}"


async def test_both_ports_tell_anybody_whether_the_farm_is_ready(running: Farm) -> None:
    for url in (running.agents_url, running.operators_url):
        answer = await send(f"{url}/healthz", method="GET")

        assert (answer.status, answer.json) == (200, {"ready": True})


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "message"),
    [
        ("GET", "/v1/nothing", None, 404, "nothing at /v1/nothing; see /v1/openapi.json"),
        ("GET", "/v1/episodes/", None, 404, "nothing at /v1/episodes/; see /v1/openapi.json"),
        ("PUT", "/v1/episodes", None, 405, "PUT is not for /v1/episodes"),
        ("POST", "/v1/farm", None, 405, "POST is not for /v1/farm"),
        ("POST", "/v1/episodes", b"[1]", 400, "the body must be a JSON object"),
        (
            "POST",
            "/v1/episodes",
            {"colour": 1, "seed": 2},
            400,
            "unknown key 'colour'; POST /v1/episodes takes world, apps, seed, now, me, menu, profile, label, "
            "expires_at, calls_max, rows, files, faults, people, world_people, arrivals, pace, user",
        ),
        (
            "POST",
            "/v1/episodes/default/reset",
            {"b": 1, "a": 2},
            400,
            "unknown key 'a'; POST /v1/episodes/{id}/reset takes none",
        ),
        ("GET", "/v1/farm?page=2", None, 400, "unknown parameter 'page'; GET /v1/farm takes none"),
        (
            "POST",
            "/v1/episodes/default/restore",
            None,
            400,
            "'snapshot' is missing; it names the snapshot to go back to",
        ),
        (
            "POST",
            "/v1/episodes/default/restore",
            {"snapshot": "../up"},
            400,
            "'../up' is no name; use up to 64 letters, digits, '.', '_' and '-'",
        ),
        (
            "POST",
            "/v1/episodes/default/restore",
            {"snapshot": "x"},
            404,
            "no snapshot 'x' of episode 'default'; have none",
        ),
        (
            "POST",
            "/v1/episodes/default/fork",
            {"snapshot": 7},
            400,
            "7 is no name; use up to 64 letters, digits, '.', '_' and '-'",
        ),
        ("GET", "/v1/episodes/default/calls?limit=x", None, 400, "'limit' must be a count, not 'x'"),
        ("GET", "/v1/episodes/default/calls?after=%C2%B2", None, 400, "'after' must be a count, not '²'"),
        (
            "GET",
            "/v1/episodes/default/calls?after=1234567890123",
            None,
            400,
            "'after' must be a count, not '1234567890123'",
        ),
        ("GET", "/v1/episodes/default/calls?results=2", None, 400, "'results' must be 0 or 1, not '2'"),
        ("GET", "/v1/episodes/default/diff?reverted=yes", None, 400, "'reverted' must be 0 or 1, not 'yes'"),
        (
            "GET",
            "/v1/episodes/default/state/fax/notes",
            None,
            404,
            "episode 'default' has no app 'fax'; it has parrot, toy",
        ),
        ("GET", "/v1/episodes/default/watch/fax", None, 404, "episode 'default' has no app 'fax'; it has parrot, toy"),
        ("GET", "/v1/episodes/gone/state/toy/notes", None, 404, "no episode 'gone'; have default (1)"),
    ],
)
async def test_what_the_control_api_refuses_it_names_with_the_way_out(
    running: Farm, method: str, path: str, body: Any, status: int, message: str
) -> None:
    answer = await operator(running, path, body, method=method)

    assert answer.headers["content-type"] == "application/json"
    assert (answer.status, answer.json["error"]["message"]) == (status, message)


async def test_a_wrong_method_is_told_which_are_right(running: Farm) -> None:
    both = await operator(running, "/v1/episodes", method="PUT")
    one = await operator(running, "/v1/farm", method="DELETE")

    assert set(both.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}
    assert set(one.headers["allow"].split(", ")) == {"GET", "HEAD"}


@pytest.mark.parametrize("body", [b"{", b"\xff", b"nil"])
async def test_a_body_that_is_no_json_is_refused_and_an_empty_one_is_none(running: Farm, body: bytes) -> None:
    broken = await operator(running, "/v1/episodes/default/reset", body, method="POST")
    empty = await operator(running, "/v1/episodes/default/reset", b" \n", method="POST")

    assert broken.status == 400
    assert broken.json["error"]["message"].startswith("the body is not JSON: ")
    assert empty.status == 200


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (OSError(28, "No space left on device"), "OSError: [Errno 28] No space left on device; see the farm's log"),
        (RuntimeError("a bug"), "RuntimeError: a bug; see the farm's log"),
    ],
)
async def test_a_failure_of_the_farm_is_a_500_and_a_line_in_its_log(
    running: Farm, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, problem: Exception, said: str
) -> None:
    async def fail(*_: Any, **__: Any) -> None:
        raise problem

    monkeypatch.setattr("gateway.episodes.Episodes.reset", fail)

    answer = await operator(running, "/v1/episodes/default/reset", method="POST")

    assert (answer.status, answer.json) == (500, {"error": {"code": "failed", "message": said}})
    (line,) = (each for each in caplog.records if each.name == "gateway")
    assert line.getMessage().startswith("POST /v1/episodes/default/reset failed")
    assert (line.exc_info is None) == isinstance(problem, OSError)
    assert not isinstance(problem, OSError) or line.getMessage().endswith(": [Errno 28] No space left on device")


# -- the agents' port --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/v1/farm", "/metrics", "/mcps", "/v1/episodes", "/healthz/x", "/docs"])
async def test_the_agents_port_has_mcp_and_whether_it_is_ready(running: Farm, path: str) -> None:
    answer = await send(running.agents_url + path, None, {"authorization": f"Bearer {OPERATOR_TOKEN}"}, method="GET")

    said = f"nothing at {path}; MCP is at /mcp/EPISODE/APP, and at /mcp/EPISODE for all apps"
    assert (answer.status, answer.json["error"]["message"]) == (404, said)


async def test_an_app_an_episode_has_not_is_named_to_its_bearer_only(running: Farm) -> None:
    made = await running.create(apps=["toy"])
    body = request("ping")[0]

    stranger = await send(f"{made['mcp_all']}/parrot", body, agent())
    bearer = await send(f"{made['mcp_all']}/parrot", body, agent(made["token"]))

    assert stranger.status == 401
    assert (bearer.status, bearer.json["id"]) == (404, 1)
    said = f"episode '{made['id']}' has no app 'parrot'; it has toy"
    assert bearer.json["error"]["message"] == said
    assert list(made["mcp"]) == ["toy"]


@pytest.mark.parametrize("where", ["/toy", ""])
async def test_what_is_no_json_post_to_this_machine_gets_no_further(running: Farm, where: str) -> None:
    url, body = f"{running.agents_url}/mcp/default{where}", request("ping")[0]

    assert (await send(url, body, agent())).status == 200
    for fields, status in (
        ({**agent(), "content-type": "text/plain"}, 400),
        ({**agent(), "host": "evil.example"}, 421),
        ({**agent(), "origin": "http://evil.example"}, 403),
    ):
        for _ in range(2):
            assert (await send(url, body, fields)).status == status
    assert (await send(url, None, agent(), method="GET")).status == 405


async def test_requests_are_counted_whichever_way_they_take(running: Farm) -> None:
    made = await running.create()
    parts, body = urlsplit(made["mcp"]["toy"]), json.dumps(request("ping")[0]).encode()

    def thrice() -> list[int]:
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        found = []
        for _ in range(3):
            connection.request("POST", parts.path, body, agent(made["token"]))
            answer = connection.getresponse()
            answer.read()
            found.append(answer.status)
        connection.close()
        return found

    assert await asyncio.to_thread(thrice) == [200, 200, 200]
    for _ in range(2):
        assert (await send(made["mcp_all"], request("ping")[0], agent(made["token"]))).status == 200
    assert "farm_gateway_requests_total 5" in (await operator(running, "/metrics")).body.decode()


async def test_the_joint_server_shows_what_the_menu_has_and_refuses_the_rest_in_the_apps_words(running: Farm) -> None:
    made = await running.create(menu={"toy": ["note_show"], "parrot": []})
    body, _ = request("tools/call", {"name": "toy__note_add", "arguments": {"text": "x"}})

    assert await running.tools(made["mcp_all"], made["token"]) == ["toy__note_show"]
    joint = await send(made["mcp_all"], body, agent(made["token"]))
    body["params"]["name"] = "note_add"
    direct = await send(made["mcp"]["toy"], body, agent(made["token"]))

    assert joint.json == direct.json
    assert await notes(running, made) == []


@pytest.mark.parametrize("spoil", [lambda path: path.write_text("{"), lambda path: path.symlink_to(path)])
async def test_a_broken_settings_file_is_one_error_without_a_path_and_hides_no_other_episode(
    running: Farm, tmp_path: Path, caplog: pytest.LogCaptureFixture, spoil: Callable[[Path], object]
) -> None:
    made = await running.create()
    fork = await running.ask("POST", f"/v1/episodes/{made['id']}/fork")
    path = tmp_path / "episodes" / fork["id"] / "episode.json"
    path.unlink()
    spoil(path)

    # Only a gateway that has not read it yet meets the file.
    answer = await send(fork["mcp_all"], request("ping")[0], agent(fork["token"]))
    listed = await running.ask("GET", "/v1/episodes")

    assert (answer.status, answer.json["id"], answer.json["error"]["code"]) == (500, 1, -32603)
    assert str(tmp_path) not in answer.body.decode()
    assert str(path) in caplog.text
    assert {each["id"] for each in listed["episodes"]} == {"default", made["id"]}
    with pytest.raises(FarmError, match=r"episode\.json cannot be read"):
        await running.ask("GET", f"/v1/episodes/{fork['id']}")


async def test_with_a_guarded_default_nobody_enters_it_without_its_bearer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with farm(tmp_path, "toy", monkeypatch=monkeypatch, guards_default=True) as running:
        default = await running.ask("GET", "/v1/episodes/default")
        body = request("ping")[0]

        for url in (default["mcp"]["toy"], default["mcp_all"], default["direct"]["toy"]):
            assert (await send(url, body, agent())).status == 401
            assert (await send(url, body, agent(default["token"]))).status == 200


async def test_names_that_were_allowed_are_let_in_at_both_ports_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with farm(tmp_path, "toy", monkeypatch=monkeypatch, allowed_hosts=["farm.example"]) as running:
        for host, status in (("farm.example:80", 200), ("farm.example.evil", 421)):
            asked = await send(f"{running.agents_url}/mcp/default", request("ping")[0], {**agent(), "host": host})
            told = await operator(running, "/v1/farm", host=host)

            assert (asked.status, told.status) == (status, status)


async def test_a_farm_that_comes_back_has_its_episodes_and_their_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with farm(tmp_path, "toy", monkeypatch=monkeypatch, cell="c3", has_default=False) as running:
        assert await running.ask("GET", "/v1/episodes") == {"episodes": []}
        with pytest.raises(NotFoundError, match=r"^no episode 'gone'; have none \(0\)$"):
            await running.ask("GET", "/v1/episodes/gone")
        made = await running.create()
        await add(running, made, "one")
        await running.ask("POST", f"/v1/episodes/{made['id']}/snapshots", {"name": "cut"})
        await add(running, made, "two")
    assert made["id"].startswith("c3-0-")

    async with farm(tmp_path, "toy", monkeypatch=monkeypatch, has_default=False) as running:
        again = await running.ask("GET", f"/v1/episodes/{made['id']}")
        assert (again["token"], again["calls"], again["created_at"]) == (made["token"], 2, made["created_at"])
        assert await notes(running, again) == ["one", "two"]
        await running.ask("POST", f"/v1/episodes/{made['id']}/restore", {"snapshot": "cut"})
        assert await notes(running, again) == ["one"]


async def test_what_only_this_farm_has_not_is_said_and_changes_wait_for_one_that_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with farm(tmp_path, *APPS, monkeypatch=monkeypatch) as running:
        both = await running.create()
        lone = await running.create(apps=["parrot"])

    async with farm(tmp_path, "toy", monkeypatch=monkeypatch) as running:
        told = await running.ask("GET", f"/v1/episodes/{both['id']}")
        assert (told["apps"], list(told["mcp"])) == (["parrot", "toy"], ["toy"])
        with pytest.raises(ConflictError) as away:
            await running.ask("POST", f"/v1/episodes/{both['id']}/reset")
        start = "start it with --apps parrot,toy"
        assert str(away.value) == f"episode '{both['id']}' has apps this farm does not run: parrot; {start}"
        with pytest.raises(NotFoundError) as missing:
            await running.ask("GET", f"/v1/episodes/{both['id']}/state/parrot/notes")
        assert str(missing.value) == f"app 'parrot' does not run in this farm; episode '{both['id']}' has toy"
        for action in ("", "/clock", "/diff"):
            with pytest.raises(ConflictError) as nothing:
                await running.ask("GET", f"/v1/episodes/{lone['id']}{action}")
            assert str(nothing.value) == f"episode '{lone['id']}' has apps this farm does not run: parrot; {start}"
        assert await running.ask("DELETE", f"/v1/episodes/{lone['id']}") == {"id": lone["id"]}
        assert not (tmp_path / "episodes" / lone["id"]).exists()
