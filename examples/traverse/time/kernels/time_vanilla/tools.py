"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import clocks

TOOLS = (
    Tool("get_current_time", clocks.get_current_time),
    Tool("convert_time", clocks.convert_time),
)
