"""Whatever a server answers, its tree can be written and read, its draft is a schema, and takes the rows found."""

from __future__ import annotations

import json
import random
import warnings
from pathlib import Path
from typing import Any

import pytest

from farm.context.template import build
from farm.traverse.reconstruct import reconstruct
from farm.traverse.tree.draft import draft_schema
from farm.traverse.tree.pool_calls import read_pool_calls
from farm.traverse.tree.propose import propose
from farm.traverse.tree.toml_file import read_tree, write_tree
from tests.unit.traverse._small_pools import loaded, write

NAMES = (
    "id",
    "name",
    "user_id",
    "ts",
    "path",
    "a b",
    "属性",
    "type",
    "object",
    "data",
    "items",
    "key",
    "x.y",
    "1",
    "",
    "table",
)
VALUES = (
    None,
    True,
    0,
    17,
    2.5,
    10**30,
    "",
    "x",
    "U0ABCDEFGH",
    "2026-01-01",
    "1710000000.000100",
    "a\nb",
    "\ud800",
    '"',
    "it's",
)
TOOLS = ("get_x", "list_y", "create_z", "delete_x", "put_w", "odd", "search")


def some(draw: random.Random, depth: int) -> Any:
    chance = draw.random()
    if depth > 3 or chance < 0.5:
        return draw.choice(VALUES)
    if chance < 0.8:
        return {draw.choice(NAMES): some(draw, depth + 1) for _ in range(draw.randint(0, 5))}
    return [some(draw, depth + 1) for _ in range(draw.randint(0, 4))]


def call(draw: random.Random) -> dict[str, Any]:
    body = some(draw, 0)
    text = body if isinstance(body, str) else json.dumps(body)
    result: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
    if draw.random() < 0.2:
        result["structuredContent"] = some(draw, 0)
    if draw.random() < 0.1:
        result = {"content": []}
    return {
        "trace": draw.randint(0, 2),
        "tool": draw.choice(TOOLS),
        "arguments": some(draw, 1),
        "result": result,
        "error_class": draw.choice(("success", "boundary")),
    }


@pytest.mark.parametrize("seed", range(40))
def test_any_answers_make_a_tree_a_schema_and_rows_that_fit(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    pool = read_pool_calls(write(tmp_path, [call(draw) for _ in range(draw.randint(1, 25))]))

    tree = propose(pool)

    file = tmp_path / "tree.toml"
    file.write_text(write_tree(tree), "utf-8")
    assert write_tree(read_tree(file)) == file.read_text("utf-8")
    starts = [reconstruct(pool, tree, trace) for trace in {each.trace for each in pool.calls}]
    if any(not each.is_receipt and each.fields for each in tree.entities):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            schema = loaded(draft_schema(tree, "any"), tmp_path)
        for start in starts:
            assert build(schema, start.rows).startswith(b"SQLite format 3")
    else:
        assert all(not start.rows for start in starts)
