"""A small company for tests of documents, bases, tasks and wikis: me (Wan), Bo, Chen who left, Eva elsewhere."""

from __future__ import annotations

import json
from typing import Any

ACME, OTHER = "736588c9260f175e", "836588c9260f175e"
ME, BO, CHEN, EVA = (f"ou_{digit * 32}" for digit in "abcd")
OURS, THEIRS = (f"oc_{digit * 32}" for digit in "ab")
PRODUCT, COMPANY = "od-" + "a" * 32, "od-" + "b" * 32
MONDAY = 1_772_985_600_000  # Monday 9 March 2026, 00:00 in Shanghai, in milliseconds
NOW = MONDAY + 9 * 3_600_000  # when a test starts
DAY = 86_400_000

PLAN, NOTES, SECRET, HANDBOOK, BINNED = (f"{name:x<27}" for name in ("Plan", "Notes", "Secret", "Handbook", "Binned"))
MY_FOLDER, BO_FOLDER = "fldcnMine" + "x" * 18, "fldcnBo" + "x" * 20
TRACKER, READ_ONLY, HIDDEN = (f"{name:x<27}" for name in ("Tracker", "Ledger", "Hidden"))
ISSUES, PEOPLE, EMPTY = "tblIssues0000000", "tblPeople0000000", "tblEmpty00000000"
ALL_VIEW, OPEN_VIEW = "vewAll0000", "vewOpen000"
ROW_1, ROW_2, ROW_3 = "recIssue000001", "recIssue000002", "recIssue000003"
WAN_ROW, BO_ROW = "recPerson00001", "recPerson00002"
MINE, FOLLOWED, LISTED, STRANGE = (f"{n}2391269-2e43-47fc-94a4-d512e03984fa" for n in "1234")
LAUNCH_LIST, LAUNCH_SECTION = "cc371766-6584-4f50-a222-c22cd9055004", "e6e37dcc-f75a-4936-a589-12fb4b5c80c2"
BO_LIST, BO_SECTION = "dc371766-6584-4f50-a222-c22cd9055004", "f6e37dcc-f75a-4936-a589-12fb4b5c80c2"
SPACE, CLOSED_SPACE = "7405554032535214179", "7405554032535214180"
HOME, CHILD, CLOSED_PAGE = (f"Node{name:x<23}" for name in ("Home", "Child", "Closed"))

# Field name → id, type and properties of the table with a field of every kind.
FIELDS: dict[str, tuple[str, int, str, dict[str, Any] | None]] = {
    "Title": ("fldTitle00", 1, "Text", None),
    "Count": ("fldCount00", 2, "Number", {"formatter": "0"}),
    "State": (
        "fldState00",
        3,
        "SingleSelect",
        {"options": [{"id": "optOpen", "name": "open", "color": 0}, {"id": "optDone", "name": "done", "color": 1}]},
    ),
    "Tags": (
        "fldTags000",
        4,
        "MultiSelect",
        {"options": [{"id": "optApp", "name": "app", "color": 0}, {"id": "optCloud", "name": "cloud", "color": 1}]},
    ),
    "Due": ("fldDue0000", 5, "DateTime", {"auto_fill": False, "date_formatter": "yyyy/MM/dd"}),
    "Blocks": ("fldBlocks0", 7, "Checkbox", None),
    "Owner": ("fldOwner00", 11, "User", {"multiple": False}),
    "Phone": ("fldPhone00", 13, "Phone", None),
    "Link": ("fldLink000", 15, "Url", None),
    "Files": ("fldFiles00", 17, "Attachment", None),
    "Reporter": ("fldRep0000", 18, "SingleLink", {"multiple": True, "table_id": PEOPLE, "table_name": "People"}),
    "Watchers": (
        "fldWatch00",
        21,
        "DuplexLink",
        {"back_field_id": "fldWatches", "back_field_name": "Watches", "multiple": True, "table_id": PEOPLE},
    ),
    "Score": ("fldScore00", 20, "Formula", {"formatter": ""}),
    "Place": ("fldPlace00", 22, "Location", {"location": {"input_type": "not_limit"}}),
    "Chat": ("fldChat000", 23, "GroupChat", {"multiple": True}),
    "Made": ("fldMade000", 1001, "CreatedTime", {"date_formatter": "yyyy/MM/dd"}),
    "Changed": ("fldChanged", 1002, "ModifiedTime", {"date_formatter": "yyyy/MM/dd"}),
    "Maker": ("fldMaker00", 1003, "CreatedUser", None),
    "Changer": ("fldChanger", 1004, "ModifiedUser", None),
    "No": ("fldNo00000", 1005, "AutoNumber", {"auto_serial": {"type": "auto_increment_number"}}),
}


def rows() -> list[dict[str, Any]]:
    """Return the company's rows, owners before what they own."""
    return [*_people(), *_files(), *_base(), *_tasks(), *_wiki()]


def _row(table: str, **columns: Any) -> dict[str, Any]:
    return {
        "table": table,
        **{
            name: json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
            for name, value in columns.items()
        },
    }


def _people() -> list[dict[str, Any]]:
    def user(open_id: str, person: str, name: str, en_name: str, tenant: str = ACME, **more: Any) -> dict[str, Any]:
        return _row(
            "users",
            open_id=open_id,
            union_id="on_" + open_id[3:],
            user_id=person.ljust(8, "0"),
            tenant_key=tenant,
            person=person,
            name=name,
            en_name=en_name,
            email=f"{person}@acme.example",
            avatar=f"v3_{person}",
            **more,
        )

    def member(chat_id: str, open_id: str) -> dict[str, Any]:
        return _row("chat_members", chat_id=chat_id, open_id=open_id, joined_at=MONDAY)

    return [
        _row("tenants", tenant_key=ACME, name="Acme", domain="acme.feishu.cn"),
        _row("tenants", tenant_key=OTHER, name="Other", domain="other.feishu.cn"),
        _row("departments", department_id=COMPANY, tenant_key=ACME, name="Acme"),
        _row("departments", department_id=PRODUCT, tenant_key=ACME, parent_department_id=COMPANY, name="Product"),
        user(ME, "wan", "林晚", "Wan Lin", department_ids=[PRODUCT]),
        user(BO, "bo", "孙博", "Bo Sun"),
        user(CHEN, "chen", "陈梅", "Mei Chen", is_resigned=1),
        user(EVA, "eva", "Eva", "Eva", OTHER),
        _row("bots", app_id="cli_" + "a" * 16, tenant_key=ACME, open_id="ou_" + "e" * 32, name="Robot"),
        _row("chats", chat_id=OURS, tenant_key=ACME, name="Launch", owner_id=ME, created_at=MONDAY),
        _row("chats", chat_id=THEIRS, tenant_key=ACME, name="Theirs", owner_id=BO, created_at=MONDAY),
        member(OURS, ME),
        member(OURS, BO),
        member(THEIRS, BO),
    ]


def file(token: str, kind: str, title: str, owner_id: str = BO, **more: Any) -> dict[str, Any]:
    return _row(
        "files", token=token, type=kind, title=title, owner_id=owner_id, created_at=MONDAY, edited_at=MONDAY, **more
    )


def _files() -> list[dict[str, Any]]:
    def document(token: str, markdown: str) -> dict[str, Any]:
        return _row("documents", document_id=token, markdown=markdown)

    return [
        file(MY_FOLDER, "folder", "Mine", ME),
        file(BO_FOLDER, "folder", "Bo's"),
        file(PLAN, "docx", "Launch plan", ME),
        document(PLAN, f'# Goal\nShip **Ember** with <at id="{BO}">孙博</at>.\n\n- [x] price\n- [budget](https://a.b)'),
        file(NOTES, "docx", "Bo's notes"),
        document(NOTES, "Nothing about the launch but the budget."),
        _row(
            "collaborators",
            token=NOTES,
            member_type="openid",
            member_id=ME,
            perm="view",
            type="user",
            created_at=MONDAY,
        ),
        file(SECRET, "docx", "Secret launch"),
        document(SECRET, "launch budget"),
        file(HANDBOOK, "docx", "Handbook", link_share="tenant_readable"),
        document(HANDBOOK, "How we launch."),
        file(BINNED, "docx", "Old launch", ME, is_deleted=1),
        document(BINNED, "gone"),
    ]


def _base() -> list[dict[str, Any]]:
    def table(table_id: str, app_token: str, name: str, position: int, last_number: int = 0) -> dict[str, Any]:
        return _row(
            "base_tables",
            table_id=table_id,
            app_token=app_token,
            name=name,
            position=position,
            last_number=last_number,
        )

    def field(table_id: str, name: str, position: int, told: tuple[str, int, str, Any]) -> dict[str, Any]:
        field_id, kind, ui_type, properties = told
        return _row(
            "base_fields",
            field_id=field_id,
            table_id=table_id,
            field_name=name,
            type=kind,
            ui_type=ui_type,
            is_primary=int(position == 0),
            position=position,
            property=properties,
        )

    def record(record_id: str, table_id: str, number: int, **cells: Any) -> dict[str, Any]:
        ids = {name: told[0] for name, told in FIELDS.items()} | {"Name": "fldName000", "Watches": "fldWatches"}
        at = MONDAY - number * DAY
        return _row(
            "base_records",
            record_id=record_id,
            table_id=table_id,
            fields={ids[name]: cell for name, cell in cells.items()},
            number=number,
            created_by=ME,
            modified_by=BO,
            created_at=at,
            modified_at=at + 1000,
        )

    open_only = {"conjunction": "and", "conditions": [{"field_id": "fldState00", "operator": "is", "value": ["open"]}]}
    view = {"filter": open_only, "sort": [{"field_id": "fldCount00", "desc": True}], "hidden_fields": ["fldPhone00"]}
    tables = [
        table(ISSUES, TRACKER, "Issues", 0, 3),
        table(PEOPLE, TRACKER, "People", 1, 2),
        table(EMPTY, READ_ONLY, "Ledger", 0),
    ]
    return [
        file(TRACKER, "bitable", "Tracker", ME),
        _row("bases", app_token=TRACKER),
        file(READ_ONLY, "bitable", "Ledger", link_share="tenant_readable"),
        _row("bases", app_token=READ_ONLY),
        file(HIDDEN, "bitable", "Hidden"),
        _row("bases", app_token=HIDDEN),
        *tables,
        _row("base_views", view_id=ALL_VIEW, table_id=ISSUES, view_name="All", position=0),
        _row("base_views", view_id=OPEN_VIEW, table_id=ISSUES, view_name="Open", position=1, property=view),
        *(field(ISSUES, name, position, told) for position, (name, told) in enumerate(FIELDS.items())),
        field(PEOPLE, "Name", 0, ("fldName000", 1, "Text", None)),
        field(
            PEOPLE,
            "Watches",
            1,
            ("fldWatches", 21, "DuplexLink", {"back_field_id": "fldWatch00", "multiple": True, "table_id": ISSUES}),
        ),
        field(EMPTY, "Text", 0, ("fldText000", 1, "Text", None)),
        record(
            ROW_1,
            ISSUES,
            1,
            Title="Flicker",
            Count=3,
            State="open",
            Tags=["app", "cloud"],
            Due=MONDAY + 4 * DAY,
            Blocks=True,
            Owner=[{"id": BO}],
            Phone="+8613800000000",
            Link={"link": "https://a.b", "text": "report"},
            Files=[{"file_token": "Photo" + "x" * 22}],
            Reporter=[WAN_ROW],
            Watchers=[WAN_ROW],
            Score="high",
            Place={"address": "", "full_address": "人民广场", "location": "121.4,31.2"},
            Chat=[{"id": OURS}],
        ),
        record(ROW_2, ISSUES, 2, Title="Slow start", Count=7, State="open", Tags=["app"], Due=MONDAY - 8 * DAY),
        record(ROW_3, ISSUES, 3, Title="Wrong colour", State="done", Due=MONDAY + 9 * 3_600_000, Owner=[{"id": ME}]),
        record(WAN_ROW, PEOPLE, 1, Name="Wan", Watches=[ROW_1]),
        record(BO_ROW, PEOPLE, 2, Name="Bo"),
        _row(
            "base_attachments",
            file_token="Photo" + "x" * 22,
            app_token=TRACKER,
            name="photo.png",
            size=1200,
            mime_type="image/png",
        ),
    ]


def _tasks() -> list[dict[str, Any]]:
    def task(guid: str, number: int, summary: str, creator_id: str, **more: Any) -> dict[str, Any]:
        at = str(MONDAY - DAY)
        return _row(
            "tasks",
            guid=guid,
            number=number,
            summary=summary,
            creator_id=creator_id,
            created_at=at,
            updated_at=at,
            **more,
        )

    def member(guid: str, member_id: str, role: str, position: int = 0) -> dict[str, Any]:
        return _row("task_members", task_guid=guid, member_id=member_id, role=role, position=position)

    def tasklist(guid: str, section: str, name: str, owner_id: str) -> list[dict[str, Any]]:
        return [
            _row("tasklists", guid=guid, name=name, owner_id=owner_id),
            _row("tasklist_sections", guid=section, tasklist_guid=guid, name="Default", is_default=1),
        ]

    return [
        *tasklist(LAUNCH_LIST, LAUNCH_SECTION, "Launch", BO),
        _row("tasklist_members", tasklist_guid=LAUNCH_LIST, member_id=ME, role="editor"),
        *tasklist(BO_LIST, BO_SECTION, "Bo's", BO),
        task(MINE, 100001, "Write the plan", BO, due_at=str(MONDAY + 2 * DAY + 64_800_000)),
        member(MINE, ME, "assignee"),
        member(MINE, BO, "follower", 1),
        task(FOLLOWED, 100002, "Order boards", BO),
        member(FOLLOWED, BO, "assignee"),
        member(FOLLOWED, ME, "follower", 1),
        task(LISTED, 100003, "Book the hall", BO),
        _row("tasklist_tasks", tasklist_guid=LAUNCH_LIST, task_guid=LISTED, section_guid=LAUNCH_SECTION),
        task(STRANGE, 100004, "Not mine", BO),
    ]


def _wiki() -> list[dict[str, Any]]:
    def node(token: str, space_id: str, obj_token: str, **more: Any) -> dict[str, Any]:
        return _row(
            "wiki_nodes",
            node_token=token,
            space_id=space_id,
            obj_token=obj_token,
            creator_id=BO,
            position=0,
            created_at=str(MONDAY // 1000),
            **more,
        )

    pages = (f"{name:x<27}" for name in ("PageHome", "PageChild", "PageClosed"))
    home, child, closed = pages
    return [
        _row("wiki_spaces", space_id=SPACE, name="Company", visibility="public", owner_id=BO),
        _row("wiki_spaces", space_id=CLOSED_SPACE, name="Board", visibility="private", owner_id=BO),
        file(home, "docx", "Welcome"),
        _row("documents", document_id=home, markdown="All about lamps."),
        file(child, "docx", "Lamps"),
        _row("documents", document_id=child, markdown="They shine."),
        file(closed, "docx", "Closed lamps"),
        _row("documents", document_id=closed, markdown="Hush."),
        node(HOME, SPACE, home),
        node(CHILD, SPACE, child, parent_node_token=HOME),
        node(CLOSED_PAGE, CLOSED_SPACE, closed),
    ]
