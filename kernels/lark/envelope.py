"""What every endpoint shares: the request's log id on refusals, whole-number parameters, pages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import wraps
from types import MappingProxyType
from typing import Any

from farm.appkit import Episode, Handler, Result, compact_json
from farm.appkit.formats.cursors import InvalidCursorError, decode_cursor

from .errors import FieldValidationFailed, InvalidAccessToken, LarkError, PageNotFound

# A request's path, params or data.
Arguments = Mapping[str, Any]
NOTHING: Arguments = MappingProxyType({})

_CHINA = timedelta(hours=8)


def endpoint(handler: Handler) -> Handler:
    """Give the refusals of a handler the log id of the request, and refuse an empty path parameter and nobody's call.

    No handler takes ``useUAT``, whether to call as the user or as the app, which nearly every tool has: here every call
    is the user's, and what a handler does not name is left out.
    """

    @wraps(handler)
    def answer(ep: Episode, **arguments: Any) -> Result:
        try:
            if not all(arguments.get("path", NOTHING).values()):
                # Nothing between two slashes: the platform has no such route.
                raise PageNotFound
            if not ep.me:
                # An episode without a world has no people, and so nobody whose token this could be.
                raise InvalidAccessToken
            return handler(ep, **arguments)
        except LarkError as refusal:
            refusal.log_id = log_id(ep, handler.__name__, arguments)
            raise

    return answer


def log_id(ep: Episode, name: str, arguments: Mapping[str, Any]) -> str:
    """Return a request's log id: its second in China, then 20 hexadecimal digits."""
    request = (name, compact_json(arguments), ep.now_ms)
    low, high = ep.hash("log", *request), ep.hash("log+", *request)
    return f"{ep.now + _CHINA:%Y%m%d%H%M%S}{low:016X}{high & 0xFFFF:04X}"


def page_size(params: Arguments, *, default: int, least: int = 1, most: int, lifts: bool = False) -> int:
    """Return the size of a page.

    Args:
        default: size when ``page_size`` is absent.
        least: smallest size the endpoint takes.
        most: largest size it takes.
        lifts: whether smaller sizes are taken as the smallest instead of refused.

    Raises:
        FieldValidationFailed: not a whole number, or out of range.
    """
    size = integer_parameter(params, "page_size", default)
    if size < least:
        if lifts:
            return least
        raise FieldValidationFailed("page_size", f"the min value is {least}", value=str(size))
    if size > most:
        raise FieldValidationFailed("page_size", f"the max value is {most}", value=str(size))
    return size


def integer_parameter(params: Arguments, name: str, default: int) -> int:
    """Return an integer parameter, which the tool's schema lets be any number.

    Raises:
        FieldValidationFailed: it has a fraction.
    """
    value = params.get(name, default)
    if not math.isfinite(value) or value != int(value):
        raise FieldValidationFailed(name, "the value must be an integer", value=str(value))
    return int(value)


def require_length(where: str, value: Sequence[Any], most: int, least: int = 0) -> None:
    """Refuse a text or list that is longer or shorter than the platform takes.

    Raises:
        FieldValidationFailed: it is; a text is shown.
    """
    if not least <= len(value) <= most:
        bound = f"the max len is {most}" if len(value) > most else f"the min len is {least}"
        raise FieldValidationFailed(where, bound, value=value if isinstance(value, str) else None)


def decode_token(
    kind: str, token: str | None, refusal: LarkError, types: tuple[type | tuple[type, ...], ...]
) -> tuple[Any, ...] | None:
    """Return the keys a page token points behind; None for the first page.

    Args:
        kind: which list the token must be of.
        token: what the agent sent.
        refusal: what to raise when it is no token of this list.
        types: the type, or tuple of types, of each key.
    """
    if not token:
        return None
    try:
        return decode_cursor(kind, token, *types)
    except InvalidCursorError:
        raise refusal from None
