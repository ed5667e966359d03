"""Disks that are full or read-only under a running farm: nothing acknowledged is lost, and all works again."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from farm.client import FarmClient
from farm.errors import InternalError
from farm.runtime import registry_file
from tests.e2e.conftest import RunningFarm, farm_command, one_line, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="tmpfs and prlimit are Linux's"),
    pytest.mark.xdist_group("farm"),
]
StartFarm = Callable[..., RunningFarm]
APPS = "--apps=slack,rednote"


class Tmpfs:
    """A small disk of its own, which is filled to the last byte."""

    def __init__(self, path: Path, size: str = "40m") -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", str(path)],
            capture_output=True,
            check=False,
        )
        if mounted.returncode:
            pytest.skip("nobody but root may mount a disk")

    def fill(self, _: RunningFarm, but: int = 0) -> None:
        descriptor = os.open(self.path / "ballast", os.O_WRONLY | os.O_CREAT)
        try:
            os.lseek(descriptor, 0, os.SEEK_END)
            for size in (1 << 20, 4096):
                with suppress(OSError):
                    while True:
                        os.write(descriptor, b"x" * size)
            if but:
                os.ftruncate(descriptor, os.fstat(descriptor).st_size - but)
        finally:
            os.close(descriptor)

    def free(self, _: RunningFarm) -> None:
        os.truncate(self.path / "ballast", 0)

    def remount(self, how: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{how}", str(self.path)], check=True)

    def close(self) -> None:
        subprocess.run(["umount", "--lazy", str(self.path)], check=False)


class FileLimit:
    """The limit of files' sizes, where no disk can be mounted: no process of the farm can write a byte any more."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()

    def _limit(self, farm: RunningFarm, size: int) -> None:
        limited: set[int] = set()
        while unlimited := farm.pids() - limited:  # one that was killed is just coming again, perhaps
            for pid in unlimited:
                with suppress(ProcessLookupError):
                    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
            limited |= unlimited

    def fill(self, farm: RunningFarm) -> None:
        self._limit(farm, 0)

    def free(self, farm: RunningFarm) -> None:
        self._limit(farm, resource.RLIM_INFINITY)

    def close(self) -> None:
        pass


@pytest.fixture(params=[Tmpfs, FileLimit])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Tmpfs | FileLimit]:
    """A disk that can be filled."""
    made = request.param(tmp_path / "data")
    yield made
    made.close()


@pytest.fixture
def tmpfs(tmp_path: Path) -> Iterator[Callable[..., Tmpfs]]:
    """Mount a small disk: ``tmpfs(path)``."""
    mounted: list[Tmpfs] = []

    def mount(path: Path) -> Tmpfs:
        mounted.append(Tmpfs(path))
        return mounted[-1]

    yield mount
    for each in mounted:
        each.close()


class Poster:
    """Posts messages in an episode and remembers which were acknowledged."""

    def __init__(self, farm: RunningFarm, **options: Any) -> None:
        self.farm = farm
        self.episode = farm.client.create(**options)
        self.id = self.episode["id"]
        found = farm.client.rows(self.id, "slack", "channels", limit=1)
        self.channel = found["rows"][0]["id"]
        self.acknowledged: list[str] = []
        self._count = 0

    def post(self) -> dict[str, Any]:
        self._count += 1
        # Long, so that each takes pages the file has not yet: whether a short one still fits is chance.
        text = f"message {self._count} ".ljust(3_900, ".")
        answer = self.farm.call(self.episode, "slack", "slack_post_message", channel_id=self.channel, text=text)
        if "error" not in answer:
            assert not answer.get("isError"), answer
            self.acknowledged.append(text)
        return answer

    def require_all(self, client: FarmClient) -> None:
        changes = client.diff(self.id)["slack"].get("messages", [])
        assert [change["new"]["text"] for change in changes] == self.acknowledged
        calls = client.calls(self.id, results=False)
        assert [call["arguments"]["text"] for call in calls if call["wrote"]] == self.acknowledged


def refused(ask: Callable[[], object]) -> str:
    """Return what the control API refuses something with."""
    with pytest.raises(InternalError) as problem:
        ask()
    assert problem.value.status == 500
    assert "\n" not in str(problem.value)
    return str(problem.value)


def findings(farm: RunningFarm) -> list[Any]:
    """Return what the doctor finds beside the small disk and what a test has put there."""
    told = json.loads(farm_command("doctor", "--data", farm.data, "--json").stdout)["findings"]
    return [each for each in told if each["kind"] not in ("disk", "leftover")]


def test_a_full_disk_loses_nothing_and_all_works_again_with_room(
    start_farm: StartFarm, disk: Tmpfs | FileLimit, tmp_path: Path
) -> None:
    farm = start_farm(APPS, data=disk.path, log=tmp_path / "out.txt")
    slack, limited = Poster(farm), Poster(farm, calls_max=1000)
    unopened = farm.client.create(calls_max=1000)
    farm.client.snapshot(slack.id, "before")
    slack.post()
    pid = next(each.pid for each in farm.settled.apps if each.app == "slack")
    disk.fill(farm)

    told = [slack.post(), limited.post(), limited.post()]
    told += [farm.call(unopened, "slack", "slack_list_channels") for _ in range(2)]
    assert {answer["error"]["code"] for answer in told} == {-32603}
    assert not [answer for answer in told if str(farm.data) in json.dumps(answer)]
    client = farm.client
    for ask in (
        client.create,
        lambda: client.reset(slack.id),
        lambda: client.snapshot(slack.id),
        lambda: client.restore(slack.id, "before"),
        lambda: client.fork(slack.id),
    ):
        assert str(farm.data) in refused(ask)
    slack.require_all(client)
    # What cannot be opened leaves nothing open, for however long.
    open_files = len(os.listdir(f"/proc/{pid}/fd"))
    for _ in range(20):
        assert "error" in farm.call(unopened, "slack", "slack_list_channels")
    # But for the connection of somebody who asks for its health just now.
    until(lambda: len(os.listdir(f"/proc/{pid}/fd")) <= open_files, "as many open files as before")
    for ended in (pid, farm.state.gateway_pid):
        os.kill(ended, signal.SIGKILL)
    until(lambda: farm.output.count("it starts again") >= 2 or isinstance(disk, FileLimit), "two ends")
    disk.free(farm)

    until(lambda: not farm_command("status", "--data", farm.data).returncode, "a farm that answers")
    until(lambda: pid not in {each.pid for each in farm.state.apps}, "a state that is true")
    client = farm.connect()
    until(lambda: "error" not in slack.post(), "a call that is made")
    slack.post()
    limited.post()
    for each in (slack, limited):
        each.require_all(client)
    assert client.restore(slack.id, "before")["calls"] == 0
    slack.acknowledged.clear()
    assert client.reset(limited.id)["calls"] == 0
    assert client.fork(slack.id, count=2)
    assert farm.process.poll() is None
    assert findings(farm) == []
    lines = farm.output.splitlines()
    assert not [line for line in lines if "Traceback" in line]
    if isinstance(disk, Tmpfs):
        assert [line for line in lines if f"{farm.data}/episodes/{unopened['id']}/slack.0.log" in line]
        assert [line for line in lines if f"{farm.data}/registry.db cannot be written" in line]
        assert [line for line in lines if f"{farm.data}/farm.json cannot be written" in line]


def test_with_little_room_everything_is_done_whole_or_not_at_all(
    start_farm: StartFarm, tmpfs: Callable[..., Tmpfs], tmp_path: Path
) -> None:
    disk = tmpfs(tmp_path / "data")
    farm = start_farm(APPS, data=disk.path, log=tmp_path / "out.txt")
    slack = Poster(farm)
    client = farm.client
    client.snapshot(slack.id, "before")
    done = 0
    for room in (0, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024):
        for ask in (
            slack.post,
            lambda: client.create(calls_max=5),
            lambda: client.snapshot(slack.id),
            lambda: client.fork(slack.id, snapshot="before", count=2),
            lambda: client.set_clock(slack.id, advance_s=1),
        ):
            disk.fill(farm, room * 1024)
            try:
                ask()
                done += 1
            except InternalError:
                slack.require_all(client)
            disk.free(farm)
    slack.require_all(client)
    assert 0 < done < 17 * 5

    def is_tidy() -> bool:
        registered = registry_file.read(farm.data / "registry.db")
        return registered is not None and not registered.has_intents

    until(is_tidy, "nothing half done that the next gateway would finish")
    listed = {each["id"] for each in client.episodes()}
    assert listed == {path.name for path in (farm.data / "episodes").iterdir()}
    assert findings(farm) == []
    for name in [each["snapshot"] for each in client.snapshots(slack.id)]:
        client.restore(slack.id, name)
    for episode_id in listed - {"default"}:
        client.reset(episode_id)


def test_an_episode_can_be_dropped_on_a_full_disk_and_makes_room(
    start_farm: StartFarm, tmpfs: Callable[..., Tmpfs], tmp_path: Path
) -> None:
    disk = tmpfs(tmp_path / "data")
    farm = start_farm(APPS, data=disk.path, log=tmp_path / "out.txt")
    slack, other = Poster(farm), Poster(farm)
    slack.post()
    disk.fill(farm)
    assert "error" in slack.post()

    farm.client.drop(other.id)

    assert "error" not in slack.post()
    assert {each["id"] for each in farm.client.episodes()} == {"default", slack.id}
    slack.require_all(farm.client)


def test_a_disk_that_becomes_read_only_loses_nothing(
    start_farm: StartFarm, tmpfs: Callable[..., Tmpfs], tmp_path: Path
) -> None:
    # Only the episodes are on it: the kernel takes no disk read-only that has files open for writing.
    disk = tmpfs(tmp_path / "data" / "episodes")
    farm = start_farm(APPS, log=tmp_path / "out.txt")
    slack = Poster(farm)
    slack.post()
    pids = {each.pid for each in farm.settled.apps}
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    until(lambda: not pids & {each.pid for each in farm.state.apps}, "new processes")
    until(lambda: not farm_command("status", "--data", farm.data).stdout.count("not ready"), "processes that answer")
    disk.remount("ro")

    told = [slack.post(), farm.call(slack.episode, "slack", "slack_list_channels")]
    assert {answer["error"]["code"] for answer in told} == {-32603}
    assert not [answer for answer in told if str(farm.data) in json.dumps(answer)]
    client = farm.client
    for ask in (
        client.create,
        lambda: client.reset(slack.id),
        lambda: client.snapshot(slack.id),
        lambda: client.fork(slack.id),
        lambda: client.drop(slack.id),
    ):
        assert "Read-only file system" in refused(ask)
    disk.remount("rw")

    assert "error" not in slack.post()
    slack.require_all(client)
    client.drop(client.create()["id"])
    assert findings(farm) == []
    assert "Traceback" not in farm.output
    assert f"{farm.data}/episodes/{slack.id}/slack.0" in farm.output


def test_on_a_read_only_folder_no_farm_starts_and_the_doctor_says_why(
    start_farm: StartFarm, tmpfs: Callable[..., Tmpfs], tmp_path: Path
) -> None:
    disk = tmpfs(tmp_path / "data")
    farm = start_farm(APPS, data=disk.path, log=tmp_path / "out.txt")
    farm.client.create()
    farm.end()
    disk.remount("ro")

    assert one_line(farm_command("up", "--data", farm.data, "--port=0", "--operator-port=0")) == (
        f"data folder {farm.data} is not writable (Read-only file system); choose another with --data"
    )
    seen = farm_command("doctor", "--data", farm.data)
    assert seen.returncode == 1
    assert "its disk is read-only" in seen.stdout
    assert seen.stdout.count("wrong") == 1, seen.stdout
