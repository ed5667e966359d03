"""Which worker has an episode."""

from __future__ import annotations

import pytest

from gateway.config import worker_of


@pytest.mark.parametrize(
    ("episode_id", "workers", "worker"),
    [
        ("c0-0-5f", 2, 0),
        ("c0-1-5f", 2, 1),
        ("c0-3-5f", 2, 1),
        ("c0-1-5f", 1, 0),
        ("default", 4, 0),
        ("not-of-ours", 4, 0),
        ("a-b-c-d", 4, 0),
    ],
)
def test_the_second_part_of_an_id_names_the_worker(episode_id: str, workers: int, worker: int) -> None:
    assert worker_of(episode_id, workers) == worker
