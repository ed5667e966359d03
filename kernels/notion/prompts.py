"""The server's prompts: each names the tools for one kind of work, in their order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Prompt, ProtocolError


class MissingArgument(ProtocolError):
    """Missing required prompt argument: {name}"""


def find_target(ep: Episode, *, target: str) -> Mapping[str, Any]:
    """Return how to find what a person means.

    Raises:
        MissingArgument: an argument is an empty text.
    """
    _require(target=target)
    return _told(
        "Which page or data source is meant",
        f"Look in Notion for: {target}",
        "Begin with `notion_find`, and give `object_type` if it is clear which kind is meant.",
        "Answer with ID, title and object type of the likeliest match, and the tool to take next.",
        "Where several could be meant, let the user decide; do not guess.",
    )


def create_item(ep: Episode, *, data_source: str, item: str) -> Mapping[str, Any]:
    """Return how to make an item of a data source.

    Raises:
        MissingArgument: an argument is an empty text.
    """
    _require(data_source=data_source, item=item)
    return _told(
        "A new item of a data source",
        f"Data source: {data_source}",
        f"Wanted item: {item}",
        "Steps:",
        '1. Unless the ID is known, look it up by `notion_find` with `object_type: "data_source"`.',
        "2. Read names of properties, values of options and relations with `notion_inspect_data_source`.",
        "3. Make the item by `notion_create_data_source_item_from_values` with simple values, as far as they go.",
        "4. Only for a property that simple values cannot express, use `notion_create_data_source_item` and raw JSON.",
    )


def query_items(ep: Episode, *, data_source: str, query: str) -> Mapping[str, Any]:
    """Return how to find items of a data source.

    Raises:
        MissingArgument: an argument is an empty text.
    """
    _require(data_source=data_source, query=query)
    return _told(
        "Items of a data source, found",
        f"Data source: {data_source}",
        f"Wanted items: {query}",
        "Steps:",
        '1. Unless the ID is known, look it up by `notion_find` with `object_type: "data_source"`.',
        "2. Read names and types of properties and values of options with `notion_inspect_data_source`.",
        "3. Filter and sort with `notion_query_data_source_by_values`.",
        "4. Only for a filter that it cannot express, use `notion_query_data_source` and raw JSON.",
    )


def append_content(ep: Episode, *, page: str, content: str) -> Mapping[str, Any]:
    """Return how to add content to a page.

    Raises:
        MissingArgument: an argument is an empty text.
    """
    _require(page=page, content=content)
    return _told(
        "More content for a page",
        f"Page: {page}",
        f"Content: {content}",
        "Steps:",
        '1. Unless the ID is known, look it up by `notion_find` with `object_type: "page"`.',
        "2. If the place matters, read the page's blocks and their IDs with `notion_read_page`.",
        "3. Content in Markdown of the supported kinds: `notion_append_markdown`.",
        "4. A list of simple items: `notion_append_content`.",
        "5. A block that is there already gets another text: `notion_update_content`.",
        "6. Several such blocks at once: `notion_update_content_batch`.",
        "7. Only for other types of blocks: `notion_append_block_children` or `notion_update_block` with raw JSON.",
        "8. Keep batches small enough to be looked through, and the user's words as they are, unless asked.",
    )


def _require(**arguments: str) -> None:
    for name, value in arguments.items():
        if not value:
            raise MissingArgument(name=name)


def _told(description: str, *lines: str) -> Mapping[str, Any]:
    text = {"type": "text", "text": "\n".join(lines)}
    return {"description": description, "messages": [{"role": "user", "content": text}]}


PROMPTS = (
    Prompt("notion_find_target", find_target),
    Prompt("notion_create_data_source_item_workflow", create_item),
    Prompt("notion_query_data_source_items_workflow", query_items),
    Prompt("notion_append_page_content", append_content),
)
