"""``farm world tree``: every personal app's entities, as lines, JSON and a picture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from farm.appkit.context_tree import TreeNode, context_tree, resolve_path
from farm.cli import main
from farm.cli.episode import _selected
from farm.errors import FarmError
from farm.world import generate
from farm.world.generators import generators, schema
from farm.world.tree_view import ROOT, tree_lines, tree_picture

APPS = sorted(app for app in generators() if any(each.is_holder for each in context_tree(schema(app))))


def nodes(roots: tuple[TreeNode, ...]) -> Iterator[TreeNode]:
    for root in roots:
        yield root
        yield from nodes(root.children)


def test_twelve_apps_or_more_have_an_account_holder() -> None:
    assert len(APPS) >= 12


@pytest.mark.parametrize("app", APPS)
def test_each_table_and_field_stands_once_in_the_tree_and_in_its_picture(app: str) -> None:
    roots, shapes = context_tree(schema(app)), schema(app).shapes

    found = {each.table: each for each in nodes(roots)}
    assert found.keys() == shapes.keys()
    assert len([*nodes(roots)]) == len(shapes)
    assert all(tuple(field.name for field in found[name].fields) == shape.columns for name, shape in shapes.items())
    lines = [*tree_lines(roots)]
    assert lines[0] == ROOT
    assert len(lines) == 1 + sum(1 + len(each.fields) for each in found.values())
    texts = "".join(ElementTree.fromstring(tree_picture(app, roots)).itertext())
    assert all(name in texts for name in shapes)


@pytest.mark.parametrize("app", APPS)
def test_every_owned_row_of_mini_is_found_by_the_path_through_its_owner(app: str) -> None:
    rows = generate("mini")[app]
    for root in context_tree(schema(app)):
        for owner in nodes((root,)):
            for child in owner.children:
                _check_paths(app, rows, owner, child)


def _check_paths(app: str, rows: list[dict[str, Any]], owner: TreeNode, child: TreeNode) -> None:
    """Compare what the paths through all owners select with all rows; two equal ways are refused in one line."""
    found = 0
    for row in (each for each in rows if each["table"] == owner.table):
        key = ",".join(str(row[name]) for name in owner.key)
        quoted = f'"{key}"' if len(owner.key) == 1 else key
        try:
            selection = resolve_path(schema(app), f"{owner.table}[{quoted}].{child.table}[*]")
        except FarmError as problem:
            if "in more than one way" not in str(problem):
                raise
            return
        found += sum(selection.holds(each) for each in rows if each["table"] == child.table)
    assert found == sum(each["table"] == child.table for each in rows)


def test_the_command_prints_lines_json_and_writes_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("lark",), ("lark", "--json"), ("lark", "--svg", str(tmp_path / "lark.svg"))):
        with pytest.raises(SystemExit) as end:
            main(("world", "tree", *words))
        assert not end.value.code

    said = capsys.readouterr().out
    assert said.startswith(f"{ROOT}\n├─ users[open_id]\n")
    read = json.loads(said[said.index("\n{") : said.rindex("}") + 1])
    assert read["roots"][0]["table"] == "users"
    assert (tmp_path / "lark.svg").read_text("utf-8").startswith("<svg ")


class Rows:
    """A farm that has rows, a page at a time."""

    def __init__(self, app: str) -> None:
        self._rows = generate("mini")[app]

    def rows(self, id_: str, app: str, table: str, *, at: str | None, after: int, limit: int) -> dict[str, Any]:
        own = [row for row in self._rows if row["table"] == table]
        page = own[after : after + 2]
        return {"rows": page, "total": len(own), "next": after + 2 if after + 2 < len(own) else None}


def test_the_state_of_an_episode_is_selected_by_a_path_over_all_pages() -> None:
    farm: Any = Rows("slack")
    channel = next(row for row in generate("mini")["slack"] if row.get("name") == "general")

    texts = _selected(farm, "default", "slack", f"channels[{channel['id']}].messages[*].text", None)

    assert len(texts) >= 2
    assert all(isinstance(each, str) for each in texts)
    with pytest.raises(FarmError, match=r"^'channels\[C1\].messages\[\*\]': channels has no row with id 'C1'; have C"):
        _selected(farm, "default", "slack", "channels[C1].messages[*]", None)


def test_the_picture_in_the_docs_is_that_of_the_schema() -> None:
    docs = Path(__file__).resolve().parents[3] / "docs"

    assert (docs / "tree-slack.svg").read_text("utf-8") == tree_picture("slack", context_tree(schema("slack")))
