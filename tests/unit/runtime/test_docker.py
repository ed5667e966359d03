"""What `farm up --launcher docker` refuses before it has an engine; the rest is `make docker-test`."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar, cast

import pytest
import requests
from docker.errors import APIError

from farm.cli import main
from farm.runtime.supervisor.child import Child
from farm.runtime.supervisor.config import Config
from farm.runtime.supervisor.docker import ContainerSupervisor, _remove_network, label_of, sweep
from farm.runtime.supervisor.state import MARK


def said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 1
    (line,) = capsys.readouterr().err.splitlines()
    return line


def up(data: Path, *options: str) -> list[str]:
    return ["up", "--data", str(data), "--apps", "slack", "--port=0", "--operator-port=0", *options]


def test_an_unknown_launcher_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = said(up(tmp_path, "--launcher=podman"), capsys)

    assert line == "farm: --launcher is processes or docker, not 'podman'"


def test_containers_have_no_workers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = said(up(tmp_path, "--launcher=docker", "--workers=2"), capsys)

    assert line == "farm: --launcher docker runs one process of each app; leave --workers out"


def test_without_an_engine_it_is_one_line_that_says_so(tmp_path: Path) -> None:
    # A process of its own: the library leaves the socket open that it could not connect.
    warnings = {"PYTHONWARNINGS": "ignore::ResourceWarning"}
    nowhere = {**os.environ, **warnings, "DOCKER_HOST": f"unix://{tmp_path}/nowhere.sock"}

    ended = subprocess.run(
        [sys.executable, "-m", "farm", *up(tmp_path, "--launcher=docker")],
        env=nowhere,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    (line,) = ended.stderr.splitlines()
    assert ended.returncode == 1
    assert line.startswith("farm: no Docker engine answers (")
    assert line.endswith("; start one, or set DOCKER_HOST")


def test_without_the_library_it_is_one_line_that_names_the_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "docker", None)

    line = said(up(tmp_path, "--launcher=docker"), capsys)

    assert line == "farm: --launcher docker needs a library; install it with: pip install 'mcp-farm[docker]'"


def test_a_folder_that_never_had_containers_asks_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docker", None)

    assert sweep(tmp_path) == 0


def test_farm_down_on_what_containers_may_be_left_of_does_not_pass_over_a_missing_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "docker", None)
    (tmp_path / MARK).touch()

    assert "needs a library" in said(["down", "--data", str(tmp_path)], capsys)
    assert (tmp_path / MARK).exists()


def test_the_status_of_a_farm_whose_supervisor_was_killed_names_what_may_be_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / MARK).touch()

    line = said(["status", "--data", str(tmp_path)], capsys)

    assert line.endswith(
        "was killed, and its containers may still run; end them with 'farm down', or begin anew with 'farm up'"
    )


def test_farms_on_two_folders_have_two_labels(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a")

    assert label_of(tmp_path / "a") != label_of(tmp_path / "b")
    assert label_of(tmp_path / "a") == label_of(tmp_path / "link")


class Engine:
    """A container engine of which only what it says of its containers is there."""

    def __init__(self, *services: str) -> None:
        self.status = dict.fromkeys(services, "Up 1 minute (healthy)")
        self.state = dict.fromkeys(services, "running")
        self.killed: list[str] = []
        self.started: list[str] = []

    @property
    def api(self) -> Engine:
        return self

    def containers(self, **_: object) -> list[dict[str, Any]]:
        return [
            {"Labels": {"mcp-farm.service": name}, "Status": self.status[name], "State": self.state[name]}
            for name in self.status
        ]


class OneContainer:
    """One container of such an engine."""

    attrs: ClassVar[dict[str, Any]] = {"State": {"ExitCode": 137, "Pid": 77}}

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self._name = name

    def kill(self) -> None:
        self._engine.killed.append(self._name)
        self._engine.state[self._name] = "exited"
        self._engine.status[self._name] = "Exited (137) 1 second ago"

    def start(self) -> None:
        self._engine.started.append(self._name)
        self._engine.state[self._name] = "running"
        self._engine.status[self._name] = "Up 1 second (health: starting)"

    def reload(self) -> None:
        """Nothing is asked anew."""


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[ContainerSupervisor, Engine]:
    """A supervisor of containers that are there and healthy, without an engine."""
    monkeypatch.setattr("farm.runtime.supervisor.child._BACKOFF_S", (0.0,))
    monkeypatch.setattr(ContainerSupervisor, "_follow", lambda *_: None)  # a thread that reads what they print
    engine = Engine("slack", "gateway", "front")
    made = ContainerSupervisor.__new__(ContainerSupervisor)
    made.__dict__.update(
        config=Config(tmp_path, ("slack",)),
        _data=tmp_path,
        _engine=engine,
        _tools={"slack": 8},
        _ports={"front": 1, "gateway": 2},
        _watched={name: Child(name) for name in engine.status},
        _containers={name: OneContainer(engine, name) for name in engine.status},
        _starts_at={},
        _ending=threading.Event(),
        _is_ready=False,
    )
    for child in made._watched.values():
        child.has_started(1)
    return made, engine


@pytest.mark.parametrize("name", ["slack", "gateway"])
def test_a_container_that_answers_no_more_is_ended_and_started_again(
    watched: tuple[ContainerSupervisor, Engine], name: str, caplog: pytest.LogCaptureFixture
) -> None:
    supervisor, engine = watched
    supervisor._look()
    assert (engine.killed, engine.started) == ([], [])

    engine.status[name] = "Up 2 minutes (unhealthy)"
    for _ in range(4):
        supervisor._look()

    assert (engine.killed, engine.started) == ([name], [name])
    child = supervisor._watched[name]
    assert (child.pid, child.ended, child.last_status) == (77, 1, 137)
    assert caplog.messages == [
        f"{name} answers no more; it is ended",
        f"{name} ended with status 137; it starts again",
    ]


def test_a_front_that_says_the_farm_is_not_well_is_left_alone(watched: tuple[ContainerSupervisor, Engine]) -> None:
    supervisor, engine = watched
    engine.status["front"] = "Up 2 minutes (unhealthy)"

    supervisor._look()

    assert (engine.killed, engine.started) == ([], [])


def test_a_container_is_found_hanging_by_the_same_measure_as_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    types = ModuleType("docker.types")
    types.LogConfig = dict  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "docker", ModuleType("docker"))
    monkeypatch.setitem(sys.modules, "docker.types", types)
    supervisor = ContainerSupervisor.__new__(ContainerSupervisor)
    asked: dict[str, Any] = {}
    containers = SimpleNamespace(create=lambda *_, **options: asked.update(options))
    api = SimpleNamespace(create_endpoint_config=lambda **_: {})
    supervisor.__dict__.update(
        config=Config(Path("/data"), ("slack",)),
        _data=Path("/data"),
        _engine=SimpleNamespace(containers=containers, api=api),
        _image="image",
        _front_image="front",
        _ports={"front": 1, "gateway": 2},
    )

    supervisor._create("farm-slack", "slack", ["serve"], "inside", {})

    assert asked["healthcheck"] == {"interval": 5_000_000_000, "timeout": 3_000_000_000, "retries": 3}


class SlowNetwork:
    """A network in which the engine lists the endpoint of a removed container until somebody disconnects it."""

    attrs: ClassVar[dict[str, Any]] = {"Containers": {"ep-1": {"Name": "farm-slack"}}}

    def __init__(self, status: int = 403) -> None:
        self._status = status
        self.calls: list[str] = []

    def remove(self) -> None:
        self.calls.append("remove")
        if "disconnect farm-slack True" not in self.calls:
            answer = requests.Response()
            answer.status_code = self._status
            raise APIError("error while removing network: it has active endpoints", answer)

    def reload(self) -> None:
        self.calls.append("reload")

    def disconnect(self, name: str, *, force: bool) -> None:
        self.calls.append(f"disconnect {name} {force}")


def test_a_network_is_removed_though_the_engine_still_lists_an_endpoint_of_a_removed_container(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("farm.runtime.supervisor.docker._LOOK_S", 0)
    network = SlowNetwork()

    _remove_network(cast(Any, network))

    assert network.calls == ["remove", "reload", "disconnect farm-slack True", "remove"]


def test_a_network_that_the_engine_refuses_to_remove_for_another_reason_is_told() -> None:
    with pytest.raises(APIError) as told:
        _remove_network(cast(Any, SlowNetwork(status=500)))

    assert told.value.status_code == 500
