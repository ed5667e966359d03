"""The limits of a trial, as whoever starts it gives them."""

from __future__ import annotations

from typing import Any

from farm.errors import FarmError

CALLS_MAX_MOST = 2**63 - 1
# The most tools that the API of OpenAI takes in a request.
TOOLS_MAX = 128
TIME_S_MAX_MOST = 7 * 24 * 3600.0


def require_calls_max(given: Any) -> int:
    """Return a limit of calls.

    Raises:
        FarmError: it is no number from 1 on.
    """
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= CALLS_MAX_MOST:
        raise FarmError(f"'calls_max' must be a number of calls from 1 on, not {given!r}")
    return given


def require_time_s_max(given: Any) -> float:
    """Return a limit of time.

    Raises:
        FarmError: it is no number of seconds up to a week.
    """
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 < given <= TIME_S_MAX_MOST:
        raise FarmError(f"'time_s_max' must be seconds up to a week, not {given!r}")
    return given
