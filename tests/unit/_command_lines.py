"""Every command that the parser knows, with wrong words for each of its parameters, played in this process.

Nothing is started, and nothing is written outside the folders of a test: an audit hook ends a command that goes that
far. What it was given has been taken then.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest
import typer

from farm.cli import COMMANDS, build, main

LONG = "9" * 5000
WRONG = ("", "雪 ☃", "-1", "nan", "99999999999999999999", "folder", "garbage", LONG)
# Options that most commands have; the same code takes them everywhere.
SHARED = {"data", "farm", "token_file", "_"}
# What the other parameters are meanwhile, by name; any other is a word.
GOOD = {
    "app": "slack",
    "suite": "one",
    "task": "slack-boards-rate",
    "task_id": "slack-boards-rate",
    "checkpoint": "rate-and-limit",
    "tool": "slack_list_channels",
    "table": "channels",
    "id_": "default",
    "client_name": "cursor",
    "agent": "oracle",
    "port": "0",
    "cell": "c0=here:1",
    "world check name": "harbor",
    "world generate name": "harbor",
    "world export name": "harbor",
    "gateway app": "slack=here:1:2",
    "front app": "c0/slack=here:1",
}
COMMAND_S_MAX = 120.0


@dataclass(frozen=True)
class Command:
    """A command of the parser's.

    Attributes:
        name: its words.
        parameters: as the parser has them; flags, which take no word, are left out.
    """

    name: str
    parameters: tuple[Any, ...]

    def line(self, tried: Any, value: str) -> list[str]:
        """Return a command line that gives one value to one parameter, and what else the command wants."""
        options, arguments = [], []
        for each in self.parameters:
            if each is not tried and not each.required:
                continue
            given = value if each is tried else GOOD.get(f"{self.name} {each.name}", GOOD.get(each.name, "word"))
            if each.param_type_name == "option":
                options.append(f"{max(each.opts, key=len)}={given}")
            else:
                arguments.append(given)
        return [*self.name.split(), *options, "--", *arguments]


def commands() -> list[Command]:
    """Return every command."""
    found = []

    def walk(name: str, command: Any) -> None:
        for word, below in getattr(command, "commands", {}).items():
            walk(f"{name} {word}", below)
        if not hasattr(command, "commands"):
            found.append(Command(name, tuple(each for each in command.params if not getattr(each, "is_flag", False))))

    for name in COMMANDS:
        walk(name, typer.main.get_command(build([name])).commands[name])  # type: ignore[attr-defined] # a group
    return found


@dataclass(frozen=True)
class Outcome:
    """How a command ended: with a status, or None where it would have begun to work."""

    status: int | None
    output: str
    errors: str


class Began(BaseException):
    """The command took what it was given."""


class TookTooLong(BaseException):
    """The command is still at it."""


def play(arguments: list[str], *folders: Path, capsys: pytest.CaptureFixture[str]) -> Outcome:
    """Run a command line in this process; whatever it raises but its end comes out of here.

    Args:
        folders: where it may write.
    """
    status: int | None = None
    with _held(*folders), warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # what is ended amid its work closes nothing
        try:
            main(arguments)
        except SystemExit as end:
            status = int(end.code or 0)
        except Began:
            pass
    said = capsys.readouterr()
    return Outcome(status, said.out, said.err)


_STARTS = {"subprocess.Popen", "os.fork", "os.posix_spawn", "os.exec", "os.system", "os.kill", "socket.bind"}
_WRITES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate"}
_own: list[str] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _own:
        return
    is_question = event == "os.kill" and arguments[1] == 0  # whether a process lives
    if event in _STARTS and not is_question:
        raise Began(event)
    is_write = event == "open" and isinstance(arguments[2], int) and bool(arguments[2] & (os.O_WRONLY | os.O_RDWR))
    if (is_write or event in _WRITES) and isinstance(arguments[0], str | bytes | os.PathLike):
        whole = os.path.abspath(os.fsdecode(arguments[0]))
        if whole != os.devnull and not any(whole.startswith(each) for each in _own):
            raise Began(f"{event} {whole}")


sys.addaudithook(_hook)  # for good, so it does nothing unless a command is being played


@contextmanager
def _held(*folders: Path) -> Iterator[None]:
    def began(*_: Any) -> NoReturn:
        raise Began("a process")

    def took_too_long(*_: Any) -> NoReturn:
        raise TookTooLong

    def ended(status: int) -> NoReturn:
        raise SystemExit(status)

    # Not by SIGALRM: an in-process call keeps its own deadline by it, once for a process.
    before = signal.signal(signal.SIGUSR1, took_too_long)
    main_thread = threading.main_thread().ident
    assert main_thread is not None
    timer = threading.Timer(COMMAND_S_MAX, signal.pthread_kill, (main_thread, signal.SIGUSR1))
    timer.daemon = True
    mask, environment = os.umask(0o022), dict(os.environ)
    with pytest.MonkeyPatch.context() as patch:
        # Processes of multiprocessing tell no audit hook.
        patch.setattr("_posixsubprocess.fork_exec", began)
        patch.setattr("os._exit", ended)
        _own.extend(str(each) for each in folders)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            signal.signal(signal.SIGUSR1, before)
            _own.clear()
            os.umask(mask)
            os.environ.clear()  # options put what they say there, for the processes that a command starts
            os.environ.update(environment)
