"""``--agent-image``: a ``command:`` agent in a container that can reach only its episode.

The agent shares the network of a second container, the door, which has only loopback. In the door HAProxy listens at
the episode's address, refuses every path outside of this episode, and forwards the rest to a socket in a folder. This
process relays the socket to the farm. So the farm may be anywhere, and no network is opened.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import socketserver
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from farm._util import temp_folders
from farm.benchmark.agents.base import Assignment, InfrastructureError
from farm.benchmark.agents.command import Command, Started
from farm.errors import FarmError
from farm.runtime.containers.plan import AGENTS_PORT, FRONT_IMAGE

INSIDE = "/agent"
_LABEL = "mcp-farm.scratch"
_PASSED_ON = ("LANG", "LC_ALL", "TZ")
_MEMORY, _CPUS, _PROCESSES_MAX = "2g", "2", "512"
_DOOR_S_MAX = 20.0
_COMMAND_S_MAX = 120.0
# `docker run` itself failed; below it is the program's own status.
_NOT_RUN = 125
_CHUNK = 1 << 16

_DOOR = """\
defaults
    mode http
    timeout connect 5s
    timeout client 15m
    timeout server 15m

frontend episode
    bind 127.0.0.1:{port}
    monitor-uri /livez
    http-request deny deny_status 404 unless {{ path /mcp/{episode_id} }} or {{ path_beg /mcp/{episode_id}/ }}
    http-request set-header host {host}
    default_backend farm

backend farm
    server farm unix@/door/farm.sock
"""


class ContainerCommand(Command):
    """Runs a command line once per trial, each in its own container."""

    is_sealed = True
    connects = True

    def __init__(self, line: str, image: str, *, environment: Iterable[str] = ()) -> None:
        """Use a command line in an image; files in the current folder that it names are provided in the container.

        Raises:
            FarmError: as for a command, or the engine, the image or the front's image is missing.
        """
        self._image = image
        super().__init__(line, environment=environment)
        self._door_image = os.environ.get("FARM_FRONT_IMAGE") or FRONT_IMAGE
        self._image_id = _image_id(image, "name one that the engine has")
        _image_id(
            self._door_image, f"make it in a checkout with: docker build --target front --tag {self._door_image} ."
        )
        temp_folders.sweep()
        _sweep()

    def about(self) -> dict[str, Any]:
        """Return the configuration of the command, and its image."""
        return {**super().about(), "image": self._image, "image_id": self._image_id}

    def _program(self, word: str) -> str:
        return word  # the image has it

    @contextmanager
    def _started(self, job: Assignment, folder: Path) -> Iterator[Started]:
        inside, door = folder / "inside", folder / "door"
        for each in (inside / "home", inside / "files", door):
            each.mkdir(parents=True)
        words = [self._brought(word, number, inside / "files") for number, word in enumerate(self._words)]
        parts = urlsplit(next(iter(job.session.urls.values())))
        if parts.scheme != "http" or parts.hostname is None:
            raise InfrastructureError(f"an agent in a container reaches farms over http only, not {parts.scheme}")
        episode = {"port": AGENTS_PORT, "episode_id": job.session.id, "host": parts.netloc}
        (door / "haproxy.cfg").write_text(_DOOR.format(**episode), "ascii")
        name = f"farm-agent-{secrets.token_hex(6)}"
        user = f"{os.getuid()}:{os.getgid()}"
        locked = ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges:true", "--user", user]
        locked += ["--label", f"{_LABEL}={folder}", "--tmpfs", "/tmp", "--memory", _MEMORY, "--init"]
        locked += ["--pids-limit", _PROCESSES_MAX, "--cpus", _CPUS]
        urls = {app: f"http://127.0.0.1:{AGENTS_PORT}{urlsplit(url).path}" for app, url in job.session.urls.items()}
        with _relay(door / "farm.sock", (parts.hostname, parts.port or 80)):
            try:
                run = ["run", "--detach", "--name", f"{name}-door", "--network", "none", *locked]
                mounted = ["--volume", f"{door}:/door"]
                _docker(*run, *mounted, self._door_image, "haproxy", "-db", "-f", "/door/haproxy.cfg")
                _until_open(f"{name}-door")

                def command(filled: Sequence[str], environment: Mapping[str, str]) -> list[str]:
                    own = [word for each in environment for word in ("--env", each)]
                    run = ["docker", "run", "--rm", "--interactive", "--name", name, *locked, *own]
                    run += ["--env", f"HOME={INSIDE}/home", "--workdir", f"{INSIDE}/home"]
                    run += ["--network", f"container:{name}-door", "--volume", f"{inside}:{INSIDE}"]
                    return [*run, "--entrypoint", filled[0], self._image, *filled[1:]]

                yield Started(words, inside, INSIDE, urls, command, _engine_environment())
            finally:
                _docker("rm", "--force", "--volumes", name, f"{name}-door", check=False)

    def _brought(self, word: str, number: int, files: Path) -> str:
        if number == 0 or not Path(word).is_file():
            return word
        target = files / str(number) / Path(word).name
        target.parent.mkdir()
        shutil.copyfile(word, target)
        return f"{INSIDE}/files/{number}/{Path(word).name}"

    def _own_environment(self) -> dict[str, str]:
        names = (*_PASSED_ON, *self._passed)
        return {name: os.environ[name] for name in names if name in os.environ}

    def _require_run(self, said: Mapping[str, Any], errors: str) -> None:
        if said.get("status") == _NOT_RUN:
            raise InfrastructureError(f"the agent's container cannot be started: {' '.join(errors.split())[-300:]}")


def _engine_environment() -> dict[str, str]:
    names = ("PATH", "HOME", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY")
    return {name: os.environ[name] for name in names if name in os.environ}


def _docker(*arguments: str, check: bool = True) -> str:
    try:
        done = subprocess.run(
            ["docker", *arguments], capture_output=True, text=True, timeout=_COMMAND_S_MAX, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise InfrastructureError(f"docker {arguments[0]} failed ({problem})") from None
    if check and done.returncode != 0:
        raise InfrastructureError(f"docker {arguments[0]} failed: {' '.join(done.stderr.split())[-300:]}")
    return done.stdout.strip()


def _image_id(image: str, way_out: str) -> str:
    if shutil.which("docker") is None:
        raise FarmError("--agent-image needs the program 'docker'; install it")
    try:
        _docker("version")
        return _docker("image", "inspect", "--format", "{{.Id}}", image)
    except InfrastructureError as problem:
        raise FarmError(f"{problem}; --agent-image wants an engine and the image '{image}': {way_out}") from None


def _sweep() -> None:
    """Remove the containers of runs that were killed: those whose folder is gone."""
    shown = _docker("ps", "--all", "--filter", f"label={_LABEL}", "--format", f'{{{{.ID}}}} {{{{.Label "{_LABEL}"}}}}')
    for line in shown.splitlines():
        container, _, folder = line.partition(" ")
        if not Path(folder).exists():
            _docker("rm", "--force", "--volumes", container, check=False)


def _until_open(door: str) -> None:
    ends_at = time.monotonic() + _DOOR_S_MAX
    asks = f"import socket; socket.create_connection(('127.0.0.1', {AGENTS_PORT}), 1)"
    while True:
        try:
            _docker("exec", door, "python3", "-Sc", asks)
        except InfrastructureError:
            if time.monotonic() > ends_at:
                raise
            time.sleep(0.1)
        else:
            return


class _Relay(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    place = ("", 0)


class _Connection(socketserver.BaseRequestHandler):
    server: _Relay
    request: socket.socket

    def handle(self) -> None:
        """Relay bytes in both directions until both sides have ended."""
        with suppress(OSError), socket.create_connection(self.server.place) as farm:
            back = threading.Thread(target=_carry, args=(farm, self.request), daemon=True)
            back.start()
            _carry(self.request, farm)
            back.join()


def _carry(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(_CHUNK):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


@contextmanager
def _relay(path: Path, place: tuple[str, int]) -> Iterator[None]:
    """Relay connections to a socket in a folder to the farm."""
    with _Relay(str(path), _Connection) as relay:
        relay.place = place
        thread = threading.Thread(target=relay.serve_forever, args=(0.1,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            relay.shutdown()
            thread.join()
