"""The account as which a call acts."""

from __future__ import annotations

from farm.appkit import Episode


def me(ep: Episode) -> int:
    """Return the account's own id; 0 where there is no account."""
    return int(ep.me) if ep.me.isdigit() else 0
