"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Beside, Tool

from . import tasks

TOOLS = (
    Tool("add_task", tasks.add_task, structured=Beside("result")),
    Tool("complete_task", tasks.complete_task, structured=Beside("result")),
    Tool("get_stats", tasks.get_stats, structured=Beside("result")),
)
