"""Striking remarks."""

from typing import Any

from farm.appkit import Episode, Result

from . import context


def strike_remarks(ep: Episode, *, strikes: list[Any]) -> Result:
    """Strike remarks of nodes; what does not exist is passed over."""
    for item in strikes:
        row = context.find_node(ep, context.as_label(item["nodeLabel"]))
        if row is not None:
            kept = [text for text in context.remarks_of(row) if text not in item["remarks"]]
            context.set_remarks(ep, row, kept)
    return "Struck"
