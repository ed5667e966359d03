"""Attendees: people, groups, rooms and outside addresses invited to an event."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json
from farm.appkit.formats.cursors import encode_cursor

from . import calendars, errors, event_fields, event_json, users
from .envelope import NOTHING, Arguments, decode_token, endpoint, page_size
from .event_json import CalendarEntry

ADDED_MOST = 1000
ROOMS_ADDED_MOST = 100
REASON_MOST = 200
ALL_MOST = 3000
REMOVED_MOST = 500
# A room looks this far ahead for a clash with a series.
_ROOM_AHEAD_S = 180 * 86400
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
# Attendee type → column that names who it is, and the argument it comes in.
_COLUMNS = {
    "user": ("open_id", "user_id"),
    "chat": ("chat_id", "chat_id"),
    "resource": ("room_id", "room_id"),
    "third_party": ("third_party_email", "third_party_email"),
}

_LIST = """
SELECT a.*, u.union_id, u.user_id, u.name AS user_name, u.tenant_key, o.union_id AS operator_union_id,
       o.user_id AS operator_user_id, c.name AS chat_name, r.name AS room_name
FROM attendees a
LEFT JOIN users u ON u.open_id = a.open_id
LEFT JOIN users o ON o.open_id = a.operate_id
LEFT JOIN chats c ON c.chat_id = a.chat_id
LEFT JOIN rooms r ON r.room_id = a.room_id
WHERE a.event_id = :event_id AND (a.position, a.attendee_id) > (:position, :attendee_id)
  AND (:open_id IS NULL OR a.open_id = :open_id)
ORDER BY a.position, a.attendee_id LIMIT :limit
"""
_MEMBERS = """
SELECT m.*, u.name AS user_name, u.tenant_key FROM attendee_members m JOIN users u ON u.open_id = m.open_id
WHERE m.event_id = ? AND m.attendee_id IN (SELECT value FROM json_each(?)) ORDER BY m.attendee_id, u.name, m.open_id
"""
_BOOKED = f"""
SELECT {event_json.WHEN} FROM attendees a JOIN events e ON e.event_id = a.event_id
WHERE a.room_id = :room_id AND a.rsvp_status NOT IN ('decline', 'removed') AND e.status != 'cancelled'
  AND e.event_id != :event_id AND e.recurring_event_id IS NOT :event_id
  AND e.start_at < :before AND (e.end_at > :after OR e.recurrence != '')
ORDER BY e.start_at, e.event_id
"""
# What an instance takes over from its series; parents first.
_COPIED = {
    "attendees": "attendee_id, position, type, open_id, chat_id, room_id, third_party_email, operate_id, rsvp_status, "
    "is_optional, is_organizer",
    "attendee_members": "attendee_id, open_id, rsvp_status",
    "event_settings": "open_id, visibility, free_busy_status, color, reminders",
}


@dataclass(frozen=True, slots=True)
class Guest:
    """One attendee a request asks for, known to exist.

    Attributes:
        contact: open id of who answers for a room.
    """

    type: str
    key: str
    is_optional: bool = False
    contact: str | None = None


@endpoint
def create_attendees(ep: Episode, *, path: Arguments, data: Arguments = NOTHING, params: Arguments = NOTHING) -> Result:
    """Invite attendees and return everybody who is or was invited; those who are invited stay as they are.

    A room books itself a moment later at the vendor's: the answer says ``needs_action``, the next reading the outcome.
    Not simulated: notifications, booking forms and approval, room administrators.

    Raises:
        FieldValidationFailed: more than 1000 at once, or a reason is too long.
        InvalidEventId, EventNotFound, EventIsDeleted, NoCalendarAccessRole: as ``require_event``.
        NoPermissionToCreateAttendees: the event does not let the caller invite.
        InvalidAttendeeType: one without a type.
        InvalidCalendarParameters: nobody, too many rooms or people, or one who cannot be invited.
        UserIsDismissed: a user who does not exist, has left or is of another company than the event's organizer.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar-event-attendee/create
    """
    asked = data.get("attendees", ())
    if len(asked) > ADDED_MOST:
        raise errors.FieldValidationFailed("attendees", f"the max len is {ADDED_MOST}")
    for number, each in enumerate(asked):
        calendars.check_length(f"attendees[{number}].approval_reason", each.get("approval_reason"), REASON_MOST)
    entry = event_json.require_event(ep, path, "writer")
    if not entry.allows(ep, "can_invite_others"):
        raise errors.NoPermissionToCreateAttendees
    id_type = users.id_type_of(params)
    named: dict[tuple[str, str], Guest] = {}
    for guest in _guests(ep, entry.event, data, id_type):
        named.setdefault((guest.type, guest.key), guest)
    guests = list(named.values())
    if not guests or sum(guest.type == "resource" for guest in guests) > ROOMS_ADDED_MOST:
        raise errors.InvalidCalendarParameters
    entry = with_row(ep, entry)
    added = _insert(ep, entry.event, guests)
    _open_meeting(ep, entry.event)
    return {
        "attendees": [
            dict(each, rsvp_status="needs_action") if each["attendee_id"] in added else each
            for each in _attendees_to_json(ep, entry.event, id_type, ALL_MOST)
        ]
    }


def _guests(ep: Episode, event: Row, data: Arguments, id_type: str) -> Iterator[Guest]:
    """Yield whom a request names, each known to exist and users to be of the organizer's company."""
    asked = data.get("attendees", ())
    if data.get("is_enable_admin"):
        raise errors.InvalidCalendarParameters
    if any("type" not in each for each in asked):
        raise errors.InvalidAttendeeType
    known = users.find_users(ep, [each.get(name, "") for each in asked for name in ("user_id", "operate_id")], id_type)
    home = ep.db.scalar("SELECT tenant_key FROM users WHERE open_id = ?", event["organizer_id"] or ep.me)
    for each in asked:
        argument = _COLUMNS[each["type"]][1]
        key = each.get(argument, "")
        if not key:
            raise errors.InvalidCalendarParameters
        if each["type"] == "user":
            key = _colleague(known, key, home)
        elif not _exists(ep, each["type"], key):
            raise errors.InvalidCalendarParameters
        is_room = each["type"] == "resource"
        contact = _colleague(known, each["operate_id"], home) if is_room and each.get("operate_id") else None
        yield Guest(each["type"], key, bool(each.get("is_optional")) and not is_room, contact)
        if contact is not None and data.get("add_operator_to_attendee", True):
            yield Guest("user", contact)


def _colleague(known: Mapping[str, Row], key: str, home: str) -> str:
    """Return the open id of somebody of this company."""
    if key not in known or known[key]["is_resigned"] or known[key]["tenant_key"] != home:
        raise errors.UserIsDismissed
    return str(known[key]["open_id"])


def _exists(ep: Episode, kind: str, key: str) -> bool:
    if kind == "third_party":
        return len(key) <= 254 and _EMAIL.fullmatch(key) is not None
    if kind == "resource":
        return ep.db.one("SELECT 1 FROM rooms WHERE room_id = ?", key) is not None
    # A group can be invited by its members only.
    member = "SELECT 1 FROM chat_members m JOIN chats c USING (chat_id) WHERE chat_id = ? AND open_id = ?"
    return ep.db.one(f"{member} AND chat_status = 'normal' AND chat_mode != 'p2p'", key, ep.me) is not None


def _insert(ep: Episode, event: Row, guests: Sequence[Guest]) -> set[str]:
    """Add those who are not invited and return the ids of the rooms among them, whose answers are to come.

    Who was taken off before is asked again, in the old place.
    """
    event_id = event["event_id"]
    rows = ep.db.all("SELECT * FROM attendees WHERE event_id = ? ORDER BY position", event_id)
    there = {_named_by(row) for row in rows if row["rsvp_status"] != "removed"}
    gone = {_named_by(row): row for row in rows if row["rsvp_status"] == "removed"}
    new = [guest for guest in guests if (guest.type, guest.key) not in there]
    if len(there) + len(new) > ALL_MOST:
        raise errors.InvalidCalendarParameters
    position = max((row["position"] for row in rows), default=-1)
    rooms = set()
    for index, guest in enumerate(new, start=1):
        before = gone.get((guest.type, guest.key))
        attendee_id = before["attendee_id"] if before else ep.new_id(f"attendee_{guest.type}")
        if before:
            ep.db.delete("attendees", event_id=event_id, attendee_id=attendee_id)
        is_organizer = guest.type == "user" and guest.key == event["organizer_id"]
        ep.db.insert(
            "attendees",
            event_id=event_id,
            attendee_id=attendee_id,
            position=before["position"] if before else position + index,
            type=guest.type,
            rsvp_status="accept" if is_organizer else "needs_action",
            is_optional=int(guest.is_optional),
            is_organizer=int(is_organizer),
            operate_id=(guest.contact or ep.me) if guest.type == "resource" else None,
            **{_COLUMNS[guest.type][0]: guest.key},
        )
        if guest.type == "resource":
            rooms.add(attendee_id)
        elif guest.type == "chat":
            ep.db.execute(
                "INSERT INTO attendee_members (event_id, attendee_id, open_id) "
                "SELECT ?, ?, open_id FROM chat_members WHERE chat_id = ? ORDER BY joined_at, open_id",
                event_id,
                attendee_id,
                guest.key,
            )
    if rooms:
        answer_for_rooms(ep, event)
    ep.db.update("events", {"event_id": event_id}, updated_at=ep.now_ms)
    return rooms


def _named_by(row: Row) -> tuple[str, str]:
    """Return the type of an attendee and who or what it is."""
    return row["type"], row[_COLUMNS[row["type"]][0]]


def _open_meeting(ep: Episode, event: Row) -> None:
    """The address of a video meeting comes with the first attendee."""
    vchat = parse_json(event["vchat"])
    if vchat.get("vc_type") == "vc" and not vchat.get("meeting_url"):
        vchat["meeting_url"] = event_fields.meeting_url(ep)
        ep.db.update("events", {"event_id": event["event_id"]}, vchat=json.dumps(vchat, ensure_ascii=False))


def answer_for_rooms(ep: Episode, event: Row) -> None:
    """Let every room of an event accept, or decline when it is out of use or taken at any instance."""
    rooms = ep.db.all(
        "SELECT a.attendee_id, a.rsvp_status, r.room_id, r.is_disabled FROM attendees a JOIN rooms r USING (room_id) "
        "WHERE a.event_id = ? AND a.rsvp_status != 'removed' ORDER BY a.position",
        event["event_id"],
    )
    for room in rooms:
        answer = "decline" if room["is_disabled"] or _is_taken(ep, room["room_id"], event) else "accept"
        if answer != room["rsvp_status"]:
            key = {"event_id": event["event_id"], "attendee_id": room["attendee_id"]}
            ep.db.update("attendees", key, rsvp_status=answer)


def _is_taken(ep: Episode, room_id: str, event: Row) -> bool:
    """Reads all attendees: what a room is booked for has no order by time."""
    after = event["start_at"]
    before = after + _ROOM_AHEAD_S if event["recurrence"] else event["end_at"]
    changed = event_json.changed_instances(ep, [event["event_id"]]).get(event["event_id"], set())
    mine = list(event_json.spans(event, after, before, changed))
    keys = {"room_id": room_id, "event_id": event["event_id"], "after": after, "before": before}
    others = ep.db.all(_BOOKED, **keys)
    moved = event_json.changed_instances(ep, [row["event_id"] for row in others if row["recurrence"]])
    if event["recurring_event_id"] and event["original_at"]:
        moved.setdefault(event["recurring_event_id"], set()).add(event["original_at"])
    taken = [span for row in others for span in event_json.spans(row, after, before, moved.get(row["event_id"], ()))]
    return any(start < other_end and other_start < end for start, end in mine for other_start, other_end in taken)


def with_row(ep: Episode, entry: CalendarEntry) -> CalendarEntry:
    """Give an untouched instance of a series a row of its own, with the guests and settings of the series."""
    if not entry.is_new_instance:
        return entry
    event = {name: value for name, value in entry.event.items() if name != "is_exception"}
    ep.db.insert("events", **event | {"updated_at": ep.now_ms})
    for table, names in _COPIED.items():
        ep.db.execute(
            f"INSERT INTO {table} (event_id, {names}) SELECT ?, {names} FROM {table} WHERE event_id = ? "
            f"ORDER BY {names}",
            event["event_id"],
            event["recurring_event_id"],
        )
    return CalendarEntry(entry.calendar, event, False)


@endpoint
def list_attendees(ep: Episode, *, path: Arguments, params: Arguments = NOTHING) -> Result:
    """Return a page of an event's attendees, 10 to 100 at a time, groups with their members.

    Those who were taken off stay in it as ``removed``.

    Raises:
        FieldValidationFailed: the page is over 100.
        InvalidEventId, EventNotFound, EventIsDeleted, NoCalendarAccessRole: as ``require_event``.
        NoPermissionToListAttendees: the event hides its guests from the caller.
        PageTokenExpired: the token is not of this list.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar-event-attendee/list
    """
    size = page_size(params, default=20, least=10, most=100, lifts=True)
    keys = decode_token("attendees", params.get("page_token"), errors.PageTokenExpired(), (int, str))
    entry = event_json.require_event(ep, path, "reader")
    if not _may_list(ep, entry):
        raise errors.NoPermissionToListAttendees
    position, attendee_id = keys or (-1, "")
    found = _attendees_to_json(
        ep, entry.event, users.id_type_of(params), size + 1, position=position, attendee_id=attendee_id
    )
    has_more, found = len(found) > size, found[:size]
    token = ""
    if has_more:
        last = ep.db.one(
            "SELECT position, attendee_id FROM attendees WHERE event_id = ? AND attendee_id = ?",
            _holder(entry.event),
            found[-1]["attendee_id"],
        )
        assert last is not None
        token = encode_cursor("attendees", last["position"], last["attendee_id"])
    return {"items": found, "has_more": has_more, "page_token": token}


def _may_list(ep: Episode, entry: CalendarEntry) -> bool:
    if entry.is_organizers:
        return calendars.may(ep, entry.calendar, "reader") and event_json.shows_details(ep, entry)
    return entry.allows(ep, "can_see_others")


def _holder(event: Row) -> str:
    """Return the event whose attendees count: for an untouched instance its series."""
    return str(event["recurring_event_id"] if event.get("is_exception") is False else event["event_id"])


def visible_to_caller(ep: Episode, entry: CalendarEntry, id_type: str, limit: int) -> list[dict[str, Any]]:
    """Return the first attendees of an event, or only the caller where the event hides the others."""
    only = None if _may_list(ep, entry) else ep.me
    return _attendees_to_json(ep, entry.event, id_type, limit, open_id=only)


def _attendees_to_json(
    ep: Episode,
    event: Row,
    id_type: str,
    limit: int,
    *,
    position: int = -1,
    attendee_id: str = "",
    open_id: str | None = None,
) -> list[dict[str, Any]]:
    rows = ep.db.all(
        _LIST, event_id=_holder(event), position=position, attendee_id=attendee_id, open_id=open_id, limit=limit
    )
    home = ep.db.scalar("SELECT tenant_key FROM users WHERE open_id = ?", ep.me)
    members: dict[str, list[Row]] = {}
    groups = [row["attendee_id"] for row in rows if row["type"] == "chat"]
    if groups:
        for row in ep.db.all(_MEMBERS, _holder(event), json.dumps(groups)):
            members.setdefault(row["attendee_id"], []).append(row)
    return [_attendee(row, members.get(row["attendee_id"], []), event, home, id_type) for row in rows]


def _attendee(row: Row, members: list[Row], event: Row, home: str, id_type: str) -> dict[str, Any]:
    kind = row["type"]
    name = row["user_name"] or row["chat_name"] or row["room_name"] or row["third_party_email"] or ""
    body = {
        "type": kind,
        "attendee_id": row["attendee_id"],
        # A group as such never answers, only its members do.
        "rsvp_status": "needs_action" if kind == "chat" and row["rsvp_status"] != "removed" else row["rsvp_status"],
        "is_optional": bool(row["is_optional"]),
        "is_organizer": bool(row["is_organizer"]),
        "is_external": kind == "third_party" or (kind == "user" and row["tenant_key"] != home),
        "display_name": name,
    }
    if kind == "chat":
        body["chat_members"] = [
            {
                "rsvp_status": each["rsvp_status"],
                "is_optional": False,  # what is said of the group does not count for its members
                "display_name": each["user_name"],
                "is_organizer": each["open_id"] == event["organizer_id"],
                "is_external": each["tenant_key"] != home,
            }
            for each in members
        ]
    if kind == "user":
        # Another company's user_id is not told.
        return body | {"user_id": row["open_id" if body["is_external"] and id_type == "user_id" else id_type]}
    if kind == "resource" and row["operate_id"]:
        operator = row["operate_id"] if id_type == "open_id" else row[f"operator_{id_type}"]
        return body | {"room_id": row["room_id"], "operate_id": operator}
    return body | {_COLUMNS[kind][0]: row[_COLUMNS[kind][0]]}


@endpoint
def delete_attendees(ep: Episode, *, path: Arguments, data: Arguments = NOTHING, params: Arguments = NOTHING) -> Result:
    """Take attendees off an event, by attendee id or by who they are; they stay in its list as ``removed``.

    Raises:
        FieldValidationFailed: more than 500 at once.
        InvalidEventId, EventNotFound, EventIsDeleted, NoCalendarAccessRole: as ``require_event``.
        NoPermissionToDeleteAttendees: the event was organized on another calendar.
        InvalidAttendeeType, InvalidCalendarParameters: one without type or id, or nobody.
        AttendeeNotFound: one is not invited.

    Source: https://open.feishu.cn/document/server-docs/calendar-v4/calendar-event-attendee/batch_delete
    """
    ids, others = data.get("attendee_ids", ()), data.get("delete_ids", ())
    if len(ids) + len(others) > REMOVED_MOST:
        raise errors.FieldValidationFailed("attendee_ids", f"the max len is {REMOVED_MOST}")
    entry = event_json.require_event(ep, path, "writer")
    if not entry.is_organizers:
        raise errors.NoPermissionToDeleteAttendees
    if data.get("is_enable_admin") or not (ids or others):
        raise errors.InvalidCalendarParameters
    entry = with_row(ep, entry)
    event_id = entry.event["event_id"]
    rows = ep.db.all(
        "SELECT * FROM attendees WHERE event_id = ? AND rsvp_status != 'removed' ORDER BY position", event_id
    )
    there = {_named_by(row): row["attendee_id"] for row in rows}
    wanted = [*ids, *(there.get(key, "") for key in _named(ep, others, users.id_type_of(params)))]
    if not set(wanted) <= set(there.values()):
        raise errors.AttendeeNotFound
    for table in ("attendees", "attendee_members"):
        ep.db.execute(
            f"UPDATE {table} SET rsvp_status = 'removed' "
            "WHERE event_id = ? AND attendee_id IN (SELECT value FROM json_each(?))",
            event_id,
            json.dumps(wanted),
        )
    ep.db.update("events", {"event_id": event_id}, updated_at=ep.now_ms)
    return {}


def _named(ep: Episode, asked: Sequence[Arguments], id_type: str) -> list[tuple[str, str]]:
    if any("type" not in each for each in asked):
        raise errors.InvalidAttendeeType
    known = users.find_users(ep, [each.get("user_id", "") for each in asked if each["type"] == "user"], id_type)
    found = []
    for each in asked:
        key = each.get(_COLUMNS[each["type"]][1], "")
        if not key:
            raise errors.InvalidCalendarParameters
        if each["type"] == "user":
            key = known[key]["open_id"] if key in known else ""
        found.append((each["type"], key))
    return found


def with_any(ep: Episode, rows: list[Row], wanted: Arguments, id_type: str) -> list[Row]:
    """Return the events that have at least one of the people, one of the rooms and one of the groups of a filter."""
    people = wanted.get("user_ids")
    given: Mapping[str, Any] = {
        "open_id": [user["open_id"] for user in users.find_users(ep, people, id_type).values()] if people else None,
        "room_id": wanted.get("room_ids") or None,
        "chat_id": wanted.get("chat_ids") or None,
    }
    for column, keys in given.items():
        if keys is None or not rows:
            continue
        found = ep.db.all(
            f"SELECT DISTINCT event_id FROM attendees WHERE +{column} IN (SELECT value FROM json_each(?)) "
            "AND event_id IN (SELECT value FROM json_each(?)) AND rsvp_status != 'removed' ORDER BY event_id",
            json.dumps(keys),
            json.dumps([row["event_id"] for row in rows]),
        )
        among = {row["event_id"] for row in found}
        if column == "open_id":
            # Who organized an event takes part in it, invited or not.
            among |= {row["event_id"] for row in rows if row["organizer_id"] in keys}
        rows = [row for row in rows if row["event_id"] in among]
    return rows
