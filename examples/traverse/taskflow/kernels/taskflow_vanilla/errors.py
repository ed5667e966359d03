"""What the server refuses with."""

from farm.appkit import VendorError


class TaskFlowError(VendorError):
    """Task flow error"""

    code = "task_flow_error"
