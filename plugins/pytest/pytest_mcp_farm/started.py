"""A farm that the plugin starts with the command ``farm``: one a session, for all workers."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from pytest_mcp_farm.errors import McpFarmError
from pytest_mcp_farm.wire import WorldFarm

_FARM = ("up", "--ephemeral")
_LOCK = "mcp-farm.lock"
_START_S_MAX = 90.0
_END_S_MAX = 15.0
_INSTALL = (
    "install mcp-farm beside the tests, set MCP_FARM_URL, or name the command that starts one in mcp_farm_command"
)

__tracebackhide__ = True  # pytest shows a problem at the test's own line


class StartedFarm(WorldFarm):
    """The farm of this session. It ends when no process holds the other end of its standard input."""

    def __init__(self, command: Sequence[str], shared: Path | None, apps: str | None = None) -> None:
        """Start a farm, or join the one that another worker has started.

        Args:
            command: the command that starts ``farm``.
            shared: a folder that all workers of the session share; None if this is the only one.
            apps: the apps that it runs, with commas; None for all.
        """
        self._up = _FARM if apps is None else (*_FARM, "--apps", apps)
        self._process: subprocess.Popen[bytes] | None = None
        self._held: list[int] = []
        self._shared = shared
        said = self._alone(command) if shared is None or not hasattr(os, "mkfifo") else self._join(command, shared)
        try:
            super().__init__(said["url"], said["token"])
        except McpFarmError:
            self._let_go()
            raise
        self.http.remedy = "the farm that this session has started is gone; run the tests again"
        self.where = f"the farm started with '{' '.join(command)}'"

    def _alone(self, command: Sequence[str]) -> dict[str, str]:
        self._process, said = start(command, self._up, "farm", subprocess.PIPE)
        return said

    def _join(self, command: Sequence[str], shared: Path) -> dict[str, str]:
        """Hold the pipe that keeps the farm alive; the first worker creates the pipe and the farm.

        The operating system closes the pipe for a worker that crashes. So the farm survives each worker, but not the
        session.
        """
        with _locked(shared / _LOCK):
            pipe, told = shared / "mcp-farm.pipe", shared / "mcp-farm.json"
            if self._hold(shared) and told.is_file():
                with suppress(OSError):  # no process reads any more: the farm has ended
                    self._held.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
                    said: dict[str, str] = json.loads(told.read_text("utf-8"))
                    return said
            pipe.unlink(missing_ok=True)
            os.mkfifo(pipe, 0o600)
            reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
            self._held.append(os.open(pipe, os.O_WRONLY))
            os.set_blocking(reading, True)
            try:
                process, said = start(command, self._up, "farm", reading)
            except McpFarmError:
                self._close_held()
                raise
            finally:
                os.close(reading)
            process.returncode = 0  # the farm stays as long as any worker; this one must not wait for it
            told.touch(0o600)
            told.write_text(json.dumps(said), "utf-8")
            return said

    def _hold(self, shared: Path) -> bool:
        """Hold the farm for this worker; return whether another worker holds it. A farm without holders is ending."""
        import fcntl

        self._held = [os.open(shared / "mcp-farm.held", os.O_WRONLY | os.O_CREAT, 0o600)]
        is_held = False
        try:
            fcntl.flock(self._held[0], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            is_held = True
        fcntl.flock(self._held[0], fcntl.LOCK_SH)
        return is_held

    def _close_held(self) -> None:
        while self._held:
            os.close(self._held.pop())

    def _let_go(self) -> None:
        if self._held:
            assert self._shared is not None
            with ExitStack() as stack:
                with suppress(FileNotFoundError):  # removed meanwhile
                    stack.enter_context(_locked(self._shared / _LOCK))  # no worker can join while the farm is released
                self._close_held()
        process, self._process = self._process, None
        if process is not None:
            end(process)

    def close(self) -> None:
        """Release the farm; it ends with its last holder."""
        super().close()
        self._let_go()


def start(
    command: Sequence[str], arguments: Sequence[str], what: str, stdin: int
) -> tuple[subprocess.Popen[bytes], dict[str, str]]:
    """Start a command of a farm that runs while its standard input is open; return it with the values it prints.

    Args:
        what: its name in messages.
    """
    shown = " ".join(command)
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                [*command, *arguments],
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as problem:
            raise McpFarmError(
                f"no farm can be had: '{shown}' cannot be run ({problem.strerror}); {_INSTALL}"
            ) from None
        assert process.stdout is not None
        giving_up = threading.Timer(_START_S_MAX, process.kill)
        giving_up.start()
        line = process.stdout.readline()
        giving_up.cancel()
        process.stdout.close()
        try:
            said: dict[str, str] = json.loads(line)
        except ValueError:
            process.kill()
            process.wait()
            if process.stdin is not None:
                process.stdin.close()
            errors.seek(0)
            told = [each for each in errors.read().decode(errors="replace").splitlines() if each.strip(" ╭╮╰╯─│")]
            why = told[-1].strip(" │") if told else f"it ended with status {process.returncode}"
            raise McpFarmError(f"'{shown} {' '.join(arguments)}' starts no {what}: {why}; {_INSTALL}") from None
    return process, said


def end(process: subprocess.Popen[bytes]) -> None:
    """Stop a process by closing its standard input, and wait for it."""
    if process.stdin is None:
        return
    process.stdin.close()
    try:
        process.wait(_END_S_MAX)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    import fcntl

    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
