"""The changes of an episode, in the form of the control API, run logs and grading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from farm.errors import FarmError

# app → table → rows. A changed row has ``op``, ``key``, ``old``, ``new`` and ``call``.
Rows = Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]


@dataclass(frozen=True)
class Changes:
    """The rows that an episode changed.

    Attributes:
        diff: the differences from the start.
        reverted: the reverted changes, which a diff does not show (``farm.context.diff.reverted``).
    """

    diff: Rows
    reverted: Rows


def begin_of(raw: Mapping[str, Any]) -> str:
    """Return the baseline of expectations: the name of a snapshot, or ``start``.

    Raises:
        FarmError: the value is not a name.
    """
    since = raw.get("since", "start")
    if not isinstance(since, str):
        raise FarmError(f"'since' must be a snapshot's name or 'start', not {since!r}")
    return since
