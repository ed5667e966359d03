"""Calendars, rooms and events of a world's Lark."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from farm.appkit import Row
from farm.appkit.world_spec import AT_WORK, AWAKE, AppSpec, as_json, require, shortly_before

from ._generate_people import Company
from .files import CALENDARS, EVENTS

_CALENDAR = "feishu.cn_{alnum:16}@group.calendar.feishu.cn"
# How an attendee's mark in events.toml reads; no mark is an acceptance.
_MARKS = {"?": "tentative", "!": "decline", "*": "needs_action", "~": "accept"}
# Days before its first event that a calendar is made at least; its events are made within two working days.
_CALENDAR_DAYS = 7


class _True(NamedTuple):
    """From when and until when all is true that an event tells; None for always."""

    since: datetime | None
    until: datetime | None


class _Calendars:
    """The calendars of a world, by key; a person's key means their primary."""

    def __init__(self, spec: AppSpec, company: Company) -> None:
        read = spec.read(CALENDARS)
        self.shared = {each["key"]: each for each in read["calendars"]}
        self.primaries = {each["person"]: each for each in read["primaries"]}
        self.rooms = {each["key"]: each for each in read["rooms"]}
        self.spec, self.company = spec, company
        self.events = spec.read(EVENTS)["events"]
        self.oldest = dict[str, int]()  # key → how many days before the world its first event was
        for event in self.events:
            first = spec.at(event["made"], EVENTS.path) if "made" in event else _start(spec, event)
            days = (spec.world.starts_at.date() - first.date()).days
            self.oldest[event["cal"]] = max(days, self.oldest.get(event["cal"], 0))

    def made_ms(self, key: str, owner: str) -> int:
        """Return when a calendar was made, before its events."""
        first = max(30, self.oldest.get(key, 0) + _CALENDAR_DAYS)
        return self.company.earlier_s(owner, "calendar", key, days=(first, max(300, first + 60))) * 1000

    def is_own(self, event: dict[str, Any]) -> bool:
        """Return whether an event is no work: it is private, and nobody else is invited."""
        shared = self.shared.get(event["cal"], {})
        return bool(event.get("private") or shared.get("permissions") == "private") and "with" not in event

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
    since, until = spec.true_since(EVENTS, "events"), spec.true_until(EVENTS, "events")
    for number, (event, *true) in enumerate(zip(calendars.events, since, until, strict=True), start=1):
        yield from _event(calendars, event, _True(*true), f"lark/events.toml: event {number} '{event['title']}'")


def _calendar(calendars: _Calendars, key: str, kind: str, summary: str, description: str, permissions: str) -> Row:
    company, owner = calendars.company, calendars.owner(key, "lark/calendars.toml")
    return {
        "table": "calendars",
        "calendar_id": calendars.id(key),
        "owner_id": company.open_id(owner, "lark/calendars.toml"),
        "type": kind,
        "summary": summary,
        "description": description,
        "permissions": permissions,
        "updated_at": calendars.made_ms(key, owner),
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
                "updated_at": company.earlier_s(person, "subscription", person, key, days=(3, 200)) * 1000,
            }


def _event(calendars: _Calendars, event: dict[str, Any], true: _True, where: str) -> Iterator[Row]:
    """Yield an event and its attendees."""
    company, identity = calendars.company, (event["cal"], event["at"], event["title"])
    owner = calendars.owner(event["cal"], where)
    maker = event.get("by", owner)
    event_id = company.id("{uuid}_0", "event", *identity)
    invited = list(_attendees(calendars, event, event_id, maker, where))
    with_meeting = event.get("vc", True) and len(invited) > 1
    start = _span(calendars.spec, event)
    if "made" in event:
        made_s = calendars.spec.second_ms(event["made"], where, "event", *identity) // 1000
    else:
        made_s = _made_s(calendars, event, maker, start["start_at"], true)
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
        "updated_at": _updated_s(made_s, true, company, identity) * 1000,
    }
    yield from invited


def _made_s(calendars: _Calendars, event: dict[str, Any], maker: str, start_s: int, true: _True) -> int:
    """Return when somebody made an event: shortly before it begins, or, of what is to come, before the world's week.

    It was made after all became true that it tells and, if it tells what has changed since, before that.
    """
    company, parts = calendars.company, ("made", event["cal"], event["at"], event["title"])
    since_s, until_s = (int(each.timestamp()) if each else 0 for each in true)
    latest_s = min(start_s - calendars.spec.number(600, 3_600, "at least before", *parts), company.now_s)
    end_s = min(latest_s, int(calendars.spec.at("+0 00:00", EVENTS.path).timestamp()))
    if since_s < until_s:
        end_s = min(end_s, until_s)
    if since_s >= end_s:  # it became true on the world's first morning
        end_s = latest_s
    hours = AWAKE if calendars.is_own(event) else AT_WORK
    after_s = since_s if since_s < end_s else 0
    return shortly_before(
        calendars.spec.number, company.people[maker].time_zone, end_s, *parts, after_s=after_s, hours=hours
    )


def _updated_s(made_s: int, true: _True, company: Company, identity: tuple[str, ...]) -> int:
    """Return when an event was last changed: with what became true after somebody had made it."""
    since_s = int(true.since.timestamp()) if true.since else 0
    if not made_s < since_s < company.now_s:
        return made_s
    soon = company.spec.number(60, 1_200, "updated", *identity)
    return min(since_s + soon, (since_s + company.now_s) // 2)


def _start(spec: AppSpec, event: dict[str, Any]) -> datetime:
    """Return when an event begins, if it has whole days its first midnight."""
    return spec.at(f"{event['at']} 0:00" if "days" in event else event["at"], "lark/events.toml")


def _span(spec: AppSpec, event: dict[str, Any]) -> Row:
    if "days" in event:
        first = _start(spec, event).date()
        last = first + timedelta(days=event["days"] - 1)
        midnights = [datetime(day.year, day.month, day.day, tzinfo=UTC) for day in (first, last + timedelta(days=1))]
        start, end = (int(midnight.timestamp()) for midnight in midnights)
        dates = {"start_date": first.isoformat(), "end_date": last.isoformat()}
        return {"start_at": start, "end_at": end, **dates, "start_timezone": "UTC", "end_timezone": "UTC"}
    start = int(_start(spec, event).timestamp())
    zone = event.get("zone", str(spec.world.zone))
    return {"start_at": start, "end_at": start + event["min"] * 60, "start_timezone": zone, "end_timezone": zone}


def _meeting(company: Company, identity: tuple[str, ...]) -> dict[str, str]:
    url = f"https://vc.feishu.cn/j/{company.id('{digit:9}', 'meeting', *identity)}"
    return {"vc_type": "vc", "icon_type": "vc", "description": "", "meeting_url": url}


def _attendees(calendars: _Calendars, event: dict[str, Any], event_id: str, maker: str, where: str) -> Iterator[Row]:
    """Yield who is invited. An event nobody is invited to, without a room, has no list."""
    company, invited, guests = calendars.company, event.get("with", "").split(), event.get("guests", [])
    if not invited and not guests and "room" not in event:
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
    for position, address in enumerate(guests, start=len(names) + ("room" in event)):
        yield {
            "table": "attendees",
            "event_id": event_id,
            "attendee_id": company.id("third_party_7{digit:18}", "attendee", event_id, address),
            "position": position,
            "type": "third_party",
            "third_party_email": address,
        }
