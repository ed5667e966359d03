"""What Discord, its library and Python refuse with."""

from farm.appkit import VendorError

COMMITS_ON_ERROR = ("add_multiple_reactions",)


class PythonError(VendorError):
    """{text}"""

    code = "python_error"


class UnknownGuild(VendorError):
    """404 Not Found (error code: 10004): Unknown Guild"""

    code = "unknown_guild"


class UnknownChannel(VendorError):
    """404 Not Found (error code: 10003): Unknown Channel"""

    code = "unknown_channel"


class UnknownMessage(VendorError):
    """404 Not Found (error code: 10008): Unknown Message"""

    code = "unknown_message"


class UnknownUser(VendorError):
    """404 Not Found (error code: 10013): Unknown User"""

    code = "unknown_user"


class UnknownMember(VendorError):
    """404 Not Found (error code: 10007): Unknown Member"""

    code = "unknown_member"


class UnknownEmoji(VendorError):
    """400 Bad Request (error code: 10014): Unknown Emoji"""

    code = "unknown_emoji"


class NoRoute(VendorError):
    """404 Not Found (error code: 0): 404: Not Found"""

    code = "no_route"


class EmptyMessage(VendorError):
    """400 Bad Request (error code: 50006): Cannot send an empty message"""

    code = "empty_message"


class InvalidForm(VendorError):
    """400 Bad Request (error code: 50035): Invalid Form Body
In {field}: {text}"""

    code = "invalid_form"


class MissingPermissions(VendorError):
    """403 Forbidden (error code: 50013): Missing Permissions"""

    code = "missing_permissions"


class MissingAccess(VendorError):
    """403 Forbidden (error code: 50001): Missing Access"""

    code = "missing_access"
