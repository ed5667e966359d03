"""Ids that say when something was made, as the site's users, notes and comments have them."""

from __future__ import annotations

from farm.appkit import Episode


def stamped(ep: Episode, kind: str) -> str:
    """Return a fresh id whose first eight digits are the second it is made in."""
    return f"{ep.now_ms // 1000:08x}{ep.new_id(kind)[8:]}"
