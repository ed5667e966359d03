"""Notion, as mcp-notion-server shows it: 31 tools over what one integration sees of a workspace."""

from farm.appkit import App, Envelope, Json, Profile, object_or_value
from farm.appkit.dialects import Unchecked, Wording, Zod4

from . import errors
from .prompts import PROMPTS
from .resources import RESOURCES
from .tools import TOOLS, TOOLS_2025

_IDS = ("block", "comment", "data_source", "database", "discussion", "option", "page", "request")

APP = App(
    name="notion",
    title="Notion",
    category="documents",
    dialect=Zod4(sdk="1.29.0", zod="4.4.1"),
    tools=TOOLS,
    ids={**dict.fromkeys(_IDS, "{uuid}"), "property": "{alnum:4}"},
    envelope=Envelope(json=Json(indented=True), structured=object_or_value, refusal=errors.answer),
    prompts=PROMPTS,
    resources=RESOURCES,
    profiles={
        "paper-2025": Profile(
            note="Version 1.2.4 of May 2025, eighteen tools over the API of 2022-06-28, which a paper written in 2025 "
            "probably ran: that is inferred from the dates of its releases. Its list, its envelope and its checks are "
            "those of its code, built and run; shapes of the API are recorded in December 2024.",
            tools_json="v1.tools.json",
            tools=TOOLS_2025,
            dialect=Unchecked(
                sdk="typescript 1.11.2",
                unknown=Wording('{"error":"Unknown tool: {tool:json}"}', is_error=None),
                absent=Wording('{"error":"No arguments provided"}', is_error=None),
            ),
            envelope=Envelope(json=Json(indented=True), refusal=errors.answer_2025),
            recorded=("v1.2.4",),
        )
    },
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "notion_find",
            "notion_read_page",
            "notion_query_data_source_by_values",
            "notion_append_markdown",
            "notion_update_page_properties",
            "notion_inspect_data_source",
            "notion_create_data_source_item_from_values",
            "notion_update_content",
            "notion_create_comment",
            "notion_retrieve_comments",
            "notion_list_all_users",
        ),
    },
)
