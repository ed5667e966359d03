"""Calendars: which there are, and what the caller may do on one."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.cursors import encode_cursor

from . import errors, users
from .envelope import NOTHING, Arguments, decode_token, endpoint, page_size

ROLES = ("unknown", "free_busy_reader", "reader", "writer", "owner")
TEXT_MOST = 255
QUERY_MOST = 200
# Calendars of the vendor's own; others show what is kept elsewhere, or a room's bookings.
OWN_TYPES = ("primary", "shared")
DEFAULT_COLOR = -14513409
_SHAPE = re.compile(r"[\w.-]+@group\.calendar\.[\w.-]+", re.ASCII)
_SYNC = re.compile(r"List(Calendars|Events)SyncToken_(\d{1,16})", re.ASCII)

# What the caller may do follows from ownership, then from the sharing list, then from the calendar's visibility, which
# ends at the company's door.
_SELECT = """
SELECT c.*, a.role AS shared_role, s.summary_alias, s.color, s.position,
       o.tenant_key IS NOT NULL AND o.tenant_key IS NOT m.tenant_key AS is_outside
FROM calendars c
LEFT JOIN calendar_acls a ON a.calendar_id = c.calendar_id AND a.open_id = :me
LEFT JOIN calendar_subscriptions s ON s.calendar_id = c.calendar_id AND s.open_id = :me
LEFT JOIN users o ON o.open_id = c.owner_id
LEFT JOIN users m ON m.open_id = :me
"""
_ONE = _SELECT + "WHERE c.calendar_id = :calendar_id"
_PRIMARY = _SELECT + "WHERE c.owner_id = :me AND c.type = 'primary'"
_LIST = (
    _SELECT
    + """
WHERE s.open_id IS NOT NULL AND (s.position, c.calendar_id) > (:position, :calendar_id)
  AND (:since IS NULL AND NOT c.is_deleted OR max(c.updated_at, s.updated_at) >= :since)
ORDER BY s.position, c.calendar_id LIMIT :limit
"""
)
_SEARCH = (
    _SELECT
    + """
WHERE NOT c.is_deleted AND (c.type = 'primary' OR c.permissions = 'public' AND c.type = 'shared') AND NOT is_outside
  AND (instr(lower(c.summary), :query) OR instr(lower(c.description), :query)
       OR c.type = 'primary' AND (instr(lower(o.name), :query) OR instr(lower(o.en_name), :query)))
"""
)
# What the text index says of a calendar's own texts and of its owner's names.
_AMONG = """
  AND c.calendar_id IN (SELECT value FROM json_each(:calendars) UNION ALL
                        SELECT calendar_id FROM calendars WHERE owner_id IN (SELECT value FROM json_each(:people)))
"""
_ORDER = """
ORDER BY lower(c.summary) != :query, c.type != 'primary', c.summary, c.calendar_id LIMIT :limit OFFSET :offset
"""


def role(ep: Episode, calendar: Row) -> str:
    """Return the caller's role on a calendar."""
    if calendar["owner_id"] == ep.me:
        return "owner"
    if calendar["shared_role"]:
        return str(calendar["shared_role"])
    if calendar["is_outside"]:
        return "unknown"
    return {"public": "reader", "show_only_free_busy": "free_busy_reader"}.get(calendar["permissions"], "unknown")


def may(ep: Episode, calendar: Row, least: str) -> bool:
    """Return whether the caller's role on a calendar is at least this one."""
    return ROLES.index(role(ep, calendar)) >= ROLES.index(least)


def require_calendar(ep: Episode, calendar_id: str, least: str = "free_busy_reader") -> Row:
    """Return a calendar on which the caller has at least this role.

    Args:
        calendar_id: its id, or ``primary`` for the caller's own.

    Raises:
        InvalidCalendarId: not of the form of an id.
        CalendarNotFound: no such calendar.
        CalendarIsDeleted: it was deleted.
        NoCalendarAccessRole: the caller may do too little there.
        InvalidCalendarType: to write, neither a primary nor a shared calendar.
    """
    if calendar_id == "primary":
        calendar = find_primary(ep)
    elif _SHAPE.fullmatch(calendar_id):
        calendar = ep.db.one(_ONE, me=ep.me, calendar_id=calendar_id)
    else:
        raise errors.InvalidCalendarId
    if calendar is None:
        raise errors.CalendarNotFound
    if calendar["is_deleted"]:
        raise errors.CalendarIsDeleted
    if not may(ep, calendar, least):
        raise errors.NoCalendarAccessRole
    if least == "writer":
        require_type(calendar, OWN_TYPES)
    return calendar


def require_type(calendar: Row, types: Collection[str]) -> None:
    """Refuse calendars of other types than these.

    Raises:
        InvalidCalendarType: it is of another.
    """
    if calendar["type"] not in types:
        raise errors.InvalidCalendarType


def find_primary(ep: Episode) -> Row | None:
    """Return the caller's primary calendar."""
    row: Row | None = ep.db.one(_PRIMARY, me=ep.me)
    return row


def sync_token(kind: str, now_ms: int) -> str:
    """Return the token that stands for all changes up to now; ``kind`` is Calendars or Events."""
    return f"List{kind}SyncToken_{now_ms}"


def since(kind: str, token: str | None) -> int | None:
    """Return the time a sync token stands for, None without one.

    Raises:
        PageTokenExpired: it is no token of this list.
    """
    if not token:
        return None
    match = _SYNC.fullmatch(token)
    if match is None or match[1] != kind:
        raise errors.PageTokenExpired
    return int(match[2])


def offset_of(token: str | None) -> int:
    """Return the offset that a search's page token is.

    Raises:
        PageTokenExpired: it is not one.
    """
    if not token:
        return 0
    if not (token.isascii() and token.isdigit() and len(token) < 10):
        raise errors.PageTokenExpired
    return int(token)


def check_length(field: str, text: str | None, most: int, *, least: int = 0) -> None:
    """Refuse texts that are too long or too short.

    Raises:
        FieldValidationFailed: the text is.
    """
    if text is None:
        return
    if len(text) > most:
        raise errors.FieldValidationFailed(field, f"the max len is {most}")
    if len(text) < least:
        raise errors.FieldValidationFailed(field, f"the min len is {least}")


def is_int32(value: float) -> bool:
    """Return whether a number is whole and fits 32 bits, as colors must."""
    return -(2**31) <= value < 2**31 and value == int(value)


@endpoint
def primary(ep: Episode, *, params: Arguments = NOTHING) -> Result:
    """Return the caller's primary calendar.

    Raises:
        CalendarNotFound: the account has none.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar/primary
    """
    calendar = find_primary(ep)
    if calendar is None:
        raise errors.CalendarNotFound
    me = users.require_user(ep, ep.me)
    return {"calendars": [{"calendar": calendar_to_json(ep, calendar), "user_id": me[users.id_type_of(params)]}]}


@endpoint
def list_calendars(ep: Episode, *, params: Arguments = NOTHING) -> Result:
    """Return the calendars the caller owns or follows, in the order of their list.

    Args:
        params: ``page_size`` 50 to 1000, ``page_token``, ``sync_token`` for what changed since.

    Raises:
        FieldValidationFailed: the page size is out of range.
        PageTokenExpired: a token is not of this list.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar/list
    """
    size = page_size(params, default=500, least=50, most=1000)
    changed_since = since("Calendars", params.get("sync_token"))
    keys = decode_token("calendars", params.get("page_token"), errors.PageTokenExpired(), (int, str, (int, type(None))))
    position, calendar_id, changed_since = keys or (-1, "", changed_since)
    values = {"me": ep.me, "position": position, "calendar_id": calendar_id, "since": changed_since, "limit": size + 1}
    rows = ep.db.all(_LIST, **values)
    has_more, rows = len(rows) > size, rows[:size]
    if has_more:
        last = rows[-1]
        token = encode_cursor("calendars", last["position"], last["calendar_id"], changed_since)
        page = {"has_more": True, "page_token": token}
    else:
        page = {"has_more": False, "page_token": "", "sync_token": sync_token("Calendars", ep.now_ms)}
    return page | {"calendar_list": [calendar_to_json(ep, row) for row in rows]}


@endpoint
def get_calendar(ep: Episode, *, path: Arguments) -> Result:
    """Return one calendar, its fields at the top of the answer.

    Raises:
        InvalidCalendarId, CalendarNotFound, CalendarIsDeleted, NoCalendarAccessRole: as ``require_calendar``.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar/get
    """
    return calendar_to_json(ep, require_calendar(ep, path["calendar_id"]))


@endpoint
def create_calendar(ep: Episode, *, data: Arguments = NOTHING) -> Result:
    """Create a shared calendar owned by the caller, at the end of their list.

    Raises:
        FieldValidationFailed: a text is over 255 characters.
        InvalidRequestParameters: the color does not fit 32 bits.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar/create
    """
    for field in ("summary", "description", "summary_alias"):
        check_length(field, data.get(field), TEXT_MOST)
    color = data.get("color", DEFAULT_COLOR)
    if not is_int32(color):
        raise errors.InvalidRequestParameters
    calendar_id = ep.new_id("calendar")
    ep.db.insert(
        "calendars",
        calendar_id=calendar_id,
        owner_id=ep.me,
        type="shared",
        summary=data.get("summary", ""),
        description=data.get("description", ""),
        permissions=data.get("permissions", "show_only_free_busy"),
        updated_at=ep.now_ms,
    )
    last = ep.db.scalar("SELECT max(position) FROM calendar_subscriptions WHERE open_id = ?", ep.me)
    ep.db.insert(
        "calendar_subscriptions",
        calendar_id=calendar_id,
        open_id=ep.me,
        position=(last or 0) + 1,
        summary_alias=data.get("summary_alias", ""),
        color=int(color),
        updated_at=ep.now_ms,
    )
    return {"calendar": calendar_to_json(ep, require_calendar(ep, calendar_id))}


@endpoint
def search_calendars(ep: Episode, *, data: Arguments, params: Arguments = NOTHING) -> Result:
    """Return public calendars and colleagues' primaries whose title or description holds the query.

    Reads all calendars: words that the index does not know may stand in any title.

    A primary calendar is also found by its owner's name in the other script (inferred).

    Raises:
        FieldValidationFailed: the query is empty or over 200 characters, or the page over 50.
        PageTokenExpired: the token is not an offset.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar/search
    """
    check_length("query", data["query"], QUERY_MOST, least=1)
    size = page_size(params, default=20, least=1, most=50, lifts=True)
    offset = offset_of(params.get("page_token"))
    values = {"me": ep.me, "query": data["query"].lower(), "limit": size + 1, "offset": offset}
    own, people = ep.db.candidates("calendars", values["query"]), ep.db.candidates("users", values["query"])
    if own is None or people is None:
        rows = ep.db.all(_SEARCH + _ORDER, **values)
    else:
        among = {"calendars": json.dumps(list(own)), "people": json.dumps(list(people))}
        rows = ep.db.all(_SEARCH + _AMONG + _ORDER, **values, **among)
    token = str(offset + size) if len(rows) > size else ""
    return {"items": [calendar_to_json(ep, row) for row in rows[:size]], "page_token": token}


def calendar_to_json(ep: Episode, calendar: Row) -> dict[str, Any]:
    """Return a calendar as the caller sees it; color and alias are their own."""
    return {
        "calendar_id": calendar["calendar_id"],
        "summary": calendar["summary"],
        "description": calendar["description"],
        "permissions": calendar["permissions"],
        "color": -1 if calendar["color"] is None else calendar["color"],
        "type": calendar["type"],
        "summary_alias": calendar["summary_alias"] or "",
        "is_deleted": bool(calendar["is_deleted"]),
        "is_third_party": bool(calendar["is_third_party"]),
        "role": role(ep, calendar),
    }
