"""A ledger is the answer key of its world: nothing of it is in what an agent can reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm import content
from farm.appkit.world_spec.facts import Ledger
from farm.benchmark.export.harbor import open_files
from farm.benchmark.runner.task_cards import card_of
from farm.context.template import load_world
from farm.testing import LocalWorld
from tests.suites import parsed_suite

LEDGER = Ledger.load(content.world_dirs("harbor"))
# Whole words of the ledger: a fact's key, and the marks of a trace.
KEYS = tuple(sorted({key.encode() for key in LEDGER} | {"\ue000".encode(), b"{{fact:"}))


def keys_in(data: bytes) -> list[bytes]:
    return [key for key in KEYS if key in data]


def test_the_files_of_an_episode_hold_no_key_of_the_ledger(tmp_path: Path) -> None:
    assert len(LEDGER) > 0
    with LocalWorld("harbor", [*load_world("harbor").apps], data=tmp_path) as world:
        world.call("lark", "calendar_v4_calendar_primary")
        files = [path for path in tmp_path.rglob("*") if path.is_file()]

        assert len(files) > len(load_world("harbor").apps)
        assert {path.name: found for path in files if (found := keys_in(path.read_bytes()))} == {}


@pytest.mark.parametrize("task", parsed_suite("demo").tasks, ids=lambda task: task.id)
def test_what_an_agent_is_told_of_a_task_holds_no_reference_to_a_fact(task: object) -> None:
    told = "\n".join(open_files(card_of(task)).values())  # type: ignore[arg-type]

    assert keys_in(told.encode()) == []
