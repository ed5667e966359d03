"""Deleting observations."""

from typing import Any

from farm.appkit import Episode, Result

from . import context


def delete_observations(ep: Episode, *, deletions: list[Any]) -> Result:
    """Delete observations; what does not exist is passed over."""
    for item in deletions:
        row = context.find_entity(ep, item["entityName"])
        if row is not None:
            kept = [text for text in context.observations_of(row) if text not in item["observations"]]
            context.set_observations(ep, row, kept)
    return "Observations deleted successfully"
