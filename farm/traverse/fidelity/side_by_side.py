"""Make the same calls on a real server, to compare an app's answers with its current ones."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from farm.errors import FarmError
from farm.traverse.perturb.names import Drawn, rename, renamed
from farm.traverse.pool.pool import read_pool
from farm.traverse.pool.split import SIDES
from farm.traverse.recordings.calls import Recorded, read_calls
from farm.traverse.transport.connection import ANSWER_S_MAX, connect
from farm.traverse.transport.source import Source


def read_questions(given: Path, side: str | None) -> list[Recorded]:
    """Return the calls of a pool, or of a file, as traces; lines of a file without traces are one trace.

    Args:
        side: include only this side's traces of a pool.

    Raises:
        FarmError: the file is unreadable, or the pool has no such side.
    """
    if side is not None and side not in SIDES:
        raise FarmError(f"no side '{side}'; a pool has {', '.join(SIDES)}")
    calls = read_pool(given) if given.is_dir() else read_calls(given)
    if side is not None:
        calls = [each for each in calls if each.side == side]
    if not calls:
        raise FarmError(f"{given} has no calls on the side '{side}'")
    return [replace(each, trace=each.trace or 0) for each in calls]


async def ask(
    source: Source,
    calls: Sequence[Recorded],
    *,
    reset: Callable[[], Awaitable[None]] | None = None,
    answer_s_max: float = ANSWER_S_MAX,
) -> list[Recorded]:
    """Return the calls with the answers that a real server gives now, each trace from its start.

    Values that the server generates anew are replaced in later calls, as far as the calls hold their earlier answers.

    Args:
        reset: restores the server's start, before each trace.

    Raises:
        FarmError: the server cannot be reached, or cannot be reset.
    """
    found: list[Recorded] = []
    for _, trace in groupby(calls, key=lambda each: each.trace):
        if reset is not None:
            await reset()
        async with connect(source) as connection:
            names: dict[Drawn, Drawn] = {}
            for each in trace:
                request = replace(each.request, arguments=rename(each.request.arguments, names))
                at = datetime.now(UTC)
                result = await connection.call(request, limit_s=answer_s_max)
                if "content" in each.result and "content" in result:
                    names.update(renamed(each.result, result))
                found.append(replace(each, request=request, result=result, at=at, server=None, labels=frozenset()))
    return found
