"""The words that say what a column of an app's tables is: its role, who sees it, and the format of a
text that people read.

Schemas declare them (``farm.appkit.schema.column``); ``farm tables APP`` and docs/new-app.md list them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Role = Literal[
    "key",
    "reference",
    "author",
    "person",
    "title",
    "body",
    "kind",
    "status",
    "time",
    "place",
    "amount",
    "setting",
    "file",
    "link",
    "cosmetic",
    "internal",
]

ROLES: Mapping[Role, str] = {
    "key": "identifies the row, alone or with other keys",
    "reference": "names another row that the row belongs to or answers",
    "author": "who made the row",
    "person": "a person that the row is about or meant for, or how to reach them",
    "title": "a name, heading or subject",
    "body": "running text, or the values that people fill in",
    "kind": "which sort of thing the row is: a message's type, a role in a group",
    "status": "how far or in what state it is: done, archived, pinned, deleted",
    "time": "a moment, day, rule of days or time zone",
    "place": "a room, address or region",
    "amount": "a count, measure or sum",
    "setting": "what somebody chose for how it behaves: permissions, visibility, notifications",
    "file": "a file or what is known of it: path, size, type",
    "link": "an address on the web",
    "cosmetic": "people see it, and it changes no meaning: colour, icon, order, reminder",
    "internal": "nobody sees it: a hash, a cache, an id that only programs compare",
}

# Who sees a column, of those who may see its row.
SeenBy = Literal["everyone", "owner", "nobody"]

SEEN_BY: Mapping[SeenBy, str] = {
    "everyone": "all who may see the row",
    "owner": "only the person whose row it is: a draft, blind copies, what one has muted",
    "nobody": "no tool shows it to anybody",
}

# How a text that people read is stored. ``farm.appkit.formats`` has the functions that return what is visible of it.
Format = Literal[
    "plain",
    "markdown",
    "html",
    "mime",
    "slack",
    "slack_blocks",
    "discord",
    "reddit",
    "lark_message",
    "lark_markdown",
    "lark_fields",
    "notion_rich_text",
    "notion_block",
    "notion_value",
    "obsidian",
    "wecom",
]

FORMATS: Mapping[Format, str] = {
    "plain": "every character is shown",
    "markdown": "Markdown as CommonMark has it",
    "html": "an HTML document or part of one",
    "mime": "a mail as it was transferred, with headers and parts; a data URL of type message/rfc822 if it is no UTF-8",
    "slack": "Slack's mrkdwn: *bold*, ~struck~, <https://…|words>",
    "slack_blocks": "JSON: Slack's blocks or attachments",
    "discord": "Discord's Markdown: ||spoiler||, <@id>, -# small",
    "reddit": "Reddit's Markdown: >!spoiler!<, ^(small)",
    "lark_message": 'JSON: the content of a Lark message: {"text"}, a post, or a card',
    "lark_markdown": "the Markdown of a Lark document, with <at id>name</at>",
    "lark_fields": "JSON: the fields of a Lark base's record by field id; a text field may be a list of segments",
    "notion_rich_text": "JSON: a list of Notion's rich text objects",
    "notion_block": "JSON: what a Notion block of its type holds",
    "notion_value": "JSON: the value of a Notion page's property",
    "obsidian": "Obsidian's Markdown: %%comment%%, ==mark==, [[link|words]], frontmatter",
    "wecom": "a WeCom robot's message: plain text, or its Markdown if the row's msgtype is markdown",
}
