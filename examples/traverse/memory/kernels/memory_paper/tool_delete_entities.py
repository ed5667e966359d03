"""Deleting entities."""

from typing import Any

from farm.appkit import Episode, Result

from . import context


def delete_entities(ep: Episode, *, entityNames: list[Any]) -> Result:
    """Delete entities with their relations; unknown names are passed over."""
    for name in entityNames:
        context.remove_entity(ep, name)
    return "Entities deleted successfully"
