"""Who gets in: hosts, episodes, bearers, menus, expiry, body size, methods and paths."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from farm.content import load_app
from farm.server.app import AppServer
from farm.server.fast_path import header_template
from tests.protocol.wire import LEGACY, MODERN, headers, make_episode, request, send, settings, tool, toy_server

ERAS = pytest.mark.parametrize("version", [LEGACY, MODERN])
FAR = "2999-01-01T00:00:00+00:00"
PAST = "2001-01-01T00:00:00+00:00"


async def _listed(server: AppServer, path: str, version: str) -> list[str]:
    body, fields = request("tools/list", version=version)
    return [each["name"] for each in (await send(server, body, fields, path=path)).json["result"]["tools"]]


@ERAS
async def test_an_unknown_episode_is_not_found_and_says_so(toy: AppServer, version: str) -> None:
    body, fields = request("tools/call", {"name": "note_show"}, version=version, request_id="q")

    answer = await send(toy, body, fields, path="/mcp/elsewhere")

    assert answer.status == 404
    assert answer.json["id"] == "q"
    assert answer.json["error"]["message"] == "no episode 'elsewhere'"


@pytest.mark.parametrize("path", ["/mcp/", "/mcp/../ep", "/mcp/..", "/mcp/a/b", "/mcp/.hidden", "/mcp/" + "x" * 500])
async def test_a_path_that_is_no_episode_id_is_not_found(toy: AppServer, path: str) -> None:
    body, fields = request("tools/list")

    answer = await send(toy, body, fields, path=path)

    assert answer.status == 404


async def test_an_episode_without_this_app_names_what_it_has(toy: AppServer) -> None:
    folder = toy.store.episodes / "other"
    folder.mkdir()
    (folder / "episode.json").write_bytes(
        (toy.store.episodes / "ep" / "episode.json")
        .read_bytes()
        .replace(b'"ep"', b'"other"')
        .replace(b'"toy"', b'"slack"')
    )
    body, fields = request("tools/list")

    answer = await send(toy, body, fields, path="/mcp/other")

    assert answer.status == 404
    assert answer.json["error"]["message"] == "episode 'other' has no app 'toy'; it has slack"


async def test_an_episode_without_this_app_says_so_to_its_bearer_only(toy: AppServer) -> None:
    folder = toy.store.episodes / "other"
    folder.mkdir()
    settings("other", "slack", token_sha256=sha256(b"s3cret").hexdigest()).save(folder)
    body, fields = request("tools/list")

    stranger = await send(toy, body, fields, path="/mcp/other")
    owner = await send(toy, body, [*fields, ("authorization", "Bearer s3cret")], path="/mcp/other")

    assert (stranger.status, owner.status) == (401, 404)
    assert "slack" not in stranger.json["error"]["message"]
    assert owner.json["error"]["message"] == "episode 'other' has no app 'toy'; it has slack"


@ERAS
async def test_a_dropped_episode_is_gone_for_those_who_knew_it(toy: AppServer, version: str) -> None:
    body, fields = request("tools/call", {"name": "note_show", "arguments": {}}, version=version)
    assert (await send(toy, body, fields)).status == 200
    toy.store.drop("ep")
    toy.gates.forget("ep")

    answer = await send(toy, body, fields)

    assert answer.status == 404


@ERAS
@pytest.mark.parametrize("is_plain", [True, False])
async def test_an_expired_episode_takes_no_call_but_still_lists_its_tools(
    toy: AppServer, version: str, is_plain: bool
) -> None:
    make_episode(toy, "old", expires_at=PAST)
    make_episode(toy, "young", expires_at=FAR)
    body, fields = request("tools/call", {"name": "note_add", "arguments": {"text": "late"}}, version=version)
    if not is_plain:
        body["params"]["task"] = {"ttl": 5}  # one more parameter makes it a call for the SDK

    late = await send(toy, body, fields, path="/mcp/old")
    in_time = await send(toy, body, fields, path="/mcp/young")
    listed = await send(toy, *request("tools/list", version=version), path="/mcp/old")

    assert (late.status, late.json["result"]["isError"]) == (200, True)
    (said,) = late.json["result"]["content"]
    assert said["text"].startswith("Refused: the time for this task is over. This call was not made")
    assert toy.store.calls("old") == []
    assert "isError" not in in_time.json["result"]
    assert [len(toy.store.calls("young")), len(listed.json["result"]["tools"])] == [1, len(toy.loaded.tool_schemas)]


@ERAS
async def test_an_episode_with_a_token_wants_it_as_a_bearer(toy: AppServer, version: str) -> None:
    make_episode(toy, "locked", token_sha256=sha256(b"s3cret").hexdigest())
    body, fields = request("tools/call", {"name": "note_show", "arguments": {}}, version=version)

    async def status(*authorization: str) -> int:
        added = [("authorization", value) for value in authorization]
        return (await send(toy, body, fields + added, path="/mcp/locked")).status

    for _ in range(2):
        assert await status() == 401
        assert await status("Bearer s3cret") == 200
        assert await status("bearer s3cret") == 200
        assert await status("Bearer other") == 401
        assert await status("Basic s3cret") == 401
        assert await status("Bearer ") == 401
        assert await status("Bearer other", "Bearer s3cret") == 401
    refused = await send(toy, body, fields, path="/mcp/locked")
    assert refused.headers["www-authenticate"] == "Bearer"
    said = "episode 'locked' needs its token as 'Authorization: Bearer TOKEN', and none was sent"
    way_out = "in a test it is in world.connection(APP), on a farm 'farm connect --episode locked' prints it"
    assert refused.json["error"]["message"] == f"{said}; {way_out}"


async def test_an_episode_without_a_token_asks_for_none(toy: AppServer) -> None:
    body, fields = request("tools/list")

    assert (await send(toy, body, [*fields, ("authorization", "Bearer anything")])).status == 200


@ERAS
async def test_a_menu_holds_in_list_and_call_alike(toy: AppServer, version: str) -> None:
    make_episode(toy, "short", menu={"toy": ("note_show", "note_echo")})
    hidden = await tool(toy, "note_add", {"text": "x"}, version=version, path="/mcp/short")
    unknown = await tool(toy, "no_such", {"text": "x"}, version=version, path="/mcp/short")

    assert await _listed(toy, "/mcp/short", version) == ["note_show", "note_echo"]
    assert len(await _listed(toy, "/mcp/ep", version)) == len(toy.loaded.tool_schemas)
    assert hidden["error"]["message"] == unknown["error"]["message"].replace("no_such", "note_add")
    assert (await tool(toy, "note_show", {}, version=version, path="/mcp/short"))["result"]
    assert toy.store.rows("short", "notes")["total"] == 0


async def test_episodes_with_different_menus_never_share_a_list(toy: AppServer) -> None:
    make_episode(toy, "one", menu={"toy": ("note_show",)})
    make_episode(toy, "none", menu={"toy": ()})

    for _ in range(2):
        assert await _listed(toy, "/mcp/one", MODERN) == ["note_show"]
        assert await _listed(toy, "/mcp/none", MODERN) == []
        assert len(await _listed(toy, "/mcp/ep", MODERN)) == len(toy.loaded.tool_schemas)


@pytest.mark.parametrize(
    ("field", "status"),
    [
        (("host", "127.0.0.1:1"), 200),
        (("host", "localhost"), 200),
        (("host", "[::1]:9"), 200),
        (("host", "farm.example:8700"), 200),
        (("host", "farm.example"), 200),
        (("host", "evil.example"), 421),
        (("host", "LOCALHOST:9"), 200),
        (("host", "127.0.0.1.evil.example"), 421),
        (("host", "127.0.0.1:80.evil.example"), 421),
        (("host", "farm.example:80.evil.example"), 421),
        (("host", "localhost:"), 421),
        (("host", "evil.example@localhost:1"), 421),
        (("host", ""), 421),
        (("origin", "http://localhost:6274"), 200),
        (("origin", "https://farm.example"), 200),
        (("origin", "https://evil.example"), 403),
        (("origin", "http://127.0.0.1:8000.evil.example"), 403),
        (("origin", "http://localhost:6274/evil.example"), 403),
        (("origin", "ftp://localhost"), 403),
        (("origin", ""), 403),
        (("origin", "null"), 403),
    ],
)
async def test_only_known_hosts_and_origins_get_in(tmp_path: Path, field: tuple[str, str], status: int) -> None:
    server = toy_server(tmp_path, allowed_hosts=("farm.example",))
    body, fields = request("tools/call", {"name": "note_show", "arguments": {}})

    async with server.running():
        for _ in range(2):
            answer = await send(server, body, [each for each in fields if each[0] != field[0]] + [field])
            assert answer.status == status


@pytest.mark.parametrize("hosts", [("127.0.0.1", "evil.example"), ("evil.example", "127.0.0.1"), ("localhost",) * 2])
@pytest.mark.parametrize("allowed", [(), ("*",)])
async def test_a_request_with_two_hosts_is_refused(
    tmp_path: Path, hosts: tuple[str, ...], allowed: tuple[str, ...]
) -> None:
    server = toy_server(tmp_path, allowed_hosts=allowed)
    body, fields = request("tools/call", {"name": "note_show", "arguments": {}})
    others = [field for field in fields if field[0] != "host"]

    async with server.running():
        assert (await send(server, body, [("host", "127.0.0.1"), *others])).status == 200
        for _ in range(2):
            answer = await send(server, body, [*(("host", each) for each in hosts), *others])

            assert answer.status == 400
            assert answer.json["error"]["message"] == "a request has one Host header, not 2"


async def test_one_foreign_origin_of_two_is_refused(toy: AppServer) -> None:
    body, fields = request("tools/call", {"name": "note_show", "arguments": {}})

    for origins in (("http://localhost", "http://evil.example"), ("http://evil.example", "http://localhost")):
        assert (await send(toy, body, [*fields, *(("origin", each) for each in origins)])).status == 403


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ([("host", "farm.example:8700")], "'farm.example:8700' in Host is not this farm; "),
        ([("host", "::1"), ("origin", "x")], "'::1' in Host is not this farm; "),
        ([("host", "127.0.0.1"), ("origin", "https://farm.example")], "'https://farm.example' in Origin is not "),
        ([("host", "$(reboot)")], "'$(reboot)' in Host is not this farm; "),
    ],
)
async def test_a_refused_host_is_told_which_option_lets_it_in(
    toy: AppServer, named: list[tuple[str, str]], said: str
) -> None:
    body, fields = request("tools/list")

    message = (await send(toy, body, [*named, *fields[1:]])).json["error"]["message"]

    assert message.startswith(said)
    wanted = "farm.example" if "farm.example" in said else "NAME"
    assert message.endswith(f"let it in with 'farm up --allow-host {wanted}'")


async def test_a_wrong_host_learns_nothing_about_episodes(toy: AppServer) -> None:
    body, fields = request("tools/list")
    evil = [field for field in fields if field[0] != "host"] + [("host", "evil.example")]

    known, unknown = await send(toy, body, evil), await send(toy, body, evil, path="/mcp/elsewhere")

    assert known == unknown
    assert known.status == 421


async def test_a_star_lets_every_host_in(tmp_path: Path) -> None:
    server = toy_server(tmp_path, allowed_hosts=("*",))
    body, fields = request("tools/list")

    async with server.running():
        answer = await send(server, body, [("host", "anything"), *fields[1:]])

    assert answer.status == 200


@pytest.mark.parametrize("pieces", [1, 7])
async def test_a_body_over_four_mebibytes_is_refused(toy: AppServer, pieces: int) -> None:
    body, fields = request("tools/call", {"name": "note_echo", "arguments": {"x": "y" * (4 << 20)}})
    await tool(toy, "note_show", {})

    answer = await send(toy, body, fields, pieces=pieces)

    assert answer.status == 413
    assert answer.body == b"Request body too large"


async def test_a_body_declared_over_four_mebibytes_is_not_read(toy: AppServer) -> None:
    _, fields = request("tools/list")

    answer = await send(toy, b"{}", [*fields, ("content-length", str(5 << 20))])

    assert answer.status == 413


async def test_a_body_in_pieces_is_one_body(toy: AppServer) -> None:
    body, fields = request("tools/call", {"name": "note_echo", "arguments": {"x": "y" * 300_000}})
    for _ in range(2):
        answer = await send(toy, body, fields, pieces=9)

        assert answer.status == 200
        assert len(answer.body) > 300_000


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS", "HEAD"])
async def test_only_post_is_served(toy: AppServer, method: str) -> None:
    for _ in range(2):
        answer = await send(toy, None, headers(), method=method)

        assert answer.status == 405
        assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize(
    "path", ["/", "/mcp", "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp/ep"]
)
async def test_nothing_else_is_there(toy: AppServer, path: str) -> None:
    answer = await send(toy, None, headers(), method="GET", path=path)

    assert answer.status == 404
    assert answer.headers["content-type"] == "application/json"
    assert answer.json["error"]["code"] == "not_found"


async def test_health_is_good_once_the_server_runs(tmp_path: Path) -> None:
    server = toy_server(tmp_path)

    before = await send(server, None, [("host", "10.0.0.7:80")], method="GET", path="/healthz")
    async with server.running():
        during = await send(server, None, [("host", "10.0.0.7:80")], method="GET", path="/healthz")

    assert (before.status, during.status) == (404, 200)


@ERAS
async def test_the_server_calls_itself_what_the_real_one_does(toy: AppServer, version: str) -> None:
    method = "server/discover" if version == MODERN else "initialize"
    hello: dict[str, Any] = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    body, fields = request(method, None if version == MODERN else hello, version=version)

    for _ in range(2):
        result = (await send(toy, body, fields)).json["result"]

        stamp = result["_meta"]["io.modelcontextprotocol/serverInfo"] if version == MODERN else result["serverInfo"]
        assert stamp == {"name": "toy-server", "version": "1.2.3"}
        assert result["instructions"] == "Write notes. 写笔记。"
        assert set(result["capabilities"]) == {"tools"}


async def test_two_apps_mounted_in_one_process_keep_to_themselves(toy: AppServer, tmp_path: Path) -> None:
    slack = AppServer(load_app("slack"), tmp_path / "slack")
    make_episode(slack)

    async with slack.running():
        await tool(toy, "note_add", {"text": "mine"})
        answer = await tool(slack, "note_add", {"text": "mine"})

    assert "error" in answer
    assert [entry["tool"] for entry in toy.store.calls("ep")] == ["note_add"]


async def test_what_a_client_makes_long_is_not_kept(toy: AppServer) -> None:
    long = {"_meta": {"com.example/long": "x" * 10_000}}
    wide = ("accept", "application/json, text/event-stream, text/" + "x" * 10_000)

    for method, params in (("tools/list", long), ("tools/call", {"name": "note_show", "arguments": {}, **long})):
        body, fields = request(method, params)
        for _ in range(2):
            assert (await send(toy, body, fields)).status == 200
            wider = [wide if field[0] == "accept" else field for field in fields]
            assert (await send(toy, body, wider)).status == 200

    assert len(toy._templates.known) == 1
    assert toy._templates._metas.known == {}
    assert len(str(list(toy._templates.responses))) < 1000


@ERAS
async def test_requests_that_differ_in_their_progress_token_share_one_kept_answer(toy: AppServer, version: str) -> None:
    for number in range(20):
        body, fields = request("tools/list", {}, version=version, request_id=number)
        body["params"].setdefault("_meta", {})["progressToken"] = number
        answer = await send(toy, body, fields)
        assert (answer.json["id"], len(answer.json["result"]["tools"])) == (number, len(toy.loaded.tool_schemas))

    assert len(toy._templates.responses) == 1


@ERAS
async def test_what_changes_no_answer_makes_no_new_one_to_keep(toy: AppServer, version: str) -> None:
    for number in range(20):
        body, fields = request("tools/list", {}, version=version)
        body["params"].setdefault("_meta", {})["com.example/trace"] = number
        accept = ("accept", f"application/json, text/event-stream;q=0.{number + 1}")
        fields = [each for each in fields if each[0].lower() != "accept"]
        answer = await send(toy, body, [*fields, accept, ("origin", f"http://localhost:{6000 + number % 7}")])
        assert len(answer.json["result"]["tools"]) == len(toy.loaded.tool_schemas)

    assert len(toy._templates.known) == 20
    assert len(toy._templates.responses) == 1


async def test_metadata_that_the_sdk_refuses_gets_no_kept_answer(toy: AppServer) -> None:
    for meta in ({}, {"progressToken": [1]}, {}):
        body, fields = request("tools/list", {"_meta": meta})
        assert ("error" in (await send(toy, body, fields)).json) is bool(meta)


async def test_what_is_kept_of_hostile_requests_is_bounded_in_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = {"TEMPLATES_BYTES_MAX": 20_000, "METAS_BYTES_MAX": 10_000, "RESPONSES_BYTES_MAX": 50_000}
    for name, limit in limits.items():
        monkeypatch.setattr(header_template, name, limit)
    monkeypatch.setenv("FARM_CONTENT", str(Path(__file__).parent / "content"))
    toy = AppServer(load_app("toy"), tmp_path)
    make_episode(toy)
    templates = toy._templates
    sizes: dict[str, list[int]] = {name: [] for name in limits}

    async with toy.running():
        for number in range(120):
            hello = {
                "protocolVersion": LEGACY,
                "capabilities": {},
                "clientInfo": {"name": f"c{number}" * 50, "version": "1"},
                "_meta": {"com.example/trace": f"{number}" * 100},
            }
            body, fields = request("initialize", hello)
            await send(toy, body, [*fields, ("origin", f"http://localhost:{6000 + number}")])
            call, fields = request("tools/call", {"name": "note_show", "arguments": {}, "_meta": hello["_meta"]})
            await send(toy, call, fields)
            found = templates._templates.size_bytes, templates._metas.size_bytes, templates._responses.size_bytes
            for name, size in zip(limits, found, strict=True):
                sizes[name].append(size)

    for name, limit in limits.items():
        assert 0 < max(sizes[name]) <= limit, name
        assert sizes[name] != sorted(sizes[name]), f"{name} was never full, so nothing was shown"
