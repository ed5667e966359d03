"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import queries

TOOLS = (
    Tool("read_query", queries.read_query),
    Tool("write_query", queries.write_query, writes=("stores",)),
    Tool("create_table", queries.create_table, writes=("stores",)),
    Tool("list_tables", queries.list_tables),
    Tool("describe_table", queries.describe_table),
    Tool("append_insight", queries.append_insight, writes=("insights",)),
)
