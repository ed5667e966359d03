"""``farm episode …``: the control API's operations as commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import orjson
import typer

from farm._util.json_io import dumps
from farm._util.names import split_names
from farm._util.plurals import pluralize
from farm._util.sizes import format_size
from farm._util.sockets import keep_private
from farm.appkit.app import LATEST
from farm.cli.options import Apps, Json, NamedFarm, Profile, parse_object, print_json, with_farm
from farm.cli.tables import column_width, print_text
from farm.client import FarmClient
from farm.context.changes import Changes
from farm.errors import FarmError

episode = typer.Typer(no_args_is_help=True)

_PAGE = 1000  # rows that one request gets, when a path selects among them
Id = Annotated[str, typer.Argument(metavar="EPISODE", help="Its id, or its label if no other has it.")]


@episode.command()
@with_farm
def create(
    control: FarmClient,
    world: Annotated[str | None, typer.Option(help="The world; default: the farm's own.")] = None,
    apps: Apps = None,
    seed: Annotated[int, typer.Option(help="Integer from which ids are derived.")] = 0,
    now: Annotated[str | None, typer.Option(help="Start of the clock, RFC 3339, or 'live'.")] = None,
    me: Annotated[str | None, typer.Option(help="Key of the person whose accounts the agent uses.")] = None,
    menu: Annotated[str | None, typer.Option(help="Name of a menu, or JSON of app to menu or tools.")] = None,
    profile: Profile = LATEST,
    label: Annotated[str | None, typer.Option(help="Free text.")] = None,
    calls_max: Annotated[int | None, typer.Option(help="Maximum number of calls over all apps.")] = None,
    expires_at: Annotated[str | None, typer.Option(help="Wall time after which calls are refused, RFC 3339.")] = None,
    as_json: Json = False,
) -> None:
    """Create an episode and print its id, its token and its addresses.

    Example: farm episode create --seed 7 --apps lark,slack --calls-max 20
    """
    wishes: dict[str, Any] = {"world": world, "now": now, "me": me, "label": label}
    wishes |= {"apps": split_names(apps) or None, "profile": profile}
    wishes |= {"calls_max": calls_max, "expires_at": expires_at}
    if menu is not None:
        wishes["menu"] = parse_object(menu, "--menu") if menu.startswith("{") else menu
    chosen = {name: value for name, value in wishes.items() if value is not None}
    made = control.create(seed=seed, **chosen)
    if as_json:
        print_json(made)
        return
    typer.echo(f"{made['id']}\ntoken {made['token']}\nall   {made['mcp_all']}")
    width = column_width(made["mcp"])
    for app, url in made["mcp"].items():
        played = "" if profile == LATEST else f"  ({made['profiles'][app]})"
        typer.echo(f"  {app:<{width}} {url}{played}")


@episode.command(name="list")
@with_farm
def list_(control: FarmClient, as_json: Json = False) -> None:
    """List every episode, oldest first.

    Example: farm episode list
    """
    found = control.episodes()
    if as_json:
        print_json(found)
        return
    width = max((len(each["id"]) for each in found), default=0) + 2
    for each in found:
        label = f"{each['label']}  " if each["label"] else ""
        said = f"{label}{each['world']}  {each['now']}  {', '.join(each['apps'])}"
        print_text(said, begin=f"{each['id']:<{width}}", indent=width)


@episode.command()
@with_farm
def show(control: FarmClient, id_: Id, as_json: Json = False) -> None:
    """Show one episode with its token, addresses, limits and clock.

    Example: farm episode show default
    """
    found = control.episode(id_)
    if as_json:
        print_json(found)
        return
    width = column_width(found)
    for name, value in found.items():
        if isinstance(value, dict) and value:
            key_width = column_width(value)
            for number, (key, each) in enumerate(value.items()):
                typer.echo(f"{'' if number else name:<{width}} {key:<{key_width}} {_format(each)}")
        else:
            typer.echo(f"{name:<{width}} {_format(value)}")


def _format(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


@episode.command()
@with_farm
def reset(control: FarmClient, id_: Id, as_json: Json = False) -> None:
    """Return an episode to its world's start.

    Example: farm episode reset default
    """
    done = control.reset(id_)
    _say(done, f"{id_} is back at its start", as_json)


@episode.command()
@with_farm
def snapshot(
    control: FarmClient,
    id_: Id,
    name: Annotated[str | None, typer.Option(help="Its name; default: s1, s2 …")] = None,
    as_json: Json = False,
) -> None:
    """Save one consistent snapshot over all apps.

    Example: farm episode snapshot default --name before
    """
    taken = control.snapshot(id_, name)
    _say({"snapshot": taken}, taken, as_json)


@episode.command()
@with_farm
def snapshots(control: FarmClient, id_: Id, as_json: Json = False) -> None:
    """List an episode's snapshots, oldest first.

    Example: farm episode snapshots default
    """
    found = control.snapshots(id_)
    _say(found, "\n".join(f"{each['snapshot']}  {each['created_at']}" for each in found), as_json)


@episode.command()
@with_farm
def restore(
    control: FarmClient,
    id_: Id,
    name: Annotated[str, typer.Argument(help="The snapshot.")],
    as_json: Json = False,
) -> None:
    """Return an episode to a snapshot.

    Example: farm episode restore default before
    """
    done = control.restore(id_, name)
    _say(done, f"{id_} is back at '{name}'", as_json)


@episode.command()
@with_farm
def fork(
    control: FarmClient,
    id_: Id,
    snapshot: Annotated[str | None, typer.Option(help="Copy the episode as it was at this snapshot.")] = None,
    count: Annotated[int, typer.Option(help="How many copies.")] = 1,
    as_json: Json = False,
) -> None:
    """Copy an episode; the copies are independent.

    Example: farm episode fork default --count 3
    """
    made = control.fork(id_, snapshot=snapshot, count=count)
    _say(made, "\n".join(f"{each['id']}  token {each['token']}" for each in made), as_json)


@episode.command()
@with_farm
def diff(
    control: FarmClient,
    id_: Id,
    since: Annotated[str, typer.Option(help="'start' or a snapshot.")] = "start",
    with_reverted: Annotated[bool, typer.Option("--reverted", help="Show reverted changes, too.")] = False,
    as_json: Json = False,
) -> None:
    """Show the changed rows.

    Example: farm episode diff default --since before
    """
    changes = control.changes(id_, since) if with_reverted else Changes(control.diff(id_, since), {})
    found = changes.diff
    if as_json:
        print_json({"apps": found} | ({"reverted": changes.reverted} if with_reverted else {}))
        return
    lines = [
        f"{app}.{table} {change['op']} {orjson.dumps(change['key']).decode()} {_changed(change)}"
        for app, tables in found.items()
        for table, changed in tables.items()
        for change in changed
    ]
    lines += [
        f"{app}.{table} reverted {orjson.dumps(each['key']).decode()} {_undone(each)}"
        for app, tables in changes.reverted.items()
        for table, rows in tables.items()
        for each in rows
    ]
    typer.echo("\n".join(lines) or "nothing has changed")


def _undone(reverted: Mapping[str, Any]) -> str:
    steps = ", ".join(f"{step['op']} by call {step['call']}" for step in reverted["steps"])
    return f"{', '.join(reverted['columns'])}: {steps}" if reverted["columns"] else steps


def _changed(change: Mapping[str, Any]) -> str:
    old, new = change["old"] or {}, change["new"] or {}
    if change["op"] == "update":
        return ", ".join(f"{name}: {old[name]!r} -> {new[name]!r}" for name in new if old[name] != new[name])
    return ", ".join(f"{name}={value!r}" for name, value in (new or old).items() if value not in (None, ""))


@episode.command()
@with_farm
def calls(
    control: FarmClient,
    id_: Id,
    after: Annotated[int, typer.Option(help="Skip this many calls.")] = 0,
    limit: Annotated[int, typer.Option(help="Show at most this many calls.")] = 1000,
    as_json: Json = False,
) -> None:
    """Show the calls of all apps in order.

    Example: farm episode calls default --limit 20
    """
    found = control.calls(id_, after=after, limit=limit, results=as_json)
    if as_json:
        print_json(found)
        return
    for each in found:
        mark = "  refused" if each["refused"] else ""
        typer.echo(f"{each['n']:>4}  {each['app']}  {each['tool']} {dumps(each['arguments']).decode()}{mark}")


@episode.command()
@with_farm
def clock(
    control: FarmClient,
    id_: Id,
    advance_s: Annotated[float | None, typer.Option("--advance-s", help="Move forward by seconds.")] = None,
    to: Annotated[str | None, typer.Option(help="Move forward to a time, RFC 3339.")] = None,
    as_json: Json = False,
) -> None:
    """Show the simulated time, or move it forward in every app.

    Example: farm episode clock c0-0-… --advance-s 3600
    """
    if advance_s is None and to is None:
        found = control.clock(id_)
    else:
        found = control.set_clock(id_, advance_s=advance_s, to=to)
    _say(found, f"{found['now']}{' (live)' if found['live'] else ''}", as_json)


@episode.command()
@with_farm
def state(
    control: FarmClient,
    id_: Id,
    app: Annotated[str, typer.Argument(help="The app.")],
    table: Annotated[str, typer.Argument(help="The table, or a path such as 'channels[C1].messages[*]'.")],
    at: Annotated[str | None, typer.Option(help="As it was at this snapshot.")] = None,
    after: Annotated[int, typer.Option(help="Skip this many rows.")] = 0,
    limit: Annotated[int, typer.Option(help="Show at most this many rows.")] = 100,
) -> None:
    """Print rows of one table as JSON lines; a path selects rows of a table by key, owner or column.

    Example: farm episode state default slack channels --limit 5
    """
    from farm.appkit.context_tree import is_path

    if is_path(table):
        rows, end = _selected(control, id_, app, table, at), after + limit
        found: dict[str, Any] = {"rows": rows[after:end], "next": end if end < len(rows) else None, "total": len(rows)}
    else:
        found = control.rows(id_, app, table, at=at, after=after, limit=limit)
    for row in found["rows"]:
        typer.echo(orjson.dumps(row).decode())
    if found["next"] is not None:
        typer.echo(f"… {pluralize(found['total'], 'row')} in all; go on with --after {found['next']}", err=True)


def _selected(control: FarmClient, id_: str, app: str, path: str, at: str | None) -> list[Any]:
    """Return the rows that a path selects, or the values of its column.

    Raises:
        FarmError: the path is invalid, or a key of it has no row.
    """
    from farm.appkit.context_tree import explain_nothing, resolve_path
    from farm.content import load_app

    def rows_of(table: str) -> Iterator[dict[str, Any]]:
        after: int | None = 0
        while after is not None:
            found = control.rows(id_, app, table, at=at, after=after, limit=_PAGE)
            yield from found["rows"]
            after = found["next"]

    selection = resolve_path(load_app(app).schema, path)
    rows = [row for row in rows_of(selection.table) if selection.holds(row)]
    if not rows and (why := explain_nothing(selection, rows_of)):
        raise FarmError(f"'{path}': {why}")
    return rows if selection.column is None else [row[selection.column] for row in rows]


@episode.command()
@with_farm
def drop(control: FarmClient, id_: Id, as_json: Json = False) -> None:
    """Remove an episode with its contexts, calls and snapshots.

    Example: farm episode drop c0-0-…
    """
    if id_ == "default":
        raise FarmError("the default episode stays; bring it back with 'farm episode reset default'")
    control.drop(id_)
    _say({"id": id_}, f"{id_} is gone", as_json)


@episode.command()
@with_farm
def export(
    control: FarmClient,
    named: NamedFarm,
    id_: Id,
    to: Annotated[str, typer.Option(help="A folder, or a URL such as s3://bucket/path (extra: remote).")],
    snapshot: Annotated[str | None, typer.Option(help="The episode as it was at this snapshot.")] = None,
    as_json: Json = False,
) -> None:
    """Write an episode, with its rows, calls and clock, to a folder or URL. The token is not exported.

    Example: farm episode export default --to backup/default
    """
    from farm.runtime.maintenance.export_import import export_episode

    keep_private()
    made = export_episode(control, named.data, id_, snapshot, to)
    size = sum(each.size for each in made.files)
    told = {"to": to, "files": len(made.files), "size_bytes": size}
    _say(told, f"{id_} is in {to}: {pluralize(len(made.files), 'file')}, {format_size(size)}", as_json)


@episode.command(name="import")
@with_farm
def import_(
    control: FarmClient,
    named: NamedFarm,
    url: Annotated[str, typer.Argument(help="The folder or URL of the export.")],
    as_json: Json = False,
) -> None:
    """Make an episode from an export of this or another farm; it gets a new id and token.

    Example: farm episode import backup/default
    """
    from farm.runtime.maintenance.export_import import import_episode

    keep_private()
    made = import_episode(control, named.data, url)
    _say(made, f"{made['id']}\ntoken {made['token']}\nall   {made['mcp_all']}", as_json)


def _say(value: Any, line: str, as_json: bool) -> None:
    if as_json:
        print_json(value)
    else:
        typer.echo(line)


COMMANDS = {"episode": episode}
