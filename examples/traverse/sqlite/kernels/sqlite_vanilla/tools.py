"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import database

TOOLS = (
    Tool("read_query", database.read_query, writes=("stores",)),
    Tool("write_query", database.write_query, writes=("stores",)),
    Tool("create_table", database.create_table, writes=("stores",)),
    Tool("list_tables", database.list_tables),
    Tool("describe_table", database.describe_table, writes=("stores",)),
    Tool("append_insight", database.append_insight, writes=("insights",)),
)
