"""Lark (Feishu), as the vendor's own MCP server shows it: calendars, chats, documents, bases, tasks and wikis."""

from farm.appkit import App, Envelope, Json, Profile, StartFiles
from farm.appkit.dialects import Zod4

from . import drive_files, errors
from .menus import MENUS
from .tools import TOOLS

APP = App(
    name="lark",
    title="Lark",
    called=("飞书", "Feishu"),
    category="communication",
    dialect=Zod4(),
    tools=TOOLS,
    files=StartFiles(drive_files.rows_of_file),
    ids={
        "calendar": "feishu.cn_{alnum:16}@group.calendar.feishu.cn",
        "event": "{uuid}_0",
        "attendee_user": "user_7{digit:18}",
        "attendee_chat": "chat_7{digit:18}",
        "attendee_resource": "resource_7{digit:18}",
        "attendee_third_party": "third_party_7{digit:18}",
        "meeting": "{digit:9}",
        "acl": "user_7{digit:18}",
        "open": "ou_{hex:32}",
        "union": "on_{hex:32}",
        "user": "{base36:8}",
        "bot": "cli_{hex:16}",
        "tenant": "{hex:16}",
        "department": "od-{hex:32}",
        "room": "omm_{hex:32}",
        "chat": "oc_{hex:32}",
        "message": "om_x100b{hex:27}",
        "thread": "omt_{hex:16}",
        "file": "{alnum:27}",
        "folder": "fldcn{alnum:22}",
        "table": "tbl{alnum:13}",
        "view": "vew{alnum:7}",
        "field": "fld{alnum:7}",
        "record": "rec{alnum:10}",
        "option": "opt{alnum:7}",
        "task": "{uuid}",
        "tasklist": "{uuid}",
        "section": "{uuid}",
        "reminder": "7{digit:9}",
        "ticket": "7{digit:18}",
        "node": "{alnum:27}",
        "space": "7{digit:18}",
    },
    # The platform prints its data as maps, in order of their keys; what the server makes of it keeps that order.
    envelope=Envelope(json=Json(sort_keys=True), refusal=errors.answer),
    menus=MENUS,
    profiles={
        "paper-2025": Profile(
            names=MENUS["paper_14"],
            note="The 14 tools that the MCP-Persona paper of 2025 probably gave its agents. The list is inferred: "
            "eleven are the vendor's presets for calendars and groups and the search for a contact, three (list and "
            "delete events, add attendees) are our guess. What the tools do is as in latest.",
        ),
    },
)
