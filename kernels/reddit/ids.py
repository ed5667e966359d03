"""Ids as Reddit gives them: numbers in base 36 that grow with time, whoever posts."""

from __future__ import annotations

from farm.appkit import LOWER_36, Episode, in_base

# Two ids that were recorded with their times, a year apart, for each kind: the first one, its second, and how many were
# given away each second in between (posts 1kh35wk … 1skjxta, comments mynfrrh … optfyql).
COUNTED = {
    "posts": (3_414_806_948, 1_746_638_832, 16.6135),
    "comments": (49_984_428_365, 1_750_348_372, 126.17),
}
_KEYS = {"posts": "post_id", "comments": "comment_id"}


def new_id(ep: Episode, table: str) -> str:
    """Return the id that a post or comment of now gets."""
    first, then_s, each_second = COUNTED[table]
    number = max(1, first + int((ep.now_ms / 1000 - then_s) * each_second))
    # Odd, as what a world brings along has even ones, also what comes later.
    number = number + ep.hash("id", table, ep.now_ms) % 64 | 1
    key = _KEYS[table]
    while ep.db.scalar(f"SELECT 1 FROM {table} WHERE {key} = ?", in_base(number, LOWER_36)) is not None:
        number += 2
    return in_base(number, LOWER_36)
