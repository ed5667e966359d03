"""What an import ends with: verified files become an episode in one step, or stay where they are."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from farm.errors import FarmError, NotFoundError, QuotaExceededError
from farm.runtime.maintenance.gc import collect
from gateway.registry import UnwritableRegistryError
from tests.kill_steps import killed_at, step
from tests.unit._gateway import Gateway, Killed

FILES = {"slack.0.db": b"rows", "slack.0.log": b'{"log":1,"parts":[["slack.part0.log",5]],"calls":2}\n'}
FILES |= {"slack.part0.log": b"calls", "rednote.0.db": b"rows", "rednote.0.log": b'{"log":1,"parts":[],"calls":0}\n'}
WISHES = {"apps": ["slack", "rednote"], "calls_max": 9}


def brought(data: Path, name: str = "one-1", **beside: bytes) -> Path:
    folder = data / "imports" / name
    folder.mkdir(parents=True)
    for file, content in (FILES | beside).items():
        (folder / file).write_bytes(content)
    return folder


def gateway(data: Path, **options: Any) -> Gateway:
    return Gateway(data, "slack", "rednote", **options)


def held(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}


def own(gateway: Gateway) -> list[str]:
    return [each["id"] for each in gateway.episodes.every() if each["id"] != "default"]


async def test_brought_files_are_an_episode_and_nothing_is_left_of_the_folder(tmp_path: Path) -> None:
    async with gateway(tmp_path) as farm:
        folder = brought(tmp_path)
        made = await farm.episodes.import_episode("one-1", WISHES, 0)

        assert not folder.exists()
        here = held(tmp_path / "episodes" / made["id"])
        assert {name: here[name] for name in FILES} == FILES
        assert set(here) - set(FILES) == {"episode.json", "calls"}
        assert json.loads(here["episode.json"])["id"] == made["id"]
        # It is counted from where it was: rednote none, slack two.
        assert here["calls"][:16] == (0).to_bytes(8, "little") + (2).to_bytes(8, "little")
        assert await farm.intents() == []
        with pytest.raises(
            NotFoundError, match=r"no folder .*/imports/one-1; name this farm's own data folder with --data"
        ):
            await farm.episodes.import_episode("one-1", WISHES, 0)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "slack.0.log").unlink(), "has no context and log of slack"),
        (lambda folder: (folder / "slack.0.log").write_bytes(b"[]"), "slack.0.log does not begin as a call log"),
        (
            lambda folder: (folder / "slack.0.log").write_bytes(b'{"log":1,"parts":[],"calls":1e300}\n'),
            "slack.0.log does not begin as a call log",
        ),
        (lambda folder: (folder / "passwd").symlink_to("/etc/passwd"), "has passwd, which no episode of"),
        (lambda folder: (folder / "lark.0.db").touch(), "has lark.0.db, which no episode of"),
        (lambda folder: (folder / "snapshots").mkdir(), "has snapshots, which no episode of"),
        (
            lambda folder: ((folder / "slack.0.db").unlink(), (folder / "slack.0.db").symlink_to("/etc/passwd")),
            "has no context and log of slack",
        ),
    ],
    ids=["no log", "no log that can be read", "no count", "a link", "another app", "a folder", "a link for a context"],
)
async def test_what_is_no_episode_stays_where_it_is(
    tmp_path: Path, spoil: Callable[[Path], object], message: str
) -> None:
    async with gateway(tmp_path) as farm:
        folder = brought(tmp_path)
        spoil(folder)
        before = sorted(path.name for path in folder.iterdir())

        with pytest.raises(FarmError) as refused:
            await farm.episodes.import_episode("one-1", WISHES, 0)

        assert message in str(refused.value)
        assert sorted(path.name for path in folder.iterdir()) == before
        assert own(farm) == []
        assert {path.name for path in (tmp_path / "episodes").iterdir()} == {"default"}
        assert await farm.intents() == []


async def test_what_the_farm_has_no_place_for_stays_and_is_taken_when_it_has(tmp_path: Path) -> None:
    async with gateway(tmp_path, episodes_max=1) as farm:
        folder = brought(tmp_path)
        other = (await farm.episodes.create({}))["id"]
        with pytest.raises(QuotaExceededError):
            await farm.episodes.import_episode("one-1", WISHES, 0)
        assert held(folder) == FILES

        await farm.episodes.drop(other)
        made = await farm.episodes.import_episode("one-1", WISHES, 0)
        assert own(farm) == [made["id"]]


async def test_a_registry_that_cannot_be_written_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with gateway(tmp_path) as farm:
        folder = brought(tmp_path)

        async def full(*_: object, **__: object) -> None:
            raise UnwritableRegistryError("the disk is full")

        with monkeypatch.context() as broken:
            broken.setattr(farm.registry, "add_episodes", full)
            with pytest.raises(FarmError, match="the disk is full"):
                await farm.episodes.import_episode("one-1", WISHES, 0)

        assert held(folder) == FILES
        assert await farm.intents() == []
        assert own(farm) == []
        assert len({path.name for path in (tmp_path / "episodes").iterdir()}) == 1
        await farm.episodes.import_episode("one-1", WISHES, 0)


async def test_of_two_who_bring_one_folder_at_once_one_has_it(tmp_path: Path) -> None:
    async with gateway(tmp_path) as farm:
        brought(tmp_path)
        asked = (farm.episodes.import_episode("one-1", WISHES, 0) for _ in range(4))
        found = await asyncio.gather(*asked, return_exceptions=True)

        (made,) = [each for each in found if not isinstance(each, BaseException)]
        assert {type(each) for each in found if isinstance(each, BaseException)} == {NotFoundError}
        assert own(farm) == [made["id"]]
        assert set(FILES) < set(held(tmp_path / "episodes" / made["id"]))
        assert {path.name for path in (tmp_path / "episodes").iterdir()} == {"default", made["id"]}
        assert await farm.intents() == []


async def test_a_gateway_killed_at_any_step_leaves_the_whole_episode_or_all_that_was_brought(tmp_path: Path) -> None:
    def kill() -> None:
        raise Killed

    outcomes = []
    for number in range(100):
        data = tmp_path / str(number)
        data.mkdir()
        farm = gateway(data)
        await farm.episodes.load()
        await farm.episodes.recover()
        folder = brought(data)
        for name in ("intend", "add_episodes"):  # what the database does counts as a step before and one after
            setattr(farm.registry, name, _stepping(getattr(farm.registry, name)))
        with killed_at(number, data, kill) as was_killed, suppress(Killed):
            await farm.episodes.import_episode("one-1", WISHES, 0)
        await farm.registry.close()
        if not was_killed():
            break

        async with gateway(data) as again:
            outcomes.append(bool(own(again)))
            if not own(again):
                assert {name: content for name, content in held(folder).items() if name in FILES} == FILES
                await again.episodes.import_episode("one-1", WISHES, 0)
            (made,) = own(again)
            assert {path.name for path in (data / "episodes").iterdir()} == {"default", made}
            assert set(held(data / "episodes" / made)) == {*FILES, "episode.json", "calls"}
            assert not folder.exists()
            assert await again.intents() == []
        assert collect(data, timedelta(0), datetime.now(UTC) + timedelta(days=1), is_dry=True) == []
    assert len(outcomes) > 6
    assert outcomes == sorted(outcomes)  # none, up to the step that makes it one
    assert outcomes[-1]


def _stepping(function: Callable[..., Any]) -> Callable[..., Any]:
    async def stepped(*arguments: Any, **more: Any) -> Any:
        step()
        done = await function(*arguments, **more)
        step()
        return done

    return stepped


async def test_a_folder_that_is_brought_once_more_already_is_not_overwritten(tmp_path: Path) -> None:
    async with gateway(tmp_path) as farm:
        intent_id = await farm.registry.intend("import", "c0-0-half", folder="one-1")
        half = tmp_path / "episodes" / "c0-0-half"
        os.renames(brought(tmp_path), half)
        folder = brought(tmp_path)
        (folder / "slack.0.db").unlink()  # not fetched yet

    async with gateway(tmp_path) as again:
        assert intent_id
        assert not half.exists()
        assert "slack.0.db" not in held(folder)
        assert await again.intents() == []
