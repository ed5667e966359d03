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

from farm._util.token_estimate import estimate_tools
from farm.appkit import vendor_descriptions
from farm.appkit.app import LATEST
from farm.cli.options import (
    Apps,
    Content,
    Json,
    NamedFarm,
    Profile,
    episode_id,
    given_path,
    named_apps,
    print_json,
    with_farm,
)
from farm.cli.tables import print_text
from farm.client import FarmClient, mcp_tools
from farm.connect import menus
from farm.connect.clients import Client, Server, find_client
from farm.connect.discovery import farm_command
from farm.connect.files import Written, merge, toml_tables, under_version_control
from farm.connect.welcome import INDENT as CARD_INDENT
from farm.connect.welcome import Card, make_card
from farm.context.template import load_world
from farm.errors import FarmError, NotFoundError
from farm.runtime.supervisor.state import FarmState

ALL = "all"
DEFAULT = "default"


@dataclass(frozen=True)
class ClientSetup:
    """The result of ``farm connect``.

    Attributes:
        episode: the episode, in the control API's form.
        made: whether this command created it.
        apps: the apps, in the requested order.
        tools: server name → the tools that it lists.
        servers: the servers to enter.
    """

    episode: Mapping[str, Any]
    made: bool
    apps: tuple[str, ...]
    tools: Mapping[str, Sequence[Mapping[str, Any]]]
    servers: tuple[Server, ...]


@with_farm
def connect(
    named: NamedFarm,
    control: FarmClient,
    client_name: Annotated[
        str,
        typer.Argument(
            metavar="CLIENT", help="claude-desktop, claude-code, openclaw, cursor, vscode, codex or inspector."
        ),
    ],
    apps: Apps = None,
    episode: Annotated[str | None, typer.Option(help="An episode's id or label; it keeps its own menu.")] = None,
    tools: Annotated[
        str, typer.Option(help="'menu' shows at most 40 tools in all, 'all' every one, or a menu's name.")
    ] = "menu",
    profile: Profile = LATEST,
    together: Annotated[bool, typer.Option("--together", help="One server with all apps.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Merge it into the client's file, keeping a backup.")] = False,
    file: Annotated[
        Path | None,
        typer.Option(help="The client's file, if it is not in its usual place.", parser=given_path, metavar="<path>"),
    ] = None,
    prefix: Annotated[str, typer.Option(help="Prefix of the servers' names.")] = "",
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Print or write the configuration of an MCP client, and a card: who you are, your team, what to try.

    A menu belongs to an episode. With all tools, the client uses the default episode. With some tools, it uses a live
    episode that is created for it, so that the printed configuration works at once. The same options use the same
    episode again; the output says how to remove it. --tools all creates none.

    Example: farm connect claude-desktop --apps lark,slack --write
    """
    target = find_client(client_name)
    if episode is None:
        found, made = _find_episode(control, target, _Wanted(apps, tools, profile, together))
    elif tools == "menu" and profile == LATEST:
        found, made = control.episode(episode_id(control, episode)), False
    else:
        option = "--profile" if tools == "menu" else "--tools"
        raise FarmError(f"{option} is for a new episode; the one named by --episode has its own already")
    chosen = _apps_of(found, apps)
    whereto = _bridge_options(found, named)
    servers = tuple(_servers(found, chosen, together, prefix, whereto, _environment(named)))
    plan = ClientSetup(found, made, chosen, {each.name: mcp_tools(each.url, each.token) for each in servers}, servers)
    config = target.config(list(servers))
    path = (file or target.file()).expanduser()
    written = merge(target, config, path) if write else None
    if written is not None and (warning := _warning(written, config, servers)):
        typer.echo(warning, err=True)
    card = _card(control, found, chosen)
    if as_json:
        print_json(_as_json(target, plan, config, path, written, card))
        return
    typer.echo("\n".join(_lines(target, plan, config, path, written)))
    print_text(_episode_line(target, plan))
    print_text(_size_line(plan) + (_more_line(plan, tools) if episode is None else "") + ".")
    for number, line in enumerate(card.lines() if card else ()):
        if number == 0:
            typer.echo("")
        print_text(line[CARD_INDENT:], begin=line[:CARD_INDENT], indent=CARD_INDENT)


# -- which episode ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Wanted:
    """The options for choosing an episode."""

    apps: list[str] | None
    tools: str
    profile: str
    together: bool


def _find_episode(control: FarmClient, target: Client, options: _Wanted) -> tuple[Mapping[str, Any], bool]:
    """Return the episode to use, and whether it was created just now."""
    default = control.episode(DEFAULT)
    chosen = _apps_of(default, options.apps)
    menu = menus.choose(chosen, options.tools, options.profile)
    # The address of all apps serves every app of its episode, so a choice of apps needs a separate episode.
    apps = sorted(chosen if options.together else default["apps"])
    wanted = {"apps": apps, "menu": menu, "profile": options.profile, "now": "live"}
    if not menu and apps == sorted(default["apps"]) and options.profile == default["profile"]:
        return default, False
    wanted_of_old = {**wanted, "label": target.name, "expires_at": None, "calls_max": None}
    for each in control.episodes():
        if wanted_of_old.items() <= {**each, "apps": sorted(each["apps"])}.items():
            return control.episode(each["id"]), False
    wanted |= {} if default["world"] is None else {"world": default["world"]}
    made = control.create(**wanted, label=target.name)
    return control.episode(made["id"]), True


def _apps_of(episode: Mapping[str, Any], named: list[str] | None) -> tuple[str, ...]:
    """Return the chosen apps of an episode.

    Raises:
        NotFoundError: it does not have one of them.
    """
    have = tuple(episode["apps"])
    chosen = named_apps(named, have)
    if chosen is None:
        return have
    for app in chosen:
        if app not in have:
            raise NotFoundError(f"no app '{app}' in episode '{episode['id']}'; it has {', '.join(have)}")
    return tuple(chosen)


# -- the servers ------------------------------------------------------------------------------------------------------


def _bridge_options(found: Mapping[str, Any], named: NamedFarm) -> tuple[str, ...]:
    """Return the bridge's options for farm and episode; it runs in another folder, so paths are absolute."""
    episode = () if found["id"] == DEFAULT else ("--episode", str(found["id"]))
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


def _servers(
    found: Mapping[str, Any],
    apps: Sequence[str],
    together: bool,
    prefix: str,
    options: tuple[str, ...],
    environment: Mapping[str, str],
) -> list[Server]:
    if together:
        if set(apps) != set(found["apps"]):
            raise FarmError(
                f"--together connects every app of the episode ({', '.join(found['apps'])}); leave out --apps"
            )
        wanted = {"farm": (ALL, found["mcp_all"])}
    else:
        wanted = {app: (app, found["mcp"][app]) for app in apps}
    return [
        Server(prefix + name, url, found["token"], (*farm_command(), "bridge", app, *options), environment)
        for name, (app, url) in wanted.items()
    ]


# -- output -----------------------------------------------------------------------------------------------------------


def _card(control: FarmClient, found: Mapping[str, Any], apps: Sequence[str]) -> Card | None:
    if found["world"] is None or found["me"] is None:
        return None
    clock = control.clock(found["id"])
    return make_card(
        load_world(found["world"]),
        found["me"],
        apps,
        now=datetime.fromisoformat(clock["now"]),
        created_at=datetime.fromisoformat(found["created_at"]),
        is_live=clock["live"],
    )


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
    target: Client, plan: ClientSetup, config: Mapping[str, Any], path: Path, written: Written | None
) -> list[str]:
    lines = [*_written(target, path, written), "", *_config_text(target, plan, config), ""]
    if target.command and written is None:
        lines += ["Or with its own command:", *(f"  {target.command(each)}" for each in plan.servers), ""]
    if written is not None:
        lines.append(target.after if isinstance(target.after, str) else target.after(str(path), plan.servers[0]))
    return lines + ([target.note()] if target.note else [])


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
    if target.form == "toml":
        blocks = [toml_tables((*target.place, each.name), target.entry(each)) for each in plan.servers]
        return "\n".join(blocks).rstrip().splitlines()
    return orjson.dumps(config, option=orjson.OPT_INDENT_2).decode().splitlines()


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
    kept = "It was made just now for this menu, and is used again the next time"
    return f"{said} {kept}; to remove it: farm episode drop {episode}"


def _size_line(plan: ClientSetup) -> str:
    count, tokens = _size(plan)
    each = ", ".join(f"{name} {len(tools)}" for name, tools in plan.tools.items())
    return f"Tools: {count} ({each}), about {tokens:,} tokens in each request (estimated at 4 characters a token)"


def _more_line(plan: ClientSetup, tools: str) -> str:
    """Return how to get more of the tools, for an episode that was found or made for these options."""
    if not plan.episode["menu"]:
        return ""
    is_shared = tools == "menu" and menus.is_reduced(plan.apps, plan.episode["profile"])
    return f"; {'fewer apps show more of each, ' if is_shared else ''}'--tools all' shows every one"


COMMANDS: dict[str, Any] = {"connect": connect}
