"""``farm apps``, ``tools``, ``worlds`` and ``call``."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from farm import content
from farm.app import LATEST
from farm.cli.options import Content, Data, FarmUrl, Json, TokenFile, client, parse_object, print_json
from farm.client import mcp_call
from farm.errors import FarmError, NotFound


def apps(as_json: Json = False, _: Content = None) -> None:
    """List the apps there are. The status is 1 when one of them cannot be loaded.

    Example: farm apps --json
    """
    found: list[dict[str, Any]] = []
    broken: list[str] = []
    for name in content.app_names():
        try:
            found.append(_describe(name))
        except FarmError as problem:
            broken.append(str(problem))
    if as_json:
        print_json(found)
    else:
        for each in found:
            older = [name for name in each["profiles"] if name != LATEST]
            known = f"; profiles {', '.join(older)}" if older else ""
            typer.echo(f"{each['app']:<12} {each['tools']:>3} tools  {each['title']} ({each['category']}){known}")
    for told in broken:
        typer.echo(f"farm: {told}", err=True)
    if broken:
        sys.exit(1)


def _describe(name: str) -> dict[str, Any]:
    loaded = content.load_app(name)
    return {
        "app": name,
        "title": loaded.app.title,
        "category": loaded.app.category,
        "tools": len(loaded.contract),
        "profiles": list(loaded.profiles),
        "menus": sorted(loaded.app.menus),
    }


def tools(
    app: Annotated[str, typer.Argument(help="The app.")],
    profile: Annotated[str, typer.Option(help="One of the app's profiles; see 'farm apps'.")] = LATEST,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """List an app's tools as an agent sees them.

    Example: farm tools slack
    """
    loaded = content.load_app(app, profile)
    if as_json:
        print_json(loaded.contract)
        return
    if loaded.note:
        typer.echo(f"{profile}: {loaded.note}\n")
    for tool in loaded.contract:
        typer.echo(f"{tool['name']}\n    {tool['description']}")


def worlds(as_json: Json = False, _: Content = None) -> None:
    """List the worlds there are, with their rows.

    Example: farm worlds
    """
    from farm.context.template import load_world

    found: list[dict[str, Any]] = []
    for name in content.world_names():
        known = load_world(name)
        rows = {}
        for app in known.apps:
            if path := content.find_rows(name, app):
                with path.open("rb") as lines:
                    rows[app] = sum(1 for line in lines if line.strip())
        found.append(
            {"name": name, "title": known.title, "apps": known.apps, "rows": sum(rows.values()), "rows_by_app": rows}
        )
    if as_json:
        print_json(found)
        return
    for each in found:
        typer.echo(f"{each['name']}: {each['title']}")
        for app, count in each["rows_by_app"].items():
            typer.echo(f"    {app:<10} {count} rows")


def call(
    app: Annotated[str, typer.Argument(help="The app.")],
    tool: Annotated[str, typer.Argument(help="The tool.")],
    arguments: Annotated[str, typer.Argument(help="The arguments as JSON.")] = "{}",
    episode: Annotated[str, typer.Option(help="The episode.")] = "default",
    data: Data = ...,  # type: ignore[assignment] # filled by its default factory
    farm: FarmUrl = None,
    token_file: TokenFile = None,
) -> None:
    """Call one tool and print what an agent would get. The status is 1 when the call was refused.

    Example: farm call slack slack_list_channels '{"limit": 3}'
    """
    given = parse_object(arguments, "the third argument")
    control = client(farm, token_file, data)
    found = control.episode(episode)
    if app not in found["mcp"]:
        raise NotFound(f"episode '{episode}' has no app '{app}'; it has {', '.join(found['mcp'])}")
    result = mcp_call(found["mcp"][app], tool, given, found["token"])
    for item in result.get("content", ()):
        typer.echo(item["text"] if item["type"] == "text" else f"[{item['type']} {item.get('mimeType', '')}]")
    if "error" in result:
        typer.echo(f"error {result['error']['code']}: {result['error']['message']}", err=True)
    if "error" in result or result.get("isError"):
        sys.exit(1)


COMMANDS: dict[str, Any] = {"apps": apps, "tools": tools, "worlds": worlds, "call": call}
