"""Untying nodes."""

from typing import Any

from farm.appkit import Episode, Result

from . import context


def untie_nodes(ep: Episode, *, ties: list[Any]) -> Result:
    """Remove ties; unknown ones are passed over."""
    for item in ties:
        context.remove_tie(ep, context.as_label(item["source"]), context.as_label(item["target"]), item["bond"])
    return "Untied"
