"""The pools of examples/traverse: whole, small, redacted, and what the page says of them."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict

import pytest

from farm.traverse.fidelity.provenance import read_masks
from farm.traverse.pool.pool import read_pool
from tests.traverse.example_tables import (
    MORE,
    PAGE,
    POOLS,
    POOLS_MARKS,
    SERVERS,
    SLACK_MARKS,
    between,
    lines,
    manifest,
    slack_report,
    slack_table,
    tables,
)

POOL_BYTES_MAX, ALL_BYTES_MAX = 300_000, 1_900_000


def test_the_page_says_what_the_manifests_say() -> None:
    assert between(PAGE.read_text("utf-8"), POOLS_MARKS) == tables(), "python -m tests.traverse.example_tables"


def test_our_slack_is_as_true_to_the_pool_as_the_page_says() -> None:
    report = slack_report()

    assert between(PAGE.read_text("utf-8"), SLACK_MARKS) == slack_table(report)
    assert [mask["name"] for mask in report["masks"]] == [mask.name for mask in read_masks(POOLS / "slack" / "pool")]


def test_every_folder_with_a_pool_is_in_the_tables() -> None:
    assert {folder.parent.name for folder in POOLS.glob("*/pool")} == {*SERVERS, *MORE}


@pytest.mark.parametrize("server", [*SERVERS, *MORE])
def test_a_pool_is_whole_and_reads(server: str) -> None:
    pool = POOLS / server / "pool"

    assert len(read_pool(pool)) == manifest(server)["lines"]
    for name, sha256 in manifest(server)["sha256"].items():
        assert hashlib.sha256((pool / name).read_bytes()).hexdigest() == sha256, name
    assert "redacted" in manifest(server)
    read_masks(pool)


@pytest.mark.parametrize("server", SERVERS)
def test_every_tool_succeeded_in_three_traces_of_eight(server: str) -> None:
    traces = defaultdict(set)
    for line in lines(server):
        if line["error_class"] == "success":
            traces[line["tool"]].add(line["trace"])

    tools = json.loads((POOLS / server / "pool" / "tools.json").read_bytes())["tools"]
    assert {tool["name"]: len(traces[tool["name"]]) >= 3 for tool in tools} == dict.fromkeys(traces, True)
    assert len(set.union(*traces.values())) >= 8


def test_pools_are_small() -> None:
    sizes = {
        server: sum(file.stat().st_size for file in (POOLS / server / "pool").iterdir()) for server in (*SERVERS, *MORE)
    }

    assert {server: size for server, size in sizes.items() if size > POOL_BYTES_MAX} == {}
    assert sum(sizes.values()) <= ALL_BYTES_MAX
