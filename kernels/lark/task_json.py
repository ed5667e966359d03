"""Tasks as the tools show them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from farm.appkit import Episode, Row, parse_json

_LINK = "https://applink.feishu.cn/client/todo/detail?guid={guid}&suite_entity_num=t{number}"


_LANGUAGES = (
    *("de_de", "en_us", "es_es", "fr_fr", "it_it", "ja_jp"),
    *("ko_kr", "ru_ru", "th_th", "zh_cn", "zh_hk", "zh_tw"),
)


# What hangs on tasks, as JSON. A person sees only the lists they may open.
_HANGING = """
SELECT t.guid, coalesce(c.{id_type}, t.creator_id) AS creator,
    (SELECT json_group_array(json_object('id', id, 'type', member_type, 'role', role, 'completed_at', completed_at))
     FROM (SELECT coalesce(u.{id_type}, m.member_id) AS id, m.member_type, m.role, m.completed_at
           FROM task_members m LEFT JOIN users u ON u.open_id = m.member_id
           WHERE m.task_guid = t.guid ORDER BY m.position, m.role)) AS members,
    (SELECT json_group_array(json_object('id', reminder_id, 'relative_fire_minute', relative_fire_minute, 'kind', kind))
     FROM (SELECT * FROM task_reminders r WHERE r.task_guid = t.guid ORDER BY reminder_id)) AS reminders,
    (SELECT json_group_array(json_object('tasklist_guid', tasklist_guid, 'section_guid', section_guid))
     FROM (SELECT i.* FROM tasklist_tasks i JOIN tasklists l ON l.guid = i.tasklist_guid WHERE i.task_guid = t.guid
           AND (l.owner_id = :me OR EXISTS (SELECT 1 FROM tasklist_members m
                                            WHERE m.tasklist_guid = l.guid AND m.member_id = :me))
           ORDER BY i.tasklist_guid)) AS tasklists,
    (SELECT count(*) FROM tasks below WHERE below.parent_guid = t.guid) AS subtask_count
FROM tasks t LEFT JOIN users c ON c.open_id = t.creator_id
WHERE t.guid IN (SELECT value FROM json_each(:guids)) ORDER BY t.guid
"""


def tasks_to_json(ep: Episode, tasks: Sequence[Row], id_type: str) -> list[dict[str, Any]]:
    """Return tasks as shown, with everything they have looked up for all of them at once."""
    guids = json.dumps([task["guid"] for task in tasks])
    hanging = {row["guid"]: row for row in ep.db.all(_HANGING.format(id_type=id_type), guids=guids, me=ep.me)}
    return [_task(task, hanging[task["guid"]]) for task in tasks]


def _task(task: Row, hanging: Row) -> dict[str, Any]:
    done = task["completed_at"]
    members, reminders = parse_json(hanging["members"]), parse_json(hanging["reminders"])
    body: dict[str, Any] = {
        "guid": task["guid"],
        "summary": task["summary"],
        "description": task["description"],
        "due": _time(task, "due"),
        "reminders": _reminders(reminders, "due") or None,
        "creator": {"id": hanging["creator"], "type": "user"},
        "members": [{name: member[name] for name in ("id", "type", "role")} for member in members],
        "completed_at": done or "0",
        "origin": _origin(task),
        "extra": task["extra"] or "",
        "tasklists": parse_json(hanging["tasklists"]),
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
        "subtask_count": hanging["subtask_count"],
        "is_milestone": bool(task["is_milestone"]),
        "custom_fields": _json(task["custom_fields"]) or None,
        "dependencies": [],
        "assignee_related": [
            {"id": member["id"], "completed_at": member["completed_at"] or "0"}
            for member in members
            if member["role"] == "assignee"
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


def _reminders(reminders: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [{name: each[name] for name in ("id", "relative_fire_minute")} for each in reminders if each["kind"] == kind]


def _json(text: str | None) -> Any:
    return None if text is None else parse_json(text)
