"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import tasks

TOOLS = (
    Tool("add_task", tasks.add_task, writes=("tasks",)),
    Tool("complete_task", tasks.complete_task, writes=("tasks",)),
    Tool("get_stats", tasks.get_stats),
)
