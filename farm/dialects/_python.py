"""What the dialects of servers on the Python SDK share."""

from __future__ import annotations

from farm.dialects._base import INTERNAL_ERROR, INVALID_PARAMS, ArgumentsRefused, Wording, version

UNKNOWN_TOOL = Wording("Unknown tool: {tool}")


def not_an_object(sdk: str) -> ArgumentsRefused:
    """Word arguments that are no object: the request itself cannot be read. Source: the SDK's tags 1.8.1 to 1.29.

    Before 1.9.4 such a request ends the server's session; here it is answered.
    """
    if version(sdk) < (1, 9, 4):
        return ArgumentsRefused("internal error: this request ends the real server's session", code=INTERNAL_ERROR)
    return ArgumentsRefused("Invalid request parameters", code=INVALID_PARAMS)
