"""What a request says about an event, checked and turned into columns."""

from __future__ import annotations

import json
import math
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from farm.appkit import Episode, Value

from . import errors, recurrence, users
from .calendars import check_length, is_int32
from .envelope import Arguments

SUMMARY_MOST = 1000
DESCRIPTION_MOST = 40960
LOCATION_MOST = {"name": 512, "address": 255}
VCHAT_MOST = {"description": 500, "meeting_url": 2000}
RECURRENCE_MOST = 2000
COORDINATES = {"latitude": 90, "longitude": 180}
REMINDER_MOST = 20160
HOSTS_MOST = 10
SCHEMA_LINK_MOST = 2000
# What a timestamp of an event may be: up to the year 2500.
_TIMESTAMP_LEAST, _TIMESTAMP_MOST = 1, 16_725_225_600
DEFAULT_ZONE = "Asia/Shanghai"
_LAST_SECOND = 253402300799 - 86400 * 366
_UI_NAMES = (
    "ForwardIcon",
    "MeetingChatIcon",
    "MeetingMinutesIcon",
    "MeetingVideo",
    "RSVP",
    "Attendee",
    "OrganizerOrCreator",
)
_CHECK_IN_MINUTES = (0, 5, 15, 30, 60)
# Columns that hold for one person only once the event exists.
PERSONAL = ("visibility", "free_busy_status", "color", "reminders")


def check_lengths(data: Arguments) -> None:
    """Refuse what the platform refuses before it looks at the calendar.

    Raises:
        FieldValidationFailed: a text or a list is too long, or a number of minutes out of range.
    """
    check_length("summary", data.get("summary"), SUMMARY_MOST)
    check_length("description", data.get("description"), DESCRIPTION_MOST)
    check_length("recurrence", data.get("recurrence"), RECURRENCE_MOST)
    for part, limits in (("location", LOCATION_MOST), ("vchat", VCHAT_MOST)):
        for name, most in limits.items():
            check_length(f"{part}.{name}", data.get(part, {}).get(name), most)
    hosts = data.get("vchat", {}).get("meeting_settings", {}).get("assign_hosts", ())
    if len(hosts) > HOSTS_MOST:
        raise errors.FieldValidationFailed("vchat.meeting_settings.assign_hosts", f"the max len is {HOSTS_MOST}")
    for number, each in enumerate(data.get("schemas", ())):
        check_length(f"schemas[{number}].app_link", each.get("app_link"), SCHEMA_LINK_MOST)
    for number, each in enumerate(data.get("reminders", ())):
        _check_range(f"reminders[{number}].minutes", each.get("minutes", 0), -REMINDER_MOST, REMINDER_MOST)
    for name in ("check_in_start_time", "check_in_end_time"):
        minutes = data.get("event_check_in", {}).get(name, {}).get("duration", 0)
        _check_range(f"event_check_in.{name}.duration", minutes, 0, max(_CHECK_IN_MINUTES))


def _check_range(field: str, value: float, least: int, most: int) -> None:
    if value > most or value < least:
        bound = f"the max value is {most}" if value > most else f"the min value is {least}"
        raise errors.FieldValidationFailed(field, bound, value=str(value))


def find_zone(name: str) -> ZoneInfo | None:
    """Return the time zone of this IANA name, or None."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return None


def moment(given: Arguments, *, is_end: bool = False) -> tuple[int, str | None, str]:
    """Return seconds, all-day date or None, and time zone of a start or end.

    An all-day event's end date is its last day, so its end is the midnight after it (UTC).

    Raises:
        InvalidCalendarParameters: not exactly one of date and timestamp, or one that is malformed.
    """
    day, stamp, zone = given.get("date"), given.get("timestamp"), given.get("timezone", DEFAULT_ZONE)
    if bool(day) == bool(stamp) or find_zone(zone) is None:
        raise errors.InvalidCalendarParameters
    if day:
        return _midnight(day, is_end=is_end), day, "UTC"
    at = seconds(stamp)
    if not _TIMESTAMP_LEAST <= at <= _TIMESTAMP_MOST:
        raise errors.InvalidCalendarParameters
    return at, None, zone


def _midnight(day: str, *, is_end: bool) -> int:
    try:
        parsed = date.fromisoformat(day)
    except ValueError:
        raise errors.InvalidCalendarParameters from None
    if len(day) != 10 or not 1970 <= parsed.year < 9990:
        raise errors.InvalidCalendarParameters
    midnight = datetime(parsed.year, parsed.month, parsed.day, tzinfo=UTC) + timedelta(days=int(is_end))
    return int(midnight.timestamp())


def seconds(text: Any) -> int:
    """Return a timestamp given as text.

    Raises:
        InvalidCalendarParameters: not a plain number of seconds.
    """
    if not (text.isascii() and text.isdigit() and len(text) < 13) or int(text) > _LAST_SECOND:
        raise errors.InvalidCalendarParameters
    return int(text)


def times(data: Arguments) -> dict[str, Value]:
    """Return the columns of a start and an end.

    Raises:
        InvalidCalendarParameters: one is malformed, they are of different kinds, or the end comes first.
    """
    start_at, start_date, start_zone = moment(data["start_time"])
    end_at, end_date, end_zone = moment(data["end_time"], is_end=True)
    if (start_date is None) != (end_date is None) or end_at < start_at:
        raise errors.InvalidCalendarParameters
    if start_date is not None and end_date is not None and end_date < start_date:
        raise errors.InvalidCalendarParameters
    return {
        "start_at": start_at,
        "end_at": end_at,
        "start_date": start_date,
        "end_date": end_date,
        "start_timezone": start_zone,
        "end_timezone": end_zone,
    }


def columns(ep: Episode, data: Arguments, id_type: str, vchat: dict[str, Any] | None = None) -> dict[str, Value]:
    """Return the columns that a request sets, times and attachments apart.

    Args:
        data: the request's body.
        id_type: flavour of the user ids in it.
        vchat: the meeting as it is, when an event is changed.

    Raises:
        InvalidCalendarParameters: a value is not one the service takes.
    """
    found: dict[str, Value] = {
        name: data[name]
        for name in ("summary", "description", "visibility", "attendee_ability", "free_busy_status")
        if name in data
    }
    if "color" in data:
        found["color"] = _checked(is_int32(data["color"]), int(data["color"]) if is_int32(data["color"]) else 0)
    if "reminders" in data:
        found["reminders"] = json.dumps([{"minutes": _reminder(each)} for each in data["reminders"]])
    if "recurrence" in data:
        rule = data["recurrence"]
        found["recurrence"] = _checked(not rule or recurrence.parse(rule) is not None, rule)
    if "location" in data:
        place = data["location"]
        for name, most in COORDINATES.items():
            _checked(-most <= place.get(name, 0) <= most, None)
        found["location"] = _text(
            {key: place[key] for key in ("name", "address", "latitude", "longitude") if key in place}
        )
    if "schemas" in data:
        found["schemas"] = _text([_schema(each) for each in data["schemas"]])
    if "event_check_in" in data:
        found["event_check_in"] = _text(_check_in(data["event_check_in"]))
    if "vchat" in data:
        found["vchat"] = _text(_vchat(ep, data["vchat"], id_type, vchat or {}))
    return found


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _checked(is_good: bool, value: Value) -> Value:
    if not is_good:
        raise errors.InvalidCalendarParameters
    return value


def _reminder(reminder: Arguments) -> int:
    minutes = reminder.get("minutes")
    if minutes is None or not math.isfinite(minutes) or minutes != int(minutes):
        raise errors.InvalidCalendarParameters
    return int(minutes)


def _schema(schema: Arguments) -> dict[str, Any]:
    if schema.get("ui_name") not in _UI_NAMES or schema.get("ui_status") != "hide":
        raise errors.InvalidCalendarParameters
    return {"ui_name": schema["ui_name"], "ui_status": "hide"}


def _check_in(given: Arguments) -> dict[str, Any]:
    shown: dict[str, Any] = {"enable_check_in": given["enable_check_in"]}
    at = []
    for name in ("check_in_start_time", "check_in_end_time"):
        if name not in given:
            continue
        kind, minutes = given[name]["time_type"], given[name]["duration"]
        if minutes not in _CHECK_IN_MINUTES or (kind == "before_event_start" and not minutes):
            raise errors.InvalidCalendarParameters
        shown[name] = {"time_type": kind, "duration": int(minutes)}
        # Where in the event it falls: before its start, after it, after its end.
        at.append({"before_event_start": (0, -minutes), "after_event_start": (0, minutes)}.get(kind, (1, minutes)))
    if len(at) == 2 and at[0] >= at[1]:
        raise errors.InvalidCalendarParameters
    return shown | {"need_notify_attendees": given.get("need_notify_attendees", False)}


def _vchat(ep: Episode, given: Arguments, id_type: str, was: dict[str, Any]) -> dict[str, Any]:
    kind = given.get("vc_type") or was.get("vc_type", "vc")
    if kind in ("lark_live", "unknown"):
        # The service reads these and takes neither.
        raise errors.InvalidCalendarParameters
    if kind == "no_meeting":
        return {"vc_type": kind}
    kept = was if was.get("vc_type") == kind else {}
    if kind == "third_party":
        shown = {"vc_type": kind, "icon_type": given.get("icon_type", kept.get("icon_type", "default"))}
        return shown | {name: given.get(name, kept.get(name, "")) for name in ("description", "meeting_url")}
    shown = {"vc_type": kind, "meeting_url": kept.get("meeting_url") or meeting_url(ep)}
    settings = given.get("meeting_settings")
    if settings is None:
        return shown | ({"meeting_settings": kept["meeting_settings"]} if "meeting_settings" in kept else {})
    return shown | {"meeting_settings": _meeting_settings(ep, settings, id_type, kept.get("meeting_settings", {}))}


def meeting_url(ep: Episode) -> str:
    """Return the address of a new video meeting."""
    return f"https://vc.feishu.cn/j/{ep.new_id('meeting')}"


def _meeting_settings(ep: Episode, given: Arguments, id_type: str, was: dict[str, Any]) -> dict[str, Any]:
    """The owner can be set by an app only, and is left out as the service does for a person."""
    shown: dict[str, Any] = dict(was)
    if "assign_hosts" in given:
        hosts = users.find_users(ep, given["assign_hosts"], id_type)
        mine = ep.db.scalar("SELECT tenant_key FROM users WHERE open_id = ?", ep.me)
        if any(each not in hosts or hosts[each]["tenant_key"] != mine for each in given["assign_hosts"]):
            raise errors.InvalidCalendarParameters
        shown["assign_hosts"] = [hosts[each]["open_id"] for each in given["assign_hosts"]]
    defaults = {"join_meeting_permission": "anyone_can_join", "auto_record": False, "open_lobby": True}
    for name, default in {**defaults, "allow_attendees_start": True}.items():
        shown[name] = given.get(name, was.get(name, default))
    return shown


def attachments(ep: Episode, given: list[Arguments], was: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return an event's attachments after a request: added by token, taken away with ``is_deleted``.

    Raises:
        InvalidAttachmentToken: a token is of no uploaded file.
    """
    kept = {each["file_token"]: each for each in was}
    for each in given:
        token = each.get("file_token", "")
        if each.get("is_deleted"):
            if kept.pop(token, None) is None:
                raise errors.InvalidAttachmentToken
            continue
        name = ep.db.scalar("SELECT title FROM files WHERE token = ? AND type = 'file' AND NOT is_deleted", token)
        if name is None and token not in kept:
            raise errors.InvalidAttachmentToken
        kept.setdefault(token, {"file_token": token, "file_size": "0", "name": name})
    return list(kept.values())
