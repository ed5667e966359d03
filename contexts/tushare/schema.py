"""Tushare's context: the tokens that Tushare knows, and what the MCP server on somebody's machine keeps of one."""

from farm.context.schema import MetaData, column, table

METADATA = MetaData()

# Whoever holds one may ask; the server's own does not have to be among them.
tokens = table(
    "tokens",
    METADATA,
    column("token", made="random", primary_key=True),
    column("holder", made="authentic", nullable=False),
)

# The running MCP server: one row once it was given a token, none before.
servers = table(
    "servers",
    METADATA,
    column("env_file", made="authentic", primary_key=True),
    # What the file says: it counts when the server starts anew.
    column("token", made="random", nullable=False),
    # What the process has read of it, once and for all: this is what it asks with.
    column("token_read", made="random", nullable=False),
)

# What Tushare answers in this episode, whatever the reference has; no world tells any.
answers = table(
    "answers",
    METADATA,
    column("api", made="authentic", primary_key=True),  # stock_basic, income
    # {"name": "平安银行"}: requests for these, others may stand beside them; {}: every one.
    column("params", made="authentic", json=True, primary_key=True),
    column("body", made="authentic", json=True, nullable=False),  # {"code": 0, "data": {"fields": […], "items": […]}}
)
