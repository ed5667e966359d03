"""Tests that share something dear stay on one worker of a test run."""

from __future__ import annotations

import pytest


@pytest.mark.xdist_group("kept together")
def test_a_group_stands_behind_the_id_where_the_scheduler_looks_for_it(request: pytest.FixtureRequest) -> None:
    is_grouping = getattr(request.config.option, "loadgroup", False)

    assert request.node.nodeid.endswith("@kept together") == is_grouping
