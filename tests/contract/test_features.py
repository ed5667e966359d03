"""For every app in every profile: what the handshake declares is served, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.appkit.server_features import HANDSHAKE_REVISIONS
from farm.server.app import AppServer
from tests.protocol.wire import LEGACY, MODERN, make_episode, request, send

APPS = [(app, profile) for app in content.app_names() for profile in content.load_app(app).profiles]
LISTS = {"prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates"}
# mcp-go 0.8.2 declares prompts for every server, and logging without the method.
DECLARED_ONLY = {("wecom", "prompts"), ("wecom", "logging")}
# The Go SDK answers these lists, whatever is declared.
SERVED_ONLY = {("rednote", "prompts"), ("rednote", "resources")}
METHOD_NOT_FOUND = -32601


class Client:
    """Asks one server in one revision."""

    def __init__(self, server: AppServer, version: str) -> None:
        self._server = server
        self._version = version

    async def __call__(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        body, fields = request(method, params, version=self._version)
        if self._version == MODERN and method == "resources/read":
            fields.append(("mcp-name", (params or {})["uri"]))
        answer: dict[str, Any] = (await send(self._server, body, fields)).json
        return answer


def hello(version: str) -> dict[str, Any]:
    return {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}


@pytest.mark.parametrize(("app", "profile"), APPS)
async def test_what_is_declared_is_served_and_nothing_else(app: str, profile: str, tmp_path: Path) -> None:
    server = AppServer(content.load_app(app), tmp_path)
    make_episode(server, profile=profile)

    async with server.running():
        ask = Client(server, LEGACY)
        declared = (await ask("initialize", hello(LEGACY)))["result"]["capabilities"]
        for method, key in LISTS.items():
            answer = await ask(method)
            kind = method.partition("/")[0]
            is_served = (kind in declared and (app, kind) not in DECLARED_ONLY) or (app, kind) in SERVED_ONLY
            if is_served:
                assert isinstance(answer["result"][key], list)
            else:
                assert answer["error"]["code"] == METHOD_NOT_FOUND


@pytest.mark.parametrize(("app", "profile"), APPS)
@pytest.mark.parametrize("version", [LEGACY, MODERN])
async def test_every_prompt_and_resource_that_is_listed_can_be_had(
    app: str, profile: str, version: str, tmp_path: Path
) -> None:
    server = AppServer(content.load_app(app), tmp_path)
    make_episode(server, profile=profile)
    features = content.load_app(app, profile).features

    async with server.running():
        ask = Client(server, version)
        for prompt in (await ask("prompts/list"))["result"]["prompts"] if features.prompts else ():
            arguments = {each["name"]: "x" for each in prompt.get("arguments", ())}
            told = (await ask("prompts/get", {"name": prompt["name"], "arguments": arguments}))["result"]
            assert all(message["content"]["text"] for message in told["messages"])
        if features.resources is not None:
            listed = (await ask("resources/list"))["result"]["resources"]
            templates = (await ask("resources/templates/list"))["result"]["resourceTemplates"]
            made = [re.sub(r"\{\w+\}", "x", each["uriTemplate"]) for each in templates]
            for uri in [*(each["uri"] for each in listed), *made]:
                told = (await ask("resources/read", {"uri": uri}))["result"]
                assert all(each["uri"] for each in told["contents"]), uri


@pytest.mark.parametrize(("app", "profile"), APPS)
async def test_the_handshake_settles_on_a_revision_that_the_server_speaks(
    app: str, profile: str, tmp_path: Path
) -> None:
    server = AppServer(content.load_app(app), tmp_path)
    make_episode(server, profile=profile)
    features = content.load_app(app, profile).features

    async with server.running():
        for asked in (*HANDSHAKE_REVISIONS, "1999-01-01"):
            told = (await Client(server, LEGACY)("initialize", hello(asked)))["result"]
            is_known = asked in HANDSHAKE_REVISIONS and asked <= features.protocol
            assert told["protocolVersion"] == (asked if is_known else features.other_protocol)


@pytest.mark.parametrize(("app", "profile"), APPS)
def test_every_row_of_a_prompt_or_resource_is_listed_in_some_profile(app: str, profile: str) -> None:
    loaded = content.load_app(app)
    every = [each.features for each in loaded.profiles.values()]
    prompts = {entry["name"] for each in every for entry in each.prompts or ()}
    resources = {entry["uri"] for each in every for entry in each.resources or ()}
    templates = {entry["uriTemplate"] for each in every for entry in each.templates or ()}

    rows = content.load_app(app, profile).app
    assert {row.name for row in rows.prompts} <= prompts
    assert {row.uri for row in rows.resources} <= resources
    assert {row.uri_template for row in rows.templates} <= templates
