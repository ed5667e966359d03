"""When a person or a room is busy."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from farm.appkit import Episode, Result, Row

from . import errors, event_json, users
from .envelope import NOTHING, Arguments, endpoint
from .event_json import ANSWER, WHEN

WINDOW_MOST = timedelta(days=90)
_DAY_S = 86400

# All-day events are kept as days of UTC and fill the day of whoever asks, which begins up to a day off.
_OF_PERSON = f"""
SELECT {WHEN}, coalesce(s.free_busy_status, e.free_busy_status) AS free_busy_status, {ANSWER}
FROM events e LEFT JOIN event_settings s ON s.event_id = e.event_id AND s.open_id = :person
WHERE e.status != 'cancelled' AND e.event_id IN (
  SELECT event_id FROM events WHERE organizer_calendar_id IN
    (SELECT calendar_id FROM calendars WHERE owner_id = :person AND type = 'primary' AND NOT is_deleted)
  UNION ALL SELECT event_id FROM attendees WHERE open_id = :person
  UNION ALL SELECT event_id FROM attendee_members WHERE open_id = :person)
  AND e.start_at < :before + :day * (e.start_date IS NOT NULL)
  AND (e.end_at >= :after - :day * (e.start_date IS NOT NULL) OR e.recurrence != '')
ORDER BY e.start_at, e.event_id
"""
_OF_ROOM = f"""
SELECT {WHEN}, a.rsvp_status FROM attendees a JOIN events e ON e.event_id = a.event_id
WHERE a.room_id = :room AND e.status != 'cancelled' AND e.start_at < :before
  AND (e.end_at > :after OR e.recurrence != '')
ORDER BY e.start_at, e.event_id
"""


@endpoint
def list_freebusy(ep: Episode, *, data: Arguments, params: Arguments = NOTHING) -> Result:
    """Return when somebody, or a room, is busy between two times, series expanded, by start.

    What was answered comes on request only (``need_rsvp_status``), and the tool has no such argument.

    Args:
        data: ``time_min`` and ``time_max`` in RFC 3339, at most 90 days apart; ``user_id``, or else ``room_id``;
            ``only_busy`` false for events marked free as well. Third-party calendars don't exist here.

    Raises:
        InvalidCalendarParameters: malformed or too long a time, neither a person nor a room, or no such room.
        UserIsDismissed: no such person, or one of another company.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar/list-3
    """
    start, end = _time(data["time_min"]), _time(data["time_max"])
    if end <= start or end - start > WINDOW_MOST:
        raise errors.InvalidCalendarParameters
    if not data.get("user_id") and not data.get("room_id"):
        raise errors.InvalidCalendarParameters
    window = (int(start.timestamp()), int(end.timestamp()))
    zone = timezone(start.utcoffset() or timedelta())
    if data.get("user_id"):
        busy = _busy_times_of_person(
            ep, data["user_id"], users.id_type_of(params), data.get("only_busy", True), window, zone
        )
    else:
        busy = _busy_times_of_room(ep, data["room_id"], window, zone)
    return {
        "freebusy_list": [
            {"start_time": _format_time(at, zone), "end_time": _format_time(until, zone)} for at, until in sorted(busy)
        ]
    }


def _time(text: str) -> datetime:
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        raise errors.InvalidCalendarParameters from None
    # Years at the edge leave no room for time zones.
    if parsed.tzinfo is None or not 1970 < parsed.year < 9990:
        raise errors.InvalidCalendarParameters
    return parsed


def _format_time(at: int, zone: tzinfo) -> str:
    text = datetime.fromtimestamp(at, zone).isoformat()
    return text.replace("+00:00", "Z") if zone == UTC else text


Busy = tuple[int, int]


def _busy_times_of_person(
    ep: Episode, key: str, id_type: str, only_busy: bool, window: tuple[int, int], zone: tzinfo
) -> list[Busy]:
    """Reads all events: with those of others that the person is invited to there is no order by time;
    Reads all attendees: these are looked up by the person, and
    Reads all attendee_members: likewise, who is invited with a group.
    """
    person = users.find_user(ep, key, id_type)
    home = ep.db.scalar("SELECT tenant_key FROM users WHERE open_id = ?", ep.me)
    if person is None or person["is_resigned"] or person["tenant_key"] != home:
        raise errors.UserIsDismissed
    open_id = person["open_id"]
    rows = ep.db.all(_OF_PERSON, person=open_id, after=window[0], before=window[1], day=_DAY_S)
    booked = [
        row
        for row in rows
        if row["answer"] not in ("decline", "removed") and not (only_busy and row["free_busy_status"] == "free")
    ]
    return _expanded(ep, booked, window, zone)


def _busy_times_of_room(ep: Episode, room_id: str, window: tuple[int, int], zone: tzinfo) -> list[Busy]:
    """Reads all attendees: what a room is booked for has no order by time."""
    if ep.db.one("SELECT 1 FROM rooms WHERE room_id = ?", room_id) is None:
        raise errors.InvalidCalendarParameters
    found = ep.db.all(_OF_ROOM, room=room_id, after=window[0] - _DAY_S, before=window[1] + _DAY_S)
    rows = [row for row in found if row["rsvp_status"] not in ("decline", "removed")]
    return _expanded(ep, rows, window, zone)


def _expanded(ep: Episode, booked: Sequence[Row], window: tuple[int, int], zone: tzinfo) -> list[Busy]:
    changed = event_json.changed_instances(ep, [row["event_id"] for row in booked if row["recurrence"]])
    found = []
    for row in booked:
        # All-day events have no zone: they fill the day of whoever asks.
        offset = 0
        if row["start_date"]:
            offset = int((zone.utcoffset(None) or timedelta()).total_seconds())
        skipped = changed.get(row["event_id"], ())
        for at, until in event_json.spans(row, window[0] + offset, window[1] + offset, skipped):
            found.append((at - offset, until - offset))
    return found
