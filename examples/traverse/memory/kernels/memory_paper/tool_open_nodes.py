"""Opening entities by their names."""

from typing import Any

from farm.appkit import Episode, Result

from . import context


def open_nodes(ep: Episode, *, names: list[Any]) -> Result:
    """Return the entities of these names in their stored order, and their relations."""
    return context.subgraph(ep, [entity for entity in context.all_entities(ep) if entity["name"] in names])
