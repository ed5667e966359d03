"""Finding nodes by the start of their labels."""

from farm.appkit import Episode, Result

from . import context


def find_nodes(ep: Episode, *, start: str) -> Result:
    """Return the nodes whose labels begin with a text, and the ties between them."""
    wanted = context.as_label(start)
    found = [node for node in context.all_nodes(ep) if node["label"].startswith(wanted)]
    return {"nodes": found, "ties": context.inner_ties(ep, {node["label"] for node in found})}
