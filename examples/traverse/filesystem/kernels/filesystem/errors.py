"""What the server refuses with."""

from farm.appkit import VendorError

# It makes one directory after the other: those before a fault stay.
COMMITS_ON_ERROR = ("create_directory",)


class PathRefused(VendorError):
    """{text}"""

    code = "path_refused"


class SystemFault(VendorError):
    """{text}"""

    code = "system_fault"


class HeadAndTail(VendorError):
    """Cannot specify both head and tail parameters simultaneously"""

    code = "head_and_tail"


class EditNotFound(VendorError):
    """Could not find exact match for edit"""

    code = "edit_not_found"


class DestinationExists(VendorError):
    """Destination already exists: {path}"""

    code = "destination_exists"
