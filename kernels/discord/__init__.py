"""Discord, as mcp-discord shows it: thirteen tools of a program that is a member of servers."""

from farm.appkit import App, Envelope, Profile
from farm.appkit.dialects import Jsonschema, Unchecked

from . import access
from .tools import TOOLS

APP = App(
    name="discord",
    title="Discord",
    category="communication",
    dialect=Unchecked(sdk="python 1.1.2"),
    tools=TOOLS,
    envelope=Envelope(is_error=False),
    serving=access.require_bot,
    profiles={
        "unpinned": Profile(
            note="The same code, installed without its lock file: an SDK from 1.10 on checks arguments before it.",
            handshake={"server": {"name": "discord-server", "version": "1.30.0"}, "protocol": "2025-11-25"},
            dialect=Jsonschema(sdk="1.30.0"),
            recorded=("mcp 1.30.0",),
        ),
    },
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "read_messages",
            "send_message",
            "get_server_info",
            "list_members",
            "add_reaction",
            "get_user_info",
            "add_role",
            "moderate_message",
            "create_text_channel",
        ),
    },
)
