"""Every tool of the server, with the tables a call may change."""

from farm.appkit import Tool

from . import user, waiting

TOOLS = (
    Tool("wait", waiting.wait, waits_until=waiting.require_until_ms),
    Tool("ask_user", user.ask_user, writes=("questions",), asks=user.find_question),
)
