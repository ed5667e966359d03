"""Dropping nodes."""

from typing import Any

from farm.appkit import Episode, Result

from . import context


def drop_nodes(ep: Episode, *, nodeLabels: list[Any]) -> Result:
    """Drop nodes with their ties; unknown labels are passed over."""
    for label in nodeLabels:
        context.remove_node(ep, context.as_label(label))
    return "Dropped"
