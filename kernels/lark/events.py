"""Events: made, read, changed, deleted and searched on one calendar."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from farm.appkit import Episode, Result, Row, Value, parse_json
from farm.appkit.formats.cursors import encode_cursor

from . import attendees, calendars, errors, event_fields, event_json, users
from .envelope import NOTHING, Arguments, decode_token, endpoint, integer_parameter, page_size
from .event_json import ON_CALENDAR, CalendarEntry

QUERY_MOST = 200
_MONTH_S = 30 * 86400

_PAGE = (
    ON_CALENDAR
    + """
  AND (e.start_at, e.event_id) > (:start_at, :event_id)
  AND (:anchor IS NULL OR e.recurrence != ''
       OR e.end_at >= :anchor AND (e.original_at IS NULL OR e.original_at >= :anchor))
ORDER BY e.start_at, e.event_id LIMIT :limit
"""
)
_CHANGED = (
    ON_CALENDAR
    + """
  AND (e.start_at, e.event_id) > (:start_at, :event_id) AND e.updated_at >= :since
ORDER BY e.start_at, e.event_id LIMIT :limit
"""
)
_WINDOW = (
    ON_CALENDAR + " AND e.start_at < :before AND (e.end_at > :after OR e.start_at >= :after OR e.recurrence != '')"
)
_AMONG = " AND e.event_id IN (SELECT value FROM json_each(:among)) "
_ORDER = " ORDER BY e.start_at, e.event_id"


@endpoint
def create_event(ep: Episode, *, path: Arguments, data: Arguments, params: Arguments = NOTHING) -> Result:
    """Put an event on a calendar; nobody is invited yet.

    Not simulated: notifications, uploads of attachments, an app's own calendar.

    Raises:
        FieldValidationFailed: a text or the idempotency key is too long or too short.
        InvalidCalendarId, CalendarNotFound, CalendarIsDeleted, NoCalendarAccessRole, InvalidCalendarType: as
            ``require_calendar``.
        InvalidCalendarParameters: times, recurrence or another value are not valid.
        InvalidAttachmentToken: an attachment was never uploaded.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar-event/create
    """
    key, id_type = params.get("idempotency_key"), users.id_type_of(params)
    calendars.check_length("idempotency_key", key, 128, least=32)
    event_fields.check_lengths(data)
    calendar = calendars.require_calendar(ep, path["calendar_id"], "writer")
    if key and (earlier := _made_before(ep, calendar, key)) is not None:
        return {"event": event_json.event_to_json(ep, CalendarEntry(calendar, earlier, False), id_type)}
    found = event_fields.times(data) | event_fields.columns(ep, data, id_type)
    if "attachments" in data:
        found["attachments"] = json.dumps(event_fields.attachments(ep, data["attachments"], []), ensure_ascii=False)
    found.setdefault("vchat", '{"vc_type":"vc","meeting_url":""}')
    event_id = ep.new_id("event")
    ep.db.insert(
        "events",
        event_id=event_id,
        organizer_calendar_id=calendar["calendar_id"],
        organizer_id=ep.me,
        idempotency_key=key,
        created_at=ep.now_ms // 1000,
        updated_at=ep.now_ms,
        **found,
    )
    return {"event": _event_with_meeting_settings(ep, _stored(ep, calendar, event_id), id_type)}


def _made_before(ep: Episode, calendar: Row, key: str) -> Row | None:
    return ep.db.one(
        "SELECT * FROM events WHERE organizer_calendar_id = ? AND idempotency_key = ? AND status != 'cancelled' "
        "ORDER BY event_id",
        calendar["calendar_id"],
        key,
    )


def _stored(ep: Episode, calendar: Row, event_id: str) -> CalendarEntry:
    row = ep.db.one("SELECT * FROM events WHERE event_id = ?", event_id)
    assert row is not None
    return CalendarEntry(calendar, row, False)


def _event_with_meeting_settings(ep: Episode, entry: CalendarEntry, id_type: str) -> dict[str, Any]:
    """Return an event with the meeting's settings, which only its editors see."""
    body = event_json.event_to_json(ep, entry, id_type)
    settings = parse_json(entry.event["vchat"]).get("meeting_settings")
    if settings is not None and "vchat" in body and entry.allows(ep, "can_modify_event"):
        hosts = users.find_users(ep, settings.get("assign_hosts", ()))
        if "assign_hosts" in settings:
            settings["assign_hosts"] = [hosts[each][id_type] for each in settings["assign_hosts"] if each in hosts]
        body["vchat"]["meeting_settings"] = settings
    return body


@endpoint
def get_event(ep: Episode, *, path: Arguments, params: Arguments = NOTHING) -> Result:
    """Return an event, or one instance of a series; a deleted one as cancelled.

    Args:
        params: ``need_attendee`` with ``max_attendee_num`` (10, at most 100), ``need_meeting_settings``.

    Raises:
        FieldValidationFailed: ``max_attendee_num`` is out of range.
        InvalidEventId, EventNotFound: as ``find_event``.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar-event/get
    """
    most = integer_parameter(params, "max_attendee_num", 10)
    if not 0 <= most <= 100:
        bound = "the max value is 100" if most > 100 else "the min value is 0"
        raise errors.FieldValidationFailed("max_attendee_num", bound, value=str(most))
    entry = event_json.find_event(ep, path)
    id_type = users.id_type_of(params)
    show = _event_with_meeting_settings if params.get("need_meeting_settings") else event_json.event_to_json
    body = show(ep, entry, id_type)
    if params.get("need_attendee") and "summary" in body:
        listed = attendees.visible_to_caller(ep, entry, id_type, most + 1)
        body |= {"attendees": listed[:most], "has_more_attendee": len(listed) > most}
    return {"event": body}


@endpoint
def list_events(ep: Episode, *, path: Arguments, params: Arguments = NOTHING) -> Result:
    """Return the events of a calendar by start, series once and unexpanded, deleted ones as cancelled.

    Args:
        params: either ``start_time`` and ``end_time`` in seconds, one page only; or pages of everything from
            ``anchor_time`` on; or ``sync_token`` for what changed since; or none, and one page of everything.

    Raises:
        FieldValidationFailed: the page size is out of range.
        SyncTokenWithOtherRestrictions: a sync token beside times.
        InvalidCalendarParameters: times that are malformed, alone, reversed or beside page token or anchor.
        PageTokenExpired: a token is not of this list.
        InvalidCalendarType: a calendar bound from elsewhere.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar-event/list
    """
    size = page_size(params, default=500, least=50, most=1000)
    start, end, anchor = (params.get(name) for name in ("start_time", "end_time", "anchor_time"))
    token, sync = params.get("page_token"), params.get("sync_token")
    if sync and (start or end or anchor):
        raise errors.SyncTokenWithOtherRestrictions
    if (start or end) and (not start or not end or token or anchor):
        raise errors.InvalidCalendarParameters
    calendar = calendars.require_calendar(ep, path["calendar_id"])
    calendars.require_type(calendar, (*calendars.OWN_TYPES, "resource"))
    id_type = users.id_type_of(params)
    if start:
        after, before = event_fields.seconds(start), event_fields.seconds(end)
        if after > before:
            raise errors.InvalidCalendarParameters
        rows = in_window(ep, calendar, after, before)[:size]
        items = event_json.events_to_json(ep, calendar, rows, id_type)
        return {"has_more": False, "page_token": "", "items": items}
    return _page(ep, calendar, id_type, size, params)


def _page(ep: Episode, calendar: Row, id_type: str, size: int, params: Arguments) -> Result:
    """Reads all events: with those of others that the person is invited to there is no order by time;
    Reads all attendees: these are looked up by the person, and
    Reads all attendee_members: likewise, who is invited with a group.
    """
    optional = (int, type(None))
    anchor = event_fields.seconds(params["anchor_time"]) if params.get("anchor_time") else None
    since = calendars.since("Events", params.get("sync_token"))
    keys = decode_token("events", params.get("page_token"), errors.PageTokenExpired(), (int, str, optional, optional))
    start_at, event_id, anchor, since = keys or (-(2**60), "", anchor, since)
    values = event_json.viewpoint(ep, calendar) | {
        "start_at": start_at,
        "event_id": event_id,
        "anchor": anchor,
        "since": since,
        "limit": size + 1,
    }
    rows = ep.db.all(_PAGE if since is None else _CHANGED, **values)
    has_more, rows = len(rows) > size, rows[:size]
    if has_more:
        # Pages go on from an anchor, or through changes; without either the first page is all there is.
        following = ""
        if anchor is not None or since is not None:
            following = encode_cursor("events", rows[-1]["start_at"], rows[-1]["event_id"], anchor, since)
        page = {"has_more": True, "page_token": following}
    else:
        page = {"has_more": False, "page_token": "", "sync_token": calendars.sync_token("Events", ep.now_ms)}
    return page | {"items": event_json.events_to_json(ep, calendar, rows, id_type)}


def in_window(ep: Episode, calendar: Row, after: int, before: int, among: Collection[str] | None = None) -> list[Row]:
    """Return the events of a calendar, or those among them, with an instance between two moments, by first start.

    Reads all events: with those of others that the person is invited to there is no order by time;
    Reads all attendees: these are looked up by the person, and
    Reads all attendee_members: likewise, who is invited with a group.
    """
    values = event_json.viewpoint(ep, calendar) | {
        "after": after,
        "before": before,
        "among": json.dumps(list(among or ())),
    }
    rows = ep.db.all(_WINDOW + ("" if among is None else _AMONG) + _ORDER, **values)
    series = [row["event_id"] for row in rows if row["recurrence"]]
    changed = event_json.changed_instances(ep, series)
    return [
        row
        for row in rows
        if not row["recurrence"] or any(event_json.spans(row, after, before, changed.get(row["event_id"], ())))
    ]


@endpoint
def patch_event(ep: Episode, *, path: Arguments, data: Arguments = NOTHING, params: Arguments = NOTHING) -> Result:
    """Change what the request names. An instance of a series becomes an exception of its own.

    Somebody who is only invited changes visibility, availability, color and reminders for themselves, and the rest
    only where the event says that attendees may modify it.

    Raises:
        FieldValidationFailed: a text is too long.
        InvalidEventId, EventNotFound, EventIsDeleted, NoCalendarAccessRole: as ``require_event``.
        NoPermissionToOperateEvent: the caller may not change this of it.
        OnlyOrganizerSetsHosts: somebody invited names the hosts of the meeting.
        InvalidCalendarParameters: a value is not valid.
        InvalidAttachmentToken: an attachment was never uploaded.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar-event/patch
    """
    event_fields.check_lengths(data)
    entry = event_json.require_event(ep, path, "writer")
    id_type = users.id_type_of(params)
    shared = [name for name in data if name not in event_fields.PERSONAL and name != "need_notification"]
    if shared and not entry.allows(ep, "can_modify_event"):
        raise errors.NoPermissionToOperateEvent
    if "assign_hosts" in data.get("vchat", {}).get("meeting_settings", {}) and not entry.is_organizers:
        raise errors.OnlyOrganizerSetsHosts
    changes = _changes(ep, entry, data, id_type)
    personal = {}
    if not entry.is_organizers:
        personal = {name: changes.pop(name) for name in event_fields.PERSONAL if name in changes}
    entry = attendees.with_row(ep, entry)
    event_id = entry.event["event_id"]
    if changes:
        ep.db.update("events", {"event_id": event_id}, **changes, updated_at=ep.now_ms)
    if personal:
        _set_personal(ep, event_id, personal)
    stored = _stored(ep, entry.calendar, event_id)
    if changes.keys() & {"start_at", "end_at", "recurrence"}:
        attendees.answer_for_rooms(ep, stored.event)
    return {"event": _event_with_meeting_settings(ep, stored, id_type)}


def _changes(ep: Episode, entry: CalendarEntry, data: Arguments, id_type: str) -> dict[str, Value]:
    event = entry.event
    changes = event_fields.columns(ep, data, id_type, parse_json(event["vchat"]))
    if changes.get("recurrence") and event["recurring_event_id"]:
        # An instance cannot be a series.
        raise errors.InvalidCalendarParameters
    if "start_time" in data and "end_time" in data:
        changes |= event_fields.times(data)
    if "attachments" in data:
        kept = event_fields.attachments(ep, data["attachments"], parse_json(event["attachments"]))
        changes["attachments"] = json.dumps(kept, ensure_ascii=False)
    return changes


def _set_personal(ep: Episode, event_id: str, values: dict[str, Value]) -> None:
    if not ep.db.update("event_settings", {"event_id": event_id, "open_id": ep.me}, **values):
        ep.db.insert("event_settings", event_id=event_id, open_id=ep.me, **values)
    ep.db.update("events", {"event_id": event_id}, updated_at=ep.now_ms)


@endpoint
def delete_event(ep: Episode, *, path: Arguments, params: Arguments = NOTHING) -> Result:
    """Cancel an event for everybody. A series leaves its changed instances behind: they are events of their own.

    Raises:
        InvalidEventId, EventNotFound, EventIsDeleted, NoCalendarAccessRole: as ``require_event``.
        NoPermissionToOperateEvent: the event was organized on another calendar.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar-event/delete
    """
    entry = event_json.require_event(ep, path, "writer")
    if not entry.is_organizers:
        raise errors.NoPermissionToOperateEvent
    event: Row = attendees.with_row(ep, entry).event
    ep.db.update("events", {"event_id": event["event_id"]}, status="cancelled", updated_at=ep.now_ms)
    return {}


@endpoint
def search_events(ep: Episode, *, path: Arguments, data: Arguments, params: Arguments = NOTHING) -> Result:
    """Return the events of a calendar whose titles hold every word of the query.

    Args:
        data: ``query`` of up to 200 characters, and a ``filter`` by time, attendees, rooms and groups. Without
            times only the month that has passed is searched.
        params: ``page_size`` 10 to 100, ``page_token``.

    Raises:
        FieldValidationFailed: the query is too long, or the page too large.
        InvalidCalendarParameters: a time is malformed.
        NoCalendarAccessRole: the caller may not read the calendar's events.
        InvalidCalendarType: neither a primary nor a shared calendar.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar-event/search
    """
    calendars.check_length("query", data["query"], QUERY_MOST)
    size = page_size(params, default=20, least=10, most=100, lifts=True)
    offset = calendars.offset_of(params.get("page_token"))
    calendar = calendars.require_calendar(ep, path["calendar_id"], "reader")
    calendars.require_type(calendar, calendars.OWN_TYPES)
    id_type, wanted = users.id_type_of(params), data.get("filter", NOTHING)
    after, before = _search_window(ep, wanted)
    words = data["query"].casefold().split()
    found = [
        row
        for row in in_window(ep, calendar, after, before, ep.db.candidates("events", *words))
        if row["status"] != "cancelled" and _is_named(row["summary"], words)
    ]
    found = attendees.with_any(ep, found, wanted, id_type)
    items = event_json.events_to_json(ep, calendar, found[offset : offset + size], id_type, in_search=True)
    # A private event's title is nothing the caller may find.
    items = [item for item in items if "summary" in item]
    return {"items": items, "page_token": str(offset + size) if len(found) > offset + size else ""}


def _is_named(title: str, words: Collection[str]) -> bool:
    """Return whether a title has every word, one with an underscore in it only as a whole."""
    parts = title.casefold().split()
    plain = " ".join(part for part in parts if "_" not in part)
    return all(word in plain or word in parts for word in words)


def _search_window(ep: Episode, wanted: Arguments) -> tuple[int, int]:
    start, end = wanted.get("start_time"), wanted.get("end_time")
    now_s = ep.now_ms // 1000
    if not start and not end:
        return now_s - _MONTH_S, now_s
    after = event_fields.moment(start)[0] if start else -(2**40)
    before = event_fields.moment(end, is_end=True)[0] if end else 2**40
    if after > before:
        raise errors.InvalidCalendarParameters
    return after, before
