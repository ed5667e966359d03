"""``farm connect``: the configuration of an MCP client, and a card to begin with."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import orjson
import typer

from farm import __version__
from farm._util.token_estimate import estimate_tools
from farm.appkit import vendor_descriptions
from farm.appkit.app import LATEST
from farm.cli.options import (
    Apps,
    Content,
    Json,
    NamedFarm,
    Profile,
    as_person,
    episode_id,
    given_path,
    named_apps,
    print_json,
    with_farm,
)
from farm.cli.tables import print_text
from farm.client import FarmClient, mcp_tools
from farm.connect import menus
from farm.connect.check import check_server
from farm.connect.clients import CLIENTS, Client, Server, find_client, installed_clients
from farm.connect.discovery import ensure_running, farm_command
from farm.connect.files import Written, merge, our_servers, remove, toml_tables, under_version_control
from farm.connect.mcpb import write_bundle
from farm.connect.welcome import INDENT as CARD_INDENT
from farm.connect.welcome import Card, make_card
from farm.connect.yaml_blocks import YamlTable
from farm.context.template import load_world
from farm.errors import FarmError, NotFoundError
from farm.runtime.supervisor.state import FarmState

ALL = "all"
DEFAULT = "default"
_PROVIDERS_NAME_MAX = 64


@dataclass(frozen=True)
class ClientSetup:
    """The result of ``farm connect``.

    Attributes:
        episode: the episode, in the control API's form.
        made: whether this command created it.
        apps: the apps, in the requested order.
        tools: server name → the tools that it lists.
        servers: the servers to enter.
        is_joint: whether one server has all apps.
    """

    episode: Mapping[str, Any]
    made: bool
    apps: tuple[str, ...]
    tools: Mapping[str, Sequence[Mapping[str, Any]]]
    servers: tuple[Server, ...]
    is_joint: bool


@with_farm
def connect(
    named: NamedFarm,
    client_name: Annotated[
        str | None,
        typer.Argument(metavar="[CLIENT]", help=f"{', '.join(CLIENTS)}. Default: those that are installed here."),
    ] = None,
    apps: Apps = None,
    episode: Annotated[str | None, typer.Option(help="An episode's id or label; default: 'default'.")] = None,
    me: Annotated[
        str | None, typer.Option(help="Key of the person who uses it ('farm people'); default: the episode's own.")
    ] = None,
    tools: Annotated[
        str, typer.Option(help="'menu' shows at most 40 tools in all, 'all' every one, or a menu's name.")
    ] = "menu",
    profile: Profile = LATEST,
    together: Annotated[bool, typer.Option("--together", help="One server with all apps.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Merge it into the client's file, keeping a backup.")] = False,
    remove_: Annotated[
        bool, typer.Option("--remove", help="Take the farm's servers out of the client's file, keeping a backup.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Ask each server in the client's file for its tools.")] = False,
    file: Annotated[
        Path | None,
        typer.Option(help="The client's file, if it is not in its usual place.", parser=given_path, metavar="<path>"),
    ] = None,
    mcpb: Annotated[
        Path | None,
        typer.Option(
            "--mcpb", help="Write a bundle that Claude Desktop installs.", parser=given_path, metavar="<path>"
        ),
    ] = None,
    prefix: Annotated[str, typer.Option(help="Prefix of the servers' names.")] = "",
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Print or write the configuration of an MCP client, and a card: who you are, your team, what to try.

    Without a client, the command finds the installed ones. Without --apps, it takes the first apps of the world, such
    as three; '--apps all' takes every app. All clients see the same data, those of the default episode or of --episode.
    The tools that a client sees are part of its addresses, so printing a configuration changes nothing. Only another
    --profile or --me needs an episode of its own; with --episode, --me joins that one with a token of their own.
    --write starts a farm if none runs.

    Example: farm connect claude-code --apps lark,slack --write
    """
    target = None if client_name is None else find_client(client_name)
    if remove_ and (write or check or mcpb):
        raise FarmError("--remove goes without --write, --check and --mcpb")
    if remove_ or check:
        _look_after(named, target, file, as_json=as_json, removes=remove_)
        return
    if target is None:
        targets = _installed(file)
        if not write:
            _overview(named, targets, as_json=as_json)
            return
    else:
        targets = [target]
    if write and named.farm is None and FarmState.load(named.data) is None:
        typer.echo("No farm ran, so one is started; 'farm down' ends it.", err=True)
        ensure_running(named.data)
    control = _client_of(named)
    options = _Wanted(apps, tools, profile, together, me)
    problems = []
    for number, each in enumerate(targets, start=1):
        found, made = _find_episode(control, each, options, episode)
        plan = _plan(control, found, made, options, prefix, named)
        output = _Output(as_json=as_json, is_short=target is None, is_last=number == len(targets))
        try:
            _connect_one(control, named, each, plan, options, file, output, write=write, mcpb=mcpb)
        except FarmError as problem:
            # One client's broken file must not keep the others from being connected.
            problems.append(f"{each.name}: {problem}" if target is None else str(problem))
    if problems:
        raise FarmError("; ".join(problems))


@dataclass(frozen=True)
class _Output:
    """How to print a client's configuration: in short, and whether the card follows."""

    as_json: bool
    is_short: bool
    is_last: bool


def _connect_one(
    control: FarmClient,
    named: NamedFarm,
    target: Client,
    plan: ClientSetup,
    options: _Wanted,
    file: Path | None,
    output: _Output,
    *,
    write: bool,
    mcpb: Path | None,
) -> None:
    """Print or write one client's configuration."""
    config = target.config(plan.servers)
    path = (file or target.file()).expanduser()
    written = merge(target, config, path, _hosts(named)) if write else None
    bundle = None if mcpb is None else write_bundle(mcpb, plan.servers, target)
    if written is not None and (warning := _warning(written, config, plan.servers)):
        typer.echo(warning, err=True)
    card = _card(control, plan)
    if output.as_json:
        print_json(_as_json(target, plan, config, path, written, card))
        return
    if bundle is not None:
        typer.echo(f"{target.title}: {bundle} is a bundle; open it, or drop it on Settings, Extensions.\n")
    else:
        typer.echo("\n".join(_lines(target, plan, config, path, written, is_short=output.is_short)))
    if not output.is_last:
        typer.echo("")
        return
    print_text(_episode_line(target, plan))
    print_text(_size_line(plan) + _more_line(plan, options) + ".")
    for number, line in enumerate(card.lines() if card else ()):
        if number == 0:
            typer.echo("")
        print_text(line[CARD_INDENT:], begin=line[:CARD_INDENT], indent=CARD_INDENT)


def _client_of(named: NamedFarm) -> FarmClient:
    """Return the farm's client.

    Raises:
        FarmError: no farm runs there, or one of another version.
    """
    control = named.client()
    other = control.status().get("version")
    if other != __version__:
        raise FarmError(
            f"this farm runs mcp-farm {other}, and this command is {__version__}; "
            "end it with 'farm down' and start it again with 'farm up', or use its own command"
        )
    return control


# -- which clients ----------------------------------------------------------------------------------------------------


def _installed(file: Path | None) -> list[Client]:
    """Return the clients that are installed here.

    Raises:
        NotFoundError: there is none.
        FarmError: a file is named, and no client.
    """
    if file is not None:
        raise FarmError("--file is the file of one client; name the client, too")
    found = [CLIENTS[name] for name in installed_clients()]
    if not found:
        raise NotFoundError(
            f"no MCP client is found on this machine; name one of {', '.join(CLIENTS)}, such as 'farm connect generic'"
        )
    return found


def _overview(named: NamedFarm, targets: Sequence[Client], *, as_json: bool) -> None:
    """Print which clients are here, which of them are connected, and the next command."""
    rows = []
    for each in targets:
        path = each.file()
        try:
            said = ", ".join(our_servers(each, path, _hosts(named))) or None
            problem = None
        except FarmError as broken:
            said, problem = None, str(broken)
        rows.append(
            {
                "client": each.name,
                "found": each.installed(),
                "file": str(path),
                "servers": said.split(", ") if said else [],
                "problem": problem,
            }
        )
    if as_json:
        print_json(rows)
        return
    for row in rows:
        where = row["problem"] or (f"connected: {', '.join(row['servers'])}" if row["servers"] else "not connected")
        print_text(f"{row['found']}; {where}", begin=f"{row['client']:<16}", indent=16)
    typer.echo("")
    first = next((row["client"] for row in rows if not row["servers"] and not row["problem"]), rows[0]["client"])
    typer.echo(f"Connect one of them:             farm connect {first} --write")
    typer.echo("Connect all of them:             farm connect --write")
    typer.echo("Another client:                  farm connect generic   (or one of 'farm connect --help')")


def _hosts(named: NamedFarm) -> tuple[str, ...]:
    """Return the host of a remote farm."""
    host = urlsplit(named.farm).hostname if named.farm else None
    state = FarmState.load(named.data) if named.farm is None else None
    public = urlsplit(state.agents_url).hostname if state else None
    return tuple(filter(None, (host, public)))


def _look_after(named: NamedFarm, target: Client | None, file: Path | None, *, as_json: bool, removes: bool) -> None:
    """Remove the farm's servers from files of clients, or check them."""
    targets = _installed(file) if target is None else [target]
    told: list[dict[str, Any]] = []
    for each in targets:
        path = (file or each.file()).expanduser()
        servers = our_servers(each, path, _hosts(named))
        if removes:
            written = remove(each, servers, path)
            backup = str(written.backup) if written.backup else None
            told.append({"client": each.name, "file": str(path), "removed": list(servers), "backup": backup})
        else:
            told += [
                {"client": each.name, "file": str(path), "server": name, **check_server(entry)}
                for name, entry in servers.items()
            ]
            if not servers:
                told.append({"client": each.name, "file": str(path), "problem": "no server of a farm is in this file"})
    if as_json:
        print_json(told)
    else:
        for line in told:
            typer.echo(_removed_line(line) if removes else _checked_line(line))
    if any(line.get("problem") for line in told) and not (target is None and len(told) > 1):
        raise typer.Exit(1)


def _removed_line(line: Mapping[str, Any]) -> str:
    if not line["removed"]:
        return f"{line['client']}: {line['file']} has no server of a farm"
    return f"{line['client']}: removed {', '.join(line['removed'])} from {line['file']}; it was {line['backup']}"


def _checked_line(line: Mapping[str, Any]) -> str:
    where = f"{line['client']}: {line['server']}" if "server" in line else line["client"]
    return f"{where}: {line.get('problem') or str(line['tools']) + ' tools'}"


# -- which episode ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Wanted:
    """The options for what a client sees."""

    apps: list[str] | None
    tools: str
    profile: str
    together: bool
    me: str | None


def _find_episode(
    control: FarmClient, target: Client, options: _Wanted, named: str | None
) -> tuple[Mapping[str, Any], bool]:
    """Return the episode to use, and whether it was created just now."""
    if named is not None:
        if options.profile != LATEST:
            raise FarmError("--profile is for a new episode; the one named by --episode has its own already")
        return as_person(control, control.episode(episode_id(control, named)), options.me), False
    default = control.episode(DEFAULT)
    if options.profile == default["profile"] and options.me in (None, default["me"]):
        return default, False
    wanted: dict[str, Any] = {
        "profile": options.profile,
        "label": target.name,
        "menu": {},
        "expires_at": None,
        "calls_max": None,
        "me": options.me or default["me"],
    }
    for each in control.episodes():
        # Another person has other apps.
        if wanted.items() <= each.items() and (options.me or sorted(each["apps"]) == sorted(default["apps"])):
            return control.episode(each["id"]), False
    world = {} if default["world"] is None else {"world": default["world"]}
    person = {} if options.me is None else {"me": options.me}
    made = control.create(profile=options.profile, now="live", label=target.name, **world, **person)
    return control.episode(made["id"]), True


def _apps_of(episode: Mapping[str, Any], options: _Wanted) -> tuple[str, ...]:
    """Return the chosen apps of an episode.

    Raises:
        NotFoundError: it does not have one of them.
    """
    have = tuple(episode["apps"])
    chosen = named_apps(options.apps, have)
    if chosen == [ALL] and ALL not in have:
        return have
    if chosen is None:
        first = [] if episode["world"] is None or options.tools == ALL else load_world(episode["world"]).first_apps
        return tuple(app for app in first if app in have) or have
    for app in chosen:
        if app not in have:
            raise NotFoundError(f"no app '{app}' in episode '{episode['id']}'; it has {', '.join(have)}")
    return tuple(chosen)


# -- the servers ------------------------------------------------------------------------------------------------------


def _plan(
    control: FarmClient, found: Mapping[str, Any], made: bool, options: _Wanted, prefix: str, named: NamedFarm
) -> ClientSetup:
    """Return the servers of a client, and the tools that they list."""
    chosen = _apps_of(found, options)
    menu = menus.choose(chosen, options.tools, found["profile"])
    addresses = (
        _joint_address(found, chosen, menu, options)
        if options.together
        else {app: _address(app, found, menu, options) for app in chosen}
    )
    whereto = _bridge_options(found, named)
    servers = tuple(
        Server(
            prefix + name,
            menus.with_query(each.url, menu=each.menu, apps=each.apps),
            found["token"],
            (*farm_command(), "bridge", each.target, *each.options, *whereto),
            _environment(named),
        )
        for name, each in addresses.items()
    )
    tools = {each.name: mcp_tools(each.url, each.token) for each in servers}
    _require_short_names(tools, prefix)
    return ClientSetup(found, made, chosen, tools, servers, options.together)


@dataclass(frozen=True)
class _Address:
    """The address of one server, before its query: what ``farm bridge`` calls it, and what the client sees of it."""

    target: str
    url: str
    menu: str | None = None
    apps: str | None = None

    @property
    def options(self) -> tuple[str, ...]:
        """The bridge's options for the same."""
        menu = () if self.menu is None else ("--menu", self.menu)
        return menu if self.apps is None else (*menu, "--apps", self.apps)


def _address(app: str, found: Mapping[str, Any], menu: Mapping[str, Sequence[str]], options: _Wanted) -> _Address:
    shown = menus.menu_in_address(menu[app], options.tools) if app in menu else None
    return _Address(app, found["mcp"][app], shown)


def _joint_address(
    found: Mapping[str, Any], apps: Sequence[str], menu: Mapping[str, Sequence[str]], options: _Wanted
) -> dict[str, _Address]:
    shown = None if not menu else f"desktop:{menus.TOOLS_MAX}" if options.tools == "menu" else options.tools
    some = None if set(apps) == set(found["apps"]) else ",".join(apps)
    return {"farm": _Address(ALL, found["mcp_all"], shown, some)}


def _require_short_names(tools: Mapping[str, Sequence[Mapping[str, Any]]], prefix: str) -> None:
    """Raise an error if a tool's name would be too long for models' providers, as clients write it."""
    for server, listed in tools.items():
        longest = max((f"mcp__{server}__{tool['name']}" for tool in listed), key=len, default="")
        if len(longest) > _PROVIDERS_NAME_MAX:
            raise FarmError(
                f"with --prefix {prefix}, '{longest}' has {len(longest)} letters, and models' providers take "
                f"{_PROVIDERS_NAME_MAX}; choose a prefix that is {len(longest) - _PROVIDERS_NAME_MAX} shorter"
            )


def _bridge_options(found: Mapping[str, Any], named: NamedFarm) -> tuple[str, ...]:
    """Return the bridge's options for farm and episode; it runs in another folder, so paths are absolute."""
    episode = () if found["id"] == DEFAULT else ("--episode", str(found["id"]))
    holders = found["holders"]
    if found["id"] != DEFAULT and found["me"] != next(iter(holders), None):
        episode = (*episode, "--me", str(found["me"]))
    if named.farm is None:
        return (*episode, "--data", str(named.data), "--up")
    assert named.token_file is not None  # the control client requires it
    return (*episode, "--farm", named.farm, "--token-file", str(named.token_file.expanduser().absolute()))


def _environment(named: NamedFarm) -> dict[str, str]:
    """Return the environment variables with which a bridge can restart this farm: content, wording, unusual ports."""
    passed_on = ("FARM_CONTENT", vendor_descriptions.VARIABLE)
    environment = {name: os.environ[name] for name in passed_on if os.environ.get(name)}
    state = FarmState.load(named.data) if named.farm is None else None
    if state is not None:
        usual = (("FARM_PORT", 8700, state.agents_url), ("FARM_OPERATOR_PORT", 8701, state.operators_url))
        for name, common, url in usual:
            parts = urlsplit(url)
            # A public URL does not show the local port.
            if parts.netloc.rpartition(":")[0] == state.host and parts.port != common:
                environment[name] = str(parts.port)
    return environment


# -- output -----------------------------------------------------------------------------------------------------------


def _card(control: FarmClient, plan: ClientSetup) -> Card | None:
    found = plan.episode
    if found["world"] is None or found["me"] is None:
        return None
    clock = control.clock(found["id"])
    return make_card(
        load_world(found["world"]),
        found["me"],
        _shown(plan),
        now=datetime.fromisoformat(clock["now"]),
        created_at=datetime.fromisoformat(found["created_at"]),
        is_live=clock["live"],
    )


def _shown(plan: ClientSetup) -> dict[str, list[str]]:
    """Return app → the tools that the client shows of it."""
    listed = [[tool["name"] for tool in tools] for tools in plan.tools.values()]
    if not plan.is_joint:
        return dict(zip(plan.apps, listed, strict=True))
    joint = [name.partition("__") for names in listed for name in names]
    return {app: [rest for of, _, rest in joint if of == app] for app in plan.apps}


def _size(plan: ClientSetup) -> tuple[int, int]:
    return sum(map(len, plan.tools.values())), sum(estimate_tools(each) for each in plan.tools.values())


def _as_json(
    target: Client, plan: ClientSetup, config: Mapping[str, Any], path: Path, written: Written | None, card: Card | None
) -> dict[str, Any]:
    count, tokens = _size(plan)
    return {
        "client": target.name,
        "file": str(path),
        "written": written is not None and written.is_changed,
        "backup": str(written.backup) if written and written.backup else None,
        "config": config,
        "episode": plan.episode["id"],
        "made": plan.made,
        "tools": {name: [tool["name"] for tool in tools] for name, tools in plan.tools.items()},
        "tool_count": count,
        "tokens_estimate": tokens,
        "card": asdict(card) if card else None,
    }


def _lines(
    target: Client,
    plan: ClientSetup,
    config: Mapping[str, Any],
    path: Path,
    written: Written | None,
    *,
    is_short: bool = False,
) -> list[str]:
    lines = _written(target, path, written)
    if not is_short:
        lines += ["", *_config_text(target, plan, config), ""]
    if target.command and written is None:
        lines += ["Or with its own command:", *(f"  {target.command(each)}" for each in plan.servers), ""]
    if written is not None:
        lines.append(target.after if isinstance(target.after, str) else target.after(str(path), plan.servers[0]))
    return [*lines, *target.advice(plan.servers)]


def _written(target: Client, path: Path, written: Written | None) -> list[str]:
    if written is None:
        return [f"{target.title}: put this into {path} (or let --write do it)"]
    if not written.is_changed:
        return [f"{target.title}: {written.file} says so already"]
    kept = f"; what was there is in {written.backup}" if written.backup else ""
    return [f"{target.title}: written to {written.file}{kept}"]


def _warning(written: Written, config: Mapping[str, Any], servers: Sequence[Server]) -> str | None:
    """Return a warning if a bearer was written into a file under version control."""
    text = orjson.dumps(config).decode()
    if not any(each.token is not None and each.token in text for each in servers):
        return None
    folder = under_version_control(written.file)
    if folder is None:
        return None
    where = f"holds the episode's bearer and is under version control in {folder}"
    return f"warning: {written.file} {where}; keep it out of commits"


def _config_text(target: Client, plan: ClientSetup, config: Mapping[str, Any]) -> list[str]:
    if target.form == "yaml":
        table = YamlTable("", target.place[0], "")
        table.put({each.name: target.entry(each) for each in plan.servers})
        return table.text().splitlines()
    if target.form == "toml":
        blocks = [toml_tables((*target.place, each.name), target.entry(each)) for each in plan.servers]
        return "\n".join(blocks).rstrip().splitlines()
    return orjson.dumps(config, option=orjson.OPT_INDENT_2).decode().splitlines()


def _protagonist(plan: ClientSetup) -> str | None:
    world = plan.episode["world"]
    return None if world is None else load_world(world).protagonist


def _episode_line(target: Client, plan: ClientSetup) -> str:
    episode = plan.episode["id"]
    if episode == DEFAULT:
        return "Episode: default, shared by all who connect to it; 'farm watch' shows what they do."
    profile = "" if plan.episode["profile"] == LATEST else f", profile {plan.episode['profile']}"
    watching = "farm watch" if plan.episode["label"] == target.name else f"farm watch {episode}"
    said = f"Episode: {episode}{profile}; '{watching}' shows what is done in it."
    if not plan.made:
        return said
    # A user who only wanted to look should know that an episode was created, and how to remove it.
    what = "profile" if plan.episode["me"] == _protagonist(plan) else "person"
    kept = f"It was made just now for this {what}, and is used again the next time"
    return f"{said} {kept}; to remove it: farm episode drop {episode}"


def _size_line(plan: ClientSetup) -> str:
    count, tokens = _size(plan)
    each = ", ".join(f"{name} {len(tools)}" for name, tools in plan.tools.items())
    return f"Tools: {count} ({each}), about {tokens:,} tokens in each request (estimated at 4 characters a token)"


def _more_line(plan: ClientSetup, options: _Wanted) -> str:
    """Return how to get more apps and tools."""
    told = []
    if set(plan.apps) != set(plan.episode["apps"]) and options.apps is None:
        told.append("--apps names others, or all")
    if menus.choose(plan.apps, options.tools, plan.episode["profile"]):
        if options.tools == "menu" and menus.is_reduced(plan.apps, plan.episode["profile"]):
            told.append("fewer apps show more of each")
        told.append("'--tools all' shows every one")
    return "".join(f"; {each}" for each in told)


COMMANDS: dict[str, Any] = {"connect": connect}
