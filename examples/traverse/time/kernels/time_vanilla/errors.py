"""What the server refuses with."""

from farm.appkit import VendorError


class ToolFailed(VendorError):
    """Error executing tool {tool}: {reason}"""

    code = "tool_failed"
