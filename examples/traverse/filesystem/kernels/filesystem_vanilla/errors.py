"""What the server refuses with."""

from farm.appkit import VendorError


class PathRefused(VendorError):
    """Access denied - path outside allowed directories"""

    code = "path_refused"


class SystemRefused(VendorError):
    """The operating system refused"""

    code = "system_refused"


class BothEnds(VendorError):
    """Cannot specify both head and tail parameters simultaneously"""

    code = "both_ends"


class NoMatch(VendorError):
    """Could not find exact match for edit"""

    code = "no_match"
