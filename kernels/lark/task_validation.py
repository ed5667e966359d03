"""What a request may say about a task, and what each of it is stored as."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from farm.appkit import Episode

from . import errors, recurrence
from .envelope import Arguments
from .users import ID_TYPES, find_users

TEXT_MOST = 3000
MEMBERS_MOST = 50
DOCX_ID_LENGTH = 27
CLIENT_TOKEN_LEAST, CLIENT_TOKEN_MOST = 10, 100
ROLES = ("assignee", "follower")
SECOND_MS, DAY_MS = 1000, 86_400_000
# The year 9 889: nothing that is counted on from there leaves what dates can be.
MILLISECONDS_MOST = 249_900_000_000_000
_MILLISECONDS = re.compile(r"[0-9]{1,16}")
# How long a text may be: what the platform looks at before the service of tasks sees a request.
_LENGTHS = [
    (re.compile(path), most)
    for path, most in (
        (r"extra", 65_536),
        (r"completed_at", 20),
        (r"repeat_rule", 1000),
        (r"origin\.platform_i18n_name\.\w+", 1000),
        (r"origin\.href\.url", 1024),
        (r"origin\.href\.title", 512),
        (r"custom_complete\.\w+\.(href|tip\.\w+)", 1000),
        (r"members\[\d+\]\.id", 100),
        (r"members\[\d+\]\.role", 20),
        (r"tasklists\[\d+\]\.tasklist_guid", 100),
    )
]

# A request's task: the whole body of a creation, or the ``task`` of a patch.
Body = Mapping[str, Any]
Columns = dict[str, Any]


def wrong(parameter: str, what: str) -> errors.InvalidTaskParameter:
    """The live service puts the reason into the message (see the vendor's overview of tasks)."""
    return errors.InvalidTaskParameter(f"Invalid Param '{parameter}', {what}")


def check_lengths(body: Body, prefix: str = "") -> None:
    """Refuse texts that are too long, and ids of a document and its block that are of another length.

    Args:
        body: a request's body, or its ``task``, whose ``prefix`` is then ``task.``.

    Raises:
        FieldValidationFailed: one is.
    """
    for path, text in _texts(body, ""):
        most = next((most for pattern, most in _LENGTHS if pattern.fullmatch(path)), len(text))
        if len(text) > most:
            raise errors.FieldValidationFailed(prefix + path, f"the max len is {most}", value=text)
    for name, text in body.get("docx_source", {}).items():
        if len(text) != DOCX_ID_LENGTH:
            bound = "max" if len(text) > DOCX_ID_LENGTH else "min"
            raise errors.FieldValidationFailed(
                f"docx_source.{name}", f"the {bound} len is {DOCX_ID_LENGTH}", value=text
            )


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from _texts(each, f"{path}.{name}" if path else name)
    elif isinstance(value, Sequence):
        for number, each in enumerate(value):
            yield from _texts(each, f"{path}[{number}]")


def require_id_type(params: Arguments) -> str:
    """Return the flavour of user ids a request uses; the tools' schemas let any text through.

    Raises:
        FieldValidationFailed: no such flavour.
    """
    id_type = str(params.get("user_id_type") or "open_id")
    if id_type not in ID_TYPES:
        raise errors.FieldValidationFailed("user_id_type", f"options: [{','.join(ID_TYPES)}]", value=id_type)
    return id_type


def require_client_token(data: Body) -> str | None:
    token: str | None = data.get("client_token") or None
    if token is None:
        return None
    if len(token) < CLIENT_TOKEN_LEAST:
        raise errors.FieldValidationFailed("client_token", f"the min len is {CLIENT_TOKEN_LEAST}", value=token)
    if len(token) > CLIENT_TOKEN_MOST:
        raise errors.FieldValidationFailed("client_token", f"the max len is {CLIENT_TOKEN_MOST}", value=token)
    return token


def require_columns(body: Body, names: Sequence[str]) -> Columns:
    """Return the columns for these fields of a task; a field that is not there empties its column."""
    columns: Columns = {}
    for name in names:
        match name:
            case "summary" | "description" | "extra":
                columns[name] = require_text(body, name)
            case "due" | "start":
                columns |= require_time(body, name)
            case "mode":
                columns[name] = require_mode(body)
            case "is_milestone":
                columns[name] = int(body.get(name) or False)
    return columns


def require_text(body: Body, name: str) -> str:
    text: str = body.get(name) or ""
    if name == "summary" and not text.strip():
        raise wrong(name, "must not be empty.")
    if name != "extra" and len(text) > TEXT_MOST:
        raise wrong(name, f"must not be longer than {TEXT_MOST} characters.")
    return text


def require_mode(body: Body) -> int:
    mode = body.get("mode")
    if mode is None:
        return 2
    if mode not in (1, 2):
        bound = "min value is 1" if mode < 1 else "max value is 2"
        raise errors.FieldValidationFailed("mode", f"the {bound}", value=str(mode))
    return int(mode)


def require_time(body: Body, name: str) -> Columns:
    """Return the columns of ``due`` or ``start``: whole seconds, or whole days in UTC; zero means none."""
    time = body.get(name)
    if time is None:
        return {f"{name}_at": None, f"{name}_is_all_day": 0}
    if "timestamp" not in time:
        raise wrong(f"{name}.timestamp", "param is required.")
    milliseconds = require_milliseconds(time["timestamp"], f"{name}.timestamp")
    if not milliseconds:
        return {f"{name}_at": None, f"{name}_is_all_day": 0}
    all_day = bool(time.get("is_all_day", False))
    precision = DAY_MS if all_day else SECOND_MS
    return {f"{name}_at": str(milliseconds // precision * precision), f"{name}_is_all_day": int(all_day)}


def require_milliseconds(text: str, parameter: str) -> int:
    if not _MILLISECONDS.fullmatch(text) or int(text) > MILLISECONDS_MOST:
        raise wrong(parameter, "must be a timestamp in milliseconds.")
    return int(text)


def require_times(task: Mapping[str, Any]) -> None:
    """Refuse a start after the due time, and one of them a date while the other is a moment."""
    if task["start_at"] is None or task["due_at"] is None:
        return
    if task["start_is_all_day"] != task["due_is_all_day"]:
        raise wrong("start.is_all_day", "must be the same as due.is_all_day.")
    if int(task["start_at"]) > int(task["due_at"]):
        raise wrong("start.timestamp", "must not be later than due.timestamp.")


def require_origin(data: Body) -> None:
    url = data.get("origin", {}).get("href", {}).get("url", "")
    if url and not url.startswith(("http://", "https://")):
        raise wrong("origin.href.url", "must start with 'http://' or 'https://'.")


def completion(body: Body) -> str | None:
    text = body.get("completed_at") or "0"
    return str(done) if (done := require_milliseconds(text, "completed_at")) else None


def require_rule(rule: str | None, due_at: str | None) -> str | None:
    if not rule:
        return None
    if recurrence.parse(rule) is None:
        raise wrong("repeat_rule", "is not a supported recurrence rule.")
    if due_at is None:
        raise wrong("repeat_rule", "cannot set repeat_rule without setting due.")
    return rule


def require_reminders(reminders: Sequence[Mapping[str, Any]], due_at: str | None, *, most: int) -> None:
    if len(reminders) > most:
        raise wrong("reminders", f"only {most} reminder is supported.")
    for each in reminders:
        minutes = each["relative_fire_minute"]
        if not 0 <= minutes < 2**31 or minutes != int(minutes):
            raise wrong("reminders", "relative_fire_minute must be an integer not less than 0.")
    if reminders and due_at is None:
        raise wrong("reminders", "cannot set reminders without setting due.")


def require_place(ep: Episode, place: Mapping[str, Any]) -> tuple[str, str]:
    """Return the tasklist and section a task goes into."""
    guid, section = place.get("tasklist_guid") or "", place.get("section_guid") or None
    tasklist = ep.db.one("SELECT * FROM tasklists WHERE guid = ?", guid)
    if tasklist is None:
        raise errors.TaskResourceMissing(f"The tasklist with guid '{guid}' cannot be found or has been deleted.")
    role = ep.db.scalar("SELECT role FROM tasklist_members WHERE tasklist_guid = ? AND member_id = ?", guid, ep.me)
    if tasklist["owner_id"] != ep.me and role != "editor":
        raise errors.NoTaskPermission
    found = ep.db.scalar(
        "SELECT guid FROM tasklist_sections WHERE tasklist_guid = ? AND (guid = ? OR (? IS NULL AND is_default))",
        guid,
        section,
        section,
    )
    if found is None:
        raise errors.TaskResourceMissing(f"The section with guid '{section}' cannot be found or has been deleted.")
    return guid, found


def refuse_unsimulated(data: Body) -> None:
    if data.get("custom_fields"):
        # They belong to tasklists, and no tool makes one: whatever guid is named, nothing has it.
        guid = data["custom_fields"][0]["guid"]
        raise wrong("custom_fields", f"the custom field with guid '{guid}' is not in the task's tasklists.")
    if "docx_source" not in data:
        return
    for name in ("extra", "origin", "custom_complete"):
        if data.get(name):
            raise wrong("docx_source", f"cannot be set together with '{name}'.")
    block = data["docx_source"]["block_id"]
    raise wrong("docx_source.block_id", f"the block '{block}' is not in the document.")


Member = tuple[str, str, str]


def require_members(ep: Episode, members: Sequence[Mapping[str, Any]], id_type: str) -> list[Member]:
    """Return ``(id, type, role)`` of each member once, people under their open ids."""
    wanted = list(dict.fromkeys((each["id"], each.get("type") or "user", each["role"]) for each in members))
    for _, kind, role in wanted:
        if role not in ROLES:
            raise wrong("members", "role is invalid. Only 'assignee', 'follower' are supported.")
        if kind not in ("user", "app"):
            raise wrong("members", "type is invalid. Only 'user', 'app' are supported.")
    if len(wanted) > MEMBERS_MOST:
        raise wrong("members", f"at most {MEMBERS_MOST} members are supported.")
    people = find_users(ep, [key for key, kind, _ in wanted if kind == "user"], id_type)
    apps = {row["app_id"] for row in ep.db.all("SELECT app_id FROM bots ORDER BY app_id")}
    for key, kind, _ in wanted:
        if key not in (people if kind == "user" else apps):
            raise errors.TaskServerError(f"internal error, the member '{key}' does not exist.")
    named = [(people[key]["open_id"] if kind == "user" else key, kind, role) for key, kind, role in wanted]
    return list(dict.fromkeys(named))
