"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import tool_convert_time, tool_get_current_time

TOOLS = (
    Tool("get_current_time", tool_get_current_time.get_current_time),
    Tool("convert_time", tool_convert_time.convert_time),
)
