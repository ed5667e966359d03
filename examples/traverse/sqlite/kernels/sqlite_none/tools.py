"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import recorded

TOOLS = (
    Tool("read_query", recorded.read_query),
    Tool("write_query", recorded.write_query),
    Tool("create_table", recorded.create_table),
    Tool("list_tables", recorded.list_tables),
    Tool("describe_table", recorded.describe_table),
    Tool("append_insight", recorded.append_insight),
)
