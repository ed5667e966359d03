"""The kinds of changes that a trial made, against which the deeds that its texts claim are held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from farm import content
from farm.benchmark.scoring.app_schemas import schema_of
from farm.benchmark.scoring.claims import Change
from farm.benchmark.scoring.evidence import CHANGES, Evidence, RowChange
from farm.benchmark.scoring.initial_state import is_internal


@dataclass(frozen=True)
class ChangesMade:
    """The kinds of changes of a trial, each with the calls that made such a change.

    Attributes:
        calls: kind → calls, each as its app and its number within the app; None for a change that no call made.
    """

    calls: Mapping[Change, frozenset[tuple[str, int | None]]]

    @classmethod
    def of(cls, evidence: Evidence) -> ChangesMade:
        """Return the changes of a trial."""
        found: dict[Change, set[tuple[str, int | None]]] = {}
        for app, tables in evidence.diff.items():
            for table, changes in tables.items():
                if not changes or not content.has_app(app) or is_internal(app, table):
                    continue
                notifies = table in schema_of(app).notifies
                for change in changes:
                    call = app, change["call"]
                    found.setdefault(CHANGES[change["op"]], set()).add(call)
                    if notifies and change["op"] == "insert":
                        found.setdefault("send", set()).add(call)
        return cls({kind: frozenset(calls) for kind, calls in found.items()})

    def kinds(self) -> frozenset[Change]:
        """Return the kinds of changes."""
        return frozenset(self.calls)

    def besides(self, app: str, change: RowChange) -> frozenset[Change]:
        """Return the kinds of changes that other calls made than the one that changed a row of an app."""
        own = {(app, change["call"])}
        return frozenset(kind for kind, calls in self.calls.items() if calls != own)
