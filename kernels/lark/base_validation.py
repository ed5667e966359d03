"""What every endpoint of a base asks first: the base, its table and view, the page; and that a table has changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from farm.appkit import Episode, Row, parse_json

from . import access, errors
from .envelope import Arguments, integer_parameter

_APP_TOKEN = re.compile(r"[0-9A-Za-z_-]{1,100}")
_IDS = {prefix: re.compile(rf"{prefix}[0-9A-Za-z]{{1,47}}") for prefix in ("tbl", "vew", "rec")}


def is_id(prefix: str, value: str) -> bool:
    """Return whether this looks like the id of a table (tbl), view (vew) or record (rec)."""
    return _IDS[prefix].fullmatch(value) is not None


def require_base(ep: Episode, app_token: str, needed: int = access.VIEW) -> Row:
    """Return a base the person may see, or edit.

    Raises:
        WrongBaseToken: no token has this form.
        BaseTokenNotFound: no such base.
        BaseForbidden: the person may not see it.
        BasePermissionDenied: the person may only read it.
    """
    if not _APP_TOKEN.fullmatch(app_token):
        raise errors.WrongBaseToken
    base = ep.db.one(
        "SELECT b.*, f.owner_id FROM bases b JOIN files f ON f.token = b.app_token "
        "WHERE b.app_token = ? AND NOT f.is_deleted",
        app_token,
    )
    if base is None:
        raise errors.BaseTokenNotFound
    level = access.level(ep, app_token)
    if level == access.NOBODY:
        raise errors.BaseForbidden
    if level < needed:
        raise errors.BasePermissionDenied
    return base


def require_table(ep: Episode, path: Arguments, needed: int = access.VIEW) -> Row:
    """Return the table a path names, with its base's ``time_zone``.

    Raises:
        WrongBaseToken, BaseTokenNotFound, BaseForbidden, BasePermissionDenied: as ``require_base``.
        WrongTableId: no id has this form.
        TableIdNotFound: the base has no such table.
    """
    base = require_base(ep, path["app_token"], needed)
    if not is_id("tbl", path["table_id"]):
        raise errors.WrongTableId
    table = ep.db.one(
        "SELECT t.*, b.time_zone FROM base_tables t JOIN bases b ON b.app_token = t.app_token "
        "WHERE t.table_id = ? AND t.app_token = ?",
        path["table_id"],
        base["app_token"],
    )
    if table is None:
        raise errors.TableIdNotFound
    return table


def find_view(ep: Episode, table_id: str, view_id: str | None) -> Row | None:
    """Return the view a request asks for, or None when it asks for none.

    Raises:
        WrongViewId: no id has this form.
        ViewIdNotFound: the table has no such view.
    """
    if not view_id:
        return None
    if not is_id("vew", view_id):
        raise errors.WrongViewId
    view = ep.db.one("SELECT * FROM base_views WHERE view_id = ? AND table_id = ?", view_id, table_id)
    if view is None:
        raise errors.ViewIdNotFound
    return view


def page_size(params: Arguments, *, default: int, most: int) -> int:
    """Return a page's size.

    Raises:
        PageSizeTooSmall: nothing, or less.
        FieldValidationFailed: more than the endpoint gives, or not a whole number.
    """
    size = integer_parameter(params, "page_size", default)
    if size <= 0:
        raise errors.PageSizeTooSmall
    if size > most:
        raise errors.FieldValidationFailed("page_size", f"the max value is {most}", value=str(size))
    return size


def position_after(ids: Sequence[str], page_token: str | None) -> int:
    """Return where the page behind this id begins.

    Raises:
        BaseCallFailed: the token is none of these ids.
    """
    if not page_token:
        return 0
    if page_token not in ids:
        raise errors.BaseCallFailed("page_token is invalid")
    return ids.index(page_token) + 1


def view_settings(view: Row) -> dict[str, Any]:
    """Return a view's filter, sort and hidden fields."""
    settings: dict[str, Any] = parse_json(view["property"] or "{}")
    return settings


def bump(ep: Episode, table_id: str) -> None:
    """Count a change of a table."""
    ep.db.execute("UPDATE base_tables SET revision = revision + 1 WHERE table_id = ?", table_id)
