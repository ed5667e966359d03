"""``farm up``, ``down``, ``status`` and ``serve``."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from farm import content
from farm._util.bounded_log import log_to_stderr
from farm._util.plurals import pluralize
from farm._util.sizes import parse_age, parse_size
from farm._util.sockets import connectable_host, is_beyond_loopback, keep_private, require_writable
from farm.appkit import vendor_descriptions
from farm.cli.options import (
    DATA,
    Apps,
    Content,
    Data,
    Json,
    NamedFarm,
    VendorDescriptions,
    given_path,
    named_apps,
    print_json,
    with_farm,
)
from farm.cli.tables import column_width
from farm.client import FarmClient
from farm.errors import FarmError, NotFoundError
from farm.runtime.data_format import check_format, require_format
from farm.runtime.supervisor import log_file
from farm.runtime.supervisor.state import MARK, AppState, FarmState, is_alive, is_locked, secret_file

if TYPE_CHECKING:
    from farm.runtime.supervisor.config import Config

DEFAULT_WORLD = "harbor"
_DETACH_S_MAX = 300.0  # longer than a farm's own limit, whose error message is more precise
_DOWN_S_MAX = 15.0
_ANSWER_S_MAX = 5.0  # for an app's health; on a busy machine two seconds are not always enough
PROCESSES, DOCKER = "processes", "docker"
# A name or an address as in a Host header, perhaps with its port.
_ALLOWED = re.compile(r"\*|[^\s/@\[\]]+|\[[0-9A-Fa-f:.]+\](:[0-9]+)?")


def choose_apps(named: list[str] | None) -> tuple[str, ...]:
    """Return the apps in ``--apps``, or every app.

    Raises:
        NotFoundError: one of them does not exist.
    """
    chosen = named_apps(named, content.app_names())
    if chosen is None:
        return tuple(content.app_names())
    for app in chosen:
        content.require_app(app)
    # Every farm has these beside its apps.
    return tuple(app for app in chosen if not content.is_companion(app))


def choose_world(named: str | None) -> str | None:
    """Return the named world, or else the one that ships with the farm, if it is installed."""
    if named is not None:
        content.world_dir(named)
        return named
    return DEFAULT_WORLD if DEFAULT_WORLD in content.world_names() else None


AllowHost = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        envvar="FARM_ALLOW_HOST",
        help="Accept this name in Host and Origin, too; '*' accepts all. May be repeated.",
    ),
]
Port = Annotated[int, typer.Option(envvar="FARM_PORT", help="Port for agents; 0 takes a free one.")]
OperatorPort = Annotated[int, typer.Option(envvar="FARM_OPERATOR_PORT", help="Port for operators; 0 takes a free one.")]
PublicUrl = Annotated[
    str | None, typer.Option(envvar="FARM_PUBLIC_URL", help="URL of the agents' port for other machines.")
]
BehindProxy = Annotated[
    bool,
    typer.Option(
        "--behind-proxy",
        envvar="FARM_BEHIND_PROXY",
        help="A proxy serves both ports under one name, passes Host on and sets X-Forwarded-Proto.",
    ),
]

EpisodesMax = Annotated[int | None, typer.Option(min=1, help="Maximum number of episodes besides the default one.")]
DiskMax = Annotated[
    str | None, typer.Option(help="Size of the data folder above which nothing new is made, such as 20GiB.")
]
KeepExpired = Annotated[str, typer.Option(help="How long an expired episode is kept, such as 1h.")]
KEEP_EXPIRED = "24h"


def disk_max_bytes(given: str | None) -> int | None:
    """Parse ``--disk-max``."""
    return None if given is None else parse_size(given, "--disk-max")


def expired_retention_s(given: str) -> float:
    """Parse ``--keep-expired``."""
    return parse_age(given, "--keep-expired").total_seconds()


def up(
    apps: Apps = None,
    world: Annotated[str | None, typer.Option(help="World of episodes that name none.")] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Port = 8700,
    operator_port: OperatorPort = 8701,
    public_url: PublicUrl = None,
    behind_proxy: BehindProxy = False,
    allow_host: AllowHost = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes per app; episodes are spread over them.")] = 1,
    episodes_max: EpisodesMax = None,
    disk_max: DiskMax = None,
    keep_expired: KeepExpired = KEEP_EXPIRED,
    data: Data = DATA,
    launcher: Annotated[str, typer.Option(help="processes, or docker: a container for each app.")] = PROCESSES,
    detach: Annotated[bool, typer.Option("--detach", help="Return when ready; the farm keeps running.")] = False,
    ephemeral: Annotated[
        bool,
        typer.Option(
            "--ephemeral",
            help="For tests: use free ports and a temporary folder, run until standard input ends, print JSON.",
        ),
    ] = False,
    _: Content = None,
    __: VendorDescriptions = None,
) -> None:
    """Start a farm and print its URLs. Ctrl-C or SIGTERM ends it.

    Example: farm up --apps lark,slack --detach
    """
    from farm.runtime.supervisor.config import Config
    from farm.runtime.supervisor.supervisor import Supervisor

    keep_private()
    if ephemeral:
        _ephemeral(choose_apps(apps), detach=detach)
        return
    if launcher not in (PROCESSES, DOCKER):
        raise FarmError(f"--launcher is {PROCESSES} or {DOCKER}, not '{launcher}'")
    config = Config(
        data=data,
        apps=choose_apps(apps),
        world=choose_world(world),
        host=host,
        port=port,
        operator_port=operator_port,
        public_url=public_url,
        behind_proxy=behind_proxy,
        allowed_hosts=allowed_names(host, public_url, allow_host or []),
        workers=workers,
        episodes_max=episodes_max,
        disk_max=disk_max_bytes(disk_max),
        expired_retention_s=expired_retention_s(keep_expired),
    )
    if detach:
        _detach(config, launcher)
        return
    log_to_stderr()
    log_file.keep_bounded(config.data)
    if launcher == DOCKER:
        from farm.runtime.supervisor.docker import ContainerSupervisor

        ContainerSupervisor(config).run(lambda state: print_ready(state, data, world=config.world))
        return
    supervisor = Supervisor(config)
    asyncio.run(supervisor.run(lambda state: print_ready(state, data, world=config.world)))


def _ephemeral(apps: tuple[str, ...], *, detach: bool) -> None:
    """Run a farm in a temporary folder until the program that started it closes standard input."""
    from farm._util.temp_folders import VARIABLE, scratch, sweep
    from farm.benchmark.runner.child_farm import run as run_embedded

    if detach:
        raise FarmError("--ephemeral ends with standard input, which a farm of --detach has not; leave one of them out")
    sweep()  # leftovers of killed farms
    with scratch("farm-up-") as folder:
        os.environ[VARIABLE] = str(folder)
        run_embedded(folder / "data", apps)


def allowed_names(host: str, public_url: str | None, named: Sequence[str]) -> tuple[str, ...]:
    """Return the names that requests may use in Host and Origin besides this machine's own."""
    for each in named:
        if not _ALLOWED.fullmatch(each):
            raise FarmError(f"--allow-host takes a name such as farm.example.org, or '*', and no URL: not '{each}'")
    allowed = list(named)
    if public_url is not None:
        parts = urlsplit(public_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or not _has_good_port(public_url):
            raise FarmError(f"--public-url must look like https://farm.example.org, not '{public_url}'")
        allowed.append(parts.hostname)
    if host not in ("0.0.0.0", "::", "127.0.0.1", "localhost", "::1"):
        allowed.append(f"[{host}]" if ":" in host else host)
    return tuple(dict.fromkeys(allowed))


def _has_good_port(url: str) -> bool:
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


def print_ready(state: FarmState, data: Path, log: Path | None = None, *, world: str | None = None) -> None:
    """Print that the farm is ready, and its URLs.

    Args:
        log: the file of its error messages; None: this output.
        world: the world of episodes that name none.
    """
    apps = {each.app: each.tools for each in state.apps}
    each_has = f", {len(state.apps) // len(apps)} workers each" if len(state.apps) > len(apps) else ""
    lines = [f"ready: {pluralize(len(apps), 'app')}{each_has}", f"agents     {state.agents_url}/mcp/default"]
    width = column_width(apps)
    lines += [
        f"  {app:<{width}} {state.agents_url}/mcp/default/{app}  ({pluralize(tools, 'tool')})"
        for app, tools in apps.items()
    ]
    lines += [
        f"operators  {state.operators_url}/v1",
        f"token      {state.token_file}",
        f"log        {'here' if log is None else log}",
        f"calls      {data / 'operators.log'} (of operators)",
        *_for_others(state),
        *(
            f"note       {app}'s tools are told in the words of {path}"
            for app, path in vendor_descriptions.files().items()
        ),
        *other_world(data, world),
        *notes(data),
    ]
    typer.echo("\n".join(lines))
    sys.stdout.flush()


def _for_others(state: FarmState) -> list[str]:
    """Return the farm's URLs for other machines, or why there are none."""
    lines = [f"others     --farm {url} --token-file FILE, a copy of this one" for url in state.others]
    if state.nobody_else:
        lines += ["note       no other machine is let in; say how they call this one, with --allow-host NAME"]
    return lines


def other_world(data: Path, world: str | None) -> list[str]:
    """Return a note if the default episode has another world than requested: it keeps its own."""
    from farm.context.settings import DEFAULT, Settings

    try:
        played = Settings.load(data / "episodes" / DEFAULT).world
    except NotFoundError:
        return []
    if world is None or played == world:
        return []
    its = f"of the world '{played}'" if played else "of no world"
    return [
        f"note       the default episode was made {its} and stays so; new ones are of '{world}', as is another --data's"
    ]


def notes(data: Path) -> list[str]:
    """Return notes on the default episode: that it requires a bearer, that its week is over."""
    from farm.context.settings import DEFAULT, Settings
    from farm.context.template import load_world

    try:
        settings = Settings.load(data / "episodes" / DEFAULT)
        world = load_world(settings.world) if settings.is_live and settings.world else None
    except NotFoundError:
        return []
    guarded = []
    if settings.token_sha256 is not None:
        how = "'farm episode show default' shows it"
        guarded = [f"note       others can reach this farm, so the default episode wants a bearer; {how}"]
    if world is None:
        return guarded
    weeks = (world.shift_to(datetime.now(UTC)) - settings.shift_days) // 7
    if weeks < 1:
        return guarded
    ago = "last week" if weeks == 1 else f"{weeks} weeks ago"
    new = "'farm episode create --now live' makes one of this week"
    return [*guarded, f"note       the default episode was made {ago} and its calendar is of then; {new}"]


def _detach(config: Config, launcher: str) -> None:
    """Start the same farm in the background and wait until it is ready or has failed."""
    data = require_writable(config.data)
    if is_locked(data):
        raise FarmError(f"a farm runs on {data} already; see it with 'farm status', end it with 'farm down'")
    check_format(data)
    log = data / log_file.LOG
    options = {
        "apps": ",".join(config.apps),
        "world": config.world,
        "host": config.host,
        "port": config.port,
        "operator-port": config.operator_port,
        "public-url": config.public_url,
        "workers": config.workers,
        "launcher": launcher,
        "data": data,
    }
    given = [f"--{name}={value}" for name, value in options.items() if value is not None]
    given += config.quota_options
    given += [f"--allow-host={name}" for name in config.allowed_hosts]
    given += ["--behind-proxy"] if config.behind_proxy else []
    with log_file.begin(data) as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "farm", "up", *given],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    until = time.monotonic() + _DETACH_S_MAX
    try:
        while time.monotonic() < until:
            if process.poll() is not None:
                raise FarmError(_last_line(log) or f"the farm ended with status {process.returncode}; see {log}")
            state = FarmState.load(data)
            if state is not None and state.pid == process.pid:
                print_ready(state, data, log, world=config.world)
                process.returncode = 0  # it stays; no process waits for it
                return
            time.sleep(0.02)
    except BaseException:
        process.terminate()
        raise
    process.terminate()
    raise FarmError(f"the farm did not get ready in {_DETACH_S_MAX:.0f} s; see {log}")


def _last_line(log: Path) -> str:
    lines = [line for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
    if not lines:
        return ""
    # A killed process may leave an unfinished line, to which the farm's own line is appended.
    unfinished, mark, told = lines[-1].partition("farm: ")
    return (told if mark else unfinished) + (f"; more in {log}" if len(lines) > 1 else "")


def down(data: Data = DATA, _: Content = None) -> None:
    """End the farm that runs on the data folder. Its episodes stay for the next farm.

    Example: farm down
    """
    if FarmState.load(data) is None and not is_locked(data) and (removed := _sweep(data)):
        typer.echo(f"the farm was killed; what it left is removed: {pluralize(removed, 'container')}")
        return
    state = _require_farm(data)
    try:
        os.kill(state.pid, signal.SIGTERM)
    except ProcessLookupError:
        pass  # it ended meanwhile
    except PermissionError:
        raise FarmError(f"the farm (process {state.pid}) is another user's; ask them to end it") from None
    until = time.monotonic() + _DOWN_S_MAX
    while is_alive(state.pid):
        if time.monotonic() > until:
            raise FarmError(f"the farm (process {state.pid}) does not end; try kill -9 {state.pid}")
        time.sleep(0.01)
    typer.echo("the farm has ended")


def _sweep(data: Path) -> int:
    """Remove the containers that a killed farm left, and return their number."""
    if not (data / MARK).exists():
        return 0
    from farm.runtime.supervisor.docker import sweep

    return sweep(data)


def _require_farm(data: Path) -> FarmState:
    state = FarmState.load(data)
    if state is not None:
        return state
    if (data / "farm.lock").exists() and is_locked(data):
        raise FarmError(f"the farm on {data} is starting or ending; ask again in a moment")
    if (data / MARK).exists():
        way_out = "end them with 'farm down', or begin anew with 'farm up'"
        raise FarmError(f"the farm on {data} was killed, and its containers may still run; {way_out}")
    raise FarmError(f"no farm runs on {data}; start one with 'farm up'")


@with_farm
def status(named: NamedFarm, as_json: Json = False, _: Content = None) -> None:
    """Show the farm that runs on the data folder: URLs, and each app with process, port and tools.

    Example: farm status --json
    """
    if named.farm is not None:
        _status_elsewhere(named.client(), as_json=as_json)
        return
    data = named.data
    state = _require_farm(data)
    in_containers = any(each.port == 0 for each in state.apps)
    answering = _ready_apps(state) if in_containers else set()

    def is_ready(each: AppState) -> bool:
        return bool(each.pid) and (each.app in answering if in_containers else _answers(state.host, each.port))

    found = state.as_json() | {"notes": notes(data)}
    for shown, each in zip(found["apps"], state.apps, strict=True):
        shown["ready"] = is_ready(each)
    if as_json:
        print_json(found)
        return
    lines = [f"agents     {state.agents_url}", f"operators  {state.operators_url}", f"token      {state.token_file}"]
    typer.echo("\n".join([*lines, *_for_others(state)]))
    names = [each["app"] + (f" ({each['worker']})" if each["worker"] else "") for each in found["apps"]]
    width = column_width(names)
    for name, each in zip(names, found["apps"], strict=True):
        word = "ready" if each["ready"] else "not ready"
        if each["ended"]:
            word += f"; ended by itself: {each['ended']}, last with status {each['last_status']}"
        where = f"port {each['port']}" if each["port"] else "in a container"
        process = f"process {each['pid']}" if each["pid"] else "starts again"
        typer.echo(f"  {name:<{width}} {process}, {where}, {pluralize(each['tools'], 'tool')}, {word}")
    if state.gateway_ended:
        typer.echo(f"  the gateway ended by itself: {state.gateway_ended}")
    if state.gateway_ended or any(each.ended for each in state.apps):
        typer.echo(f"  why: {data / log_file.LOG}, or where 'farm up' was started")
    for note in found["notes"]:
        typer.echo(note)


def _ready_apps(state: FarmState) -> set[str]:
    """Return the apps that answer the gateway: apps in containers answer only the gateway."""
    with FarmClient(state.operators_url, Path(state.token_file).read_text("ascii").strip()) as farm:
        try:
            return {each["app"] for each in farm.status()["apps"] if each["ready"]}
        except FarmError:
            return set()


def _status_elsewhere(farm: FarmClient, *, as_json: bool) -> None:
    """Show a farm of which this machine reaches only the control API."""
    with farm:
        found = farm.status()
    if as_json:
        print_json(found)
        return
    typer.echo(f"agents     {found['agents_url']}\noperators  {farm.url}/v1")
    width = column_width(each["app"] for each in found["apps"])
    for each in found["apps"]:
        word = "ready" if each["ready"] else "not ready"
        typer.echo(f"  {each['app']:<{width}} {pluralize(each['tools'], 'tool')}, {word}")
    typer.echo(f"version    {found['version']}, cell {found['cell']}, {pluralize(found['episodes'], 'episode')}")


def _answers(host: str, port: int) -> bool:
    import http.client

    connection = http.client.HTTPConnection(host.strip("[]"), port, timeout=_ANSWER_S_MAX)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def serve(
    app: Annotated[str, typer.Argument(help="The app.")],
    port: Annotated[int, typer.Option(help="Port for MCP; 0 takes a free one.")],
    data: Data = DATA,
    control_host: Annotated[str, typer.Option(help="Address of the control endpoints.")] = "127.0.0.1",
    control_port: Annotated[int | None, typer.Option(help="Port for the control endpoints.")] = None,
    control_token_file: Annotated[
        Path | None, typer.Option(help="File with the control endpoints' token.", parser=given_path, metavar="<path>")
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    world: Annotated[str | None, typer.Option(help="World of the default episode.")] = None,
    allow_host: AllowHost = None,
    public_url: PublicUrl = None,
    member: Annotated[
        bool,
        typer.Option(
            "--member", help="Be part of a farm: 'farm gateway' manages episodes, the first process makes the tokens."
        ),
    ] = False,
    _: Content = None,
    __: VendorDescriptions = None,
) -> None:
    """Serve one app in the foreground. Its default episode is at /mcp/default.

    Example: farm serve lark --port 9000
    """
    from farm.server.serve import run

    keep_private()
    require_format(require_writable(data))
    control_token = None
    if control_token_file is not None and member:
        control_token = secret_file(data / control_token_file)
    elif control_token_file is not None:
        try:
            control_token = control_token_file.expanduser().read_text("ascii").strip()
        except (OSError, UnicodeDecodeError) as problem:
            raise FarmError(f"token file {control_token_file} cannot be read: {problem}") from None
    content.load_app(app)
    names = allowed_names(host, public_url, allow_host or [])
    asks = ""
    if not member:
        chosen = choose_world(world)
        running = FarmState.load(data)
        if running is not None and app in {each.app for each in running.apps}:
            raise FarmError(f"a farm that has {app} runs on {data}; end it with 'farm down', or choose another --data")
        secret = secret_file(data / "farm.secret") if is_beyond_loopback(host, names) else None
        token = ensure_default(data, app, chosen, secret)
        asks = f"; it wants 'Authorization: Bearer {token}'" if token else ""
    run(
        app,
        data=data,
        host=host,
        port=port,
        control_host=control_host,
        control_port=control_port,
        control_token=control_token,
        allowed_hosts=names,
        on_ready=lambda mcp, _: typer.echo(
            f"ready: {app}" if member else f"ready: {app} at http://{connectable_host(host)}:{mcp}/mcp/default{asks}"
        ),
    )


def ensure_default(data: Path, app: str, world: str | None, secret: str | None = None) -> str | None:
    """Make the live default episode of an app that is served alone, if it is missing.

    Args:
        secret: makes the bearer that the episode requires from now on; None leaves its bearer unchanged.

    Returns:
        The bearer, if there is a secret.
    """
    from farm.context.settings import DEFAULT, LIVE, Settings, bearer, bearer_sha256, wall_time
    from farm.context.store import Store
    from farm.context.template import load_world

    folder = data / "episodes" / DEFAULT
    if not (folder / "episode.json").exists():
        folder.mkdir(exist_ok=True)
        known = load_world(world) if world else None
        # Several apps may start on one folder concurrently; the first one makes the episode.
        with suppress(FileExistsError):
            Settings(
                DEFAULT,
                world,
                (app,),
                now=LIVE,
                shift_days=known.shift_to(datetime.now(UTC)) if known else 0,
                me=known.protagonist if known else None,
                created_at=wall_time(),
            ).save(folder)
    turn = Settings.load(folder).token_turn
    if secret is not None:
        Settings.load(folder).with_bearer_of(bearer_sha256(secret, DEFAULT, turn=turn), folder)
    Store(content.load_app(app), data).create(DEFAULT)
    return None if secret is None else bearer(secret, DEFAULT, turn=turn)


COMMANDS = {"up": up, "down": down, "status": status, "serve": serve}
