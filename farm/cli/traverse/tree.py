"""``farm traverse tree``: the entities behind a real server's calls."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm._util.plurals import pluralize
from farm.cli.options import Json, given_path, print_json
from farm.cli.tables import print_text
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.traverse.tree.model import Entity, Field, Tree

_TREE, _SCHEMA = "tree.toml", "schema.py"


def tree(
    pool: Annotated[
        Path | None,
        typer.Argument(help="A pool: a folder with pool.jsonl, or such a file.", parser=given_path, metavar="[POOL]"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for tree.toml and schema.py.", parser=given_path, metavar="<path>")
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", help="A corrected tree.toml: write schema.py from it.", parser=given_path, metavar="<path>"
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Propose a server's entities: their kinds, keys, fields, owners and references, and how each is created.

    tree.toml shows the evidence beside each proposal. Correct it there, then make schema.py from it with --from. Only
    the train side of a divided pool is read.

    Example: farm traverse tree pools/notes --out notes
    """
    from farm.traverse.tree.draft import draft_schema
    from farm.traverse.tree.pool_calls import read_pool_calls
    from farm.traverse.tree.propose import propose
    from farm.traverse.tree.toml_file import read_tree, write_tree

    if (pool is None) == (source is None):
        raise FarmError("name a pool, or with --from a corrected tree.toml; one of the two")
    if source is not None and out is None:
        raise FarmError("--from needs --out: the folder for schema.py")
    if pool is not None:
        found, title = propose(read_pool_calls(pool.expanduser(), sides=("train",))), pool.name
    else:
        found, title = read_tree(source.expanduser()) if source else _never(), str(source and source.parent.name)
    if out is not None:
        folder = out.expanduser()
        # Before anything is written: a tree without tables is not a draft.
        files = {_SCHEMA: draft_schema(found, title)} if any(not each.is_receipt for each in found.entities) else {}
        if source is None:
            files[_TREE] = write_tree(found)
            if (folder / _TREE).exists():
                raise FarmError(f"{folder / _TREE} exists, and may hold corrections; give another --out, or move it")
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
            if not as_json:
                typer.echo(f"wrote {folder / name}")
    if as_json:
        print_json(_summary(found))
    else:
        _print(found)


def _never() -> Tree:
    raise AssertionError("one of the two is given")


def _summary(found: Tree) -> dict[str, Any]:
    return {
        "calls": found.calls,
        "account": found.account,
        "entities": [
            {
                "name": each.name,
                "keep": not each.is_receipt,
                "rows": each.rows,
                "key": list(each.key),
                "unique": each.is_unique,
                "owner": each.owner,
                "fields": [
                    {
                        "name": one.name,
                        "generation": one.generation,
                        "references": one.references,
                        "enforced": one.is_enforced,
                    }
                    for one in each.fields
                ],
            }
            for each in found.entities
        ],
    }


def _print(found: Tree) -> None:
    entities = [each for each in found.entities if not each.is_receipt]
    root = found.account or "the account"
    typer.echo(f"{pluralize(len(entities), 'kind')} of things in {pluralize(found.calls, 'call')}, rooted at {root}")
    names = {each.name for each in entities}
    printed: set[str] = set()
    for each in entities:
        if each.owner not in names:
            _print_below(each, entities, 1, printed)
    # An entity in a circle of owners is not below the root.
    for each in entities:
        if each.name not in printed:
            _print_below(each, entities, 1, printed)
    for each in found.entities:
        if each.is_receipt:
            print_text(f"left out: {each.name}; {each.why}", indent=2)


def _print_below(entity: Entity, entities: list[Entity], depth: int, printed: set[str]) -> None:
    printed.add(entity.name)
    indent = "  " * depth
    key = ", ".join(entity.key) if entity.key else "no key"
    refers = [f"{each.name} → {each.references}" for each in entity.fields if each.references and not each.is_owner]
    twice = "" if entity.is_unique else f", not unique: {entity.contradicts}"
    text = (
        f"{entity.name} ({key}{twice}): {pluralize(len(entity.fields), 'field')}, {_count_generations(entity.fields)}"
    )
    print_text(text + (f"; {', '.join(refers)}" if refers else ""), begin=indent, indent=len(indent) + 2)
    for each in entities:
        if each.owner == entity.name and each.name not in printed:
            _print_below(each, entities, depth + 1, printed)


def _count_generations(fields: list[Field]) -> str:
    counts = {
        each: sum(one.generation == each for one in fields)
        for each in ("enumerate", "free-form", "random", "authentic")
    }
    return ", ".join(f"{number} {generation}" for generation, number in counts.items() if number)
