"""``farm world generate`` and ``check``: for authors of worlds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from farm._util.plurals import pluralize
from farm.cli.options import Content, Json, given_path, print_json
from farm.cli.tables import print_text
from farm.errors import FarmError

world = typer.Typer(no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The world.")]


@world.command()
def generate(name: Name, _: Content = None) -> None:
    """Check a world's specification and write its rows; the same specification gives the same bytes.

    Example: farm world generate harbor
    """
    from farm.world import write

    _check(name)
    written = write(name)
    for path in written.values():
        typer.echo(f"wrote {path}")
    if not written:
        typer.echo("every file is as it was")


@world.command()
def check(name: Name, _: Content = None) -> None:
    """Check a world's specification without writing anything, count its rows and measure how alive it is.

    Example: farm world check harbor
    """
    _check(name)


def _given(content: Path | None) -> str:
    """Return the option of a content folder, for the next command."""
    return f" --content {content}" if content else ""


def _check(name: str) -> None:
    """Print the result of a check.

    Raises:
        WorldError: the specification has a defect.
    """
    from farm.appkit.world_spec import WorldError
    from farm.world import check as check_world

    report = check_world(name)
    for line in str(report).splitlines():
        print_text(line)
    if report.findings:
        raise WorldError("\n".join(report.findings))


@world.command()
def audit(name: Name, as_json: Json = False, _: Content = None) -> None:
    """Find private values that are not the world's own, and say by which methods each app's values were made.

    Example: farm world audit harbor
    """
    from farm.appkit.world_spec import WorldError
    from farm.world import Spec, audit_privacy
    from farm.world.methods import METHODS, method_shares

    spec = Spec.load(name)
    found = audit_privacy(spec)
    try:
        shares = list(method_shares(spec))
    except WorldError:
        if not found:
            raise
        shares = []
    if as_json:
        private = [{"place": each.place, "kind": each.kind, "value": each.value} for each in found]
        methods = {each.app: {name: round(each.share(name), 4) for name in METHODS} for each in shares}
        print_json({"private": private, "methods": methods, "sources": {each.app: each.sources for each in shares}})
    else:
        for each in shares:
            print_text(str(each))
    if found:
        raise WorldError("\n".join(map(str, found)))
    if not as_json:
        typer.echo("no private value")


@world.command()
def write(
    name: Name,
    by: Annotated[
        str,
        typer.Option("--by", help="Who writes: llm:NAME, command:COMMAND, files:DIR, or kept (earlier answers)."),
    ],
    batches: Annotated[str, typer.Option(help="Batches, with commas between; default: all.")] = "",
    base_url: Annotated[str | None, typer.Option(envvar="OPENAI_BASE_URL", help="The model's API.")] = None,
    content: Content = None,
) -> None:
    """Have the texts of write.toml written: each answer is checked, sent back at most twice, and kept.

    Example: farm world write pier --by files:asked --content mine
    """
    from farm._util.prompt_writers import read_writer
    from farm.world import Spec
    from farm.world.writing import write_batches
    from farm.world.writing.session import FOLDER, problem_lines

    spec = Spec.load(name)
    writer = read_writer(by, spec.folders[0] / FOLDER, base_url=base_url, option="--by")
    if writer is None:
        raise FarmError("--by none: somebody has to write; files:DIR writes the prompts for a person")
    only = [each.strip() for each in batches.split(",") if each.strip()]
    results = write_batches(spec, writer, only, lambda result: print_text(str(result)))
    done = sum(result.is_done for result in results)
    if problems := [*problem_lines(results)]:
        raise FarmError("\n".join(problems))
    if done < len(results):
        raise FarmError(f"{len(results) - done} of {pluralize(len(results), 'file')} wait for an answer")
    typer.echo(f"all {pluralize(done, 'file')} stand; then: farm world check {name}{_given(content)}")


@world.command(name="word-people")
def word_people(
    name: Name,
    by: Annotated[
        str,
        typer.Option("--by", help="Who words: llm:NAME, command:COMMAND, files:DIR, or kept (earlier answers)."),
    ],
    rules: Annotated[str, typer.Option(help="Ids of rules, with commas between; default: all.")] = "",
    base_url: Annotated[str | None, typer.Option(envvar="OPENAI_BASE_URL", help="The model's API.")] = None,
    content: Content = None,
) -> None:
    """Have what the world's people answer put into other words: each is checked, and kept in people/worded.toml.

    Example: farm world word-people pier --by files:asked --content mine
    """
    from farm._util.prompt_writers import read_writer
    from farm.world import Spec
    from farm.world.writing import people_words
    from farm.world.writing.session import FOLDER

    spec = Spec.load(name)
    writer = read_writer(by, spec.folders[0] / FOLDER, base_url=base_url, option="--by")
    if writer is None:
        raise FarmError("--by none: somebody has to word them; files:DIR writes the prompts for a person")
    only = [each.strip() for each in rules.split(",") if each.strip()]
    results = people_words.word_people(spec, writer, only, lambda result: print_text(str(result)))
    if problems := [*people_words.problem_lines(results)]:
        raise FarmError("\n".join(problems))
    if waiting := sum(result.state == "waits" for result in results):
        raise FarmError(f"{waiting} of {pluralize(len(results), 'text')} wait for an answer")
    typer.echo(f"all {pluralize(len(results), 'text')} are worded; then: farm world check {name}{_given(content)}")


@world.command(name="add-rows")
def add_rows(
    app: Annotated[str, typer.Argument(help="The app.")],
    file: Annotated[
        Path,
        typer.Argument(help='JSON: rows with "table", or table → rows.', parser=given_path, metavar="FILE"),
    ],
    name: Annotated[str, typer.Option("--world", help="The world.")],
    origin: Annotated[str, typer.Option(help="Where the rows come from.")],
    licence: Annotated[str, typer.Option(help="Under which licence.")],
    redact: Annotated[
        Path,
        typer.Option(
            help="Keeps what was replaced by what, outside of the world.", parser=given_path, metavar="<path>"
        ),
    ],
    private: Annotated[
        Path | None,
        typer.Option(help="TOML with further private names, values and more.", parser=given_path, metavar="<path>"),
    ] = None,
    content: Content = None,
) -> None:
    """Add rows of a real export to a world: private values are replaced, and every row is checked by the schema.

    Example: farm world add-rows slack export.json --world pier --origin 'our Slack' --licence CC0 --redact map.json
    """
    from farm.traverse.redact import Private, Redactor, add_machine_values, read_mapping, read_private, write_mapping
    from farm.world import Spec
    from farm.world import add_rows as add
    from farm.world.add_rows import PrivateRows
    from farm.world.authentic import read_export

    spec, mapping = Spec.load(name), read_mapping(redact)
    own = add_machine_values(read_private(private) if private else Private())
    rows = read_export(file)
    redactor = Redactor(mapping.key, own, mapping.replaced)
    numbers: dict[str, str] = mapping.replaced.get("numbers", {})

    def replaced(export: PrivateRows) -> list[dict[str, Any]]:
        nonlocal redactor
        names, allowed = (*own.names, *export.names), own.allowed | {*export.numbers.values()}
        redactor = Redactor(mapping.key, replace(own, names=names, allowed=allowed), mapping.replaced)
        numbers.update(export.numbers)
        return redactor.redact_all(export.rows)

    path = add(spec, app, rows, file.stem, origin=origin, licence=licence, redact=replaced)
    mapping.replaced = {**redactor.mapping, "numbers": numbers}
    write_mapping(redact, mapping, pool=spec.app(app).folder.parents[1])
    counts = ", ".join(f"{kind} {number}" for kind, number in redactor.used().items()) or "nothing"
    typer.echo(f"{path} has the rows; replaced: {counts}; then: farm world check {name}{_given(content)}")


@world.command()
def new(
    name: Name,
    out: Annotated[Path, typer.Option(help="The content folder to write into.", parser=given_path, metavar="<path>")],
    apps: Annotated[str, typer.Option(help="Apps, with commas between; default: all that can have a part.")] = "",
    people: Annotated[int, typer.Option(help="How many people there are.")] = 6,
    _: Content = None,
) -> None:
    """Write the scaffold of a world: every file of every app, with its keys as comments.

    Example: farm world new pier --out mine --apps slack,lark --people 4
    """
    from farm.world import new_world

    folder = new_world(name, [each.strip() for each in apps.split(",") if each.strip()], people, out)
    typer.echo(f"world '{name}' is in {folder}; edit it, then: farm world check {name} --content {out}")


@world.command()
def files(
    app: Annotated[str, typer.Argument(help="The app; all, if absent.")] = "",
    as_json: Json = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page of the docs.")] = False,
    _: Content = None,
) -> None:
    """List the files of an app's part of a world, with their entries, keys, types and defaults.

    Example: farm world files telegram
    """
    from farm.appkit.world_spec.toml_reader import require
    from farm.world.file_list import file_list, lines_of, page
    from farm.world.generators import generators

    if markdown:
        typer.echo(page(), nl=False)
        return
    if app:
        require("app that a world can have a part for", app, generators(), "farm world files")
    names = [app] if app else sorted(generators())
    if as_json:
        print_json({name: file_list(name) for name in names})
        return
    for name in names:
        for line in (*([f"{name}:"] if not app else []), *lines_of(name)):
            print_text(line)


@world.command()
def tree(
    app: Annotated[str, typer.Argument(help="The app.")],
    as_json: Json = False,
    svg: Annotated[Path | None, typer.Option(help="Write a picture.", parser=given_path, metavar="<path>")] = None,
    _: Content = None,
) -> None:
    """Print an app's entities from the account holder down: owners, fields, references, and how each field is made.

    Example: farm world tree lark
    """
    from farm.appkit.context_tree import context_tree
    from farm.content import load_app
    from farm.world.tree_view import tree_lines, tree_picture

    roots = context_tree(load_app(app).schema)
    if not roots:
        raise FarmError(f"{app} stores nothing; its context has no table")
    if svg is not None:
        svg.write_text(tree_picture(app, roots), "utf-8")
        typer.echo(f"wrote {svg}", err=as_json)
    if as_json:
        print_json({"app": app, "roots": [each.as_json() for each in roots]})
    elif svg is None:
        for line in tree_lines(roots):
            print_text(line)


@world.command()
def reseed(
    name: Name,
    seed: Annotated[int, typer.Option(help="The same seed makes the same edition.")],
    out: Annotated[Path, typer.Option(help="The content folder to write into.", parser=given_path, metavar="<path>")],
    named: Annotated[str, typer.Option("--name", help="The edition's name; default: WORLD-SEED.")] = "",
    _: Content = None,
) -> None:
    """Write a private edition of a world: other ids, amounts and places in every app and task.

    Example: farm world reseed harbor --seed 7 --out mine
    """
    from farm.world import reseed as reseed_world

    made = reseed_world(name, seed, out, named)
    typer.echo(f"world '{made.world}' is in {out}: {made.drawn} of {pluralize(made.facts, 'fact')} drawn anew")
    if made.suites:
        typer.echo(f"tasks: {', '.join(made.suites)}; play them with --content {out}")


@world.command()
def export(
    name: Name,
    to: Annotated[str, typer.Option(help="A folder, or a URL such as s3://bucket/path (extra: remote).")],
    _: Content = None,
) -> None:
    """Write a world to a folder or URL.

    Example: farm world export harbor --to backup/harbor
    """
    from farm.runtime.maintenance.export_import import export_world

    made = export_world(name, to)
    typer.echo(f"{name} is in {to}: {pluralize(len(made.files), 'file')}")


@world.command(name="import")
def import_(
    url: Annotated[str, typer.Argument(help="The folder or URL of the export.")],
    into: Annotated[
        Path,
        typer.Option(
            help="The content folder; later commands need it as --content or FARM_CONTENT.",
            parser=given_path,
            metavar="<path>",
        ),
    ],
    _: Content = None,
) -> None:
    """Make a world from an export, in a content folder.

    Example: farm world import backup/harbor --into my-content
    """
    from farm.runtime.maintenance.export_import import import_world

    name = import_world(url, into)
    typer.echo(f"world '{name}' is in {into}; use it with --content {into}")


COMMANDS: dict[str, Any] = {"world": world}
