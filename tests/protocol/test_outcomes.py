"""Every way a handler may answer or refuse, over the wire: to the byte, alike on both paths, and truly in the log."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from farm.content import load_app
from farm.server.app import AppServer
from tests.protocol.test_same_as_sdk import MUTATIONS, compare_paths
from tests.protocol.wire import LEGACY, MODERN, make_episode, request, send

VERSIONS = (None, "2024-11-05", "2025-06-18", LEGACY, MODERN)
SOME_MUTATIONS = ("nothing", "id text", "arguments null", "progress token", "accept json", "name header encoded")
TORN = r"{\"error\":\"note_tear: The page is torn, and what was written stays.\"}"
# What each tool of the toy answers on an empty notebook, as it stands in "result" or "error".
OUTCOMES: dict[str, tuple[dict[str, Any], str]] = {
    "note_size": ({}, '{"content":[{"type":"text","text":"0 notes"}],"structuredContent":{"result":"0 notes"}}'),
    "note_last": (
        {},
        '{"content":[{"type":"text","text":"{\\"id\\":null,\\"text\\":\\"\\"}"}],'
        '"structuredContent":{"id":null,"text":""}}',
    ),
    "note_words": (
        {"text": "两 words"},
        '{"content":[{"type":"text","text":"2 words"}],'
        '"structuredContent":{"words":["两","words"],"count":2},"isError":false}',
    ),
    "note_picture": (
        {},
        '{"content":[{"type":"text","text":"A page:"},{"type":"image","data":"aGk=","mimeType":"image/png"},'
        '{"type":"resource","resource":{"uri":"note://1","mimeType":"text/plain","text":"第一"}}]}',
    ),
    "note_refuse": ({}, '{"content":[{"type":"text","text":"The notebook is full."}],"isError":true}'),
    "note_mumble": ({}, '{"content":[{"type":"text","text":"Error: Nobody understood that."}]}'),
    "note_tear": ({"text": "x"}, f'{{"content":[{{"type":"text","text":"{TORN}"}}],"isError":true}}'),
    "note_lock": ({}, '{"code":-32001,"message":"The notebook is locked.","data":{"since_ms":1773018000000}}'),
}
KEEPS_NOTHING = ("note_refuse", "note_mumble", "note_lock")


@pytest_asyncio.fixture
async def parrot(tmp_path: Path) -> AsyncIterator[AppServer]:
    """A server of the app that answers to any name."""
    server = AppServer(load_app("parrot"), tmp_path / "parrot")
    make_episode(server)
    async with server.running():
        yield server


@pytest.mark.parametrize("name", OUTCOMES)
async def test_an_outcome_goes_out_as_its_envelope_writes_it(toy: AppServer, name: str) -> None:
    arguments, expected = OUTCOMES[name]
    kind = "error" if name == "note_lock" else "result"
    body, fields = request("tools/call", {"name": name, "arguments": arguments})

    answer = await send(toy, body, fields)

    assert answer.body.decode() == f'{{"jsonrpc":"2.0","id":1,"{kind}":{expected}}}'


@pytest.mark.parametrize("version", VERSIONS)
async def test_every_outcome_is_the_same_on_both_paths(
    toy: AppServer, reference: AppServer, version: str | None
) -> None:
    for name, (arguments, _) in OUTCOMES.items():
        for mutation in SOME_MUTATIONS:
            body, fields = request("tools/call", {"name": name, "arguments": arguments}, version=version)
            changed = MUTATIONS[mutation](body, fields)

            await compare_paths(toy, reference, f"{name} {mutation}", body if changed is None else changed, fields)


@pytest.mark.parametrize("version", VERSIONS)
async def test_structured_content_keeps_its_order_on_both_paths(
    toy: AppServer, reference: AppServer, version: str | None
) -> None:
    for name in ("note_size", "note_last", "note_words"):
        body, fields = request("tools/call", {"name": name, "arguments": OUTCOMES[name][0]}, version=version)

        fast, slow = [(await send(each, body, fields)).json["result"] for each in (toy, reference)]

        assert str(fast["structuredContent"]) == str(slow["structuredContent"])


async def test_a_refused_call_changes_nothing_and_is_logged_so(toy: AppServer) -> None:
    for name in KEEPS_NOTHING:
        await send(toy, *request("tools/call", {"name": name, "arguments": {}}))

    assert toy.store.diff("ep") == {}
    assert [(entry["refused"], "wrote" in entry) for entry in toy.store.calls("ep")] == [(True, False)] * 3


async def test_a_refusal_that_keeps_what_it_wrote_is_logged_as_both(toy: AppServer) -> None:
    await send(toy, *request("tools/call", {"name": "note_tear", "arguments": {"text": "stays"}}))

    (entry,) = toy.store.calls("ep")
    assert (entry["refused"], entry["wrote"]) == (True, True)
    ((change,),) = toy.store.diff("ep").values()
    assert (change["op"], change["new"]["text"], change["call"]) == ("insert", "stays", entry["n"])


async def test_what_a_refusal_kept_is_there_after_a_snapshot_and_a_restart(toy: AppServer, tmp_path: Path) -> None:
    for text in ("one", "two"):
        await send(toy, *request("tools/call", {"name": "note_tear", "arguments": {"text": text}}))
        toy.store.snapshot("ep", text)
    toy.store.restore("ep", "one")
    toy.store.close_all()

    body, fields = request("tools/call", {"name": "note_show", "arguments": {}})
    shown = (await send(toy, body, fields)).json["result"]["content"][0]["text"]

    assert shown == '{"notes":["one"]}'
    assert [entry["tool"] for entry in toy.store.calls("ep")] == ["note_tear", "note_show"]


async def test_an_app_that_never_looks_at_names_answers_to_any(parrot: AppServer) -> None:
    for name in ("say", "shout", "no-such-tool"):
        for version in (LEGACY, MODERN):
            body, fields = request("tools/call", {"name": name, "arguments": {"words": name}}, version=version)

            answer = await send(parrot, body, fields)

            assert f'\\n  \\"said\\": \\"{name}\\"' in answer.body.decode()
            assert answer.json["result"]["isError"] is False
    assert [entry["tool"] for entry in parrot.store.calls("ep")][::2] == ["say", "shout", "no-such-tool"]
    assert all(entry["wrote"] for entry in parrot.store.calls("ep"))


async def test_a_refusal_names_the_tool_as_it_was_called(parrot: AppServer) -> None:
    body, fields = request("tools/call", {"name": "shout", "arguments": {"words": ""}})

    answer = await send(parrot, body, fields)

    assert answer.json["result"] == {
        "content": [{"type": "text", "text": "Error executing tool shout: nothing to say"}],
        "isError": True,
    }


async def test_what_a_menu_hides_answers_to_no_name(parrot: AppServer) -> None:
    for episode_id, menu, is_known in (("both", ["say", "sleep"], True), ("quiet", ["sleep"], False)):
        make_episode(parrot, episode_id, menu={"parrot": menu})
        body, fields = request("tools/call", {"name": "shout", "arguments": {"words": "hi"}})

        answer = await send(parrot, body, fields, path=f"/mcp/{episode_id}")

        assert ("result" in answer.json) is is_known, episode_id


async def test_both_paths_answer_to_any_name_alike(tmp_path: Path) -> None:
    fast = AppServer(load_app("parrot"), tmp_path / "fast")
    slow = AppServer(load_app("parrot"), tmp_path / "slow", is_fast=False)
    make_episode(fast)
    make_episode(slow)

    async with fast.running(), slow.running():
        for version in VERSIONS:
            for name in ("say", "shout", "any tool"):
                for words in ("hi", "", 5):
                    body, fields = request("tools/call", {"name": name, "arguments": {"words": words}}, version=version)
                    await compare_paths(fast, slow, f"{name} {words}", body, fields)
