"""Refusals: what the server says before what the system said. It has no codes; these are ours, no agent sees them."""

from __future__ import annotations

from farm.appkit import ProtocolError, VendorError

DiskUsageFailed = VendorError.define("disk_usage_failed", "Failed to get disk usage information: {problem}")
InterfaceNotFound = VendorError.define("interface_not_found", "Network interface not found: {name}")
PidNotANumber = VendorError.define("pid_not_a_number", "PID must be a number")
ProcessFailed = VendorError.define("process_failed", "Failed to get process information: {problem}")


class Panic(ProtocolError):
    """The real process dies; here the call ends with what its log would say."""
