"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Beside, Tool

from . import tool_add_task, tool_complete_task, tool_get_stats

TOOLS = (
    Tool("add_task", tool_add_task.add_task, structured=Beside("result")),
    Tool("complete_task", tool_complete_task.complete_task, structured=Beside("result")),
    Tool("get_stats", tool_get_stats.get_stats, structured=Beside("result")),
)
