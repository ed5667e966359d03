"""Documents, bases, tasks and wikis of a world's Lark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from farm.kernel import Row
from farm.world import Spec
from farm.world.spec import WorldError, require

from ._generate_bases import base
from ._generate_people import Company


def _below_title(markdown: str, title: str) -> str:
    """Return a text without the heading that only repeats its title; the app shows the title by itself."""
    first, _, rest = markdown.lstrip().partition("\n")
    return rest.lstrip("\n") if first.strip() == f"# {title}" else markdown


def rows(spec: Spec, company: Company) -> Iterator[Row]:
    """Yield files with who may open them, their contents, tasks with their lists, and the wikis."""
    for key, (said, markdown) in spec.documents.items():
        where = f"docs/{key}.md"
        yield from _file(spec, company, key, "docx", said, where)
        yield {
            "table": "documents",
            "document_id": spec.token(key),
            "revision_id": spec.number(6, 140, "revision", key),
            "markdown": company.show(_below_title(markdown, said["title"]), where),
        }
    for said in spec.toml("bases.toml")["bases"]:
        yield from _file(spec, company, said["key"], "bitable", said, f"bases.toml: {said['key']}")
        yield from base(spec, company, said)
    yield from _tasks(spec, company)
    for space in spec.toml("wiki.toml")["spaces"]:
        yield from _wiki(spec, company, space)


def _ms(spec: Spec, text: str, where: str) -> int:
    return int(spec.at(text, where).timestamp()) * 1000


def _file(spec: Spec, company: Company, key: str, kind: str, said: dict[str, Any], where: str) -> Iterator[Row]:
    created = _ms(spec, said["created"], where)
    chat = said.get("chat")
    if chat:
        require("chat", chat, company.chat_names, where)
    yield {
        "table": "files",
        "token": spec.token(key),
        "type": kind,
        "title": said["title"],
        "owner_id": company.open_id(said["owner"], where),
        "link_share": said.get("share", "closed"),
        "chat_id": company.id("oc_{hex:32}", "chat", chat) if chat else None,
        "created_at": created,
        "edited_at": _ms(spec, said["edited"], where),
    }
    for perm in ("edit", "view"):
        for person in said.get(perm, []):
            yield {
                "table": "collaborators",
                "token": spec.token(key),
                "member_type": "openid",
                "member_id": company.open_id(person, where),
                "perm": perm,
                "type": "user",
                "created_at": created + 3_600_000,
            }


def _tasks(spec: Spec, company: Company) -> Iterator[Row]:
    """Yield tasklists, and tasks numbered in the order in which they were made."""
    read = spec.toml("tasks.toml")
    for said in read["lists"]:
        yield from _tasklist(company, said)
    lists = {said["key"]: said for said in read["lists"]}
    made = sorted(read["tasks"], key=lambda said: spec.at(said["at"], "tasks.toml"))
    for number, said in enumerate(made, start=100_001):
        yield from _task(spec, company, said, number, lists)


def _tasklist(company: Company, said: dict[str, Any]) -> Iterator[Row]:
    where, guid = f"tasks.toml: list '{said['key']}'", company.id("{uuid}", "tasklist", said["key"])
    owner = company.open_id(said["owner"], where)
    yield {"table": "tasklists", "guid": guid, "name": said["name"], "owner_id": owner}
    for position, name in enumerate(said["sections"]):
        yield {
            "table": "tasklist_sections",
            "guid": _section(company, said["key"], name),
            "tasklist_guid": guid,
            "name": name,
            "is_default": int(position == 0),
        }
    for role in ("editor", "viewer"):
        for person in said[f"{role}s"]:
            member = company.open_id(person, where)
            yield {"table": "tasklist_members", "tasklist_guid": guid, "member_id": member, "role": role}


def _section(company: Company, tasklist: str, name: str) -> str:
    return company.id("{uuid}", "section", tasklist, name)


def _due(spec: Spec, text: str, where: str) -> dict[str, Any]:
    """Return the due columns; a whole day is stored as its midnight in UTC, as Lark does."""
    if " " in text:
        return {"due_at": str(_ms(spec, text, where)), "due_is_all_day": 0}
    midnight = _ms(spec, f"{text} 0:00", where)
    shift = spec.at(f"{text} 0:00", where).utcoffset()
    return {"due_at": str(midnight + int(shift.total_seconds() if shift else 0) * 1000), "due_is_all_day": 1}


def _task(
    spec: Spec, company: Company, said: dict[str, Any], number: int, lists: dict[str, dict[str, Any]]
) -> Iterator[Row]:
    where = f"tasks.toml: '{said.get('title')}'"
    guid = company.id("{uuid}", "task", said["title"], said["at"])
    created = _ms(spec, said["at"], where)
    done = _ms(spec, said["done"], where) if "done" in said else None
    if max(created, done or 0) >= company.now_s * 1000:
        raise WorldError(f"{where}: made or done after the world starts")
    yield {
        "table": "tasks",
        "guid": guid,
        "number": number,
        "creator_id": company.open_id(said["by"], where),
        "summary": company.show(said["title"], where),
        "description": company.show(said.get("text", ""), where),
        **_due(spec, said["due"], where),
        "completed_at": str(done) if done else None,
        "created_at": str(created),
        "updated_at": str(done or created),
    }
    assignees, followers = said["for"].split(), said.get("follow", "").split()
    members = [(each, "assignee") for each in assignees] + [(each, "follower") for each in followers]
    for position, (person, role) in enumerate(members):
        yield {
            "table": "task_members",
            "task_guid": guid,
            "member_id": company.open_id(person, where),
            "role": role,
            "position": position,
            "completed_at": str(done) if done and role == "assignee" else None,
        }
    if "remind" in said:
        reminder = company.id("7{digit:9}", "reminder", guid)
        yield {
            "table": "task_reminders",
            "reminder_id": reminder,
            "task_guid": guid,
            "relative_fire_minute": said["remind"],
        }
    if "list" in said:
        key, _, section = said["list"].partition("/")
        if section not in require("tasklist", key, lists, where)["sections"]:
            raise WorldError(f"{where}: no section '{section}' in list '{key}'; have {lists[key]['sections']}")
        tasklist, section_guid = company.id("{uuid}", "tasklist", key), _section(company, key, section)
        yield {
            "table": "tasklist_tasks",
            "tasklist_guid": tasklist,
            "task_guid": guid,
            "section_guid": section_guid,
        }


def _wiki(spec: Spec, company: Company, space: dict[str, Any]) -> Iterator[Row]:
    where = f"wiki.toml: {space['key']}"
    space_id = company.id("7{digit:18}", "space", space["key"])
    yield {
        "table": "wiki_spaces",
        "space_id": space_id,
        "name": space["name"],
        "description": space["description"],
        "visibility": space["visibility"],
        "owner_id": company.open_id(space["owner"], where),
    }
    yield from _wiki_members(company, space, space_id, where)
    nodes: list[str] = []
    for position, node in enumerate(space["nodes"]):
        require("document", node["doc"], spec.documents, where)
        under = node.get("under")
        if under and under not in nodes:
            raise WorldError(f"{where}: '{node['doc']}' is under '{under}', which is not above it; have {nodes}")
        nodes.append(node["doc"])
        yield {
            "table": "wiki_nodes",
            "node_token": _node(company, space, node["doc"]),
            "space_id": space_id,
            "parent_node_token": _node(company, space, under) if under else None,
            "obj_token": spec.token(node["doc"]),
            "creator_id": company.open_id(node["by"], where),
            "position": position,
            "created_at": str(_ms(spec, node["at"], where) // 1000),
        }


def _wiki_members(company: Company, space: dict[str, Any], space_id: str, where: str) -> Iterable[Row]:
    for person in space["admins"]:
        yield {
            "table": "wiki_members",
            "space_id": space_id,
            "member_id": company.open_id(person, where),
            "role": "admin",
        }


def _node(company: Company, space: dict[str, Any], document: str) -> str:
    return company.id("{alnum:27}", "node", space["key"], document)
