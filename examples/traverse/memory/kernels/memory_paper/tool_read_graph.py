"""Reading the whole graph."""

from farm.appkit import Episode, Result

from . import context


def read_graph(ep: Episode) -> Result:
    """Return all entities and relations."""
    return {"entities": context.all_entities(ep), "relations": context.all_relations(ep)}
