"""A farm in a container of its own, as a module for testcontainers: ``with FarmContainer() as farm: …``."""

from __future__ import annotations

import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any, Self

from pytest_mcp_farm.errors import McpFarmError
from pytest_mcp_farm.farm import McpFarm, open_farm
from pytest_mcp_farm.world import World

try:
    from docker.errors import APIError, DockerException, NotFound
    from testcontainers.core.container import DockerContainer
except ImportError as problem:
    raise McpFarmError(
        f"FarmContainer wants testcontainers ({problem}); pip install 'pytest-mcp-farm[testcontainers]'"
    ) from None

IMAGE = "mcp-farm"
_START_S_MAX = 120.0
_LOG_LINES = 5

__tracebackhide__ = True  # pytest shows a problem at the test's own line


class FarmContainer(DockerContainer):
    """One container with a gateway and all apps.

    Attributes:
        url: the operators' URL.
        token: the operator's token.
        mcp_farm: what the fixture ``mcp_farm`` is, for this farm.
    """

    def __init__(self, image: str = IMAGE, *, apps: Iterable[str] | None = None, **options: Any) -> None:
        """Describe the container; ``start`` or a ``with`` block starts it.

        Args:
            image: the image; ``docker build --target farm --tag mcp-farm .`` in a checkout makes it.
            apps: the apps that the farm runs; by default, all.
            options: as ``DockerContainer`` takes them.
        """
        super().__init__(image, **options)
        self._apps = [] if apps is None else ["--apps", ",".join(apps)]
        self._opened = ExitStack()
        self.url, self.token = "", ""
        self.mcp_farm: McpFarm

    def start(self) -> Self:
        """Start the container and wait until every app is ready.

        Raises:
            McpFarmError: there is no engine or no such image, or the farm does not start; its last lines are shown.
        """
        # The same ports inside and outside, as URLs in the farm's answers have the ports on which it listens.
        agents, operators = _free_ports()
        for port in (agents, operators):
            self.with_bind_ports(port, port)
        # Which name this machine has for the engine shows only later; nobody enters without a bearer.
        served = ["--host", "0.0.0.0", "--allow-host", "*", "--port", str(agents), "--operator-port", str(operators)]
        self.with_command(["farm", "up", "--data", "/data", *served, *self._apps])
        remedy = f"'docker build --target farm --tag {self.image} .' in a checkout makes it"
        try:
            super().start()
        except NotFound:
            raise McpFarmError(f"there is no image '{self.image}'; {remedy}") from None
        except APIError as problem:
            # Without a registry, the engine does not say that an image is not there.
            why = problem.explanation or problem
            raise McpFarmError(f"'{self.image}' does not start ({why}); if the image is not there, {remedy}") from None
        except DockerException as problem:
            raise McpFarmError(f"no Docker engine answers ({problem}); start one, or set DOCKER_HOST") from None
        try:
            self._await_ready(agents)
            self.token = self.exec(["cat", "/data/operator.token"]).output.decode().strip()
            self.url = f"http://{self.get_container_host_ip()}:{operators}"
            self.mcp_farm = self._opened.enter_context(open_farm(url=self.url, token=self.token))
        except BaseException:
            self.stop()
            raise
        return self

    def world(self, name: str = "mini", **wishes: Any) -> World:
        """Return a world on this farm; see ``McpFarm.world``."""
        return self.mcp_farm.world(name, **wishes)

    def stop(self, force: bool = True, delete_volume: bool = True) -> None:
        """Drop the worlds and remove the container."""
        try:
            self._opened.close()
        finally:
            super().stop(force=force, delete_volume=delete_volume)

    def _await_ready(self, port: int) -> None:
        healthz = f"http://{self.get_container_host_ip()}:{port}/healthz"
        ends_at = time.monotonic() + _START_S_MAX
        while not _answers(healthz):
            container = self.get_wrapped_container()
            container.reload()
            is_over = container.status not in ("created", "running")
            if is_over or time.monotonic() > ends_at:
                said = b"\n".join(self.get_logs()).decode(errors="replace").strip().splitlines()[-_LOG_LINES:]
                why = "it ended" if is_over else f"it is not ready after {_START_S_MAX:.0f} s"
                raise McpFarmError(f"the farm in '{self.image}' does not start, {why}:\n" + "\n".join(said))
            time.sleep(0.2)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("", 0))
        other.bind(("", 0))
        return int(one.getsockname()[1]), int(other.getsockname()[1])
