"""Tasks as the tools show them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from farm.appkit import Episode, Row, parse_json

from .users import find_users

_LINK = "https://applink.feishu.cn/client/todo/detail?guid={guid}&suite_entity_num=t{number}"


_LANGUAGES = (
    *("de_de", "en_us", "es_es", "fr_fr", "it_it", "ja_jp"),
    *("ko_kr", "ru_ru", "th_th", "zh_cn", "zh_hk", "zh_tw"),
)


def tasks_to_json(ep: Episode, tasks: Sequence[Row], id_type: str) -> list[dict[str, Any]]:
    """Return tasks as shown, with everything they have looked up for all of them at once."""
    guids = json.dumps([task["guid"] for task in tasks])
    members = _grouped(ep, "SELECT * FROM task_members WHERE task_guid IN ({}) ORDER BY position, role", guids)
    reminders = _grouped(ep, "SELECT * FROM task_reminders WHERE task_guid IN ({}) ORDER BY reminder_id", guids)
    # A person sees only the lists they may open.
    lists = _grouped(
        ep,
        "SELECT i.* FROM tasklist_tasks i JOIN tasklists l ON l.guid = i.tasklist_guid WHERE i.task_guid IN ({}) "
        "AND (l.owner_id = :me OR EXISTS (SELECT 1 FROM tasklist_members m "
        "WHERE m.tasklist_guid = l.guid AND m.member_id = :me)) ORDER BY i.tasklist_guid",
        guids,
    )
    subtasks = _grouped(
        ep, "SELECT parent_guid AS task_guid, guid FROM tasks WHERE parent_guid IN ({}) ORDER BY number", guids
    )
    ids = {task["creator_id"] for task in tasks}
    ids.update(row["member_id"] for rows in members.values() for row in rows)
    people = find_users(ep, ids)
    view = _View(people, id_type)
    return [
        _task(task, view, members[guid], reminders[guid], lists[guid], len(subtasks[guid]))
        for task, guid in ((task, task["guid"]) for task in tasks)
    ]


def _grouped(ep: Episode, sql: str, guids: str) -> dict[str, list[Row]]:
    rows = ep.db.all(sql.format("SELECT value FROM json_each(:guids)"), guids=guids, me=ep.me)
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        grouped[row["task_guid"]].append(row)
    return grouped


class _View:
    """How members are shown in one answer."""

    def __init__(self, people: dict[str, Row], id_type: str) -> None:
        self.people, self.id_type = people, id_type

    def id(self, member_id: str) -> str:
        person = self.people.get(member_id)
        return member_id if person is None else str(person[self.id_type])

    def member(self, row: Row) -> dict[str, Any]:
        return {"id": self.id(row["member_id"]), "type": row["member_type"], "role": row["role"]}


def _task(
    task: Row, view: _View, members: list[Row], reminders: list[Row], lists: list[Row], subtask_count: int
) -> dict[str, Any]:
    done = task["completed_at"]
    body: dict[str, Any] = {
        "guid": task["guid"],
        "summary": task["summary"],
        "description": task["description"],
        "due": _time(task, "due"),
        "reminders": _reminders(reminders, "due") or None,
        "creator": {"id": view.id(task["creator_id"]), "type": "user"},
        "members": [view.member(row) for row in members],
        "completed_at": done or "0",
        "origin": _origin(task),
        "extra": task["extra"] or "",
        "tasklists": [{"tasklist_guid": row["tasklist_guid"], "section_guid": row["section_guid"]} for row in lists],
        "repeat_rule": task["repeat_rule"] or "",
        "parent_task_guid": task["parent_guid"] or "",
        "mode": task["mode"],
        "source": task["source"],
        "custom_complete": _json(task["custom_complete"]),
        "task_id": f"t{task['number']}",
        "created_at": task["created_at"],
        "updated_at": task["updated_at"],
        "status": "done" if done else "todo",
        "url": _LINK.format(guid=task["guid"], number=task["number"]),
        "start": _time(task, "start"),
        "subtask_count": subtask_count,
        "is_milestone": bool(task["is_milestone"]),
        "custom_fields": _json(task["custom_fields"]) or None,
        "dependencies": [],
        "assignee_related": [
            {"id": view.id(row["member_id"]), "completed_at": row["completed_at"] or "0"}
            for row in members
            if row["role"] == "assignee"
        ]
        or None,
        "docx_source": _json(task["docx_source"]),
        "positive_reminders": _reminders(reminders, "positive") or None,
    }
    return {key: value for key, value in body.items() if value is not None}


def _origin(task: Row) -> dict[str, Any]:
    """Return where a task comes from, empty texts where nothing is said."""
    origin = _json(task["origin"]) or {}
    names, href = origin.get("platform_i18n_name", {}), origin.get("href", {})
    return {
        "platform_i18n_name": {language: names.get(language, "") for language in _LANGUAGES},
        "href": {name: href.get(name, "") for name in ("title", "url")},
    }


def _time(task: Row, name: str) -> dict[str, Any] | None:
    at = task[f"{name}_at"]
    return None if at is None else {"timestamp": at, "is_all_day": bool(task[f"{name}_is_all_day"])}


def _reminders(rows: list[Row], kind: str) -> list[dict[str, Any]]:
    return [
        {"id": row["reminder_id"], "relative_fire_minute": row["relative_fire_minute"]}
        for row in rows
        if row["kind"] == kind
    ]


def _json(text: str | None) -> Any:
    return None if text is None else parse_json(text)
