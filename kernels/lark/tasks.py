"""Tasks: create, read, list, change, give them people and reminders."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.cursors import encode_cursor

from . import errors, recurrence, task_json
from . import task_validation as checks
from .envelope import NOTHING, Arguments, decode_token, endpoint, page_size
from .task_validation import Body, Columns

GUID_MOST = 100
ASSIGNEES_MOST, FOLLOWERS_MOST = 50, 200
CLIENT_TOKEN_MS = 5 * 60 * 1000
PAGE_DEFAULT, PAGE_MOST = 50, 100
# Created with a user's token.
SOURCE = 7
READ, EDIT = 1, 2
# Every assignee of such a task completes it, which calls can't do one by one.
COUNTERSIGN = 1
# The next task of a series is looked for this far ahead.
_YEARS = 10 * 366 * 86_400
_ALREADY_DONE = (
    "cannot set non-zero completed_at for a completed task. To change task's completed_at, "
    "you can update task's 'completed_at' to 0, then update its 'completed'_at to new value."
)
_COUNT = re.compile(r"COUNT=(\d+)", re.IGNORECASE)


# What a person may do with a task comes from the task, its lists, or a task above it.
_RIGHTS = """
WITH RECURSIVE up(guid, depth) AS (
    SELECT :guid, 0
    UNION
    SELECT t.parent_guid, u.depth + 1 FROM up u JOIN tasks t ON t.guid = u.guid
    WHERE t.parent_guid IS NOT NULL AND u.depth < 20
)
SELECT max(level) FROM (
    SELECT 2 AS level FROM up JOIN tasks t USING (guid) WHERE t.creator_id = :me
    UNION ALL
    SELECT CASE m.role WHEN 'assignee' THEN 2 ELSE 1 END FROM up JOIN task_members m ON m.task_guid = up.guid
    WHERE m.member_id = :me AND m.member_type = 'user'
    UNION ALL
    SELECT CASE WHEN l.owner_id = :me OR m.role = 'editor' THEN 2 WHEN m.role = 'viewer' THEN 1 ELSE 0 END
    FROM up JOIN tasklist_tasks i ON i.task_guid = up.guid JOIN tasklists l ON l.guid = i.tasklist_guid
    LEFT JOIN tasklist_members m ON m.tasklist_guid = l.guid AND m.member_id = :me
)
"""


def require_task(ep: Episode, guid: str, needed: int) -> Row:
    """Return a task the person may read, or edit.

    Raises:
        FieldValidationFailed: the guid is too long.
        TaskResourceMissing: no such task.
        NoTaskPermission: it is not the person's to read, or to edit.
    """
    if len(guid) > GUID_MOST:
        raise errors.FieldValidationFailed("task_guid", f"the max len is {GUID_MOST}", value=guid)
    task = ep.db.one("SELECT * FROM tasks WHERE guid = ?", guid)
    if task is None:
        raise errors.TaskResourceMissing(f"The task with guid '{guid}' cannot be found or has been deleted.")
    if (ep.db.scalar(_RIGHTS, guid=guid, me=ep.me) or 0) < needed:
        raise errors.NoTaskPermission
    return task


@endpoint
def get_task(ep: Episode, *, path: Arguments, params: Arguments = NOTHING) -> Result:
    """Return a task.

    Raises:
        What ``require_task`` refuses.

    Source: https://open.feishu.cn/document/task-v2/task/get
    """
    id_type = checks.require_id_type(params)
    task = require_task(ep, path["task_guid"], READ)
    return {"task": task_json.tasks_to_json(ep, [task], id_type)[0]}


@endpoint
def list_tasks(ep: Episode, *, params: Arguments = NOTHING) -> Result:
    """Return a page of the tasks the person is an assignee of, oldest first.

    Args:
        params: ``completed`` keeps the done, or the open; ``type`` can only be my_tasks.

    Raises:
        InvalidTaskParameter: another type, a page size out of range, or a page token of another list.

    Not simulated: the order people drag their tasks into.

    Source: https://open.feishu.cn/document/task-v2/task/list
    """
    id_type = checks.require_id_type(params)
    if (params.get("type") or "my_tasks") != "my_tasks":
        raise checks.wrong("type", "only 'my_tasks' is supported.")
    size = page_size(params, default=PAGE_DEFAULT, most=PAGE_MOST)
    after = decode_token("tasks", params.get("page_token"), checks.wrong("page_token", "is invalid."), (int,))
    completed = params.get("completed")
    rows = ep.db.all(
        "SELECT t.* FROM task_members m JOIN tasks t ON t.guid = m.task_guid "
        "WHERE m.member_id = ? AND m.role = 'assignee' AND t.number > ? "
        "AND (? IS NULL OR (t.completed_at IS NOT NULL) = ?) ORDER BY t.number LIMIT ?",
        ep.me,
        after[0] if after else 0,
        completed,
        completed,
        size + 1,
    )
    page = rows[:size]
    has_more = len(rows) > size
    return {
        "items": task_json.tasks_to_json(ep, page, id_type),
        "page_token": encode_cursor("tasks", page[-1]["number"]) if has_more else "",
        "has_more": has_more,
    }


@endpoint
def create_task(ep: Episode, *, data: Arguments, params: Arguments = NOTHING) -> Result:
    """Create a task and return it; the creator is no member unless named.

    Args:
        data: the task; ``client_token`` makes a repetition within five minutes return the same task.

    Raises:
        InvalidTaskParameter: something in it is missing or out of range; the message says what.
        TaskServerError: a member does not exist.
        TaskResourceMissing, NoTaskPermission: a tasklist or section to put it into.
        FieldValidationFailed: user_id_type, mode or client_token, or a text is too long.

    Not simulated: custom fields, which belong to tasklists and cannot be made by these tools; tasks from documents.

    Source: https://open.feishu.cn/document/task-v2/task/create
    """
    id_type = checks.require_id_type(params)
    client_token = checks.require_client_token(data)
    checks.check_lengths(data)
    if client_token is not None and (earlier := _earlier(ep, client_token)) is not None:
        return {"task": task_json.tasks_to_json(ep, [earlier], id_type)[0]}
    columns = checks.require_columns(data, ("summary", "description", "due", "start", "extra", "mode", "is_milestone"))
    checks.require_origin(data)
    completed_at = checks.completion(data)
    checks.require_times(columns)
    rule = checks.require_rule(data.get("repeat_rule"), columns.get("due_at"))
    members = checks.require_members(ep, data.get("members", ()), id_type)
    checks.require_reminders(data.get("reminders", ()), columns.get("due_at"), most=1)
    places = [checks.require_place(ep, each) for each in data.get("tasklists", ())]
    checks.refuse_unsimulated(data)
    guid = ep.new_id("task")
    number = max(ep.db.scalar("SELECT coalesce(max(number), 0) FROM tasks") + 1, 100_001)
    now = str(ep.now_ms)
    ep.db.insert(
        "tasks",
        **columns,
        guid=guid,
        number=number,
        creator_id=ep.me,
        completed_at=completed_at,
        created_at=now,
        updated_at=now,
        repeat_rule=rule,
        source=SOURCE,
        origin=_json(data.get("origin")),
        custom_complete=_json(data.get("custom_complete")),
        client_token=client_token,
    )
    _add_members(ep, guid, members, completed_at)
    _add_reminders(ep, guid, data.get("reminders", ()))
    for tasklist_guid, section_guid in dict(places).items():
        ep.db.insert("tasklist_tasks", tasklist_guid=tasklist_guid, task_guid=guid, section_guid=section_guid)
    return {"task": task_json.tasks_to_json(ep, [require_task(ep, guid, READ)], id_type)[0]}


def _earlier(ep: Episode, client_token: str) -> Row | None:
    return ep.db.one(
        "SELECT * FROM tasks WHERE creator_id = ? AND client_token = ? AND CAST(created_at AS INTEGER) > ? "
        "ORDER BY number DESC LIMIT 1",
        ep.me,
        client_token,
        ep.now_ms - CLIENT_TOKEN_MS,
    )


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _add_members(ep: Episode, guid: str, members: Sequence[checks.Member], completed_at: str | None) -> None:
    first = ep.db.scalar("SELECT coalesce(max(position), -1) + 1 FROM task_members WHERE task_guid = ?", guid)
    for position, (member_id, member_type, role) in enumerate(members, first):
        ep.db.insert(
            "task_members",
            task_guid=guid,
            member_id=member_id,
            role=role,
            member_type=member_type,
            position=position,
            completed_at=completed_at if role == "assignee" else None,
        )


def _add_reminders(ep: Episode, guid: str, reminders: Sequence[Mapping[str, Any]]) -> None:
    for each in reminders:
        minutes = int(each["relative_fire_minute"])
        ep.db.insert("task_reminders", reminder_id=ep.new_id("reminder"), task_guid=guid, relative_fire_minute=minutes)


PATCHED = (
    "summary",
    "description",
    "start",
    "due",
    "completed_at",
    "extra",
    "custom_complete",
    "repeat_rule",
    "mode",
    "is_milestone",
    "custom_fields",
)


@endpoint
def patch_task(ep: Episode, *, path: Arguments, data: Arguments, params: Arguments = NOTHING) -> Result:
    """Change the fields named in ``update_fields`` and return the task; one named but not given is emptied.

    Completing a task that repeats makes the next one and takes the rule off this one.

    Raises:
        FieldValidationFailed: a text is too long, or no such mode.
        InvalidTaskParameter: a field that cannot be changed, or so; the message says what.
        TaskServerError: who did not create it completes or reopens a task that every assignee completes.
        What ``require_task`` refuses.

    Source: https://open.feishu.cn/document/task-v2/task/patch
    """
    id_type = checks.require_id_type(params)
    checks.check_lengths(data.get("task", NOTHING), "task.")
    task = require_task(ep, path["task_guid"], EDIT)
    body, names = data.get("task", NOTHING), tuple(dict.fromkeys(data["update_fields"]))
    if not names:
        raise checks.wrong("update_fields", "must not be empty.")
    if unknown := [name for name in names if name not in PATCHED]:
        raise checks.wrong("update_fields", f"'{unknown[0]}' is not supported.")
    columns = _patched(ep.me, task, body, names)
    if "custom_complete" in names:
        columns["custom_complete"] = _json(body.get("custom_complete"))
    if "custom_fields" in names:
        checks.refuse_unsimulated({"custom_fields": body.get("custom_fields")})
    guid = task["guid"]
    if "completed_at" in columns:
        _set_done(ep, task, columns)
    ep.db.update("tasks", {"guid": guid}, **columns, updated_at=str(ep.now_ms))
    if "due" in names and columns["due_at"] is None:
        # A reminder is so many minutes before the due time, so it cannot stay without one.
        ep.db.delete("task_reminders", task_guid=guid)
    return {"task": task_json.tasks_to_json(ep, [require_task(ep, guid, READ)], id_type)[0]}


def _patched(me: str, task: Row, body: Body, names: Sequence[str]) -> Columns:
    columns = checks.require_columns(body, names)
    after = {**dict(task), **columns}
    checks.require_times(after)
    if "repeat_rule" in names:
        if "completed_at" in names:
            raise checks.wrong("update_fields", "cannot update repeat_rule and completed_at together.")
        columns["repeat_rule"] = checks.require_rule(body.get("repeat_rule"), after["due_at"])
    elif "due" in names and task["repeat_rule"] and columns["due_at"] is None:
        raise checks.wrong("due", "cannot unset due of a task with repeat_rule.")
    if "completed_at" in names:
        if task["mode"] == COUNTERSIGN and task["creator_id"] != me:
            raise errors.TaskServerError
        columns["completed_at"] = checks.completion(body)
        if columns["completed_at"] is not None and task["completed_at"] is not None:
            raise checks.wrong("task.completed_at", _ALREADY_DONE)
    return columns


def _set_done(ep: Episode, task: Row, columns: Columns) -> None:
    """Complete or reopen a task for all of its assignees."""
    done, guid = columns["completed_at"], task["guid"]
    ep.db.update("task_members", {"task_guid": guid, "role": "assignee"}, completed_at=done)
    if done is None or not task["repeat_rule"]:
        return
    columns["repeat_rule"] = None
    due_at = _next_due(task)
    if due_at is not None:
        _repeat(ep, task, due_at)


def _next_due(task: Row) -> int | None:
    """Return when the task after this one is due, in milliseconds, or None when the series ends here."""
    rule = recurrence.parse(task["repeat_rule"])
    if rule is None or task["due_at"] is None:
        return None
    # A date has no zone; a moment's weekday is that of the company's clock.
    zone = ZoneInfo("UTC" if task["due_is_all_day"] else "Asia/Shanghai")
    due = int(task["due_at"]) // 1000
    following = next(recurrence.starts(rule, due, zone, due + 1, due + _YEARS), None)
    return None if following is None else following * 1000


def _repeat(ep: Episode, task: Row, due_at: int) -> None:
    """Make the next task of a series, open and with the same people, reminders and lists."""
    shift = due_at - int(task["due_at"])
    guid, now = ep.new_id("task"), str(ep.now_ms)
    rule = _COUNT.sub(lambda match: f"COUNT={int(match[1]) - 1}", task["repeat_rule"])
    start_at = None if task["start_at"] is None else str(int(task["start_at"]) + shift)
    copied = {key: task[key] for key in dict(task) if key not in ("number", "client_token")}
    changed = {"guid": guid, "due_at": str(due_at), "start_at": start_at, "repeat_rule": rule}
    dates = {"completed_at": None, "created_at": now, "updated_at": now}
    number = ep.db.scalar("SELECT max(number) FROM tasks") + 1
    ep.db.insert("tasks", **copied | changed | dates, number=number)
    old = task["guid"]
    members = ep.db.all("SELECT * FROM task_members WHERE task_guid = ? ORDER BY position", old)
    _add_members(ep, guid, [(row["member_id"], row["member_type"], row["role"]) for row in members], None)
    reminders = ep.db.all("SELECT * FROM task_reminders WHERE task_guid = ? ORDER BY reminder_id", old)
    _add_reminders(ep, guid, [dict(row) for row in reminders])
    for row in ep.db.all("SELECT * FROM tasklist_tasks WHERE task_guid = ? ORDER BY tasklist_guid", old):
        ep.db.insert("tasklist_tasks", **{**dict(row), "task_guid": guid})


@endpoint
def add_members(ep: Episode, *, path: Arguments, data: Arguments, params: Arguments = NOTHING) -> Result:
    """Add assignees and followers; those who are members already stay so. Return the task.

    Raises:
        InvalidTaskParameter: nobody, too many, or no such role or type.
        TaskServerError: a member does not exist.
        TooManyAssignees, TooManyFollowers: the task would have too many.
        What ``require_task`` refuses.

    Source: https://open.feishu.cn/document/task-v2/task/add_members
    """
    id_type = checks.require_id_type(params)
    checks.require_client_token(data)
    checks.check_lengths(data)
    task = require_task(ep, path["task_guid"], EDIT)
    guid = task["guid"]
    if not data["members"]:
        raise checks.wrong("members", "must not be empty.")
    wanted = checks.require_members(ep, data["members"], id_type)
    rows = ep.db.all(
        "SELECT member_id, member_type, role FROM task_members WHERE task_guid = ? ORDER BY position", guid
    )
    present = [(row["member_id"], row["member_type"], row["role"]) for row in rows]
    new = [member for member in wanted if member not in present]
    roles = [role for _, _, role in (*present, *new)]
    if roles.count("assignee") > ASSIGNEES_MOST:
        raise errors.TooManyAssignees
    if roles.count("follower") > FOLLOWERS_MOST:
        raise errors.TooManyFollowers
    if new:
        _add_members(ep, guid, new, task["completed_at"])
        ep.db.update("tasks", {"guid": guid}, updated_at=str(ep.now_ms))
    return {"task": task_json.tasks_to_json(ep, [require_task(ep, guid, READ)], id_type)[0]}


@endpoint
def add_reminders(ep: Episode, *, path: Arguments, data: Arguments, params: Arguments = NOTHING) -> Result:
    """Set the one reminder a task can have and return the task.

    Raises:
        FieldValidationFailed: not exactly one.
        InvalidTaskParameter: after the due time, or the task has none.
        ReminderExists: the task has a reminder.
        What ``require_task`` refuses.

    Source: https://open.feishu.cn/document/task-v2/task/add_reminders
    """
    id_type = checks.require_id_type(params)
    task = require_task(ep, path["task_guid"], EDIT)
    guid, reminders = task["guid"], data["reminders"]
    if len(reminders) != 1:
        raise errors.FieldValidationFailed("reminders", f"the {'max' if reminders else 'min'} len is 1")
    checks.require_reminders(reminders, task["due_at"], most=1)
    if ep.db.one("SELECT 1 FROM task_reminders WHERE task_guid = ? AND kind = 'due'", guid) is not None:
        raise errors.ReminderExists
    _add_reminders(ep, guid, reminders)
    ep.db.update("tasks", {"guid": guid}, updated_at=str(ep.now_ms))
    return {"task": task_json.tasks_to_json(ep, [require_task(ep, guid, READ)], id_type)[0]}
