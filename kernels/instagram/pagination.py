"""Pages of lists: cursors that name the row at a page's end, and the addresses of the pages beside it."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from farm.appkit import Episode, Row

from . import errors

_LIMIT_MAX = 100
_MARK = "QVFIU"


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a list.

    Attributes:
        rows: what it holds.
        is_first: nothing stands before it.
        is_last: nothing is left behind it.
        limit: how many rows it may have.
        key: the column that cursors are made of.
    """

    rows: Sequence[Row]
    is_first: bool
    is_last: bool
    limit: int
    key: str

    def listed(self, entries: Sequence[dict[str, Any]], path: str, version: str, fields: str) -> dict[str, Any]:
        """Return a list of what its rows are shown as, with its paging unless it is empty."""
        beside = self.paging(path, version, fields)
        return {"data": entries, "paging": beside} if beside else {"data": entries}

    def paging(self, path: str, version: str, fields: str) -> dict[str, Any]:
        """Return both cursors and the addresses of the pages that there are."""
        if not self.rows:
            return {}
        before, after = cursor(self.rows[0][self.key]), cursor(self.rows[-1][self.key])
        told: dict[str, Any] = {"cursors": {"before": before, "after": after}}
        if not self.is_first:
            told["previous"] = _address(path, version, fields=fields, limit=self.limit, before=before)
        if not self.is_last:
            told["next"] = _address(path, version, fields=fields, limit=self.limit, after=after)
        return told


def fetch_page(
    ep: Episode,
    rows: str,
    key: str,
    *,
    limit: int,
    after: str | None,
    limit_max: int = _LIMIT_MAX,
    at: str = "created_ms",
    **values: str,
) -> Page:
    """Return the page of a list that begins behind a cursor; more rows than there may be are as many as there may.

    Args:
        rows: the query of the whole list without its order, which ends in its conditions.
        key: the column that cursors name a row by.
        at: the column with the time of a row; the newest come first.
        values: what the query asks for.

    Raises:
        InvalidParameter: fewer than one row is asked for.
        InvalidCursor: the cursor names nothing in this list.
    """
    if limit < 1:
        raise errors.InvalidParameter(ep, problem="param limit must be greater than zero")
    limit, behind = min(limit, limit_max), ""
    last: Row = {}
    if after:
        last = ep.db.one(f"{rows} AND {key} = :{key} LIMIT 1", **values, **{key: _named(after)}) or {}
        if not last:
            raise errors.InvalidCursor(ep)
        behind = f"AND ({at}, {key}) < (:{at}, :{key})"
    found = ep.db.all(
        f"{rows} {behind} ORDER BY {at} DESC, {key} DESC LIMIT :most",
        most=limit + 1,
        **values,
        **({at: last[at], key: last[key]} if last else {}),
    )
    return Page(found[:limit], not last, len(found) <= limit, limit, key)


def cursor(key: str) -> str:
    """Return the cursor of a row."""
    return _MARK + urlsafe_b64encode(key.encode()).decode().rstrip("=")


def _named(text: str) -> str | None:
    if not text.startswith(_MARK) or not text.isascii():
        return None
    coded = text.removeprefix(_MARK)
    try:
        return urlsafe_b64decode(coded + "=" * (-len(coded) % 4)).decode()
    except (Error, UnicodeDecodeError):
        return None


def _address(path: str, version: str, **query: object) -> str:
    return f"https://graph.instagram.com/{version}/{path}?{urlencode(query)}"
