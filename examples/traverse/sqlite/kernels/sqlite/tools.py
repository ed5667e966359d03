"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import queries

TOOLS = (
    Tool("read_query", queries.read_query, writes=("snapshots", "journals")),
    Tool("write_query", queries.write_query, writes=("snapshots", "journals")),
    Tool("create_table", queries.create_table, writes=("snapshots", "journals")),
    Tool("list_tables", queries.list_tables, writes=("snapshots", "journals")),
    Tool("describe_table", queries.describe_table, writes=("snapshots", "journals")),
    Tool("append_insight", queries.append_insight, writes=("insights",)),
)
