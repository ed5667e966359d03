"""Shards: disjoint, complete, of almost equal size, and the same on every machine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farm.benchmark.tasks.shard import SHARDS_MAX, parse_shard, shard_of
from farm.errors import FarmError
from tests.suites import parsed_suite

DEMO = tuple(task.id for task in parsed_suite("demo").tasks)
LISTS = st.lists(st.text(max_size=5), unique=True, min_size=9, max_size=200)


@given(tasks=LISTS, count=st.integers(1, 9))
def test_shards_are_disjoint_and_complete(tasks: list[str], count: int) -> None:
    shards = [shard_of(tasks, (number, count)) for number in range(1, count + 1)]

    assert sorted(each for shard in shards for each in shard) == sorted(tasks)


@given(tasks=LISTS, count=st.integers(1, 9))
def test_shards_differ_by_one_task_at_most_and_keep_the_order(tasks: list[str], count: int) -> None:
    shards = [shard_of(tasks, (number, count)) for number in range(1, count + 1)]

    sizes = [len(shard) for shard in shards]
    assert max(sizes) - min(sizes) <= 1
    assert all(list(shard) == sorted(shard, key=tasks.index) for shard in shards)


@pytest.mark.parametrize("count", range(1, 10))
def test_the_shards_of_the_demo_suite_have_each_of_its_tasks_once(count: int) -> None:
    shards = [shard_of(DEMO, (number, count)) for number in range(1, count + 1)]

    assert sorted(each for shard in shards for each in shard) == sorted(DEMO)


@given(count=st.integers(1, SHARDS_MAX), data=st.data())
def test_a_shard_is_written_i_of_n(count: int, data: st.DataObject) -> None:
    number = data.draw(st.integers(1, count))

    assert parse_shard(f"{number}/{count}") == (number, count)


@pytest.mark.parametrize("text", ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "a/b", "1 / 3", "1/10001", "１/３"])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(FarmError, match="a shard is written i/n with i from 1 to n, such as 2/4, not "):
        parse_shard(text)


def test_an_empty_shard_is_refused() -> None:
    with pytest.raises(FarmError, match="shard 3/3 is empty: there are only 2 tasks"):
        shard_of(["a", "b"], (3, 3))
