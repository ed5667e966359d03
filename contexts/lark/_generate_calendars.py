"""Calendars, rooms and events of a world's Lark."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from farm.appkit import Row
from farm.appkit.world_spec import AppSpec, as_json, require

from ._generate_people import Company
from .files import CALENDARS, EVENTS

_CALENDAR = "feishu.cn_{alnum:16}@group.calendar.feishu.cn"
# How an attendee's mark in events.toml reads; no mark is an acceptance.
_MARKS = {"?": "tentative", "!": "decline", "*": "needs_action", "~": "accept"}


class _Calendars:
    """The calendars of a world, by key; a person's key means their primary."""

    def __init__(self, spec: AppSpec, company: Company) -> None:
        read = spec.read(CALENDARS)
        self.shared = {each["key"]: each for each in read["calendars"]}
        self.primaries = {each["person"]: each for each in read["primaries"]}
        self.rooms = {each["key"]: each for each in read["rooms"]}
        self.spec, self.company = spec, company

    def owner(self, key: str, where: str) -> str:
        """Return the person a calendar belongs to."""
        if key in self.shared:
            return str(self.shared[key]["owner"])
        require("calendar or person with Lark", key, {**self.shared, **self.company.people}, where)
        return key

    def id(self, key: str) -> str:
        return self.company.id(_CALENDAR, "calendar", key)

    def room_id(self, key: str, where: str) -> str:
        require("room", key, self.rooms, where)
        return self.company.id("omm_{hex:32}", "room", key)


def rows(spec: AppSpec, company: Company) -> Iterator[Row]:
    """Yield calendars with who may see and who follows them, rooms, events and who is invited."""
    calendars = _Calendars(spec, company)
    yield from _primaries(calendars)
    yield from _shared(calendars)
    yield from _subscriptions(calendars)
    for key, room in calendars.rooms.items():
        yield {
            "table": "rooms",
            "room_id": calendars.room_id(key, "lark/calendars.toml"),
            "tenant_key": company.tenant(company.home),
            "name": room["name"],
            "location": room["location"],
            "capacity": room["capacity"],
            "is_disabled": int(room.get("disabled", False)),
        }
    for number, event in enumerate(spec.read(EVENTS)["events"], start=1):
        yield from _event(calendars, event, f"lark/events.toml: event {number} '{event['title']}'")


def _calendar(calendars: _Calendars, key: str, kind: str, summary: str, description: str, permissions: str) -> Row:
    company = calendars.company
    return {
        "table": "calendars",
        "calendar_id": calendars.id(key),
        "owner_id": company.open_id(calendars.owner(key, "lark/calendars.toml"), "lark/calendars.toml"),
        "type": kind,
        "summary": summary,
        "description": description,
        "permissions": permissions,
        "updated_at": company.earlier_s(company.now_s, "calendar", key, days=(30, 300)) * 1000,
    }


def _primaries(calendars: _Calendars) -> Iterator[Row]:
    for key, person in calendars.company.people.items():
        said = calendars.primaries.get(key, {})
        permissions = said.get("permissions", "show_only_free_busy")
        yield _calendar(calendars, key, "primary", person.name, "", permissions)
        yield from _acls(calendars, key, said)


def _shared(calendars: _Calendars) -> Iterator[Row]:
    for key, said in calendars.shared.items():
        yield _calendar(calendars, key, "shared", said["summary"], said["description"], said["permissions"])
        yield from _acls(calendars, key, said)


def _acls(calendars: _Calendars, key: str, said: dict[str, Any]) -> Iterator[Row]:
    owner = calendars.owner(key, "lark/calendars.toml")
    for role in ("writer", "reader"):
        for person in said.get(f"{role}s", []):
            if person == owner:
                continue
            yield {
                "table": "calendar_acls",
                "calendar_id": calendars.id(key),
                "open_id": calendars.company.open_id(person, f"lark/calendars.toml: '{key}'"),
                "role": role,
                "acl_id": calendars.company.id("user_7{digit:18}", "acl", key, person),
            }


def _subscriptions(calendars: _Calendars) -> Iterator[Row]:
    """Everyone's list: the own calendar, the shared ones one may read, the colleagues one reads."""
    company = calendars.company
    for person in company.people:
        listed = [person]
        for key, said in {**calendars.shared, **calendars.primaries}.items():
            if key != person and person in {said.get("owner"), *said.get("writers", []), *said.get("readers", [])}:
                listed.append(key)
        for position, key in enumerate(listed):
            yield {
                "table": "calendar_subscriptions",
                "calendar_id": calendars.id(key),
                "open_id": company.open_id(person),
                "position": position,
                "updated_at": company.earlier_s(company.now_s, "subscription", person, key, days=(3, 200)) * 1000,
            }


def _event(calendars: _Calendars, event: dict[str, Any], where: str) -> Iterator[Row]:
    """Yield an event and its attendees."""
    company, identity = calendars.company, (event["cal"], event["at"], event["title"])
    owner = calendars.owner(event["cal"], where)
    maker = event.get("by", owner)
    event_id = company.id("{uuid}_0", "event", *identity)
    invited = list(_attendees(calendars, event, event_id, maker, where))
    with_meeting = event.get("vc", True) and len(invited) > 1
    # Recurring events and old ones were made well before; nothing was made after the start.
    start = _span(calendars, event, where)
    made = calendars.spec.at(event["made"], where) if "made" in event else None
    made_s = int(made.timestamp()) if made else company.earlier_s(start["start_at"], "made", *identity, days=(1, 9))
    yield {
        "table": "events",
        "event_id": event_id,
        "organizer_calendar_id": calendars.id(event["cal"]),
        "organizer_id": company.open_id(maker, where),
        "summary": company.show(event["title"], where),
        "description": company.show(event.get("text", ""), where),
        **start,
        "vchat": as_json(_meeting(company, identity) if with_meeting else {"vc_type": "no_meeting"}),
        "visibility": "private" if event.get("private") else "default",
        "attendee_ability": event.get("ability", "can_see_others"),
        "free_busy_status": "free" if event.get("free") else "busy",
        "location": as_json({"name": event["place"]}) if "place" in event else None,
        "reminders": as_json([{"minutes": event.get("remind", 480 if "days" in event else 5)}]),
        "recurrence": event.get("repeat", ""),
        "status": event.get("status", "confirmed"),
        "created_at": made_s,
        "updated_at": made_s * 1000,
    }
    yield from invited


def _span(calendars: _Calendars, event: dict[str, Any], where: str) -> Row:
    spec = calendars.spec
    if "days" in event:
        first = spec.at(f"{event['at']} 0:00", where).date()
        last = first + timedelta(days=event["days"] - 1)
        midnights = [datetime(day.year, day.month, day.day, tzinfo=UTC) for day in (first, last + timedelta(days=1))]
        start, end = (int(midnight.timestamp()) for midnight in midnights)
        dates = {"start_date": first.isoformat(), "end_date": last.isoformat()}
        return {"start_at": start, "end_at": end, **dates, "start_timezone": "UTC", "end_timezone": "UTC"}
    start = int(spec.at(event["at"], where).timestamp())
    zone = event.get("zone", str(spec.world.zone))
    return {"start_at": start, "end_at": start + event["min"] * 60, "start_timezone": zone, "end_timezone": zone}


def _meeting(company: Company, identity: tuple[str, ...]) -> dict[str, str]:
    url = f"https://vc.feishu.cn/j/{company.id('{digit:9}', 'meeting', *identity)}"
    return {"vc_type": "vc", "icon_type": "vc", "description": "", "meeting_url": url}


def _attendees(calendars: _Calendars, event: dict[str, Any], event_id: str, maker: str, where: str) -> Iterator[Row]:
    """Yield who is invited. An event nobody is invited to, without a room, has no list."""
    company, invited = calendars.company, event.get("with", "").split()
    if not invited and "room" not in event:
        return
    names = {each.rstrip("".join(_MARKS)): each for each in invited}
    if event["cal"] in company.people:
        names.setdefault(maker, maker)
    # The organizer comes first in every list.
    for position, (person, marked) in enumerate(sorted(names.items(), key=lambda item: item[0] != maker)):
        mark = marked.removeprefix(person)
        yield {
            "table": "attendees",
            "event_id": event_id,
            "attendee_id": company.id("user_7{digit:18}", "attendee", event_id, person),
            "position": position,
            "type": "user",
            "open_id": company.open_id(person, where),
            "rsvp_status": _MARKS.get(mark, "accept"),
            "is_optional": int(mark == "~"),
            "is_organizer": int(person == maker),
        }
    if "room" in event:
        yield {
            "table": "attendees",
            "event_id": event_id,
            "attendee_id": company.id("resource_7{digit:18}", "attendee", event_id, event["room"]),
            "position": len(names),
            "type": "resource",
            "room_id": calendars.room_id(event["room"], where),
            "operate_id": company.open_id(maker, where),
            "rsvp_status": "decline" if event.get("status") == "cancelled" else "accept",
        }
