"""The supervisor: holds every listening socket, starts the processes behind them, restarts those that die."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import orjson

from farm import content
from farm._util.sockets import bind, connectable_host, require_writable
from farm.context.settings import DEFAULT, Settings, bearer_sha256
from farm.errors import FarmError, NotFoundError
from farm.runtime.data_format import require_format
from farm.runtime.supervisor.app_process import GATEWAY, AppProcessConfig
from farm.runtime.supervisor.child import HEALTH_EVERY_S, HEALTH_S_MAX, READY_S_MAX, SILENT_MAX, Child
from farm.runtime.supervisor.config import Config
from farm.runtime.supervisor.state import (
    MARK,
    AppState,
    DataLock,
    FarmState,
    is_alive,
    require_sound_registry,
    secret_file,
)

# One process with all imports forks the others, on systems where forking after imports is known to be safe.
FORKS = sys.platform == "linux"
# After so many ends before the farm was ever ready, another start would not help.
_DEATHS_MAX = 3
_ORPHANS_S_MAX = 5.0
_END_S_MAX = 6.0
_SAVE_AGAIN_S = 1.0
_logger = logging.getLogger("farm.runtime.supervisor")


@dataclass
class _App(Child):
    app: str = ""
    worker: int = 0
    sockets: tuple[socket.socket, socket.socket] = field(kw_only=True)

    @property
    def ports(self) -> tuple[int, int]:
        """The ports for MCP and for control."""
        return int(self.sockets[0].getsockname()[1]), int(self.sockets[1].getsockname()[1])


class Supervisor:
    """One farm on this machine."""

    def __init__(self, config: Config) -> None:
        """Lock the data folder and bind every port.

        Raises:
            FarmError: the folder or a port is not available, another farm runs there, or an app or world is unknown.
        """
        self._tools = {app: content.tool_count(app) for app in config.apps}
        if config.world is not None:
            content.world_dir(config.world)
        self.config = config
        with ExitStack() as taken:
            data = require_writable(config.data)
            self._lock = DataLock(data)
            taken.callback(self._lock.release)
            require_format(data)
            if (data / MARK).exists():
                # Imported only here: hardly any farm runs in containers.
                from farm.runtime.supervisor import docker

                docker.sweep(data)
            self._operator_token = secret_file(data / "operator.token")
            self._secret = secret_file(data / "farm.secret")
            require_sound_registry(data)
            self._guard_default(data)
            (data / "farm.json").unlink(missing_ok=True)  # of a farm that was killed
            self._agents = taken.enter_context(bind(config.host, config.port, "--port or FARM_PORT"))
            self._operators = taken.enter_context(
                bind(config.host, config.operator_port, "--operator-port or FARM_OPERATOR_PORT")
            )
            self._apps: dict[tuple[str, int], _App] = {}
            for app in config.apps:
                for worker in range(config.workers):
                    listening = taken.enter_context(bind(config.host, 0, "--host"))
                    control = taken.enter_context(bind("127.0.0.1", 0, "--host"))
                    name = f"app {app}" if config.workers == 1 else f"app {app}, worker {worker}"
                    self._apps[app, worker] = _App(name, app=app, worker=worker, sockets=(listening, control))
            self._taken = taken.pop_all()
        self._control_token = secrets.token_urlsafe(24)
        self._gateway_child, self._starter_child = Child("the gateway"), Child("the starter")
        self._gateway: asyncio.subprocess.Process | None = None
        self._starter: asyncio.subprocess.Process | None = None
        self._commands: socket.socket | None = None
        self._ending = asyncio.Event()
        self._is_ready = False
        self._is_unsaved = False
        self._broken: str | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._spawned: dict[int, asyncio.subprocess.Process] = {}

    def _guard_default(self, data: Path) -> None:
        """Make an existing default episode require a bearer or not, before it is served."""
        folder = data / "episodes" / DEFAULT
        with suppress(NotFoundError):
            settings = Settings.load(folder)
            guarded = bearer_sha256(self._secret, DEFAULT, turn=settings.token_turn)
            settings.with_bearer_of(guarded if self.config.guards_default else None, folder)

    async def run(self, on_ready: Callable[[FarmState], None]) -> None:
        """Start everything, call ``on_ready``, and monitor it until SIGTERM, SIGINT or ``end``."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            with suppress(NotImplementedError):  # Windows
                loop.add_signal_handler(number, self.end)
        try:
            for work in (self._keep_starter(),) if FORKS else (self._keep_gateway(), self._spawn_all()):
                self._watch(work)
            if await self._until_ready():
                self._is_ready = True
                self._save()
                on_ready(self.state())
                self._watch(self._keep_healthy())
            await self._ending.wait()
        finally:
            await self._end_all()
        if self._broken:
            raise FarmError(self._broken)

    def end(self) -> None:
        """End the farm; ``run`` returns when everything has ended."""
        self._ending.set()

    def state(self) -> FarmState:
        """Return the current processes and URLs."""
        agents, operators = self._agents.getsockname()[1], self._operators.getsockname()[1]
        host = connectable_host(self.config.host)
        apps = tuple(
            AppState(
                each.app, each.pid, each.ports[0], self._tools[each.app], each.ended, each.last_status, each.worker
            )
            for each in self._apps.values()
        )
        return FarmState(
            pid=os.getpid(),
            gateway_pid=self._gateway_child.pid,
            host=host,
            agents_url=(self.config.public_url or f"http://{host}:{agents}").rstrip("/"),
            operators_url=f"http://{host}:{operators}",
            token_file=str(self.config.data / "operator.token"),
            apps=apps,
            gateway_ended=self._gateway_child.ended,
            others=self.config.others(operators),
            nobody_else=self.config.nobody_else,
        )

    def _save(self) -> None:
        """Write the state file for other commands once the farm is ready; on a full disk, as soon as there is room."""
        if not self._is_ready or self._ending.is_set():
            return
        try:
            self.state().save(self.config.data)
            self._is_unsaved = False
        except OSError as problem:
            if not self._is_unsaved:
                _logger.error("%s/farm.json cannot be written (%s); tried again", self.config.data, problem.strerror)
            self._is_unsaved = True
            asyncio.get_running_loop().call_later(_SAVE_AGAIN_S, self._save_again)

    def _save_again(self) -> None:
        if self._is_unsaved:
            self._save()

    def _watch(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._look_at)

    def _look_at(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _logger.error("the supervisor failed", exc_info=task.exception())
            self._break(f"the supervisor failed: {task.exception()!r}")

    def _break(self, reason: str) -> None:
        self._broken = self._broken or reason
        self._ending.set()

    async def _pause_after(self, child: Child, status: int | None) -> None:
        """Record an end; wait longer after each one in a row. Calls queue on the supervisor's sockets."""
        wait_s = child.has_ended(status)
        if not self._is_ready and child.ended >= _DEATHS_MAX:
            told = f"{child.name} does not start: it ended {child.ended} times, the last time with status {status}"
            self._break(told + self._way_out(child))
        self._save()
        await asyncio.sleep(wait_s)

    def _way_out(self, child: Child) -> str:
        """Return what can be done if a process does not start."""
        if not isinstance(child, _App):
            return ""
        others = ",".join(app for app in self.config.apps if app != child.app)
        without = f", and --apps {others} starts the others" if others else ""
        return f"; 'farm serve {child.app} --port 0' shows why{without}"

    # -- the gateway ---------------------------------------------------------------------------------------------

    async def _keep_gateway(self) -> None:
        while not self._ending.is_set():
            self._gateway = await self._spawn_gateway()
            self._gateway_child.has_started(self._gateway.pid)
            self._save()
            status = await self._gateway.wait()
            if not self._ending.is_set():
                await self._pause_after(self._gateway_child, status)

    async def _spawn_gateway(self) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            GATEWAY,
            stdin=asyncio.subprocess.PIPE,
            pass_fds=(self._agents.fileno(), self._operators.fileno()),
            start_new_session=True,  # Ctrl-C reaches the supervisor only, which ends the others in order
        )
        assert process.stdin is not None
        # Secrets go through the pipe, because arguments are visible in process lists; a closed pipe means no
        # supervisor.
        process.stdin.write(orjson.dumps(self._gateway_orders()) + b"\n")
        with suppress(ConnectionError):
            await process.stdin.drain()
        return process

    def _gateway_orders(self) -> dict[str, object]:
        state = self.state()
        return {
            "data": str(self.config.data),
            "agents_fd": self._agents.fileno(),
            "operators_fd": self._operators.fileno(),
            "agents_url": state.agents_url,
            "operators_url": state.operators_url,
            "world": self.config.world,
            "operator_token": self._operator_token,
            "secret": self._secret,
            "control_token": self._control_token,
            "host": connectable_host(self.config.host).strip("[]"),
            "allowed_hosts": self.config.allowed_hosts,
            "has_default": self.config.has_default,
            "guards_default": self.config.guards_default,
            "episodes_max": self.config.episodes_max,
            "disk_max": self.config.disk_max,
            "expired_retention_s": self.config.expired_retention_s,
            "has_public_url": self.config.public_url is not None,
            "behind_proxy": self.config.behind_proxy,
            "ports": {
                app: [self._apps[app, worker].ports for worker in range(self.config.workers)]
                for app in self.config.apps
            },
        }

    # -- the apps ------------------------------------------------------------------------------------------------

    def _orders(self, app: _App) -> dict[str, Any]:
        listening, control = (each.fileno() for each in app.sockets)
        data, token = str(self.config.data), self._control_token
        return asdict(AppProcessConfig(app.app, listening, control, data, token, self.config.allowed_hosts, app.worker))

    async def _keep_starter(self) -> None:
        while not self._ending.is_set():
            ours, theirs = socket.socketpair()
            ours.setblocking(False)
            self._commands = ours
            sockets = [each.fileno() for app in self._apps.values() for each in app.sockets]
            sockets += [self._agents.fileno(), self._operators.fileno()]
            self._starter = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "farm.runtime.supervisor.forkserver",
                str(theirs.fileno()),
                str(self.config.data),
                *self.config.apps,
                pass_fds=(theirs.fileno(), *sockets),
                start_new_session=True,
            )
            theirs.close()
            self._starter_child.has_started(self._starter.pid)
            await self._listen(ours)
            status = await self._starter.wait()
            if not self._ending.is_set():
                await self._pause_after(self._starter_child, status)
                await self._until_orphans_end()

    @property
    def _forked(self) -> dict[str, Child]:
        """Name → each child of the starter, in starting order: the gateway has more to import than an app."""
        return {each.name: each for each in (self._gateway_child, *self._apps.values())}

    def _fork(self, child: Child, writer: asyncio.StreamWriter) -> None:
        """Order the starter to fork a child; secrets go through the socket, as process lists show arguments."""
        told = {"app": self._orders(child)} if isinstance(child, _App) else {"gateway": self._gateway_orders()}
        writer.write(orjson.dumps({"name": child.name, **told}) + b"\n")

    async def _listen(self, commands: socket.socket) -> None:
        """Have all children forked and handle the starter's messages until it ends."""
        reader, writer = await asyncio.open_connection(sock=commands)
        children = self._forked
        try:
            for child in children.values():
                self._fork(child, writer)
            while line := await self._line(reader):
                message = orjson.loads(line)
                if "forked" in message:
                    children[message["forked"]].has_started(message["pid"])
                    self._save()
                elif "ended" in message and not self._ending.is_set():
                    ended = next((child for child in children.values() if child.pid == message["ended"]), None)
                    if ended:
                        self._watch(self._again(ended, message["status"], writer))
        finally:
            writer.close()

    @staticmethod
    async def _line(reader: asyncio.StreamReader) -> bytes:
        with suppress(ConnectionError):
            return await reader.readline()
        return b""

    async def _again(self, child: Child, status: int, writer: asyncio.StreamWriter) -> None:
        await self._pause_after(child, status)
        # If the starter ended meanwhile, its successor starts everything.
        if not self._ending.is_set() and not writer.is_closing():
            self._fork(child, writer)

    async def _until_orphans_end(self) -> None:
        """Wait for the children of a killed starter: they finish their calls, then release their files."""
        until = time.monotonic() + _ORPHANS_S_MAX
        for child in self._forked.values():
            while child.pid and is_alive(child.pid) and time.monotonic() < until:
                await asyncio.sleep(0.02)
            if child.pid and is_alive(child.pid):
                with suppress(ProcessLookupError):
                    os.kill(child.pid, signal.SIGKILL)
            child.pid = 0

    async def _spawn_all(self) -> None:
        """Start every app as a fresh interpreter, where forking is not safe."""
        for app in self._apps.values():
            self._watch(self._keep_spawned(app))

    async def _keep_spawned(self, app: _App) -> None:
        while not self._ending.is_set():
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "farm.runtime.supervisor.app_process",
                stdin=asyncio.subprocess.PIPE,
                pass_fds=[each.fileno() for each in app.sockets],
                start_new_session=True,
            )
            assert process.stdin is not None
            process.stdin.write(orjson.dumps({**self._orders(app), "parent": os.getpid()}) + b"\n")
            app.has_started(process.pid)
            self._spawned[process.pid] = process
            self._save()
            status = await process.wait()
            del self._spawned[process.pid]
            if not self._ending.is_set():
                await self._pause_after(app, status)

    # -- health --------------------------------------------------------------------------------------------------

    async def _keep_healthy(self) -> None:
        """End processes that stopped answering, so that they restart."""
        for child in self._forked.values():
            child.has_been_asked(answered=True)  # otherwise the farm would not be ready
        while not self._ending.is_set():
            await asyncio.sleep(HEALTH_EVERY_S)
            await asyncio.gather(*map(self._look_after, self._forked.values()))

    async def _look_after(self, child: Child) -> None:
        pid, port = child.pid, (child.ports[1] if isinstance(child, _App) else self._agents.getsockname()[1])
        host = "127.0.0.1" if isinstance(child, _App) else connectable_host(self.config.host).strip("[]")
        if not pid:
            return
        answered = await _answers(host, port, HEALTH_S_MAX)
        if child.pid != pid or self._ending.is_set():
            return
        silent = child.has_been_asked(answered=answered)
        if silent == SILENT_MAX:
            _logger.warning("%s answers no more; it is ended", child.name)
            _kill(pid)
        elif silent == 2 * SILENT_MAX and self._starter is not None:
            # It was ended, and its starter does not report that.
            _logger.warning("the starter answers no more; it is ended")
            _kill(self._starter.pid)

    # -- ready and end -------------------------------------------------------------------------------------------

    async def _until_ready(self) -> bool:
        """Wait until the gateway reports that every app answers, or the farm ends; return whether it is ready.

        Raises:
            FarmError: the wait timed out.
        """
        works = [asyncio.ensure_future(each) for each in (self._until_healthy(), self._ending.wait())]
        done, _ = await asyncio.wait(works, timeout=READY_S_MAX, return_when=asyncio.FIRST_COMPLETED)
        for each in works:
            each.cancel()
        for each in done:
            each.result()
        if not done:
            raise FarmError(f"the farm did not get ready in {READY_S_MAX:.0f} s; see what it printed above")
        return not self._ending.is_set()

    async def _until_healthy(self) -> None:
        host, port = connectable_host(self.config.host).strip("[]"), self._agents.getsockname()[1]
        # A gateway that has just started delays its first answer.
        while not await _is_healthy(host, port):
            await asyncio.sleep(0.02)

    async def _end_all(self) -> None:
        self._ending.set()
        with suppress(OSError):  # a read-only disk: the file is ignored once the lock is released
            (self.config.data / "farm.json").unlink(missing_ok=True)
        if self._commands is not None:
            with suppress(OSError):
                self._commands.shutdown(socket.SHUT_RDWR)
        children = [each for each in (self._gateway, self._starter, *self._spawned.values()) if each is not None]
        for process in children:
            # The starter ends by its socket, after its children.
            if process.returncode is None and process is not self._starter:
                process.terminate()
        for process in children:
            try:
                await asyncio.wait_for(process.wait(), _END_S_MAX)
            except TimeoutError:
                process.kill()
                await process.wait()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._taken.close()


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))


async def _is_healthy(host: str, port: int) -> bool:
    """Return whether ``/healthz`` answers 200."""
    try:
        return b" 200 " in await _status_line(host, port, 2)
    except OSError:
        return False


async def _answers(host: str, port: int, seconds: float) -> bool:
    """Return whether ``/healthz`` gets any answer.

    A refusal, a lack of slots and a farm that is not ready are signs of life, too.
    """
    try:
        await _status_line(host, port, seconds)
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


async def _status_line(host: str, port: int, seconds: float) -> bytes:
    """Return the status line of ``/healthz``; empty if the connection ends before it.

    Raises:
        TimeoutError: nothing comes in time.
        OSError: there is no connection.
    """
    writer = None
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(f"GET /healthz HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: close\r\n\r\n".encode())
            return await reader.readline()
    finally:
        if writer is not None:
            writer.close()
