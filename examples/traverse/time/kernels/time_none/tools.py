"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import recorded

TOOLS = (
    Tool("get_current_time", recorded.get_current_time),
    Tool("convert_time", recorded.convert_time),
)
