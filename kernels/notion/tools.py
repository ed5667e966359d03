"""The tools of version 2, in the order in which the server lists them, and those of version 1 beside them."""

from farm.appkit import Tool

from . import (
    apps,
    blocks,
    comments,
    databases,
    markdown_tools,
    page_reader,
    pages,
    queries,
    search,
    simple_values,
    tools_v1,
    users,
)

_BLOCKS = ("blocks", "pages")
_ANY_BLOCK = ("blocks", "pages", "databases")
_VALUES = ("pages", "cells", "properties")
_SCHEMA = ("databases", "data_sources", "properties", "pages")
_CHANGED_SCHEMA = ("databases", "data_sources", "properties", "cells")

TOOLS = (
    Tool("notion_open_data_source_app", apps.open_data_source_app),
    Tool("notion_open_page_workbench", apps.open_page_workbench),
    Tool("notion_append_block_children", blocks.append_block_children, writes=_BLOCKS),
    Tool("notion_append_content", markdown_tools.append_content, writes=_BLOCKS),
    Tool("notion_append_markdown", markdown_tools.append_markdown, writes=_BLOCKS),
    Tool("notion_update_content", markdown_tools.update_content, writes=_BLOCKS),
    Tool("notion_update_content_batch", markdown_tools.update_content_batch, writes=_BLOCKS),
    Tool("notion_retrieve_block", blocks.retrieve_block),
    Tool("notion_retrieve_block_children", blocks.retrieve_block_children),
    Tool("notion_delete_block", blocks.delete_block, writes=_ANY_BLOCK),
    Tool("notion_update_block", blocks.update_block, writes=_ANY_BLOCK),
    Tool("notion_retrieve_page", pages.retrieve_page),
    Tool("notion_read_page", page_reader.read_page),
    Tool("notion_update_page_properties", pages.update_page_properties, writes=_VALUES),
    Tool("notion_list_all_users", users.list_all_users),
    Tool("notion_retrieve_user", users.retrieve_user),
    Tool("notion_retrieve_bot_user", users.retrieve_bot_user),
    Tool("notion_retrieve_database", databases.retrieve_database),
    Tool("notion_create_database", databases.create_database, writes=_SCHEMA),
    Tool("notion_create_data_source", databases.create_data_source, writes=_SCHEMA),
    Tool("notion_query_data_source", queries.query_data_source),
    Tool("notion_query_data_source_by_values", queries.query_data_source_by_values),
    Tool("notion_retrieve_data_source", databases.retrieve_data_source),
    Tool("notion_update_data_source", databases.update_data_source, writes=_CHANGED_SCHEMA),
    Tool("notion_create_data_source_item", databases.create_data_source_item, writes=_VALUES),
    Tool(
        "notion_create_data_source_item_from_values", simple_values.create_data_source_item_from_values, writes=_VALUES
    ),
    Tool("notion_create_comment", comments.create_comment, writes=("comments",)),
    Tool("notion_retrieve_comments", comments.retrieve_comments),
    Tool("notion_find", search.find),
    Tool("notion_inspect_data_source", page_reader.inspect_data_source),
    Tool("notion_search", search.search),
)

TOOLS_2025 = (
    Tool("notion_append_block_children", tools_v1.append_block_children, writes=_BLOCKS),
    Tool("notion_retrieve_block", tools_v1.retrieve_block),
    Tool("notion_retrieve_block_children", tools_v1.retrieve_block_children),
    Tool("notion_delete_block", tools_v1.delete_block, writes=_ANY_BLOCK),
    Tool("notion_update_block", tools_v1.update_block, writes=_ANY_BLOCK),
    Tool("notion_retrieve_page", tools_v1.retrieve_page),
    Tool("notion_update_page_properties", tools_v1.update_page_properties, writes=_VALUES),
    Tool("notion_list_all_users", tools_v1.list_all_users),
    Tool("notion_retrieve_user", tools_v1.retrieve_user),
    Tool("notion_retrieve_bot_user", tools_v1.retrieve_bot_user),
    Tool("notion_create_database", tools_v1.create_database, writes=_SCHEMA),
    Tool("notion_query_database", tools_v1.query_database),
    Tool("notion_retrieve_database", tools_v1.retrieve_database),
    Tool("notion_update_database", tools_v1.update_database, writes=_CHANGED_SCHEMA),
    Tool("notion_create_database_item", tools_v1.create_database_item, writes=_VALUES),
    Tool("notion_create_comment", tools_v1.create_comment, writes=("comments",)),
    Tool("notion_retrieve_comments", tools_v1.retrieve_comments),
    Tool("notion_search", tools_v1.search),
)
