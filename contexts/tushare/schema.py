"""Tushare's context: the tokens that Tushare knows, and what the MCP server on somebody's machine keeps of one."""

from farm.appkit.schema import MetaData, column, hidden, table

METADATA = MetaData()

# Whoever holds one may ask; the server's own does not have to be among them.
tokens = table(
    "tokens",
    METADATA,
    column("token", generation="random", primary_key=True),
    column("holder", role="title", generation="authentic", nullable=False),
    few=True,
    view=hidden("tokens of the data service"),
)

# The running MCP server: one row once it was given a token, none before.
servers = table(
    "servers",
    METADATA,
    column("env_file", generation="authentic", primary_key=True),
    # What the file says: it counts when the server starts anew.
    column("token", role="setting", generation="random", nullable=False),
    # What the process has read of it, once and for all: this is what it asks with.
    column("token_read", role="setting", generation="random", nullable=False),
    few=True,
    view="grid",
)

# What Tushare answers in this episode, whatever the reference has; no world tells any.
answers = table(
    "answers",
    METADATA,
    column("api", generation="authentic", primary_key=True),  # stock_basic, income
    # {"name": "平安银行"}: requests for these, others may stand beside them; {}: every one.
    column("params", generation="authentic", json=True, primary_key=True),
    column(
        "body", role="internal", generation="authentic", json=True, nullable=False
    ),  # {"code": 0, "data": {"fields": […], "items": […]}},
    view=hidden("answers of the data service by query; the calls show those that were asked"),
)
