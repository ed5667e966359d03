"""``farm up``, ``down``, ``status`` and ``serve``."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from farm import content
from farm.cli.options import Content, Data, Json, print_json
from farm.errors import FarmError
from farm.supervisor.state import FarmState, is_alive

DEFAULT_WORLD = "harbor"
_DETACH_S_MAX = 90.0
_DOWN_S_MAX = 15.0


def choose_apps(named: str | None) -> tuple[str, ...]:
    """Return the apps of a comma list, or every app.

    Raises:
        NotFound: one of them does not exist.
    """
    if named is None:
        return tuple(content.app_names())
    chosen = tuple(dict.fromkeys(each.strip() for each in named.split(",") if each.strip()))
    if not chosen:
        raise FarmError(f"--apps names no app; have {', '.join(content.app_names())}")
    for app in chosen:
        content.load_app(app)
    return chosen


def choose_world(named: str | None) -> str | None:
    """Return the named world, or the one that ships with the farm if it is there."""
    if named is not None:
        content.world_dir(named)
        return named
    return DEFAULT_WORLD if DEFAULT_WORLD in content.world_names() else None


def up(
    apps: Annotated[str | None, typer.Option(help="Comma list of apps; all when absent.")] = None,
    world: Annotated[str | None, typer.Option(help="World of episodes that name none.")] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(envvar="FARM_PORT", help="Port for agents.")] = 8700,
    operator_port: Annotated[int, typer.Option(envvar="FARM_OPERATOR_PORT", help="Port for operators.")] = 8701,
    public_url: Annotated[str | None, typer.Option(help="URL of the agents' port as others see it.")] = None,
    data: Data = ...,  # type: ignore[assignment] # filled by its default factory
    detach: Annotated[bool, typer.Option("--detach", help="Return when ready; the farm stays.")] = False,
    _: Content = None,
) -> None:
    """Start a farm and print where it is. Ctrl-C or SIGTERM ends it.

    Example: farm up --apps lark,slack --detach
    """
    if detach:
        _detach(data)
        return
    from farm.supervisor.farm import Config, Supervisor

    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    supervisor = Supervisor(
        Config(
            data=data.expanduser().absolute(),
            apps=choose_apps(apps),
            world=choose_world(world),
            host=host,
            port=port,
            operator_port=operator_port,
            public_url=public_url,
            allowed_hosts=_public_names(host, public_url),
        )
    )
    asyncio.run(supervisor.run(print_ready))


def _public_names(host: str, public_url: str | None) -> tuple[str, ...]:
    """Return the names beside this machine's own that requests may be addressed to."""
    from urllib.parse import urlsplit

    named = [urlsplit(public_url).hostname] if public_url else []
    if host not in ("0.0.0.0", "::", "127.0.0.1", "localhost", "::1"):
        named.append(host)
    return tuple(name for name in named if name)


def print_ready(state: FarmState) -> None:
    """Say that the farm is ready, and where."""
    lines = [f"ready: {len(state.apps)} apps", f"agents     {state.agents_url}/mcp/default"]
    lines += [
        f"  {each.app:<10} {state.agents_url}/mcp/default/{each.app}  ({each.tools} tools)" for each in state.apps
    ]
    lines += [f"operators  {state.operators_url}/v1", f"token      {state.token_file}"]
    typer.echo("\n".join(lines))
    sys.stdout.flush()


def _detach(data: Path) -> None:
    """Start the same command in the background and wait until it is ready or has failed."""
    data = data.expanduser().absolute()
    data.mkdir(parents=True, exist_ok=True)
    running = FarmState.load(data)
    if running is not None:
        raise FarmError(f"a farm runs on {data} already; see it with 'farm status', end it with 'farm down'")
    log = data / "farm.log"
    command = [
        sys.executable,
        "-m",
        "farm",
        *(each for each in sys.argv[1:] if each != "--detach"),
        "--data",
        str(data),
    ]
    with log.open("w") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True, cwd="/"
        )
    until = time.monotonic() + _DETACH_S_MAX
    while time.monotonic() < until:
        if process.poll() is not None:
            raise FarmError(_last_line(log) or f"the farm ended with status {process.returncode}; see {log}")
        state = FarmState.load(data)
        if state is not None and state.pid == process.pid:
            print_ready(state)
            return
        time.sleep(0.02)
    process.terminate()
    raise FarmError(f"the farm did not get ready in {_DETACH_S_MAX:.0f} s; see {log}")


def _last_line(log: Path) -> str:
    lines = [line for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
    return lines[-1].removeprefix("farm: ") if lines else ""


def down(data: Data = ..., _: Content = None) -> None:  # type: ignore[assignment] # filled by its default factory
    """End the farm that runs on the data folder. Episodes stay for the next one.

    Example: farm down
    """
    state = FarmState.load(data)
    if state is None:
        raise FarmError(f"no farm runs on {data}")
    os.kill(state.pid, signal.SIGTERM)
    until = time.monotonic() + _DOWN_S_MAX
    while is_alive(state.pid):
        if time.monotonic() > until:
            raise FarmError(f"the farm (process {state.pid}) does not end; try kill -9 {state.pid}")
        time.sleep(0.02)
    typer.echo("the farm has ended")


def status(data: Data = ..., as_json: Json = False, _: Content = None) -> None:  # type: ignore[assignment]
    """Show the farm that runs on the data folder: URLs, and each app with process, port and tools.

    Example: farm status --json
    """
    import http.client

    state = FarmState.load(data)
    if state is None:
        raise FarmError(f"no farm runs on {data}; start one with 'farm up'")

    def ready(port: int) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    found = asdict(state) | {"apps": [{**asdict(each), "ready": ready(each.port)} for each in state.apps]}
    if as_json:
        print_json(found)
        return
    typer.echo(f"agents     {state.agents_url}\noperators  {state.operators_url}\ntoken      {state.token_file}")
    for each in found["apps"]:
        word = "ready" if each["ready"] else "not ready"
        typer.echo(f"  {each['app']:<10} process {each['pid']}, port {each['port']}, {each['tools']} tools, {word}")


def serve(
    app: Annotated[str, typer.Argument(help="The app.")],
    port: Annotated[int, typer.Option(help="Port for MCP; 0 takes a free one.")],
    data: Data = ...,  # type: ignore[assignment] # filled by its default factory
    control_port: Annotated[int | None, typer.Option(help="Port for the control endpoints.")] = None,
    control_token_file: Annotated[Path | None, typer.Option(help="File with the token they want.")] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    world: Annotated[str | None, typer.Option(help="World of the default episode.")] = None,
    _: Content = None,
) -> None:
    """Serve one app in the foreground. Its default episode is at /mcp/default.

    Example: farm serve lark --port 9000
    """
    from farm.server.serve import run

    token = None
    if control_token_file is not None:
        try:
            token = control_token_file.expanduser().read_text("ascii").strip()
        except OSError as problem:
            raise FarmError(f"token file {control_token_file} cannot be read ({problem.strerror})") from None
    content.load_app(app)
    ensure_default(data.expanduser().absolute(), app, choose_world(world))
    run(
        app,
        data=data.expanduser().absolute(),
        host=host,
        port=port,
        control_port=control_port,
        control_token=token,
        on_ready=lambda mcp, _: typer.echo(f"ready: {app} at http://{host}:{mcp}/mcp/default"),
    )


def ensure_default(data: Path, app: str, world: str | None) -> None:
    """Make the live default episode of an app that is served on its own, if it is not there yet."""
    from farm.context.settings import LIVE, Settings
    from farm.context.store import Store
    from farm.context.template import load_world
    from farm.supervisor.sockets import require_writable

    folder = require_writable(data) / "episodes" / "default"
    if not (folder / "episode.json").exists():
        folder.mkdir(exist_ok=True)
        known = load_world(world) if world else None
        Settings(
            "default",
            world,
            (app,),
            now=LIVE,
            shift_days=known.shift_to(datetime.now(known.zone).date()) if known else 0,
            me=known.protagonist if known else None,
            created_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        ).save(folder)
    Store(content.load_app(app), data).create("default")


COMMANDS = {"up": up, "down": down, "status": status, "serve": serve}
