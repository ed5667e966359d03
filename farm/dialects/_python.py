"""What the dialects of servers on the Python SDK share."""

from __future__ import annotations

import math
from typing import Any

from farm.dialects._base import INTERNAL_ERROR, INVALID_PARAMS, ArgumentsRefused, Wording, version

UNKNOWN_TOOL = Wording("Unknown tool: {tool}")


def not_an_object(sdk: str) -> ArgumentsRefused:
    """Word arguments that are no object: the request itself cannot be read. Source: the SDK's tags 1.8.1 to 1.29.

    Before 1.9.4 such a request ends the server's session; here it is answered.
    """
    if version(sdk) < (1, 9, 4):
        return ArgumentsRefused("internal error: this request ends the real server's session", code=INTERNAL_ERROR)
    return ArgumentsRefused("Invalid request parameters", code=INVALID_PARAMS)


def copy_routed(arguments: dict[str, Any]) -> dict[str, Any]:
    """Copy arguments as the SDK does before it routes a call: a number too large for a double has become null there.

    Without recursion, for a caller may nest as deep as it likes.
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
