"""Tying nodes."""

from typing import Any

from farm.appkit import Episode, Result, VendorError

from . import context


class NothingToTie(VendorError):
    """Cannot tie: no node is called {label}"""

    code = "nothing_to_tie"


def tie_nodes(ep: Episode, *, ties: list[Any]) -> Result:
    """Store the ties between nodes that did not exist before the call, and return them.

    Raises:
        NothingToTie: a node does not exist.
    """
    labels = context.node_labels(ep)
    known = {(one["source"], one["target"], one["bond"]) for one in context.all_ties(ep)}
    created = []
    for item in ties:
        source, target = context.as_label(item["source"]), context.as_label(item["target"])
        for label in (source, target):
            if label not in labels:
                raise NothingToTie(label=label)
        if (source, target, item["bond"]) not in known:
            created.append({"source": source, "target": target, "bond": item["bond"]})
    for item in created:
        context.store_tie(ep, item["source"], item["target"], item["bond"])
    return created
