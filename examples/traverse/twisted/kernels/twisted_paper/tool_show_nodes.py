"""Showing nodes by their labels."""

from typing import Any

from farm.appkit import Episode, Result

from . import context


def show_nodes(ep: Episode, *, labels: list[Any]) -> Result:
    """Return the nodes of these labels in their stored order, and the ties at either end of them."""
    wanted = {context.as_label(label) for label in labels}
    found = [node for node in context.all_nodes(ep) if node["label"] in wanted]
    return {"nodes": found, "ties": context.touching_ties(ep, {node["label"] for node in found})}
