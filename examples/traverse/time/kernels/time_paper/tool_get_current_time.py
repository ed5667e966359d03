"""The time in a zone."""

from zoneinfo import ZoneInfo

from farm.appkit import Episode, Result, VendorError

from . import context

TZDATA = "/tmp/farm-traverse/python-2/lib/python3.11/site-packages/tzdata/zoneinfo"


class MissingArgument(VendorError):
    """Missing required argument: {argument}"""

    code = "missing_argument"


class InvalidTimezone(VendorError):
    """Invalid timezone: {reason}"""

    code = "invalid_timezone"


def get_current_time(ep: Episode, *, timezone: str) -> Result:
    """Tell the time in a zone.

    Raises:
        MissingArgument: the zone is empty.
        InvalidTimezone: the zone is unknown.
    """
    if not timezone:
        raise MissingArgument(argument="timezone")
    return context.told(timezone, context.now_in(ep, _zone(timezone)))


def _zone(name: str) -> ZoneInfo:
    parts = name.split("/")
    if len(parts[-1].encode("utf-8", "replace")) > 255 and parts[0] and ".." not in parts:
        raise InvalidTimezone(reason=f"[Errno 36] File name too long: '{TZDATA}/{name}'")
    if "\x00" in name:
        raise InvalidTimezone(reason="embedded null byte")
    try:
        return ZoneInfo(name)
    except Exception as error:
        raise InvalidTimezone(reason=str(error))
