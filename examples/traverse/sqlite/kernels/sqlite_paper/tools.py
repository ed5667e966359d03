"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import tool_append_insight, tool_create_table, tool_describe_table, tool_list_tables, tool_read_query, tool_write_query

TOOLS = (
    Tool("read_query", tool_read_query.read_query),
    Tool("write_query", tool_write_query.write_query, writes=("stores",)),
    Tool("create_table", tool_create_table.create_table, writes=("stores",)),
    Tool("list_tables", tool_list_tables.list_tables),
    Tool("describe_table", tool_describe_table.describe_table),
    Tool("append_insight", tool_append_insight.append_insight, writes=("insights",)),
)
