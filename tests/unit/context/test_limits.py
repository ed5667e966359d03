"""An episode's limits: one count over all its apps, whichever process they are in and however it ends."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm.content import load_app
from farm.context.limits import CallCount
from farm.context.log import CallLog
from farm.context.settings import Settings
from farm.context.store import Store
from farm.server.pipeline import Outcome, call

APPS = ("rednote", "slack", "wecom")
TOOLS = {"rednote": "search_notes", "slack": "slack_list_channels", "wecom": "send_text"}
NOW = "2026-03-09T09:00:00+08:00"
FAR, PAST = "2999-01-01T00:00:00+00:00", "2020-01-01T00:00:00+00:00"


class Farm:
    """Several apps of one data folder, each with a store of its own as it would have in its own process."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.stores = {app: Store(load_app(app), data) for app in APPS}
        self._processes: list[subprocess.Popen[str]] = []

    def make(self, episode: str = "ep", **options: Any) -> None:
        self.folder(Settings(episode, None, APPS, now=NOW, **options))
        for store in self.stores.values():
            store.create(episode)

    def folder(self, settings: Settings) -> None:
        folder = self.data / "episodes" / settings.id
        folder.mkdir(parents=True)
        settings.save(folder)

    def restart(self, app: str) -> None:
        """Let go of an app's store as a killed process does: without closing anything in order."""
        self.stores[app] = Store(load_app(app), self.data)

    def start(self, app: str, tries: int, dies_at: int = -1) -> subprocess.Popen[str]:
        """Start a process of an app that waits for a line and then calls."""
        command = [sys.executable, "-c", WORKER, str(self.data), app, TOOLS[app], str(tries), str(dies_at)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._processes.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    def close(self) -> None:
        for store in self.stores.values():
            store.close_all()
        for process in self._processes:
            with process:
                process.kill()

    def call(self, app: str, episode: str = "ep", tool: str | None = None, **arguments: Any) -> Outcome:
        return call(self.stores[app].open(episode), tool or TOOLS[app], arguments)

    def logged(self, episode: str = "ep") -> int:
        return sum(len(store.calls(episode)) for store in self.stores.values())

    def left(self, episode: str = "ep") -> int:
        """Make calls until one is over the limit and return how many there were."""
        before = self.logged(episode)
        while not is_over(self.call("slack", episode)):
            assert self.logged(episode) - before < 100
        return self.logged(episode) - before


def is_over(outcome: Outcome) -> bool:
    return b"for this task is reached" in outcome.result


@pytest.fixture
def farm(tmp_path: Path) -> Iterator[Farm]:
    made = Farm(tmp_path)
    yield made
    made.close()


# -- what counts ----------------------------------------------------------------------------------------------------


def test_calls_of_all_apps_count_together_and_what_comes_after_is_refused_in_words(farm: Farm) -> None:
    farm.make(calls_max=3)
    for app in APPS:
        assert not is_over(farm.call(app))

    over = farm.call("slack")

    said = {
        "type": "text",
        "text": "Refused: the limit of 3 calls for this task is reached. "
        "This call was not made and nothing has changed; every further call is refused as well.",
    }
    assert orjson.loads(over.result) == {"content": [said], "isError": True}
    assert (over.refused, over.wrote, over.is_protocol_error) == (True, False, False)
    assert all(is_over(farm.call(app)) for app in APPS)
    assert farm.logged() == 3


def test_a_refused_call_counts_whoever_refuses_it(farm: Farm) -> None:
    farm.make(calls_max=4)

    unknown = farm.call("slack", tool="slack_no_such_tool")
    misfit = farm.call("slack", tool="slack_get_channel_history", limit="many")
    vendors = farm.call("slack", tool="slack_get_channel_history", channel_id="C0NOSUCHONE")

    assert [each.refused for each in (unknown, misfit, vendors)] == [True, True, True]
    assert farm.left() == 1


def test_a_write_beyond_the_limit_changes_nothing(farm: Farm) -> None:
    farm.make(calls_max=1)
    farm.stores["slack"].open("ep").connection.execute("INSERT INTO teams (id, name, domain) VALUES ('T1', 'T', 't')")
    farm.call("rednote")

    assert is_over(farm.call("slack", tool="slack_post_message", channel_id="C1", text="late"))

    assert farm.stores["slack"].calls("ep") == []


def test_without_a_limit_nothing_is_counted_and_nothing_kept(farm: Farm) -> None:
    farm.make()

    assert not any(is_over(farm.call(app)) for app in APPS * 20)

    assert not (farm.data / "episodes" / "ep" / "calls").exists()
    assert farm.stores["slack"].open("ep").limits is None


def test_a_call_that_could_not_be_logged_does_not_count(farm: Farm, monkeypatch: pytest.MonkeyPatch) -> None:
    farm.make(calls_max=2)

    def full(log: CallLog, line: bytes) -> None:
        raise OSError("no space left on device")

    farm.call("rednote")
    farm.stores["slack"].open("ep")
    with monkeypatch.context() as patch:
        patch.setattr(CallLog, "append", full)
        assert b"could not be recorded" in farm.call("slack").result

    assert not is_over(farm.call("slack"))
    assert is_over(farm.call("slack"))


def test_a_count_that_the_disk_has_no_room_for_fails_with_the_episode_and_not_with_a_call(
    farm: Farm, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "no space left on device")

    farm.folder(Settings("ep", None, APPS, now=NOW, calls_max=2))
    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        with pytest.raises(OSError, match="no space left"):
            farm.stores["slack"].create("ep")
    assert farm.stores["slack"].files("ep").newest() is None

    for store in farm.stores.values():
        store.create("ep")
    # Not one byte is a hole of the file, which a call could find no room for.
    assert os.stat(farm.data / "episodes" / "ep" / "calls").st_blocks > 0
    assert farm.left() == 2


def test_after_its_time_an_episode_refuses_every_call(farm: Farm) -> None:
    farm.make("late", expires_at=PAST, calls_max=5)
    farm.make("young", expires_at=FAR)

    over = farm.call("slack", "late")

    assert orjson.loads(over.result)["content"][0]["text"].startswith("Refused: the time for this task is over. This")
    assert orjson.loads(over.result)["isError"] is True
    assert not farm.call("slack", "young").refused
    assert farm.logged("late") == 0


# -- reset, restore, fork -------------------------------------------------------------------------------------------


def test_a_reset_begins_the_count_anew_though_an_app_has_nothing_open(farm: Farm) -> None:
    farm.make(calls_max=3)
    for app in APPS:
        farm.call(app)
    assert is_over(farm.call("wecom"))
    farm.stores["rednote"].close("ep")

    for store in farm.stores.values():
        store.reset("ep")

    assert farm.stores["wecom"].open("ep").limits.refused == 0  # type: ignore[union-attr]
    assert farm.left() == 3


def test_a_restore_goes_back_to_the_count_of_the_snapshot(farm: Farm) -> None:
    farm.make(calls_max=5)
    farm.call("slack")
    farm.call("rednote")
    for store in farm.stores.values():
        store.snapshot("ep", "s")
    assert farm.left() == 3

    for store in farm.stores.values():
        store.restore("ep", "s")

    assert farm.left() == 3


@pytest.mark.parametrize(("snapshot", "left"), [(None, 2), ("s", 4)])
def test_a_fork_begins_with_the_count_of_its_original(farm: Farm, snapshot: str | None, left: int) -> None:
    farm.make(calls_max=5)
    farm.call("rednote")
    for store in farm.stores.values():
        store.snapshot("ep", "s")
    farm.call("rednote")
    farm.call("wecom")
    farm.folder(replace(farm.stores["slack"].settings("ep"), id="copy"))

    for store in farm.stores.values():
        store.fork("ep", "copy", snapshot)

    # Rednote's and WeCom's copies are not open: the count knows of their calls all the same.
    assert farm.left("copy") == left
    assert farm.left() == 2


# -- processes ------------------------------------------------------------------------------------------------------


def test_a_call_that_was_counted_when_its_process_died_is_counted_once(farm: Farm) -> None:
    farm.make(calls_max=4)
    farm.call("slack")
    count = farm.stores["slack"].open("ep").limits.count  # type: ignore[union-attr]
    assert count is not None
    assert count.take(2)

    farm.restart("slack")

    farm.call("slack")
    assert farm.logged() == 2
    assert farm.left() == 2


def test_of_several_apps_that_want_the_last_call_at_once_one_has_it(farm: Farm) -> None:
    farm.make(calls_max=2)
    settings = farm.stores["slack"].settings("ep")
    first, second, third = (CallCount(farm.stores[app].files("ep"), settings) for app in APPS)
    second.set(1)

    # The first has announced its call and not yet looked at the others when the third asks.
    first.set(1)
    refused = third.take(1)
    first.set(0)
    taken = first.take(1)

    assert (refused, taken) == (False, True)
    for each in (first, second, third):
        each.close()


# Calls one app until it is told that the limit is reached, so many times; with a third argument the process dies, as
# if by kill -9, in the middle of that call: counted, its handler run, not yet logged. Prints how many calls were made.
WORKER = """
import os, signal, sys
from pathlib import Path
from farm.content import load_app
from farm.context.log import CallLog
from farm.context.store import Store
from farm.server.pipeline import call

data, app, tool, tries, dies_at = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
context = Store(load_app(app), data).open("ep")
append, made = CallLog.append, 0

def dying(log, line):
    if made == dies_at:
        os.kill(os.getpid(), signal.SIGKILL)
    append(log, line)

CallLog.append = dying
print("ready", flush=True)
sys.stdin.readline()
for _ in range(tries):
    made += b"is reached" not in call(context, tool, {}).result
print(made, flush=True)
"""


def go(*processes: subprocess.Popen[str]) -> list[int]:
    """Let processes call at once and return how many calls each made; -1 of one that was killed."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    made = [process.communicate(timeout=60)[0] for process in processes]
    assert all(process.returncode in (0, -signal.SIGKILL) for process in processes)
    return [int(each or -1) for each in made]


@pytest.mark.parametrize("calls_max", [12, 500])
def test_apps_in_processes_of_their_own_never_take_more_than_the_limit_nor_less(farm: Farm, calls_max: int) -> None:
    farm.make(calls_max=calls_max)

    made = go(*(farm.start(app, 846) for app in APPS))

    assert sum(made) == calls_max == farm.logged()
    assert is_over(farm.call("slack"))


def test_a_process_killed_in_the_middle_of_a_call_neither_loses_nor_doubles_a_count(farm: Farm) -> None:
    farm.make(calls_max=300)

    killed, *others = go(*(farm.start(app, 60, dies_at=40 if app == "rednote" else -1) for app in APPS))

    assert (killed, others) == (-1, [60, 60])
    assert farm.logged() == 160
    (again,) = go(farm.start("rednote", 846))
    assert again == 140
    assert farm.logged() == 300
    assert is_over(farm.call("slack"))


def test_the_count_outlives_every_process(farm: Farm) -> None:
    farm.make(calls_max=20)
    go(farm.start("rednote", 9), farm.start("wecom", 8))
    for app in APPS:
        farm.restart(app)

    # Neither Rednote nor WeCom has been asked anything since.
    assert farm.left() == 3
    assert os.path.getsize(farm.data / "episodes" / "ep" / "calls") == (2 * len(APPS) + 1) * 8
