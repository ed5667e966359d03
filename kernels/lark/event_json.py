"""Events as somebody sees them: found on a calendar, in their own settings, with details or only times."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from farm.appkit import Episode, Row, parse_json

from . import calendars, errors, recurrence
from .envelope import Arguments
from .event_fields import COORDINATES, PERSONAL, find_zone

ABILITIES = ("none", "can_see_others", "can_invite_others", "can_modify_event")
# What each kind of meeting shows; what else a row holds stays inside.
_VCHAT = {
    "vc": ("vc_type", "meeting_url"),
    "third_party": ("vc_type", "icon_type", "description", "meeting_url"),
    "no_meeting": ("vc_type",),
    "lark_live": ("vc_type", "meeting_url"),
    "unknown": ("vc_type",),
}
_ID = re.compile(r"([0-9A-Za-z-]{8,64})_(\d{1,12})", re.ASCII)

_INVITED = """
SELECT 1 FROM attendees WHERE event_id = :event_id AND open_id = :person AND rsvp_status != 'removed'
UNION ALL SELECT 1 FROM attendee_members WHERE event_id = :event_id AND open_id = :person AND rsvp_status != 'removed'
"""
_INVITED_AMONG = """
SELECT event_id FROM attendees
WHERE open_id = :person AND rsvp_status != 'removed' AND event_id IN (SELECT value FROM json_each(:ids))
UNION SELECT event_id FROM attendee_members
WHERE open_id = :person AND rsvp_status != 'removed' AND event_id IN (SELECT value FROM json_each(:ids))
"""
# Somebody invited alone and through a group has given the answer that is their own.
ANSWER = """
coalesce((SELECT rsvp_status FROM attendees WHERE event_id = e.event_id AND open_id = :person),
         (SELECT rsvp_status FROM attendee_members WHERE event_id = e.event_id AND open_id = :person
          ORDER BY attendee_id DESC LIMIT 1), 'accept') AS answer"""
# What hangs on an event: who organized it, what the owner of the calendar set for themselves and answered.
_HANGING = f"""
o.open_id AS organizer_open_id, o.union_id AS organizer_union_id, o.user_id AS organizer_user_id,
o.name AS organizer_name, {", ".join(f"s.{name} AS own_{name}" for name in PERSONAL)}, {ANSWER}
FROM events e LEFT JOIN users o ON o.open_id = e.organizer_id
LEFT JOIN event_settings s ON s.event_id = e.event_id AND s.open_id = :owner
"""
# What says when an event is: an event has five times as many columns.
WHEN = "e.event_id, e.start_at, e.end_at, e.start_date, e.start_timezone, e.recurrence"
ON_CALENDAR = f"""
SELECT e.*, {_HANGING} WHERE e.event_id IN (
  SELECT event_id FROM events WHERE organizer_calendar_id = :calendar_id
  UNION ALL SELECT event_id FROM attendees WHERE open_id = :person AND rsvp_status != 'removed'
  UNION ALL SELECT event_id FROM attendee_members WHERE open_id = :person AND rsvp_status != 'removed')
"""
_OF_ONE = f"SELECT {_HANGING} WHERE e.event_id = :event_id"


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """An event on the calendar it was asked for.

    Attributes:
        is_new_instance: whether the event is an instance of a series that has no row of its own yet.
    """

    calendar: Row
    event: Row
    is_new_instance: bool

    @property
    def is_organizers(self) -> bool:
        """Whether the calendar is the one the event was organized on."""
        return bool(self.event["organizer_calendar_id"] == self.calendar["calendar_id"])

    def allows(self, ep: Episode, ability: str) -> bool:
        """Whether the caller may do this with the event: its organizers may all, the invited what the event says."""
        if self.is_organizers:
            return calendars.may(ep, self.calendar, "writer")
        return ABILITIES.index(self.event["attendee_ability"]) >= ABILITIES.index(ability)


def person_of(calendar: Row) -> str | None:
    """Return whose invitations show on a calendar: a primary's owner, on others nobody."""
    return calendar["owner_id"] if calendar["type"] == "primary" else None


def find_event(ep: Episode, path: Arguments, least: str = "free_busy_reader") -> CalendarEntry:
    """Return the event a request names, on the calendar it names; a deleted one stays readable as cancelled.

    Raises:
        InvalidEventId: not of the form of an event id.
        EventNotFound: no such event on this calendar.
        InvalidCalendarId, CalendarNotFound, CalendarIsDeleted, NoCalendarAccessRole: as ``require_calendar``.
    """
    calendar = calendars.require_calendar(ep, path["calendar_id"], least)
    match = _ID.fullmatch(path["event_id"])
    if match is None:
        raise errors.InvalidEventId
    row = ep.db.one("SELECT * FROM events WHERE event_id = ?", path["event_id"])
    event, is_new = (row, False) if row else (_instance(ep, match[1], int(match[2])), True)
    if event is None:
        raise errors.EventNotFound
    if event["organizer_calendar_id"] != calendar["calendar_id"]:
        # An instance without a row of its own has its series' guests.
        key = event["recurring_event_id"] if is_new else event["event_id"]
        if ep.db.one(_INVITED, event_id=key, person=person_of(calendar)) is None:
            raise errors.EventNotFound
    return CalendarEntry(calendar, event, is_new)


def require_event(ep: Episode, path: Arguments, least: str = "free_busy_reader") -> CalendarEntry:
    """Return the event a request names, on the calendar it names.

    Raises:
        EventIsDeleted: it was deleted.
        What ``find_event`` refuses.
    """
    entry = find_event(ep, path, least)
    if entry.event["status"] == "cancelled":
        raise errors.EventIsDeleted
    return entry


def _instance(ep: Episode, uid: str, at: int) -> Row | None:
    """Return an instance of a series that nobody changed yet."""
    row = ep.db.one("SELECT * FROM events WHERE event_id = ?", f"{uid}_0") if at else None
    if row is None or at not in starts(row, at, at + 1):
        return None
    event = dict(row)
    length = event["end_at"] - event["start_at"]
    event.update(
        event_id=f"{uid}_{at}",
        start_at=at,
        end_at=at + length,
        recurrence="",
        recurring_event_id=row["event_id"],
        original_at=at,
        idempotency_key=None,
        is_exception=False,
    )
    if event["start_date"]:
        event.update(start_date=_day(at), end_date=_day(at + length - 1))
    return event


def _day(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def starts(event: Row, after: int, before: int) -> Iterator[int]:
    """Yield when an event, or each instance of a series, starts, between two moments."""
    rule = recurrence.parse(event["recurrence"]) if event["recurrence"] else None
    if rule is None:
        if after <= event["start_at"] < before:
            yield event["start_at"]
        return
    zone = find_zone("UTC" if event["start_date"] else event["start_timezone"]) or find_zone("UTC")
    assert zone is not None
    yield from recurrence.starts(rule, event["start_at"], zone, after, before)


def spans(event: Row, after: int, before: int, skipped: Iterable[int] = ()) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of an event's instances that overlap a stretch of time, but for some starts."""
    length, left_out = event["end_at"] - event["start_at"], set(skipped)
    for at in starts(event, after - length, before):
        if at not in left_out and (at + length > after or (at == after and not length)):
            yield at, at + length


def changed_instances(ep: Episode, series: Sequence[str]) -> dict[str, set[int]]:
    """Return, for each series, the starts whose instances have rows of their own."""
    found: dict[str, set[int]] = {}
    if series:
        rows = ep.db.all(
            "SELECT recurring_event_id, original_at FROM events "
            "WHERE recurring_event_id IN (SELECT value FROM json_each(?)) ORDER BY original_at",
            json.dumps(list(series)),
        )
        for row in rows:
            found.setdefault(row["recurring_event_id"], set()).add(row["original_at"])
    return found


def viewpoint(ep: Episode, calendar: Row) -> dict[str, Any]:
    """Return the values of ``ON_CALENDAR``: the calendar, whose invitations show on it and whose settings apply."""
    person = person_of(calendar)
    return {"calendar_id": calendar["calendar_id"], "person": person, "owner": person or ep.me}


def events_to_json(
    ep: Episode, calendar: Row, events: Sequence[Row], id_type: str, *, in_search: bool = False
) -> list[dict[str, Any]]:
    """Return events of one calendar, as ``ON_CALENDAR`` reads them, as the caller sees them."""
    seen = [_with_own(calendar, event) for event in events]
    open_ones = _visible(ep, calendar, seen)
    return [
        _event_body(ep, calendar, event, id_type, in_search=in_search)
        if event["event_id"] in open_ones
        else _times(event)
        for event in seen
    ]


def _with_own(calendar: Row, row: Row) -> dict[str, Any]:
    """Return an event with what the owner of the calendar set for themselves, and what they answered.

    A shared calendar is nobody's to answer for.
    """
    event = dict(row)
    event.update({name: row[f"own_{name}"] for name in PERSONAL if row[f"own_{name}"] is not None})
    if person_of(calendar) is not None:
        event["self_rsvp_status"] = row["answer"]
        if row["answer"] == "needs_action" and row["status"] == "confirmed":
            event["status"] = "tentative"
    return event


def event_to_json(ep: Episode, entry: CalendarEntry, id_type: str) -> dict[str, Any]:
    """Return one event as the caller sees it, with its check-in, which lists leave out.

    An instance without a row of its own has the guests and settings of its series.
    """
    event, calendar = entry.event, entry.calendar
    key = event["recurring_event_id" if entry.is_new_instance else "event_id"]
    hanging = ep.db.one(_OF_ONE, event_id=key, **viewpoint(ep, calendar))
    assert hanging is not None
    body = events_to_json(ep, calendar, [event | hanging], id_type)[0]
    check_in = event["event_check_in"]
    return {**body, "event_check_in": parse_json(check_in)} if check_in and "summary" in body else body


def shows_details(ep: Episode, entry: CalendarEntry) -> bool:
    """Return whether the caller may see more of an event than its times."""
    return bool(_visible(ep, entry.calendar, [entry.event]))


def _visible(ep: Episode, calendar: Row, events: Sequence[Row]) -> set[str]:
    """Return the events whose details the caller may see."""
    ids = {event["event_id"] for event in events}
    if calendar["owner_id"] == ep.me:
        return ids
    invited = ep.db.all(_INVITED_AMONG, person=ep.me, ids=json.dumps(list(ids)))
    found = {row["event_id"] for row in invited}
    if calendars.may(ep, calendar, "writer"):
        return ids
    levels = ("public", "default") if calendars.may(ep, calendar, "reader") else ("public",)
    return found | {e["event_id"] for e in events if e["visibility"] in levels or e["organizer_id"] == ep.me}


def _time(event: Row, end: str) -> dict[str, str]:
    if event["start_date"]:
        # Requests name the last day, answers the day after it; that is where ``end_at`` lies.
        return {"date": _day(event[f"{end}_at"]), "timezone": "UTC"}
    return {"timestamp": str(event[f"{end}_at"]), "timezone": event[f"{end}_timezone"]}


def _times(event: Row) -> dict[str, Any]:
    """What is left of an event for those who see only when its people are busy."""
    body = {
        "event_id": event["event_id"],
        "organizer_calendar_id": event["organizer_calendar_id"],
        "start_time": _time(event, "start"),
        "end_time": _time(event, "end"),
        "visibility": event["visibility"],
        "free_busy_status": event["free_busy_status"],
    }
    body["recurrence"] = event["recurrence"]
    return body | {"status": event["status"], **_series(event)}


def _series(event: Row) -> dict[str, Any]:
    if event["recurring_event_id"] is None:
        return {"is_exception": False}
    return {"is_exception": event.get("is_exception", True), "recurring_event_id": event["recurring_event_id"]}


def _event_body(ep: Episode, calendar: Row, event: Row, id_type: str, *, in_search: bool) -> dict[str, Any]:
    body: dict[str, Any] = {
        name: event[name] for name in ("event_id", "organizer_calendar_id", "summary", "description")
    }
    body |= {"start_time": _time(event, "start"), "end_time": _time(event, "end")}
    if not in_search:
        vchat = parse_json(event["vchat"])
        body["vchat"] = {name: vchat[name] for name in _VCHAT[vchat["vc_type"]] if name in vchat}
    body |= {name: event[name] for name in ("visibility", "attendee_ability", "free_busy_status")}
    if event["location"]:
        body["location"] = _place(parse_json(event["location"]))
    if "self_rsvp_status" in event:
        body["self_rsvp_status"] = event["self_rsvp_status"]
    body |= {"color": event["color"], "reminders": parse_json(event["reminders"]), "recurrence": event["recurrence"]}
    body |= {"status": event["status"], **_series(event)}
    if not in_search:
        body["create_time"] = str(event["created_at"])
        if event["schemas"]:
            body["schemas"] = parse_json(event["schemas"])
    if event["organizer_open_id"] is not None:
        body["event_organizer"] = {"user_id": event[f"organizer_{id_type}"], "display_name": event["organizer_name"]}
    body["app_link"] = _app_link(ep, calendar, event)
    if event["attachments"] != "[]":
        body["attachments"] = parse_json(event["attachments"])
    return body


def _place(location: dict[str, Any]) -> dict[str, Any]:
    """Return a place with its coordinates as the vendor keeps them, in single precision."""
    kept = {
        name: struct.unpack("f", struct.pack("f", location[name]))[0] for name in COORDINATES.keys() & location.keys()
    }
    return location | {name: int(value) if value.is_integer() else value for name, value in kept.items()}


def _app_link(ep: Episode, calendar: Row, event: Row) -> str:
    """Return the address that opens an event on the calendar it was read on, which is of use to its reader only."""
    uid, _, original = event["event_id"].rpartition("_")
    number = 7 * 10**18 + ep.hash("calendar", calendar["calendar_id"]) % 10**18
    return (
        f"https://applink.feishu.cn/client/calendar/event/detail?calendarId={number}&key={uid}"
        f"&originalTime={original}&startTime={event['start_at']}"
    )
