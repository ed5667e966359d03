"""The module for testcontainers, on a farm in place of the container; make docker-test uses a real engine."""

from __future__ import annotations

from typing import Any

import pytest
from docker.errors import DockerException, ImageNotFound
from pytest_mcp_farm import McpFarmError
from pytest_mcp_farm import testcontainers as module
from pytest_mcp_farm.testcontainers import FarmContainer
from testcontainers.core.container import DockerContainer

from tests.plugin.conftest import RunningFarm


class StandIn:
    """What the engine does: it starts nothing, and says that the container runs or has ended."""

    def __init__(self, farm: RunningFarm | None, monkeypatch: pytest.MonkeyPatch) -> None:
        self.status, self.stopped = "running" if farm else "exited", 0
        self.id = "c0"
        put = monkeypatch.setattr
        put(DockerContainer, "__init__", self._made)
        put(DockerContainer, "start", lambda _: None)
        put(DockerContainer, "stop", self._stop)
        put(FarmContainer, "get_container_host_ip", lambda _: "127.0.0.1")
        put(FarmContainer, "get_wrapped_container", lambda _: self)
        put(FarmContainer, "get_logs", lambda _: (b"", b"farm: no app 'slak'; have gmail, slack\n"))
        put(FarmContainer, "with_bind_ports", lambda container, *_: container)
        put(module, "_answers", lambda _: farm is not None)
        if farm is not None:
            port = int(farm.url.rpartition(":")[2])
            put(module, "_free_ports", lambda: (port, port))
            put(FarmContainer, "exec", lambda *_: type("Done", (), {"output": farm.token.encode()}))

    @staticmethod
    def _made(container: DockerContainer, image: str, **_: Any) -> None:
        container.image = image

    def _stop(self, *_: Any, **__: Any) -> None:
        self.stopped += 1

    def reload(self) -> None:
        """Do as a container of the engine's library."""


def test_a_world_in_a_container(farm: RunningFarm, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = StandIn(farm, monkeypatch)
    commands: list[list[str]] = []
    monkeypatch.setattr(FarmContainer, "with_command", lambda _, command: commands.append(command))

    with FarmContainer(apps=["slack", "lark"]) as container:
        world = container.world("mini", apps=["slack"])
        world.call("slack", "slack_post_message", channel_id="#general", text="hi")
        world.assert_changed("slack.messages", after={"text": "hi"})

    assert world.is_closed
    assert engine.stopped == 1
    (command,) = commands
    assert command[:6] == ["farm", "up", "--data", "/data", "--host", "0.0.0.0"]
    assert command[-2:] == ["--apps", "slack,lark"]


def test_a_farm_that_ends_is_told_with_its_last_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = StandIn(None, monkeypatch)
    monkeypatch.setattr(FarmContainer, "with_command", lambda *_: None)

    with pytest.raises(McpFarmError, match=r"(?s)'mcp-farm' does not start, it ended:.*no app 'slak'; have gmail"):
        FarmContainer().start()
    assert engine.stopped == 1


def test_an_image_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    StandIn(None, monkeypatch)
    monkeypatch.setattr(FarmContainer, "with_command", lambda *_: None)

    def start(_: DockerContainer) -> None:
        raise ImageNotFound("No such image")

    monkeypatch.setattr(DockerContainer, "start", start)
    with pytest.raises(McpFarmError, match=r"no image 'mcp-farm'; 'docker build --target farm --tag mcp-farm .'"):
        FarmContainer().start()


def test_without_an_engine_it_is_told_what_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    StandIn(None, monkeypatch)
    monkeypatch.setattr(FarmContainer, "with_command", lambda *_: None)

    def start(_: DockerContainer) -> None:
        raise DockerException("no socket")

    monkeypatch.setattr(DockerContainer, "start", start)
    with pytest.raises(McpFarmError, match=r"no Docker engine answers \(no socket\); start one, or set DOCKER_HOST"):
        FarmContainer().start()
