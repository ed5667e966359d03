"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Beside, Tool

from . import recorded

TOOLS = (
    Tool("add_task", recorded.add_task, structured=Beside("result")),
    Tool("complete_task", recorded.complete_task, structured=Beside("result")),
    Tool("get_stats", recorded.get_stats, structured=Beside("result")),
)
