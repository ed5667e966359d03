"""The addresses of the agents' port: short ones, those that clients change, and the answers without the bearer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from farm.content import load_app
from farm.errors import FarmError
from tests.protocol.in_process import Farm, farm
from tests.protocol.test_gateway_farm import agent, send
from tests.protocol.wire import request


@pytest_asyncio.fixture
async def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Farm]:
    async with farm(tmp_path, "parrot", "toy", monkeypatch=monkeypatch) as made:
        yield made


async def _note(running: Farm, path: str, token: str | None, text: str) -> int:
    body, _ = request("tools/call", {"name": "note_add", "arguments": {"text": text}})
    return (await send(running.agents_url + path, body, agent(token))).status


async def test_an_apps_name_is_the_app_in_the_bearers_episode(running: Farm) -> None:
    first, second = await running.create(), await running.create()

    for made in (first, second):
        assert await _note(running, "/mcp/toy", made["token"], f"for {made['id']}") == 200

    for made in (first, second):
        answer = await running.call(made, "toy", "note_show")
        assert f"for {made['id']}" in answer["content"][0]["text"]
        assert answer["content"][0]["text"].count("for ") == 1


async def test_without_a_bearer_an_apps_name_is_the_app_in_default(running: Farm) -> None:
    assert await _note(running, "/mcp/toy", None, "hello") == 200

    told = await running.ask("GET", "/v1/episodes/default/calls")
    assert [each["tool"] for each in told] == ["note_add"]


async def test_a_bearer_of_no_episode_opens_no_address(running: Farm) -> None:
    made = await running.create()
    await running.ask("DELETE", f"/v1/episodes/{made['id']}")

    for token in ("invented", made["token"]):
        for path in ("/mcp/toy", "/mcp", "/mcp/"):
            answer = await send(running.agents_url + path, request("tools/list")[0], agent(token))
            assert answer.status == 401
            assert answer.json["error"]["message"].startswith("no episode has this bearer")


async def test_an_app_that_the_bearers_episode_lacks_is_named(running: Farm) -> None:
    made = await running.create(apps=["toy"])

    answer = await send(f"{running.agents_url}/mcp/parrot", request("ping")[0], agent(made["token"]))

    assert answer.status == 404
    assert answer.json["error"]["message"] == f"episode '{made['id']}' has no app 'parrot'; it has toy"


@pytest.mark.parametrize("ending", ["", "/", "/mcp", "/mcp/"])
async def test_what_clients_append_to_an_address_is_ignored(running: Farm, ending: str) -> None:
    made = await running.create()
    body = request("tools/list")[0]
    addresses = [made["mcp"]["toy"], made["mcp_all"], *made["direct"].values(), f"{running.agents_url}/mcp/toy"]

    for url in addresses:
        plain = await send(url, body, agent(made["token"]))
        answer = await send(url + ending, body, agent(made["token"]))
        assert (answer.status, answer.json) == (200, plain.json)


async def test_mcp_alone_is_every_app_of_the_bearers_episode(running: Farm) -> None:
    made = await running.create(apps=["toy"])
    body = request("tools/list")[0]

    own = await send(f"{running.agents_url}/mcp", body, agent(made["token"]))
    default = await send(f"{running.agents_url}/mcp", body, agent())

    assert {tool["name"].partition("__")[0] for tool in own.json["result"]["tools"]} == {"toy"}
    assert {tool["name"].partition("__")[0] for tool in default.json["result"]["tools"]} == {"toy", "parrot"}


@pytest.mark.parametrize("place", ["{id}/toy", "{id}"])
async def test_a_client_without_the_bearer_is_led_to_a_sentence(running: Farm, place: str) -> None:
    made = await running.create()
    path = f"/mcp/{place.format(**made)}"

    # The second request has known headers, and would take the short way to the app.
    for _ in range(2):
        refused = await send(running.agents_url + path, request("ping")[0], agent())
    challenge = refused.headers["www-authenticate"]
    where = challenge.partition('resource_metadata="')[2].partition('"')[0]
    resource = await send(where, method="GET")
    (server,) = resource.json["authorization_servers"]
    about = await send(f"{server}/.well-known/oauth-authorization-server", method="GET")
    registered = await send(f"{server}/register", {"client_name": "x", "redirect_uris": []})

    assert refused.status == 401
    assert f"episode '{made['id']}' needs its token" in challenge
    assert resource.json["resource"] == running.agents_url + path
    # mcp-use looks for a login before it sends its headers, and ignores them if there is one.
    assert about.status == 404
    assert registered.status == 400
    assert "Authorization: Bearer TOKEN" in registered.json["error_description"]


@pytest.mark.parametrize("path", ["/", "/mcp", "/mcp/default", "/mcp/default/toy", "/favicon"])
async def test_a_browser_is_told_which_commands_there_are(running: Farm, path: str) -> None:
    fields = {"accept": "text/html,application/xhtml+xml"}

    page = await send(running.agents_url + path, None, fields, method="GET")

    assert (page.status, page.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    assert "farm connect" in page.body.decode()


async def test_a_browser_that_was_led_here_by_a_foreign_name_is_told_nothing(running: Farm) -> None:
    for path in ("/", "/mcp/default", "/.well-known/oauth-protected-resource"):
        fields = {"accept": "text/html", "host": "evil.example"}
        assert (await send(running.agents_url + path, None, fields, method="GET")).status == 421


@pytest.mark.parametrize("name", ["default", "mcp"])
def test_no_app_has_a_name_that_means_something_else_in_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    kernel = tmp_path / "kernels" / name
    kernel.mkdir(parents=True)
    (kernel / "__init__.py").write_text("", "utf-8")
    (kernel / "tools.json").write_text("{}", "utf-8")
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path))

    with pytest.raises(FarmError, match=f"an app cannot be called '{name}'"):
        load_app(name)
