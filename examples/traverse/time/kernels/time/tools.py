"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import clock

TOOLS = (
    Tool("get_current_time", clock.get_current_time),
    Tool("convert_time", clock.convert_time),
)
