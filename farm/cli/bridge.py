"""``farm bridge``: stdin and stdout to one app of a farm, for clients that support only stdio."""

from __future__ import annotations

import asyncio
import os
from typing import Annotated, Any

import typer

from farm.cli.options import Content, NamedFarm, as_person, episode_id, with_farm
from farm.errors import FarmError, NotFoundError

ALL = "all"
TOKEN_VARIABLE = "FARM_BEARER"


@with_farm
def bridge(
    named: NamedFarm,
    app: Annotated[str, typer.Argument(metavar="APP|URL", help="The app, 'all' for all apps as one server, or a URL.")],
    up: Annotated[bool, typer.Option("--up", help="Start a farm if none runs on the data folder.")] = False,
    episode: Annotated[str, typer.Option(help="The episode, by its id or label.")] = "default",
    me: Annotated[str | None, typer.Option(help="Key of the person who uses it; default: the episode's own.")] = None,
    menu: Annotated[str | None, typer.Option(help="The tools shown, such as desktop:12; default: all.")] = None,
    apps: Annotated[str | None, typer.Option(help="The apps of 'all', with commas; default: all.")] = None,
    _: Content = None,
) -> None:
    """Connect a client that supports only stdio to a farm. Stdout carries only the protocol.

    For a URL, FARM_BEARER holds the bearer, if the episode requires one.

    Example: farm bridge lark --up
    """
    from farm.connect.menus import with_query
    from farm.connect.stdio_bridge import EndpointAddress, StdioBridge

    async def find() -> EndpointAddress:
        if "://" in app:
            return EndpointAddress(app, os.environ.get(TOKEN_VARIABLE))
        url, token = await asyncio.to_thread(_look_up, app, episode, me, up, named)
        return EndpointAddress(with_query(url, menu=menu, apps=apps), token)

    if "://" in app and up:
        raise FarmError("--up starts the farm of a data folder; with a URL there is none to start")
    asyncio.run(StdioBridge(find).run())


def _look_up(app: str, episode: str, me: str | None, up: bool, named: NamedFarm) -> tuple[str, str | None]:
    """Return address and bearer of an app in an episode."""
    if up and named.farm is None:
        from farm.connect.discovery import ensure_running

        ensure_running(named.data)
    control = named.client()
    try:
        found = as_person(control, control.episode(episode_id(control, episode)), me)
    finally:
        control.close()
    if app == ALL:
        return found["mcp_all"], found["token"]
    if app not in found["mcp"]:
        raise NotFoundError(f"episode '{episode}' has no app '{app}'; it has {', '.join(found['mcp'])} (or '{ALL}')")
    return found["mcp"][app], found["token"]


COMMANDS: dict[str, Any] = {"bridge": bridge}
