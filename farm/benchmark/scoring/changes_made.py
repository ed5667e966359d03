"""The kinds of changes that a trial made, against which the deeds that its texts claim are held."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from farm import content
from farm.benchmark.scoring.claims import Change
from farm.benchmark.scoring.evidence import Evidence, RowChange
from farm.benchmark.scoring.initial_state import is_internal

_KINDS: Mapping[str, Change] = {"insert": "create", "update": "update", "delete": "delete"}


def changes_made(evidence: Evidence, besides: RowChange | None = None) -> frozenset[Change]:
    """Return the kinds of changes that a trial made; those of the call that made the row ``besides`` do not count."""
    found: set[Change] = set()
    for app, tables in evidence.diff.items():
        for table, changes in tables.items():
            own = [change for change in changes if besides is None or change["call"] != besides["call"]]
            if not own or not content.has_app(app) or is_internal(app, table):
                continue
            found |= {_KINDS[change["op"]] for change in own}
            if table in notifying_tables(app) and any(change["op"] == "insert" for change in own):
                found.add("send")
    return frozenset(found)


@lru_cache(maxsize=128)
def notifying_tables(app: str) -> frozenset[str]:
    """Return the tables of which changes notify other people at once."""
    return frozenset(content.load_app(app).schema.notifies)
