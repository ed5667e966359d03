"""The supervisor: holds every listening socket, starts the processes behind them, restarts what dies, ends it all."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from farm import content
from farm.errors import FarmError
from farm.supervisor.child import Orders
from farm.supervisor.sockets import bind, require_writable
from farm.supervisor.state import AppState, DataLock, FarmState, secret_file

# One process that has imported everything forks the others, where forking after imports is known to be safe.
FORKS = sys.platform == "linux"
_BACKOFF_S = (0.05, 0.2, 1.0, 3.0, 5.0)
_READY_S_MAX = 60.0
_STEADY_S = 10.0
_logger = logging.getLogger("farm.supervisor")


@dataclass(frozen=True)
class Config:
    """What ``farm up`` is asked for."""

    data: Path
    apps: tuple[str, ...]
    world: str | None = None
    host: str = "127.0.0.1"
    port: int = 8700
    operator_port: int = 8701
    public_url: str | None = None
    allowed_hosts: tuple[str, ...] = ()


@dataclass
class _App:
    name: str
    listening: socket.socket
    control: socket.socket
    pid: int = 0
    deaths: int = 0
    started_at: float = 0.0

    @property
    def port(self) -> int:
        return int(self.listening.getsockname()[1])


class Supervisor:
    """One farm on this machine."""

    def __init__(self, config: Config) -> None:
        """Take the data folder and every port.

        Raises:
            FarmError: the folder or a port cannot be had, another farm runs there, or an app or world is unknown.
        """
        for app in config.apps:
            content.load_app(app)
        if config.world is not None:
            content.world_dir(config.world)
        self.config = config
        data = require_writable(config.data)
        self._lock = DataLock(data)
        self._operator_token = secret_file(data / "operator.token")
        self._secret = secret_file(data / "farm.secret")
        self._control_token = secrets.token_urlsafe(24)
        self._agents = bind(config.host, config.port, "--port")
        self._operators = bind(config.host, config.operator_port, "--operator-port")
        self._apps = {
            app: _App(app, bind(config.host, 0, "--host"), bind("127.0.0.1", 0, "--host")) for app in config.apps
        }
        self._gateway: asyncio.subprocess.Process | None = None
        self._starter: asyncio.subprocess.Process | None = None
        self._commands: socket.socket | None = None
        self._ending = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._spawned: dict[int, asyncio.subprocess.Process] = {}

    async def run(self, on_ready: Callable[[FarmState], None]) -> None:
        """Start everything, say when it is ready, and watch over it until SIGTERM, SIGINT or ``end``."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            with suppress(NotImplementedError):  # Windows
                loop.add_signal_handler(number, self.end)
        try:
            self._watch(self._keep_gateway())
            self._watch(self._keep_starter() if FORKS else self._spawn_all())
            await self._until_ready()
            if not self._ending.is_set():
                self._save()
                on_ready(self.state())
            await self._ending.wait()
        finally:
            await self._end_all()

    def end(self) -> None:
        """End the farm; ``run`` returns when everything has ended."""
        self._ending.set()

    def state(self) -> FarmState:
        """Return where everything is now."""
        agents, operators = self._agents.getsockname()[1], self._operators.getsockname()[1]
        host = "127.0.0.1" if self.config.host in ("0.0.0.0", "::") else self.config.host
        apps = tuple(
            AppState(app.name, app.pid, app.port, len(content.load_app(app.name).contract))
            for app in self._apps.values()
        )
        return FarmState(
            pid=os.getpid(),
            gateway_pid=self._gateway.pid if self._gateway else 0,
            agents_url=self.config.public_url or f"http://{host}:{agents}",
            operators_url=f"http://{host}:{operators}",
            token_file=str(self.config.data / "operator.token"),
            apps=apps,
        )

    def _save(self) -> None:
        self.state().save(self.config.data)

    def _watch(self, work: object) -> None:
        task = asyncio.ensure_future(work)  # type: ignore[call-overload]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- the gateway ---------------------------------------------------------------------------------------------

    async def _keep_gateway(self) -> None:
        deaths = 0
        while not self._ending.is_set():
            self._gateway = await self._start_gateway()
            self._save_if_ready()
            started_at = asyncio.get_running_loop().time()
            status = await self._gateway.wait()
            if self._ending.is_set():
                return
            if asyncio.get_running_loop().time() - started_at > _STEADY_S:
                deaths = 0
            _logger.warning("the gateway ended with status %s; it starts again", status)
            await asyncio.sleep(_BACKOFF_S[min(deaths, len(_BACKOFF_S) - 1)])
            deaths += 1

    async def _start_gateway(self) -> asyncio.subprocess.Process:
        descriptors = (self._agents.fileno(), self._operators.fileno())
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "farm._content.gateway",
            stdin=asyncio.subprocess.PIPE,
            pass_fds=descriptors,
            start_new_session=True,  # Ctrl-C reaches the supervisor alone, which ends the others in order
        )
        assert process.stdin is not None
        # Secrets go through the pipe, where no process list shows them; that it closes means that we are gone.
        process.stdin.write(orjson.dumps(self._gateway_orders(descriptors)) + b"\n")
        with suppress(ConnectionError):
            await process.stdin.drain()
        return process

    def _gateway_orders(self, descriptors: tuple[int, int]) -> dict[str, object]:
        state = self.state()
        return {
            "data": str(self.config.data),
            "agents_fd": descriptors[0],
            "operators_fd": descriptors[1],
            "agents_url": state.agents_url,
            "operators_url": state.operators_url,
            "world": self.config.world,
            "operator_token": self._operator_token,
            "secret": self._secret,
            "control_token": self._control_token,
            "allowed_hosts": self.config.allowed_hosts,
            "apps": {
                app.name: {"port": app.port, "control_port": app.control.getsockname()[1]}
                for app in self._apps.values()
            },
        }

    # -- the apps ------------------------------------------------------------------------------------------------

    def _orders(self, app: _App) -> bytes:
        orders = Orders(
            app.name,
            app.listening.fileno(),
            app.control.fileno(),
            str(self.config.data),
            self._control_token,
            self.config.allowed_hosts,
        )
        return orjson.dumps(asdict(orders)) + b"\n"

    async def _keep_starter(self) -> None:
        deaths = 0
        while not self._ending.is_set():
            ours, theirs = socket.socketpair()
            ours.setblocking(False)
            sockets = [each.fileno() for app in self._apps.values() for each in (app.listening, app.control)]
            self._starter = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "farm.supervisor.starter",
                str(theirs.fileno()),
                *self._apps,
                pass_fds=(theirs.fileno(), *sockets),
                start_new_session=True,
            )
            theirs.close()
            self._commands = ours
            await self._listen(ours)
            if self._ending.is_set():
                return
            await self._starter.wait()
            _logger.warning("the starter ended; it and every app start again")
            ours.close()
            await asyncio.sleep(_BACKOFF_S[min(deaths, len(_BACKOFF_S) - 1)])
            deaths += 1

    async def _listen(self, commands: socket.socket) -> None:
        """Act on what the starter says until it is gone."""
        reader, writer = await asyncio.open_connection(sock=commands)
        while line := await reader.readline():
            message = orjson.loads(line)
            if message.get("ready"):
                for app in self._apps.values():
                    writer.write(self._orders(app))
            elif "forked" in message:
                app = self._apps[message["forked"]]
                app.pid, app.started_at = message["pid"], asyncio.get_running_loop().time()
                self._save_if_ready()
            elif "ended" in message and not self._ending.is_set():
                ended = next((app for app in self._apps.values() if app.pid == message["ended"]), None)
                if ended:
                    self._watch(self._again(ended, message["status"], writer))

    async def _again(self, app: _App, status: int, writer: asyncio.StreamWriter) -> None:
        await self._back_off(app, status)
        writer.write(self._orders(app))

    async def _back_off(self, app: _App, status: int | None) -> None:
        """Wait a little longer after each death in a row; meanwhile calls queue on the socket we hold."""
        if asyncio.get_running_loop().time() - app.started_at > _STEADY_S:
            app.deaths = 0
        _logger.warning("app %s ended with status %s; it starts again", app.name, status)
        await asyncio.sleep(_BACKOFF_S[min(app.deaths, len(_BACKOFF_S) - 1)])
        app.deaths += 1

    async def _spawn_all(self) -> None:
        """Start every app as a fresh interpreter, where forking is not safe."""
        for app in self._apps.values():
            self._watch(self._keep_spawned(app))

    async def _keep_spawned(self, app: _App) -> None:
        while not self._ending.is_set():
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "farm.supervisor.child",
                stdin=asyncio.subprocess.PIPE,
                pass_fds=(app.listening.fileno(), app.control.fileno()),
                start_new_session=True,
            )
            assert process.stdin is not None
            process.stdin.write(self._orders(app))
            app.pid, app.started_at = process.pid, asyncio.get_running_loop().time()
            self._spawned[app.pid] = process
            self._save_if_ready()
            status = await process.wait()
            del self._spawned[process.pid]
            if not self._ending.is_set():
                await self._back_off(app, status)

    # -- ready and end -------------------------------------------------------------------------------------------

    def _save_if_ready(self) -> None:
        if (self.config.data / "farm.json").exists():
            self._save()

    async def _until_ready(self) -> None:
        """Wait until the gateway says that every app answers.

        Raises:
            FarmError: that takes too long.
        """
        host, port = "127.0.0.1", self._agents.getsockname()[1]
        if self.config.host not in ("0.0.0.0", "::"):
            host = self.config.host
        try:
            async with asyncio.timeout(_READY_S_MAX):
                while not self._ending.is_set() and not await _is_healthy(host, port):
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise FarmError(f"the farm did not get ready in {_READY_S_MAX:.0f} s; see what it printed above") from None

    async def _end_all(self) -> None:
        self._ending.set()
        for task in list(self._tasks):
            task.cancel()
        if self._commands is not None:
            with suppress(OSError):
                self._commands.shutdown(socket.SHUT_RDWR)
        for process in (self._gateway, *self._spawned.values()):
            if process is not None and process.returncode is None:
                process.terminate()
        for process in (self._gateway, self._starter, *self._spawned.values()):
            if process is not None:
                try:
                    await asyncio.wait_for(process.wait(), 5)
                except TimeoutError:
                    process.kill()
        for bound in (
            self._agents,
            self._operators,
            *(s for a in self._apps.values() for s in (a.listening, a.control)),
        ):
            bound.close()
        (self.config.data / "farm.json").unlink(missing_ok=True)
        self._lock.release()


async def _is_healthy(host: str, port: int) -> bool:
    """Whether ``/healthz`` answers 200."""
    try:
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(f"GET /healthz HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: close\r\n\r\n".encode())
        line = await asyncio.wait_for(reader.readline(), 2)
        writer.close()
    except (OSError, TimeoutError):
        return False
    return b" 200 " in line
