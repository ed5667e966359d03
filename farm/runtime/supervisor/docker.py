"""``farm up --launcher docker``: a container for each app, the gateway and the front, monitored and restarted.

Every container and network carries the data folder's label, by which the next ``farm up`` or ``farm down`` on that
folder finds the leftovers of a killed supervisor.
"""

from __future__ import annotations

import hashlib
import http.client
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from farm import content
from farm._util.sockets import bind, connectable_host, require_writable
from farm.appkit import vendor_descriptions
from farm.errors import FarmError
from farm.runtime.containers.plan import (
    AGENTS_PORT,
    APP_MEMORY,
    DATA,
    FRONT,
    FRONT_IMAGE,
    GATEWAY,
    GATEWAY_MEMORY,
    IMAGE,
    OPERATORS_PORT,
    PROCESSES_MAX,
    front_command,
    gateway_command,
    one_cell,
    serve_command,
)
from farm.runtime.data_format import require_format
from farm.runtime.supervisor.child import HEALTH_EVERY_S, HEALTH_S_MAX, SILENT_MAX, Child
from farm.runtime.supervisor.config import Config
from farm.runtime.supervisor.state import MARK, AppState, DataLock, FarmState, require_sound_registry, secret_file

if TYPE_CHECKING:
    from docker.client import DockerClient
    from docker.models.containers import Container
    from docker.models.networks import Network

_LABEL = "mcp-farm.data"
_SERVICE = "mcp-farm.service"
_READY_S_MAX = 240.0  # two dozen containers start one after another; on a busy machine each takes seconds
_LOOK_S = 0.3
_STOP_S_MAX = 4
_ENDPOINTS_S_MAX = 20.0
_CPUS = 1.0
_SECOND_NS = 1_000_000_000
# After so many ends before the farm was ever ready, another start would not help.
_DEATHS_MAX = 3
_logger = logging.getLogger("farm.runtime.supervisor")


def connect() -> DockerClient:
    """Return a client of the engine that the environment names.

    Raises:
        FarmError: the library is missing, or no engine answers.
    """
    try:
        import docker
        from docker.errors import DockerException
    except ImportError:
        raise FarmError("--launcher docker needs a library; install it with: pip install 'mcp-farm[docker]'") from None
    try:
        client = docker.from_env(timeout=60)
        client.ping()
    except DockerException as problem:
        raise FarmError(f"no Docker engine answers ({problem}); start one, or set DOCKER_HOST") from None
    return client


@contextmanager
def _as_farm_errors() -> Iterator[None]:
    """Convert the engine's errors to one-line farm errors."""
    import requests
    from docker.errors import DockerException

    try:
        yield
    except DockerException as problem:
        told = getattr(problem, "explanation", None) or str(problem)
        raise FarmError(f"the Docker engine refused: {' '.join(str(told).split())}") from problem
    except requests.RequestException as problem:
        raise FarmError(f"the Docker engine does not answer ({type(problem).__name__})") from problem


def label_of(data: Path) -> str:
    """Return the label of everything that belongs to the farm on a data folder."""
    return hashlib.sha256(str(data.resolve()).encode()).hexdigest()[:12]


def sweep(data: Path) -> int:
    """Remove the containers and networks that a killed farm on this folder left; return the number of containers.

    Raises:
        FarmError: there may be some, and the engine does not answer.
    """
    mark = data / MARK
    if not mark.exists():
        return 0
    client = connect()
    with _as_farm_errors():
        count = _remove_all(client, data)
    client.close()
    mark.unlink(missing_ok=True)
    return count


def _remove_all(client: DockerClient, data: Path) -> int:
    from docker.errors import APIError, NotFound

    ours: dict[str, str | list[str] | bool] = {"label": f"{_LABEL}={label_of(data)}"}
    found = client.containers.list(all=True, filters=ours, ignore_removed=True)

    def remove(container: Container) -> None:
        # Another process, or the engine itself, may already be removing it.
        with suppress(NotFound, APIError):
            container.stop(timeout=_STOP_S_MAX)
        try:
            container.remove(force=True)
        except NotFound:
            pass
        except APIError as problem:
            if problem.status_code != HTTPStatus.CONFLICT:
                raise

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(remove, found))
    for network in client.networks.list(filters=ours):
        _remove_network(network)
    return len(found)


def _remove_network(network: Network) -> None:
    """Remove a network without containers; an engine may still list endpoints of containers that are removed."""
    from docker.errors import APIError, NotFound

    until = time.monotonic() + _ENDPOINTS_S_MAX
    while True:
        try:
            network.remove()
        except NotFound:
            return
        except APIError as problem:
            if problem.status_code != HTTPStatus.FORBIDDEN or time.monotonic() > until:
                raise
        else:
            return
        time.sleep(_LOOK_S)
        with suppress(APIError):
            network.reload()
            for endpoint in (network.attrs.get("Containers") or {}).values():
                with suppress(APIError):
                    network.disconnect(endpoint["Name"], force=True)


class ContainerSupervisor:
    """One farm in containers of this machine's engine."""

    def __init__(self, config: Config) -> None:
        """Lock the data folder and check the ports, the images and the engine.

        Raises:
            FarmError: one of them is not available, or an app or world is unknown.
        """
        if config.workers > 1:
            raise FarmError("--launcher docker runs one process of each app; leave --workers out")
        self._tools = {app: content.tool_count(app) for app in config.apps}
        if config.world is not None:
            content.world_dir(config.world)
        self.config = config
        self._data = require_writable(config.data).resolve()
        self._engine = connect()
        self._lock = DataLock(self._data)
        self._image = os.environ.get("FARM_IMAGE") or IMAGE
        self._front_image = os.environ.get("FARM_FRONT_IMAGE") or FRONT_IMAGE
        require_format(self._data)
        secret_file(self._data / "operator.token")
        require_sound_registry(self._data)
        (self._data / "farm.json").unlink(missing_ok=True)  # of a farm that was killed
        sweep(self._data)
        self._require_images()
        self._ports = {FRONT: _free(config.host, config.port, "--port")}
        self._ports[GATEWAY] = _free(config.host, config.operator_port, "--operator-port")
        self._watched = {name: Child(name) for name in (*config.apps, GATEWAY, FRONT)}
        self._containers: dict[str, Container] = {}
        self._starts_at: dict[str, float] = {}
        self._ending = threading.Event()
        self._is_ready = False

    def _require_images(self) -> None:
        from docker.errors import ImageNotFound

        for image, target in ((self._image, "farm"), (self._front_image, "front")):
            try:
                with _as_farm_errors():
                    self._engine.images.get(image)
            except FarmError as problem:
                if not isinstance(problem.__cause__, ImageNotFound):
                    raise
                how = f"docker build --target {target} --tag {image} ."
                raise FarmError(f"there is no image '{image}'; make it in a checkout with: {how}") from None

    def run(self, on_ready: Callable[[FarmState], None]) -> None:
        """Start everything, call ``on_ready``, and monitor it until SIGTERM, SIGINT or ``end``."""
        for number in (signal.SIGTERM, signal.SIGINT):
            # In a thread: this one may hold the event's lock, which ``end`` needs.
            signal.signal(number, lambda *_: threading.Thread(target=self.end).start())
        try:
            with _as_farm_errors():
                self._start_all()
                self._until_ready()
                if not self._ending.is_set():
                    self._is_ready = True
                    self._save()
                    on_ready(self.state())
                while not self._ending.wait(_LOOK_S):
                    self._look()
        finally:
            self._end_all()

    def end(self) -> None:
        """End the farm; ``run`` returns when everything has ended."""
        self._ending.set()

    def state(self) -> FarmState:
        """Return the current processes and URLs."""
        host = connectable_host(self.config.host)
        return FarmState(
            pid=os.getpid(),
            gateway_pid=self._watched[GATEWAY].pid,
            host=host,
            agents_url=self._agents_url,
            operators_url=f"http://{host}:{self._ports[GATEWAY]}",
            token_file=str(self._data / "operator.token"),
            apps=tuple(
                AppState(app, each.pid, 0, self._tools[app], each.ended, each.last_status)
                for app in self.config.apps
                for each in (self._watched[app],)
            ),
            gateway_ended=self._watched[GATEWAY].ended,
            others=self.config.others(self._ports[GATEWAY]),
            nobody_else=self.config.nobody_else,
        )

    @property
    def _agents_url(self) -> str:
        here = f"http://{connectable_host(self.config.host)}:{self._ports[FRONT]}"
        return (self.config.public_url or here).rstrip("/")

    def _save(self) -> None:
        if self._is_ready and not self._ending.is_set():
            try:
                self.state().save(self._data)
            except OSError as problem:
                _logger.error("%s/farm.json cannot be written (%s)", self._data, problem.strerror)

    # -- containers ------------------------------------------------------------------------------------------------

    def _start_all(self) -> None:
        (self._data / MARK).touch()
        labels = {_LABEL: label_of(self._data)}
        prefix = f"farm-{label_of(self._data)}"
        inside = self._engine.networks.create(f"{prefix}-farm", internal=True, labels=labels)
        outside = self._engine.networks.create(f"{prefix}-outside", labels=labels)
        cell = one_cell(self.config.apps)
        world = [] if self.config.world is None else [f"--world={self.config.world}"]
        commands = {app: serve_command(app, place) for app, place in cell.apps}
        commands |= {
            GATEWAY: [*gateway_command(cell.apps), *world, *self.config.quota_options],
            FRONT: front_command([cell]),
        }

        def start(name: str) -> None:
            with _as_farm_errors():
                container = self._create(f"{prefix}-{name}", name, commands[name], str(inside.name), labels)
                if name in (GATEWAY, FRONT):
                    outside.connect(container)
                self._containers[name] = container
                self._start(name)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(start, commands))

    def _create(
        self, container_name: str, name: str, command: Sequence[str], network: str, labels: Mapping[str, str]
    ) -> Container:
        from docker.types import LogConfig

        published = {FRONT: AGENTS_PORT, GATEWAY: OPERATORS_PORT}.get(name)
        contents = [each for each in os.environ.get("FARM_CONTENT", "").split(os.pathsep) if each]
        words = vendor_descriptions.files()
        volumes = {each: {"bind": each, "mode": "ro"} for each in (*contents, *map(str, words.values()))}
        environment = {
            "FARM_ALLOW_HOST": " ".join(self.config.allowed_hosts),
            "FARM_PUBLIC_URL": self.config.public_url or "",
            "FARM_BEHIND_PROXY": "1" if self.config.behind_proxy else "",
            "FARM_PORT": str(self._ports[FRONT]),
            "FARM_CONTENT": os.pathsep.join(contents),
            vendor_descriptions.VARIABLE: vendor_descriptions.named(words),
        }
        endpoint = self._engine.api.create_endpoint_config(aliases=[name])
        ports = {} if published is None else {f"{published}/tcp": (self.config.host, self._ports[name])}
        return self._engine.containers.create(
            self._front_image if name == FRONT else self._image,
            list(command),
            name=container_name,
            labels={**labels, _SERVICE: name},
            network=network,
            networking_config={network: endpoint},
            ports=ports,
            volumes=volumes if name == FRONT else {**volumes, str(self._data): {"bind": DATA, "mode": "rw"}},
            environment=environment,
            # Files in the data folder keep belonging to the user who started the farm.
            user=f"{os.getuid()}:{os.getgid()}",
            init=True,
            read_only=True,
            tmpfs={"/tmp": ""},
            cap_drop=["ALL"],
            security_opt=["no-new-privileges:true"],
            mem_limit=GATEWAY_MEMORY if name == GATEWAY else APP_MEMORY,
            nano_cpus=int(_CPUS * _SECOND_NS),
            pids_limit=PROCESSES_MAX,
            healthcheck={
                "interval": int(HEALTH_EVERY_S * _SECOND_NS),
                "timeout": int(HEALTH_S_MAX * _SECOND_NS),
                "retries": SILENT_MAX,
            },
            log_config=LogConfig(type="json-file", config={"max-size": "10m", "max-file": "2"}),
        )

    def _start(self, name: str) -> None:
        container = self._containers[name]
        since = int(time.time())
        container.start()
        container.reload()
        self._watched[name].has_started(int(container.attrs["State"]["Pid"]))
        threading.Thread(target=self._follow, args=(name, container, since), daemon=True).start()

    def _follow(self, name: str, container: Container, since: int) -> None:
        """Print a container's output until it ends."""
        from docker.errors import DockerException
        from requests import RequestException

        with suppress(DockerException, RequestException, ValueError, OSError):
            rest = b""
            for part in container.logs(stream=True, follow=True, since=since):
                *lines, rest = (rest + part).split(b"\n")
                for line in lines:
                    sys.stderr.write(f"{name}: {line.decode('utf-8', 'replace')}\n")
                sys.stderr.flush()

    # -- monitoring ------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Restart ended containers when their wait is over; end those that stopped answering, so that they restart."""
        told = self._engine.api.containers(all=True, filters={"label": f"{_LABEL}={label_of(self._data)}"})
        states = {each["Labels"][_SERVICE]: each for each in told}
        for name, child in self._watched.items():
            state = states.get(name)
            if state is None:
                raise FarmError(f"somebody has removed the container of {name}; start the farm again")
            if child.pid and state["State"] in ("exited", "dead"):
                self._containers[name].reload()
                self._starts_at[name] = time.monotonic() + child.has_ended(
                    self._containers[name].attrs["State"]["ExitCode"]
                )
                if not self._is_ready and child.ended >= _DEATHS_MAX:
                    raise FarmError(f"{name} does not start: it ended {child.ended} times; see what it printed above")
                self._save()
            elif child.pid and name != FRONT and "(unhealthy)" in state["Status"]:
                # The front is unhealthy if the farm is: restarting it would not help.
                _logger.warning("%s answers no more; it is ended", name)
                self._containers[name].kill()
            elif not child.pid and time.monotonic() >= self._starts_at[name]:
                self._start(name)
                self._save()

    def _until_ready(self) -> None:
        until = time.monotonic() + _READY_S_MAX
        while not self._ending.wait(_LOOK_S) and not _is_healthy(
            connectable_host(self.config.host), self._ports[FRONT]
        ):
            self._look()
            if time.monotonic() > until:
                raise FarmError(f"the farm did not get ready in {_READY_S_MAX:.0f} s; see what it printed above")

    def _end_all(self) -> None:
        self._ending.set()
        (self._data / "farm.json").unlink(missing_ok=True)
        try:
            sweep(self._data)
        finally:
            self._engine.close()
            self._lock.release()


def _free(host: str, port: int, option: str) -> int:
    """Return a free port: this one, or any for 0.

    Raises:
        FarmError: it is taken.
    """
    bound: socket.socket = bind(host, port, option)
    with bound:
        return int(bound.getsockname()[1])


def _is_healthy(host: str, port: int) -> bool:
    connection: Any = http.client.HTTPConnection(host.strip("[]"), port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return bool(connection.getresponse().status == 200)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
