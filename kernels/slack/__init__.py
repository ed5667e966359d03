"""Slack, as the Zencoder MCP server shows it: eight tools over one workspace."""

from farm.appkit import App, Envelope
from farm.appkit.dialects import Zod3

from . import errors
from .tools import TOOLS

APP = App(
    name="slack",
    title="Slack",
    category="communication",
    dialect=Zod3(),
    tools=TOOLS,
    ids={"im": "D{caps36:10}"},
    envelope=Envelope(refusal=errors.answer),
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "slack_list_channels",
            "slack_get_channel_history",
            "slack_post_message",
            "slack_get_thread_replies",
            "slack_reply_to_thread",
            "slack_get_users",
            "slack_add_reaction",
            "slack_get_user_profile",
        ),
    },
)
