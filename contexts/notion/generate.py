"""What Notion stores of a world: workspaces, each with its people and one integration, pages, databases, comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from farm.appkit import Row
from farm.appkit.world_spec import AppSpec, ScheduledRow, WorldError, as_json, identities_of, require

from ._generate_blocks import CLOSE, OPEN, Block, Reader, item, rich_text, text_item
from .files import COMMENTS, DATABASES, PAGES, SCHEDULED, WORKSPACE, of_workspace

_COMPUTED = (
    "formula",
    "rollup",
    "created_time",
    "last_edited_time",
    "created_by",
    "last_edited_by",
    "unique_id",
    "button",
)
_COLORS = ("gray", "blue", "green", "orange", "purple", "pink", "yellow", "red", "brown", "default")
_GROUPS = {"To-do": "gray", "In progress": "blue", "Complete": "green"}


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield every row of Notion, what others refer to first."""
    for key in _workspaces(spec):
        yield from _Workspace(spec, key).rows()


def _workspaces(spec: AppSpec) -> list[str]:
    """Return the folders of the workspaces that somebody is a member of; the first is empty."""
    named = (str(account.more.get("workspace", "")) for account in spec.accounts.values())
    return ["", *dict.fromkeys(filter(None, named))]


def scheduled(spec: AppSpec) -> Iterator[ScheduledRow]:
    """Yield the comments of the week after the start."""
    if (spec.folder / SCHEDULED.path).is_file():
        yield from _Workspace(spec).scheduled()


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the name and mail that Notion shows."""
    return identities_of(made, "users", name="name", address="email")


class _Workspace:
    """One workspace, and what the specification says of it."""

    def __init__(self, spec: AppSpec, key: str = "") -> None:
        self.spec, self.key = spec, key
        self.facts = spec.read(of_workspace(WORKSPACE, key))
        self.id = self.new_id("{uuid}", "workspace")
        self.members = [each for each in spec.accounts.values() if each.more.get("workspace", "") == key]
        self.users = {each.key: spec.id("{uuid}", "user", each.key) for each in self.members}
        self.bot_id = self.new_id("{uuid}", "bot", self.facts["integration"])
        self.pages = spec.pages(of_workspace(PAGES, key))
        self.databases = spec.read_keyed(of_workspace(DATABASES, key))["databases"]
        self.titles = {key: said["title"] for key, (said, _) in self.pages.items()}
        # What stands below the same page gets its number in the order in which it comes.
        self.last: dict[str, float] = {}
        self.rows_by_title: dict[str, dict[str, str]] = {}
        self.blocks: dict[str, list[tuple[str, str]]] = {}

    def new_id(self, form: str, kind: str, *parts: object) -> str:
        """Return the id of something of this workspace: further ones may use the same keys."""
        return self.spec.id(form, kind, *((self.key, *parts) if self.key else parts))

    def where(self, path: str) -> str:
        """Return a file of this workspace as messages name it."""
        return self.spec.where(f"workspaces/{self.key}/{path}" if self.key else path)

    # -- references ---------------------------------------------------------------------------------------------------

    def page_id(self, key: str, where: str) -> str:
        require("page", key, self.pages, where)
        return self.new_id("{uuid}", "page", key)

    def user_id(self, key: str, where: str) -> str:
        return require("person with Notion", key, self.users, where)

    def mention(self, where: str) -> Any:
        def make(kind: str, key: str) -> dict[str, Any]:
            if kind == "user":
                user = {"object": "user", "id": self.user_id(key, where)}
                name = self.spec.accounts[key].name or self.spec.accounts[key].owner.name
                return item({"type": "mention", "mention": {"type": "user", "user": user}}, f"@{name}")
            if kind == "doc":
                link = self.spec.link(key)
                return text_item(link.title, link.address)
            page_id = self.page_id(key, where)
            href = f"https://www.notion.so/{page_id.replace('-', '')}"
            return item(
                {"type": "mention", "mention": {"type": "page", "page": {"id": page_id}}}, self.titles[key], href
            )

        return make

    def text(self, words: str, where: str) -> list[dict[str, Any]]:
        return rich_text(self.spec.text(words, _MARKED_REFERENCES, where), self.mention(where))

    def place(self, parent_id: str) -> float:
        self.last[parent_id] = self.last.get(parent_id, 0.0) + 1.0
        return self.last[parent_id]

    # -- rows ---------------------------------------------------------------------------------------------------------

    def rows(self) -> Iterator[Row]:
        yield {"table": "workspaces", "id": self.id, "name": self.facts["name"]}
        yield from self._people()
        yield from self._page_rows()
        yield from self._database_rows()
        for number, said in enumerate(self.spec.read(of_workspace(COMMENTS, self.key))["comments"], 1):
            yield self._comment(said, f"{self.where(COMMENTS.path)}: comment {number}", number)

    def _people(self) -> Iterator[Row]:
        for account in self.members:
            person = account.owner
            yield {
                "table": "users",
                "id": self.users[person.key],
                "person": person.key,
                "workspace_id": self.id,
                "type": "person",
                "name": account.name or person.name,
                "email": account.address or person.email,
            }
        bots = [(self.facts["integration"], self.bot_id, 1)]
        bots += [(name, self.new_id("{uuid}", "bot", name), 0) for name in self.facts.get("bots", ())]
        for name, bot_id, is_self in bots:
            yield {
                "table": "users",
                "id": bot_id,
                "workspace_id": self.id,
                "type": "bot",
                "name": name,
                "is_self": is_self,
            }

    def _page_rows(self) -> Iterator[Row]:
        order = sorted(self.pages, key=self._depth)
        for key in order:
            said, body = self.pages[key]
            where = self.where(f"pages/{key}.md")
            page_id, by = self.page_id(key, where), self.user_id(said["by"], where)
            under = said.get("under", "")
            parent_id = self.page_id(under, where) if under else None
            created, edited = self.spec.ms(said["created"], where), self.spec.ms(said["edited"], where)
            if not created <= edited < int(self.spec.world.starts_at.timestamp()) * 1000:
                raise WorldError(
                    f"{where}: created at {said['created']}, edited at {said['edited']}: not in this order"
                )
            yield {
                "table": "pages",
                "id": page_id,
                "workspace_id": self.id,
                "parent_type": "page_id" if under else "workspace",
                "parent_id": parent_id,
                # Pages below a page stand after its text.
                "position": 1000.0 + self.place(f"{parent_id} pages") if parent_id else 0.0,
                "title": as_json(self.text(said["title"], where)),
                "icon": _icon(said),
                "in_trash": int(said.get("trash", False)),
                "is_shared": int(said.get("shared", False)),
                **_made(created, by, edited, by),
            }
            yield from self._body(page_id, body, created, by, where)

    def _depth(self, key: str) -> tuple[int, str]:
        depth, at = 0, key
        while under := self.pages[at][0].get("under"):
            require("page", under, self.pages, self.where(f"pages/{at}.md"))
            depth, at = depth + 1, under
            if depth > len(self.pages):
                raise WorldError(f"{self.where(f'pages/{key}.md')}: stands under itself")
        return depth, key

    def _body(self, page_id: str, body: str, created: int, by: str, where: str) -> Iterator[Row]:
        reader = Reader(self.mention(where), where)
        blocks = reader.read(self.spec.text(body, _MARKED_REFERENCES, where)) if body.strip() else []
        yield from self._block_rows(page_id, "page_id", page_id, blocks, created, by)

    def _block_rows(
        self, page_id: str, parent_type: str, parent_id: str, blocks: list[Block], created: int, by: str
    ) -> Iterator[Row]:
        for number, block in enumerate(blocks, 1):
            block_id = self.new_id("{uuid}", "block", parent_id, number)
            text = block.content.get("rich_text", ())
            self.blocks.setdefault(page_id, []).append((block_id, "".join(each["plain_text"] for each in text)))
            yield {
                "table": "blocks",
                "id": block_id,
                "page_id": page_id,
                "parent_type": parent_type,
                "parent_id": parent_id,
                "position": float(number),
                "type": block.type,
                "content": as_json(block.content),
                **_made(created, by, created, by),
            }
            yield from self._block_rows(page_id, "block_id", block_id, block.children, created, by)

    # -- databases ----------------------------------------------------------------------------------------------------

    def _database_rows(self) -> Iterator[Row]:
        sources = [
            _Source(self, key, said, number)
            for key, said in self.databases.items()
            for number in range(len(said["sources"]))
        ]
        for source in sources:
            self.rows_by_title[source.name] = {title: source.row_id(title) for title in source.row_titles()}
        for key, said in self.databases.items():
            yield self._database(key, said)
        for source in sources:
            yield from source.schema()
        for source in sources:
            yield from source.pages()

    def database_id(self, key: str) -> str:
        return self.new_id("{uuid}", "database", key)

    def _database(self, key: str, said: dict[str, Any]) -> Row:
        where = f"{self.where(DATABASES.path)}: database '{key}'"
        parent_id = self.page_id(said["under"], where)
        # Of a database, the API shows the millisecond; of all else only the minute.
        created = self.spec.ms(said["at"], where) + self.spec.number(0, 59_999, "database made", self.key, key)
        return {
            "table": "databases",
            "id": self.database_id(key),
            "workspace_id": self.id,
            "parent_type": "page_id",
            "parent_id": parent_id,
            "position": 500.0 + self.place(f"{parent_id} databases"),
            "title": as_json(self.text(said["title"], where)),
            "description": as_json(self.text(said.get("description", ""), where)),
            "icon": _icon(said),
            "is_inline": int(said.get("inline", False)),
            "created_ms": created,
            "created_by": self.user_id(said["by"], where),
            "edited_ms": created,
        }

    # -- comments -----------------------------------------------------------------------------------------------------

    def _comment(self, said: dict[str, Any], where: str, number: int, source: str = "comment") -> Row:
        page_id = self._commented(said["page"], where)
        block_id = None
        if "on" in said:
            found = [key for key, words in self.blocks.get(page_id, ()) if said["on"] in words]
            if len(found) != 1:
                raise WorldError(f"{where}: {len(found)} blocks of the page hold '{said['on']}', and it takes one")
            block_id = found[0]
        return {
            "table": "comments",
            "id": self.new_id("{uuid}", source, number),
            "discussion_id": self.new_id("{uuid}", "discussion", page_id, block_id),
            "page_id": page_id,
            "block_id": block_id,
            "rich_text": as_json(self.text(said["text"], where)),
            "is_resolved": int(said.get("resolved", False)),
            "created_ms": self.spec.ms(said["at"], where),
            "created_by": self.user_id(said["by"], where),
        }

    def _commented(self, key: str, where: str) -> str:
        """Return a page by its key, or as ``database: title of the row``."""
        name, _, title = key.partition(": ")
        if not title:
            return self.page_id(key, where)
        return require("row", title, require("data source", name, self.rows_by_title, where), where)

    def scheduled(self) -> Iterator[ScheduledRow]:
        """Yield what others will say in the week after the start."""
        for _ in self.rows():
            pass  # so that the pages and their blocks are known
        for number, said in enumerate(self.spec.read(SCHEDULED)["comments"], 1):
            where = f"{self.spec.where(SCHEDULED.path)}: comment {number}"
            row = self._comment(said, where, number, "scheduled comment")
            yield ScheduledRow(self.spec.at(said["at"], where), row)


class _Source:
    """One data source with its schema and its pages."""

    def __init__(self, workspace: _Workspace, key: str, database: dict[str, Any], number: int) -> None:
        self.workspace, self.spec, self.key, self.database = workspace, workspace.spec, key, database
        self.said, self.number = database["sources"][number], number
        self.where = f"{self.workspace.where(DATABASES.path)}: database '{key}'"
        self.name = key if number == 0 else f"{key}/{number}"
        self.id = self.workspace.new_id("{uuid}", "data source", self.name)
        self.properties = {each["name"]: each for each in self.said["properties"]}
        self.written = [
            each for each in self.said["properties"] if each["type"] not in _COMPUTED and "back" not in each
        ]
        self.at = self.workspace.spec.ms(database["at"], self.where)
        self.by = self.workspace.user_id(database["by"], self.where)

    def property_id(self, name: str) -> str:
        found = require("property", name, self.properties, self.where)
        return "title" if found["type"] == "title" else self.workspace.new_id("{alnum:4}", "property", self.name, name)

    def row_titles(self) -> list[str]:
        at = next(number for number, each in enumerate(self.written) if each["type"] == "title")
        return [row["cells"][at] for row in self.said.get("rows", ())]

    def row_id(self, title: str) -> str:
        return self.workspace.new_id("{uuid}", "row", self.name, title)

    def option_id(self, name: str, option: str) -> str:
        return self.workspace.new_id("{uuid}", "option", self.name, name, option)

    def schema(self) -> Iterator[Row]:
        edited = (self.workspace.spec.ms(row["edited"], self.where) for row in self.said.get("rows", ()))
        last = max(edited, default=self.at)
        title = self.said.get("title", self.database["title"])
        yield {
            "table": "data_sources",
            "id": self.id,
            "database_id": self.workspace.database_id(self.key),
            "position": self.number + 1,
            "title": as_json(self.workspace.text(title, self.where)),
            **_made(self.at, self.by, last, self.by),
        }
        for each in self.said["properties"]:
            kind = each["type"]
            yield {
                "table": "properties",
                "data_source_id": self.id,
                "id": self.property_id(each["name"]),
                "name": each["name"],
                "type": kind,
                "config": as_json(self._config(each)),
            }

    def _config(self, said: dict[str, Any]) -> dict[str, Any]:
        kind, name = said["type"], said["name"]
        if kind in ("select", "multi_select", "status"):
            return self._options(said)
        if kind == "number":
            return {"format": said.get("format", "number")}
        if kind == "formula":
            return {"expression": said["expression"]}
        if kind == "unique_id":
            return {"prefix": said.get("prefix")}
        if kind == "relation":
            other = self._other(said["relation"])
            ids = {"database_id": self.workspace.database_id(other.key), "data_source_id": other.id}
            twin = next((each["name"] for each in other.said["properties"] if each.get("relation") == self.name), None)
            if twin is None or other.id == self.id:
                return {**ids, "type": "single_property", "single_property": {}}
            dual = {"synced_property_name": twin, "synced_property_id": other.property_id(twin)}
            return {**ids, "type": "dual_property", "dual_property": dual}
        if kind == "rollup":
            relation = require("property", said["over"], self.properties, f"{self.where}: {name}")
            return {
                "rollup_property_name": said["of"],
                "relation_property_name": said["over"],
                "rollup_property_id": self._other(relation["relation"]).property_id(said["of"]),
                "relation_property_id": self.property_id(said["over"]),
                "function": said["function"],
            }
        return {}

    def _other(self, key: str) -> _Source:
        require("database", key, self.workspace.databases, self.where)
        return _Source(self.workspace, key, self.workspace.databases[key], 0)

    def _options(self, said: dict[str, Any]) -> dict[str, Any]:
        options = [
            {
                "id": self.option_id(said["name"], option),
                "name": option,
                "color": _COLORS[number % len(_COLORS)],
                "description": None,
            }
            for number, option in enumerate(said["options"])
        ]
        if said["type"] != "status":
            return {"options": options}
        groups = dict(zip(_GROUPS, said["groups"], strict=True))
        return {
            "options": options,
            "groups": [
                {
                    "id": self.workspace.new_id("{uuid}", "group", self.name, said["name"], group),
                    "name": group,
                    "color": color,
                    "option_ids": [self.option_id(said["name"], option) for option in groups[group]],
                }
                for group, color in _GROUPS.items()
            ],
        }

    def pages(self) -> Iterator[Row]:
        notes = self.said.get("notes", {})
        titles = self.row_titles()
        for title in notes:
            require("row", title, dict.fromkeys(titles), self.where)
        for number, (row, title) in enumerate(zip(self.said.get("rows", ()), titles, strict=True), 1):
            where = f"{self.where}, row '{title}'"
            if len(row["cells"]) != len(self.written):
                raise WorldError(
                    f"{where} has {len(row['cells'])} cells, and {len(self.written)} properties are written"
                )
            page_id = self.row_id(title)
            by, created = self.workspace.user_id(row["by"], where), self.workspace.spec.ms(row["created"], where)
            numbered = any(each["type"] == "unique_id" for each in self.said["properties"])
            yield {
                "table": "pages",
                "id": page_id,
                "workspace_id": self.workspace.id,
                "parent_type": "data_source_id",
                "parent_id": self.id,
                "position": float(number),
                "title": as_json(self.workspace.text(title, where)),
                "icon": _icon(row),
                "in_trash": int(row.get("trash", False)),
                "number": number if numbered else None,
                **_made(created, by, self.workspace.spec.ms(row["edited"], where), by),
            }
            for each, cell in zip(self.written, row["cells"], strict=True):
                value = self._cell(each, cell, where)
                if value is not None and each["type"] != "title":
                    key = {"page_id": page_id, "property_id": self.property_id(each["name"])}
                    yield {"table": "cells", **key, "value": as_json(value)}
            if title in notes:
                yield from self.workspace._body(page_id, notes[title], created, by, where)
        yield from self._backward()

    def _backward(self) -> Iterator[Row]:
        """Yield the cells of relations that the other side writes."""
        for each in self.said["properties"]:
            if "back" not in each:
                continue
            other = self._other(each["relation"])
            at = next(number for number, said in enumerate(other.written) if said["name"] == each["back"])
            for title in self.row_titles():
                related = [
                    {"id": other.row_id(name)}
                    for name, row in zip(other.row_titles(), other.said.get("rows", ()), strict=True)
                    if title in _names(row["cells"][at])
                ]
                if related:
                    key = {"page_id": self.row_id(title), "property_id": self.property_id(each["name"])}
                    yield {"table": "cells", **key, "value": as_json(related)}

    def _cell(self, said: dict[str, Any], cell: Any, where: str) -> Any:
        kind = said["type"]
        if cell == "" or cell is False:
            return None
        if kind in ("select", "status", "multi_select"):
            chosen = []
            for name in [cell] if kind != "multi_select" else cell.split(", "):
                require("option", name, dict.fromkeys(said["options"]), f"{where}, {said['name']}")
                chosen.append({"id": self.option_id(said["name"], name), "name": name})
            return chosen if kind == "multi_select" else chosen[0]
        if kind == "date":
            start, _, end = cell.partition(" to ")
            return {"start": self._day(start, where), "end": self._day(end, where) if end else None, "time_zone": None}
        if kind == "people":
            return [{"id": self.workspace.user_id(key, where)} for key in cell.split()]
        if kind == "relation":
            among = self.workspace.rows_by_title[said["relation"]]
            return [{"id": require("row", title, among, f"{where}, {said['name']}")} for title in _names(cell)]
        if kind == "rich_text":
            return self.workspace.text(cell, where)
        return cell

    def _day(self, text: str, where: str) -> str:
        """Return a day or a time as a placeholder, so that it moves with the world."""
        day, _, clock = text.partition(" ")
        self.spec.at(f"{day} {clock or '00:00'}", where)
        return f"{{{{rfc3339:{text}}}}}" if clock else f"{{{{date:{day} iso}}}}"


def _names(cell: str) -> list[str]:
    return cell.split(" | ") if cell else []


# References stay in a text, marked, until its pieces are made; that they exist is asked then.
_MARKED_REFERENCES: dict[str, Any] = {
    kind: (lambda key, kind=kind: f"{OPEN}{kind}:{key}{CLOSE}") for kind in ("user", "page", "doc")
}


def _icon(said: dict[str, Any]) -> str | None:
    return as_json({"type": "emoji", "emoji": said["icon"]}) if "icon" in said else None


def _made(created: int, created_by: str, edited: int, edited_by: str) -> dict[str, Any]:
    return {"created_ms": created, "created_by": created_by, "edited_ms": edited, "edited_by": edited_by}
