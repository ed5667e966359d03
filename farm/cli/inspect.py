"""``farm apps``, ``tools``, ``tables``, ``worlds``, ``people`` and ``call``."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm import content
from farm._util.json_io import dumps
from farm._util.names import list_names
from farm._util.plurals import pluralize
from farm.appkit.app import LATEST
from farm.cli.options import Content, Json, episode_id, parse_object, print_json, with_farm
from farm.cli.tables import column_width, print_text
from farm.client import FarmClient, mcp_call
from farm.context.trace import Call
from farm.errors import FarmError, NotFoundError

if TYPE_CHECKING:
    from sqlalchemy import Table


_BESIDE_TOOLS = {"prompts": "prompt", "resources": "resource", "resource_templates": "resource template"}


def apps(
    as_json: Json = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print docs/apps.md: coverage, fidelity and sizes of every app.")
    ] = False,
    _: Content = None,
) -> None:
    """List the apps. The status is 1 if one of them cannot be loaded.

    Example: farm apps --json
    """
    if markdown:
        from farm.traverse.fidelity.overview import overview

        typer.echo(overview(), nl=False)
        return
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
        width = column_width(each["app"] for each in found)
        for each in found:
            older = [name for name in each["profiles"] if name != LATEST]
            known = f"; profiles {', '.join(older)}" if older else ""
            tools = f"{each['app']:<{width}} {pluralize(each['tools'], 'tool'):>9}"
            beside = [pluralize(each[key], noun) for key, noun in _BESIDE_TOOLS.items() if each[key]]
            others = f"; {', '.join(beside)}" if beside else ""
            typer.echo(f"{tools}  {each['title']} ({each['category']}){others}{known}")
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
        "tools": len(loaded.tool_schemas),
        "prompts": len(loaded.features.prompts or ()),
        "resources": len(loaded.features.resources or ()),
        "resource_templates": len(loaded.features.templates or ()),
        "profiles": list(loaded.profiles),
        "menus": sorted(loaded.app.menus),
    }


def tools(
    app: Annotated[str, typer.Argument(help="The app.")],
    tool: Annotated[str | None, typer.Argument(help="Show this tool's full description and arguments.")] = None,
    profile: Annotated[str, typer.Option(help="One of the app's profiles; see 'farm apps'.")] = LATEST,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """List an app's tools, each with the beginning of its description; or show one as an agent sees it.

    Example: farm tools slack slack_post_message
    """
    loaded = content.load_app(app, profile)
    shown = loaded.tool_schemas if tool is None else [each for each in loaded.tool_schemas if each["name"] == tool]
    if not shown:
        have = list_names((each["name"] for each in loaded.tool_schemas), str(tool))
        raise NotFoundError(f"no tool '{tool}' of app '{app}'; have {have}")
    if as_json:
        print_json(shown if tool is None else shown[0])
        return
    if tool is not None:
        print_text(shown[0]["description"])
        print_json(shown[0]["inputSchema"])
        return
    if loaded.note:
        print_text(f"{profile}: {loaded.note}\n")
    for each in shown:
        typer.echo(each["name"])
        print_text(_first_sentence(each["description"]), begin="    ", indent=4)
    typer.echo(f"\none of them whole: farm tools {app} {shown[0]['name']}; all of them: --json", err=True)


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.。])\s", text, maxsplit=1)[0]


def tables(
    app: Annotated[str, typer.Argument(help="The app.")],
    table: Annotated[str | None, typer.Argument(help="Show only this table.")] = None,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """List an app's tables and columns, by the names that checkpoints, lookups and diffs use.

    Each column has a role (docs/new-app.md lists them). The app itself sets server_managed columns. A new row has the
    usual value in a column unless a task names it.

    Example: farm tables slack
    """
    declared = content.load_app(app).schema.tables
    found = [_describe_table(each) for each in declared if table in (None, each.name)]
    if table is not None and not found:
        raise NotFoundError(f"no table '{table}' in {app}; have {list_names((each.name for each in declared), table)}")
    if as_json:
        print_json(found)
        return
    for each in found:
        typer.echo(each["table"])
        for column in each["columns"]:
            marks = [column["type"], *filter(None, (column["role"], column["format"]))]
            marks += ["key"] if column["key"] and column["role"] != "key" else []
            marks += ["json"] if column["json"] else []
            marks += [f"stored as {column['time']}"] if column["time"] else []
            marks += [f"seen by {column['seen_by']}"] if column["seen_by"] != "everyone" else []
            marks += [f"of {column['refers_to']}"] if column["refers_to"] else []
            marks += ["server_managed"] if column["server_managed"] else []
            marks += [f"deleted when {column['deleted_value']}"] if column["deleted_value"] else []
            typer.echo(f"    {column['column']:<22} {', '.join(marks)}")


def _describe_table(declared: Table) -> dict[str, Any]:
    return {
        "table": declared.name,
        "columns": [
            {
                "column": each.name,
                "type": str(each.type).lower(),
                "role": each.info.get("role"),
                "format": each.info.get("format"),
                "seen_by": each.info.get("seen_by"),
                "key": each.primary_key,
                "time": each.info["time"],
                "json": bool(each.info.get("json")),
                "refers_to": next((key.target_fullname for key in each.foreign_keys), None),
                "server_managed": bool(each.info.get("server_managed")),
                "deleted_value": each.info.get("deleted_value"),
            }
            for each in declared.columns
        ],
    }


def people(
    world: Annotated[str | None, typer.Argument(help="The world; default: that of a new farm.")] = None,
    asked: Annotated[
        str | None, typer.Option("--try", metavar="TEXT", help="Show who would answer this text, and with what.")
    ] = None,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """List a world's people: the keys that tasks use, names, and the apps each has an account in.

    With --try, list the rules by which people would answer a text, and what else each rule asks.

    Example: farm people mini --try "how many chairs?"
    """
    from farm.benchmark.scoring.initial_state import load_start
    from farm.benchmark.scoring.people_listing import list_people
    from farm.cli.up import choose_world

    world = choose_world(world)
    if world is None:
        raise FarmError(f"name one of the worlds: {', '.join(content.world_names()) or 'there is none'}")
    if asked is not None:
        _try_text(world, asked, as_json=as_json)
        return
    found = [{**each, "apps": list(each["accounts"])} for each in list_people(load_start(world))]
    if as_json:
        print_json(found)
        return
    for each in found:
        who = " ".join(filter(None, (each["name_zh"], each["name_en"])))
        me = " (me)" if each["is_protagonist"] else ""
        typer.echo(
            f"{each['person']:<18} {who}{me}, {each['organisation'] or 'alone'}: {', '.join(each['apps']) or '-'}"
        )


def _try_text(world: str, text: str, *, as_json: bool) -> None:
    """List the rules of a world's people whose words a text meets."""
    from farm.context.template import load_world
    from farm.context.world_people import try_text

    found = list(try_text(load_world(world), text))
    if as_json:
        print_json(found)
        return
    for each in found:
        rest = ", ".join(f"{name} {_short(wanted)}" for name, wanted in each["if"].items())
        typer.echo(f"{each['who']}  {each['id']}  {each['app']}.{each['table']}{f'  if {rest}' if rest else ''}")
        for step in each["then"]:
            said = next((step[name] for name in ("text", "emoji") if name in step), "")
            typer.echo(f"  after {step['after']}  {step['do']}  {said if isinstance(said, str) else ' | '.join(said)}")
    if not found:
        typer.echo("nobody answers that")


def _short(wanted: Any) -> str:
    return wanted if isinstance(wanted, str) else dumps(wanted).decode()


def worlds(as_json: Json = False, _: Content = None) -> None:
    """List the worlds, with their rows.

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
        width = column_width(each["rows_by_app"])
        for app, count in each["rows_by_app"].items():
            typer.echo(f"    {app:<{width}} {pluralize(count, 'row')}")


@with_farm
def call(
    control: FarmClient,
    app: Annotated[str, typer.Argument(help="The app.")],
    tool: Annotated[str, typer.Argument(help="The tool.")],
    arguments: Annotated[str, typer.Argument(help="The arguments as JSON.")] = "{}",
    episode: Annotated[str, typer.Option(help="The episode, by its id or label.")] = "default",
    me: Annotated[
        str | None, typer.Option(help="The person who calls, of an episode with several; default: its first.")
    ] = None,
) -> None:
    """Call one tool and print the agent's answer. The status is 1 if the call was refused.

    Example: farm call slack slack_list_channels '{"limit": 3}'
    """
    given = parse_object(arguments, "the third argument")
    found = control.episode(episode_id(control, episode))
    episode = found["id"]
    if app not in found["mcp"]:
        raise NotFoundError(f"episode '{episode}' has no app '{app}'; it has {', '.join(found['mcp'])}")
    if app in found["broken"]:
        raise FarmError(found["broken"][app])
    token = found["token"] if me is None else _token_of(found, me)
    result = mcp_call(found["mcp"][app], tool, given, token)
    for item in result.get("content", ()):
        typer.echo(item["text"] if item["type"] == "text" else f"[{item['type']} {item.get('mimeType', '')}]")
    if "error" in result:
        typer.echo(f"error {result['error']['code']}: {result['error']['message']}", err=True)
    since = control.calls(episode, app=app, after=found["calls_by_app"][app], results=False)
    if "error" in result or result.get("isError") or _was_refused(since, app, tool, given):
        _print_unknown_tool(app, tool)
        sys.exit(1)


def _token_of(found: Mapping[str, Any], person: str) -> str | None:
    """Return the token of a person who acts in an episode.

    Raises:
        NotFoundError: they do not act there.
    """
    holders = found["holders"]
    if person not in holders:
        raise NotFoundError(f"'{person}' does not act in episode '{found['id']}'; there are {', '.join(holders)}")
    token: str | None = holders[person]["token"]
    return token


def _print_unknown_tool(app: str, tool: str) -> None:
    """Print what the vendor's refusal does not say: that the app has no such tool, and the nearest."""
    from farm.benchmark.tasks.toml_schema import near

    known = content.load_app(app).bound if app in content.app_names() else {tool: None}
    if tool not in known:
        typer.echo(f"no tool '{tool}' in '{app}'; see 'farm tools {app}'{near(tool, known)}", err=True)


def _was_refused(made: list[Call], app: str, tool: str, arguments: dict[str, Any]) -> bool:
    """Return whether a call just made was refused: some apps word a refusal without ``isError``."""
    ours = [each for each in made if (each["app"], each["tool"], each["arguments"]) == (app, tool, arguments)]
    return bool(ours) and ours[-1]["refused"]


COMMANDS: dict[str, Any] = {
    "apps": apps,
    "tools": tools,
    "tables": tables,
    "worlds": worlds,
    "people": people,
    "call": call,
}
