"""The whole garden."""

from farm.appkit import Episode, Result

from . import context


def whole_garden(ep: Episode) -> Result:
    """Return all nodes and ties."""
    return {"nodes": context.all_nodes(ep), "ties": context.all_ties(ep)}
