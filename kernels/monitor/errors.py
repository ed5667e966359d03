"""Refusals: what the server says before what the system said. It has no codes; these are ours, no agent sees them."""

from __future__ import annotations

from farm.appkit import ProtocolError, VendorError


class DiskUsageFailed(VendorError):
    """Failed to get disk usage information: {problem}"""

    code = "disk_usage_failed"


class InterfaceNotFound(VendorError):
    """Network interface not found: {name}"""

    code = "interface_not_found"


class PidNotANumber(VendorError):
    """PID must be a number"""

    code = "pid_not_a_number"


class ProcessFailed(VendorError):
    """Failed to get process information: {problem}"""

    code = "process_failed"


class Panic(ProtocolError):
    """The real process dies; here the call ends with what its log would say."""
