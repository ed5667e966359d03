"""What the server refuses with: nothing, it tells errors as ordinary texts."""

from farm.appkit import VendorError


class DatabaseFailure(VendorError):
    """Database error"""

    code = "database_failure"
