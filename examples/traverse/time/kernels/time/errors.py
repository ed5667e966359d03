"""What the server refuses with."""

from farm.appkit import VendorError


class MissingArgument(VendorError):
    """Missing required argument: {name}"""

    code = "missing_argument"


class InvalidTimezone(VendorError):
    """Invalid timezone: {reason}"""

    code = "invalid_timezone"


class InvalidTime(VendorError):
    """Invalid time format. Expected HH:MM [24-hour format]"""

    code = "invalid_time"
