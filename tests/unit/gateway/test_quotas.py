"""How many episodes a farm takes, how much of the disk, and how long what has expired stays."""

from __future__ import annotations

import asyncio
import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from farm._util.sizes import disk_usage, format_size, parse_age, parse_size
from farm.errors import FarmError, QuotaExceededError
from gateway import quotas
from gateway.quotas import Quotas
from tests.unit._gateway import Gateway, refusal

APPS = ("rednote", "slack")


def ids(gateway: Gateway) -> set[str]:
    return {each["id"] for each in gateway.episodes.every()}


async def test_more_episodes_than_the_farm_takes_are_refused_with_the_way_out(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS, episodes_max=3) as gateway:
        made = [await gateway.episodes.create({}) for _ in range(3)]
        gateway.apps.asked.clear()

        asked = gateway.episodes
        for more in (lambda: asked.create({}), lambda: asked.fork(made[0]["id"], None, 1)):
            with pytest.raises(QuotaExceededError) as problem:
                await more()
            assert (problem.value.status, problem.value.code) == (507, "over_quota")
            assert "3 episodes (--episodes-max), has 3, and 1 more would be too many" in str(problem.value)
            assert "farm gc" in str(problem.value)
        assert [path for _, _, path, _ in gateway.apps.asked if not path.endswith("/verify")] == []
        assert await gateway.intents() == []

        await asked.drop(made[0]["id"])
        with pytest.raises(QuotaExceededError):
            await asked.fork(made[1]["id"], None, 2)
        await asked.fork(made[1]["id"], None, 1)
        assert len(ids(gateway)) == 4  # and the default one


async def test_episodes_that_are_asked_for_at_once_are_never_too_many(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS, episodes_max=5) as gateway:
        asked = [gateway.episodes.create({}) for _ in range(8)] + [gateway.episodes.fork("default", None, 2)]
        found = await asyncio.gather(*asked, return_exceptions=True)

        assert sum(isinstance(each, QuotaExceededError) for each in found) == len(found) - 5
        assert len(ids(gateway)) == 6
        gateway.apps.fails["slack", "create"] = refusal()
        await gateway.episodes.drop(next(iter(ids(gateway) - {"default"})))
        with pytest.raises(FarmError, match="the disk is full"):
            await gateway.episodes.create({})
        await gateway.episodes.create({})  # what failed takes no place


async def test_a_data_folder_that_takes_enough_takes_nothing_new(tmp_path: Path) -> None:
    async with Gateway(tmp_path, *APPS) as before:
        made = (await before.episodes.create({}))["id"]
    most = disk_usage(tmp_path) + (1 << 20)
    async with Gateway(tmp_path, *APPS, disk_max=most) as gateway:
        await gateway.episodes.snapshot(made, "first")
        ballast = tmp_path / "episodes" / made / "ballast"
        ballast.write_bytes(bytes(2 << 20))

        def moments_later() -> None:
            gateway.episodes._quotas._holds_until = 0.0

        moments_later()
        asked = gateway.episodes
        for more in (lambda: asked.create({}), lambda: asked.fork(made, None, 1), lambda: asked.snapshot(made, None)):
            with pytest.raises(
                QuotaExceededError, match=r"the data folder takes 2\.\d MiB, and .* \(--disk-max\); drop some"
            ):
                await more()
        await asked.reset(made)

        ballast.unlink()  # at once, and not when it is measured the next time
        await asked.snapshot(made, None)


async def test_what_has_expired_stays_for_a_while_and_the_default_episode_for_ever(tmp_path: Path) -> None:
    def ago(seconds: float) -> str:
        return (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat()

    async with Gateway(tmp_path, *APPS, expired_retention_s=60) as gateway:
        old, recent = [await gateway.episodes.create({"expires_at": ago(s)}) for s in (61, 50)]
        open_ended = await gateway.episodes.create({})
        path = tmp_path / "episodes" / "default" / "episode.json"
        path.write_text(path.read_text().replace('"expires_at": null', f'"expires_at": "{ago(1000)}"'))
        gateway.episodes._settings.clear()
        gateway.apps.fails["slack", old["id"]] = refusal("app 'slack' does not answer")

        await gateway.episodes.run_maintenance()
        assert old["id"] in ids(gateway)  # it could not be removed, and is asked again
        await gateway.episodes.run_maintenance()

        assert ids(gateway) == {"default", recent["id"], open_ended["id"]}
        assert not (tmp_path / "episodes" / old["id"]).exists()


@pytest.mark.parametrize("expires_at", ["nonsense", 7, [], "2026-01-01T00:00:00"])
async def test_an_end_that_cannot_be_read_keeps_no_other_from_being_removed(tmp_path: Path, expires_at: object) -> None:
    long_ago = (datetime.now(UTC) - timedelta(days=9)).isoformat()
    async with Gateway(tmp_path, *APPS, expired_retention_s=60) as gateway:
        spoilt, old = [(await gateway.episodes.create({"expires_at": long_ago}))["id"] for _ in range(2)]
        path = tmp_path / "episodes" / spoilt / "episode.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"expires_at": expires_at}))
        gateway.episodes._settings.clear()

        await gateway.episodes.run_maintenance()

        assert old not in gateway.registry.apps
        assert spoilt in gateway.registry.apps  # nobody knows when it ends


async def test_ten_thousand_episodes_are_looked_through_in_passing(tmp_path: Path) -> None:
    async with Gateway(tmp_path, "slack") as gateway:
        settings = gateway.episodes.settings("default")
        for number in range(10_000):
            gateway.registry.apps[f"c0-0-{number}"] = ("slack",)
            gateway.episodes._settings[f"c0-0-{number}"] = settings
        waits = []
        looking = asyncio.create_task(gateway.episodes.run_maintenance())
        while not looking.done():
            began = time.perf_counter()
            await asyncio.sleep(0)
            waits.append(time.perf_counter() - began)

        assert len(waits) > 50  # others have their turn


@pytest.mark.parametrize(
    ("text", "size"), [("1", 1), ("500MB", 500 << 20), ("2GiB", 2 << 30), ("1.5k", 1536), ("3 T", 3 << 40)]
)
def test_sizes_are_read_as_people_write_them(text: str, size: int) -> None:
    assert parse_size(text, "--disk-max") == size


@pytest.mark.parametrize("text", ["", "0", "much", "-1GB", "1e9", "5XB", "0.0001k"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(FarmError, match="--disk-max must be a size such as 500MiB or 20GiB, not"):
        parse_size(text, "--disk-max")


def test_times_and_sizes_are_shown_and_read() -> None:
    assert parse_age("7d", "--older-than") == timedelta(days=7)
    assert parse_age("0s", "--older-than") == timedelta()
    with pytest.raises(FarmError, match="--older-than must be a time such as 7d, 12h or 0s, not '7 days'"):
        parse_age("7 days", "--older-than")
    assert [format_size(each) for each in (0, 1023, 1536, 5 << 20, 3 << 40)] == [
        "0 bytes",
        "1023 bytes",
        "1.5 KiB",
        "5.0 MiB",
        "3072.0 GiB",
    ]


def test_a_file_of_two_names_takes_its_place_once(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "a").write_bytes(b"x" * 100_000)
    once = disk_usage(tmp_path)
    (tmp_path / "below" / "b").hardlink_to(tmp_path / "a")

    assert disk_usage(tmp_path) == once >= 100_000


async def test_what_is_to_come_is_counted_before_it_is_there(tmp_path: Path) -> None:
    async with Gateway(tmp_path, "slack") as before:
        await before.episodes.create({})
    used = disk_usage(tmp_path)
    async with Gateway(tmp_path, "slack", disk_max=used + (10 << 20)) as gateway:
        await gateway.episodes.require_capacity(9 << 20)
        with pytest.raises(
            QuotaExceededError, match=r"the data folder takes .*, 11\.0 MiB are to come, and this farm may take"
        ):
            await gateway.episodes.require_capacity(11 << 20)
        await gateway.episodes.require_capacity(0)
    async with Gateway(tmp_path, "slack") as unlimited:
        await unlimited.episodes.require_capacity(1 << 60)


class Disk:
    """A data folder of any size, and a clock that moves when it is told to and while the folder is measured."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, used: int, *, takes_s: float = 0.0) -> None:
        self.used, self.takes_s = used, takes_s
        self.now = 1000.0
        self.measured = 0
        monkeypatch.setattr(quotas, "disk_usage", self._measure)
        monkeypatch.setattr(quotas, "time", self)

    def _measure(self, folder: Path) -> int:
        assert folder == Path("/data")
        self.measured += 1
        self.now += self.takes_s
        return self.used

    def monotonic(self) -> float:
        return self.now


async def test_a_folder_that_has_reached_its_limit_takes_nothing_and_one_a_byte_below_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disk = Disk(monkeypatch, 3 << 20)
    full = "the data folder takes 3.0 MiB, and this farm may take 3.0 MiB (--disk-max); drop some with"

    await Quotas(Path("/data"), None, disk.used + 1).require_disk()
    await Quotas(Path("/data"), None, disk.used + 1).require_disk(0)
    await Quotas(Path("/data"), None, disk.used + 1025).require_disk(1024)
    for limit, more, said in (
        (disk.used, 0, full),
        (disk.used + 1, 1, "the data folder takes 3.0 MiB, 1 bytes are to come, and this farm may take"),
        (disk.used + 1024, 1024, "the data folder takes 3.0 MiB, 1.0 KiB are to come, and this farm may take"),
    ):
        with pytest.raises(QuotaExceededError) as refused:
            await Quotas(Path("/data"), None, limit).require_disk(more)
        assert str(refused.value).startswith(said)
        assert str(refused.value).endswith("drop some with 'farm episode drop', or what is over with 'farm gc'")


async def test_a_folder_without_limit_is_never_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(monkeypatch, 1 << 60)

    await Quotas(Path("/data"), None, None).require_disk(1 << 60)

    assert disk.measured == 0


@pytest.mark.parametrize(("takes_s", "holds_s"), [(0.0, 1.0), (0.01, 1.0), (0.1, 2.0), (3.0, 60.0)])
async def test_a_measurement_holds_for_a_second_and_for_twenty_times_as_long_as_it_took(
    monkeypatch: pytest.MonkeyPatch, takes_s: float, holds_s: float
) -> None:
    disk = Disk(monkeypatch, 100, takes_s=takes_s)
    asked = Quotas(Path("/data"), None, 200)

    await asked.require_disk()
    disk.now += holds_s - 0.01
    await asked.require_disk()
    assert disk.measured == 1
    disk.now += 0.02
    await asked.require_disk()
    assert disk.measured == 2
    # Nobody is refused by an old measurement.
    disk.used = 50
    await asked.require_disk(110)
    assert disk.measured == 3


async def test_all_who_ask_at_once_share_a_measurement_that_began_after_they_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disk = Disk(monkeypatch, 100, takes_s=0.1)
    asked = Quotas(Path("/data"), None, 200)

    await asyncio.gather(*(asked.require_disk() for _ in range(10)))

    assert disk.measured < 5


def test_places_are_taken_while_episodes_are_made_and_given_back_when_that_fails() -> None:
    asked = Quotas(Path("/data"), 4, None)

    def refusal_of(quotas: Quotas, have: int, new: int) -> str:
        with pytest.raises(QuotaExceededError) as refused, quotas.episodes(have, new):
            pytest.fail("there is no place")
        return str(refused.value)

    with asked.episodes(1, 2):
        assert "takes 4 episodes (--episodes-max), has 3, and 2 more would be too many" in refusal_of(asked, 1, 2)
        with asked.episodes(1, 1):
            pass
    with pytest.raises(KeyError), asked.episodes(0, 4):
        raise KeyError
    with asked.episodes(0, 4):
        pass
    assert "takes 1 episode (--episodes-max), has 1, and 1 more" in refusal_of(Quotas(Path("/data"), 1, None), 1, 1)
    with Quotas(Path("/data"), None, None).episodes(1 << 30, 1 << 30):
        pass
