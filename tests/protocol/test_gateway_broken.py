"""An episode of which one app is broken: the others go on, and whoever asks for all hears which, and what helps."""

from __future__ import annotations

import asyncio
import errno
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from farm.cli import main
from farm.errors import FarmError
from tests.protocol.in_process import OPERATOR_TOKEN, Farm, farm

pytestmark = pytest.mark.slow

APPS = ("parrot", "toy")


@pytest_asyncio.fixture
async def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Farm]:
    async with farm(tmp_path, *APPS, monkeypatch=monkeypatch) as made:
        yield made


async def add(running: Farm, episode: dict[str, Any], text: str) -> None:
    assert not (await running.call(episode, "toy", "note_add", text=text)).get("isError")


def _lose_context(folder: Path) -> None:
    (folder / "toy.0.db").unlink()


def _lose_log(folder: Path) -> None:
    (folder / "toy.0.log").unlink()


def _lose_last_call(folder: Path) -> None:
    log = folder / "toy.0.log"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))


def _end_in_nonsense(folder: Path) -> None:
    with (folder / "toy.0.log").open("ab") as log:
        log.write(b'{"n":x,\n')


SPOILT = (_lose_context, _lose_log, _lose_last_call, _end_in_nonsense)


async def spoilt(running: Farm, spoil: Callable[[Path], object]) -> dict[str, Any]:
    """Make an episode with a snapshot of one note, a note after it, and a file that is broken since."""
    made: dict[str, Any] = await running.create()
    await add(running, made, "saved")
    await running.ask("POST", f"/v1/episodes/{made['id']}/snapshots", {"name": "cut"})
    await add(running, made, "later")
    running.apps["toy"].store.close_all()
    spoil(running.apps["toy"].store.episodes / made["id"])
    return made


def call(running: Farm, tmp_path: Path, *arguments: str) -> int:
    """Run ``farm call`` and return its status."""
    token = tmp_path / "token"
    token.write_text(OPERATOR_TOKEN)
    try:
        main(["call", *arguments, "--farm", running.operators_url, "--token-file", str(token)])
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


@pytest.mark.parametrize("spoil", SPOILT)
async def test_the_other_apps_of_an_episode_go_on_and_the_broken_one_is_named(
    running: Farm, tmp_path: Path, spoil: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    made = await spoilt(running, spoil)

    shown = await running.ask("GET", f"/v1/episodes/{made['id']}")
    status = await asyncio.to_thread(
        call, running, tmp_path, "parrot", "say", '{"words": "hi"}', "--episode", made["id"]
    )

    assert "error" not in await running.call(made, "parrot", "say", words="hi")
    assert (status, shown["calls_by_app"]) == (0, {"parrot": 0})
    assert capsys.readouterr().err == ""
    ((app, told),) = shown["broken"].items()
    assert app == "toy"
    assert told.startswith(f"app 'toy': {tmp_path}/episodes/{made['id']}/toy.0.")
    assert told.endswith("; put it back from a copy, or reset the episode")
    status = await asyncio.to_thread(call, running, tmp_path, "toy", "note_show", "--episode", made["id"])
    assert (status, capsys.readouterr().err) == (1, f"farm: {told}\n")
    assert "error" in await running.call(made, "toy", "note_show")


@pytest.mark.parametrize("spoil", SPOILT)
async def test_what_concerns_all_apps_names_the_broken_one_and_what_helps_and_that_helps(
    running: Farm, spoil: Callable[[Path], None]
) -> None:
    made = await spoilt(running, spoil)
    at = f"/v1/episodes/{made['id']}"
    path = "toy.0.db" if spoil is _lose_context else "toy.0.log"
    has_lost_calls = spoil is _lose_log

    for method, action in (("POST", "snapshots"), ("POST", "fork"), ("GET", "diff"), ("GET", "calls")):
        with pytest.raises(FarmError) as refused:
            await running.ask(method, f"{at}/{action}")
        told = str(refused.value)
        assert (refused.value.status, refused.value.code) == (500, "broken")
        assert told.startswith("app 'toy': ")
        assert f"/{path}" in told
        assert "or reset the episode" in told
        assert ("; snapshot 'cut' can be restored" in told) is not has_lost_calls
        assert "\n" not in told

    if has_lost_calls:
        # They are the snapshot's, too; so this is refused, and what it advises works.
        with pytest.raises(
            FarmError, match=r"toy\.0\.log has 0 of the \d+ bytes .*; put it back from a copy, or reset"
        ):
            await running.ask("POST", f"{at}/restore", {"snapshot": "cut"})
        await running.ask("POST", f"{at}/reset")
        assert (await running.ask("GET", at))["calls"] == 0
    else:
        back = await running.ask("POST", f"{at}/restore", {"snapshot": "cut"})
        assert (back["calls"], back["broken"]) == (1, {})
        assert [each["arguments"]["text"] for each in await running.ask("GET", f"{at}/calls")] == ["saved"]
    await add(running, made, "again")


async def test_no_snapshot_is_advised_where_none_can_be_restored(running: Farm) -> None:
    made = await spoilt(running, lambda folder: (folder / "episode.json").write_text("{"))
    for app in APPS:
        running.apps[app].gates.forget(made["id"])

    for action, body in (("diff", None), ("restore", {"snapshot": "cut"})):
        with pytest.raises(FarmError) as refused:
            await running.ask("POST" if body else "GET", f"/v1/episodes/{made['id']}/{action}", body)
        assert "episode.json cannot be read (" in str(refused.value)
        assert str(refused.value).endswith("; put it back from a copy, or drop the episode")


async def test_calls_that_cannot_be_read_are_named_and_no_snapshot_of_them_is_advised(running: Farm) -> None:
    made = await running.create()
    at = f"/v1/episodes/{made['id']}"
    await running.ask("POST", f"{at}/snapshots", {"name": "before"})
    await add(running, made, "one")
    log = running.apps["toy"].store.files(made["id"]).log(0)
    log.write_bytes(log.read_bytes().replace(b'"note_add"', b'"note\x00add"'))
    await add(running, made, "two")
    await running.ask("POST", f"{at}/snapshots", {"name": "after"})

    for results in (0, 1):
        with pytest.raises(FarmError) as refused:
            await running.ask("GET", f"{at}/calls", results=results)
        assert f"app 'toy': {log} is broken in line 2 (" in str(refused.value)
        assert str(refused.value).endswith("; snapshot 'before' can be restored")
    assert len(await running.ask("GET", f"{at}/calls", app="toy", after=1)) == 1, "those after it can be read"
    await running.ask("POST", f"{at}/restore", {"snapshot": "before"})
    assert await running.ask("GET", f"{at}/calls") == []


async def test_the_trace_of_one_app_is_its_own(running: Farm) -> None:
    made = await running.create()
    await add(running, made, "one")
    await running.call(made, "parrot", "say", words="hi")
    await add(running, made, "two")

    found = await running.ask("GET", f"/v1/episodes/{made['id']}/calls", app="toy", after=1)

    assert [(each["n"], each["app"], each["call"]) for each in found] == [(2, "toy", 2)]
    with pytest.raises(FarmError, match="has no app 'fax'; it has parrot, toy"):
        await running.ask("GET", f"/v1/episodes/{made['id']}/calls", app="fax")


async def test_an_app_whose_files_cannot_be_opened_keeps_no_other_from_being_called(
    running: Farm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await running.create()
    await add(running, made, "one")
    running.apps["toy"].store.close_all()

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "toy.0.log")

    monkeypatch.setattr(running.apps["toy"].store, "_opened", refused)

    shown = await running.ask("GET", f"/v1/episodes/{made['id']}")

    told = "app 'toy': PermissionError: [Errno 13] Permission denied: 'toy.0.log'; see what 'farm doctor' says of it"
    assert (shown["broken"], shown["calls_by_app"]) == ({"toy": told}, {"parrot": 0})
    with pytest.raises(FarmError, match=re.escape(told)):
        await running.ask("GET", f"/v1/episodes/{made['id']}/diff")


async def test_an_episode_without_an_app_that_works_is_refused(running: Farm) -> None:
    made = await running.create(apps=["toy"])
    await add(running, made, "one")
    running.apps["toy"].store.close_all()
    _lose_context(running.apps["toy"].store.episodes / made["id"])

    with pytest.raises(FarmError, match=r"app 'toy': .*toy\.0\.db is missing"):
        await running.ask("GET", f"/v1/episodes/{made['id']}")
