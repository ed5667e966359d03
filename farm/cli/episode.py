"""``farm episode …``: the control API's operations as commands."""

from __future__ import annotations

from collections.abc import Iterator
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
from farm.cli.watch import names_of
from farm.client import FarmClient
from farm.connect.call_summary import own_changes
from farm.connect.change_lines import change_line, reverted_line
from farm.context.changes import Changes
from farm.context.fault_rules import parse_duration
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
    me: Annotated[
        list[str] | None,
        typer.Option(help="Key of the person whose accounts the agent uses; repeat it for people who act beside."),
    ] = None,
    menu: Annotated[str | None, typer.Option(help="Name of a menu, or JSON of app to menu or tools.")] = None,
    profile: Profile = LATEST,
    label: Annotated[str | None, typer.Option(help="Free text.")] = None,
    calls_max: Annotated[int | None, typer.Option(help="Maximum number of calls over all apps.")] = None,
    expires_at: Annotated[str | None, typer.Option(help="Wall time after which calls are refused, RFC 3339.")] = None,
    world_people: Annotated[
        bool | None, typer.Option(help="Whether the world's own people answer; default: if the clock is live.")
    ] = None,
    arrivals: Annotated[bool, typer.Option("--arrivals", help="Let scheduled rows arrive on a frozen clock.")] = False,
    pace: Annotated[str | None, typer.Option(help="Simulated time that a call takes, such as 30s.")] = None,
    user: Annotated[str | None, typer.Option(help="JSON of what the person answers to ask_user.")] = None,
    as_json: Json = False,
) -> None:
    """Create an episode and print its id, its token and its addresses.

    Example: farm episode create --seed 7 --apps lark,slack --calls-max 20
    """
    people = None if not me else me[0] if len(me) == 1 else me
    wishes: dict[str, Any] = {"world": world, "now": now, "me": people, "label": label}
    wishes |= {"apps": split_names(apps) or None, "profile": profile}
    wishes |= {"calls_max": calls_max, "expires_at": expires_at, "arrivals": arrivals or None}
    wishes["world_people"] = world_people
    wishes |= {"pace": pace, "user": None if user is None else parse_object(user, "--user")}
    if menu is not None:
        wishes["menu"] = parse_object(menu, "--menu") if menu.startswith("{") else menu
    chosen = {name: value for name, value in wishes.items() if value is not None}
    made = control.create(seed=seed, **chosen)
    if as_json:
        print_json(made)
        return
    typer.echo(f"{made['id']}\ntoken {made['token']}\nall   {made['mcp_all']}")
    for person, holder in made["holders"].items() if len(made["holders"]) > 1 else ():
        typer.echo(f"as    {person}  token {holder['token']}  {', '.join(holder['apps'])}")
    width = column_width(made["mcp"])
    for app, url in made["mcp"].items():
        played = "" if profile == LATEST else f"  ({made['profiles'][app]})"
        typer.echo(f"  {app:<{width}} {url}{played}")


@episode.command("renew-token")
@with_farm
def renew_token(control: FarmClient, id_: Id, as_json: Json = False) -> None:
    """Issue a new token in place of an episode's; the old one is refused from then on.

    Example: farm episode renew-token c0-0-…
    """
    token = control.renew_token(id_)
    _say({"id": id_, "token": token}, token, as_json)


@episode.command()
@with_farm
def join(
    control: FarmClient,
    id_: Id,
    me: Annotated[str, typer.Option(help="Key of the person.")],
    as_json: Json = False,
) -> None:
    """Let a further person act in an episode, and print their token.

    Example: farm episode join c0-0-… --me yu.han
    """
    found = control.add_holder(id_, me)
    _say(found, f"token {found['token']}\n{me} has {', '.join(found['apps'])}", as_json)


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
    """Show the changed rows, one line each: + created, ~ changed, - deleted, and the call that did it.

    With --json, each row with all its columns.

    Example: farm episode diff default --since before
    """
    changes = control.changes(id_, since) if with_reverted else Changes(control.diff(id_, since), {})
    found = changes.diff
    if as_json:
        print_json({"apps": found} | ({"reverted": changes.reverted} if with_reverted else {}))
        return
    named = names_of(control, control.episode(id_))
    lines = []
    for app in dict.fromkeys([*found, *changes.reverted]):
        names = named[app]
        for table, rows in found.get(app, {}).items():
            lines += [change_line(app, table, each, names) for each in own_changes(table, rows, names)]
        reverted = changes.reverted.get(app, {})
        lines += [reverted_line(app, table, each) for table, rows in reverted.items() for each in rows]
    typer.echo("\n".join(lines) or "nothing has changed")


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
        mark += f"  (planned: {each['fault']})" if "fault" in each else ""
        by = f"  by {each['by']}" if "by" in each else ""
        answers = "".join(f"  (answered by {one['who']}: {one['rule']})" for one in each.get("people", ()))
        said = dumps(each["arguments"]).decode()
        typer.echo(f"{each['n']:>4}  {each['app']}  {each['tool']} {said}{mark}{by}{answers}")


@episode.command()
@with_farm
def clock(
    control: FarmClient,
    id_: Id,
    advance: Annotated[str | None, typer.Option(help="Move forward by a duration, such as 90s, 2h or 3d.")] = None,
    to: Annotated[str | None, typer.Option(help="Move forward to a time, RFC 3339.")] = None,
    next_: Annotated[bool, typer.Option("--next", help="Move to the next arrival.")] = False,
    until_quiet: Annotated[bool, typer.Option("--until-quiet", help="Move to the last arrival.")] = False,
    rate: Annotated[int | None, typer.Option(help="Simulated seconds in a second: 0 frozen, 1 live, 60 fast.")] = None,
    advance_s: Annotated[float | None, typer.Option("--advance-s", help="Move forward by seconds.")] = None,
    as_json: Json = False,
) -> None:
    """Show the simulated time, or move it in every app; what arrives meanwhile is listed.

    Example: farm episode clock default --advance 2h
    """
    if advance is not None:
        advance_s = (advance_s or 0) + parse_duration(advance)
    move = {"advance_s": advance_s, "to": to, "next": next_ or None, "quiet": until_quiet or None, "rate": rate}
    moves = any(value is not None for value in move.values())
    found = control.set_clock(id_, **move) if moves else control.clock(id_)
    speed = "" if found["rate"] == 0 else " (live)" if found["rate"] == 1 else f" (rate {found['rate']})"
    if not as_json:
        for each in found.get("came", ()):
            lost = "  (no longer fitted)" if each.get("dropped") else ""
            who = f"{each['by']}: " if "by" in each else ""
            what = each["what"] or each.get("do", "")
            typer.echo(f"{each['at'][5:16].replace('T', ' ')}  {each['app']}.{each['table']}  {who}{what}{lost}")
    _say(found, f"{found['now']}{speed}", as_json)


@episode.command()
@with_farm
def fault(
    control: FarmClient,
    id_: Id,
    app: Annotated[str | None, typer.Argument(help="The app whose calls fail.")] = None,
    kind: Annotated[str | None, typer.Argument(help="How they fail, such as rate_limited or lost.")] = None,
    tool: Annotated[list[str] | None, typer.Option(help="A name or glob, 'reads' or 'writes'; repeatable.")] = None,
    attempts: Annotated[list[int] | None, typer.Option(help="Which attempts of a call fail; default 1.")] = None,
    share: Annotated[float | None, typer.Option(help="The part of all calls that fails, drawn by the seed.")] = None,
    retry_after: Annotated[str | None, typer.Option(help="The delay that the vendor promises, such as 30s.")] = None,
    where: Annotated[str | None, typer.Option(help="JSON of argument to value or operators.")] = None,
    from_: Annotated[str | None, typer.Option("--from", help="The simulated time from which calls fail.")] = None,
    until: Annotated[str | None, typer.Option(help="The simulated time until which calls fail.")] = None,
    heals_after: Annotated[int | None, typer.Option(help="The number of failed calls that ends the fault.")] = None,
    delay: Annotated[str | None, typer.Option(help="How late a slow answer comes, such as 3s.")] = None,
    items_max: Annotated[int | None, typer.Option(help="The largest page of a partial answer.")] = None,
    heal: Annotated[str | None, typer.Option(help="End this fault of the app.")] = None,
    as_json: Json = False,
) -> None:
    """Show the planned faults, plan one, or end one.

    Example: farm episode fault default slack rate_limited --tool slack_post_message --attempts 1
    """
    if heal is not None:
        if app is None:
            raise FarmError(f"name the app of the fault, as in: farm episode fault {id_} APP --heal {heal}")
        _say(control.heal_fault(id_, app, heal), f"{heal} is over", as_json)
        return
    if app is None or kind is None:
        found = [each for each in control.faults(id_) if app in (None, each["app"])]
        if as_json:
            print_json(found)
            return
        for each in found:
            counts = f"failed {each['failed']} of {pluralize(each['matched'], 'call')}"
            over = "  (over)" if each.get("healed") else ""
            typer.echo(f"{each['app']}  {each['id']}  {each['kind']}  {' '.join(each['tools'])}  {counts}{over}")
        return
    given: dict[str, Any] = {
        "tools": tool,
        "attempts": attempts,
        "share": share,
        "from": from_,
        "until": until,
        "delay": delay,
    }
    given |= {"retry_after": retry_after, "heals_after": heals_after, "items_max": items_max}
    given |= {"where": None if where is None else parse_object(where, "where")}
    made = control.add_fault(id_, app, kind, **{key: value for key, value in given.items() if value is not None})
    _say(made, made["id"], as_json)


@episode.command()
@with_farm
def people(
    control: FarmClient,
    id_: Id,
    rule: Annotated[
        str | None, typer.Option(help="JSON of a rule with who, when and then: somebody answers by it.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show by which rules people answer, what they have done and what waits; or add a rule.

    Example: farm episode people default
    """
    if rule is not None:
        made = control.add_person_rule(id_, parse_object(rule, "--rule"))
        _say(made, made["id"], as_json)
        return
    found = control.person_rules(id_)
    if as_json:
        print_json(found)
        return
    for each in found["rules"]:
        counts = f"acts on {each['fired']} of {pluralize(each['matched'], 'row')}"
        typer.echo(f"{each['app']}.{each['table']}  {each['id']}  {each['who']}: {', '.join(each['does'])}  {counts}")
    for mark, acts in (("", found["acted"]), ("  (waits)", found["waiting"])):
        for each in acts:
            lost = f"  (dropped: {each['dropped']})" if "dropped" in each else mark
            at = each["at"][5:16].replace("T", " ")
            typer.echo(f"{at}  {each['app']}  {each['who']}: {each['do']}  by {each['rule']}{lost}")


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
