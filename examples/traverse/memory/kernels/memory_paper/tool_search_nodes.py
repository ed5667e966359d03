"""Searching the graph."""

from farm.appkit import Episode, Result

from . import context


def search_nodes(ep: Episode, *, query: str) -> Result:
    """Return the entities in whose name, type or observations the text occurs in any case, and their relations."""
    wanted = query.lower()
    found = [
        entity
        for entity in context.all_entities(ep)
        if wanted in entity["name"].lower()
        or wanted in entity["entityType"].lower()
        or any(wanted in text.lower() for text in entity["observations"])
    ]
    return context.subgraph(ep, found)
