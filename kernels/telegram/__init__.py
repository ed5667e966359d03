"""Telegram, as telegram-mcp shows it: a person's account, through the client library Telethon."""

from farm.appkit import App, Envelope, Profile, StartFiles, by_output_schema
from farm.appkit.dialects import Pydantic

from . import roots
from .december_2025.tools import TOOLS_2025
from .errors import refuse
from .tools import TOOLS

APP = App(
    name="telegram",
    title="Telegram",
    called=("TG", "电报"),
    category="communication",
    dialect=Pydantic(sdk="1.22.0", pydantic="2.11"),
    tools=TOOLS,
    files=StartFiles(roots.rows_of_file),
    ids={
        # Bare numbers; what stands first keeps the kinds apart, for the server takes them without their marks.
        "group": "4{digit:9}",
        "channel": "2{digit:9}",
        "private": "9{digit:12}",
        "media": "5{digit:18}",
        "photo": "6{digit:18}",
        "album": "1{digit:16}",
        "invite": "{base64url:16}",
    },
    # Whatever goes wrong is a text like any other; that text stands in structuredContent, too.
    # Every text says whom it is for.
    envelope=Envelope(is_error=False, structured=by_output_schema, refusal=refuse, annotations={"audience": ["user"]}),
    profiles={
        "paper-2025": Profile(
            note="The server as of 29 December 2025 (commit 6be9bc2), 84 tools that answer in lines of text. That the "
            "MCP-Persona paper of 2025 used it is inferred from its count of tools.",
            tools_json="tools.6be9bc2.json",
            tools=TOOLS_2025,
            dialect=Pydantic(sdk="1.25.0", pydantic="2.14"),
            envelope=Envelope(is_error=False, structured=by_output_schema, refusal=refuse),
            recorded=("2025-12-29", "mcp 1.25.0"),
        ),
    },
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "list_chats",
            "get_messages",
            "search_messages",
            "get_message_context",
            "send_message",
            "reply_to_message",
            "search_contacts",
            "get_me",
            "mark_as_read",
            "save_draft",
            "send_reaction",
            "pin_message",
        ),
        "reading": (
            "list_chats",
            "get_chat",
            "get_messages",
            "list_messages",
            "search_messages",
            "get_message_context",
            "list_contacts",
            "get_participants",
            "get_pinned_messages",
        ),
    },
)
