"""``farm open``: opens the page that shows an episode's apps and follows the agent."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

import typer

from farm.cli.options import Content, Json, NamedFarm, print_json, with_farm
from farm.cli.watch import choose
from farm.context.settings import DEFAULT


@with_farm
def open_(
    named: NamedFarm,
    episode: Annotated[str, typer.Argument(help="Id or label of the episode to show first.")] = DEFAULT,
    read_only: Annotated[bool, typer.Option("--read-only", help="A page that cannot change anything.")] = False,
    task: Annotated[
        str | None, typer.Option(metavar="SUITE/TASK", help="The bill says what this task asked for.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write one HTML file to share, and open nothing.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open it in the browser.")] = True,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Open the page of an episode: its apps as people know them, live as the agent acts.

    The address signs in one browser, within a minute. A saved file needs no farm, and has no token.

    Example: farm open --save episode.html
    """
    control = named.client()
    (shown,) = choose(control.episodes(), episode)
    if save is not None:
        save.write_bytes(control.page(shown["id"], task))
        typer.echo(f"{save}: {save.stat().st_size / 1e6:.1f} MB; everybody who has it sees all rows of this episode")
        return
    made = control.request("POST", "/v1/page/codes", {"read_only": read_only})
    wanted = {"code": made["code"], "episode": shown["id"]} | ({"task": task, "panel": "bill"} if task else {})
    url = f"{control.url}/#{urlencode(wanted)}"
    if as_json:
        print_json({"url": url, "expires_in_s": made["expires_in_s"], "read_only": read_only})
        return
    typer.echo(url)
    if browser and not webbrowser.open(url):
        typer.echo("no browser opens here; open the address yourself within a minute", err=True)


COMMANDS: dict[str, Any] = {"open": open_}
