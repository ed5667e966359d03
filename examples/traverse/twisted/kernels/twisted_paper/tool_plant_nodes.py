"""Planting nodes."""

from typing import Any

from farm.appkit import Episode, Result, VendorError
from farm.appkit.formats.javascript import js_length

from . import context


class LabelTooLong(VendorError):
    """A label has at most {most} characters, this one has {length}"""

    code = "label_too_long"


def plant_nodes(ep: Episode, *, nodes: list[Any]) -> Result:
    """Store the nodes whose labels, in lower case, did not exist before the call, and return them.

    Raises:
        LabelTooLong: a label is too long.
    """
    for item in nodes:
        length = js_length(item["label"])
        if length > context.LONGEST_LABEL:
            raise LabelTooLong(most=context.LONGEST_LABEL, length=length)
    known = context.node_labels(ep)
    created = [
        {"label": context.as_label(item["label"]), "kind": item["kind"], "remarks": list(item["remarks"])}
        for item in nodes
        if context.as_label(item["label"]) not in known
    ]
    for item in created:
        context.store_node(ep, item["label"], item["kind"], item["remarks"])
    return created
