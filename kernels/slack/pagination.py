"""Cursors: base64 of a prefix and the key of the next page's first row."""

from __future__ import annotations

import base64
import binascii

from . import errors


def encode(prefix: str, key: str) -> str:
    """Return the cursor that points at ``key``."""
    return base64.b64encode(f"{prefix}:{key}".encode()).decode()


def decode(prefix: str, cursor: str | None) -> str | None:
    """Return the key a cursor points at; None for the first page.

    Raises:
        InvalidCursor: it is not a cursor of this kind.
    """
    if not cursor:
        return None
    try:
        kind, _, key = base64.b64decode(cursor, validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        raise errors.InvalidCursor from None
    if kind != prefix or not key:
        raise errors.InvalidCursor
    return key


def page_size(limit: float, *, most: int, cap: int | None = None) -> int:
    """Return a page's size from a tool's ``limit``.

    Args:
        limit: what the agent sent; the tool's schema lets any number through.
        most: the largest limit Slack takes.
        cap: what the MCP server cuts larger limits to before it asks Slack.

    Raises:
        InvalidLimit: not a whole number from 1 to ``most``.
    """
    size = limit if cap is None else min(limit, cap)
    # The range first: it lets neither NaN nor infinity through to int().
    if not 1 <= size <= most or size != int(size):
        raise errors.InvalidLimit
    return int(size)
