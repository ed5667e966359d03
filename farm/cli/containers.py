"""``farm compose``, and the commands of its containers besides ``farm serve``: ``farm gateway`` and ``farm front``."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from farm import content
from farm._util.sockets import bind, keep_private, require_writable
from farm.cli.options import DATA, Apps, Content, Data, given_path
from farm.cli.up import (
    KEEP_EXPIRED,
    AllowHost,
    BehindProxy,
    DiskMax,
    EpisodesMax,
    KeepExpired,
    PublicUrl,
    allowed_names,
    choose_apps,
    choose_world,
    disk_max_bytes,
    expired_retention_s,
)
from farm.errors import FarmError
from farm.runtime.containers.plan import AGENTS_PORT, CELL, CONTROL_TOKEN, OPERATORS_PORT, Cell, ContainerAddress
from farm.runtime.data_format import require_format
from farm.runtime.supervisor.app_process import GATEWAY
from farm.runtime.supervisor.state import GATEWAY_LOCK, DataLock, require_sound_registry, secret_file

_NAMESPACE = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_CELL = re.compile(r"[a-z][a-z0-9]{0,15}")


def compose(
    apps: Apps = None,
    kubernetes: Annotated[bool, typer.Option("--kubernetes", help="Write a kustomize base instead.")] = False,
    cells: Annotated[int, typer.Option(min=1, max=100, help="Cells in Kubernetes.")] = 2,
    namespace: Annotated[str, typer.Option(help="Namespace in Kubernetes.")] = "mcp-farm",
    out: Annotated[
        Path | None,
        typer.Option(
            help="The file (docker-compose.yml) or, for Kubernetes, the folder (deploy/kubernetes).",
            parser=given_path,
            metavar="<path>",
        ),
    ] = None,
    _: Content = None,
) -> None:
    """Write docker-compose.yml: the gateway, the front and one container per app.

    Example: farm compose --apps lark,slack
    """
    from farm.runtime.containers.compose import compose_file
    from farm.runtime.containers.kubernetes import kubernetes_files

    chosen = choose_apps(apps)
    if kubernetes:
        if not _NAMESPACE.fullmatch(namespace):
            raise FarmError(f"'{namespace}' is no namespace; use up to 63 small letters, digits and '-'")
        folder = out or Path("deploy", "kubernetes")
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in kubernetes_files(chosen, cells=cells, namespace=namespace).items():
            (folder / name).write_text(text, "utf-8")
        typer.echo(f"written: {folder}; apply it with: kubectl apply -k {folder}")
        return
    out = out or Path("docker-compose.yml")
    out.write_text(compose_file(chosen), "utf-8")
    typer.echo(f"written: {out}")


def gateway(
    app: Annotated[list[str], typer.Option("--app", help="NAME=HOST:PORT:CONTROL_PORT of an app. May be repeated.")],
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "0.0.0.0",
    port: Annotated[int, typer.Option(help="Port for agents; 0 takes a free one.")] = AGENTS_PORT,
    operator_port: Annotated[int, typer.Option(help="Port for operators; 0 takes a free one.")] = OPERATORS_PORT,
    public_url: PublicUrl = None,
    behind_proxy: BehindProxy = False,
    published_port: Annotated[
        int, typer.Option(envvar="FARM_PORT", help="This machine's port that leads to the agents' port.")
    ] = AGENTS_PORT,
    allow_host: AllowHost = None,
    cell: Annotated[str, typer.Option(envvar="FARM_CELL", help="First part of the ids of its episodes.")] = CELL,
    world: Annotated[str | None, typer.Option(help="World of episodes that name none.")] = None,
    episodes_max: EpisodesMax = None,
    disk_max: DiskMax = None,
    keep_expired: KeepExpired = KEEP_EXPIRED,
    data: Data = DATA,
    _: Content = None,
) -> None:
    """Serve the gateway of apps that run elsewhere, each by 'farm serve APP --member' on the same data folder.

    Example: farm gateway --app lark=lark:8700:8702 --app slack=slack:8700:8702
    """
    if not _CELL.fullmatch(cell):
        raise FarmError(f"'{cell}' is no name of a cell; use a letter and up to 15 letters or digits, all small")
    places = dict(_app_place(each) for each in app)
    keep_private()
    require_writable(data)
    lock = DataLock(data, GATEWAY_LOCK)
    require_format(data)
    require_sound_registry(data)
    names = (*allowed_names("127.0.0.1", public_url, allow_host or []), "gateway")
    agents, operators = bind(host, port, "--port"), bind(host, operator_port, "--operator-port")
    told = {
        "data": str(data),
        "agents_fd": agents.detach(),
        "operators_fd": operators.detach(),
        "agents_url": (public_url or f"http://127.0.0.1:{published_port}").rstrip("/"),
        "operators_url": "",
        "world": choose_world(world),
        "operator_token": secret_file(data / "operator.token"),
        "secret": secret_file(data / "farm.secret"),
        "control_token": secret_file(data / CONTROL_TOKEN),
        "allowed_hosts": names,
        "has_default": True,
        "has_public_url": bool(public_url),
        "behind_proxy": behind_proxy,
        "guards_default": True,  # other containers in the network could call it
        "cell": cell,
        "episodes_max": episodes_max,
        "disk_max": disk_max_bytes(disk_max),
        "expired_retention_s": expired_retention_s(keep_expired),
        "hosts": {name: place.host for name, place in places.items()},
        "ports": {name: [(place.port, place.control_port)] for name, place in places.items()},
    }
    status = importlib.import_module(f"{GATEWAY}.__main__").run(told)
    lock.release()
    raise typer.Exit(status)


def front(
    cell: Annotated[list[str], typer.Option("--cell", help="CELL=HOST:PORT of a cell's gateway. May be repeated.")],
    app: Annotated[list[str], typer.Option("--app", help="CELL/NAME=HOST:PORT of an app. May be repeated.")],
    port: Annotated[int, typer.Option(help="Port for agents.")] = AGENTS_PORT,
    show: Annotated[bool, typer.Option("--show", help="Print the configuration and end.")] = False,
) -> None:
    """Run the front: HAProxy, which routes each call directly to its app, and everything else to the gateway.

    Example: farm front --cell c0=gateway:8700 --app c0/lark=lark:8700
    """
    from farm.runtime.containers.haproxy import haproxy_config

    text = haproxy_config(_cells(cell, app), port)
    if show:
        typer.echo(text, nl=False)
        return
    program = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        raise FarmError("the front needs the program 'haproxy'; install it, or use the image 'front' of the Dockerfile")
    with tempfile.NamedTemporaryFile("w", prefix="haproxy-", suffix=".cfg", delete=False) as file:
        file.write(text)
    os.execv(program, [program, "-db", "-f", file.name])


def _cells(cells: list[str], apps: list[str]) -> list[Cell]:
    gateways: dict[str, ContainerAddress] = {}
    for each in cells:
        name, place = _pair(each, "--cell", "c0=gateway:8700")
        gateways[name] = _place(place, "--cell", each)
    found: dict[str, list[tuple[str, ContainerAddress]]] = {name: [] for name in gateways}
    for each in apps:
        where, place = _pair(each, "--app", "c0/APP=HOST:8700")
        name, _, app = where.partition("/")
        if name not in found or not app:
            raise FarmError(f"--app {each} names no cell of --cell; it looks like {next(iter(found))}/APP=HOST:8700")
        found[name].append((app, _place(place, "--app", each)))
    return [Cell(name, place, tuple(found[name])) for name, place in gateways.items()]


def _app_place(given: str) -> tuple[str, ContainerAddress]:
    app, where = _pair(given, "--app", "APP=HOST:8700:8702")
    content.require_app(app)
    rest, _, control = where.rpartition(":")
    place = _place(rest, "--app", given)
    return app, ContainerAddress(place.host, place.port, _port(control, given))


def _pair(given: str, option: str, example: str) -> tuple[str, str]:
    name, separator, value = given.partition("=")
    if not separator or not name or not value:
        raise FarmError(f"{option} looks like {example}, not '{given}'")
    return name, value


def _place(text: str, option: str, given: str) -> ContainerAddress:
    host, separator, port = text.rpartition(":")
    if not separator or not host:
        raise FarmError(f"{option} needs HOST:PORT, not '{given}'")
    return ContainerAddress(host, _port(port, given))


def _port(text: str, given: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 0 < int(text) < 65536:
        raise FarmError(f"'{text}' in '{given}' is no port")
    return int(text)


COMMANDS: dict[str, Any] = {"compose": compose, "gateway": gateway, "front": front}
