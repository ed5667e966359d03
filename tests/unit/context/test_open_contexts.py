"""How many contexts a process holds open: what its limit of descriptors allows, over all apps and farms."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource")

_BEGIN = """
import os, resource, sys
from pathlib import Path
from farm.errors import FarmError
from farm.testing import LocalHost, LocalWorld

def allow(descriptors):
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

def new_world(host, **more):
    return LocalWorld("mini", ["lark", "slack"], host=host, **more)

def post(world, text):
    world.call("slack", "slack_post_message", channel_id="#general", text=text)

def texts(world):
    return [change["new"]["text"] for change in world.diff()["slack"]["messages"]]

def add_event(world, text):
    event = {"summary": text, "start_time": {"timestamp": "1773100000"}, "end_time": {"timestamp": "1773103600"}}
    calendar = world.call("lark", "calendar_v4_calendar_primary")["calendars"][0]["calendar"]["calendar_id"]
    world.call("lark", "calendar_v4_calendarEvent_create", path={"calendar_id": calendar}, data=event)

folder = Path(sys.argv[1])
"""
_WORLDS_OF_TWO_HOSTS = """
hosts = [LocalHost(folder / name) for name in "ab"]
worlds = [new_world(hosts[number % 2], calls_max=9) for number in range(60)]
for number, world in enumerate(worlds):
    post(world, f"post {number}")
    add_event(world, f"event {number}")
worlds[0].snapshot("s")
post(worlds[0], "later")
worlds[0].restore("s")
worlds.append(worlds[0].fork())
numbers = [*range(60), 0]
for number, world in zip(numbers, worlds, strict=True):
    assert texts(world) == [f"post {number}"]
    assert [change["new"]["summary"] for change in world.diff()["lark"]["events"]] == [f"event {number}"]
    assert len(world.calls()) == 3
# A quarter is left to whatever else the process does.
assert len(os.listdir("/proc/self/fd")) <= 96
for host in hosts:
    host.close()
"""
_WORLDS_WITHOUT_A_HOST = """
worlds = [LocalWorld("mini", ["lark", "slack"]) for number in range(140)]
for number, world in enumerate(worlds):
    assert world.url("slack")
    post(world, f"post {number}")
assert [texts(world) for world in worlds] == [[f"post {number}"] for number in range(140)]
child = os.fork()
if not child:
    for world in worlds:
        world.close()
    own = LocalWorld("mini", ["slack"])
    post(own, "child")
    sys.exit(texts(own) != ["child"])
assert os.waitpid(child, 0)[1] == 0
assert texts(worlds[1]) == ["post 1"]
"""
_WORLDS_BESIDE_FILES = """
host = LocalHost(folder)
worlds = [new_world(host) for number in range(8)]
for number, world in enumerate(worlds):
    post(world, f"post {number}")
files = [open(os.devnull) for number in range(128 - len(os.listdir("/proc/self/fd")))]
worlds += [new_world(host) for number in range(8)]
for number, world in enumerate(worlds[8:], 8):
    post(world, f"post {number}")
assert [texts(world) for world in worlds] == [[f"post {number}"] for number in range(16)]
host.close()
"""
_NO_DESCRIPTOR_LEFT = """
host = LocalHost(folder)
world = new_world(host)
files = []
try:
    while True:
        files.append(open(os.devnull))
except OSError:
    pass
for attempt in (lambda: post(world, "one"), lambda: new_world(host), lambda: world.snapshot(), LocalHost):
    try:
        attempt()
    except FarmError as error:
        print(error)
files.clear()
post(world, "two")
assert texts(world) == ["two"]
host.close()
"""
_WORLDS_WITH_SERVERS_OF_THEIR_OWN = """
import contextlib
with contextlib.ExitStack() as stack:
    worlds = [stack.enter_context(LocalWorld("mini", ["slack"], data=folder / str(number))) for number in range(40)]
    for world in worlds:
        post(world, "hi")
    try:
        for world in worlds:
            world.url("slack")
    except FarmError as error:
        print(error)
assert not [path for path in folder.glob("*/episodes/*")]
"""
_FORKED = """
import threading
host = LocalHost(folder / "parent")
world = new_world(host)
post(world, "parent")
is_held, is_over = threading.Event(), threading.Event()

def hold():
    with host.farm.lock:
        is_held.set()
        is_over.wait()

holder = threading.Thread(target=hold)
holder.start()
is_held.wait()
child = os.fork()
if not child:
    host = LocalHost(folder / "child")
    for number in range(30):
        post(new_world(host), "child")
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
is_over.set()
holder.join()
post(world, "still parent")
assert texts(world) == ["parent", "still parent"]
host.close()
"""
_MESSAGE = (
    "this process may open 128 files (`ulimit -n`), and all of them are open; raise the limit, as with "
    "`ulimit -n 4096`, close worlds, or let those with folders of their own share one LocalHost"
)
needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts descriptors in /proc")


def run(script: str, folder: Path) -> str:
    program = f"{_BEGIN}allow(128)\n{script}"
    done = subprocess.run([sys.executable, "-c", program, folder], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_proc
def test_more_worlds_live_in_a_process_than_its_descriptors_allow_open_contexts(tmp_path: Path) -> None:
    run(_WORLDS_OF_TWO_HOSTS, tmp_path)


def test_worlds_that_name_no_host_share_one_and_leave_nothing_at_exit(tmp_path: Path) -> None:
    run(f"import tempfile; tempfile.tempdir = {str(tmp_path)!r}\n{_WORLDS_WITHOUT_A_HOST}", tmp_path)

    assert list(tmp_path.iterdir()) == []


@needs_proc
def test_worlds_make_way_where_the_rest_of_the_process_has_most_descriptors(tmp_path: Path) -> None:
    run(_WORLDS_BESIDE_FILES, tmp_path)


def test_who_has_no_descriptor_left_is_told_the_limit_in_one_line_and_can_go_on_later(tmp_path: Path) -> None:
    assert run(_NO_DESCRIPTOR_LEFT, tmp_path).splitlines() == [_MESSAGE] * 4


def test_servers_beyond_the_limit_are_refused_and_their_worlds_can_be_closed(tmp_path: Path) -> None:
    assert run(_WORLDS_WITH_SERVERS_OF_THEIR_OWN, tmp_path).splitlines() == [_MESSAGE]


def test_a_forked_process_makes_worlds_of_its_own_whatever_its_parent_was_doing(tmp_path: Path) -> None:
    run(_FORKED, tmp_path)
