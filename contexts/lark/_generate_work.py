"""Documents, bases, tasks and wikis of a world's Lark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from farm.appkit import Row
from farm.appkit.world_spec import AppSpec, Link, WorldError, require

from ._generate_bases import base
from ._generate_people import Company, domain_of, token
from .files import BASES, DOCUMENTS, TASKS, WIKI


def links(spec: AppSpec) -> dict[str, Link]:
    """Return documents, bases and wikis by key. What is no document goes by its key."""
    base = f"https://{domain_of(spec.world.home)}"
    found = {key: Link(f"{base}/docx/{token(spec, key)}", said["title"]) for key, (said, _) in _documents(spec).items()}
    found |= {key: Link(f"{base}/base/{token(spec, key)}", key) for key in spec.read_keyed(BASES)["bases"]}
    for key in spec.read_keyed(WIKI)["spaces"]:
        found[key] = Link(f"{base}/wiki/space/{_space_id(spec, key)}", key)
    return found


def _documents(spec: AppSpec) -> dict[str, tuple[dict[str, Any], str]]:
    """Return key → the front matter (TOML between ``+++`` lines) and the Markdown of ``docs/<key>.md``."""
    return {key: (said, text.strip() + "\n") for key, (said, text) in spec.pages(DOCUMENTS).items()}


def _below_title(markdown: str, title: str) -> str:
    """Return a text without the heading that only repeats its title; the app shows the title by itself."""
    first, _, rest = markdown.lstrip().partition("\n")
    return rest.lstrip("\n") if first.strip() == f"# {title}" else markdown


def rows(spec: AppSpec, company: Company) -> Iterator[Row]:
    """Yield files with who may open them, their contents, tasks with their lists, and the wikis."""
    documents = _documents(spec)
    for key, (said, markdown) in documents.items():
        where = f"lark/docs/{key}.md"
        yield from _file(spec, company, key, "docx", said, where)
        yield {
            "table": "documents",
            "document_id": company.token(key),
            "revision_id": spec.number(6, 140, "revision", key),
            "markdown": company.show(_below_title(markdown, said["title"]), where),
        }
    for said, written in zip(spec.read(BASES)["bases"], spec.as_written(BASES, "bases"), strict=True):
        made, where = [*base(spec, company, said, written)], f"lark/bases.toml: base '{said['key']}'"
        for row in _file(spec, company, said["key"], "bitable", said, where):
            last = max((each["modified_at"] for each in made if each["table"] == "base_records"), default=0)
            yield {**row, "edited_at": max(row["edited_at"], last)} if row["table"] == "files" else row
        yield from made
    yield from _tasks(spec, company)
    for space in spec.read_keyed(WIKI)["spaces"].values():
        yield from _wiki(spec, company, space, documents)


def _file(spec: AppSpec, company: Company, key: str, kind: str, said: dict[str, Any], where: str) -> Iterator[Row]:
    created, edited = (spec.second_ms(said[each], where, "file", key) for each in ("created", "edited"))
    chat = said.get("chat")
    if chat:
        require("chat", chat, company.chat_names, where)
    yield {
        "table": "files",
        "token": company.token(key),
        "type": kind,
        "title": said["title"],
        "owner_id": company.open_id(said["owner"], where),
        "link_share": said.get("share", "closed"),
        "chat_id": company.id("oc_{hex:32}", "chat", chat) if chat else None,
        "created_at": created,
        "edited_at": edited,
    }
    shared_s = max(15, (company.now_s * 1000 - created) // 1000 - 1)
    for perm in ("edit", "view"):
        for person in said.get(perm, []):
            yield {
                "table": "collaborators",
                "token": company.token(key),
                "member_type": "openid",
                "member_id": company.open_id(person, where),
                "perm": perm,
                "type": "user",
                "created_at": created + spec.number(15, min(shared_s, 90_000), "shared", key, person) * 1000,
            }


def _tasks(spec: AppSpec, company: Company) -> Iterator[Row]:
    """Yield tasklists, and tasks numbered in the order in which they were made."""
    read = spec.read(TASKS)
    for said in read["lists"]:
        yield from _tasklist(company, said)
    lists = {said["key"]: said for said in read["lists"]}
    made = sorted(read["tasks"], key=lambda said: spec.at(said["at"], f"lark/tasks.toml: '{said['title']}'"))
    where = "lark/tasks.toml"
    seconds = spec.seconds((spec.at(said["at"], where) for said in made), "task", step_ms=1)
    for number, said in enumerate(made, start=100_001):
        yield from _task(spec, company, said, number, seconds.ms(spec.at(said["at"], where)), lists)


def _tasklist(company: Company, said: dict[str, Any]) -> Iterator[Row]:
    where, guid = f"lark/tasks.toml: list '{said['key']}'", company.id("{uuid}", "tasklist", said["key"])
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


def _due(spec: AppSpec, text: str, where: str) -> dict[str, Any]:
    """Return the due columns; a whole day is stored as its midnight in UTC, as Lark does."""
    if " " in text:
        return {"due_at": str(spec.ms(text, where)), "due_is_all_day": 0}
    midnight = spec.ms(f"{text} 0:00", where)
    shift = spec.at(f"{text} 0:00", where).utcoffset()
    return {"due_at": str(midnight + int(shift.total_seconds() if shift else 0) * 1000), "due_is_all_day": 1}


def _task(
    spec: AppSpec,
    company: Company,
    said: dict[str, Any],
    number: int,
    created: int,
    lists: dict[str, dict[str, Any]],
) -> Iterator[Row]:
    where = f"lark/tasks.toml: '{said['title']}'"
    guid = company.id("{uuid}", "task", said["title"], said["at"])
    done = None
    if "done" in said:
        done = max(spec.ms(said["done"], where) + spec.number(0, 59_999, "task done", guid), created + 1)
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


def _wiki(
    spec: AppSpec, company: Company, space: dict[str, Any], documents: Mapping[str, tuple[dict[str, Any], str]]
) -> Iterator[Row]:
    where = f"lark/wiki.toml: '{space['key']}'"
    space_id = _space_id(spec, space["key"])
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
        require("document", node["doc"], documents, where)
        under = node.get("under")
        if under and under not in nodes:
            raise WorldError(f"{where}: '{node['doc']}' is under '{under}', which is not above it; have {nodes}")
        nodes.append(node["doc"])
        yield {
            "table": "wiki_nodes",
            "node_token": _node(company, space, node["doc"]),
            "space_id": space_id,
            "parent_node_token": _node(company, space, under) if under else None,
            "obj_token": company.token(node["doc"]),
            "creator_id": company.open_id(node["by"], where),
            "position": position,
            "created_at": str(spec.second_ms(node["at"], where, "node", node["doc"]) // 1000),
        }


def _space_id(spec: AppSpec, key: str) -> str:
    return spec.id("7{digit:18}", "space", key)


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
