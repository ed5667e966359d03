"""What the system monitor and its machine answer when a call fails for a reason outside of it."""

from __future__ import annotations

from collections.abc import Callable

from farm.appkit import Episode, VendorError
from farm.appkit.faults import FaultAnswer, Faults, NoFaultAnswer

from .errors import DiskUsageFailed, ProcessFailed

_FAILURES = {"get_disk_info": DiskUsageFailed, "get_process_info": ProcessFailed}
_OtherFailed = VendorError.define("other_failed", "Failed to get {what} information: {problem}")


def _failed(problem: str) -> Callable[[Episode, str, int], VendorError]:
    def make(_: Episode, tool: str, __: int) -> VendorError:
        known = _FAILURES.get(tool)
        what = tool.removeprefix("get_").removesuffix("_info")
        return known(problem=problem) if known else _OtherFailed(what=what, problem=problem)

    return make


FAULTS: Faults = {
    "rate_limited": NoFaultAnswer("the server reads its own machine, which limits no rate"),
    "token_expired": NoFaultAnswer("the server reads its own machine, without a token"),
    "no_permission": FaultAnswer(
        _failed("permission denied"), "inferred", "Go's words, behind the recorded ones for disks and processes"
    ),
    "server_error": FaultAnswer(
        _failed("input/output error"), "inferred", "Go's words, behind the recorded ones for disks and processes"
    ),
    "timeout": NoFaultAnswer("the server reads its own machine, and waits for no network"),
}
