"""Deleting relations."""

from typing import Any

from farm.appkit import Episode, Result

from . import context


def delete_relations(ep: Episode, *, relations: list[Any]) -> Result:
    """Delete relations; unknown ones are passed over."""
    for item in relations:
        context.remove_relation(ep, item["from"], item["to"], item["relationType"])
    return "Relations deleted successfully"
