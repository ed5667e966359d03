"""The shares of a world's values by method: what columns declare, and nothing authentic without an export."""

from __future__ import annotations

import json
from pathlib import Path

from farm.world import Spec, generate
from farm.world.generators import schema
from farm.world.methods import METHODS, method_shares
from tests.unit.world._mini_copy import copy_mini


def test_every_value_counts_once_by_the_method_of_its_column_and_none_is_authentic() -> None:
    shares = {each.app: each for each in method_shares(Spec.load("mini"))}

    for app, rows in generate("mini").items():
        values = [row[column] for row in rows for column in schema(app).shapes[row["table"]].columns if column in row]
        assert sum(shares[app].counts.values()) == sum(value is not None for value in values)
        assert shares[app].share("authentic") == 0
        assert sum(map(shares[app].share, METHODS)) == 1 or abs(sum(map(shares[app].share, METHODS)) - 1) < 1e-9
    texts = sum(row["table"] == "messages" for row in generate("mini")["slack"])
    assert shares["slack"].counts["free-form"] >= texts


def test_rows_of_an_export_are_authentic_with_their_source(tmp_path: Path) -> None:
    (row, *_) = [row for row in generate("mini")["slack"] if row["table"] == "messages"]
    added = {**row, "ts": "1780000000.000100"}
    line = {"origin": "our own Slack", "licence": "CC0", "row": added}
    folder = copy_mini(tmp_path, {"spec/slack/authentic/a.jsonl": json.dumps(line)})

    (slack,) = [each for each in method_shares(Spec(folder)) if each.app == "slack"]

    assert slack.counts["authentic"] == sum(value is not None for value in added.values()) - 1
    assert str(slack).endswith("(1 rows of our own Slack (CC0))")
