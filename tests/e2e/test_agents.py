"""Programs and functions of other people as agents: what they are told, and that nothing of them stays behind."""

from __future__ import annotations

import json
import os
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from farm._util import temp_folders
from farm.benchmark.agents import command
from farm.benchmark.agents.base import Assignment, InfrastructureError, Result, Session, TrialLimits
from farm.benchmark.agents.factory import make_agent
from farm.benchmark.agents.process_group import TailBuffer, before
from farm.context.changes import Changes
from farm.context.trace import Call
from farm.runtime.supervisor.state import is_alive
from tests.suites import parsed_suite

from .conftest import END_S_MAX, until

pytestmark = pytest.mark.e2e

TASK = parsed_suite("demo").task("slack-boards-rate")
# Whoever waited for what hangs would do so for longer than any machine takes for what it has to do.
HANGS_S = 3600
DEADLINE = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)
linux = pytest.mark.skipif(sys.platform != "linux", reason="what leaves its session is only found on Linux")


class NoEpisode:
    """An episode that nobody calls."""

    id, now = "none", "2026-03-09T01:00:00+00:00"
    token: str | None = "secret"
    apps: Sequence[str] = ("slack",)
    urls: Mapping[str, str] = {"slack": "http://127.0.0.1:9/mcp/none/slack"}

    def tools(self, app: str) -> list[dict[str, Any]]:
        raise NotImplementedError

    def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def changes(self) -> Changes:
        raise NotImplementedError

    def calls(self) -> list[Call]:
        return []

    def move_clock(self, **move: Any) -> list[dict[str, Any]]:
        raise NotImplementedError

    def over_limit(self) -> int:
        raise NotImplementedError

    def fork(self) -> Session:
        raise NotImplementedError

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for what is temporary, so that a test sees what stays of it."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], str]:
    """Return the wish for an agent that is a Python script."""

    def make(text: str) -> str:
        path = tmp_path / "agent.py"
        path.write_text(textwrap.dedent(text))
        return f"command:{shlex.quote(sys.executable)} {shlex.quote(str(path))}"

    return make


def job(instruction: str = "Do it.", **limits: Any) -> Assignment:
    return Assignment(TASK, "You are.", instruction, NoEpisode(), TrialLimits(7, deadline=DEADLINE, **limits), "trial1")


def play(wish: str, given: Assignment | None = None) -> Result:
    return make_agent(wish).play(given or job())


def printed(result: Result) -> Mapping[str, Any]:
    return result.transcript[0]


# -- what ends with a trial ------------------------------------------------------------------------------------------

# Leaves its session, its parent and its environment, as a daemon does, and says who it is before it does nothing more.
DAEMON = """
    import os, sys, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            line = "echo $$ > {pid}.new; mv {pid}.new {pid}; exec sleep 3600"
            os.execve("/bin/sh", ["sh", "-c", line], {{"PATH": "/usr/bin:/bin"}})
        os._exit(0)
    while not os.path.exists("{pid}"):
        time.sleep(0.01)
    {then}
"""


@linux
@pytest.mark.parametrize(
    ("then", "ended"), [("print('done')", "answered"), (f"time.sleep({HANGS_S})", "time"), ("sys.exit(3)", "failed")]
)
def test_a_daemon_ends_with_the_trial_that_started_it(
    script: Callable[[str], str], tmp_path: Path, place: Path, then: str, ended: str
) -> None:
    pid = tmp_path / "pid"

    # Its time is over in one case only, and there not before the daemon is there.
    for time_s_max in (2, 10, 60) if ended == "time" else (300,):
        result = play(script(DAEMON.format(pid=pid, then=then)), job(time_s_max=time_s_max))
        if pid.exists():
            break

    assert result.ended == ended
    assert not is_alive(int(pid.read_text()))
    assert list(place.iterdir()) == []


@linux
def test_an_agent_that_kills_who_watches_over_it_is_ended_all_the_same(
    script: Callable[[str], str], tmp_path: Path
) -> None:
    pid = tmp_path / "pid"
    kill = "open({pid!r}, 'w').write(str(os.getpid())); os.kill(os.getppid(), 9); time.sleep(3600)"

    result = play(script(f"import os, time\n{kill.format(pid=str(pid))}"))

    assert (result.ended, printed(result)["status"]) == ("failed", None)
    # It was killed, and has lost its memory, by which it was found, a moment before it is gone.
    until(lambda: not is_alive(int(pid.read_text())), "the agent's end")


@linux
def test_a_cancelled_trial_ends_at_once_with_all_it_started(
    script: Callable[[str], str], tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_LATE_S_MAX", HANGS_S)
    pid = tmp_path / "pid"
    given = job()
    thread = threading.Thread(target=lambda: play(script(DAEMON.format(pid=pid, then=f"time.sleep({HANGS_S})")), given))
    thread.start()
    until(pid.exists, "a daemon")

    given.cancelled.set()
    thread.join(END_S_MAX)

    assert not thread.is_alive()
    assert not is_alive(int(pid.read_text()))
    assert list(place.iterdir()) == []


@linux
def test_what_a_killed_run_leaves_ends_by_itself_or_is_removed_by_the_next(
    script: Callable[[str], str], tmp_path: Path, place: Path
) -> None:
    pid = tmp_path / "pid"
    wish = script(DAEMON.format(pid=pid, then=f"time.sleep({HANGS_S})"))
    code = (
        f"import tempfile; tempfile.tempdir = {str(place)!r}\n"
        f"from tests.e2e.test_agents import job, play; play({wish!r}, job())"
    )
    runner = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2])
    until(pid.exists, "a daemon")
    (folder,) = place.iterdir()
    assert temp_folders.sweep() == []

    runner.kill()
    runner.wait()
    until(lambda: not is_alive(int(pid.read_text())), "the daemon's end")

    assert temp_folders.sweep() == [folder]
    assert list(place.iterdir()) == []


@linux
def test_processes_that_carry_the_mark_of_a_dead_runs_folder_are_ended_by_the_next_run(place: Path) -> None:
    folder, lock = temp_folders.made("farm-run-")
    os.close(lock)  # as the end of its owner does
    left = subprocess.Popen(["sleep", str(HANGS_S)], env={**os.environ, temp_folders.VARIABLE: str(folder)})
    other = subprocess.Popen(["sleep", str(HANGS_S)], env={**os.environ, temp_folders.VARIABLE: f"{folder}2"})
    try:
        assert temp_folders.sweep() == [folder]

        assert left.wait(END_S_MAX) == -signal.SIGKILL
        assert other.poll() is None
        assert not folder.exists()
    finally:
        for each in (left, other):
            each.kill()
            each.wait()


@linux
def test_a_process_that_has_lost_the_mark_is_ended_with_the_one_that_started_it(place: Path) -> None:
    # As Ray's agents do, which write their titles over their variables.
    line = f"env -u {temp_folders.VARIABLE} sleep {HANGS_S} & echo $!; wait"
    with temp_folders.scratch("farm-run-") as folder:
        variables = {**os.environ, temp_folders.VARIABLE: str(folder)}
        shell = subprocess.Popen(["sh", "-c", line], env=variables, stdout=subprocess.PIPE, text=True)
        assert shell.stdout
        child = int(shell.stdout.readline())
        until(lambda: child not in temp_folders.marked(folder), "env has become sleep")
    shell.stdout.close()

    assert shell.wait(END_S_MAX) == -signal.SIGKILL
    until(lambda: not is_alive(child), "the child has ended")


def test_a_folder_that_somebody_uses_or_nobody_marked_is_left_alone(place: Path) -> None:
    (place / "farm-of-mine").mkdir()
    (place / "farm-of-mine" / "owner").write_text("me\n")
    with temp_folders.scratch("farm-run-") as folder:
        assert temp_folders.sweep() == []
        assert folder.exists()

    assert [path.name for path in place.iterdir()] == ["farm-of-mine"]


def test_a_folder_that_another_run_looks_at_before_it_is_marked_does_not_stay(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, take = [False, True], temp_folders._take
    monkeypatch.setattr(temp_folders, "_take", lambda lock: taken.pop(0) if taken else take(lock))

    with temp_folders.scratch("farm-run-") as folder:
        assert list(place.iterdir()) == [folder]

    assert taken == []
    assert list(place.iterdir()) == []


def test_a_folder_that_an_agent_has_closed_goes_all_the_same(place: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir(mode=0o500)
    with temp_folders.scratch("farm-run-") as folder:
        (folder / "closed" / "deeper").mkdir(parents=True)
        (folder / "closed" / "deeper" / "file").touch()
        (folder / "closed" / "deeper").chmod(0o000)
        (folder / "closed").chmod(0o000)
        (folder / "link").symlink_to(other)

    assert list(place.iterdir()) == []
    assert other.stat().st_mode & 0o777 == 0o500
    other.chmod(0o700)


# -- what is printed -------------------------------------------------------------------------------------------------


def test_three_hundred_megabytes_of_output_stay_small_on_disk_and_in_memory(
    script: Callable[[str], str], tmp_path: Path
) -> None:
    sizes = tmp_path / "sizes"
    text = f"""
        import os, sys
        for _ in range(300):
            sys.stdout.buffer.write(b"x" * 99 + b"\\n" + b"y" * (1 << 20))
        sys.stdout.flush()
        outer = os.path.dirname(os.environ["HOME"])
        kept = [each.stat().st_size for each in os.scandir(outer) if each.name.startswith("stdout")]
        open({str(sizes)!r}, "w").write(str(sum(kept)))
        print('\\n{{"answer": "the end"}}')
    """
    before_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    result = play(script(text))

    assert result.answer == "the end"
    assert printed(result)["printed_bytes"]["stdout"] > 300 << 20
    assert int(sizes.read_text()) <= 8 << 20
    assert len(printed(result)["stdout"]) <= 200_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kib < 100 << 10


def test_a_kept_file_holds_the_end_of_what_was_written(tmp_path: Path) -> None:
    kept = TailBuffer(tmp_path / "out", 10)

    for letter in b"abcdefghijklmnopq":
        kept.write(bytes([letter]))
    kept.write(b"0123456789AB")
    kept.close()

    held = before(tmp_path / "out").read_bytes() + (tmp_path / "out").read_bytes()
    assert b"abcdefghijklmnopq0123456789AB".endswith(held)
    assert 5 <= len(held) <= 10
    assert kept.total == 29


@pytest.mark.parametrize("what", ["os.mkfifo(path)", "os.symlink('/dev/zero', path)", "os.mkdir(path)", "pass"])
@pytest.mark.parametrize("printed", [1, 5 << 20])
def test_what_a_program_makes_of_the_file_of_its_output_holds_nobody_up(
    script: Callable[[str], str], what: str, printed: int
) -> None:
    path = "os.path.join(os.environ['HOME'], '..', 'stdout')"

    result = play(script(f"import os\npath = {path}\nos.remove(path)\n{what}\nprint('x' * {printed})"))

    assert result.ended == "answered"
    assert set(result.answer) <= {"x"}


def test_a_program_that_crashes_says_how_and_why(script: Callable[[str], str]) -> None:
    result = play(script("import sys\nprint('half an answer')\nraise KeyError('oops')"))

    assert result.ended == "failed"
    assert printed(result)["status"] == 1
    assert printed(result)["stderr"].endswith("KeyError: 'oops'\n")


def test_a_program_is_told_its_limits_and_given_a_room_of_its_own(script: Callable[[str], str]) -> None:
    text = """
        import json, os, sys
        told = {name: value for name, value in os.environ.items() if name.startswith("FARM_")}
        is_home = os.getcwd() == os.environ["HOME"]
        print(json.dumps({"answer": json.dumps([told, is_home, os.listdir(), sys.stdin.read()])}))
    """

    told, is_home, files, prompt = json.loads(play(script(text), job("Say {prompt}.")).answer)

    assert (told["FARM_CALLS_MAX"], told["FARM_TRIAL"], told["FARM_INSTRUCTION"]) == ("7", "trial1", "Say {prompt}.")
    assert told["FARM_DEADLINE"] == "2030-01-02T03:04:05+00:00"
    assert (is_home, files, prompt) == (True, [], "You are.\n\nSay {prompt}.\n")


def test_what_stands_in_braces_in_an_instruction_is_left_as_it_is() -> None:
    assert play("command:echo {instruction}", job("Use {config} and {prompt}.")).answer == "Use {config} and {prompt}."


def test_a_file_is_found_from_where_the_run_was_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.sh").write_text("echo mine\n")
    monkeypatch.chdir(tmp_path)

    assert play("command:sh mine.sh").answer == "mine"


def test_a_program_that_cannot_be_started_is_not_the_agents_failure(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)

    with pytest.raises(InfrastructureError, match="cannot be started: No such file"):
        play(f"command:{broken}")


# -- functions -------------------------------------------------------------------------------------------------------


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    """Return the wish for an agent that is a function."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(body: str) -> str:
        (tmp_path / "an_agent.py").write_text(f"import sys, time\ndef play(job):\n    {body}\n")
        return "python:an_agent:play"

    yield make
    sys.modules.pop("an_agent", None)


def test_a_function_is_told_its_limits(module: Callable[[str], str]) -> None:
    answer = play(module("return str(job)")).answer

    for expected in (
        "'calls_max': 7",
        "'trial': 'trial1'",
        "'deadline': '2030-01-02T03:04:05+00:00'",
        "'token': 'secret'",
    ):
        assert expected in answer


def test_a_function_that_hangs_is_left_alone_when_its_time_is_over(module: Callable[[str], str]) -> None:
    result = play(module(f"time.sleep({HANGS_S})"), job(time_s_max=0.2))

    assert result.ended == "time"


def test_turns_that_are_none_are_the_functions_mistake(module: Callable[[str], str]) -> None:
    good = play(module("return {'answer': 'x', 'turns': [[('slack', 'slack_get_users', {})]]}"))
    sys.modules.pop("an_agent")
    bad = play(module("return {'answer': 'x', 'turns': ['slack_get_users']}"))

    assert (good.ended, good.turns) == ("answered", ([("slack", "slack_get_users", {})],))
    assert bad.ended == "failed"


def test_a_function_that_would_end_the_process_ends_its_trial(module: Callable[[str], str]) -> None:
    result = play(module("sys.exit('enough')"))

    assert result.ended == "failed"
    assert "SystemExit: enough" in printed(result)["stderr"]
