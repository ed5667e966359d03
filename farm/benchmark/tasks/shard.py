"""Shards: one of n parts of a list of tasks, for runs over several machines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from farm._util.plurals import pluralize
from farm.errors import FarmError

Item = TypeVar("Item")
Shard = tuple[int, int]
SHARDS_MAX = 10_000


def parse_shard(text: str) -> Shard:
    """Return number and count of a shard written ``i/n``.

    Raises:
        FarmError: the text is no such shard.
    """
    match = re.fullmatch(r"([0-9]{1,5})/([0-9]{1,5})", text)
    number, count = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= number <= count <= SHARDS_MAX:
        raise FarmError(f"a shard is written i/n with i from 1 to n, such as 2/4, not '{text}'")
    return number, count


def shard_of(tasks: Sequence[Item], shard: Shard) -> tuple[Item, ...]:
    """Return the i-th of n parts of a list: every n-th task, from the i-th on.

    Raises:
        FarmError: the part is empty, or there is no such part.
    """
    number, count = shard
    if not 1 <= number <= count:
        raise FarmError(f"there is no shard {number} of {count}; they are numbered from 1")
    part = tuple(tasks[number - 1 :: count])
    if not part:
        raise FarmError(f"shard {number}/{count} is empty: there are only {pluralize(len(tasks), 'task')}")
    return part
