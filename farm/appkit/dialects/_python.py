"""Shared code of dialects for servers on the Python SDK."""

from __future__ import annotations

import math
from typing import Any

from farm.appkit.dialects._base import INTERNAL_ERROR, INVALID_PARAMS, InvalidArgumentsError, Wording, version

UNKNOWN_TOOL = Wording("Unknown tool: {tool}")


def not_an_object(sdk: str) -> InvalidArgumentsError:
    """Word arguments that are not an object: the request itself is invalid. Source: the SDK's tags 1.8.1 to 1.29.

    Before 1.9.4 such a request ends the real server's session; here it is answered.
    """
    if version(sdk) < (1, 9, 4):
        return InvalidArgumentsError("internal error: this request ends the real server's session", code=INTERNAL_ERROR)
    return InvalidArgumentsError("Invalid request parameters", code=INVALID_PARAMS)


def copy_routed(arguments: dict[str, Any]) -> dict[str, Any]:
    """Copy arguments as the SDK does before it routes a call: a number too large for a double becomes null.

    The copy is iterative, as a caller may nest arguments to any depth.
    """
    top = arguments.copy()
    pending: list[Any] = [top]
    while pending:
        holder = pending.pop()
        for key, item in holder.items() if type(holder) is dict else enumerate(holder):
            kind = type(item)
            if kind is float and not math.isfinite(item):
                holder[key] = None
            elif kind is dict or kind is list:
                holder[key] = item.copy()
                pending.append(holder[key])
    return top
